// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_WIRE_BENCH_H
#define AIDC_BGP_WIRE_BENCH_H

#include "bgp-network.h"
#include "test/core/bgp/bgp-golden-messages.h"
#include "test/core/hex-bytes.h"

#include "ns3/bgp-message.h"
#include "ns3/tcp-socket-factory.h"

// A speaker whose peer sends any bytes.

namespace aidctest
{

/// A speaker, and a client of TCP in place of its peer, which sends whatever bytes it is told: AS
/// 65002 at 10.0.0.2.
class WireBench
{
  public:
    explicit WireBench(const Attributes& attributes = {})
        : network(2, attributes)
    {
        BgpPeerSettings passive;
        passive.isPassive = true;
        network.speakers[1]->SetStartTime(Seconds(1e6)); // the client is in its place
        network.Peer(0, 1, passive);
    }

    /// Connect, with a new socket.
    void Connect()
    {
        messages.clear();
        isClosed = false;
        m_framer = {};
        m_socket = Socket::CreateSocket(network.nodes.Get(1), TcpSocketFactory::GetTypeId());
        m_socket->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
            for (auto packet = socket->Recv(); packet && packet->GetSize() > 0;
                 packet = socket->Recv())
            {
                BgpBytes bytes(packet->GetSize());
                packet->CopyData(bytes.data(), packet->GetSize());
                m_framer.Append(bytes.data(), bytes.size());
            }
            for (auto frame = m_framer.Next(); frame.status == BgpFrame::Status::MESSAGE;
                 frame = m_framer.Next())
            {
                messages.emplace_back(frame.type,
                                      BgpBytes(frame.body, frame.body + frame.bodySize));
            }
        }));
        m_socket->SetCloseCallbacks(MakeCallback(&WireBench::Close, this),
                                    MakeCallback(&WireBench::Close, this));
        m_socket->Connect(InetSocketAddress(Ipv4Address("10.0.0.1"), BGP_PORT));
        Run();
    }

    /// Send bytes, and see what comes of them.
    void Send(const BgpBytes& bytes)
    {
        m_socket->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
        Run();
    }

    /// Bring a session up.
    void Establish()
    {
        Connect();
        Send(ParseHex(bgp::OPEN_EXABGP));
        Send(ParseHex(bgp::KEEPALIVE));
    }

    /// Run on for a tenth of a second.
    static void Run()
    {
        BgpNetwork::RunUntil(Simulator::Now().GetSeconds() + 0.1);
    }

    /// Take nothing from now on.
    void StopReading()
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }

    /// Take some bytes, after StopReading(). size: the most bytes.
    void Take(uint32_t size)
    {
        m_socket->Recv(size, 0);
    }

    /// Close, as a client that is done.
    void End()
    {
        m_socket->Close();
        Run();
    }

    /// Get the NOTIFICATION that has come. Returns the last message, if it is one.
    std::optional<BgpNotification> GetNotification() const
    {
        if (messages.empty() || messages.back().first != BgpMessageType::NOTIFICATION)
        {
            return std::nullopt;
        }
        const BgpBytes& body = messages.back().second;
        return DecodeBgpNotification(body.data(), body.size());
    }

    BgpNetwork network;                                        //!< the speaker is 0
    std::vector<std::pair<BgpMessageType, BgpBytes>> messages; //!< types and bodies
    bool isClosed{false};                                      //!< the speaker has closed

  private:
    void Close(Ptr<Socket> socket)
    {
        isClosed = true;
        socket->Close();
    }

    Ptr<Socket> m_socket; //!< the client's
    BgpFramer m_framer;   //!< finds messages
};

} // namespace aidctest

#endif // AIDC_BGP_WIRE_BENCH_H

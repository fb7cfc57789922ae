// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_HOST_TRAFFIC_H
#define AIDC_CSIG_HOST_TRAFFIC_H

#include "csig-host-network.h"
#include "model/core/csig/csig-fields.h"
#include "model/core/csig/csig-reflection.h"
#include "model/core/csig/tcp-header-bytes.h"

#include "ns3/csig-tag.h"
#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"

// Connections and segments between the two hosts, for the suites of CSIG's hosts.

namespace aidctest
{

/// Bytes of a segment.
using Bytes = std::vector<uint8_t>;

/// Tags or signals, in the order of time.
using FieldsList = std::vector<CsigFields>;

/// What a segment on its way has in it.
struct SeenSegment
{
    TcpHeaderBytes header;                    //!< its header
    uint32_t data{0};                         //!< bytes of data
    std::optional<CsigFields> tag;            //!< the tag, if there is one
    bool hasOption{false};                    //!< whether it carries CSIG's option
    std::optional<CsigReflection> reflection; //!< what the option says, if that can be told

    bool Has(uint8_t flag) const
    {
        return (header.bytes[13] & flag) != 0;
    }
};

inline SeenSegment
Look(Ptr<const Packet> segment)
{
    SeenSegment seen;
    const TcpExperimentalOption option{253, CSIG_DEFAULT_EXID};
    const auto size = segment->CopyData(seen.header.bytes.data(), TCP_MAX_HEADER_SIZE);
    seen.header.size = DecodeTcpHeaderSize(seen.header.bytes.data(), size).value_or(0);
    seen.data = segment->GetSize() - static_cast<uint32_t>(seen.header.size);
    CsigTag tag;
    if (segment->PeekPacketTag(tag))
    {
        seen.tag = tag.GetFields();
    }
    const auto place = FindTcpOption(seen.header, option);
    seen.hasOption = place && place->length > 0;
    if (seen.hasOption)
    {
        seen.reflection =
            DecodeCsigOption(seen.header.bytes.data() + place->offset, place->length, option);
    }
    return seen;
}

/// fields: the new fields, or none.
inline void
ReplaceTag(Ptr<Packet> packet, const std::optional<CsigFields>& fields)
{
    CsigTag tag;
    packet->RemovePacketTag(tag);
    if (fields)
    {
        packet->AddPacketTag(CsigTag(*fields));
    }
}

/// Record the signals that come back to a host.
inline void
RecordSignals(Ptr<CsigHost> host, FieldsList& list)
{
    ConnectTrace(host, "Signal", [&list](const FlowKey&, const CsigFields& fields) {
        list.push_back(fields);
    });
}

/// Hand a TCP segment to a host as if it came from the wire. Returns what IPv4 is told.
inline IpL4Protocol::RxStatus
GiveToB(const CsigHostNetwork& network, const Bytes& bytes)
{
    auto ipv4 = network.nodes.Get(2)->GetObject<Ipv4L3Protocol>();
    Ipv4Header header;
    header.SetSource(network.addressA);
    header.SetDestination(network.addressB);
    header.SetProtocol(6);
    header.SetPayloadSize(static_cast<uint16_t>(bytes.size()));
    auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return ipv4->GetProtocol(6)->Receive(packet, header, ipv4->GetInterface(1));
}

/// Make a TCP segment without data to a port where nobody listens. options: its options, a multiple
/// of 4 bytes.
inline Bytes
MakeSegment(const Bytes& options)
{
    Bytes bytes(20);
    bytes[0] = 0x13; // port 5000
    bytes[1] = 0x88;
    bytes[3] = 9;
    bytes[12] = static_cast<uint8_t>((bytes.size() + options.size()) / 4 << 4);
    bytes[13] = TcpHeader::ACK;
    std::copy(options.begin(), options.end(), std::back_inserter(bytes));
    return bytes;
}

/// A TCP connection from A to B on which both may send.
class TcpConnection
{
  public:
    /// B's port.
    static constexpr uint16_t SERVER_PORT = 80;

    /// Open it soon. bytesOfA: how many bytes A sends. bytesOfB: how many bytes B sends.
    TcpConnection(const CsigHostNetwork& network,
                  uint32_t bytesOfA,
                  uint32_t bytesOfB,
                  uint32_t delayedAcks = 1,
                  uint32_t segmentSize = 1000,
                  uint16_t clientPort = 5000)
        : m_left{bytesOfA, bytesOfB},
          m_flow{network.addressA.Get(), network.addressB.Get(), clientPort, SERVER_PORT, 6}
    {
        const auto serverPort = static_cast<uint16_t>(SERVER_PORT + clientPort - 5000);
        m_flow.destinationPort = serverPort;
        auto open = [&](uint32_t node) {
            auto socket =
                Socket::CreateSocket(network.nodes.Get(node), TcpSocketFactory::GetTypeId());
            socket->SetAttribute("DelAckCount", UintegerValue(delayedAcks));
            socket->SetAttribute("SegmentSize", UintegerValue(segmentSize));
            socket->SetAttribute("InitialCwnd", UintegerValue(4));
            return socket;
        };
        m_listener = open(2);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), serverPort));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&TcpConnection::Accept, this));
        m_sockets[0] = open(0);
        m_sockets[0]->Bind(InetSocketAddress(network.addressA, clientPort));
        m_sockets[0]->SetConnectCallback(MakeCallback(&TcpConnection::Begin, this),
                                         MakeNullCallback<void, Ptr<Socket>>());
        // Queue discs take packets only when the simulation runs.
        Simulator::Schedule(MicroSeconds(1), [this, server = network.addressB, serverPort] {
            m_sockets[0]->Connect(InetSocketAddress(server, serverPort));
        });
    }

    /// Let a host send more. side: 0 for A, 1 for B. bytes: how many bytes.
    void Send(uint32_t side, uint32_t bytes)
    {
        m_left[side] += bytes;
        Fill(side);
    }

    /// Get how many bytes a host has received. side: 0 for A, 1 for B.
    uint32_t GetReceived(uint32_t side) const
    {
        return m_received[side];
    }

    /// Get the flow from A to B.
    FlowKey GetFlowOfA() const
    {
        return m_flow;
    }

    FlowKey GetFlowOfB() const
    {
        return {m_flow.destination,
                m_flow.source,
                m_flow.destinationPort,
                m_flow.sourcePort,
                m_flow.protocol};
    }

  private:
    /// Take the connection at B.
    void Accept(Ptr<Socket> socket, const Address&)
    {
        m_sockets[1] = socket;
        Begin(socket);
    }

    /// Begin to send and to receive.
    void Begin(Ptr<Socket> socket)
    {
        socket->SetRecvCallback(MakeCallback(&TcpConnection::Receive, this));
        socket->SetSendCallback(ToCallback(
            [this](Ptr<Socket> socket, uint32_t) { Fill(socket == m_sockets[0] ? 0 : 1); }));
        Fill(socket == m_sockets[0] ? 0 : 1);
    }

    /// Send what there is room for. side: 0 for A, 1 for B.
    void Fill(uint32_t side)
    {
        auto socket = m_sockets[side];
        while (socket && m_left[side] > 0)
        {
            const auto size = std::min({m_left[side], socket->GetTxAvailable(), 10000U});
            auto packet = Create<Packet>(size);
            // Section 9: the tag of an application must not leave a host that has CSIG.
            if (socket->GetNode()->GetObject<CsigHost>())
            {
                packet->AddPacketTag(CsigTag(CsigFields{CsigFormat::COMPACT, 3, 0, 0, 1}));
            }
            if (size == 0 || socket->Send(packet) < 0)
            {
                return;
            }
            m_left[side] -= size;
        }
    }

    void Receive(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            m_received[socket == m_sockets[0] ? 0 : 1] += packet->GetSize();
        }
    }

    uint32_t m_left[2];           //!< what A and B still have to send
    uint32_t m_received[2]{0, 0}; //!< what A and B have received
    FlowKey m_flow;               //!< from A to B
    Ptr<Socket> m_listener;       //!< waits for A
    Ptr<Socket> m_sockets[2];     //!< of A and B
};

} // namespace aidctest

#endif // AIDC_CSIG_HOST_TRAFFIC_H

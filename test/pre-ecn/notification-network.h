// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NOTIFICATION_NETWORK_H
#define AIDC_NOTIFICATION_NETWORK_H

#include "test/tunnel/router-line.h"

#include "ns3/domain-message.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/pre-ecn-queue-disc.h"

// A congested router that tunnel packets go through, and ingress PEs that are notified.

namespace aidctest
{

/// A notification that has come to an ingress PE.
struct Received
{
    uint32_t host;                       //!< the ingress PE
    int64_t time;                        //!< when, in ns
    Ipv4Address from;                    //!< who has sent it
    uint8_t tos;                         //!< its type of service
    ns3::aidc::DomainMessageBytes bytes; //!< its bytes
    CongestionNotification notification; //!< what it says
};

/// A mark that a router has made.
struct MarkSeen
{
    FlowKey flow;                //!< the innermost flow
    CongestionSeverity severity; //!< its severity
    int64_t time;                //!< when, in ns
};

/// The queue disc of the congested router: marks from 10, 100 and 1000 packets of 1000 bytes on.
inline const Attributes NOTIFYING{{"T1", "10kB"},
                                  {"T2", "100kB"},
                                  {"Maximum", "1MB"},
                                  {"SevereProbability", "0.5"},
                                  {"AverageWeight", "1"},
                                  {"Guard", "Off"}};

/// A RouterLine whose first router marks. Hosts 0 and 1 are ingress PEs that send tunnel packets of
/// flows of their own, and listen to notifications.
class NotificationNetwork : public RouterLine
{
  public:
    explicit NotificationNetwork(SwitchDatapath::Mode datapath = SwitchDatapath::FAST)
        : RouterLine(datapath, "ns3::aidc::PreEcnQueueDisc", NOTIFYING, "ns3::FifoQueueDisc", {})
    {
        for (const uint32_t host : {0U, 1U})
        {
            m_sockets[host] = Socket::CreateSocket(GetNode(host), UdpSocketFactory::GetTypeId());
            m_sockets[host]->Bind(
                InetSocketAddress(Ipv4Address::GetAny(), CONGESTION_NOTIFICATION_PORT));
            m_sockets[host]->SetIpRecvTos(true);
            m_sockets[host]->SetRecvCallback(
                Callback<void, Ptr<Socket>>([this, host](Ptr<Socket>) { Receive(host); }));
        }
        ConnectTrace(GetPortClass(2)->GetQueue(),
                     "CongestionMark",
                     [this](Ptr<const QueueDiscItem> item, CongestionSeverity severity, double) {
                         Mark(*item, severity);
                     });
    }

    Ptr<Node> GetNode(uint32_t id) const
    {
        return network.GetNode(NodeIndex(id));
    }

    Ipv4Address GetAddress(uint32_t id) const
    {
        return network.GetAddress(NodeIndex(id));
    }

    /// Get the flow that a host sends through its tunnel: of two that are in no network here. host:
    /// 0 or 1.
    static FlowKey GetFlow(uint32_t host)
    {
        return {0xc0000201 + host, 0xc6336401, static_cast<uint16_t>(49152 + host), 4791, 17};
    }

    /// Make a packet of the flow of a host, with headers. host: 0 or 1. nHeaders: the number of its
    /// inner headers, from 1. Returns the packet, of 980 bytes.
    static Ptr<Packet> MakeInnerPacket(uint32_t host, uint32_t nHeaders)
    {
        std::vector<uint8_t> bytes(980);
        const FlowKey flow = GetFlow(host);
        for (uint32_t i = 0; i < nHeaders; ++i)
        {
            uint8_t* header = &bytes[std::size_t{20} * i];
            header[0] = 0x45;
            header[8] = 64;
            header[9] = i + 1 < nHeaders ? 4 : 17;
            Write(header + 12, flow.source, 4);
            Write(header + 16, flow.destination, 4);
        }
        uint8_t* udp = &bytes[std::size_t{20} * nHeaders];
        Write(udp, flow.sourcePort, 2);
        Write(udp + 2, flow.destinationPort, 2);
        return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    }

    /// Let a host send packets of 1000 bytes to host 4 by IP in IP, from 1 us on. host: 0 or 1.
    template <typename Make>
    void SendTunneled(uint32_t host, uint32_t packets, Make inner, Time begin = MicroSeconds(1))
    {
        const auto ipv4 = GetNode(host)->GetObject<Ipv4L3Protocol>();
        Simulator::ScheduleWithContext(
            GetNode(host)->GetId(),
            begin,
            [this, host, packets, inner, ipv4] {
                for (uint32_t i = 0; i < packets; ++i)
                {
                    const auto packet = inner();
                    SocketIpTosTag tos;
                    tos.SetTos(2); // ECT(0)
                    packet->AddPacketTag(tos);
                    ipv4->Send(packet, GetAddress(host), GetAddress(4), 4, nullptr);
                }
            });
    }

    /// Let both hosts send packets of 1000 bytes to host 4 by IP in IP, from 1 us on.
    void SendTunneled(uint32_t packets, uint32_t nHeaders = 1)
    {
        for (const uint32_t host : {0U, 1U})
        {
            SendTunneled(host, packets, [=] { return MakeInnerPacket(host, nHeaders); });
        }
    }

    /// Count the marks of a host's flow. host: 0 or 1.
    uint64_t CountMarks(uint32_t host) const
    {
        return static_cast<uint64_t>(
            std::count_if(marks.begin(), marks.end(), [host](const MarkSeen& mark) {
                return mark.flow == GetFlow(host);
            }));
    }

    std::vector<Received> notifications; //!< that have come, in the order of time
    std::vector<MarkSeen> marks;         //!< that were made, in the order of time

  private:
    /// Write a number in network order. size: its bytes.
    static void Write(uint8_t* to, uint32_t number, int size)
    {
        for (int i = 0; i < size; ++i)
        {
            to[i] = static_cast<uint8_t>(number >> 8 * (size - 1 - i));
        }
    }

    /// Take notifications.
    void Receive(uint32_t host)
    {
        Address from;
        while (const auto packet = m_sockets[host]->RecvFrom(from))
        {
            SocketIpTosTag tos;
            packet->PeekPacketTag(tos);
            Received received{host,
                              Simulator::Now().GetNanoSeconds(),
                              InetSocketAddress::ConvertFrom(from).GetIpv4(),
                              tos.GetTos(),
                              {},
                              {}};
            packet->CopyData(received.bytes.data(), received.bytes.size());
            AnyDomainMessage message;
            DecodeDomainMessage(received.bytes.data(), packet->GetSize(), message);
            received.notification = std::get<CongestionNotification>(message);
            notifications.push_back(received);
        }
    }

    /// Record a mark.
    void Mark(const QueueDiscItem& item, CongestionSeverity severity)
    {
        // By the ingress PE, which is the source of the outer header
        const auto& header = dynamic_cast<const Ipv4QueueDiscItem&>(item).GetHeader();
        const uint32_t host = header.GetSource() == GetAddress(0) ? 0 : 1;
        marks.push_back({GetFlow(host), severity, Simulator::Now().GetNanoSeconds()});
    }

    std::array<Ptr<Socket>, 2> m_sockets; //!< the hosts'
};

} // namespace aidctest

#endif // AIDC_NOTIFICATION_NETWORK_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EDGE_NETWORK_H
#define AIDC_EDGE_NETWORK_H

#include "test/tunnel/tunnel-network.h"

#include "ns3/domain-message.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/notification-key.h"

// A TunnelNetwork whose ingress PE reacts to notifications.

namespace aidctest
{

/// A change that a trace has told.
struct EdgeChange
{
    int64_t time;      //!< when, in ns
    FlowKey flow;      //!< the flow
    uint64_t oldValue; //!< before
    uint64_t newValue; //!< now
};

/// A packet that has arrived at host B.
struct Arrived
{
    int64_t time;    //!< when it left the last router, in ns
    uint32_t number; //!< which of the flow's
    uint32_t bytes;  //!< its size
};

/// A TunnelNetwork with an IngressEdgeController at P1. Path 0 of the tunnel is by C1, path 1 by
/// the waypoint C2.
class EdgeNetwork : public TunnelNetwork
{
  public:
    using Change = std::function<void(CongestionNotification&)>;

    /// Get what the network is like.
    static Settings MakeSettings(SwitchDatapath::Mode mode = SwitchDatapath::FAST)
    {
        Settings settings;
        settings.mode = mode;
        settings.paths = {{}, {Ipv4Address("192.0.2.12")}};
        return settings;
    }

    explicit EdgeNetwork(const Attributes& attributes, const Settings& settings = MakeSettings())
        : TunnelNetwork(settings),
          controller(CreateObject<IngressEdgeController>())
    {
        SetAll(controller, attributes);
        for (const auto& [name, value] : attributes)
        {
            if (name == "Key")
            {
                key = NotificationKey::Parse(value);
            }
        }
        controller->Install(nodes.Get(P1));
        controller->AddTunnel(there);
        ConnectTrace(controller,
                     "Rate",
                     [this](const FlowKey& flow, uint64_t oldRate, uint64_t newRate) {
                         rates.push_back(
                             {Simulator::Now().GetNanoSeconds(), flow, oldRate, newRate});
                     });
        ConnectTrace(controller,
                     "Path",
                     [this](const FlowKey& flow, uint32_t oldPath, uint32_t newPath) {
                         paths.push_back(
                             {Simulator::Now().GetNanoSeconds(), flow, oldPath, newPath});
                     });
        ConnectTrace(
            controller,
            "Refused",
            [this](IngressEdgeController::Refusal reason, const Address&) { ++refused[reason]; });
        ConnectTrace(controller, "Notification", [this](const CongestionNotification&) {
            ++accepted;
        });
    }

    /// Get the key of a flow from A to B.
    static FlowKey GetFlow(uint16_t port)
    {
        return {0x0a010002, 0x0a020002, port, 9, 17};
    }

    /// Have A send the packets of a flow. bytes: the size of a packet with its IPv4 header.
    void SendFlow(uint16_t port,
                  uint32_t bytes,
                  Time begin,
                  Time interval,
                  uint32_t n,
                  uint8_t tos = 0)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            DatagramSpec spec;
            spec.size = bytes;
            spec.port = port;
            spec.tos = tos;
            spec.identification = static_cast<uint16_t>(m_numbers[port]++);
            SendAt(begin + static_cast<int64_t>(i) * interval, MakeDatagram(spec));
        }
    }

    /// Returns its bytes, signed, with a new number.
    DomainMessageBytes MakeNotification(const FlowKey& flow,
                                        CongestionSeverity severity,
                                        Time age = Time(0),
                                        const Change& change = nullptr)
    {
        CongestionNotification notification;
        notification.flow = flow;
        notification.severity = severity;
        notification.device = Ipv4Address("192.0.2.11").Get();
        notification.sequence = ++sequence;
        notification.ingress = Ipv4Address("192.0.2.1").Get();
        notification.egress = Ipv4Address("192.0.2.2").Get();
        notification.time = static_cast<uint64_t>((Simulator::Now() - age).GetNanoSeconds());
        if (change)
        {
            change(notification);
        }
        auto bytes = EncodeDomainMessage(notification);
        key.Sign(bytes);
        return bytes;
    }

    /// Have P1 receive the bytes of a notification from a device, C1 if none is given.
    template <typename BYTES>
    void Receive(const BYTES& bytes, const char* from = "192.0.2.11")
    {
        const InetSocketAddress sender(from, 1);
        controller->GetReceiver().Receive(bytes.data(), bytes.size(), sender);
    }

    /// Have C1 notify P1, by a datagram, of what is so old.
    void NotifyAt(Time when,
                  uint16_t port,
                  CongestionSeverity severity = CongestionSeverity::LIGHT,
                  Time age = Time(0))
    {
        Simulator::ScheduleWithContext(nodes.Get(C1)->GetId(), when, [this, port, severity, age] {
            const auto bytes = MakeNotification(GetFlow(port), severity, age);
            SendDatagram(bytes.data(), bytes.size());
        });
    }

    /// Have a router send a datagram to P1's port of notifications.
    void SendDatagram(const uint8_t* bytes, std::size_t length, Place from = C1)
    {
        auto& socket = m_sockets[from];
        if (!socket)
        {
            socket = Socket::CreateSocket(nodes.Get(from), UdpSocketFactory::GetTypeId());
            socket->Bind(
                InetSocketAddress(Ipv4Address(from == C1 ? "192.0.2.11" : "192.0.2.12"), 0));
            socket->Connect(
                InetSocketAddress(Ipv4Address("192.0.2.1"), CONGESTION_NOTIFICATION_PORT));
        }
        socket->Send(Create<Packet>(bytes, static_cast<uint32_t>(length)));
    }

    /// Get what has left for host B. Returns its packets.
    std::vector<Arrived> GetArrived(uint16_t port)
    {
        std::vector<Arrived> arrived;
        for (const auto& [time, bytes] : sent[{P2, B}])
        {
            if (Get16(bytes, 20) == port)
            {
                arrived.push_back({time, Get16(bytes, 4), static_cast<uint32_t>(bytes.size())});
            }
        }
        return arrived;
    }

    /// Get when the packets of a flow have left P1, and where to. Returns the times in ns, and the
    /// inner sizes.
    std::vector<std::pair<int64_t, uint32_t>> GetLeft(uint16_t port, Place to)
    {
        const std::size_t inner = to == C1 ? 20 : 40;
        std::vector<std::pair<int64_t, uint32_t>> left;
        for (const auto& [time, bytes] : sent[{P1, to}])
        {
            if (bytes.size() >= inner + 28 && bytes.at(inner + 9) == 17 &&
                Get16(bytes, inner + 20) == port)
            {
                left.emplace_back(time, Get16(bytes, inner + 2));
            }
        }
        return left;
    }

    /// Get the rate of a flow as it leaves P1 by C1. Returns bit/s.
    double GetRate(uint16_t port, Time from, Time to)
    {
        uint64_t bytes = 0;
        for (const auto& [time, size] : GetLeft(port, C1))
        {
            bytes += time >= from.GetNanoSeconds() && time < to.GetNanoSeconds() ? size : 0;
        }
        return static_cast<double>(bytes) * 8 / (to - from).GetSeconds();
    }

    /// Tell whether all packets of a flow have arrived, in their order.
    bool IsWhole(uint16_t port)
    {
        uint32_t next = 0;
        for (const auto& packet : GetArrived(port))
        {
            if (packet.number != next % 65536)
            {
                return false;
            }
            ++next;
        }
        return next == m_numbers[port];
    }

    Ptr<IngressEdgeController> controller; //!< the controller
    NotificationKey key;                   //!< the domain's key
    uint64_t sequence{0};                  //!< the number of the last notification
    std::vector<EdgeChange> rates;         //!< changes of rates
    std::vector<EdgeChange> paths;         //!< changes of paths
    uint64_t accepted{0};                  //!< notifications that were accepted
    /// Notifications that were refused.
    std::map<IngressEdgeController::Refusal, uint64_t> refused;

  private:
    std::map<uint16_t, uint32_t> m_numbers; //!< packets of each flow
    std::map<Place, Ptr<Socket>> m_sockets; //!< sockets of routers
};

} // namespace aidctest

#endif // AIDC_EDGE_NETWORK_H

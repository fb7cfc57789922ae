// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROUTING_COMPARISON_H
#define AIDC_ROUTING_COMPARISON_H

#include "test/test-case.h"

#include "ns3/icmpv4.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-list-routing-helper.h"
#include "ns3/ipv4-raw-socket-factory.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"

// A small network that writes down all that happens, to compare routing protocols.

namespace aidctest
{

/// The routing protocol of a SmallNetwork.
enum class RoutingKind : uint8_t
{
    STATIC,           //!< Ipv4StaticRouting
    STATIC_IN_LIST,   //!< in an Ipv4ListRouting, as InternetStackHelper has it
    MULTIPATH,        //!< MultipathRouting
    MULTIPATH_IN_LIST //!< in an Ipv4ListRouting
};

/// Two hosts and two ways between them.
///
///     A 1 -- 10.0.1.0/24 -- 1 R 2 -- 10.0.2.0/24 -- 1 B
///     A 2 -- 10.0.3.0/24 -- 1 S 2 -- 10.0.4.0/24 -- 2 B
///
/// The left end of a link has the host number 1, the right one 2. A and B have default routes over
/// R; R and S know their networks only. Each node has a UDP socket at port 9.
class SmallNetwork
{
  public:
    /// The nodes.
    enum Name : uint32_t
    {
        A, //!< a host
        R, //!< a router
        B, //!< a host
        S  //!< the other router
    };

    explicit SmallNetwork(RoutingKind kind)
        : m_kind(kind)
    {
        m_nodes.Create(4);
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        Ipv4ListRoutingHelper list;
        const Ipv4StaticRoutingHelper fixed;
        const MultipathRoutingHelper multipath;
        switch (kind)
        {
        case RoutingKind::STATIC:
            stack.SetRoutingHelper(fixed);
            break;
        case RoutingKind::STATIC_IN_LIST:
            list.Add(fixed, 0);
            stack.SetRoutingHelper(list);
            break;
        case RoutingKind::MULTIPATH:
            stack.SetRoutingHelper(multipath);
            break;
        case RoutingKind::MULTIPATH_IN_LIST:
            list.Add(multipath, 0);
            stack.SetRoutingHelper(list);
            break;
        }
        stack.Install(m_nodes);
        PointToPointHelper link;
        link.SetChannelAttribute("Delay", StringValue("10us"));
        Ipv4AddressHelper address("10.0.1.0", "255.255.255.0");
        for (const auto& [left, right] :
             std::vector<std::pair<Name, Name>>{{A, R}, {R, B}, {A, S}, {S, B}})
        {
            address.Assign(link.Install(m_nodes.Get(left), m_nodes.Get(right)));
            address.NewNetwork();
        }
        AddRoute(A, "0.0.0.0", "/0", "10.0.1.2", 1);
        AddRoute(B, "0.0.0.0", "/0", "10.0.2.1", 1);
        for (const auto name : {A, R, B, S})
        {
            const std::string text(1, NAMES[name]);
            const auto ipv4 = GetIpv4(name);
            ipv4->TraceConnect("Tx", text, MakeCallback(&SmallNetwork::NotifySent, this));
            ipv4->TraceConnect("LocalDeliver",
                               text,
                               MakeCallback(&SmallNetwork::NotifyDelivered, this));
            ipv4->TraceConnect("Drop", text, MakeCallback(&SmallNetwork::NotifyDrop, this));
            m_sockets.push_back(
                Socket::CreateSocket(m_nodes.Get(name), UdpSocketFactory::GetTypeId()));
            m_sockets.back()->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            m_sockets.back()->SetAllowBroadcast(true);
            m_sockets.back()->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
                Address from;
                while (const auto packet = socket->RecvFrom(from))
                {
                    m_log << NAMES[socket->GetNode()->GetId() - m_nodes.Get(0)->GetId()] << " gets "
                          << packet->GetSize() << " from "
                          << InetSocketAddress::ConvertFrom(from).GetIpv4() << '\n';
                }
            }));
        }
    }

    /// Get the protocol stack of a node.
    Ptr<Ipv4L3Protocol> GetIpv4(Name name) const
    {
        return m_nodes.Get(name)->GetObject<Ipv4L3Protocol>();
    }

    void AddRoute(Name name,
                  const char* network,
                  const char* mask,
                  const char* gateway,
                  uint32_t interface) const
    {
        const Ipv4Address to(network);
        const Ipv4Address by(gateway);
        if (const auto fixed = GetStatic(name))
        {
            fixed->AddNetworkRouteTo(to, Ipv4Mask(mask), by, interface);
            return;
        }
        MultipathRoutingHelper::GetRouting(m_nodes.Get(name))
            ->AddRoute(to, Ipv4Mask(mask), {NextHop(interface, by)});
    }

    /// Add a multicast route for packets of any source.
    void AddMulticastRoute(Name name,
                           const char* group,
                           uint32_t input,
                           const std::vector<uint32_t>& outputs) const
    {
        const auto any = Ipv4Address::GetAny();
        const Ipv4Address to(group);
        if (const auto fixed = GetStatic(name))
        {
            fixed->AddMulticastRoute(any, to, input, outputs);
            return;
        }
        MultipathRoutingHelper::GetRouting(m_nodes.Get(name))
            ->AddMulticastRoute(any, to, input, outputs);
    }

    /// Send a UDP datagram of 100 bytes. ttl: its TTL; multicast has 64 in ns-3.
    void Send(Name name, const char* destination, uint8_t ttl = 64, uint16_t port = 9)
    {
        const auto socket = m_sockets[name];
        socket->SetIpTtl(ttl);
        const int sent = socket->SendTo(Create<Packet>(100),
                                        0,
                                        InetSocketAddress(Ipv4Address(destination), port));
        m_log << NAMES[name] << " sends " << sent << '\n';
    }

    /// Send an ICMP echo request.
    void Ping(Name name, const char* destination)
    {
        const auto socket =
            Socket::CreateSocket(m_nodes.Get(name), Ipv4RawSocketFactory::GetTypeId());
        socket->SetAttribute("Protocol", UintegerValue(1));
        auto packet = Create<Packet>();
        Icmpv4Echo echo;
        echo.SetData(Create<Packet>(56));
        packet->AddHeader(echo);
        Icmpv4Header header;
        header.SetType(Icmpv4Header::ICMPV4_ECHO);
        packet->AddHeader(header);
        const int sent = socket->SendTo(packet, 0, InetSocketAddress(Ipv4Address(destination), 0));
        m_log << NAMES[name] << " pings " << sent << '\n';
    }

    /// Run the simulation, and get all that has happened.
    std::string Run()
    {
        Simulator::Run();
        return m_log.str();
    }

  private:
    /// Get the static routing of a node. Returns it, null if the nodes have none.
    Ptr<Ipv4StaticRouting> GetStatic(Name name) const
    {
        return m_kind == RoutingKind::STATIC || m_kind == RoutingKind::STATIC_IN_LIST
                   ? Ipv4RoutingHelper::GetRouting<Ipv4StaticRouting>(
                         GetIpv4(name)->GetRoutingProtocol())
                   : nullptr;
    }

    void NotifySent(std::string name, Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t interface)
    {
        Ipv4Header header;
        packet->PeekHeader(header);
        m_log << name << " tx " << interface << ' ' << header.GetSource() << " > "
              << header.GetDestination() << " ttl " << int{header.GetTtl()} << '\n';
    }

    void NotifyDelivered(std::string name,
                         const Ipv4Header& header,
                         Ptr<const Packet> packet,
                         uint32_t interface)
    {
        m_log << name << " local " << interface << ' ' << header.GetSource();
        Icmpv4Header icmp;
        if (header.GetProtocol() == 1 && packet->PeekHeader(icmp) > 0)
        {
            m_log << " icmp " << int{icmp.GetType()} << '/' << int{icmp.GetCode()};
        }
        m_log << '\n';
    }

    /// Note a packet that is dropped.
    void NotifyDrop(std::string name,
                    const Ipv4Header& header,
                    Ptr<const Packet>,
                    Ipv4L3Protocol::DropReason reason,
                    Ptr<Ipv4>,
                    uint32_t)
    {
        m_log << name << " drops " << header.GetDestination() << " reason "
              << static_cast<uint32_t>(reason) << '\n';
    }

    static constexpr char NAMES[] = "ARBS"; //!< the nodes' names

    RoutingKind m_kind;                 //!< the routing protocol
    NodeContainer m_nodes;              //!< the nodes
    std::vector<Ptr<Socket>> m_sockets; //!< at port 9, by node
    std::ostringstream m_log;           //!< what has happened
    SimulationEnd m_end;                //!< of this network
};

} // namespace aidctest

#endif // AIDC_ROUTING_COMPARISON_H

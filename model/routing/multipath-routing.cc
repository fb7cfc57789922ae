// SPDX-License-Identifier: GPL-2.0-only

#include "multipath-routing.h"

#include "../core/require-argument.h"
#include "fragmentation-needed-sender.h"
#include "next-hop-selector.h"

#include "ns3/flow-key.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/protocol-numbers.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcMultipathRouting");

void
OwnAddresses::Update(const Ipv4& ipv4)
{
    m_hashes.reset();
    m_addresses.clear();
    m_routerId = Ipv4Address::GetAny();
    for (uint32_t interface = 0; interface < ipv4.GetNInterfaces(); ++interface)
    {
        for (uint32_t i = 0; i < ipv4.GetNAddresses(interface); ++i)
        {
            const auto address = ipv4.GetAddress(interface, i);
            m_addresses.push_back(address.GetLocal().Get());
            m_addresses.push_back(address.GetBroadcast().Get());
            if (interface == 0 && m_routerId == Ipv4Address::GetAny() &&
                !address.GetLocal().IsLocalhost())
            {
                m_routerId = address.GetLocal();
            }
        }
    }
    std::sort(m_addresses.begin(), m_addresses.end());
    for (const uint32_t address : m_addresses)
    {
        m_hashes.set(Hash(address));
    }
}

Ptr<Ipv4MulticastRoute>
MulticastRoutes::Find(const Ipv4& ipv4,
                      Ipv4Address origin,
                      Ipv4Address group,
                      uint32_t interface) const
{
    for (const auto& candidate : m_routes)
    {
        if (candidate.group == group &&
            (candidate.origin == Ipv4Address::GetAny() || candidate.origin == origin) &&
            (candidate.inputInterface == Ipv4::IF_ANY || candidate.inputInterface == interface))
        {
            auto route = Create<Ipv4MulticastRoute>();
            route->SetOrigin(candidate.origin);
            route->SetGroup(group);
            route->SetParent(interface);
            for (const uint32_t output : candidate.outputs)
            {
                if (output != interface && ipv4.IsUp(output))
                {
                    route->SetOutputTtl(output, Ipv4MulticastRoute::MAX_TTL - 1);
                }
            }
            return route;
        }
    }
    return nullptr;
}

NS_OBJECT_ENSURE_REGISTERED(MultipathRouting);

namespace
{

/// Read the flow of a packet. packet: the bytes after that header, may be null.
FlowKey
ReadFlow(const Ipv4Header& header, const Ptr<const Packet>& packet)
{
    std::array<uint8_t, FLOW_KEY_MAX_BYTES> bytes;
    const uint8_t protocol = header.GetProtocol();
    const bool isFragment = header.GetFragmentOffset() != 0 || !header.IsLastFragment();
    std::size_t size = 0;
    if (packet && !isFragment)
    {
        // The ports are the first 4 bytes; only a tunnel is looked into.
        const uint32_t wanted = HasInnerFlow(protocol) ? FLOW_KEY_MAX_BYTES : 4;
        size = packet->CopyData(bytes.data(), wanted);
    }
    return DecodeFlowKey(header.GetSource().Get(),
                         header.GetDestination().Get(),
                         protocol,
                         isFragment,
                         bytes.data(),
                         size);
}

// A transit packet's destination stays a number: each call to an Ipv4Address looks whether to log.
constexpr uint32_t MULTICAST = 0xe0000000;      //!< 224.0.0.0/4
constexpr uint32_t MULTICAST_MASK = 0xf0000000; //!< of 224.0.0.0/4

} // namespace

TypeId
MultipathRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::MultipathRouting")
            .SetParent<Ipv4RoutingProtocol>()
            .SetGroupName("Aidc")
            .AddConstructor<MultipathRouting>()
            .AddAttribute(
                "Selector",
                "Chooses among the next hops of a route; a HashSelector if none is set",
                PointerValue(),
                MakePointerAccessor(&MultipathRouting::SetSelector, &MultipathRouting::GetSelector),
                MakePointerChecker<NextHopSelector>())
            .AddTraceSource("RoutesChange",
                            "A route, or which of its next hops can be used, has changed.",
                            MakeTraceSourceAccessor(&MultipathRouting::m_changeTrace),
                            "ns3::aidc::MultipathRouting::ChangeTracedCallback");
    return tid;
}

void
MultipathRouting::SetSelector(Ptr<NextHopSelector> selector)
{
    NS_LOG_FUNCTION(this << selector);
    m_selector = selector;
    m_table.SetSelector(selector);
}

void
MultipathRouting::UpdateRoutes(const std::vector<RouteUpdate>& updates)
{
    NS_LOG_FUNCTION(this << updates.size());
    m_table.UpdateRoutes(updates);
    m_changeTrace();
}

void
MultipathRouting::AddMulticastRoute(Ipv4Address origin,
                                    Ipv4Address group,
                                    uint32_t inputInterface,
                                    const std::vector<uint32_t>& outputInterfaces)
{
    NS_LOG_FUNCTION(this << origin << group << inputInterface);
    AIDC_REFUSED_UNLESS(group.IsMulticast(),
                        "MultipathRouting: expected a multicast group, found " << group);
    m_multicastRoutes.Add(origin, group, inputInterface, outputInterfaces);
}

void
MultipathRouting::AddRoute(Ipv4Address network, Ipv4Mask mask, const std::vector<NextHop>& nextHops)
{
    NS_LOG_FUNCTION(this << network << mask << nextHops.size());
    m_table.AddRoute(network, mask, nextHops);
    m_changeTrace();
}

void
MultipathRouting::AddDiscardRoute(Ipv4Address network, Ipv4Mask mask)
{
    NS_LOG_FUNCTION(this << network << mask);
    m_table.AddDiscardRoute(network, mask);
    m_changeTrace();
}

bool
MultipathRouting::RemoveRoute(Ipv4Address network, Ipv4Mask mask)
{
    NS_LOG_FUNCTION(this << network << mask);
    const bool isRemoved = m_table.RemoveRoute(network, mask);
    m_changeTrace();
    return isRemoved;
}

void
MultipathRouting::RemoveLearned(Ipv4Address network, Ipv4Mask mask)
{
    NS_LOG_FUNCTION(this << network << mask);
    m_table.RemoveLearned(network, mask);
    m_changeTrace();
}

bool
MultipathRouting::SetWeights(Ipv4Address network, Ipv4Mask mask, const std::vector<double>& weights)
{
    NS_LOG_FUNCTION(this << network << mask << weights.size());
    const bool isSet = m_table.SetWeights(network, mask, weights);
    m_changeTrace();
    return isSet;
}

int64_t
MultipathRouting::AssignStreams(int64_t stream)
{
    return m_selector ? m_selector->AssignStreams(stream) : 0;
}

uint32_t
MultipathRouting::GetInterface(const NetDevice& device)
{
    const uint32_t index = device.GetIfIndex();
    if (index >= m_interfaceOfDevice.size())
    {
        m_interfaceOfDevice.resize(index + 1, -1);
    }
    int32_t& interface = m_interfaceOfDevice[index];
    if (interface < 0)
    {
        interface = m_ipv4->GetInterfaceForDevice(&device);
        AIDC_REFUSED_IF(interface < 0, "MultipathRouting: a packet from a device without IPv4");
    }
    return interface;
}

bool
MultipathRouting::RouteInput(Ptr<const Packet> p,
                             const Ipv4Header& header,
                             Ptr<const NetDevice> idev,
                             RouteInputArgs::Unicast ucb,
                             RouteInputArgs::Multicast mcb,
                             RouteInputArgs::Local lcb,
                             RouteInputArgs::Error ecb)
{
    NS_LOG_FUNCTION(this << p << header << idev);
    const Ipv4Address destination = header.GetDestination();
    const uint32_t interface = GetInterface(*idev);

    if (destination.IsMulticast())
    {
        const bool isDelivered = !lcb.IsNull();
        if (isDelivered)
        {
            lcb(p->Copy(), header, interface);
        }
        const auto route =
            m_multicastRoutes.Find(*m_ipv4, header.GetSource(), destination, interface);
        if (route)
        {
            mcb(route, p, header);
        }
        return isDelivered || route;
    }
    if (m_own.MayBe(destination.Get()) && m_ipv4->IsDestinationAddress(destination, interface))
    {
        if (lcb.IsNull())
        {
            return false; // the list that asks has delivered it
        }
        lcb(p, header, interface);
        return true;
    }
    if (!m_ipv4->IsForwarding(interface))
    {
        ecb(p, header, Socket::ERROR_NOROUTETOHOST);
        return true;
    }
    const MultipathRoute* route = FindRoute(destination.Get());
    if (!route)
    {
        return false;
    }
    NextHopGroup* group = route->GetUsable();
    if (!group)
    {
        ecb(p, header, Socket::ERROR_NOROUTETOHOST);
        return true;
    }
    const uint32_t index =
        group->members.size() == 1 ? 0 : m_selector->Select(*group, ReadFlow(header, p));
    if (RefuseTooLong(*m_ipv4, header, *p, group->members[index].nextHop.interface))
    {
        ecb(p, header, Socket::ERROR_MSGSIZE);
        return true;
    }
    ucb(GetRoute(group->members[index], destination), p, header);
    return true;
}

const MultipathRoute*
MultipathRouting::FindRoute(uint32_t destination) const
{
    return m_table.GetRoutes().Find(destination, [](const MultipathRoute& candidate) {
        return candidate.IsUsable();
    });
}

NextHopGroup*
MultipathRouting::FindTransit(uint32_t destination) const
{
    if ((destination & MULTICAST_MASK) == MULTICAST || m_own.MayBe(destination))
    {
        return nullptr;
    }
    const MultipathRoute* route = FindRoute(destination);
    return route ? route->GetUsable() : nullptr;
}

const NextHopGroup::Member&
MultipathRouting::Select(NextHopGroup& group, const FlowKey& key) const
{
    return group.members[group.members.size() == 1 ? 0 : m_selector->Select(group, key)];
}

Ptr<Ipv4Route>
MultipathRouting::RouteOutput(Ptr<Packet> p,
                              const Ipv4Header& header,
                              Ptr<NetDevice> oif,
                              Socket::SocketErrno& sockerr)
{
    NS_LOG_FUNCTION(this << p << header << oif);
    const Ipv4Address destination = header.GetDestination();
    sockerr = Socket::ERROR_NOTERROR;
    if (destination.IsLocalMulticast() && oif)
    {
        auto route = Create<Ipv4Route>();
        route->SetDestination(destination);
        route->SetGateway(Ipv4Address::GetAny());
        route->SetOutputDevice(oif);
        route->SetSource(m_own.GetSource(*m_ipv4, GetInterface(*oif), destination));
        return route;
    }
    const auto isOut = [this, &oif](const NextHopGroup::Member& member) {
        return member.IsUsable() && (!oif || m_ipv4->GetNetDevice(member.nextHop.interface) == oif);
    };
    const auto leadsOut = [&isOut](const NextHopGroup* group) {
        return group && std::any_of(group->members.begin(), group->members.end(), isOut);
    };
    const MultipathRoute* route =
        m_table.GetRoutes().Find(destination.Get(), [&leadsOut](const MultipathRoute& candidate) {
            const auto ways = candidate.GetWays();
            return !candidate.group || std::any_of(ways.begin(), ways.end(), leadsOut);
        });
    if (!route || !route->group)
    {
        sockerr = Socket::ERROR_NOROUTETOHOST;
        return nullptr;
    }
    const auto ways = route->GetWays();
    NextHopGroup& group = **std::find_if(ways.begin(), ways.end(), leadsOut);
    auto member = std::find_if(group.members.begin(), group.members.end(), isOut);
    if (!oif && group.members.size() > 1)
    {
        // TCP asks with its header in place, and IPv4 for a packet that has no route yet, whose
        // size it tells. A UDP socket asks without one; nobody has one before it connects.
        const bool isWhole = p && p->GetSize() > 0 && header.GetPayloadSize() == p->GetSize();
        const bool hasHeader = p && (header.GetProtocol() == PROTOCOL_TCP || isWhole);
        const bool isProvisional =
            m_isUdpProvisional && !hasHeader && header.GetProtocol() == PROTOCOL_UDP;
        const FlowKey key = ReadFlow(header, hasHeader ? p : nullptr);
        const uint32_t index =
            p && !isProvisional
                ? m_selector->Select(group, key)
                : group.usable[PickMember(m_selector->Hash(key), group.usable.size())];
        member = group.members.begin() + index;
        if (isProvisional)
        {
            m_provisional.nextHop = member->nextHop;
            m_provisional.route = nullptr;
            const auto route = GetRoute(m_provisional, destination);
            route->SetSource(m_own.GetSource(*m_ipv4, member->nextHop.interface, destination));
            return route;
        }
    }
    const auto result = GetRoute(*member, destination);
    result->SetSource(m_own.GetSource(*m_ipv4, member->nextHop.interface, destination));
    return result;
}

bool
MultipathRouting::IsProvisional(const Ptr<Ipv4Route>& route) const
{
    return route && route == m_provisional.route;
}

Ptr<Ipv4Route>
MultipathRouting::GetRoute(NextHopGroup::Member& member, Ipv4Address destination) const
{
    if (!member.route || member.route->GetReferenceCount() > 1)
    {
        member.route = Create<Ipv4Route>();
        member.route->SetGateway(member.nextHop.gateway);
        member.route->SetOutputDevice(m_ipv4->GetNetDevice(member.nextHop.interface));
        member.route->SetSource(Ipv4Address::GetAny());
    }
    member.route->SetDestination(destination);
    return member.route;
}

void
MultipathRouting::NotifyInterfaceUp(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    for (uint32_t i = 0; i < m_ipv4->GetNAddresses(interface); ++i)
    {
        m_table.AddConnected(interface, m_ipv4->GetAddress(interface, i));
    }
    UpdateInterface(interface);
    m_changeTrace();
}

void
MultipathRouting::NotifyInterfaceDown(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    UpdateInterface(interface);
    for (uint32_t i = 0; i < m_ipv4->GetNAddresses(interface); ++i)
    {
        m_table.RemoveConnected(interface, m_ipv4->GetAddress(interface, i));
    }
    m_changeTrace();
}

void
MultipathRouting::SetBlocked(uint32_t interface, bool isBlocked)
{
    NS_LOG_FUNCTION(this << interface << isBlocked);
    if (m_table.SetBlocked(interface, isBlocked))
    {
        UpdateInterface(interface);
        m_changeTrace();
    }
}

void
MultipathRouting::UpdateInterface(uint32_t interface)
{
    m_table.UpdateInterface(interface);
    if (m_selector)
    {
        m_selector->NotifyInterface(interface, m_table.IsUsable(interface));
    }
}

void
MultipathRouting::NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    m_own.Update(*m_ipv4);
    if (m_ipv4->IsUp(interface))
    {
        m_table.AddConnected(interface, address);
    }
    m_changeTrace();
}

void
MultipathRouting::NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    m_own.Update(*m_ipv4);
    m_table.RemoveConnected(interface, address);
    m_changeTrace();
}

void
MultipathRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    NS_LOG_FUNCTION(this << ipv4);
    AIDC_REFUSED_IF(m_ipv4 || !ipv4, "MultipathRouting serves one protocol stack");
    m_ipv4 = ipv4;
    m_table.SetIpv4(ipv4);
    SetSelector(m_selector ? m_selector : Ptr<NextHopSelector>(CreateObject<HashSelector>()));
    m_own.Update(*m_ipv4);
    for (uint32_t interface = 0; interface < m_ipv4->GetNInterfaces(); ++interface)
    {
        if (m_ipv4->IsUp(interface))
        {
            NotifyInterfaceUp(interface);
        }
    }
}

void
MultipathRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    std::ostringstream os; // not the stream itself, whose format stays as it is
    const auto node = m_ipv4->GetObject<Node>();
    os << "Node: " << node->GetId() << ", Time: " << Now().As(unit)
       << ", Local time: " << node->GetLocalTime().As(unit) << ", MultipathRouting table, "
       << m_table.GetRoutes().GetSize() << " routes, " << m_table.GetNGroups() << " groups\n";
    m_table.Print(os);
    *stream->GetStream() << os.str() << std::endl;
}

void
MultipathRouting::DoInitialize()
{
    if (m_selector)
    {
        m_selector->Initialize();
    }
    Ipv4RoutingProtocol::DoInitialize();
}

void
MultipathRouting::DoDispose()
{
    m_table.Clear();
    if (m_selector)
    {
        m_selector->Dispose();
        m_selector = nullptr;
    }
    m_ipv4 = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

} // namespace ns3::aidc

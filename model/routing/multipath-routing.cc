/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multipath-routing.h"

#include "hash-selector.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/names.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcMultipathRouting");

NS_OBJECT_ENSURE_REGISTERED(MultipathRouting);

namespace
{

/// The protocol number of TCP.
constexpr uint8_t TCP = 6;

/// The protocol number of IP-in-IP.
constexpr uint8_t IP_IN_IP = 4;

/**
 * @brief Read the flow of a packet.
 * @param header its IPv4 header
 * @param packet what follows that, may be null
 * @return the flow
 */
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
        const uint32_t wanted = protocol == IP_IN_IP ? FLOW_KEY_MAX_BYTES : 4;
        size = packet->CopyData(bytes.data(), wanted);
    }
    return ReadFlowKey(header.GetSource().Get(),
                       header.GetDestination().Get(),
                       protocol,
                       isFragment,
                       bytes.data(),
                       size);
}

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
                MakePointerChecker<NextHopSelector>());
    return tid;
}

MultipathRouting::MultipathRouting()
    : m_routerId(Ipv4Address::GetAny())
{
}

MultipathRouting::~MultipathRouting() = default;

void
MultipathRouting::SetSelector(Ptr<NextHopSelector> selector)
{
    NS_LOG_FUNCTION(this << selector);
    for (const auto& group : m_groups)
    {
        group->state.reset(); // it may know the former selector
    }
    m_selector = selector;
    if (m_selector && m_ipv4)
    {
        m_selector->SetIpv4(m_ipv4);
        for (const auto& group : m_groups)
        {
            m_selector->NotifyGroup(*group);
        }
    }
}

Ptr<NextHopSelector>
MultipathRouting::GetSelector() const
{
    return m_selector;
}

void
MultipathRouting::AddRoute(Ipv4Address network, Ipv4Mask mask, const std::vector<NextHop>& nextHops)
{
    NS_LOG_FUNCTION(this << network << mask << nextHops.size());
    NS_ABORT_MSG_IF(nextHops.empty(),
                    "MultipathRouting: the route to "
                        << network
                        << " has no next hop; "
                           "AddDiscardRoute() is for routes that drop");
    Route route;
    route.group = GetGroup(nextHops);
    SetRoute(network, mask, route);
}

void
MultipathRouting::AddDiscardRoute(Ipv4Address network, Ipv4Mask mask)
{
    NS_LOG_FUNCTION(this << network << mask);
    SetRoute(network, mask, Route());
}

bool
MultipathRouting::RemoveRoute(Ipv4Address network, Ipv4Mask mask)
{
    NS_LOG_FUNCTION(this << network << mask);
    const auto length = static_cast<uint8_t>(mask.GetPrefixLength());
    const Route* found = m_routes.FindExact(network.Get(), length);
    if (!found)
    {
        return false;
    }
    const Route removed = *found;
    m_routes.Remove(network.Get(), length);
    ReleaseGroup(removed.group);
    ReleaseGroup(removed.standIn);
    UseConnected(network, mask);
    return true;
}

bool
MultipathRouting::SetWeights(Ipv4Address network, Ipv4Mask mask, const std::vector<double>& weights)
{
    NS_LOG_FUNCTION(this << network << mask << weights.size());
    const Route* found =
        m_routes.FindExact(network.Get(), static_cast<uint8_t>(mask.GetPrefixLength()));
    if (!found || !found->group || found->group->members.size() != weights.size())
    {
        return false;
    }
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        NS_ABORT_MSG_IF(!std::isfinite(weights[i]) || weights[i] < 0,
                        "MultipathRouting: expected a weight that is finite and not negative for "
                        "the route to "
                            << network << ", found " << weights[i]);
        found->group->members[i].nextHop.weight = weights[i];
    }
    UpdateGroup(*found->group);
    return true;
}

void
MultipathRouting::AddMulticastRoute(Ipv4Address origin,
                                    Ipv4Address group,
                                    uint32_t inputInterface,
                                    const std::vector<uint32_t>& outputInterfaces)
{
    NS_LOG_FUNCTION(this << origin << group << inputInterface);
    NS_ABORT_MSG_UNLESS(group.IsMulticast(),
                        "MultipathRouting: expected a multicast group, found " << group);
    m_multicastRoutes.push_back({origin, group, inputInterface, outputInterfaces});
}

std::size_t
MultipathRouting::GetNRoutes() const
{
    return m_routes.GetSize();
}

std::size_t
MultipathRouting::GetNGroups() const
{
    return m_groups.size();
}

int64_t
MultipathRouting::AssignStreams(int64_t stream)
{
    return m_selector ? m_selector->AssignStreams(stream) : 0;
}

NextHopGroup*
MultipathRouting::GetGroup(const std::vector<NextHop>& nextHops)
{
    NS_ABORT_MSG_IF(!m_ipv4, "MultipathRouting: routes are added after the stack is installed");
    for (const auto& nextHop : nextHops)
    {
        NS_ABORT_MSG_IF(nextHop.interface >= m_ipv4->GetNInterfaces(),
                        "MultipathRouting: node "
                            << m_ipv4->GetObject<Node>()->GetId() << " has interfaces 0 to "
                            << m_ipv4->GetNInterfaces() - 1 << ", found " << nextHop.interface);
        NS_ABORT_MSG_IF(!std::isfinite(nextHop.weight) || nextHop.weight < 0,
                        "MultipathRouting: expected a weight that is finite and not negative, "
                        "found "
                            << nextHop.weight);
    }
    const auto isSame = [](const NextHopGroup::Member& member, const NextHop& nextHop) {
        return member.nextHop.interface == nextHop.interface &&
               member.nextHop.gateway == nextHop.gateway && member.nextHop.weight == nextHop.weight;
    };
    for (const auto& group : m_groups)
    {
        if (std::equal(group->members.begin(),
                       group->members.end(),
                       nextHops.begin(),
                       nextHops.end(),
                       isSame))
        {
            return group.get();
        }
    }
    auto group = std::make_unique<NextHopGroup>();
    for (const auto& nextHop : nextHops)
    {
        NextHopGroup::Member member;
        member.nextHop = nextHop;
        group->members.push_back(member);
    }
    UpdateGroup(*group);
    m_groups.push_back(std::move(group));
    return m_groups.back().get();
}

void
MultipathRouting::ReleaseGroup(NextHopGroup* group)
{
    if (!group || --group->nRoutes > 0)
    {
        return;
    }
    const auto isGroup = [group](const auto& other) { return other.get() == group; };
    m_groups.erase(std::find_if(m_groups.begin(), m_groups.end(), isGroup));
}

void
MultipathRouting::SetRoute(Ipv4Address network, Ipv4Mask mask, Route route)
{
    NS_ABORT_MSG_IF((network.Get() & ~mask.Get()) != 0,
                    "MultipathRouting: " << network << " has bits beyond its mask " << mask);
    const auto length = static_cast<uint8_t>(mask.GetPrefixLength());
    const bool isOverridable = route.group && !route.isConnected;
    route.standIn = isOverridable ? FindConnected(network, mask) : nullptr;
    for (NextHopGroup* group : {route.group, route.standIn})
    {
        if (group)
        {
            ++group->nRoutes;
        }
    }
    const Route* found = m_routes.FindExact(network.Get(), length);
    const Route former = found ? *found : Route();
    m_routes.Insert(network.Get(), length, route);
    ReleaseGroup(former.group);
    ReleaseGroup(former.standIn);
}

void
MultipathRouting::UpdateGroup(NextHopGroup& group)
{
    group.usable.clear();
    for (uint32_t i = 0; i < group.members.size(); ++i)
    {
        auto& member = group.members[i];
        member.isUp = m_ipv4->IsUp(member.nextHop.interface);
        if (member.IsUsable())
        {
            group.usable.push_back(i);
        }
    }
    if (m_selector)
    {
        m_selector->NotifyGroup(group);
    }
}

bool
MultipathRouting::MayBeLocal(Ipv4Address destination) const
{
    return destination.IsBroadcast() ||
           std::binary_search(m_localAddresses.begin(), m_localAddresses.end(), destination.Get());
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
        NS_ABORT_MSG_IF(interface < 0, "MultipathRouting: a packet from a device without IPv4");
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
        const auto route = FindMulticastRoute(header.GetSource(), destination, interface);
        if (route)
        {
            mcb(route, p, header);
        }
        return isDelivered || route;
    }
    if (MayBeLocal(destination) && m_ipv4->IsDestinationAddress(destination, interface))
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
    const Route* route = FindRoute(destination);
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
    ucb(GetRoute(group->members[index], destination), p, header);
    return true;
}

const MultipathRouting::Route*
MultipathRouting::FindRoute(Ipv4Address destination) const
{
    return m_routes.Find(destination.Get(),
                         [](const Route& candidate) { return candidate.IsUsable(); });
}

NextHopGroup*
MultipathRouting::FindTransit(Ipv4Address destination) const
{
    if (destination.IsMulticast() || MayBeLocal(destination))
    {
        return nullptr;
    }
    const Route* route = FindRoute(destination);
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
        route->SetSource(GetSource(GetInterface(*oif), destination));
        return route;
    }
    const auto isOut = [this, &oif](const NextHopGroup::Member& member) {
        return member.IsUsable() && (!oif || m_ipv4->GetNetDevice(member.nextHop.interface) == oif);
    };
    const auto leadsOut = [&isOut](const NextHopGroup* group) {
        return group && std::any_of(group->members.begin(), group->members.end(), isOut);
    };
    const Route* route = m_routes.Find(destination.Get(), [&leadsOut](const Route& candidate) {
        return !candidate.group || leadsOut(candidate.group) || leadsOut(candidate.standIn);
    });
    if (!route || !route->group)
    {
        sockerr = Socket::ERROR_NOROUTETOHOST;
        return nullptr;
    }
    NextHopGroup& group = leadsOut(route->group) ? *route->group : *route->standIn;
    auto member = std::find_if(group.members.begin(), group.members.end(), isOut);
    if (!oif && group.members.size() > 1)
    {
        // TCP asks with its header in place, UDP without one; neither has one before it connects.
        const bool hasHeader = p && header.GetProtocol() == TCP;
        const FlowKey key = ReadFlow(header, hasHeader ? p : nullptr);
        const uint32_t index =
            p ? m_selector->Select(group, key)
              : group.usable[PickMember(m_selector->Hash(key), group.usable.size())];
        member = group.members.begin() + index;
    }
    const auto result = GetRoute(*member, destination);
    result->SetSource(GetSource(member->nextHop.interface, destination));
    return result;
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

Ipv4Address
MultipathRouting::GetSource(uint32_t interface, Ipv4Address destination) const
{
    return m_ipv4->GetNAddresses(interface) == 0
               ? m_routerId
               : m_ipv4->SourceAddressSelection(interface, destination);
}

Ptr<Ipv4MulticastRoute>
MultipathRouting::FindMulticastRoute(Ipv4Address origin,
                                     Ipv4Address group,
                                     uint32_t interface) const
{
    for (const auto& candidate : m_multicastRoutes)
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
                if (output != interface && m_ipv4->IsUp(output))
                {
                    route->SetOutputTtl(output, Ipv4MulticastRoute::MAX_TTL - 1);
                }
            }
            return route;
        }
    }
    return nullptr;
}

void
MultipathRouting::NotifyInterfaceUp(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    for (uint32_t i = 0; i < m_ipv4->GetNAddresses(interface); ++i)
    {
        AddConnected(interface, m_ipv4->GetAddress(interface, i));
    }
    NotifyState(interface, true);
}

void
MultipathRouting::NotifyInterfaceDown(uint32_t interface)
{
    NS_LOG_FUNCTION(this << interface);
    NotifyState(interface, false);
    for (uint32_t i = 0; i < m_ipv4->GetNAddresses(interface); ++i)
    {
        RemoveConnected(interface, m_ipv4->GetAddress(interface, i));
    }
}

void
MultipathRouting::NotifyState(uint32_t interface, bool isUp)
{
    for (const auto& group : m_groups)
    {
        const auto isOn = [interface](const NextHopGroup::Member& member) {
            return member.nextHop.interface == interface;
        };
        if (std::any_of(group->members.begin(), group->members.end(), isOn))
        {
            UpdateGroup(*group);
        }
    }
    if (m_selector)
    {
        m_selector->NotifyInterface(interface, isUp);
    }
}

void
MultipathRouting::NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    UpdateAddresses();
    if (m_ipv4->IsUp(interface))
    {
        AddConnected(interface, address);
    }
}

void
MultipathRouting::NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    NS_LOG_FUNCTION(this << interface << address);
    UpdateAddresses();
    RemoveConnected(interface, address);
}

void
MultipathRouting::AddConnected(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    const Ipv4Mask mask = address.GetMask();
    const Ipv4Address network = address.GetLocal().CombineMask(mask);
    if (mask == Ipv4Mask::GetOnes() || network == Ipv4Address::GetAny())
    {
        return; // nothing to reach
    }
    const ConnectedNetwork connected{network, mask, interface};
    if (std::find(m_connected.begin(), m_connected.end(), connected) == m_connected.end())
    {
        m_connected.push_back(connected);
    }
    UseConnected(network, mask);
}

void
MultipathRouting::RemoveConnected(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    const Ipv4Mask mask = address.GetMask();
    const Ipv4Address network = address.GetLocal().CombineMask(mask);
    const ConnectedNetwork connected{network, mask, interface};
    const auto found = std::find(m_connected.begin(), m_connected.end(), connected);
    if (found == m_connected.end())
    {
        return;
    }
    m_connected.erase(found);
    const Route* route =
        m_routes.FindExact(network.Get(), static_cast<uint8_t>(mask.GetPrefixLength()));
    if (route && route->isConnected)
    {
        RemoveRoute(network, mask); // and use what else is connected
    }
    else
    {
        UseConnected(network, mask);
    }
}

NextHopGroup*
MultipathRouting::FindConnected(Ipv4Address network, Ipv4Mask mask)
{
    const auto isIt = [&](const ConnectedNetwork& connected) {
        return connected.network == network && connected.mask == mask;
    };
    const auto found = std::find_if(m_connected.begin(), m_connected.end(), isIt);
    return found == m_connected.end() ? nullptr : GetGroup({NextHop(found->interface)});
}

void
MultipathRouting::UseConnected(Ipv4Address network, Ipv4Mask mask)
{
    const Route* found =
        m_routes.FindExact(network.Get(), static_cast<uint8_t>(mask.GetPrefixLength()));
    if (found && !found->isConnected)
    {
        SetRoute(network, mask, *found); // which finds what stands in for it
        return;
    }
    if (found)
    {
        return;
    }
    Route route;
    route.group = FindConnected(network, mask);
    route.isConnected = true;
    if (route.group)
    {
        SetRoute(network, mask, route);
    }
}

void
MultipathRouting::UpdateAddresses()
{
    m_localAddresses.clear();
    m_routerId = Ipv4Address::GetAny();
    for (uint32_t interface = 0; interface < m_ipv4->GetNInterfaces(); ++interface)
    {
        for (uint32_t i = 0; i < m_ipv4->GetNAddresses(interface); ++i)
        {
            const auto address = m_ipv4->GetAddress(interface, i);
            m_localAddresses.push_back(address.GetLocal().Get());
            m_localAddresses.push_back(address.GetBroadcast().Get());
            if (interface == 0 && m_routerId == Ipv4Address::GetAny() &&
                !address.GetLocal().IsLocalhost())
            {
                m_routerId = address.GetLocal();
            }
        }
    }
    std::sort(m_localAddresses.begin(), m_localAddresses.end());
}

void
MultipathRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    NS_LOG_FUNCTION(this << ipv4);
    NS_ABORT_MSG_IF(m_ipv4 || !ipv4, "MultipathRouting serves one protocol stack");
    m_ipv4 = ipv4;
    if (!m_selector)
    {
        m_selector = CreateObject<HashSelector>();
    }
    m_selector->SetIpv4(m_ipv4);
    UpdateAddresses();
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
       << m_routes.GetSize() << " routes, " << m_groups.size() << " groups\n";
    os << std::left << std::setw(20) << "Destination" << std::setw(16) << "Gateway" << std::setw(8)
       << "Weight" << std::setw(6) << "State" << "Iface\n";
    m_routes.ForEach([this, &os](uint32_t network, uint8_t length, const Route& route) {
        std::ostringstream prefix;
        prefix << Ipv4Address(network) << '/' << static_cast<uint32_t>(length);
        os << std::setw(20) << prefix.str();
        if (!route.group)
        {
            os << "discard\n";
            return;
        }
        bool isFirst = true;
        for (const auto& member : route.group->members)
        {
            std::ostringstream gateway;
            gateway << member.nextHop.gateway;
            const std::string name =
                Names::FindName(m_ipv4->GetNetDevice(member.nextHop.interface));
            os << std::setw(isFirst ? 0 : 20) << "" << std::setw(16) << gateway.str()
               << std::setw(8) << member.nextHop.weight << std::setw(6)
               << (member.isUp ? "up" : "down")
               << (name.empty() ? std::to_string(member.nextHop.interface) : name) << '\n';
            isFirst = false;
        }
    });
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
    m_groups.clear();
    m_routes.Clear();
    if (m_selector)
    {
        m_selector->Dispose();
        m_selector = nullptr;
    }
    m_ipv4 = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

} // namespace ns3::aidc

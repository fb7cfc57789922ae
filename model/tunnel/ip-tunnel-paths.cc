// SPDX-License-Identifier: GPL-2.0-only

#include "ip-tunnel-paths.h"

#include "../core/require-argument.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/log.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/switch-datapath.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelPaths");

namespace
{

/// @return the longest packet that a device sends, 0 if its link is down or it is a tunnel
uint32_t
GetUsableMtu(const Ptr<NetDevice>& device)
{
    return device && device->IsLinkUp() && !dynamic_cast<TransitTunnel*>(PeekPointer(device))
               ? device->GetMtu()
               : 0;
}

/// @return the longest packet that the next hops to an address all carry; 0 without a route over a
/// link that is up, or only into a tunnel; routing: null if it is not MultipathRouting alone
uint32_t
FindRouteMtu(const Ptr<Ipv4>& ipv4, const Ptr<MultipathRouting>& routing, Ipv4Address destination)
{
    if (!ipv4 || destination == Ipv4Address::GetAny())
    {
        return 0;
    }
    if (!routing)
    {
        Ipv4Header header;
        header.SetDestination(destination);
        header.SetProtocol(PROTOCOL_IP_IN_IP);
        Socket::SocketErrno error;
        const auto route = ipv4->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        return route ? GetUsableMtu(route->GetOutputDevice()) : 0;
    }
    const NextHopGroup* group = routing->FindTransit(destination.Get());
    uint32_t least = 0;
    if (group)
    {
        for (const auto& member : group->members)
        {
            const uint32_t mtu =
                member.IsUsable() ? GetUsableMtu(ipv4->GetNetDevice(member.nextHop.interface)) : 0;
            least = mtu > 0 && least > 0 ? std::min(least, mtu) : std::max(least, mtu);
        }
    }
    return least;
}

using boost::endian::load_big_u32;

} // namespace

IpTunnelPaths::IpTunnelPaths(Listener& listener, const Settings& settings)
    : m_listener(listener),
      m_settings(settings)
{
    Set({{}});
}

IpTunnelPaths::~IpTunnelPaths() = default;

void
IpTunnelPaths::Set(const std::vector<std::vector<Ipv4Address>>& waypoints)
{
    AIDC_REFUSED_IF(waypoints.empty(), "IpTunnelNetDevice: expected at least one path");
    m_paths.clear();
    for (const auto& routers : waypoints)
    {
        AIDC_REFUSED_IF(routers.size() > MAX_WAYPOINTS,
                        "IpTunnelNetDevice: expected at most "
                            << MAX_WAYPOINTS << " waypoints, found " << routers.size());
        m_paths.emplace_back().waypoints = routers;
    }
    m_choice.Reset(GetN());
    m_isStale = false;
    NotifyRoutes();
}

void
IpTunnelPaths::Start()
{
    NS_LOG_FUNCTION(this);
    m_routing = DynamicCast<MultipathRouting>(m_ipv4->GetRoutingProtocol());
    const auto notify = MakeCallback(&IpTunnelPaths::NotifyRoutes, this);
    if (m_routing)
    {
        m_routing->TraceConnectWithoutContext("RoutesChange", notify);
    }
    const auto node = m_device->GetNode();
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (!dynamic_cast<TransitTunnel*>(PeekPointer(node->GetDevice(i))))
        {
            node->GetDevice(i)->AddLinkChangeCallback(notify);
        }
    }
    m_isStarted = true; // before the listener, who may change interfaces
    Update();
    StartKeepalives();
}

void
IpTunnelPaths::Stop()
{
    NS_LOG_FUNCTION(this);
    m_isStarted = false;
    m_choiceEvent.Cancel();
    m_keepaliveEvent.Cancel();
    m_routing = nullptr;
    m_ipv4 = nullptr;
}

uint32_t
IpTunnelPaths::FindMtu(uint32_t path) const
{
    const auto& waypoints = m_paths.at(path).waypoints;
    const uint32_t headers = GetOverhead(waypoints.size());
    const uint32_t outer =
        std::min(m_settings.mtu,
                 FindRouteMtu(m_ipv4, m_routing, waypoints.empty() ? m_remote : waypoints.front()));
    uint32_t inner = outer > headers ? outer - headers : 0;
    const auto& destinations = m_paths[path].destinations;
    for (std::size_t i = 0; i < destinations.size(); ++i)
    {
        // A tunnel carries what every router has to carry (RFC 791, section 3.2).
        const uint32_t learned = m_learned.Get(destinations[i]);
        inner = std::min(inner, std::max(learned, MIN_IPV4_MTU + GetOverhead(i)) - GetOverhead(i));
    }
    return inner;
}

bool
IpTunnelPaths::LearnMtu(const FragmentationNeeded& message, const TunnelShim& shim)
{
    const uint32_t destination = load_big_u32(&message.quoted[Ipv4Offset::DESTINATION]);
    bool isOurs = false;
    for (const auto& path : m_paths)
    {
        for (std::size_t i = 0; i < path.destinations.size(); ++i)
        {
            // Headers of waypoints are IP in IP around the shim.
            isOurs =
                isOurs ||
                (path.destinations[i] == destination &&
                 IsQuoteOfTunnel(message, i == 0 ? shim : TunnelShim(), path.mtu + GetOverhead(i)));
        }
    }
    const uint32_t mtu = GetPathMtu(message);
    if (!isOurs || mtu == 0 ||
        !m_learned.Lower(destination, mtu, Simulator::Now().GetNanoSeconds()))
    {
        return false;
    }
    NS_LOG_LOGIC("An MTU of " << mtu << " to " << Ipv4Address(destination));
    NotifyRoutes();
    return true;
}

bool
IpTunnelPaths::ForgetMtus()
{
    const bool isAny =
        m_learned.Forget(Simulator::Now().GetNanoSeconds(), m_settings.mtuTimeout.GetNanoSeconds());
    if (isAny)
    {
        Update();
    }
    return isAny;
}

void
IpTunnelPaths::NotifyRoutes()
{
    if (m_isStale)
    {
        return;
    }
    m_isStale = true;
    if (m_isStarted)
    {
        const auto update = [this, device = Ptr<NetDevice>(m_device)] {
            if (m_isStale && m_ipv4)
            {
                Update();
            }
        };
        Simulator::ScheduleWithContext(m_device->GetNode()->GetId(), TimeStep(0), update);
    }
}

void
IpTunnelPaths::Update()
{
    m_isStale = false;
    const int64_t now = Simulator::Now().GetTimeStep();
    bool isChanged = false;
    for (uint32_t i = 0; i < GetN(); ++i)
    {
        Path& path = m_paths[i];
        if (path.destinations.empty())
        {
            path.destinations.push_back(m_remote.Get());
            std::for_each(
                path.waypoints.rbegin(),
                path.waypoints.rend(),
                [&path](Ipv4Address waypoint) { path.destinations.push_back(waypoint.Get()); });
        }
        path.mtu = FindMtu(i);
        if (m_choice.SetUp(i, path.mtu > 0 && !m_choice.IsSilent(i), now))
        {
            NS_LOG_LOGIC("Path " << i << (m_choice.IsUp(i) ? " up" : " down"));
            isChanged = true;
            m_listener.NotifyPathState(i, m_choice.IsUp(i));
        }
    }
    if (isChanged || GetDefault() == TunnelPathChoice::NONE)
    {
        Choose();
    }
    if (isChanged)
    {
        m_listener.NotifyPaths();
    }
}

void
IpTunnelPaths::Choose()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    const int64_t hold = m_settings.holdTime.GetTimeStep();
    const uint32_t before = GetDefault();
    const uint32_t after = m_choice.Choose(now, hold);
    m_choiceEvent.Cancel();
    if (const auto next = m_choice.GetNextChoice(now, hold))
    {
        m_choiceEvent = Simulator::Schedule(TimeStep(static_cast<uint64_t>(*next - now)), [this] {
            Choose();
            m_listener.NotifyPaths();
        });
    }
    if (before != after)
    {
        m_listener.NotifyDefaultPath(before, after);
    }
}

void
IpTunnelPaths::RestartKeepalives()
{
    m_keepaliveEvent.Cancel();
    m_choice.RestartKeepalives(!m_settings.keepaliveInterval.IsZero());
    NotifyRoutes();
    if (m_isStarted)
    {
        StartKeepalives();
    }
}

void
IpTunnelPaths::StartKeepalives()
{
    if (!m_settings.keepaliveInterval.IsZero() && m_remote != Ipv4Address::GetAny())
    {
        m_keepaliveEvent = Simulator::ScheduleNow(&IpTunnelPaths::SendKeepalives, this);
    }
}

void
IpTunnelPaths::SendKeepalives()
{
    m_keepaliveEvent =
        Simulator::Schedule(m_settings.keepaliveInterval, &IpTunnelPaths::SendKeepalives, this);
    m_choice.BeginKeepalives(m_settings.keepaliveMisses);
    Update();
    for (uint32_t i = 0; i < GetN(); ++i)
    {
        if (m_paths[i].mtu >= IP_TUNNEL_KEEPALIVE_SIZE)
        {
            m_choice.NotifySent(i);
            m_listener.SendKeepalive(i);
        }
    }
}

void
IpTunnelPaths::NotifyKeepalive(uint32_t path)
{
    if (m_choice.NotifyReturned(path))
    {
        Update();
    }
}

} // namespace ns3::aidc

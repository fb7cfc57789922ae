/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-paths.h"

#include "../core/ipv4-bytes.h"
#include "../core/wan/ip-tunnel-headers.h"
#include "../switching/transit-tunnel.h"

#include "ns3/abort.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/log.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelPaths");

namespace
{

/// Get the longest packet that a device sends.
/// @param device the device
/// @return bytes, 0 if its link is down or it is a tunnel
uint32_t
GetUsableMtu(const Ptr<NetDevice>& device)
{
    return device && device->IsLinkUp() && !dynamic_cast<TransitTunnel*>(PeekPointer(device))
               ? device->GetMtu()
               : 0;
}

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
    NS_ABORT_MSG_IF(waypoints.empty(), "IpTunnelNetDevice: expected at least one path");
    m_paths.clear();
    for (const auto& routers : waypoints)
    {
        NS_ABORT_MSG_IF(routers.size() > MAX_WAYPOINTS,
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
    Update();
    m_isStarted = true;
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
    const uint32_t headers =
        IPV4_HEADER_SIZE * (static_cast<uint32_t>(waypoints.size()) + 1) + m_settings.shimSize;
    const uint32_t outer =
        std::min(m_settings.mtu, GetRouteMtu(waypoints.empty() ? m_remote : waypoints.front()));
    return outer > headers ? outer - headers : 0;
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

uint32_t
IpTunnelPaths::GetRouteMtu(Ipv4Address destination) const
{
    if (!m_ipv4 || destination == Ipv4Address::GetAny())
    {
        return 0;
    }
    if (!m_routing)
    {
        Ipv4Header header;
        header.SetDestination(destination);
        header.SetProtocol(PROTOCOL_IP_IN_IP);
        Socket::SocketErrno error;
        const auto route =
            m_ipv4->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        return route ? GetUsableMtu(route->GetOutputDevice()) : 0;
    }
    const NextHopGroup* group = m_routing->FindTransit(destination.Get());
    uint32_t least = 0;
    if (group)
    {
        for (const auto& member : group->members)
        {
            const uint32_t mtu = member.IsUsable()
                                     ? GetUsableMtu(m_ipv4->GetNetDevice(member.nextHop.interface))
                                     : 0;
            least = mtu > 0 && least > 0 ? std::min(least, mtu) : std::max(least, mtu);
        }
    }
    return least;
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
        if (m_choice.SetUp(i, path.mtu > 0 && !path.isSilent, now))
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
    for (auto& path : m_paths)
    {
        path.unanswered = 0;
        path.isSilent = path.isSilent && !m_settings.keepaliveInterval.IsZero();
    }
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
    for (auto& path : m_paths)
    {
        path.isSilent = path.isSilent || path.unanswered >= m_settings.keepaliveMisses;
    }
    Update();
    for (uint32_t i = 0; i < GetN(); ++i)
    {
        if (m_paths[i].mtu >= IP_TUNNEL_KEEPALIVE_SIZE)
        {
            ++m_paths[i].unanswered;
            m_listener.SendKeepalive(i);
        }
    }
}

void
IpTunnelPaths::NotifyKeepalive(uint32_t path)
{
    m_paths[path].unanswered = 0;
    if (m_paths[path].isSilent)
    {
        m_paths[path].isSilent = false;
        Update();
    }
}

} // namespace ns3::aidc

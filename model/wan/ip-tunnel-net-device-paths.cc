/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-net-device.h"

#include "ns3/abort.h"
#include "ns3/ipv4-bytes.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/log.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/switch-datapath.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>

// What an IpTunnelNetDevice does to find out which of its paths are up.

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelPaths");

namespace
{

using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

/// What a keepalive consists of behind its header: the index of the path.
constexpr uint32_t KEEPALIVE_SIZE = 4;

/**
 * @brief Get the longest packet that goes by a device.
 * @param device the device
 * @return bytes, 0 if its link is down or it is a tunnel
 */
uint32_t
GetUsableMtu(const Ptr<NetDevice>& device)
{
    return device && device->IsLinkUp() && !dynamic_cast<TransitTunnel*>(PeekPointer(device))
               ? device->GetMtu()
               : 0;
}

} // namespace

void
IpTunnelNetDevice::SetPaths(const std::vector<std::vector<Ipv4Address>>& paths)
{
    NS_ABORT_MSG_IF(paths.empty(), "IpTunnelNetDevice: expected at least one path");
    m_paths.clear();
    for (const auto& waypoints : paths)
    {
        NS_ABORT_MSG_IF(waypoints.size() > MAX_WAYPOINTS,
                        "IpTunnelNetDevice: expected at most "
                            << MAX_WAYPOINTS << " waypoints, found " << waypoints.size());
        Path path;
        path.waypoints = waypoints;
        m_paths.push_back(path);
    }
    m_choice.Reset(static_cast<uint32_t>(m_paths.size()));
    m_defaultPath = TunnelPathChoice::NONE;
    m_isStale = false;
    NotifyRoutes();
}

uint32_t
IpTunnelNetDevice::GetNPaths() const
{
    return static_cast<uint32_t>(m_paths.size());
}

bool
IpTunnelNetDevice::IsPathUp(uint32_t path) const
{
    return m_choice.IsUp(path);
}

uint32_t
IpTunnelNetDevice::GetPrimary() const
{
    return 0;
}

uint32_t
IpTunnelNetDevice::GetDefaultPath() const
{
    return m_defaultPath;
}

const std::vector<Ipv4Address>&
IpTunnelNetDevice::GetWaypoints(uint32_t path) const
{
    return m_paths.at(path).waypoints;
}

uint32_t
IpTunnelNetDevice::GetTunnelMtu(uint32_t path) const
{
    const auto& waypoints = m_paths.at(path).waypoints;
    const uint32_t headers = IPV4_HEADER_SIZE * (static_cast<uint32_t>(waypoints.size()) + 1);
    const uint32_t outer =
        std::min(m_pathMtu, GetRouteMtu(waypoints.empty() ? m_remote : waypoints.front()));
    return outer > headers ? outer - headers : 0;
}

void
IpTunnelNetDevice::SetPathMtu(uint32_t mtu)
{
    m_pathMtu = mtu;
    NotifyRoutes();
}

uint32_t
IpTunnelNetDevice::GetPathMtu() const
{
    return m_pathMtu;
}

void
IpTunnelNetDevice::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    const auto node = GetNode();
    NS_ABORT_MSG_UNLESS(node && m_ipv4, "IpTunnelNetDevice: Install() has not been called");
    m_datapath = node->GetObject<SwitchDatapath>();
    m_routing = DynamicCast<MultipathRouting>(m_ipv4->GetRoutingProtocol());
    const auto notify = MakeCallback(&IpTunnelNetDevice::NotifyRoutes, this);
    if (m_routing)
    {
        m_routing->TraceConnectWithoutContext("RoutesChange", notify);
    }
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (!dynamic_cast<TransitTunnel*>(PeekPointer(node->GetDevice(i))))
        {
            node->GetDevice(i)->AddLinkChangeCallback(notify);
        }
    }
    UpdatePaths();
    VirtualNetDevice::DoInitialize();
    StartKeepalives();
}

void
IpTunnelNetDevice::NotifyRoutes()
{
    if (m_isStale)
    {
        return;
    }
    m_isStale = true;
    if (IsInitialized() && GetNode())
    {
        const Ptr<IpTunnelNetDevice> self(this);
        Simulator::ScheduleWithContext(GetNode()->GetId(), TimeStep(0), [self] {
            if (self->m_isStale && self->m_ipv4)
            {
                self->UpdatePaths();
            }
        });
    }
}

uint32_t
IpTunnelNetDevice::GetRouteMtu(Ipv4Address destination) const
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
IpTunnelNetDevice::UpdatePaths()
{
    m_isStale = false;
    const int64_t now = Simulator::Now().GetTimeStep();
    bool isChanged = false;
    for (uint32_t i = 0; i < GetNPaths(); ++i)
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
        path.mtu = GetTunnelMtu(i);
        if (m_choice.SetUp(i, path.mtu > 0 && !path.isSilent, now))
        {
            isChanged = true;
            ++(m_choice.IsUp(i) ? m_statistics.pathsRestored : m_statistics.pathsFailed);
            m_pathTrace(i, m_choice.IsUp(i));
        }
    }
    if (isChanged || m_defaultPath == TunnelPathChoice::NONE)
    {
        ChoosePath();
    }
    if (isChanged && m_controller)
    {
        m_controller->NotifyPaths(*this);
    }
}

void
IpTunnelNetDevice::ChoosePath()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    const int64_t hold = m_holdTime.GetTimeStep();
    const uint32_t before = m_defaultPath;
    m_defaultPath = m_choice.Choose(now, hold);
    m_choiceEvent.Cancel();
    const int64_t next = m_choice.GetNextChoice(now, hold);
    if (next != TunnelPathChoice::NEVER)
    {
        m_choiceEvent = Simulator::Schedule(TimeStep(static_cast<uint64_t>(next - now)), [this] {
            ChoosePath();
            if (m_controller)
            {
                m_controller->NotifyPaths(*this);
            }
        });
    }
    if (before == m_defaultPath)
    {
        return;
    }
    m_defaultTrace(before, m_defaultPath);
    if (before == TunnelPathChoice::NONE || m_defaultPath == TunnelPathChoice::NONE)
    {
        m_linkChange();
    }
}

void
IpTunnelNetDevice::SetKeepaliveInterval(Time interval)
{
    m_keepaliveInterval = interval;
    m_keepaliveEvent.Cancel();
    for (auto& path : m_paths)
    {
        path.unanswered = 0;
        path.isSilent = path.isSilent && !interval.IsZero();
    }
    NotifyRoutes();
    if (IsInitialized())
    {
        StartKeepalives();
    }
}

void
IpTunnelNetDevice::StartKeepalives()
{
    if (!m_keepaliveInterval.IsZero() && m_remote != Ipv4Address::GetAny())
    {
        m_keepaliveEvent = Simulator::ScheduleNow(&IpTunnelNetDevice::SendKeepalives, this);
    }
}

Time
IpTunnelNetDevice::GetKeepaliveInterval() const
{
    return m_keepaliveInterval;
}

void
IpTunnelNetDevice::SendKeepalives()
{
    m_keepaliveEvent =
        Simulator::Schedule(m_keepaliveInterval, &IpTunnelNetDevice::SendKeepalives, this);
    for (auto& path : m_paths)
    {
        if (path.unanswered >= m_keepaliveMisses && !path.isSilent)
        {
            path.isSilent = true;
            m_isStale = true;
        }
    }
    UpdatePaths();
    for (uint32_t i = 0; i < GetNPaths(); ++i)
    {
        if (m_paths[i].mtu < IPV4_HEADER_SIZE + KEEPALIVE_SIZE)
        {
            continue;
        }
        uint8_t payload[KEEPALIVE_SIZE];
        store_big_u32(payload, i);
        EthernetFrame frame;
        frame.packet = Create<Packet>(payload, KEEPALIVE_SIZE);
        frame.hasTransit = true;
        Ipv4Bytes& bytes = frame.transit.bytes;
        bytes[Ipv4Offset::VERSION] = 0x45;
        bytes[Ipv4Offset::TOS] = m_keepaliveTos;
        store_big_u16(&bytes[Ipv4Offset::LENGTH], IPV4_HEADER_SIZE + KEEPALIVE_SIZE);
        bytes[Ipv4Offset::FRAGMENT] = 0x40; // DF
        bytes[Ipv4Offset::TTL] = m_ttl;
        bytes[Ipv4Offset::PROTOCOL] = KEEPALIVE_PROTOCOL;
        store_big_u32(&bytes[Ipv4Offset::SOURCE], m_remote.Get());
        store_big_u32(&bytes[Ipv4Offset::DESTINATION], m_local.Get());
        frame.transit.flow = {m_remote.Get(), m_local.Get(), 0, 0, KEEPALIVE_PROTOCOL};
        ++m_paths[i].unanswered;
        ++m_statistics.keepalivesSent;
        Encapsulate(frame, m_paths[i]);
        Transmit(frame, FrameContext());
    }
}

void
IpTunnelNetDevice::NotifyKeepalive(const Packet& packet)
{
    uint8_t payload[KEEPALIVE_SIZE];
    if (packet.CopyData(payload, KEEPALIVE_SIZE) < KEEPALIVE_SIZE ||
        load_big_u32(payload) >= GetNPaths())
    {
        return;
    }
    Path& path = m_paths[load_big_u32(payload)];
    ++m_statistics.keepalivesReturned;
    path.unanswered = 0;
    if (path.isSilent)
    {
        path.isSilent = false;
        UpdatePaths();
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-tunnel-helper.h"

#include "../model/core/fabric/wan-routes.h"
#include "ip-tunnel-helper.h"
#include "multipath-routing-helper.h"
#include "user-default.h"

#include "ns3/abort.h"
#include "ns3/ipv4-address.h"
#include "ns3/multipath-routing.h"
#include "ns3/warning.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

WanTunnelHelper::WanTunnelHelper()
    : m_factory("ns3::aidc::IpTunnelNetDevice")
{
}

void
WanTunnelHelper::WarnOfMtu(const WanHelper& network) const
{
    uint32_t longest = std::numeric_limits<uint32_t>::max();
    for (const auto& [ends, tunnel] : m_tunnels)
    {
        for (uint32_t path = 0; path < tunnel.device->GetPaths().GetN(); ++path)
        {
            longest = std::min(longest, tunnel.device->GetPaths().FindMtu(path));
        }
    }
    const uint32_t mtu = std::max(network.GetAidc(0).GetMtu(), network.GetAidc(1).GetMtu());
    if (longest < mtu)
    {
        Warn(
            "packets of more than ",
            longest,
            " bytes do not fit the tunnels, and those that may not be fragmented, as RoCEv2's, are "
            "dropped; the data centers' MTU is ",
            mtu,
            ": set that to ",
            longest,
            ", or WanHelper::SetMtu() to ",
            mtu + (network.GetMtu() - longest));
    }
}

void
WanTunnelHelper::Install(const WanHelper& network)
{
    RefuseUserDefaults("ns3::aidc::IpTunnelNetDevice",
                       {"Local", "Remote"},
                       "WanTunnelHelper, which takes the addresses of routers");
    const WanPlan& plan = network.GetPlan();
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        const FabricPrefix prefix = WanPlan::GetNetworks(1 - site).leaves;
        for (const NodeIndex from : plan.GetEdges(site))
        {
            std::vector<NextHop> nextHops;
            for (const NodeIndex to : plan.GetEdges(1 - site))
            {
                nextHops.emplace_back(MakeTunnel(network, from, to));
            }
            MultipathRoutingHelper::GetRouting(network.GetRouter(from))
                ->AddRoute(Ipv4Address(prefix.network),
                           Ipv4Mask(0xffffffffU << (32 - prefix.length)),
                           nextHops);
        }
    }
    WarnOfMtu(network);
}

uint32_t
WanTunnelHelper::MakeTunnel(const WanHelper& network, NodeIndex from, NodeIndex to)
{
    const WanRoutes& routes = network.GetRoutes();
    const auto paths = routes.FindDisjointPaths(from, to, m_maxPaths);
    NS_ABORT_MSG_IF(paths.empty(),
                    "WanTunnelHelper: there is no path between routers " << from << " and " << to);
    Tunnel& tunnel = m_tunnels[{from, to}];
    std::vector<std::vector<Ipv4Address>> waypoints;
    for (const auto& path : paths)
    {
        auto routers = routes.FindWaypoints(path);
        if (m_isPinned && routers.empty() && path.size() > 2)
        {
            routers.push_back(path[path.size() - 2]);
        }
        auto& addresses = waypoints.emplace_back();
        for (const NodeIndex router : routers)
        {
            IpTunnelHelper().InstallWaypoint(network.GetRouter(router));
            addresses.push_back(WanHelper::GetAddress(router));
        }
        int64_t delay = 0;
        for (const auto& link : routes.GetLinks(path))
        {
            delay += link.delay;
        }
        tunnel.delays.push_back(NanoSeconds(delay));
    }
    tunnel.device = m_factory.Create<IpTunnelNetDevice>();
    tunnel.device->SetAttribute("Local", Ipv4AddressValue(WanHelper::GetAddress(from)));
    tunnel.device->SetAttribute("Remote", Ipv4AddressValue(WanHelper::GetAddress(to)));
    tunnel.device->SetPaths(waypoints);
    return tunnel.device->Install(network.GetRouter(from));
}

std::vector<Ptr<IpTunnelNetDevice>>
WanTunnelHelper::GetTunnels(NodeIndex from) const
{
    std::vector<Ptr<IpTunnelNetDevice>> tunnels;
    for (const auto& [ends, tunnel] : m_tunnels)
    {
        if (ends.first == from)
        {
            tunnels.push_back(tunnel.device);
        }
    }
    return tunnels;
}

Time
WanTunnelHelper::GetDetour() const
{
    Time detour;
    for (const auto& [ends, tunnel] : m_tunnels)
    {
        const auto [least, largest] =
            std::minmax_element(tunnel.delays.begin(), tunnel.delays.end());
        detour = std::max(detour, *largest - *least);
    }
    return detour;
}

} // namespace ns3::aidc

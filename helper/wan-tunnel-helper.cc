// SPDX-License-Identifier: GPL-2.0-only

#include "wan-tunnel-helper.h"

#include "../model/core/fabric/wan-routes.h"
#include "../model/core/require-argument.h"
#include "ip-tunnel-helper.h"
#include "multipath-routing-helper.h"
#include "user-default.h"

#include "ns3/mpi-processes.h"
#include "ns3/multipath-routing.h"
#include "ns3/wan-plan.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// Check the weights of tunnels. @param weights the weights
void
CheckWeights(const std::vector<double>& weights)
{
    AIDC_REFUSED_IF(weights.empty() || weights.size() > WanPlan::MAX_ADDRESSES,
                    "WanTunnelHelper: expected weights of 1 to "
                        << WanPlan::MAX_ADDRESSES << " tunnels, found " << weights.size());
    for (const double weight : weights)
    {
        AIDC_REFUSED_UNLESS(std::isfinite(weight) && weight > 0,
                            "WanTunnelHelper: expected weights above 0, found " << weight);
    }
}

} // namespace

void
WanTunnelHelper::SetWeights(const std::vector<double>& weights)
{
    CheckWeights(weights);
    m_weights = weights;
}

void
WanTunnelHelper::SetWeights(uint32_t siteA, uint32_t siteB, const std::vector<double>& weights)
{
    CheckWeights(weights);
    AIDC_REFUSED_IF(siteA == siteB || std::max(siteA, siteB) >= MAX_WAN_SITES,
                    "WanTunnelHelper: expected two data centers below "
                        << MAX_WAN_SITES << ", found " << siteA << " and " << siteB);
    m_pairWeights[std::minmax(siteA, siteB)] = weights;
}

const std::vector<double>&
WanTunnelHelper::GetWeights(uint32_t siteA, uint32_t siteB) const
{
    const auto found = m_pairWeights.find(std::minmax(siteA, siteB));
    return found == m_pairWeights.end() ? m_weights : found->second;
}

bool
WanTunnelHelper::HasWeights() const
{
    const auto differ = [](const std::vector<double>& weights) {
        return std::any_of(weights.begin(), weights.end(), [&weights](double weight) {
            return weight != weights.front();
        });
    };
    return differ(m_weights) || std::any_of(m_pairWeights.begin(),
                                            m_pairWeights.end(),
                                            [&](const auto& pair) { return differ(pair.second); });
}

std::size_t
WanTunnelHelper::GetMostTunnels(uint32_t nSites) const
{
    std::size_t most = m_weights.size();
    for (const auto& [pair, weights] : m_pairWeights)
    {
        AIDC_REFUSED_IF(pair.second >= nSites,
                        "WanTunnelHelper: expected weights for data centers below "
                            << nSites << ", found " << pair.first << " and " << pair.second);
        most = std::max(most, weights.size());
    }
    return most;
}

WanTunnelHelper::WanTunnelHelper()
    : m_factory("ns3::aidc::IpTunnelNetDevice")
{
}

void
WanTunnelHelper::WarnOfMtu(const WanHelper& network) const
{
    uint32_t longest = std::numeric_limits<uint32_t>::max();
    for (const auto& [ends, tunnels] : m_tunnels)
    {
        for (const auto& tunnel : tunnels)
        {
            for (uint32_t path = 0; tunnel.device && path < tunnel.device->GetPaths().GetN();
                 ++path)
            {
                longest = std::min(longest, tunnel.device->GetPaths().FindMtu(path));
            }
        }
    }
    const auto& processes = MpiProcesses::Get();
    longest = static_cast<uint32_t>(processes.GetLeast({longest})[0]);
    uint32_t mtu = 0;
    for (uint32_t site = 0; site < network.GetPlan().GetNSites(); ++site)
    {
        mtu = std::max<uint32_t>(mtu, network.GetAidc(site).GetMtu());
    }
    if (longest < mtu && processes.IsFirst())
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
WanTunnelHelper::Install(WanHelper& network)
{
    RefuseUserDefaults("ns3::aidc::IpTunnelNetDevice",
                       {"Local", "Remote"},
                       "WanTunnelHelper, which takes the addresses of routers");
    const WanPlan& plan = network.GetPlan();
    const uint32_t nSites = plan.GetNSites();
    const std::size_t nTunnels = GetMostTunnels(nSites);
    if (nTunnels > 1)
    {
        network.SetNEdgeAddresses(static_cast<uint32_t>(nTunnels));
    }
    for (uint32_t site = 0; site < nSites; ++site)
    {
        for (const NodeIndex from : plan.GetEdges(site))
        {
            for (uint32_t other = 0; other < nSites; ++other)
            {
                if (other == site)
                {
                    continue;
                }
                std::vector<NextHop> nextHops;
                for (const NodeIndex to : plan.GetEdges(other))
                {
                    const auto made = MakeTunnels(network, from, to, GetWeights(site, other));
                    nextHops.insert(nextHops.end(), made.begin(), made.end());
                }
                if (!network.IsLocal(from))
                {
                    continue;
                }
                const auto routing = MultipathRoutingHelper::GetRouting(network.GetRouter(from));
                AIDC_REFUSED_IF(HasWeights() && DynamicCast<HashSelector>(routing->GetSelector()),
                                "WanTunnelHelper: weights that differ need a routing that uses "
                                "them, such as PathBandwidthRouting; HashSelector does not");
                const FabricPrefix prefix = WanPlan::GetNetworks(other).leaves;
                routing->AddRoute(Ipv4Address(prefix.network),
                                  Ipv4Mask(0xffffffffU << (32 - prefix.length)),
                                  nextHops);
            }
        }
    }
    WarnOfMtu(network);
}

std::vector<WanTunnelHelper::Path>
WanTunnelHelper::MakePaths(const WanHelper& network, NodeIndex from, NodeIndex to) const
{
    const WanRoutes& routes = network.GetRoutes();
    std::vector<Path> paths;
    for (const auto& path : routes.FindDisjointPaths(from, to, m_maxPaths))
    {
        auto routers = routes.FindWaypoints(path);
        if (m_isPinned && routers.empty() && path.size() > 2)
        {
            routers.push_back(path[path.size() - 2]);
        }
        Path& made = paths.emplace_back();
        made.routers = path;
        for (const NodeIndex router : routers)
        {
            if (network.IsLocal(router))
            {
                IpTunnelHelper().InstallWaypoint(network.GetRouter(router));
            }
            made.waypoints.push_back(WanHelper::GetAddress(router));
        }
        int64_t delay = 0;
        made.rate = std::numeric_limits<uint64_t>::max();
        for (const auto& link : routes.GetLinks(path))
        {
            delay += link.delay;
            made.rate = std::min(made.rate, link.rate);
        }
        made.delay = NanoSeconds(delay);
    }
    AIDC_REFUSED_IF(paths.empty(),
                    "WanTunnelHelper: there is no path between routers " << from << " and " << to);
    return paths;
}

std::vector<NextHop>
WanTunnelHelper::MakeTunnels(const WanHelper& network,
                             NodeIndex from,
                             NodeIndex to,
                             const std::vector<double>& weights)
{
    auto paths = MakePaths(network, from, to);
    std::vector<NextHop> nextHops;
    for (uint32_t i = 0; i < weights.size(); ++i)
    {
        Tunnel tunnel;
        tunnel.paths = paths;
        std::vector<std::vector<Ipv4Address>> waypoints;
        for (const auto& path : paths)
        {
            waypoints.push_back(path.waypoints);
        }
        if (network.IsLocal(from))
        {
            tunnel.device = m_factory.Create<IpTunnelNetDevice>();
            tunnel.device->SetAttribute("Local", Ipv4AddressValue(WanHelper::GetAddress(from, i)));
            tunnel.device->SetAttribute("Remote", Ipv4AddressValue(WanHelper::GetAddress(to, i)));
            tunnel.device->SetPaths(waypoints);
            nextHops.emplace_back(tunnel.device->Install(network.GetRouter(from)),
                                  Ipv4Address::GetAny(),
                                  weights[i]);
        }
        m_tunnels[{from, to}].push_back(tunnel);
        std::rotate(paths.begin(), paths.begin() + 1, paths.end());
    }
    return nextHops;
}

std::vector<Ptr<IpTunnelNetDevice>>
WanTunnelHelper::GetTunnels(NodeIndex from) const
{
    std::vector<Ptr<IpTunnelNetDevice>> devices;
    for (const auto& [ends, tunnels] : m_tunnels)
    {
        for (const auto& tunnel : tunnels)
        {
            if (ends.first == from && tunnel.device)
            {
                devices.push_back(tunnel.device);
            }
        }
    }
    return devices;
}

std::vector<std::pair<NodeIndex, NodeIndex>>
WanTunnelHelper::GetEnds() const
{
    std::vector<std::pair<NodeIndex, NodeIndex>> all;
    for (const auto& [ends, tunnel] : m_tunnels)
    {
        all.push_back(ends);
    }
    return all;
}

Time
WanTunnelHelper::GetDetour() const
{
    Time detour;
    for (const auto& [ends, tunnels] : m_tunnels)
    {
        for (const auto& tunnel : tunnels)
        {
            const auto [least, largest] =
                std::minmax_element(tunnel.paths.begin(),
                                    tunnel.paths.end(),
                                    [](const Path& a, const Path& b) { return a.delay < b.delay; });
            detour = std::max(detour, largest->delay - least->delay);
        }
    }
    return detour;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "path-bandwidth-topology.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace ns3::aidc
{

PathBandwidthTopology::PathBandwidthTopology(bool attachesNonTransitive,
                                             BandwidthCarrier carrier,
                                             uint32_t maxPaths)
    : m_attachesNonTransitive(attachesNonTransitive),
      m_carrier(carrier),
      m_maxPaths(maxPaths)
{
}

uint32_t
PathBandwidthTopology::AddSwitch(PathBandwidthTier tier, uint32_t as, uint32_t identifier)
{
    m_switches.push_back({tier, as, identifier, {}});
    return static_cast<uint32_t>(m_switches.size() - 1);
}

uint32_t
PathBandwidthTopology::AddLink(uint32_t a, uint32_t b, double bandwidth)
{
    const auto link = static_cast<uint32_t>(m_links.size());
    m_links.push_back({a, b, bandwidth});
    m_switches[a].links.push_back(link);
    m_switches[b].links.push_back(link);
    return link;
}

const std::vector<PathBandwidthRoutes>&
PathBandwidthTopology::Compute(const std::vector<uint32_t>& origins, double originBandwidth)
{
    m_advertisements.resize(m_switches.size());
    m_routes.resize(m_switches.size());
    for (PathBandwidthRoutes& routes : m_routes)
    {
        routes.distance = PathBandwidthRoutes::UNREACHABLE;
        routes.nextHops.clear();
    }
    std::vector<uint32_t> last(origins);
    for (const uint32_t origin : origins)
    {
        m_routes[origin].distance = 0;
        m_advertisements[origin] = {{m_switches[origin].as}, {}};
        m_advertisements[origin].bandwidth.transitive =
            Round(OriginatePathBandwidth(originBandwidth).transitive);
    }
    // All neighbors of the switches found last hear of the prefix, and take the path unless they
    // know a shorter one or find their own AS on it.
    for (uint32_t distance = 1; !last.empty(); ++distance)
    {
        std::vector<uint32_t> found;
        for (const uint32_t node : last)
        {
            const auto& path = m_advertisements[node].asPath;
            if (distance > 1 && m_switches[node].tier == PathBandwidthTier::HOST)
            {
                continue; // it has only been told
            }
            for (const uint32_t link : m_switches[node].links)
            {
                const uint32_t peer = GetPeer(link, node);
                PathBandwidthRoutes& routes = m_routes[peer];
                if (!m_links[link].isUp || routes.distance < distance ||
                    std::find(path.begin(), path.end(), m_switches[peer].as) != path.end())
                {
                    continue;
                }
                if (routes.distance > distance)
                {
                    routes.distance = distance;
                    found.push_back(peer);
                }
                routes.nextHops.push_back({link, 0});
            }
        }
        for (const uint32_t node : found)
        {
            Weigh(node);
        }
        last.swap(found);
    }
    return m_routes;
}

PathBandwidthNode
PathBandwidthTopology::GetNode(uint32_t node) const
{
    PathBandwidthNode weighs{m_switches[node].tier, m_attachesNonTransitive, m_sharesUplinks};
    if (!m_sharesUplinks)
    {
        return weighs;
    }
    std::map<uint32_t, double> below; // by neighbor
    for (const uint32_t link : m_switches[node].links)
    {
        const uint32_t peer = GetPeer(link, node);
        if (m_links[link].isUp && IsAbove(weighs.tier, m_switches[peer].tier))
        {
            below[peer] += m_links[link].bandwidth;
        }
    }
    for (const auto& [peer, bandwidth] : below)
    {
        weighs.below.push_back(bandwidth);
    }
    return weighs;
}

void
PathBandwidthTopology::Weigh(uint32_t node)
{
    const Switch& own = m_switches[node];
    auto& nextHops = m_routes[node].nextHops;
    using NextHop = PathBandwidthRoutes::NextHop;
    const auto getPeer = [this, node](const NextHop& nextHop) -> const Switch& {
        return m_switches[GetPeer(nextHop.link, node)];
    };
    std::sort(nextHops.begin(), nextHops.end(), [&getPeer](const NextHop& a, const NextHop& b) {
        const uint32_t first = getPeer(a).identifier;
        const uint32_t second = getPeer(b).identifier;
        return first < second || (first == second && a.link < b.link);
    });
    if (nextHops.size() > m_maxPaths)
    {
        nextHops.resize(m_maxPaths);
    }
    m_weighed.clear();
    for (const NextHop& nextHop : nextHops)
    {
        const Switch& peer = getPeer(nextHop);
        BandwidthCommunities communities;
        (m_carrier == BandwidthCarrier::PATH_BANDWIDTH ? communities.path : communities.link) =
            m_advertisements[GetPeer(nextHop.link, node)].bandwidth;
        m_weighed.push_back({MakeBgpAdvertiser(peer.as, peer.identifier),
                             peer.tier,
                             m_links[nextHop.link].bandwidth,
                             communities.Get(m_carrier)});
    }
    const PathBandwidthOutcome outcome = WeighPathBandwidths(GetNode(node), m_weighed);
    for (std::size_t i = 0; i < outcome.weights.size(); ++i)
    {
        nextHops[i].weight = outcome.weights[i];
    }
    const Advertisement& received = m_advertisements[GetPeer(nextHops.front().link, node)];
    Advertisement& advertised = m_advertisements[node];
    advertised.asPath.assign(1, own.as);
    advertised.asPath.insert(advertised.asPath.end(),
                             received.asPath.begin(),
                             received.asPath.end());
    advertised.bandwidth.transitive = outcome.advertised.keepsTransitive
                                          ? received.bandwidth.transitive
                                          : Round(outcome.advertised.transitive);
    advertised.bandwidth.nonTransitive = Round(outcome.advertised.nonTransitive);
    std::sort(nextHops.begin(), nextHops.end(), [](const NextHop& a, const NextHop& b) {
        return a.link < b.link;
    });
}

std::optional<double>
PathBandwidthTopology::Round(std::optional<double> bytesPerSecond) const
{
    return bytesPerSecond ? std::make_optional(RoundBandwidth(*bytesPerSecond, m_carrier))
                          : std::nullopt;
}

} // namespace ns3::aidc

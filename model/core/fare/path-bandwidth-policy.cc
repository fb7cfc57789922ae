// SPDX-License-Identifier: GPL-2.0-only

#include "path-bandwidth-policy.h"

#include "../max-min-share.h"

#include <algorithm>
#include <optional>

namespace ns3::aidc
{

namespace
{

/// The node that routes have come from, over one link or several.
struct Advertiser
{
    uint64_t id{0};                   //!< as in its routes
    double links{0};                  //!< bytes a second of all its links
    std::optional<double> advertised; //!< the lowest bandwidth of its routes

    /// @return the bandwidth of the path: the minimum of links and advertised bandwidth
    double GetBandwidth() const
    {
        return std::min(links, *advertised);
    }
};

/// Get the advertiser of an id, which is added if it is missing. advertisers: by id, ascending.
Advertiser&
GetAdvertiser(std::vector<Advertiser>& advertisers, uint64_t id)
{
    const auto place = std::lower_bound(
        advertisers.begin(),
        advertisers.end(),
        id,
        [](const Advertiser& advertiser, uint64_t other) { return advertiser.id < other; });
    const bool isThere = place != advertisers.end() && place->id == id;
    return isThere ? *place : *advertisers.insert(place, {id, 0, {}});
}

/// @return the bandwidth that a route is weighed by, if it has come with it
std::optional<double>
GetReceived(PathBandwidthTier tier, const PathBandwidthRoute& route)
{
    if (tier == PathBandwidthTier::EDGE && route.received.transitive)
    {
        return route.received.GetLowest();
    }
    const bool isFromAbove =
        tier == PathBandwidthTier::SPINE && route.from == PathBandwidthTier::SUPER_SPINE;
    return isFromAbove ? route.received.nonTransitive : route.received.transitive;
}

/// Change the advertised bandwidths if nodes share uplinks. routes: all have come with their
/// bandwidth.
void
ShareUplinks(const PathBandwidthNode& node,
             const std::vector<PathBandwidthRoute>& routes,
             double sum,
             bool isFromOne,
             BandwidthChange& change)
{
    if (node.tier == PathBandwidthTier::SUPER_SPINE)
    {
        change.keepsTransitive = isFromOne;
        change.transitive = isFromOne ? change.transitive : sum;
        return;
    }
    if (!IsAbove(routes.front().from, node.tier))
    {
        return;
    }
    const double share = ComputeMaxMinShare(sum, node.below);
    if (!change.keepsTransitive)
    {
        change.transitive = std::min(sum, share);
        return;
    }
    double received = 0;
    for (const PathBandwidthRoute& route : routes)
    {
        if (!route.received.transitive)
        {
            return;
        }
        received = std::max(received, *route.received.transitive);
    }
    const double transitive = std::min(received, share);
    if (transitive != *routes.front().received.transitive)
    {
        change.keepsTransitive = false;
        change.transitive = transitive;
    }
}

} // namespace

PathBandwidthOutcome
WeighPathBandwidths(const PathBandwidthNode& node, const std::vector<PathBandwidthRoute>& routes)
{
    const PathBandwidthTier tier = node.tier;
    PathBandwidthOutcome outcome;
    if (routes.empty())
    {
        return outcome;
    }
    std::vector<Advertiser> advertisers;
    advertisers.reserve(routes.size());
    bool allHave = true;
    double links = 0;
    for (const PathBandwidthRoute& route : routes)
    {
        const auto received = GetReceived(tier, route);
        Advertiser& advertiser = GetAdvertiser(advertisers, route.advertiser);
        advertiser.links += route.linkBandwidth;
        links += route.linkBandwidth;
        if (received)
        {
            advertiser.advertised = std::min(advertiser.advertised.value_or(*received), *received);
        }
        allHave = allHave && received;
    }

    double sum = 0;
    if (allHave)
    {
        for (const Advertiser& advertiser : advertisers)
        {
            sum += advertiser.GetBandwidth();
        }
    }
    if (sum > 0)
    {
        outcome.weights.reserve(routes.size());
        for (const PathBandwidthRoute& route : routes)
        {
            const Advertiser& advertiser = GetAdvertiser(advertisers, route.advertiser);
            outcome.weights.push_back(advertiser.links > 0
                                          ? advertiser.GetBandwidth() * route.linkBandwidth /
                                                advertiser.links
                                          : 0);
        }
    }

    outcome.advertised.keepsTransitive =
        tier == PathBandwidthTier::SUPER_SPINE ||
        (tier == PathBandwidthTier::SPINE && routes.front().from == PathBandwidthTier::SUPER_SPINE);
    if (!outcome.advertised.keepsTransitive && allHave)
    {
        outcome.advertised.transitive = sum;
    }
    if (tier == PathBandwidthTier::SUPER_SPINE && node.attachesNonTransitive)
    {
        outcome.advertised.nonTransitive = links;
    }
    if (node.sharesUplinks && allHave)
    {
        ShareUplinks(node, routes, sum, advertisers.size() == 1, outcome.advertised);
    }
    return outcome;
}

BandwidthChange
OriginatePathBandwidth(double bytesPerSecond)
{
    BandwidthChange change;
    change.transitive = bytesPerSecond;
    return change;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-path-choice.h"

#include "bgp-decision.h"

#include <cstddef>

namespace ns3::aidc
{

bool
operator==(const BgpRibPath& a, const BgpRibPath& b)
{
    return a.peer == b.peer && a.nextHop == b.nextHop && a.weight == b.weight;
}

/// Get a route as the decision process sees it.
/// @param route the route
/// @param settings the settings
/// @return the candidate
static BgpCandidate
MakeCandidate(const BgpChoosableRoute& route, const BgpRibSettings& settings)
{
    BgpCandidate candidate;
    candidate.attributes = route.route->attributes.get();
    candidate.isLocal = !route.peer;
    if (route.peer)
    {
        candidate.peerIdentifier = route.peer->identifier;
        candidate.peerAddress = route.peer->address;
        candidate.isExternal = route.peer->as != settings.as;
        candidate.isLeaving = route.peer->isLeaving;
    }
    return candidate;
}

/// Get a route as it is weighed.
/// @param route the route, of a peer
/// @param format the form of bandwidths
/// @return the route
static PathBandwidthRoute
MakeWeighed(const BgpChoosableRoute& route, const BandwidthFormat& format)
{
    const BgpRibPeer& peer = *route.peer;
    return {MakeBgpAdvertiser(peer.as, peer.identifier),
            peer.tier,
            peer.linkBandwidth,
            DecodeBandwidths(route.route->attributes->extendedCommunities, format.subtype)
                .Get(format.carrier)};
}

std::vector<BgpRibPath>
ChooseBgpPaths(const std::vector<BgpChoosableRoute>& routes,
               const BgpRibSettings& settings,
               const PathBandwidthNode& node,
               BandwidthChange& change)
{
    std::vector<BgpCandidate> candidates;
    candidates.reserve(routes.size());
    for (const BgpChoosableRoute& route : routes)
    {
        candidates.push_back(MakeCandidate(route, settings));
    }
    std::vector<BgpRibPath> paths;
    std::vector<PathBandwidthRoute> weighed;
    for (const std::size_t i : DecideBgpRoutes(candidates, settings.decision))
    {
        const BgpReceivedRoute& route = *routes[i].route;
        paths.push_back({route.peer, route.nextHop, 0});
        if (settings.usesPathBandwidth && routes[i].peer)
        {
            weighed.push_back(MakeWeighed(routes[i], settings.bandwidthFormat));
        }
    }
    if (!paths.empty() && paths.front().peer == BGP_NO_PEER)
    {
        change = OriginatePathBandwidth(settings.originBandwidth);
    }
    else if (settings.usesPathBandwidth)
    {
        const PathBandwidthOutcome outcome = WeighPathBandwidths(node, weighed);
        change = outcome.advertised;
        for (std::size_t i = 0; i < outcome.weights.size(); ++i)
        {
            paths[i].weight = outcome.weights[i];
        }
    }
    return paths;
}

} // namespace ns3::aidc

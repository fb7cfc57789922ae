/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PATH_CHOICE_H
#define AIDC_BGP_PATH_CHOICE_H

#include "../fare/path-bandwidth-policy.h"
#include "../fare/path-bandwidth.h"
#include "bgp-adj-ribs-in.h"
#include "bgp-rib-settings.h"

#include <cstdint>
#include <vector>

/// @file
/// The choice of the routes to a prefix, and their weights (RFC 4271, section 9.1;
/// draft-xu-idr-fare).

namespace ns3::aidc
{

/// A route that is used.
struct BgpRibPath
{
    uint32_t peer{BGP_NO_PEER}; //!< the peer that has sent it, BGP_NO_PEER: the speaker's own
    uint32_t nextHop{0};        //!< host byte order
    double weight{0};           //!< bytes a second; if all are 0, ECMP is plain
};

/// @brief Tell whether two routes are equal.
/// @param a a route
/// @param b another one
/// @return true if peer, next hop and weight are
bool operator==(const BgpRibPath& a, const BgpRibPath& b);

/// A route to choose from, with its peer.
struct BgpChoosableRoute
{
    const BgpReceivedRoute* route; //!< the route
    const BgpRibPeer* peer;        //!< who has sent it; null for the speaker's own
};

/// @brief Choose the routes to a prefix.
/// @param routes all that there are
/// @param settings the settings
/// @param node the speaker as it weighs routes
/// @param [out] change the change of the bandwidths that are readvertised
/// @return the routes that are used, the best one first
std::vector<BgpRibPath> ChooseBgpPaths(const std::vector<BgpChoosableRoute>& routes,
                                       const BgpRibSettings& settings,
                                       const PathBandwidthNode& node,
                                       BandwidthChange& change);

} // namespace ns3::aidc

#endif // AIDC_BGP_PATH_CHOICE_H

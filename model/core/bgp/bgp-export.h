/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_EXPORT_H
#define AIDC_BGP_EXPORT_H

#include "../fare/path-bandwidth.h"
#include "bgp-path-attributes.h"
#include "bgp-policy.h"
#include "bgp-prefix.h"
#include "bgp-rib-settings.h"

#include <memory>
#include <optional>

/// @file
/// The changes of a route when it is advertised (RFC 4271, sections 5.1 and 9.1.3).

namespace ns3::aidc
{

/// Peers that get the same routes.
struct BgpExportGroup
{
    bool isInternal{false};                  //!< they are in the speaker's AS
    bool exchangesNonTransitive{false};      //!< they get non-transitive bandwidths
    bool isLeaving{false};                   //!< their sessions are about to be shut down
    std::shared_ptr<const BgpPolicy> policy; //!< applied to their routes
};

/// @brief Tell whether two groups get the same routes.
/// @param a a group
/// @param b another one
/// @return whether they are
bool operator==(const BgpExportGroup& a, const BgpExportGroup& b);

/// The best route to a prefix, which is to be advertised.
struct BgpBestRoute
{
    BgpPrefix prefix;                    //!< the prefix
    const BgpPathAttributes& attributes; //!< after the import policy, without next hop
    bool isOwn;                          //!< it is the speaker's own
    bool isInternal;                     //!< it is from a peer in the speaker's AS
    bool isLeaving;                      //!< that peer's session is about to be shut down
};

/// @brief Get the route to a prefix in the form for a group of peers.
/// @param best the best route to it
/// @param change the change of the route's bandwidths
/// @param group the peers
/// @param settings the settings
/// @return the attributes without next hop; none if the route is not advertised to them
std::optional<BgpPathAttributes> ExportBgpRoute(const BgpBestRoute& best,
                                                const BandwidthChange& change,
                                                const BgpExportGroup& group,
                                                const BgpRibSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_BGP_EXPORT_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_RIB_SETTINGS_H
#define AIDC_BGP_RIB_SETTINGS_H

#include "../fare/path-bandwidth-policy.h"
#include "../fare/path-bandwidth.h"
#include "bgp-decision.h"
#include "bgp-policy.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// The settings for a speaker's routes.
struct BgpRibSettings
{
    uint32_t as{0};                  //!< the speaker's AS
    BgpDecisionSettings decision;    //!< which routes are used
    bool usesPathBandwidth{true};    //!< bandwidths are read, attached and readvertised
    BandwidthFormat bandwidthFormat; //!< how they are written
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< the speaker's place in the fabric
    bool attachesNonTransitive{false}; //!< a super-spine attaches the bandwidth of its links
    bool sharesUplinks{false}; //!< nodes below are told their share of the routes from above
    double originBandwidth{MAX_PATH_BANDWIDTH}; //!< attached to own routes, bytes a second
    bool sparesLoops{true};             //!< routes are not sent to a peer whose AS is on the path
    bool acceptsGracefulShutdown{true}; //!< external routes with its community get LOCAL_PREF 0
};

/// A peer: its settings, and numbers from its OPEN.
struct BgpRibPeer
{
    uint32_t as{0};           //!< its AS; the speaker's own one: an internal peer
    uint32_t identifier{0};   //!< its BGP identifier
    uint32_t address{0};      //!< its address, host byte order
    uint32_t localAddress{0}; //!< the speaker's address, the next hop in routes to it
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< its place in the fabric
    double linkBandwidth{0};                         //!< of the link to it, bytes a second
    bool exchangesNonTransitive{false}; //!< non-transitive bandwidths are sent to it and accepted
    uint32_t maxPrefixes{0};            //!< the most accepted routes, 0: any number
    bool isLeaving{false}; //!< the session is about to be shut down by this speaker (RFC 8326)
    std::shared_ptr<const BgpPolicy> importPolicy; //!< for routes from it; null: accept all
    std::shared_ptr<const BgpPolicy> exportPolicy; //!< for routes to it; null: send all
};

} // namespace ns3::aidc

#endif // AIDC_BGP_RIB_SETTINGS_H

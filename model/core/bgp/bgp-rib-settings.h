/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_RIB_SETTINGS_H
#define AIDC_BGP_RIB_SETTINGS_H

#include "bgp-decision.h"
#include "bgp-policy.h"
#include "path-bandwidth-policy.h"
#include "path-bandwidth.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What a speaker's routes depend on.
struct BgpRibSettings
{
    uint32_t as{0};                  //!< the speaker's AS
    BgpDecisionSettings decision;    //!< which routes are used
    bool usesPathBandwidth{true};    //!< bandwidths are read, attached and advertised again
    BandwidthFormat bandwidthFormat; //!< how they are written
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< the speaker's place in the fabric
    bool attachesNonTransitive{false}; //!< a super-spine attaches the bandwidth of its links
    double originBandwidth{MAX_PATH_BANDWIDTH}; //!< attached to own routes, bytes a second
    bool sparesLoops{
        true}; //!< a peer whose AS is on a path, and which would reject it, is not told
};

/// @ingroup aidc
/// @brief A peer: what is configured, and what its OPEN has said.
struct BgpRibPeer
{
    uint32_t as{0};           //!< its AS; the speaker's own one: an internal peer
    uint32_t identifier{0};   //!< its BGP identifier
    uint32_t address{0};      //!< its address, host byte order
    uint32_t localAddress{0}; //!< the speaker's, which is the next hop of what it is told
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< its place in the fabric
    double linkBandwidth{0};                         //!< of the link to it, bytes a second
    bool exchangesNonTransitive{false}; //!< non-transitive bandwidths are sent to it and taken
    uint32_t maxPrefixes{0};            //!< the most routes that are taken, 0: any number
    std::shared_ptr<const BgpPolicy> importPolicy; //!< what is taken; null: all
    std::shared_ptr<const BgpPolicy> exportPolicy; //!< what it is told; null: all
};

} // namespace ns3::aidc

#endif // AIDC_BGP_RIB_SETTINGS_H

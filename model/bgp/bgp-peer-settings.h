/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PEER_SETTINGS_H
#define AIDC_BGP_PEER_SETTINGS_H

#include "../core/bgp/path-bandwidth-policy.h"

#include "ns3/bgp-policy.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What a BgpSpeaker knows of a peer.
struct BgpPeerSettings
{
    Ipv4Address address{Ipv4Address::GetAny()}; //!< the peer's address; must be given

    /// The speaker's own address, which is the next hop of what the peer is told; GetAny(): that of
    /// the interface on whose network the peer is
    Ipv4Address localAddress{Ipv4Address::GetAny()};

    uint32_t as{0}; //!< its AS, 0: any

    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< its place in the fabric
    double linkBandwidth{0};                         //!< of the link to it, bytes a second
    bool exchangesNonTransitive{false}; //!< non-transitive bandwidths are sent to it and taken

    bool isPassive{false}; //!< only the peer makes connections

    /// Time to live of what is sent; 0: 255 with minTtl, else 1 to another AS or any, and as IPv4
    /// has it to the own one. A peer that is more hops away needs more than 1 (eBGP multihop).
    uint8_t ttl{0};

    /// The smallest time to live of what is taken (RFC 5082), 0: any. 255 is for a peer on the
    /// link, 256 - n for one that is n hops away.
    uint8_t minTtl{0};

    uint32_t maxPrefixes{0}; //!< the most routes that are taken, 0: any number

    /// After too many routes the session starts again by itself, after the idle hold time; else it
    /// stays down until StartPeer()
    bool restartsAfterMaximum{false};

    std::shared_ptr<const BgpPolicy> importPolicy; //!< what is taken; null: all
    std::shared_ptr<const BgpPolicy> exportPolicy; //!< what it is told; null: all

    /// Between two UPDATEs to it, in place of the speaker's AdvertisementInterval
    std::optional<Time> advertisementInterval;
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_SETTINGS_H

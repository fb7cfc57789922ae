// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_PEER_SETTINGS_H
#define AIDC_BGP_PEER_SETTINGS_H

#include "ns3/bgp-rib.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The settings of a BgpSpeaker for a peer.
struct BgpPeerSettings : BgpPeerRouteSettings
{
    Ipv4Address address{Ipv4Address::GetAny()}; //!< the peer's address; must be given

    /// The speaker's own address, which is the next hop in routes to the peer; GetAny(): the
    /// address of the interface on whose network the peer is
    Ipv4Address localAddress{Ipv4Address::GetAny()};

    bool isPassive{false}; //!< only the peer makes connections

    /// Time to live of segments to the peer. 0: 255 with minTtl; else 1 if its AS is another one or
    /// any, IPv4's default if it is the speaker's own. A peer that is more hops away needs more
    /// than 1 (eBGP multihop).
    uint8_t ttl{0};

    /// The smallest accepted time to live of segments from the peer (RFC 5082), 0: any. 255 is for
    /// a peer on the link, 256 - n for one that is n hops away.
    uint8_t minTtl{0};

    /// Whether the session ends, with Cease/BFD Down (RFC 9384), when the BFD session with the peer
    /// has failed; needs a BfdSpeaker on the node, and a peer on a link
    bool usesBfd{false};

    /// Whether the session restarts after the idle hold time if there were too many routes;
    /// otherwise it stays down until StartPeer()
    bool restartsAfterMaximum{false};

    /// The time between two UPDATEs to it, instead of the speaker's AdvertisementInterval
    std::optional<Time> advertisementInterval;
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_SETTINGS_H

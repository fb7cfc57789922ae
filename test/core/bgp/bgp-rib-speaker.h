// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_RIB_SPEAKER_H
#define AIDC_BGP_RIB_SPEAKER_H

#include "test/core/core-test.h"

#include "ns3/bgp-rib.h"

// The tables of a speaker and what its peers announce, for the tests of the core.

namespace aidctest
{

/// The AS of the speaker.
constexpr uint32_t OWN_AS = 65000;
/// 1 GB/s in bytes a second.
constexpr double GB = 1e9;
const BgpPrefix P1{0x14000100, 24};
/// Another prefix.
const BgpPrefix P2{0x14000200, 24};

/// A spine of AS 65000 with leaves of AS 65001 and following, over links of 100 Gbit/s.
class RibSpeaker
{
  public:
    explicit RibSpeaker(uint32_t nPeers,
                        const std::vector<BgpRibPeer>& peers = {},
                        const BgpRibSettings& settings = MakeSettings())
        : rib(settings, std::make_shared<BgpAttributePool>())
    {
        for (uint32_t i = 0; i < nPeers; ++i)
        {
            BgpRibPeer peer = i < peers.size() ? peers[i] : BgpRibPeer();
            peer.as = peer.as == 0 ? OWN_AS + 1 + i : peer.as;
            peer.identifier = i + 1;
            peer.address = 0x0a000000 + 2 * i;
            peer.localAddress = peer.address + 1;
            peer.linkBandwidth = 12.5 * GB;
            rib.AddPeer(peer);
            rib.SetUp(i, peer.as, peer.identifier);
        }
    }

    static BgpRibSettings MakeSettings()
    {
        BgpRibSettings settings;
        settings.as = OWN_AS;
        settings.tier = PathBandwidthTier::SPINE;
        settings.bandwidthFormat.routerId = 0x0a0000fe;
        return settings;
    }

    /// A route as a peer announces it, with a path bandwidth of 65,504 GB/s.
    BgpPathAttributes Attributes(uint32_t peer, const std::vector<uint32_t>& more = {}) const
    {
        BgpPathAttributes attributes;
        std::vector<uint32_t> path{rib.GetPeer(peer).as};
        path.insert(path.end(), more.begin(), more.end());
        attributes.asPath.segments.push_back({BgpSegmentType::SEQUENCE, path});
        attributes.nextHop = rib.GetPeer(peer).address;
        ChangeBandwidths(OriginatePathBandwidth(), {}, attributes.extendedCommunities);
        return attributes;
    }

    bool Announce(uint32_t peer, const BgpPrefix& prefix, const BgpPathAttributes& attributes)
    {
        const bool isTaken = rib.Receive(peer, {{}, {{attributes, {prefix}}}});
        rib.Decide();
        return isTaken;
    }

    bool Announce(uint32_t peer, const BgpPrefix& prefix)
    {
        return Announce(peer, prefix, Attributes(peer));
    }

    void Withdraw(uint32_t peer, const BgpPrefix& prefix)
    {
        rib.Receive(peer, {{prefix}, {}});
        rib.Decide();
    }

    /// What a peer is told, in short: +prefix, -prefix.
    std::string Take(uint32_t peer)
    {
        const BgpPeerChanges changes = rib.TakeChanges(peer);
        std::string text;
        for (const BgpPrefix& prefix : changes.withdrawn)
        {
            text += "-" + std::to_string(prefix.network >> 8 & 255);
        }
        for (const BgpOutgoingRoute& route : changes.announced)
        {
            text += "+" + std::to_string(route.prefix.network >> 8 & 255);
            told = *route.attributes;
        }
        return text;
    }

    BgpRib rib;             //!< its routes
    BgpPathAttributes told; //!< the last ones that Take() has seen
};

} // namespace aidctest

#endif // AIDC_BGP_RIB_SPEAKER_H

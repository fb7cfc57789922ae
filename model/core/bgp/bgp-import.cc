/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-import.h"

#include "bgp-communities.h"

#include <algorithm>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Leave out what an external peer should not have sent (RFC 4360, section 6).
 *
 * Where link bandwidths are used, those that are not transitive stay, as RFC 10005 has it: routers
 * send either.
 *
 * @param carrier the carrier of bandwidths
 * @param [in,out] communities loses those that are not transitive
 */
static void
RemoveForeign(BandwidthCarrier carrier, std::vector<BgpExtendedCommunity>& communities)
{
    const auto goes = [carrier](const BgpExtendedCommunity& community) {
        const bool isLinkBandwidth =
            community.GetType() == 0x40 && community.GetSubtype() == LINK_BANDWIDTH_SUBTYPE;
        return !community.IsTransitive() &&
               !(isLinkBandwidth && carrier == BandwidthCarrier::LINK_BANDWIDTH);
    };
    communities.erase(std::remove_if(communities.begin(), communities.end(), goes),
                      communities.end());
}

BgpPathAttributes
CleanBgpImport(const BgpPathAttributes& received,
               const BgpRibPeer& peer,
               const BgpRibSettings& settings)
{
    BgpPathAttributes clean = received;
    clean.nextHop = 0;
    if (peer.as != settings.as)
    {
        clean.localPref.reset();
        if (!peer.exchangesNonTransitive)
        {
            RemoveForeign(settings.bandwidthFormat.carrier, clean.extendedCommunities);
        }
    }
    return clean;
}

BgpPathAttributes
ImportBgpRoute(const BgpPathAttributes& clean,
               const BgpPolicyResult& result,
               const BgpRibPeer& peer,
               const BgpRibSettings& settings)
{
    BgpPathAttributes attributes = clean;
    if (result.localPref)
    {
        attributes.localPref = result.localPref;
    }
    if (result.multiExitDisc)
    {
        attributes.multiExitDisc = result.multiExitDisc;
    }
    if (result.rule)
    {
        ChangeBgpCommunities(*result.rule, attributes.communities);
        for (uint8_t i = 0; i < result.rule->nPrepended; ++i)
        {
            attributes.asPath.Prepend(peer.as);
        }
    }
    if (settings.acceptsGracefulShutdown && peer.as != settings.as &&
        HasBgpCommunity(attributes.communities, BGP_GRACEFUL_SHUTDOWN))
    {
        attributes.localPref = 0;
    }
    return attributes;
}

} // namespace ns3::aidc

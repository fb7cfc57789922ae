/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-import.h"

#include "../fare/path-bandwidth.h"
#include "bgp-communities.h"

namespace ns3::aidc
{

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
            RemoveForeignCommunities(settings.bandwidthFormat.carrier, clean.extendedCommunities);
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

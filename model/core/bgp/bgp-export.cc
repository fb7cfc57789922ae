/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-export.h"

#include "bgp-communities.h"

namespace ns3::aidc
{

bool
operator==(const BgpExportGroup& a, const BgpExportGroup& b)
{
    return a.isInternal == b.isInternal && a.exchangesNonTransitive == b.exchangesNonTransitive &&
           a.isLeaving == b.isLeaving && a.policy == b.policy;
}

std::optional<BgpPathAttributes>
ExportBgpRoute(const BgpBestRoute& best,
               const BandwidthChange& change,
               const BgpExportGroup& group,
               const BgpRibSettings& settings)
{
    if (group.isInternal && best.isInternal)
    {
        return std::nullopt; // RFC 4271, section 9.2.1
    }
    if (settings.tier == PathBandwidthTier::HOST && !best.isOwn)
    {
        return std::nullopt; // a host does not forward
    }
    const auto has = [&best](uint32_t community) {
        return HasBgpCommunity(best.attributes.communities, community);
    };
    if (has(BGP_NO_ADVERTISE) ||
        (!group.isInternal && (has(BGP_NO_EXPORT) || has(BGP_NO_EXPORT_SUBCONFED))))
    {
        return std::nullopt;
    }
    const BgpPolicyResult result = AskBgpPolicy(group.policy.get(), best.prefix, best.attributes);
    if (!result.isAccepted)
    {
        return std::nullopt;
    }
    BgpPathAttributes attributes = best.attributes;
    if (group.isInternal)
    {
        attributes.localPref =
            best.isLeaving ? 0
                           : result.localPref.value_or(
                                 attributes.localPref.value_or(settings.decision.defaultLocalPref));
    }
    else
    {
        attributes.localPref.reset();
        attributes.originatorId.reset();
        attributes.clusterList.clear();
        if (!best.isOwn)
        {
            attributes.multiExitDisc.reset(); // RFC 4271, section 5.1.4
        }
        RemoveNonTransitive(attributes.extendedCommunities);
        const uint32_t nPrepended = result.rule ? result.rule->nPrepended : 0;
        for (uint32_t i = 0; i <= nPrepended; ++i)
        {
            attributes.asPath.Prepend(settings.as);
        }
    }
    if (result.rule)
    {
        ChangeBgpCommunities(*result.rule, attributes.communities);
    }
    if (group.isLeaving || best.isLeaving)
    {
        AddBgpCommunity(attributes.communities, BGP_GRACEFUL_SHUTDOWN);
    }
    if (result.multiExitDisc)
    {
        attributes.multiExitDisc = result.multiExitDisc;
    }
    if (settings.usesPathBandwidth)
    {
        BandwidthChange own = change;
        if (!group.exchangesNonTransitive)
        {
            own.nonTransitive.reset();
        }
        ChangeBandwidths(own, settings.bandwidthFormat, attributes.extendedCommunities);
    }
    return attributes;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-rib.h"

#include <algorithm>
#include <utility>

// What peers are told: RFC 4271, section 9.1.3; the Adj-RIBs-Out.

namespace ns3::aidc
{

/// In place of what a peer has been told: it has to be told again.
static const BgpSharedAttributes&
GetStale()
{
    static const BgpSharedAttributes STALE = std::make_shared<const BgpPathAttributes>();
    return STALE;
}

/// What a peer is told of a prefix that has no route.
static const BgpSharedAttributes NOTHING;

uint32_t
BgpRib::FindGroup(const BgpRibPeer& peer)
{
    const Group group{peer.as == m_settings.as, peer.exchangesNonTransitive, peer.exportPolicy};
    const auto known = std::find_if(m_groups.begin(), m_groups.end(), [&group](const Group& other) {
        return other.isInternal == group.isInternal &&
               other.exchangesNonTransitive == group.exchangesNonTransitive &&
               other.policy == group.policy;
    });
    if (known != m_groups.end())
    {
        return static_cast<uint32_t>(known - m_groups.begin());
    }
    m_groups.push_back(group);
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        if (!m_entries[number].paths.empty())
        {
            MarkDirty(number);
        }
    }
    return static_cast<uint32_t>(m_groups.size() - 1);
}

BgpSharedAttributes
BgpRib::Export(const Entry& entry, const BandwidthChange& change, const Group& group)
{
    if (entry.paths.empty())
    {
        return nullptr;
    }
    const Route& best = *FindRoute(entry, entry.paths.front().peer);
    const bool isOwn = best.peer == BGP_NO_PEER;
    if (group.isInternal && !isOwn && m_peers[best.peer].peer.as == m_settings.as)
    {
        return nullptr; // RFC 4271, section 9.2.1
    }
    const auto has = [&best](uint32_t community) {
        const std::vector<uint32_t>& all = best.attributes->communities;
        return std::find(all.begin(), all.end(), community) != all.end();
    };
    if (has(BGP_NO_ADVERTISE) ||
        (!group.isInternal && (has(BGP_NO_EXPORT) || has(BGP_NO_EXPORT_SUBCONFED))))
    {
        return nullptr;
    }
    const BgpPolicyResult result = AskBgpPolicy(group.policy.get(), entry.prefix, *best.attributes);
    if (!result.isAccepted)
    {
        return nullptr;
    }
    BgpPathAttributes attributes = *best.attributes;
    if (group.isInternal)
    {
        attributes.localPref = result.localPref.value_or(
            attributes.localPref.value_or(m_settings.decision.defaultLocalPref));
    }
    else
    {
        attributes.localPref.reset();
        attributes.originatorId.reset();
        attributes.clusterList.clear();
        if (!isOwn)
        {
            attributes.multiExitDisc.reset(); // RFC 4271, section 5.1.4
        }
        RemoveNonTransitive(attributes.extendedCommunities);
        attributes.asPath.Prepend(m_settings.as);
    }
    if (result.multiExitDisc)
    {
        attributes.multiExitDisc = result.multiExitDisc;
    }
    if (m_settings.usesPathBandwidth)
    {
        BandwidthChange own = change;
        if (!group.exchangesNonTransitive)
        {
            own.nonTransitive.reset();
        }
        ChangeBandwidths(own, m_settings.bandwidthFormat, attributes.extendedCommunities);
    }
    return m_pool->Intern(std::move(attributes));
}

const BgpSharedAttributes&
BgpRib::GetWanted(const Entry& entry, const Peer& peer) const
{
    if (peer.group >= entry.exported.size() || !entry.exported[peer.group])
    {
        return NOTHING;
    }
    const BgpSharedAttributes& exported = entry.exported[peer.group];
    const bool isLoop = m_settings.sparesLoops && peer.peer.as != m_settings.as &&
                        exported->asPath.Contains(peer.peer.as);
    return isLoop ? NOTHING : exported;
}

void
BgpRib::Compare(uint32_t number, Peer& peer)
{
    const bool isTold = number < peer.told.size();
    const bool differs =
        GetWanted(m_entries[number], peer) != (isTold ? peer.told[number] : NOTHING);
    if (number >= peer.isPending.size())
    {
        if (!differs)
        {
            return;
        }
        peer.isPending.resize(m_entries.size());
    }
    if (differs == peer.isPending[number])
    {
        return;
    }
    peer.isPending[number] = differs;
    if (!differs)
    {
        --peer.nPending;
        return;
    }
    if (peer.pending.size() > 2 * std::size_t{peer.nPending} + 64)
    {
        // Most are no longer: what changes to and fro must not fill the memory.
        std::vector<bool> isOpen = peer.isPending;
        peer.pending.erase(std::remove_if(peer.pending.begin(),
                                          peer.pending.end(),
                                          [&isOpen](uint32_t other) {
                                              const bool isKept = isOpen[other];
                                              isOpen[other] = false;
                                              return !isKept;
                                          }),
                           peer.pending.end());
    }
    ++peer.nPending;
    peer.pending.push_back(number);
}

void
BgpRib::Refresh(uint32_t peer)
{
    Peer& again = m_peers[peer];
    for (uint32_t number = 0; number < again.told.size(); ++number)
    {
        if (again.told[number])
        {
            again.told[number] = GetStale();
            Compare(number, again);
        }
    }
}

BgpPeerChanges
BgpRib::TakeChanges(uint32_t peer)
{
    BgpPeerChanges changes;
    Peer& told = m_peers[peer];
    std::unordered_map<const BgpPathAttributes*, BgpSharedAttributes> withNextHop;
    for (const uint32_t number : std::exchange(told.pending, {}))
    {
        if (!told.isPending[number])
        {
            continue;
        }
        told.isPending[number] = false;
        if (number >= told.told.size())
        {
            told.told.resize(m_entries.size());
        }
        Entry& entry = m_entries[number];
        BgpSharedAttributes& last = told.told[number];
        const BgpSharedAttributes& wanted = GetWanted(entry, told);
        if (!wanted)
        {
            changes.withdrawn.push_back(entry.prefix);
            last.reset();
            --told.nTold;
            --entry.nTold;
            ForgetIfUnused(number);
            continue;
        }
        if (!last)
        {
            ++told.nTold;
            ++entry.nTold;
        }
        last = wanted;
        BgpSharedAttributes& sent = withNextHop[wanted.get()];
        if (!sent)
        {
            BgpPathAttributes attributes = *wanted;
            attributes.nextHop = told.peer.localAddress;
            sent = std::make_shared<const BgpPathAttributes>(std::move(attributes));
        }
        changes.announced.push_back({entry.prefix, sent});
    }
    told.nPending = 0;
    return changes;
}

} // namespace ns3::aidc

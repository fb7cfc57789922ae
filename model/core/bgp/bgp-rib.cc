/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-rib.h"

#include "ns3/mix-bits.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3::aidc
{

bool
operator==(const BgpRibPath& a, const BgpRibPath& b)
{
    return a.peer == b.peer && a.nextHop == b.nextHop && a.weight == b.weight;
}

std::size_t
BgpRib::PrefixHash::operator()(const BgpPrefix& prefix) const
{
    return static_cast<std::size_t>(MixBits(uint64_t{prefix.length} << 32 | prefix.network));
}

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

BgpRib::BgpRib(BgpRibSettings settings, std::shared_ptr<BgpAttributePool> pool)
    : m_settings(std::move(settings)),
      m_pool(std::move(pool))
{
}

uint32_t
BgpRib::AddPeer(BgpRibPeer peer)
{
    Peer& added = m_peers.emplace_back();
    added.peer = std::move(peer);
    return static_cast<uint32_t>(m_peers.size() - 1);
}

void
BgpRib::SetUp(uint32_t peer, uint32_t as, uint32_t identifier)
{
    Peer& up = m_peers[peer];
    up.peer.as = as;
    up.peer.identifier = identifier;
    up.group = FindGroup(up.peer);
    up.isUp = true;
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        Compare(number, up);
    }
}

void
BgpRib::SetDown(uint32_t peer)
{
    Peer& down = m_peers[peer];
    down.isUp = false;
    down.nTold = 0;
    down.nPending = 0;
    down.pending = {};
    down.isPending = {};
    const std::vector<BgpSharedAttributes> told = std::exchange(down.told, {});
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        if (number < told.size() && told[number])
        {
            --m_entries[number].nTold;
        }
        RemoveRoute(number, peer);
        ForgetIfUnused(number);
    }
}

void
BgpRib::SetLinkBandwidth(uint32_t peer, double bytesPerSecond)
{
    double& bandwidth = m_peers[peer].peer.linkBandwidth;
    if (bandwidth == bytesPerSecond)
    {
        return;
    }
    bandwidth = bytesPerSecond;
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        if (FindRoute(m_entries[number], peer))
        {
            MarkDirty(number);
        }
    }
}

bool
BgpRib::Receive(uint32_t peer, const BgpRouteChanges& changes)
{
    for (const BgpPrefix& prefix : changes.withdrawn)
    {
        const auto known = m_numbers.find(prefix);
        if (known != m_numbers.end())
        {
            RemoveRoute(known->second, peer);
        }
    }
    return std::all_of(changes.announced.begin(),
                       changes.announced.end(),
                       [this, peer](const BgpAnnouncement& announcement) {
                           return ReceiveAnnouncement(peer, announcement);
                       });
}

bool
BgpRib::ReceiveAnnouncement(uint32_t peer, const BgpAnnouncement& announcement)
{
    Peer& from = m_peers[peer];
    const bool isExternal = from.peer.as != m_settings.as;
    BgpPathAttributes base = announcement.attributes;
    const uint32_t nextHop = std::exchange(base.nextHop, 0);
    if (isExternal)
    {
        base.localPref.reset();
        if (!from.peer.exchangesNonTransitive)
        {
            RemoveForeign(m_settings.bandwidthFormat.carrier, base.extendedCommunities);
        }
    }
    // RFC 4271, sections 9.1.2 and 6.3: a loop, or the speaker's own address
    const bool isUsable = !base.asPath.Contains(m_settings.as) &&
                          (from.peer.localAddress == 0 || nextHop != from.peer.localAddress);
    // Most policies say the same of all prefixes.
    BgpPolicyResult last;
    BgpSharedAttributes shared;
    for (const BgpPrefix& prefix : announcement.prefixes)
    {
        const BgpPolicyResult result =
            isUsable ? AskBgpPolicy(from.peer.importPolicy.get(), prefix, base) : BgpPolicyResult();
        if (!isUsable || !result.isAccepted)
        {
            const auto known = m_numbers.find(prefix);
            if (known != m_numbers.end())
            {
                RemoveRoute(known->second, peer); // it has replaced the one before
            }
            continue;
        }
        if (!shared || result.localPref != last.localPref ||
            result.multiExitDisc != last.multiExitDisc)
        {
            BgpPathAttributes attributes = base;
            attributes.localPref = result.localPref ? result.localPref : base.localPref;
            attributes.multiExitDisc =
                result.multiExitDisc ? result.multiExitDisc : base.multiExitDisc;
            shared = m_pool->Intern(std::move(attributes));
            last = result;
        }
        const uint32_t number = FindOrAdd(prefix);
        if (SetRoute(number, {shared, nextHop, peer}) && from.peer.maxPrefixes > 0 &&
            from.nReceived > from.peer.maxPrefixes)
        {
            RemoveRoute(number, peer);
            return false;
        }
    }
    return true;
}

void
BgpRib::Originate(const BgpPrefix& prefix, BgpPathAttributes attributes)
{
    attributes.nextHop = 0;
    SetRoute(FindOrAdd(prefix), {m_pool->Intern(std::move(attributes)), 0, BGP_NO_PEER});
}

void
BgpRib::Withdraw(const BgpPrefix& prefix)
{
    const auto known = m_numbers.find(prefix);
    if (known != m_numbers.end())
    {
        RemoveRoute(known->second, BGP_NO_PEER);
    }
}

void
BgpRib::Decide()
{
    const std::vector<uint32_t> dirty = std::exchange(m_dirty, {});
    for (const uint32_t number : dirty)
    {
        Entry& entry = m_entries[number];
        entry.isDirty = false;
        BandwidthChange change;
        std::vector<BgpRibPath> paths = ChoosePaths(entry, change);
        if (!(paths == entry.paths))
        {
            entry.paths = std::move(paths);
            entry.paths.shrink_to_fit();
            if (!entry.isUsedDirty)
            {
                entry.isUsedDirty = true;
                m_usedDirty.push_back(number);
            }
        }
        std::vector<bool> isChanged(m_groups.size());
        entry.exported.resize(m_groups.size());
        for (std::size_t group = 0; group < m_groups.size(); ++group)
        {
            BgpSharedAttributes exported = Export(entry, change, m_groups[group]);
            isChanged[group] = exported != entry.exported[group];
            entry.exported[group] = std::move(exported);
        }
        for (Peer& peer : m_peers)
        {
            if (peer.isUp && isChanged[peer.group])
            {
                Compare(number, peer);
            }
        }
        ForgetIfUnused(number);
    }
}

std::vector<BgpPrefix>
BgpRib::TakeUsedChanges()
{
    std::vector<BgpPrefix> prefixes;
    for (const uint32_t number : std::exchange(m_usedDirty, {}))
    {
        Entry& entry = m_entries[number];
        entry.isUsedDirty = false;
        prefixes.push_back(entry.prefix);
        ForgetIfUnused(number);
    }
    return prefixes;
}

const std::vector<BgpRibPath>&
BgpRib::GetPaths(const BgpPrefix& prefix) const
{
    static const std::vector<BgpRibPath> NONE;
    const Entry* const entry = Find(prefix);
    return entry ? entry->paths : NONE;
}

BgpSharedAttributes
BgpRib::GetBest(const BgpPrefix& prefix) const
{
    const Entry* const entry = Find(prefix);
    const Route* const best =
        entry && !entry->paths.empty() ? FindRoute(*entry, entry->paths.front().peer) : nullptr;
    return best ? best->attributes : nullptr;
}

std::vector<BgpPrefix>
BgpRib::GetPrefixes() const
{
    std::vector<BgpPrefix> prefixes;
    for (const auto& [prefix, number] : m_numbers)
    {
        if (!m_entries[number].paths.empty())
        {
            prefixes.push_back(prefix);
        }
    }
    std::sort(prefixes.begin(), prefixes.end());
    return prefixes;
}

std::size_t
BgpRib::GetMemorySize() const
{
    // A node of the hash table has a pointer beside its value, and there is a bucket for it.
    std::size_t size =
        m_entries.capacity() * sizeof(Entry) +
        m_numbers.size() * (sizeof(*m_numbers.begin()) + sizeof(void*)) +
        m_numbers.bucket_count() * sizeof(void*) +
        (m_free.capacity() + m_dirty.capacity() + m_usedDirty.capacity()) * sizeof(uint32_t);
    for (const Entry& entry : m_entries)
    {
        size += entry.routes.capacity() * sizeof(Route) +
                entry.paths.capacity() * sizeof(BgpRibPath) +
                entry.exported.capacity() * sizeof(BgpSharedAttributes);
    }
    for (const Peer& peer : m_peers)
    {
        size += sizeof(Peer) + peer.told.capacity() * sizeof(BgpSharedAttributes) +
                peer.isPending.capacity() / 8 + peer.pending.capacity() * sizeof(uint32_t);
    }
    return size;
}

uint32_t
BgpRib::FindOrAdd(const BgpPrefix& prefix)
{
    const auto [known, isNew] = m_numbers.try_emplace(prefix, 0);
    if (isNew)
    {
        if (m_free.empty())
        {
            m_free.push_back(static_cast<uint32_t>(m_entries.size()));
            m_entries.emplace_back();
        }
        known->second = m_free.back();
        m_free.pop_back();
        m_entries[known->second].prefix = prefix;
    }
    return known->second;
}

const BgpRib::Entry*
BgpRib::Find(const BgpPrefix& prefix) const
{
    const auto known = m_numbers.find(prefix);
    return known == m_numbers.end() ? nullptr : &m_entries[known->second];
}

void
BgpRib::ForgetIfUnused(uint32_t number)
{
    Entry& entry = m_entries[number];
    const auto known = m_numbers.find(entry.prefix);
    if (entry.isDirty || entry.isUsedDirty || entry.nTold > 0 || !entry.routes.empty() ||
        known == m_numbers.end() || known->second != number)
    {
        return;
    }
    m_numbers.erase(known);
    entry = Entry();
    m_free.push_back(number);
}

const BgpRib::Route*
BgpRib::FindRoute(const Entry& entry, uint32_t peer)
{
    const auto place =
        std::lower_bound(entry.routes.begin(),
                         entry.routes.end(),
                         peer,
                         [](const Route& route, uint32_t other) { return route.peer < other; });
    return place != entry.routes.end() && place->peer == peer ? &*place : nullptr;
}

bool
BgpRib::SetRoute(uint32_t number, Route route)
{
    std::vector<Route>& routes = m_entries[number].routes;
    const auto place =
        std::lower_bound(routes.begin(),
                         routes.end(),
                         route.peer,
                         [](const Route& other, uint32_t peer) { return other.peer < peer; });
    if (place != routes.end() && place->peer == route.peer)
    {
        if (place->attributes != route.attributes || place->nextHop != route.nextHop)
        {
            *place = std::move(route);
            MarkDirty(number);
        }
        return false;
    }
    if (route.peer != BGP_NO_PEER)
    {
        ++m_peers[route.peer].nReceived;
    }
    routes.insert(place, std::move(route));
    MarkDirty(number);
    return true;
}

bool
BgpRib::RemoveRoute(uint32_t number, uint32_t peer)
{
    std::vector<Route>& routes = m_entries[number].routes;
    const Route* const route = FindRoute(m_entries[number], peer);
    if (!route)
    {
        return false;
    }
    routes.erase(routes.begin() + (route - routes.data()));
    if (peer != BGP_NO_PEER)
    {
        --m_peers[peer].nReceived;
    }
    MarkDirty(number);
    return true;
}

void
BgpRib::MarkDirty(uint32_t number)
{
    if (!m_entries[number].isDirty)
    {
        m_entries[number].isDirty = true;
        m_dirty.push_back(number);
    }
}

std::vector<BgpRibPath>
BgpRib::ChoosePaths(const Entry& entry, BandwidthChange& change) const
{
    std::vector<BgpCandidate> candidates;
    for (const Route& route : entry.routes)
    {
        BgpCandidate& candidate = candidates.emplace_back();
        candidate.attributes = route.attributes.get();
        candidate.isLocal = route.peer == BGP_NO_PEER;
        if (!candidate.isLocal)
        {
            const BgpRibPeer& peer = m_peers[route.peer].peer;
            candidate.peerIdentifier = peer.identifier;
            candidate.peerAddress = peer.address;
            candidate.isExternal = peer.as != m_settings.as;
        }
    }
    std::vector<BgpRibPath> paths;
    std::vector<PathBandwidthRoute> weighed;
    for (const std::size_t i : DecideBgpRoutes(candidates, m_settings.decision))
    {
        const Route& route = entry.routes[i];
        paths.push_back({route.peer, route.nextHop, 0});
        if (m_settings.usesPathBandwidth && route.peer != BGP_NO_PEER)
        {
            const BgpRibPeer& peer = m_peers[route.peer].peer;
            const BandwidthFormat& format = m_settings.bandwidthFormat;
            weighed.push_back(
                {MakeBgpAdvertiser(peer.as, peer.identifier),
                 peer.tier,
                 peer.linkBandwidth,
                 DecodeBandwidths(route.attributes->extendedCommunities, format.subtype)
                     .Get(format.carrier)});
        }
    }
    if (!paths.empty() && paths.front().peer == BGP_NO_PEER)
    {
        change = OriginatePathBandwidth(m_settings.originBandwidth);
    }
    else if (m_settings.usesPathBandwidth)
    {
        const PathBandwidthOutcome outcome =
            WeighPathBandwidths(m_settings.tier, m_settings.attachesNonTransitive, weighed);
        change = outcome.advertised;
        for (std::size_t i = 0; i < outcome.weights.size(); ++i)
        {
            paths[i].weight = outcome.weights[i];
        }
    }
    return paths;
}

} // namespace ns3::aidc

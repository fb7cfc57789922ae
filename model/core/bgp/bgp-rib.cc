// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-rib.h"

#include "../mix-bits.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::aidc
{

// Routes sent to peers (Adj-RIBs-Out)

void
BgpAdjRibOut::Compare(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes)
{
    const bool differs = number < m_told.size() ? m_told[number] != wanted : wanted != nullptr;
    if (number >= m_isPending.size())
    {
        if (!differs)
        {
            return;
        }
        m_isPending.resize(nPrefixes);
    }
    if (differs == m_isPending[number])
    {
        return;
    }
    m_isPending[number] = differs;
    if (!differs)
    {
        --m_nPending;
        return;
    }
    if (m_pending.size() > 2 * std::size_t{m_nPending} + 64)
    {
        // Most are not pending any more: routes that flap must not fill the memory.
        std::vector<bool> isOpen = m_isPending;
        m_pending.erase(std::remove_if(m_pending.begin(),
                                       m_pending.end(),
                                       [&isOpen](uint32_t other) {
                                           const bool isKept = isOpen[other];
                                           isOpen[other] = false;
                                           return !isKept;
                                       }),
                        m_pending.end());
    }
    ++m_nPending;
    m_pending.push_back(number);
}

std::vector<uint32_t>
BgpAdjRibOut::TakePending()
{
    std::vector<uint32_t> pending = std::exchange(m_pending, {});
    pending.erase(std::remove_if(pending.begin(),
                                 pending.end(),
                                 [this](uint32_t number) {
                                     const bool isPending = m_isPending[number];
                                     m_isPending[number] = false;
                                     return !isPending;
                                 }),
                  pending.end());
    m_nPending = 0;
    return pending;
}

int
BgpAdjRibOut::Tell(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes)
{
    if (number >= m_told.size())
    {
        m_told.resize(nPrefixes);
    }
    BgpSharedAttributes& last = m_told[number];
    const int change = (wanted ? 1 : 0) - (last ? 1 : 0);
    m_nTold += static_cast<uint32_t>(change);
    last = wanted;
    return change;
}

std::vector<uint32_t>
BgpAdjRibOut::MakeStale()
{
    static const BgpSharedAttributes STALE = std::make_shared<const BgpPathAttributes>();
    std::vector<uint32_t> numbers;
    for (uint32_t number = 0; number < m_told.size(); ++number)
    {
        if (m_told[number])
        {
            m_told[number] = STALE;
            numbers.push_back(number);
        }
    }
    return numbers;
}

std::size_t
BgpAdjRibOut::GetMemorySize() const
{
    return m_told.capacity() * sizeof(BgpSharedAttributes) + m_isPending.capacity() / 8 +
           m_pending.capacity() * sizeof(uint32_t);
}

BgpRib::BgpRib(BgpRibSettings settings, std::shared_ptr<BgpAttributePool> pool)
    : m_settings(std::move(settings)),
      m_node{m_settings.tier, m_settings.attachesNonTransitive, m_settings.sharesUplinks},
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
    UpdateBelow(up.peer);
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        Compare(number, up);
    }
}

void
BgpRib::SetDown(uint32_t peer, bool retains)
{
    Peer& down = m_peers[peer];
    down.isUp = false;
    UpdateBelow(down.peer);
    const BgpAdjRibOut out = std::exchange(down.out, {});
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        if (out.IsTold(number))
        {
            --m_entries[number].nTold;
        }
        if (retains && down.stale.count(number) == 0 && FindRoute(m_entries[number], peer))
        {
            down.stale.insert(number);
            continue;
        }
        RemoveRoute(number, peer);
        ForgetIfUnused(number);
    }
}

void
BgpRib::RemoveStale(uint32_t peer)
{
    const std::set<uint32_t> stale = m_peers[peer].stale;
    for (const uint32_t number : stale)
    {
        RemoveRoute(number, peer);
        ForgetIfUnused(number);
    }
}

void
BgpRib::SetLeaving(uint32_t peer, bool isLeaving)
{
    Peer& leaving = m_peers[peer];
    if (leaving.peer.isLeaving == isLeaving)
    {
        return;
    }
    leaving.peer.isLeaving = isLeaving;
    leaving.group = FindGroup(leaving.peer);
    MarkRoutesDirty(peer);
    Decide(); // the group may be new, and nothing is to be withdrawn meanwhile
    for (uint32_t number = 0; leaving.isUp && number < m_entries.size(); ++number)
    {
        Compare(number, leaving);
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
    UpdateBelow(m_peers[peer].peer);
    MarkRoutesDirty(peer);
}

void
BgpRib::UpdateBelow(const BgpRibPeer& changed)
{
    if (!m_node.sharesUplinks || !IsAbove(m_node.tier, changed.tier))
    {
        return;
    }
    std::map<uint64_t, double> below; // by node
    for (const Peer& known : m_peers)
    {
        const BgpRibPeer& peer = known.peer;
        if (known.isUp && IsAbove(m_node.tier, peer.tier))
        {
            below[MakeBgpAdvertiser(peer.as, peer.identifier)] += peer.linkBandwidth;
        }
    }
    m_node.below.clear();
    for (const auto& [node, bandwidth] : below)
    {
        m_node.below.push_back(bandwidth);
    }
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        const std::vector<BgpRibPath>& paths = m_entries[number].paths;
        if (!paths.empty() && paths.front().peer != BGP_NO_PEER &&
            IsAbove(m_peers[paths.front().peer].peer.tier, m_node.tier))
        {
            MarkDirty(number);
        }
    }
}

// Prefixes and received routes (Adj-RIBs-In)

std::size_t
BgpRib::PrefixHash::operator()(const BgpPrefix& prefix) const
{
    return static_cast<std::size_t>(MixBits(uint64_t{prefix.length} << 32 | prefix.network));
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

std::optional<uint32_t>
BgpRib::Find(const BgpPrefix& prefix) const
{
    const auto known = m_numbers.find(prefix);
    return known == m_numbers.end() ? std::nullopt : std::make_optional(known->second);
}

void
BgpRib::ForgetIfUnused(uint32_t number)
{
    Entry& entry = m_entries[number];
    if (entry.isDirty || entry.isUsedDirty || entry.nTold > 0 || !entry.routes.empty())
    {
        return;
    }
    const auto known = m_numbers.find(entry.prefix);
    if (known != m_numbers.end() && known->second == number)
    {
        m_numbers.erase(known);
        entry = Entry();
        m_free.push_back(number);
    }
}

std::vector<BgpRib::Route>::const_iterator
BgpRib::FindPlace(const Entry& entry, uint32_t peer)
{
    return std::lower_bound(entry.routes.begin(),
                            entry.routes.end(),
                            peer,
                            [](const Route& route, uint32_t other) { return route.peer < other; });
}

const BgpRib::Route*
BgpRib::FindRoute(const Entry& entry, uint32_t peer)
{
    const auto place = FindPlace(entry, peer);
    return place != entry.routes.end() && place->peer == peer ? &*place : nullptr;
}

void
BgpRib::SetRoute(uint32_t number, Route route)
{
    Entry& entry = m_entries[number];
    const uint32_t peer = route.peer;
    const auto place = entry.routes.begin() + (FindPlace(entry, peer) - entry.routes.cbegin());
    const bool isKnown = place != entry.routes.end() && place->peer == peer;
    if (peer != BGP_NO_PEER)
    {
        m_peers[peer].stale.erase(number);
        m_peers[peer].nReceived += isKnown ? 0 : 1;
    }
    if (!isKnown)
    {
        entry.routes.insert(place, std::move(route));
        MarkDirty(number);
    }
    else if (place->attributes != route.attributes || place->nextHop != route.nextHop)
    {
        *place = std::move(route);
        MarkDirty(number);
    }
}

void
BgpRib::RemoveRoute(uint32_t number, uint32_t peer)
{
    Entry& entry = m_entries[number];
    const auto place = FindPlace(entry, peer);
    if (place == entry.routes.end() || place->peer != peer)
    {
        return;
    }
    entry.routes.erase(place);
    if (peer != BGP_NO_PEER)
    {
        m_peers[peer].stale.erase(number);
        --m_peers[peer].nReceived;
    }
    MarkDirty(number);
}

void
BgpRib::RemoveRoute(const BgpPrefix& prefix, uint32_t peer)
{
    if (const auto number = Find(prefix))
    {
        RemoveRoute(*number, peer);
    }
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

void
BgpRib::MarkRoutesDirty(uint32_t peer)
{
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        if (FindRoute(m_entries[number], peer))
        {
            MarkDirty(number);
        }
    }
}

BgpPathAttributes
BgpRib::Import(const BgpPathAttributes& clean,
               const BgpPolicyResult& result,
               const BgpRibPeer& peer) const
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
    if (m_settings.acceptsGracefulShutdown && peer.as != m_settings.as &&
        HasBgpCommunity(attributes.communities, BGP_GRACEFUL_SHUTDOWN))
    {
        attributes.localPref = 0;
    }
    return attributes;
}

bool
BgpRib::Receive(uint32_t peer, const BgpRouteChanges& changes)
{
    for (const BgpPrefix& prefix : changes.withdrawn)
    {
        RemoveRoute(prefix, peer);
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
    const uint32_t nextHop = announcement.attributes.nextHop;
    BgpPathAttributes base = announcement.attributes;
    base.nextHop = 0;
    if (from.peer.as != m_settings.as)
    {
        base.localPref.reset();
        if (!from.peer.exchangesNonTransitive)
        {
            RemoveForeignCommunities(m_settings.bandwidthFormat.carrier, base.extendedCommunities);
        }
    }
    // RFC 4271, sections 9.1.2 and 6.3: a loop, or the speaker's own address
    const bool isUsable = !base.asPath.Contains(m_settings.as) &&
                          (from.peer.localAddress == 0 || nextHop != from.peer.localAddress);
    // Most policies say the same of all prefixes.
    const BgpPolicyRule* last = nullptr;
    BgpSharedAttributes shared;
    for (const BgpPrefix& prefix : announcement.prefixes)
    {
        const BgpPolicyResult result =
            isUsable ? AskBgpPolicy(from.peer.importPolicy.get(), prefix, base) : BgpPolicyResult();
        if (!isUsable || !result.isAccepted)
        {
            RemoveRoute(prefix, peer); // it has replaced the one before
            continue;
        }
        if (!shared || result.rule != last)
        {
            shared = m_pool->Intern(Import(base, result, from.peer));
            last = result.rule;
        }
        SetRoute(FindOrAdd(prefix), {shared, nextHop, peer});
        if (from.peer.maxPrefixes > 0 && from.nReceived > from.peer.maxPrefixes)
        {
            RemoveRoute(prefix, peer);
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
    RemoveRoute(prefix, BGP_NO_PEER);
}

// The choice (Loc-RIB)

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
            candidate.isLeaving = peer.isLeaving;
        }
    }
    const BandwidthFormat& format = m_settings.bandwidthFormat;
    std::vector<BgpRibPath> paths;
    std::vector<PathBandwidthRoute> weighed;
    for (const std::size_t i : DecideBgpRoutes(candidates, m_settings.decision))
    {
        const Route& route = entry.routes[i];
        paths.push_back({route.peer, route.nextHop, 0});
        if (m_settings.usesPathBandwidth && route.peer != BGP_NO_PEER)
        {
            const BgpRibPeer& peer = m_peers[route.peer].peer;
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
        const PathBandwidthOutcome outcome = WeighPathBandwidths(m_node, weighed);
        change = outcome.advertised;
        for (std::size_t i = 0; i < outcome.weights.size(); ++i)
        {
            paths[i].weight = outcome.weights[i];
        }
    }
    return paths;
}

bool
BgpRib::IsExported(const BgpPathAttributes& best, const BgpRibPeer* from, const Group& group) const
{
    if (group.isInternal && from && from->as == m_settings.as)
    {
        return false; // RFC 4271, section 9.2.1
    }
    if (m_settings.tier == PathBandwidthTier::HOST && from)
    {
        return false; // a host does not forward
    }
    const auto has = [&best](uint32_t community) {
        return HasBgpCommunity(best.communities, community);
    };
    return !has(BGP_NO_ADVERTISE) &&
           (group.isInternal || (!has(BGP_NO_EXPORT) && !has(BGP_NO_EXPORT_SUBCONFED)));
}

BgpSharedAttributes
BgpRib::Export(const Entry& entry, const BandwidthChange& change, const Group& group)
{
    if (entry.paths.empty())
    {
        return nullptr;
    }
    const uint32_t peer = entry.paths.front().peer;
    const BgpRibPeer* const from = peer == BGP_NO_PEER ? nullptr : &m_peers[peer].peer;
    const BgpPathAttributes& best = *FindRoute(entry, peer)->attributes;
    const BgpPolicyResult result = AskBgpPolicy(group.policy.get(), entry.prefix, best);
    if (!result.isAccepted || !IsExported(best, from, group))
    {
        return nullptr;
    }
    BgpPathAttributes attributes = best;
    const bool isLeaving = from && from->isLeaving;
    if (group.isInternal)
    {
        const uint32_t own = attributes.localPref.value_or(m_settings.decision.defaultLocalPref);
        attributes.localPref = isLeaving ? 0 : result.localPref.value_or(own);
    }
    else
    {
        attributes.localPref.reset();
        attributes.originatorId.reset();
        attributes.clusterList.clear();
        if (from)
        {
            attributes.multiExitDisc.reset(); // RFC 4271, section 5.1.4
        }
        RemoveNonTransitive(attributes.extendedCommunities);
        const uint32_t nPrepended = result.rule ? result.rule->nPrepended : 0;
        for (uint32_t i = 0; i <= nPrepended; ++i)
        {
            attributes.asPath.Prepend(m_settings.as);
        }
    }
    if (result.rule)
    {
        ChangeBgpCommunities(*result.rule, attributes.communities);
    }
    if (group.isLeaving || isLeaving)
    {
        AddBgpCommunity(attributes.communities, BGP_GRACEFUL_SHUTDOWN);
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
    const auto number = Find(prefix);
    return number ? m_entries[*number].paths : NONE;
}

BgpSharedAttributes
BgpRib::GetBest(const BgpPrefix& prefix) const
{
    const auto number = Find(prefix);
    if (!number || m_entries[*number].paths.empty())
    {
        return nullptr;
    }
    const Entry& entry = m_entries[*number];
    const Route* const best = FindRoute(entry, entry.paths.front().peer);
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
    // A node of the hash table has a pointer next to its value, and there is a bucket for it.
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
        size += sizeof(Peer) + peer.out.GetMemorySize();
    }
    return size;
}

uint32_t
BgpRib::FindGroup(const BgpRibPeer& peer)
{
    const Group group{peer.as == m_settings.as,
                      peer.exchangesNonTransitive,
                      peer.isLeaving,
                      peer.exportPolicy};
    const auto known = std::find(m_groups.begin(), m_groups.end(), group);
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

const BgpSharedAttributes&
BgpRib::GetWanted(uint32_t number, const Peer& peer) const
{
    static const BgpSharedAttributes NOTHING;
    const std::vector<BgpSharedAttributes>& all = m_entries[number].exported;
    if (peer.group >= all.size() || !all[peer.group])
    {
        return NOTHING;
    }
    const BgpSharedAttributes& exported = all[peer.group];
    const bool isLoop = m_settings.sparesLoops && peer.peer.as != m_settings.as &&
                        exported->asPath.Contains(peer.peer.as);
    return isLoop ? NOTHING : exported;
}

void
BgpRib::Compare(uint32_t number, Peer& peer)
{
    peer.out.Compare(number, GetWanted(number, peer), m_entries.size());
}

void
BgpRib::Refresh(uint32_t peer)
{
    for (const uint32_t number : m_peers[peer].out.MakeStale())
    {
        Compare(number, m_peers[peer]);
    }
}

BgpPeerChanges
BgpRib::TakeChanges(uint32_t peer)
{
    BgpPeerChanges changes;
    Peer& told = m_peers[peer];
    std::unordered_map<const BgpPathAttributes*, BgpSharedAttributes> withNextHop;
    for (const uint32_t number : told.out.TakePending())
    {
        Entry& entry = m_entries[number];
        const BgpSharedAttributes& wanted = GetWanted(number, told);
        entry.nTold += static_cast<uint32_t>(told.out.Tell(number, wanted, m_entries.size()));
        if (!wanted)
        {
            changes.withdrawn.push_back(entry.prefix);
            ForgetIfUnused(number);
            continue;
        }
        BgpSharedAttributes& sent = withNextHop[wanted.get()];
        if (!sent)
        {
            BgpPathAttributes attributes = *wanted;
            attributes.nextHop = told.peer.localAddress;
            sent = std::make_shared<const BgpPathAttributes>(std::move(attributes));
        }
        changes.announced.push_back({entry.prefix, sent});
    }
    return changes;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-rib.h"

#include "../fare/path-bandwidth.h"
#include "bgp-decision.h"
#include "bgp-path-attributes.h"
#include "bgp-policy.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

bool
operator==(const BgpRibPath& a, const BgpRibPath& b)
{
    return a.peer == b.peer && a.nextHop == b.nextHop && a.weight == b.weight;
}

/// Get a route as the decision process sees it.
static BgpCandidate
MakeCandidate(const BgpChoosableRoute& route, const BgpRibSettings& settings)
{
    BgpCandidate candidate;
    candidate.attributes = route.route->attributes.get();
    candidate.isLocal = !route.peer;
    if (route.peer)
    {
        candidate.peerIdentifier = route.peer->identifier;
        candidate.peerAddress = route.peer->address;
        candidate.isExternal = route.peer->as != settings.as;
        candidate.isLeaving = route.peer->isLeaving;
    }
    return candidate;
}

static PathBandwidthRoute
MakeWeighed(const BgpChoosableRoute& route, const BandwidthFormat& format)
{
    const BgpRibPeer& peer = *route.peer;
    return {MakeBgpAdvertiser(peer.as, peer.identifier),
            peer.tier,
            peer.linkBandwidth,
            DecodeBandwidths(route.route->attributes->extendedCommunities, format.subtype)
                .Get(format.carrier)};
}

std::vector<BgpRibPath>
ChooseBgpPaths(const std::vector<BgpChoosableRoute>& routes,
               const BgpRibSettings& settings,
               const PathBandwidthNode& node,
               BandwidthChange& change)
{
    std::vector<BgpCandidate> candidates;
    candidates.reserve(routes.size());
    for (const BgpChoosableRoute& route : routes)
    {
        candidates.push_back(MakeCandidate(route, settings));
    }
    std::vector<BgpRibPath> paths;
    std::vector<PathBandwidthRoute> weighed;
    for (const std::size_t i : DecideBgpRoutes(candidates, settings.decision))
    {
        const BgpReceivedRoute& route = *routes[i].route;
        paths.push_back({route.peer, route.nextHop, 0});
        if (settings.usesPathBandwidth && routes[i].peer)
        {
            weighed.push_back(MakeWeighed(routes[i], settings.bandwidthFormat));
        }
    }
    if (!paths.empty() && paths.front().peer == BGP_NO_PEER)
    {
        change = OriginatePathBandwidth(settings.originBandwidth);
    }
    else if (settings.usesPathBandwidth)
    {
        const PathBandwidthOutcome outcome = WeighPathBandwidths(node, weighed);
        change = outcome.advertised;
        for (std::size_t i = 0; i < outcome.weights.size(); ++i)
        {
            paths[i].weight = outcome.weights[i];
        }
    }
    return paths;
}

namespace
{

/// Leave out what a peer should not have sent (RFC 4360, section 6; RFC 8326). @return the
/// attributes without next hop, before the import policy
BgpPathAttributes CleanBgpImport(const BgpPathAttributes& received,
                                 const BgpRibPeer& peer,
                                 const BgpRibSettings& settings);

/// Get a route in the form in which it is stored. @return the attributes; LOCAL_PREF is 0 if an
/// external peer is about to shut down
BgpPathAttributes ImportBgpRoute(const BgpPathAttributes& clean,
                                 const BgpPolicyResult& result,
                                 const BgpRibPeer& peer,
                                 const BgpRibSettings& settings);

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

} // namespace

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
    for (uint32_t number = 0; number < m_choices.size(); ++number)
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
    for (uint32_t number = 0; number < m_choices.size(); ++number)
    {
        if (out.IsTold(number))
        {
            --m_choices[number].nTold;
        }
        if (retains && !down.stale.Has(number) && m_received.FindRoute(number, peer))
        {
            down.stale.Mark(number);
            continue;
        }
        NoteChange(number, peer, m_received.Remove(number, peer));
        ForgetIfUnused(number);
    }
}

void
BgpRib::RemoveStale(uint32_t peer)
{
    const BgpStaleMarks& stale = m_peers[peer].stale;
    for (uint32_t number = 0; stale.Count() > 0 && number < m_choices.size(); ++number)
    {
        if (stale.Has(number))
        {
            NoteChange(number, peer, m_received.Remove(number, peer));
            ForgetIfUnused(number);
        }
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
    for (uint32_t number = 0; number < m_choices.size(); ++number)
    {
        if (m_received.FindRoute(number, peer))
        {
            MarkDirty(number);
        }
    }
    Decide(); // the group may be new, and nothing is to be withdrawn meanwhile
    for (uint32_t number = 0; leaving.isUp && number < m_choices.size(); ++number)
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
    for (uint32_t number = 0; number < m_choices.size(); ++number)
    {
        if (m_received.FindRoute(number, peer))
        {
            MarkDirty(number);
        }
    }
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
    for (uint32_t number = 0; number < m_choices.size(); ++number)
    {
        const std::vector<BgpRibPath>& paths = m_choices[number].paths;
        if (!paths.empty() && paths.front().peer != BGP_NO_PEER &&
            IsAbove(m_peers[paths.front().peer].peer.tier, m_node.tier))
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
        Remove(prefix, peer);
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
    const BgpPathAttributes base = CleanBgpImport(announcement.attributes, from.peer, m_settings);
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
            Remove(prefix, peer); // it has replaced the one before
            continue;
        }
        if (!shared || result.rule != last)
        {
            shared = m_pool->Intern(ImportBgpRoute(base, result, from.peer, m_settings));
            last = result.rule;
        }
        const uint32_t number = m_received.FindOrAdd(prefix);
        NoteChange(number, peer, m_received.Set(number, {shared, nextHop, peer}));
        if (from.peer.maxPrefixes > 0 && from.nReceived > from.peer.maxPrefixes)
        {
            Remove(prefix, peer);
            return false;
        }
    }
    return true;
}

void
BgpRib::Originate(const BgpPrefix& prefix, BgpPathAttributes attributes)
{
    attributes.nextHop = 0;
    const uint32_t number = m_received.FindOrAdd(prefix);
    NoteChange(number,
               BGP_NO_PEER,
               m_received.Set(number, {m_pool->Intern(std::move(attributes)), 0, BGP_NO_PEER}));
}

void
BgpRib::Withdraw(const BgpPrefix& prefix)
{
    Remove(prefix, BGP_NO_PEER);
}

void
BgpRib::Decide()
{
    const std::vector<uint32_t> dirty = std::exchange(m_dirty, {});
    for (const uint32_t number : dirty)
    {
        Choice& choice = m_choices[number];
        choice.isDirty = false;
        BandwidthChange change;
        std::vector<BgpRibPath> paths = ChoosePaths(number, change);
        if (!(paths == choice.paths))
        {
            choice.paths = std::move(paths);
            choice.paths.shrink_to_fit();
            if (!choice.isUsedDirty)
            {
                choice.isUsedDirty = true;
                m_usedDirty.push_back(number);
            }
        }
        std::vector<bool> isChanged(m_groups.size());
        choice.exported.resize(m_groups.size());
        for (std::size_t group = 0; group < m_groups.size(); ++group)
        {
            BgpSharedAttributes exported = Export(number, change, m_groups[group]);
            isChanged[group] = exported != choice.exported[group];
            choice.exported[group] = std::move(exported);
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
        Choice& choice = m_choices[number];
        choice.isUsedDirty = false;
        prefixes.push_back(m_received.GetPrefix(number));
        ForgetIfUnused(number);
    }
    return prefixes;
}

const std::vector<BgpRibPath>&
BgpRib::GetPaths(const BgpPrefix& prefix) const
{
    static const std::vector<BgpRibPath> NONE;
    const auto number = m_received.Find(prefix);
    return number ? m_choices[*number].paths : NONE;
}

BgpSharedAttributes
BgpRib::GetBest(const BgpPrefix& prefix) const
{
    const std::vector<BgpRibPath>& paths = GetPaths(prefix);
    const BgpReceivedRoute* const best =
        paths.empty() ? nullptr
                      : m_received.FindRoute(*m_received.Find(prefix), paths.front().peer);
    return best ? best->attributes : nullptr;
}

std::vector<BgpPrefix>
BgpRib::GetPrefixes() const
{
    std::vector<BgpPrefix> prefixes;
    for (const uint32_t number : m_received.GetNumbers())
    {
        if (!m_choices[number].paths.empty())
        {
            prefixes.push_back(m_received.GetPrefix(number));
        }
    }
    std::sort(prefixes.begin(), prefixes.end());
    return prefixes;
}

std::size_t
BgpRib::GetMemorySize() const
{
    std::size_t size = m_received.GetMemorySize() + m_choices.capacity() * sizeof(Choice) +
                       (m_dirty.capacity() + m_usedDirty.capacity()) * sizeof(uint32_t);
    for (const Choice& choice : m_choices)
    {
        size += choice.paths.capacity() * sizeof(BgpRibPath) +
                choice.exported.capacity() * sizeof(BgpSharedAttributes);
    }
    for (const Peer& peer : m_peers)
    {
        size += sizeof(Peer) + peer.out.GetMemorySize();
    }
    return size;
}

void
BgpRib::ForgetIfUnused(uint32_t number)
{
    const Choice& choice = m_choices[number];
    if (!choice.isDirty && !choice.isUsedDirty && choice.nTold == 0 && m_received.Forget(number))
    {
        m_choices[number] = Choice();
    }
}

void
BgpRib::NoteChange(uint32_t number, uint32_t peer, BgpAdjRibsIn::Change change)
{
    m_choices.resize(m_received.GetSize());
    if (peer != BGP_NO_PEER)
    {
        m_peers[peer].stale.Clear(number);
    }
    if (change == BgpAdjRibsIn::Change::NONE)
    {
        return;
    }
    if (peer != BGP_NO_PEER && change != BgpAdjRibsIn::Change::REPLACED)
    {
        m_peers[peer].nReceived += change == BgpAdjRibsIn::Change::ADDED ? 1 : -1;
    }
    MarkDirty(number);
}

void
BgpRib::Remove(const BgpPrefix& prefix, uint32_t peer)
{
    if (const auto number = m_received.Find(prefix))
    {
        NoteChange(*number, peer, m_received.Remove(*number, peer));
    }
}

void
BgpRib::MarkDirty(uint32_t number)
{
    if (!m_choices[number].isDirty)
    {
        m_choices[number].isDirty = true;
        m_dirty.push_back(number);
    }
}

std::vector<BgpRibPath>
BgpRib::ChoosePaths(uint32_t number, BandwidthChange& change) const
{
    std::vector<BgpChoosableRoute> routes;
    for (const BgpReceivedRoute& route : m_received.GetRoutes(number))
    {
        routes.push_back({&route, route.peer == BGP_NO_PEER ? nullptr : &m_peers[route.peer].peer});
    }
    return ChooseBgpPaths(routes, m_settings, m_node, change);
}

uint32_t
BgpRib::FindGroup(const BgpRibPeer& peer)
{
    const BgpExportGroup group{peer.as == m_settings.as,
                               peer.exchangesNonTransitive,
                               peer.isLeaving,
                               peer.exportPolicy};
    const auto known = std::find(m_groups.begin(), m_groups.end(), group);
    if (known != m_groups.end())
    {
        return static_cast<uint32_t>(known - m_groups.begin());
    }
    m_groups.push_back(group);
    for (uint32_t number = 0; number < m_choices.size(); ++number)
    {
        if (!m_choices[number].paths.empty())
        {
            MarkDirty(number);
        }
    }
    return static_cast<uint32_t>(m_groups.size() - 1);
}

BgpSharedAttributes
BgpRib::Export(uint32_t number, const BandwidthChange& change, const BgpExportGroup& group)
{
    const std::vector<BgpRibPath>& paths = m_choices[number].paths;
    if (paths.empty())
    {
        return nullptr;
    }
    const uint32_t peer = paths.front().peer;
    const bool isOwn = peer == BGP_NO_PEER;
    auto attributes = ExportBgpRoute({m_received.GetPrefix(number),
                                      *m_received.FindRoute(number, peer)->attributes,
                                      isOwn,
                                      !isOwn && m_peers[peer].peer.as == m_settings.as,
                                      !isOwn && m_peers[peer].peer.isLeaving},
                                     change,
                                     group,
                                     m_settings);
    return attributes ? m_pool->Intern(std::move(*attributes)) : nullptr;
}

const BgpSharedAttributes&
BgpRib::GetWanted(uint32_t number, const Peer& peer) const
{
    static const BgpSharedAttributes NOTHING;
    const std::vector<BgpSharedAttributes>& all = m_choices[number].exported;
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
    peer.out.Compare(number, GetWanted(number, peer), m_choices.size());
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
        Choice& choice = m_choices[number];
        const BgpSharedAttributes& wanted = GetWanted(number, told);
        choice.nTold += static_cast<uint32_t>(told.out.Tell(number, wanted, m_choices.size()));
        if (!wanted)
        {
            changes.withdrawn.push_back(m_received.GetPrefix(number));
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
        changes.announced.push_back({m_received.GetPrefix(number), sent});
    }
    return changes;
}

} // namespace ns3::aidc

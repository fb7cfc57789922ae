/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-table-builder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The groups of next hops of a switch or host, and the group of each FabricAttachment.
struct FabricLeafGroups
{
    std::vector<std::vector<PortIndex>> groups; //!< the ports of each group
    std::vector<std::vector<double>> weights;   //!< the weights of each group, if there are any
    std::vector<uint32_t> ofLeaf; //!< the group of each attachment, or FabricTable::DISCARD

    /// Find the next hops of all shortest paths. @return the groups, in the order of their first
    /// use
    static FabricLeafGroups Find(const FabricDistances& switches,
                                 const FabricDistances::Edges& edges,
                                 const uint8_t* distances,
                                 uint32_t nLeaves)
    {
        // Of each leaf a bit for each edge, in words of 64: whether the edge is a next hop.
        const uint32_t nEdges = edges.n;
        const uint32_t nWords = nEdges / 64 + 1;
        std::vector<uint64_t> bits(std::size_t{nWords} * nLeaves);
        for (uint32_t i = 0; i < nEdges; ++i)
        {
            const uint8_t* peer = switches.GetRow(edges.first[i].peer);
            uint64_t* word = &bits[std::size_t{i / 64} * nLeaves];
            const uint32_t shift = i % 64;
            for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
            {
                word[leaf] |= static_cast<uint64_t>(peer[leaf] + 1 == distances[leaf]) << shift;
            }
        }

        FabricLeafGroups result;
        result.ofLeaf.assign(nLeaves, FabricTable::DISCARD);
        std::map<std::vector<uint64_t>, uint32_t> numbers; // of the groups, by their bits
        std::vector<uint64_t> key(nWords);
        std::vector<uint64_t> lastKey;
        uint32_t lastGroup = 0;
        for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
        {
            if (distances[leaf] == FabricDistances::UNREACHABLE || distances[leaf] == 0)
            {
                continue;
            }
            for (uint32_t word = 0; word < nWords; ++word)
            {
                key[word] = bits[std::size_t{word} * nLeaves + leaf];
            }
            if (key != lastKey)
            {
                lastKey = key;
                const auto nGroups = static_cast<uint32_t>(result.groups.size());
                const auto [it, isNew] = numbers.emplace(key, nGroups);
                lastGroup = it->second;
                if (isNew)
                {
                    auto& ports = result.groups.emplace_back();
                    for (uint32_t i = 0; i < nEdges; ++i)
                    {
                        if (key[i / 64] >> (i % 64) & 1)
                        {
                            ports.push_back(edges.first[i].port);
                        }
                    }
                }
            }
            result.ofLeaf[leaf] = lastGroup;
        }
        return result;
    }

    /// Make the groups of a routing protocol's next hops.
    static FabricLeafGroups Take(const FabricNextHops& nextHops)
    {
        FabricLeafGroups result;
        for (const auto& group : nextHops.groups)
        {
            result.groups.push_back(group.ports);
            result.weights.push_back(group.weights);
        }
        for (const auto& way : nextHops.attachments)
        {
            const bool isRoute = way.distance != 0 && way.distance != FabricNextHops::UNREACHABLE;
            result.ofLeaf.push_back(isRoute ? way.group : FabricTable::DISCARD);
        }
        return result;
    }
};

/// Find the group that occurs most often. @param groups the groups; DISCARD is one too @return the
/// group, of several the one that comes first, and how often it occurs; 0 of nothing
std::pair<uint32_t, uint32_t>
FindCommonest(const std::vector<uint32_t>& groups)
{
    if (groups.empty())
    {
        return {FabricTable::DISCARD, 0};
    }
    const auto nFirst = std::count(groups.begin(), groups.end(), groups[0]);
    if (2 * static_cast<std::size_t>(nFirst) >= groups.size())
    {
        return {groups[0], static_cast<uint32_t>(nFirst)}; // nearly always
    }
    std::map<uint32_t, uint32_t> counts;
    uint32_t most = 0;
    for (const uint32_t group : groups)
    {
        most = std::max(most, ++counts[group]);
    }
    const auto commonest = *std::find_if(groups.begin(), groups.end(), [&](uint32_t group) {
        return counts[group] == most;
    });
    return {commonest, most};
}

} // namespace

FabricTableBuilder::FabricTableBuilder(const FabricPlan& fabric,
                                       const FabricDistances& distances,
                                       const DetachedHosts& detached,
                                       NodeIndex node,
                                       const FabricNextHops* nextHops)
    : m_fabric(fabric),
      m_switches(distances),
      m_detached(detached),
      m_node(node),
      m_isHost(fabric.IsHost(node)),
      m_nextHops(nextHops)
{
    const auto& attachments = fabric.GetAttachments();
    for (uint32_t column = 0; column < attachments.size(); ++column)
    {
        if (attachments[column].pod == m_podBegin.size())
        {
            m_podBegin.push_back(column);
        }
    }
    m_podBegin.push_back(static_cast<uint32_t>(attachments.size()));
    if (!m_isHost)
    {
        const uint32_t row = m_switches.GetRowOf(node);
        m_edges = m_switches.GetEdges(row);
        m_distances = m_switches.GetRow(row);
    }
    else
    {
        m_hostEdges = m_switches.GetEdgesOfHost(node);
        m_edges = {m_hostEdges.data(), static_cast<uint32_t>(m_hostEdges.size())};
    }
    if (!m_isHost && !nextHops)
    {
        return;
    }
    for (uint32_t column = 0; column < attachments.size(); ++column)
    {
        m_ownDistances.push_back(nextHops ? nextHops->attachments[column].distance
                                          : GetDistance([this, column](uint32_t row) {
                                                return m_switches.GetRow(row)[column];
                                            }));
    }
    m_distances = m_ownDistances.data();
}

template <typename GetRow>
uint8_t
FabricTableBuilder::GetDistance(GetRow getRow) const
{
    if (!m_isHost)
    {
        return getRow(m_switches.GetRowOf(m_node));
    }
    uint8_t nearest = UNREACHABLE;
    for (const Edge& edge : m_edges)
    {
        if (m_switches.IsLinkUp(edge.link))
        {
            nearest = std::min(nearest, getRow(edge.peer));
        }
    }
    return nearest == UNREACHABLE ? UNREACHABLE : static_cast<uint8_t>(nearest + 1);
}

FabricTableBuilder::Choice
FabricTableBuilder::ChoosePod(uint32_t pod, const std::vector<uint32_t>& groups) const
{
    std::vector<uint32_t> others; // the groups of the pod's leaves, but of the switch itself
    uint32_t nLeaves = 0;
    bool isLeaf = false;
    bool isNeighbour = false;
    for (uint32_t column = m_podBegin[pod]; column < m_podBegin[pod + 1]; ++column)
    {
        const bool isOneLeaf = m_fabric.GetAttachments()[column].leaves.size() == 1;
        nLeaves += isOneLeaf ? 1 : 0;
        if (m_distances[column] == 0)
        {
            isLeaf = isLeaf || isOneLeaf;
            continue;
        }
        others.push_back(groups[column]);
        isNeighbour = isNeighbour || (isOneLeaf && m_distances[column] == 1);
    }
    const auto [group, count] = FindCommonest(others);
    if (nLeaves == 2 && isLeaf && isNeighbour)
    {
        return {FabricTable::DISCARD, false}; // two leaves could send to each other for ever
    }
    if (count == others.size())
    {
        return {group, true, others.empty()};
    }
    return {count > 1 ? group : FabricTable::DISCARD, m_isHost};
}

FabricTableBuilder::Choice
FabricTableBuilder::ChooseDefault(uint32_t pod, const std::vector<Choice>& pods)
{
    std::vector<uint32_t> groups;
    for (const auto& choice : pods)
    {
        if (choice.group != FabricTable::DISCARD)
        {
            groups.push_back(choice.group);
        }
    }
    const auto [group, count] = FindCommonest(groups);
    if (pod == NO_POD || count < 2)
    {
        return {FabricTable::DISCARD, false};
    }
    bool isUniform = true;
    for (uint32_t i = 0; i < pods.size(); ++i)
    {
        isUniform &= i == pod || pods[i].isOwn || (pods[i].isUniform && pods[i].group == group);
    }
    return {group, isUniform};
}

FabricNextHops::Group
FabricTableBuilder::GetGroupTo(NodeIndex host) const
{
    if (m_nextHops)
    {
        return m_nextHops->groups[m_nextHops->hosts.at(host).group];
    }
    const auto& distances = m_detached.at(host);
    const uint8_t own = GetDistance([&distances](uint32_t row) { return distances[row]; });
    FabricNextHops::Group group;
    for (const Edge& edge : m_edges)
    {
        if (own != UNREACHABLE && distances[edge.peer] + 1 == own)
        {
            group.ports.push_back(edge.port);
        }
    }
    return group;
}

bool
FabricTableBuilder::IsElsewhere(NodeIndex host) const
{
    const auto detached = m_detached.find(host);
    return detached != m_detached.end() &&
           (m_isHost || detached->second[m_switches.GetRowOf(m_node)] != 0);
}

void
FabricTableBuilder::AddHost(NodeIndex host,
                            const FabricNextHops::Group& group,
                            FabricTable& table) const
{
    uint32_t index = 0;
    const auto isSame = [&](uint32_t i) {
        return table.groups[i] == group.ports &&
               (table.weights.empty() || table.weights[i] == group.weights);
    };
    while (index < table.groups.size() && !isSame(index))
    {
        ++index;
    }
    if (group.ports.empty())
    {
        index = FabricTable::DISCARD;
    }
    else if (index == table.groups.size())
    {
        table.groups.push_back(group.ports);
        if (m_nextHops)
        {
            table.weights.push_back(group.weights);
        }
    }
    table.routes.push_back({m_fabric.GetAddress(host), 32, index});
}

void
FabricTableBuilder::AddOwnHosts(uint32_t column, FabricTable& table) const
{
    const auto& ports = m_fabric.GetPorts(m_node);
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        const NodeIndex host = ports[port].peer;
        if (m_fabric.IsSwitch(host) || m_fabric.GetAttachment(host) != column || IsElsewhere(host))
        {
            continue;
        }
        FabricNextHops::Group own{{port}, {}};
        if (m_fabric.HasSeveralLinks(host))
        {
            own.ports.clear();
            for (PortIndex i; i < ports.GetEnd(); ++i)
            {
                if (ports[i].peer == host)
                {
                    own.ports.push_back(i);
                }
            }
        }
        if (own.ports.front() == port)
        {
            AddHost(host, own, table);
        }
    }
}

void
FabricTableBuilder::AddDetachedHosts(uint32_t column, uint32_t group, FabricTable& table) const
{
    const auto isAggregated = [&](const FabricNextHops::Group& other) {
        return group == FabricTable::DISCARD
                   ? other.ports.empty()
                   : table.groups[group] == other.ports &&
                         (table.weights.empty() || table.weights[group] == other.weights);
    };
    for (const auto& [host, distances] : m_detached)
    {
        // Without a route of its own, a host has that of its prefix.
        const bool isKnown = !m_nextHops || m_nextHops->hosts.at(host).distance != UNREACHABLE;
        if (host != m_node && m_fabric.GetAttachment(host) == column && IsElsewhere(host) &&
            isKnown)
        {
            const auto to = GetGroupTo(host);
            if (!isAggregated(to))
            {
                AddHost(host, to, table);
            }
        }
    }
}

FabricTable
FabricTableBuilder::GetOwnTable() const
{
    FabricTable table;
    for (uint32_t column = 0; column < m_fabric.GetAttachments().size(); ++column)
    {
        if (m_distances[column] == 0)
        {
            const FabricPrefix prefix = m_fabric.GetAttachmentPrefix(column);
            table.routes.push_back({prefix.network, prefix.length, FabricTable::DISCARD});
            AddOwnHosts(column, table);
        }
    }
    return table;
}

FabricTable
FabricTableBuilder::GetTable() const
{
    FabricLeafGroups leafGroups =
        m_nextHops
            ? FabricLeafGroups::Take(*m_nextHops)
            : FabricLeafGroups::Find(m_switches,
                                     m_edges,
                                     m_distances,
                                     static_cast<uint32_t>(m_fabric.GetAttachments().size()));
    FabricTable table;
    table.groups = std::move(leafGroups.groups);
    table.weights = std::move(leafGroups.weights);
    const auto& groups = leafGroups.ofLeaf;

    std::vector<Choice> pods;
    for (uint32_t pod = 0; pod + 1 < m_podBegin.size(); ++pod)
    {
        pods.push_back(ChoosePod(pod, groups));
    }
    const Choice all = ChooseDefault(m_fabric.GetNode(m_node).pod, pods);
    if (all.group != FabricTable::DISCARD)
    {
        table.routes.push_back({0, 0, all.group});
    }
    for (uint32_t pod = 0; pod < pods.size(); ++pod)
    {
        const FabricPrefix prefix = m_fabric.GetPodPrefix(pod);
        const Choice& choice = pods[pod];
        const uint32_t end = m_podBegin[pod + 1];
        FabricPrefix leafPrefix;
        if (choice.group != all.group || choice.group == FabricTable::DISCARD)
        {
            table.routes.push_back({prefix.network, prefix.length, choice.group});
        }
        for (uint32_t column = m_podBegin[pod]; column < end; ++column)
        {
            leafPrefix = m_fabric.GetAttachmentPrefix(column);
            if (groups[column] != choice.group)
            {
                table.routes.push_back({leafPrefix.network, leafPrefix.length, groups[column]});
            }
            const auto first = static_cast<std::ptrdiff_t>(table.routes.size());
            if (m_distances[column] == 0)
            {
                AddOwnHosts(column, table);
            }
            AddDetachedHosts(column, groups[column], table);
            std::sort(
                table.routes.begin() + first,
                table.routes.end(),
                [](const FabricRoute& a, const FabricRoute& b) { return a.network < b.network; });
        }
        if (!choice.isUniform && choice.group != FabricTable::DISCARD)
        {
            table.DiscardBeyond(prefix, leafPrefix.length, end - m_podBegin[pod]);
        }
    }
    if (!all.isUniform && all.group != FabricTable::DISCARD && !m_isHost)
    {
        const FabricPrefix first = m_fabric.GetPodPrefix(0);
        table.DiscardBeyond({first.network, 8}, first.length, static_cast<uint32_t>(pods.size()));
    }
    return table;
}

} // namespace ns3::aidc

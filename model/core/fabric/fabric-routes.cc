/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-routes.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Find the group that occurs most often.
 * @param groups the groups; DISCARD is one too
 * @return the group, of several the one that comes first, and how often it occurs; 0 of nothing
 */
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

/**
 * @brief Discard the numbers beyond the last one in use.
 * @param prefix the prefix in which things are numbered
 * @param itemLength the length of the prefix of a thing
 * @param used how many numbers are in use, at least 1
 * @param table the table that gets the routes
 */
void
DiscardBeyond(const FabricPrefix& prefix, uint8_t itemLength, uint32_t used, FabricTable& table)
{
    // The largest aligned blocks: 5 to 15 of 16 are 5, 6 and 7, 8 to 15.
    const uint32_t end = 1U << (itemLength - prefix.length);
    while (used < end)
    {
        uint32_t block = 1;
        uint8_t length = itemLength;
        for (; used % (2 * block) == 0; block *= 2)
        {
            --length;
        }
        const uint32_t network = prefix.network | used << (32U - itemLength);
        table.routes.push_back({network, length, FabricTable::DISCARD});
        used += block;
    }
}

} // namespace

FabricRoutes::FabricRoutes(const FabricPlan& fabric)
    : m_fabric(fabric),
      m_nLeaves(static_cast<uint32_t>(fabric.GetLeaves().size())),
      m_rows(fabric.GetNNodes()),
      m_columns(fabric.GetNNodes()),
      m_isUp(fabric.GetLinks().size(), 1),
      m_distances(fabric.GetSwitches().size() * m_nLeaves, UNREACHABLE)
{
    const auto& switches = fabric.GetSwitches();
    for (uint32_t row = 0; row < switches.size(); ++row)
    {
        m_rows[switches[row]] = row;
    }
    for (uint32_t leaf = 0; leaf < m_nLeaves; ++leaf)
    {
        const NodeIndex node = fabric.GetLeaves()[leaf];
        m_columns[node] = leaf;
        if (fabric.GetNode(node).pod == m_podBegin.size())
        {
            m_podBegin.push_back(leaf);
        }
    }
    m_podBegin.push_back(m_nLeaves);

    for (const NodeIndex node : switches)
    {
        m_edgeBegin.push_back(static_cast<uint32_t>(m_edges.size()));
        const auto& ports = fabric.GetPorts(node);
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            if (fabric.IsSwitch(ports[port].peer))
            {
                m_edges.push_back({m_rows[ports[port].peer], ports[port].link, port});
            }
        }
    }
    m_edgeBegin.push_back(static_cast<uint32_t>(m_edges.size()));

    std::vector<uint32_t> all(m_nLeaves);
    std::iota(all.begin(), all.end(), 0);
    Update(all);
    const auto farthest = std::find(m_distances.begin(), m_distances.end(), UNREACHABLE);
    if (farthest != m_distances.end())
    {
        const auto row = static_cast<std::size_t>(farthest - m_distances.begin()) / m_nLeaves;
        throw std::invalid_argument("node " + std::to_string(switches[row].value) +
                                    ": expected paths of at most 254 links to all leaves, found a "
                                    "longer one");
    }
}

void
FabricRoutes::Search(uint32_t leaf)
{
    ++m_nSearches;
    m_found.assign(m_fabric.GetSwitches().size(), UNREACHABLE);
    m_queue.assign(1, m_rows[m_fabric.GetLeaves()[leaf]]);
    m_found[m_queue[0]] = 0;
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        const uint32_t row = m_queue[i];
        const auto distance = static_cast<uint8_t>(m_found[row] + 1);
        if (distance == UNREACHABLE)
        {
            return; // the others are as far or farther
        }
        for (uint32_t e = m_edgeBegin[row]; e < m_edgeBegin[row + 1]; ++e)
        {
            const Edge& edge = m_edges[e];
            if (m_found[edge.peer] == UNREACHABLE && m_isUp[edge.link])
            {
                m_found[edge.peer] = distance;
                m_queue.push_back(edge.peer);
            }
        }
    }
}

bool
FabricRoutes::HasLivePeerAt(uint32_t row, uint32_t leaf, uint8_t distance) const
{
    for (uint32_t e = m_edgeBegin[row]; e < m_edgeBegin[row + 1]; ++e)
    {
        const Edge& edge = m_edges[e];
        if (m_isUp[edge.link] && GetRow(edge.peer)[leaf] == distance)
        {
            return true;
        }
    }
    return false;
}

std::vector<NodeIndex>
FabricRoutes::Update(const std::vector<uint32_t>& leaves)
{
    const auto& switches = m_fabric.GetSwitches();
    std::vector<bool> isTouched(switches.size());
    for (const uint32_t leaf : leaves)
    {
        Search(leaf);
        for (uint32_t row = 0; row < switches.size(); ++row)
        {
            uint8_t& distance = m_distances[std::size_t{row} * m_nLeaves + leaf];
            if (distance == m_found[row])
            {
                continue;
            }
            distance = m_found[row];
            // Its next hops depend on the distance, and those of its neighbours.
            isTouched[row] = true;
            for (uint32_t e = m_edgeBegin[row]; e < m_edgeBegin[row + 1]; ++e)
            {
                isTouched[m_edges[e].peer] = true;
            }
        }
    }
    std::vector<NodeIndex> touched;
    for (uint32_t row = 0; row < switches.size(); ++row)
    {
        if (isTouched[row])
        {
            touched.push_back(switches[row]);
        }
    }
    return touched;
}

std::vector<NodeIndex>
FabricRoutes::FailLink(LinkIndex link)
{
    if (!m_isUp[link])
    {
        return {};
    }
    m_isUp[link] = 0;
    std::vector<uint32_t> leaves;
    const auto [rowA, rowB] = GetRowsOf(link);
    for (uint32_t leaf = 0; leaf < m_nLeaves; ++leaf)
    {
        const uint8_t a = GetRow(rowA)[leaf];
        const uint8_t b = GetRow(rowB)[leaf];
        // Distances grow if the farther end has no other port to a switch that is as close.
        if (a != b && !HasLivePeerAt(a > b ? rowA : rowB, leaf, std::min(a, b)))
        {
            leaves.push_back(leaf);
        }
    }
    return Update(leaves);
}

std::vector<NodeIndex>
FabricRoutes::RestoreLink(LinkIndex link)
{
    if (m_isUp[link])
    {
        return {};
    }
    m_isUp[link] = 1;
    std::vector<uint32_t> leaves;
    const auto [rowA, rowB] = GetRowsOf(link);
    for (uint32_t leaf = 0; leaf < m_nLeaves; ++leaf)
    {
        // Distances shrink if one end gets closer to the leaf over the other one.
        if (std::abs(GetRow(rowA)[leaf] - GetRow(rowB)[leaf]) > 1)
        {
            leaves.push_back(leaf);
        }
    }
    return Update(leaves);
}

std::pair<uint32_t, uint32_t>
FabricRoutes::GetRowsOf(LinkIndex link) const
{
    const NodeIndex a = m_fabric.GetLinks()[link].a;
    const NodeIndex b = m_fabric.GetLinks()[link].b;
    return {m_rows[m_fabric.IsHost(a) ? b : a], m_rows[m_fabric.IsHost(b) ? a : b]};
}

bool
FabricRoutes::IsLinkUp(LinkIndex link) const
{
    return m_isUp[link] != 0;
}

uint64_t
FabricRoutes::GetNSearches() const
{
    return m_nSearches;
}

FabricRoutes::LeafGroups
FabricRoutes::GetLeafGroups(uint32_t row) const
{
    // Of each leaf a bit for each edge, in words of 64: whether the edge is a next hop.
    const uint32_t begin = m_edgeBegin[row];
    const uint32_t nEdges = m_edgeBegin[row + 1] - begin;
    const uint32_t nWords = nEdges / 64 + 1;
    const uint8_t* distances = GetRow(row);
    std::vector<uint64_t> bits(std::size_t{nWords} * m_nLeaves);
    for (uint32_t i = 0; i < nEdges; ++i)
    {
        const uint8_t* peer = GetRow(m_edges[begin + i].peer);
        uint64_t* word = &bits[std::size_t{i / 64} * m_nLeaves];
        const uint32_t shift = i % 64;
        for (uint32_t leaf = 0; leaf < m_nLeaves; ++leaf)
        {
            word[leaf] |= static_cast<uint64_t>(peer[leaf] + 1 == distances[leaf]) << shift;
        }
    }

    LeafGroups result;
    result.ofLeaf.assign(m_nLeaves, FabricTable::DISCARD);
    std::map<std::vector<uint64_t>, uint32_t> numbers; // of the groups, by their bits
    std::vector<uint64_t> key(nWords);
    std::vector<uint64_t> lastKey;
    uint32_t lastGroup = 0;
    for (uint32_t leaf = 0; leaf < m_nLeaves; ++leaf)
    {
        if (distances[leaf] == UNREACHABLE || distances[leaf] == 0)
        {
            continue;
        }
        for (uint32_t word = 0; word < nWords; ++word)
        {
            key[word] = bits[std::size_t{word} * m_nLeaves + leaf];
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
                        ports.push_back(m_edges[begin + i].port);
                    }
                }
            }
        }
        result.ofLeaf[leaf] = lastGroup;
    }
    return result;
}

FabricRoutes::Choice
FabricRoutes::ChoosePod(uint32_t row, uint32_t pod, const std::vector<uint32_t>& groups) const
{
    std::vector<uint32_t> others; // the groups of the pod's leaves, but of the switch itself
    bool isNeighbour = false;
    for (uint32_t leaf = m_podBegin[pod]; leaf < m_podBegin[pod + 1]; ++leaf)
    {
        if (GetRow(row)[leaf] != 0)
        {
            others.push_back(groups[leaf]);
            isNeighbour = GetRow(row)[leaf] == 1;
        }
    }
    const uint32_t nLeaves = m_podBegin[pod + 1] - m_podBegin[pod];
    const auto [group, count] = FindCommonest(others);
    if (others.size() == 1 && nLeaves == 2 && isNeighbour)
    {
        return {FabricTable::DISCARD, false}; // two leaves could send to each other for ever
    }
    if (count == others.size())
    {
        return {group, true};
    }
    return {count > 1 ? group : FabricTable::DISCARD, false};
}

FabricRoutes::Choice
FabricRoutes::ChooseDefault(uint32_t pod, const std::vector<Choice>& pods)
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
        isUniform &= i == pod || (pods[i].isUniform && pods[i].group == group);
    }
    return {group, isUniform};
}

void
FabricRoutes::AddHosts(NodeIndex node, FabricTable& table) const
{
    const auto first = table.routes.size();
    const auto& ports = m_fabric.GetPorts(node);
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        if (m_fabric.IsHost(ports[port].peer))
        {
            const auto group = static_cast<uint32_t>(table.groups.size());
            table.groups.push_back({port});
            table.routes.push_back({m_fabric.GetAddress(ports[port].peer), 32, group});
        }
    }
    std::sort(table.routes.begin() + static_cast<std::ptrdiff_t>(first),
              table.routes.end(),
              [](const FabricRoute& a, const FabricRoute& b) { return a.network < b.network; });
}

FabricTable
FabricRoutes::GetTable(NodeIndex node) const
{
    const uint32_t row = m_rows[node];
    LeafGroups leafGroups = GetLeafGroups(row);
    FabricTable table;
    table.groups = std::move(leafGroups.groups);
    const auto& groups = leafGroups.ofLeaf;

    std::vector<Choice> pods;
    for (uint32_t pod = 0; pod < m_fabric.GetNPods(); ++pod)
    {
        pods.push_back(ChoosePod(row, pod, groups));
    }
    const Choice all = ChooseDefault(m_fabric.GetNode(node).pod, pods);
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
        for (uint32_t leaf = m_podBegin[pod]; leaf < end; ++leaf)
        {
            const NodeIndex leafNode = m_fabric.GetLeaves()[leaf];
            leafPrefix = m_fabric.GetLeafPrefix(leafNode);
            if (groups[leaf] != choice.group)
            {
                table.routes.push_back({leafPrefix.network, leafPrefix.length, groups[leaf]});
            }
            if (leafNode == node)
            {
                AddHosts(node, table);
            }
        }
        if (!choice.isUniform && choice.group != FabricTable::DISCARD)
        {
            DiscardBeyond(prefix, leafPrefix.length, end - m_podBegin[pod], table);
        }
    }
    if (!all.isUniform && all.group != FabricTable::DISCARD)
    {
        const FabricPrefix first = m_fabric.GetPodPrefix(0);
        DiscardBeyond({first.network, 8}, first.length, m_fabric.GetNPods(), table);
    }
    return table;
}

std::vector<FabricLink>
FabricRoutes::GetPath(NodeIndex source, NodeIndex destination) const
{
    const auto& links = m_fabric.GetLinks();
    const uint32_t leaf = m_columns[m_fabric.GetLeaf(destination)];
    uint32_t row = m_rows[m_fabric.GetLeaf(source)];
    if (GetRow(row)[leaf] == UNREACHABLE)
    {
        return {};
    }
    std::vector<FabricLink> path{links[m_fabric.GetPorts(source).front().link]};
    while (GetRow(row)[leaf] > 0)
    {
        const Edge* fastest = nullptr;
        for (uint32_t i = m_edgeBegin[row]; i < m_edgeBegin[row + 1]; ++i)
        {
            const Edge& edge = m_edges[i];
            const bool leadsOn =
                m_isUp[edge.link] && GetRow(edge.peer)[leaf] + 1 == GetRow(row)[leaf];
            if (leadsOn && (!fastest || links[edge.link].rate > links[fastest->link].rate))
            {
                fastest = &edge;
            }
        }
        path.push_back(links[fastest->link]);
        row = fastest->peer;
    }
    path.push_back(links[m_fabric.GetPorts(destination).front().link]);
    return path;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-graph.h"

#include "dependency-order.h"

#include <algorithm>
#include <string>

namespace ns3::aidc
{

ChakraGraph::ChakraGraph(uint32_t rank, const ChakraTrace& trace, bool waitsForControl)
    : m_rank(rank)
{
    for (const ChakraNode& node : trace.nodes)
    {
        m_nodes.push_back(&node);
    }
    std::stable_sort(m_nodes.begin(), m_nodes.end(), [](const ChakraNode* a, const ChakraNode* b) {
        return a->id < b->id;
    });
    const auto twice =
        std::adjacent_find(m_nodes.begin(),
                           m_nodes.end(),
                           [](const ChakraNode* a, const ChakraNode* b) { return a->id == b->id; });
    if (twice != m_nodes.end())
    {
        throw ChakraError(rank, **twice, "has an id that another node has");
    }
    for (const ChakraNode* const node : m_nodes)
    {
        std::vector<uint32_t> after;
        Find(node->dataDependencies, *node, false, after);
        if (waitsForControl)
        {
            Find(node->controlDependencies, *node, true, after);
        }
        std::sort(after.begin(), after.end());
        after.erase(std::unique(after.begin(), after.end()), after.end());
        m_after.push_back(std::move(after));
    }
    CheckOrder();
}

void
ChakraGraph::Find(const std::vector<uint64_t>& ids,
                  const ChakraNode& node,
                  bool isControl,
                  std::vector<uint32_t>& after)
{
    for (const uint64_t id : ids)
    {
        const auto place = std::lower_bound(
            m_nodes.begin(),
            m_nodes.end(),
            id,
            [](const ChakraNode* other, uint64_t value) { return other->id < value; });
        if (place != m_nodes.end() && (*place)->id == id)
        {
            after.push_back(static_cast<uint32_t>(place - m_nodes.begin()));
        }
        else if (isControl)
        {
            ++m_nMissing;
        }
        else
        {
            throw ChakraError(m_rank,
                              node,
                              "depends on node " + std::to_string(id) + ", which there is not");
        }
    }
}

void
ChakraGraph::CheckOrder() const
{
    std::vector<uint32_t> cycle;
    SortByDependencies(m_after, cycle);
    if (!cycle.empty())
    {
        const uint32_t next = cycle.size() > 1 ? cycle[1] : cycle[0];
        throw ChakraError(m_rank,
                          *m_nodes[cycle[0]],
                          "waits for itself: it is one of " + std::to_string(cycle.size()) +
                              " nodes that depend on each other, and depends on node " +
                              std::to_string(m_nodes[next]->id));
    }
}

std::vector<uint32_t>
ChakraGraph::Sort(const std::vector<bool>& isWanted) const
{
    // The others get lower numbers, so that they come as soon as they can, and no wanted node waits
    // for one of them that stands after it by chance
    std::vector<uint32_t> nodes;
    for (const bool wanted : {false, true})
    {
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            if (isWanted[node] == wanted)
            {
                nodes.push_back(node);
            }
        }
    }
    std::vector<uint32_t> numbers(m_nodes.size());
    for (uint32_t number = 0; number < nodes.size(); ++number)
    {
        numbers[nodes[number]] = number;
    }
    std::vector<std::vector<uint32_t>> after;
    for (const uint32_t node : nodes)
    {
        after.emplace_back();
        for (const uint32_t other : m_after[node])
        {
            after.back().push_back(numbers[other]);
        }
    }
    std::vector<uint32_t> cycle;
    std::vector<uint32_t> sorted;
    for (const uint32_t number : SortByDependencies(after, cycle))
    {
        if (isWanted[nodes[number]])
        {
            sorted.push_back(nodes[number]);
        }
    }
    return sorted;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-leaf-groups.h"

#include "fabric-table.h"

#include <cstddef>
#include <map>

namespace ns3::aidc
{

FabricLeafGroups
FabricLeafGroups::Find(const FabricDistances& switches,
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

FabricLeafGroups
FabricLeafGroups::Take(const FabricNextHops& nextHops)
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

} // namespace ns3::aidc

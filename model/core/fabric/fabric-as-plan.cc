/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-as-plan.h"

#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

namespace ns3::aidc
{

FabricAsPlan::FabricAsPlan(const FabricPlan& fabric, uint32_t first)
    : m_numbers(fabric.GetNNodes())
{
    for (const NodeIndex host : fabric.GetHosts())
    {
        m_numbers[host] = FABRIC_HOST_AS;
    }
    // Spines without a pod are below no super-spines; all those of a tier without pod share an AS.
    // The order of the keys is that of the numbers.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
    const auto getKey = [&fabric](NodeIndex node) -> Key {
        const FabricNode& plan = fabric.GetNode(node);
        switch (plan.tier)
        {
        case FabricTier::LEAF:
            return {2, fabric.GetAttachment(node), 0};
        case FabricTier::SPINE:
            return {plan.pod == NO_POD ? 0 : 1, plan.pod, 0};
        default:
            return {0, NO_POD, 1};
        }
    };
    std::map<Key, uint32_t> numbers;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        numbers[getKey(node)] = 0;
    }
    const auto n = static_cast<uint32_t>(numbers.size());
    if (first < FIRST_PRIVATE_AS || first > LAST_PRIVATE_AS || n - 1 > LAST_PRIVATE_AS - first)
    {
        throw std::invalid_argument("expected " + std::to_string(n) + " AS numbers from " +
                                    std::to_string(FIRST_PRIVATE_AS) + " to " +
                                    std::to_string(LAST_PRIVATE_AS) + ", found " +
                                    std::to_string(first) + " as the first one");
    }
    uint32_t next = first;
    for (auto& [key, number] : numbers)
    {
        number = next++;
    }
    for (const NodeIndex node : fabric.GetSwitches())
    {
        m_numbers[node] = numbers[getKey(node)];
    }
    for (const FabricLink& link : fabric.GetLinks())
    {
        if (fabric.IsSwitch(link.a) && m_numbers[link.a] == m_numbers[link.b])
        {
            throw std::invalid_argument(
                "expected links between tiers, as a Clos network has, found one between " +
                fabric.GetNodeName(link.a) + " and " + fabric.GetNodeName(link.b) +
                ", which share an AS");
        }
    }
}

} // namespace ns3::aidc

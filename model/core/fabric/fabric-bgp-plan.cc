// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-bgp-plan.h"

#include "../require-argument.h"

#include <algorithm>
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
    // Spines without a pod are below no super-spines; the switches of a tier without pods share an
    // AS. The keys are in the order of the numbers.
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
    AIDC_REQUIRE(first >= FIRST_PRIVATE_AS && first <= LAST_PRIVATE_AS &&
                     n - 1 <= LAST_PRIVATE_AS - first,
                 "expected " + std::to_string(n) + " AS numbers from " +
                     std::to_string(FIRST_PRIVATE_AS) + " to " + std::to_string(LAST_PRIVATE_AS) +
                     ", found " + std::to_string(first) + " as the first one");
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

namespace
{

/// Write a prefix. @return such as 100.64.0.0/10
std::string
Print(const FabricPrefix& prefix)
{
    std::string text;
    for (const uint32_t shift : {24, 16, 8, 0})
    {
        text += std::to_string(prefix.network >> shift & 0xff) + (shift > 0 ? "." : "/");
    }
    return text + std::to_string(prefix.length);
}

bool
Overlap(const FabricPrefix& a, const FabricPrefix& b)
{
    const uint32_t length = std::min(a.length, b.length);
    return length == 0 || (a.network ^ b.network) >> (32 - length) == 0;
}

} // namespace

FabricLinkAddresses::FabricLinkAddresses(const FabricPlan& fabric,
                                         const FabricPrefix& network,
                                         bool hasHosts)
    : m_fabric(fabric),
      m_first(fabric.GetLinks().size())
{
    AIDC_REQUIRE(network.length >= 1 && network.length <= 31 &&
                     (network.network & (0xffffffffU >> network.length)) == 0,
                 "expected a network of 1 to 31 bits for links, and zeros behind them, found " +
                     Print(network));
    for (const FabricPrefix& other : {fabric.GetNetworks().leaves, fabric.GetNetworks().spines})
    {
        AIDC_REQUIRE(!Overlap(network, other),
                     "expected a network for links apart from " + Print(other) + ", found " +
                         Print(network));
    }
    const auto has = [&fabric, hasHosts](NodeIndex node) {
        return fabric.IsSwitch(node) || (hasHosts && fabric.HasSeveralLinks(node));
    };
    for (LinkIndex link; link < fabric.GetLinks().GetEnd(); ++link)
    {
        if (has(fabric.GetLinks()[link].a) && has(fabric.GetLinks()[link].b))
        {
            m_first[link] = network.network + 2 * static_cast<uint32_t>(m_links.size());
            m_links.push_back(link);
        }
    }
    const uint64_t capacity = uint64_t{1} << (31U - network.length);
    AIDC_REQUIRE(m_links.size() <= capacity,
                 "expected a network for " + std::to_string(m_links.size()) + " links, found " +
                     Print(network) + " for " + std::to_string(capacity));
}

} // namespace ns3::aidc

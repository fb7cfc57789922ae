/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "next-hop-groups.h"

#include "../core/require-argument.h"

#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/virtual-net-device.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

/// Compare what a group leads to with next hops. @return whether they are the same, in the same
/// order
static bool
HasNextHops(const NextHopGroup& group, const std::vector<NextHop>& nextHops, bool withWeights)
{
    return std::equal(group.members.begin(),
                      group.members.end(),
                      nextHops.begin(),
                      nextHops.end(),
                      [withWeights](const NextHopGroup::Member& member, const NextHop& nextHop) {
                          const NextHop& own = member.nextHop;
                          return own.interface == nextHop.interface &&
                                 own.gateway == nextHop.gateway &&
                                 (!withWeights || own.weight == nextHop.weight);
                      });
}

/// Leave out tunnels without a path, unless all next hops are such ones.
static void
LeaveOutDeadTunnels(Ipv4& ipv4, NextHopGroup& group)
{
    // The last ones stay: a tunnel without a path counts what it drops.
    const auto isDead = [&ipv4, &group](uint32_t index) {
        const auto device = ipv4.GetNetDevice(group.members[index].nextHop.interface);
        return DynamicCast<VirtualNetDevice>(device) && !device->IsLinkUp();
    };
    auto& usable = group.usable;
    const auto nDead = std::count_if(usable.begin(), usable.end(), isDead);
    if (nDead == 0 || static_cast<std::size_t>(nDead) == usable.size())
    {
        return;
    }
    for (const uint32_t index : usable)
    {
        group.members[index].isUp = !isDead(index);
    }
    usable.erase(std::remove_if(usable.begin(), usable.end(), isDead), usable.end());
}

void
NextHopGroups::SetSelector(Ptr<NextHopSelector> selector)
{
    for (const auto& group : m_groups)
    {
        group->state.reset(); // it may know the former selector
    }
    m_selector = selector;
    if (m_selector && m_ipv4)
    {
        m_selector->SetIpv4(m_ipv4);
        for (const auto& group : m_groups)
        {
            m_selector->NotifyGroup(*group);
        }
    }
}

NextHopGroup*
NextHopGroups::Get(const std::vector<NextHop>& nextHops)
{
    AIDC_REFUSED_IF(!m_ipv4, "MultipathRouting: routes are added after the stack is installed");
    for (const auto& nextHop : nextHops)
    {
        AIDC_REFUSED_IF(nextHop.interface >= m_ipv4->GetNInterfaces(),
                        "MultipathRouting: node "
                            << m_ipv4->GetObject<Node>()->GetId() << " has interfaces 0 to "
                            << m_ipv4->GetNInterfaces() - 1 << ", found " << nextHop.interface);
        AIDC_REFUSED_IF(!std::isfinite(nextHop.weight) || nextHop.weight < 0,
                        "MultipathRouting: expected a weight that is finite and not negative, "
                        "found "
                            << nextHop.weight);
    }
    if (m_table.KeepsWeights())
    {
        return FindOrMake(nextHops);
    }
    return FindOrMake(Quantize(nextHops));
}

NextHopGroup*
NextHopGroups::FindOrMake(const std::vector<NextHop>& nextHops)
{
    for (const auto& group : m_groups)
    {
        if (HasNextHops(*group, nextHops, true))
        {
            return group.get();
        }
    }
    auto group = std::make_unique<NextHopGroup>();
    for (const auto& nextHop : nextHops)
    {
        NextHopGroup::Member member;
        member.nextHop = nextHop;
        group->members.push_back(member);
    }
    Update(*group);
    m_groups.push_back(std::move(group));
    NextHopGroup* made = m_groups.back().get();
    ShareTables();
    return made;
}

std::vector<double>
NextHopGroups::Quantize(const std::vector<double>& weights) const
{
    try
    {
        return m_table.KeepsWeights() ? weights : QuantizeWeights(weights, m_table);
    }
    catch (const std::invalid_argument& error)
    {
        AIDC_REFUSE("MultipathRouting: node " << m_ipv4->GetObject<Node>()->GetId() << ": "
                                              << error.what());
    }
}

std::vector<NextHop>
NextHopGroups::Quantize(const std::vector<NextHop>& nextHops) const
{
    std::vector<double> weights;
    for (const auto& nextHop : nextHops)
    {
        weights.push_back(nextHop.weight);
    }
    weights = Quantize(weights);
    auto quantized = nextHops;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        quantized[i].weight = weights[i];
    }
    return quantized;
}

bool
NextHopGroups::IsSame(const NextHopGroup& group,
                      const std::vector<NextHop>& nextHops,
                      bool withWeights) const
{
    if (withWeights && !m_table.KeepsWeights())
    {
        return HasNextHops(group, Quantize(nextHops), true);
    }
    return HasNextHops(group, nextHops, withWeights);
}

void
NextHopGroups::SetWeights(NextHopGroup& group, const std::vector<double>& weights)
{
    const auto quantized = Quantize(weights);
    for (std::size_t i = 0; i < quantized.size(); ++i)
    {
        group.members[i].nextHop.weight = quantized[i];
    }
    Update(group);
    ShareTables();
}

void
NextHopGroups::Hold(NextHopGroup* group)
{
    if (group)
    {
        ++group->nRoutes;
    }
}

void
NextHopGroups::Release(NextHopGroup* group)
{
    if (!group || --group->nRoutes > 0)
    {
        return;
    }
    const auto isGroup = [group](const auto& other) { return other.get() == group; };
    m_groups.erase(std::find_if(m_groups.begin(), m_groups.end(), isGroup));
    ShareTables();
}

void
NextHopGroups::ShareTables()
{
    if (m_table.maxGroups == 0)
    {
        return;
    }
    std::vector<NextHopGroup*> groups;
    for (const auto& group : m_groups)
    {
        groups.push_back(group.get());
    }
    std::stable_partition(groups.begin(), groups.end(), [](const NextHopGroup* group) {
        return !group->isHeld;
    });
    // Who has a table, by next hops and weights
    std::set<std::vector<std::tuple<uint32_t, uint32_t, double>>> tables;
    for (NextHopGroup* group : groups)
    {
        std::vector<std::tuple<uint32_t, uint32_t, double>> content;
        for (const auto& member : group->members)
        {
            const NextHop& nextHop = member.nextHop;
            if (nextHop.weight > 0)
            {
                content.emplace_back(nextHop.interface, nextHop.gateway.Get(), nextHop.weight);
            }
        }
        const bool needsTable = content.size() > 1 && tables.count(content) == 0;
        const bool isHeld = needsTable && tables.size() >= m_table.maxGroups;
        if (needsTable && !isHeld)
        {
            tables.insert(content);
        }
        if (isHeld != group->isHeld)
        {
            group->isHeld = isHeld;
            group->turn = isHeld ? m_turn++ : 0;
            Update(*group);
        }
        if (isHeld)
        {
            WarnOnce("a switch has more groups of next hops than MaxGroups = " +
                     std::to_string(m_table.maxGroups) +
                     "; until there is room, a group beyond them uses one of its next hops");
        }
    }
}

std::size_t
NextHopGroups::GetNHeld() const
{
    return std::count_if(m_groups.begin(), m_groups.end(), [](const auto& group) {
        return group->isHeld;
    });
}

void
NextHopGroups::Update(NextHopGroup& group)
{
    group.usable.clear();
    for (uint32_t i = 0; i < group.members.size(); ++i)
    {
        auto& member = group.members[i];
        member.isUp = IsUsable(member.nextHop.interface);
        member.isHeld = false;
        if (member.IsUsable())
        {
            group.usable.push_back(i);
        }
    }
    LeaveOutDeadTunnels(*m_ipv4, group);
    if (group.isHeld && !group.usable.empty())
    {
        const uint32_t kept = group.usable[group.turn % group.usable.size()];
        for (const uint32_t i : group.usable)
        {
            group.members[i].isHeld = i != kept;
        }
        group.usable.assign(1, kept);
    }
    if (m_selector)
    {
        m_selector->NotifyGroup(group);
    }
}

bool
NextHopGroups::SetBlocked(uint32_t interface, bool isBlocked)
{
    return isBlocked ? m_blocked.insert(interface).second : m_blocked.erase(interface) > 0;
}

void
NextHopGroups::UpdateInterface(uint32_t interface)
{
    for (const auto& group : m_groups)
    {
        const auto isOn = [interface](const NextHopGroup::Member& member) {
            return member.nextHop.interface == interface;
        };
        if (std::any_of(group->members.begin(), group->members.end(), isOn))
        {
            Update(*group);
        }
    }
}

void
NextHopGroups::Clear()
{
    m_groups.clear();
    m_selector = nullptr;
    m_ipv4 = nullptr;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "next-hop-groups.h"

#include "ns3/abort.h"
#include "ns3/node.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::aidc
{

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
    NS_ABORT_MSG_IF(!m_ipv4, "MultipathRouting: routes are added after the stack is installed");
    for (const auto& nextHop : nextHops)
    {
        NS_ABORT_MSG_IF(nextHop.interface >= m_ipv4->GetNInterfaces(),
                        "MultipathRouting: node "
                            << m_ipv4->GetObject<Node>()->GetId() << " has interfaces 0 to "
                            << m_ipv4->GetNInterfaces() - 1 << ", found " << nextHop.interface);
        NS_ABORT_MSG_IF(!std::isfinite(nextHop.weight) || nextHop.weight < 0,
                        "MultipathRouting: expected a weight that is finite and not negative, "
                        "found "
                            << nextHop.weight);
    }
    const auto isSame = [](const NextHopGroup::Member& member, const NextHop& nextHop) {
        return member.nextHop.interface == nextHop.interface &&
               member.nextHop.gateway == nextHop.gateway && member.nextHop.weight == nextHop.weight;
    };
    for (const auto& group : m_groups)
    {
        if (std::equal(group->members.begin(),
                       group->members.end(),
                       nextHops.begin(),
                       nextHops.end(),
                       isSame))
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
    return m_groups.back().get();
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
}

void
NextHopGroups::Update(NextHopGroup& group)
{
    group.usable.clear();
    for (uint32_t i = 0; i < group.members.size(); ++i)
    {
        auto& member = group.members[i];
        member.isUp = m_ipv4->IsUp(member.nextHop.interface);
        if (member.IsUsable())
        {
            group.usable.push_back(i);
        }
    }
    if (m_selector)
    {
        m_selector->NotifyGroup(group);
    }
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

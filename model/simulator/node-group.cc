/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-group.h"

#include "../core/require-argument.h"

#include "ns3/log.h"
#include "ns3/node-list.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNodeGroup");

NS_OBJECT_ENSURE_REGISTERED(NodeGroup);

TypeId
NodeGroup::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::NodeGroup")
                            .SetParent<Object>()
                            .SetGroupName("Aidc")
                            .AddConstructor<NodeGroup>();
    return tid;
}

void
NodeGroup::Join(Ptr<Node> a, Ptr<Node> b)
{
    AIDC_REFUSED_IF(a->GetSystemId() != b->GetSystemId(),
                    "NodeGroup: expected nodes of one process, found node "
                        << a->GetId() << " of process " << a->GetSystemId() << " and node "
                        << b->GetId() << " of process " << b->GetSystemId());
    const uint32_t first = FindFirst(a->GetId());
    const uint32_t other = FindFirst(b->GetId());
    NS_LOG_LOGIC("nodes " << a->GetId() << " and " << b->GetId() << " are of one group");
    SetNext(first, std::min(first, other));
    SetNext(other, std::min(first, other));
}

std::vector<uint32_t>
NodeGroup::FindAll()
{
    std::vector<uint32_t> groups;
    bool hasSome = false;
    for (uint32_t node = 0; node < NodeList::GetNNodes(); ++node)
    {
        groups.push_back(FindFirst(node));
        hasSome |= groups.back() != node;
    }
    return hasSome ? groups : std::vector<uint32_t>();
}

uint32_t
NodeGroup::FindFirst(uint32_t node)
{
    const auto group = NodeList::GetNode(node)->GetObject<NodeGroup>();
    return !group || group->m_next == node ? node : FindFirst(group->m_next);
}

void
NodeGroup::SetNext(uint32_t node, uint32_t other)
{
    const auto known = NodeList::GetNode(node);
    auto group = known->GetObject<NodeGroup>();
    if (!group)
    {
        group = CreateObject<NodeGroup>();
        known->AggregateObject(group);
    }
    group->m_next = other;
}

} // namespace ns3::aidc

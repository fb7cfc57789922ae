/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-group.h"

#include <algorithm>

namespace ns3::aidc
{

FlowSetGroup::FlowSetGroup(uint32_t size, int64_t ageingTime, std::vector<FlowSetGroup*>& groups)
    : table(size, ageingTime),
      m_groups(groups)
{
    m_groups.push_back(this);
}

FlowSetGroup::~FlowSetGroup()
{
    m_groups.erase(std::find(m_groups.begin(), m_groups.end(), this));
}

void
FlowSetGroup::Update(const NextHopGroup& group)
{
    ports.clear();
    for (const uint32_t member : group.usable)
    {
        const uint32_t interface = group.members[member].nextHop.interface;
        if (interface >= memberOf.size())
        {
            memberOf.resize(interface + 1);
        }
        memberOf[interface] = member;
        ports.push_back(interface);
    }
}

} // namespace ns3::aidc

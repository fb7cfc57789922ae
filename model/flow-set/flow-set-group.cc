/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-group.h"

#include "../core/flow-set/flow-set-decision.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// @param size a number, at most FlowSetTable::MAX_SIZE
/// @return the number, rounded up to a power of two
uint32_t
RoundUp(uint32_t size)
{
    uint32_t rounded = 1;
    while (rounded < size)
    {
        rounded *= 2;
    }
    return rounded;
}

} // namespace

FlowSetGroup::FlowSetGroup(uint32_t size, int64_t ageingTime, std::vector<FlowSetGroup*>& groups)
    : table(RoundUp(size), ageingTime),
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
    ports.assign(group.members.size(), FlowSetDecision::NONE);
    for (const uint32_t member : group.usable)
    {
        ports[member] = group.members[member].nextHop.interface;
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-group.h"

#include "../core/flow-set/flow-set-decision.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// How many candidates the member with the greatest weight is, if weights differ.
constexpr double MAX_CANDIDATES = 16;

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
    double least = std::numeric_limits<double>::infinity();
    double greatest = 0;
    for (const uint32_t member : group.usable)
    {
        least = std::min(least, group.members[member].nextHop.weight);
        greatest = std::max(greatest, group.members[member].nextHop.weight);
    }
    ports.clear();
    members.clear();
    for (uint32_t member = 0; member < group.members.size(); ++member)
    {
        const NextHop& nextHop = group.members[member].nextHop;
        const bool isUsable = group.members[member].IsUsable();
        const double share = isUsable && least < greatest ? nextHop.weight / greatest : 0;
        const auto n = std::max<std::size_t>(1, std::lround(share * MAX_CANDIDATES));
        ports.insert(ports.end(), n, isUsable ? nextHop.interface : FlowSetDecision::NONE);
        members.insert(members.end(), n, member);
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "resilient-buckets.h"

#include "next-hop-weights.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

ResilientBuckets::ResilientBuckets(uint32_t nBuckets)
{
    if (nBuckets < 1 || nBuckets > MAX_BUCKETS)
    {
        throw std::invalid_argument("number of buckets: expected 1 to " +
                                    std::to_string(MAX_BUCKETS) + ", found " +
                                    std::to_string(nBuckets));
    }
    m_members.assign(nBuckets, NONE);
}

void
ResilientBuckets::SetWeights(const std::vector<double>& weights)
{
    // Each bucket counts against its member's quota; those above it are given to members below.
    auto missing = ApportionEntries(weights, GetNBuckets());
    std::vector<uint32_t*> above;
    for (auto& member : m_members)
    {
        if (member < missing.size() && missing[member] > 0)
        {
            --missing[member];
        }
        else
        {
            above.push_back(&member);
        }
    }
    uint32_t next = 0;
    for (uint32_t* member : above)
    {
        while (next < missing.size() && missing[next] == 0)
        {
            ++next;
        }
        const uint32_t taker = next < missing.size() ? next : NONE;
        if (taker != NONE)
        {
            --missing[taker];
        }
        *member = taker;
    }
}

uint32_t
ResilientBuckets::GetNBuckets() const
{
    return static_cast<uint32_t>(m_members.size());
}

} // namespace ns3::aidc

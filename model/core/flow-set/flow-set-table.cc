/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-table.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

FlowSetTable::FlowSetTable(uint32_t size, int64_t ageingTime)
    : m_mask(size - 1),
      m_ageingTime(ageingTime)
{
    if (size == 0 || size > MAX_SIZE || (size & m_mask) != 0)
    {
        throw std::invalid_argument("The size of a flow-set table must be a power of two of at "
                                    "most " +
                                    std::to_string(MAX_SIZE) + ", not " + std::to_string(size));
    }
    if (ageingTime <= 0)
    {
        throw std::invalid_argument("The ageing time of a flow-set table must be above 0 ns, not " +
                                    std::to_string(ageingTime));
    }
}

void
FlowSetTable::Clear()
{
    std::vector<FlowSetEntry>().swap(m_entries);
    std::vector<int64_t>().swap(m_moves);
}

void
FlowSetTable::NoteMove(const FlowSetEntry& entry, int64_t now)
{
    if (m_moves.empty())
    {
        m_moves.resize(GetSize(), LONG_AGO);
    }
    m_moves[&entry - m_entries.data()] = now;
}

uint32_t
FlowSetTable::GetOccupancy(int64_t now) const
{
    return static_cast<uint32_t>(
        std::count_if(m_entries.begin(), m_entries.end(), [&](const FlowSetEntry& entry) {
            return IsLive(entry, now);
        }));
}

void
FlowSetTable::Allocate()
{
    m_entries.resize(GetSize());
}

} // namespace ns3::aidc

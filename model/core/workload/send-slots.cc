/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-slots.h"

namespace ns3::aidc
{

bool
SendSlots::Take(uint32_t stream, const RankEvent& message)
{
    if (m_n == 0)
    {
        return true;
    }
    Way& way = m_ways[{stream, message.peer}];
    if (way.nTaken == m_n)
    {
        way.waiting.push_back(message);
        return false;
    }
    ++way.nTaken;
    return true;
}

bool
SendSlots::Give(uint32_t stream, uint32_t peer, RankEvent& next)
{
    if (m_n == 0)
    {
        return false;
    }
    Way& way = m_ways.at({stream, peer});
    if (way.waiting.empty())
    {
        --way.nTaken;
        return false;
    }
    next = way.waiting.front();
    way.waiting.pop_front();
    return true;
}

} // namespace ns3::aidc

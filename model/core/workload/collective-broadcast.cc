/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-broadcast.h"

#include "collective-pairs.h"
#include "collective-ring.h"

namespace ns3::aidc
{

uint32_t
CollectiveBroadcast::GetPlace(uint32_t member, uint32_t lane) const
{
    const CollectiveRingOrder order(m_settings.nPerServer, lane % m_settings.nChannels);
    const uint32_t n = m_settings.nMembers;
    return (order.GetPlace(member) + n - order.GetPlace(m_settings.root)) % n;
}

uint32_t
CollectiveBroadcast::GetMember(uint32_t place, uint32_t lane) const
{
    const CollectiveRingOrder order(m_settings.nPerServer, lane % m_settings.nChannels);
    return order.GetMember((place + order.GetPlace(m_settings.root)) % m_settings.nMembers);
}

uint32_t
CollectiveBroadcast::GetNSteps(uint32_t member, uint32_t lane) const
{
    const uint32_t n = m_settings.nMembers;
    const uint32_t place = GetPlace(member, lane);
    uint32_t nSteps = place > 0 ? 1 : 0;
    if (IsChain())
    {
        return nSteps + (place + 1 < n ? 1 : 0);
    }
    // A member receives in the step of the highest bit of its place, and sends in later ones
    uint32_t step = place > 0 ? CollectivePairs::Log2(place) + 1 : 0;
    for (; step < 32 && place + (1ULL << step) < n; ++step)
    {
        ++nSteps;
    }
    return nSteps;
}

CollectiveStep
CollectiveBroadcast::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t place = GetPlace(member, lane);
    const CollectivePart all = m_settings.GetBlocks(lane, 1, 0);
    const uint32_t bit = place > 0 ? CollectivePairs::Log2(place) : 0;
    CollectiveStep result;
    if (place > 0 && step == 0)
    {
        result.Receive(GetMember(IsChain() ? place - 1 : place - (1U << bit), lane), all, false);
    }
    else if (IsChain())
    {
        result.Send(GetMember(place + 1, lane), all);
    }
    else
    {
        result.Send(GetMember(place + (1U << (bit + step)), lane), all);
        result.waitsForSend = true; // all of the link is for one message
    }
    return result;
}

} // namespace ns3::aidc

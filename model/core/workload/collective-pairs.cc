/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-pairs.h"

namespace ns3::aidc
{

CollectivePairs::CollectivePairs(const CollectiveScheduleSettings& settings)
    : m_settings(settings),
      m_log2(Log2(settings.nMembers))
{
}

uint32_t
CollectivePairs::Log2(uint32_t n)
{
    uint32_t result = 0;
    while (n >>= 1)
    {
        ++result;
    }
    return result;
}

uint32_t
CollectivePairs::GetNFolded() const
{
    return m_settings.nMembers - (1U << m_log2);
}

uint32_t
CollectivePairs::GetDistance(uint32_t pairStep) const
{
    const bool halves = m_settings.algorithm == CollectiveAlgorithm::HALVING_DOUBLING &&
                        m_settings.kind != CollectiveKind::ALL_GATHER && pairStep < m_log2;
    return halves ? (1U << m_log2) >> (pairStep + 1) : 1U << pairStep % m_log2;
}

bool
CollectivePairs::IsDelayed(uint32_t number, uint32_t pairStep) const
{
    // It has met, directly or not, all that differ from it in distances of the steps before. Those
    // that are folded into have the lowest numbers.
    uint32_t lowest = number;
    for (uint32_t before = 0; before < pairStep && before < m_log2; ++before)
    {
        lowest &= ~GetDistance(before);
    }
    return lowest < GetNFolded();
}

bool
CollectivePairs::HasSignal(uint32_t number, uint32_t pairStep) const
{
    return IsDelayed(number, pairStep) != IsDelayed(number ^ GetDistance(pairStep), pairStep);
}

uint32_t
CollectivePairs::GetNSteps(uint32_t member, uint32_t) const
{
    const uint32_t nFolded = GetNFolded();
    const bool isFolded = member < 2 * nFolded;
    if (isFolded && member % 2 == 0)
    {
        return 2;
    }
    const bool both = m_settings.kind == CollectiveKind::ALL_REDUCE &&
                      m_settings.algorithm == CollectiveAlgorithm::HALVING_DOUBLING;
    uint32_t n = (both ? 2 : 1) * m_log2 + (isFolded ? 2 : 0);
    for (uint32_t pairStep = 0; pairStep < m_log2; ++pairStep)
    {
        n += HasSignal(isFolded ? member / 2 : member - nFolded, pairStep) ? 1 : 0;
    }
    return n;
}

CollectivePairs::Meeting
CollectivePairs::GetMeeting(uint32_t member, uint32_t step) const
{
    const uint32_t nFolded = GetNFolded();
    uint32_t number = member - nFolded; // among those that are left
    if (member < 2 * nFolded)
    {
        if (member % 2 == 0)
        {
            return {step == 0 ? Action::SEND_ALL : Action::TAKE_ALL, member + 1};
        }
        if (step == 0)
        {
            return {Action::REDUCE_ALL, member - 1};
        }
        if (step + 1 == GetNSteps(member, 0))
        {
            return {Action::SEND_ALL, member - 1};
        }
        --step;
        number = member / 2;
    }
    // After the signals of the steps before it and, if there is one, its own
    uint32_t pairStep = 0;
    for (; step > (HasSignal(number, pairStep) ? 1U : 0U); ++pairStep)
    {
        step -= HasSignal(number, pairStep) ? 2 : 1;
    }
    const uint32_t distance = GetDistance(pairStep);
    const uint32_t other = number ^ distance;
    Meeting result;
    result.peer = other < nFolded ? 2 * other + 1 : other + nFolded;
    if (step == 0 && HasSignal(number, pairStep))
    {
        result.action = IsDelayed(number, pairStep) ? Action::SEND_SIGNAL : Action::AWAIT_SIGNAL;
    }
    else if (m_settings.algorithm == CollectiveAlgorithm::RECURSIVE_DOUBLING)
    {
        result.action = Action::EXCHANGE_ALL;
    }
    else
    {
        result.action = Action::EXCHANGE_BLOCKS;
        result.ownBlock = number & ~(distance - 1);
        result.peerBlock = other & ~(distance - 1);
        result.nBlocks = distance;
        result.reduces = m_settings.kind == CollectiveKind::REDUCE_SCATTER ||
                         (m_settings.kind == CollectiveKind::ALL_REDUCE && pairStep < m_log2);
    }
    return result;
}

CollectiveStep
CollectivePairs::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const Meeting meeting = GetMeeting(member, step);
    const CollectivePart all = m_settings.GetBlocks(lane, 1, 0);
    const CollectivePart nothing = {all.offset, 0};
    CollectiveStep result;
    switch (meeting.action)
    {
    case Action::SEND_ALL:
        result.Send(meeting.peer, all);
        break;
    case Action::REDUCE_ALL:
    case Action::TAKE_ALL:
        result.Receive(meeting.peer, all, meeting.action == Action::REDUCE_ALL);
        break;
    case Action::SEND_SIGNAL:
        result.Send(meeting.peer, nothing);
        break;
    case Action::AWAIT_SIGNAL:
        result.Receive(meeting.peer, nothing, false);
        break;
    case Action::EXCHANGE_ALL:
        result.Send(meeting.peer, all);
        result.Receive(meeting.peer, all, true);
        break;
    case Action::EXCHANGE_BLOCKS: {
        const uint32_t n = 1U << m_log2; // members that are left by the fold
        const auto mine = m_settings.GetBlocks(lane, n, meeting.ownBlock, meeting.nBlocks);
        const auto others = m_settings.GetBlocks(lane, n, meeting.peerBlock, meeting.nBlocks);
        result.Send(meeting.peer, meeting.reduces ? others : mine);
        result.Receive(meeting.peer, meeting.reduces ? mine : others, meeting.reduces);
        break;
    }
    }
    return result;
}

} // namespace ns3::aidc

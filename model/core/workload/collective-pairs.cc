/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-pairs.h"

namespace ns3::aidc
{

CollectivePairs::CollectivePairs(CollectiveKind kind,
                                 CollectiveAlgorithm algorithm,
                                 uint32_t nMembers)
    : m_kind(kind),
      m_algorithm(algorithm),
      m_nMembers(nMembers),
      m_log2(nMembers == 0 ? 0 : Log2(nMembers))
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
    return m_nMembers - (1U << m_log2);
}

uint32_t
CollectivePairs::GetDistance(uint32_t pairStep) const
{
    const bool halves = m_algorithm == CollectiveAlgorithm::HALVING_DOUBLING &&
                        m_kind != CollectiveKind::ALL_GATHER && pairStep < m_log2;
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
CollectivePairs::GetNBlocks() const
{
    return 1U << m_log2;
}

uint32_t
CollectivePairs::GetNSteps(uint32_t member) const
{
    const uint32_t nFolded = GetNFolded();
    const bool isFolded = member < 2 * nFolded;
    if (isFolded && member % 2 == 0)
    {
        return 2;
    }
    const bool both = m_kind == CollectiveKind::ALL_REDUCE &&
                      m_algorithm == CollectiveAlgorithm::HALVING_DOUBLING;
    uint32_t n = (both ? 2 : 1) * m_log2 + (isFolded ? 2 : 0);
    for (uint32_t pairStep = 0; pairStep < m_log2; ++pairStep)
    {
        n += HasSignal(isFolded ? member / 2 : member - nFolded, pairStep) ? 1 : 0;
    }
    return n;
}

CollectivePairs::Step
CollectivePairs::GetStep(uint32_t member, uint32_t step) const
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
        if (step + 1 == GetNSteps(member))
        {
            return {Action::SEND_ALL, member - 1};
        }
        --step;
        number = member / 2;
    }
    // Behind the signals of the steps before it and, if there is one, its own
    uint32_t pairStep = 0;
    for (; step > (HasSignal(number, pairStep) ? 1U : 0U); ++pairStep)
    {
        step -= HasSignal(number, pairStep) ? 2 : 1;
    }
    const uint32_t distance = GetDistance(pairStep);
    const uint32_t other = number ^ distance;
    Step result;
    result.peer = other < nFolded ? 2 * other + 1 : other + nFolded;
    if (step == 0 && HasSignal(number, pairStep))
    {
        result.action = IsDelayed(number, pairStep) ? Action::SEND_SIGNAL : Action::AWAIT_SIGNAL;
    }
    else if (m_algorithm == CollectiveAlgorithm::RECURSIVE_DOUBLING)
    {
        result.action = Action::EXCHANGE_ALL;
    }
    else
    {
        result.action = Action::EXCHANGE_BLOCKS;
        result.ownBlock = number & ~(distance - 1);
        result.peerBlock = other & ~(distance - 1);
        result.nBlocks = distance;
        result.reduces = m_kind == CollectiveKind::REDUCE_SCATTER ||
                         (m_kind == CollectiveKind::ALL_REDUCE && pairStep < m_log2);
    }
    return result;
}

} // namespace ns3::aidc

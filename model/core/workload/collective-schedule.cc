/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-schedule.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// The names of the kinds.
constexpr std::array<const char*, 5> KINDS = {"all-reduce",
                                              "all-gather",
                                              "reduce-scatter",
                                              "all-to-all",
                                              "broadcast"};
/// The names of the algorithms.
constexpr std::array<const char*, 6> ALGORITHMS =
    {"ring", "halving-doubling", "recursive-doubling", "pairwise", "binomial-tree", "chain"};

/// @tparam E an enumeration from 0 on
/// @tparam N how many names there are
/// @param names the names of its values
/// @param name the name to find
/// @param value where the value goes
/// @return whether it was found
template <typename E, std::size_t N>
bool
FindName(const std::array<const char*, N>& names, const std::string& name, E& value)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        return false;
    }
    value = static_cast<E>(found - names.begin());
    return true;
}

/// Tell whether a kind can be done by an algorithm.
/// @param kind the kind
/// @param algorithm the algorithm
/// @return whether it can
bool
IsPossible(CollectiveKind kind, CollectiveAlgorithm algorithm)
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return algorithm == CollectiveAlgorithm::RING ||
               algorithm == CollectiveAlgorithm::HALVING_DOUBLING ||
               algorithm == CollectiveAlgorithm::RECURSIVE_DOUBLING;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
        return algorithm == CollectiveAlgorithm::RING ||
               algorithm == CollectiveAlgorithm::HALVING_DOUBLING;
    case CollectiveKind::ALL_TO_ALL:
        return algorithm == CollectiveAlgorithm::PAIRWISE;
    case CollectiveKind::BROADCAST:
        return algorithm == CollectiveAlgorithm::BINOMIAL_TREE ||
               algorithm == CollectiveAlgorithm::CHAIN;
    }
    return false;
}

/// Get the logarithm of a number to the base 2, rounded down.
/// @param n the number, at least 1
/// @return the logarithm
uint32_t
Log2(uint32_t n)
{
    uint32_t result = 0;
    while (n >>= 1)
    {
        ++result;
    }
    return result;
}

} // namespace

const char*
GetCollectiveName(CollectiveKind kind)
{
    return KINDS.at(static_cast<std::size_t>(kind));
}

const char*
GetCollectiveName(CollectiveAlgorithm algorithm)
{
    return ALGORITHMS.at(static_cast<std::size_t>(algorithm));
}

bool
ParseCollectiveKind(const std::string& name, CollectiveKind& kind)
{
    return FindName(KINDS, name, kind);
}

bool
ParseCollectiveAlgorithm(const std::string& name, CollectiveAlgorithm& algorithm)
{
    return FindName(ALGORITHMS, name, algorithm);
}

CollectiveAlgorithm
GetDefaultAlgorithm(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::ALL_TO_ALL:
        return CollectiveAlgorithm::PAIRWISE;
    case CollectiveKind::BROADCAST:
        return CollectiveAlgorithm::BINOMIAL_TREE;
    default:
        return CollectiveAlgorithm::RING;
    }
}

CollectiveSchedule::CollectiveSchedule(CollectiveKind kind,
                                       CollectiveAlgorithm algorithm,
                                       uint32_t nMembers,
                                       uint64_t bytes,
                                       uint32_t nChunks,
                                       uint32_t root)
    : m_kind(kind),
      m_algorithm(algorithm),
      m_nMembers(nMembers),
      m_nChunks(nChunks),
      m_root(root),
      m_log2(nMembers == 0 ? 0 : Log2(nMembers)),
      m_bytes(bytes)
{
    const std::string name =
        std::string(GetCollectiveName(kind)) + " by " + GetCollectiveName(algorithm);
    if (!IsPossible(kind, algorithm))
    {
        throw std::invalid_argument("there is no " + name);
    }
    if (nMembers == 0)
    {
        throw std::invalid_argument(name + " has at least one member");
    }
    if (bytes > MAX_BYTES)
    {
        throw std::invalid_argument(name + " has at most 2^60 bytes, not " + std::to_string(bytes));
    }
    if (nChunks == 0 || nChunks > MAX_CHUNKS)
    {
        throw std::invalid_argument(name + " has from 1 to " + std::to_string(MAX_CHUNKS) +
                                    " chunks, not " + std::to_string(nChunks));
    }
    if (root >= nMembers)
    {
        throw std::invalid_argument("the root is one of " + std::to_string(nMembers) +
                                    " members, counted from 0, not " + std::to_string(root));
    }
    if (algorithm == CollectiveAlgorithm::HALVING_DOUBLING && kind != CollectiveKind::ALL_REDUCE)
    {
        if (GetNFolded() != 0)
        {
            throw std::invalid_argument(name + " needs a power of two members, not " +
                                        std::to_string(nMembers));
        }
        if (nChunks != 1)
        {
            throw std::invalid_argument(name + " has one chunk, not " + std::to_string(nChunks));
        }
    }
}

uint32_t
CollectiveSchedule::GetNFolded() const
{
    return m_nMembers - (1U << m_log2);
}

uint32_t
CollectiveSchedule::GetDistance(uint32_t pairStep) const
{
    const bool halves = m_algorithm == CollectiveAlgorithm::HALVING_DOUBLING &&
                        m_kind != CollectiveKind::ALL_GATHER && pairStep < m_log2;
    return halves ? (1U << m_log2) >> (pairStep + 1) : 1U << pairStep % m_log2;
}

bool
CollectiveSchedule::IsDelayed(uint32_t number, uint32_t pairStep) const
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
CollectiveSchedule::HasSignal(uint32_t number, uint32_t pairStep) const
{
    return IsDelayed(number, pairStep) != IsDelayed(number ^ GetDistance(pairStep), pairStep);
}

uint32_t
CollectiveSchedule::GetNSteps(uint32_t member) const
{
    switch (m_algorithm)
    {
    case CollectiveAlgorithm::RING:
        return (m_kind == CollectiveKind::ALL_REDUCE ? 2 : 1) * (m_nMembers - 1);
    case CollectiveAlgorithm::PAIRWISE:
        return m_nMembers - 1;
    case CollectiveAlgorithm::HALVING_DOUBLING:
    case CollectiveAlgorithm::RECURSIVE_DOUBLING: {
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
    case CollectiveAlgorithm::CHAIN: {
        const uint32_t place = (member + m_nMembers - m_root) % m_nMembers;
        return (place > 0 ? 1 : 0) + (place + 1 < m_nMembers ? 1 : 0);
    }
    case CollectiveAlgorithm::BINOMIAL_TREE: {
        // A member receives in the step of the highest bit of its place, and sends in later ones
        const uint32_t place = (member + m_nMembers - m_root) % m_nMembers;
        uint32_t n = place > 0 ? 1 : 0;
        uint32_t step = place > 0 ? Log2(place) + 1 : 0;
        for (; step < 32 && place + (1ULL << step) < m_nMembers; ++step)
        {
            ++n;
        }
        return n;
    }
    }
    return 0;
}

CollectiveStep
CollectiveSchedule::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    switch (m_algorithm)
    {
    case CollectiveAlgorithm::RING:
        return GetRingStep(member, lane, step);
    case CollectiveAlgorithm::HALVING_DOUBLING:
    case CollectiveAlgorithm::RECURSIVE_DOUBLING:
        return GetPairStep(member, lane, step);
    case CollectiveAlgorithm::PAIRWISE: {
        CollectiveStep result;
        const uint32_t to = (member + step + 1) % m_nMembers;
        const uint32_t from = (member + m_nMembers - step - 1) % m_nMembers;
        Send(result, to, GetBlocks(lane, m_nMembers, to));
        // All members send as much to this one, so that their blocks stand one behind another
        Part mine = GetBlocks(lane, m_nMembers, member);
        const uint64_t block = Divide({0, m_bytes}, m_nMembers, member).bytes;
        mine.offset += from * block - Divide({0, m_bytes}, m_nMembers, member).offset;
        Receive(result, from, mine, false);
        return result;
    }
    case CollectiveAlgorithm::BINOMIAL_TREE:
    case CollectiveAlgorithm::CHAIN:
        return GetBroadcastStep(member, lane, step);
    }
    return {};
}

CollectiveKind
CollectiveSchedule::GetKind() const
{
    return m_kind;
}

CollectiveAlgorithm
CollectiveSchedule::GetAlgorithm() const
{
    return m_algorithm;
}

uint32_t
CollectiveSchedule::GetNMembers() const
{
    return m_nMembers;
}

uint64_t
CollectiveSchedule::GetBytes() const
{
    return m_bytes;
}

uint32_t
CollectiveSchedule::GetNChunks() const
{
    return m_nChunks;
}

CollectiveSchedule::Part
CollectiveSchedule::Divide(const Part& whole, uint32_t n, uint32_t first, uint32_t count)
{
    const uint64_t size = whole.bytes / n;
    const uint64_t larger = whole.bytes % n;
    const auto begin = [size, larger](uint64_t part) {
        return part * size + std::min(part, larger);
    };
    const uint64_t offset = begin(first);
    return {whole.offset + offset, begin(uint64_t{first} + count) - offset};
}

CollectiveSchedule::Part
CollectiveSchedule::GetBlocks(uint32_t lane, uint32_t nBlocks, uint32_t first, uint32_t count) const
{
    const Part all = {0, m_bytes};
    if (m_kind == CollectiveKind::ALL_REDUCE || m_kind == CollectiveKind::BROADCAST)
    {
        return Divide(Divide(all, m_nChunks, lane), nBlocks, first, count);
    }
    // Blocks belong to members, so that a chunk is a part of a block
    return Divide(Divide(all, nBlocks, first, count), m_nChunks, lane);
}

void
CollectiveSchedule::Send(CollectiveStep& step, uint32_t to, const Part& part)
{
    step.sendTo = to;
    step.sendOffset = part.offset;
    step.sendBytes = part.bytes;
}

void
CollectiveSchedule::Receive(CollectiveStep& step, uint32_t from, const Part& part, bool reduces)
{
    step.receiveFrom = from;
    step.receiveOffset = part.offset;
    step.receiveBytes = part.bytes;
    step.reduces = reduces;
}

CollectiveStep
CollectiveSchedule::GetRingStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t n = m_nMembers;
    const bool reduces = m_kind == CollectiveKind::REDUCE_SCATTER ||
                         (m_kind == CollectiveKind::ALL_REDUCE && step < n - 1);
    // What a member has sent in a step, the next one has received. While reducing, the last block
    // received is the member's own one, which is where gathering begins.
    const uint32_t round = step % (n - 1);
    const uint32_t sent = (member + 2 * n - round - (reduces ? 1 : 0)) % n;
    const uint32_t received = (sent + n - 1) % n;
    CollectiveStep result;
    Send(result, (member + 1) % n, GetBlocks(lane, n, sent));
    Receive(result, (member + n - 1) % n, GetBlocks(lane, n, received), reduces);
    return result;
}

CollectiveStep
CollectiveSchedule::GetPairStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t nFolded = GetNFolded();
    const Part all = GetBlocks(lane, 1, 0);
    CollectiveStep result;
    uint32_t number = member - nFolded; // among those that are left
    if (member < 2 * nFolded)
    {
        if (member % 2 == 0)
        {
            if (step == 0)
            {
                Send(result, member + 1, all);
            }
            else
            {
                Receive(result, member + 1, all, false);
            }
            return result;
        }
        if (step == 0)
        {
            Receive(result, member - 1, all, true);
            return result;
        }
        if (step + 1 == GetNSteps(member))
        {
            Send(result, member - 1, all);
            return result;
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
    const uint32_t peer = other < nFolded ? 2 * other + 1 : other + nFolded;
    if (step == 0 && HasSignal(number, pairStep))
    {
        const Part nothing = {all.offset, 0};
        if (IsDelayed(number, pairStep))
        {
            Send(result, peer, nothing);
        }
        else
        {
            Receive(result, peer, nothing, false);
        }
        return result;
    }
    if (m_algorithm == CollectiveAlgorithm::RECURSIVE_DOUBLING)
    {
        Send(result, peer, all);
        Receive(result, peer, all, true);
        return result;
    }
    const bool reduces = m_kind == CollectiveKind::REDUCE_SCATTER ||
                         (m_kind == CollectiveKind::ALL_REDUCE && pairStep < m_log2);
    const uint32_t nBlocks = 1U << m_log2;
    const Part mine = GetBlocks(lane, nBlocks, number & ~(distance - 1), distance);
    const Part others = GetBlocks(lane, nBlocks, other & ~(distance - 1), distance);
    Send(result, peer, reduces ? others : mine);
    Receive(result, peer, reduces ? mine : others, reduces);
    return result;
}

CollectiveStep
CollectiveSchedule::GetBroadcastStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t n = m_nMembers;
    const uint32_t place = (member + n - m_root) % n;
    const auto getMember = [this, n](uint32_t other) { return (other + m_root) % n; };
    const Part all = GetBlocks(lane, 1, 0);
    const bool isChain = m_algorithm == CollectiveAlgorithm::CHAIN;
    const uint32_t bit = place > 0 ? Log2(place) : 0;
    CollectiveStep result;
    if (place > 0 && step == 0)
    {
        Receive(result, getMember(isChain ? place - 1 : place - (1U << bit)), all, false);
    }
    else if (isChain)
    {
        Send(result, getMember(place + 1), all);
    }
    else
    {
        Send(result, getMember(place + (1U << (bit + step))), all);
        result.waitsForSend = true; // all of the link is for one message
    }
    return result;
}

} // namespace ns3::aidc

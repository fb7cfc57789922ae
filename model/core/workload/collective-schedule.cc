/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-schedule.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

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
      m_bytes(bytes)
{
    const std::string name =
        std::string(GetCollectiveName(kind)) + " by " + GetCollectiveName(algorithm);
    const auto& possible = GetCollectiveAlgorithms(kind);
    if (std::find(possible.begin(), possible.end(), algorithm) == possible.end())
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
        if (GetPairs().GetNFolded() != 0)
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
CollectiveSchedule::GetNSteps(uint32_t member) const
{
    switch (m_algorithm)
    {
    case CollectiveAlgorithm::RING:
        return (m_kind == CollectiveKind::ALL_REDUCE ? 2 : 1) * (m_nMembers - 1);
    case CollectiveAlgorithm::PAIRWISE:
        return m_nMembers - 1;
    case CollectiveAlgorithm::HALVING_DOUBLING:
    case CollectiveAlgorithm::RECURSIVE_DOUBLING:
        return GetPairs().GetNSteps(member);
    case CollectiveAlgorithm::CHAIN: {
        const uint32_t place = (member + m_nMembers - m_root) % m_nMembers;
        return (place > 0 ? 1 : 0) + (place + 1 < m_nMembers ? 1 : 0);
    }
    case CollectiveAlgorithm::BINOMIAL_TREE: {
        // A member receives in the step of the highest bit of its place, and sends in later ones
        const uint32_t place = (member + m_nMembers - m_root) % m_nMembers;
        uint32_t n = place > 0 ? 1 : 0;
        uint32_t step = place > 0 ? CollectivePairs::Log2(place) + 1 : 0;
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

CollectivePairs
CollectiveSchedule::GetPairs() const
{
    return {m_kind, m_algorithm, m_nMembers};
}

CollectiveStep
CollectiveSchedule::GetPairStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const CollectivePairs pairs = GetPairs();
    const CollectivePairs::Step pair = pairs.GetStep(member, step);
    const Part all = GetBlocks(lane, 1, 0);
    CollectiveStep result;
    switch (pair.action)
    {
    case CollectivePairs::Action::SEND_ALL:
        Send(result, pair.peer, all);
        break;
    case CollectivePairs::Action::REDUCE_ALL:
    case CollectivePairs::Action::TAKE_ALL:
        Receive(result, pair.peer, all, pair.action == CollectivePairs::Action::REDUCE_ALL);
        break;
    case CollectivePairs::Action::SEND_SIGNAL:
        Send(result, pair.peer, {all.offset, 0});
        break;
    case CollectivePairs::Action::AWAIT_SIGNAL:
        Receive(result, pair.peer, {all.offset, 0}, false);
        break;
    case CollectivePairs::Action::EXCHANGE_ALL:
        Send(result, pair.peer, all);
        Receive(result, pair.peer, all, true);
        break;
    case CollectivePairs::Action::EXCHANGE_BLOCKS: {
        const uint32_t nBlocks = pairs.GetNBlocks();
        const Part mine = GetBlocks(lane, nBlocks, pair.ownBlock, pair.nBlocks);
        const Part others = GetBlocks(lane, nBlocks, pair.peerBlock, pair.nBlocks);
        Send(result, pair.peer, pair.reduces ? others : mine);
        Receive(result, pair.peer, pair.reduces ? mine : others, pair.reduces);
        break;
    }
    }
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
    const uint32_t bit = place > 0 ? CollectivePairs::Log2(place) : 0;
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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-schedule.h"

#include "collective-pairs.h"
#include "collective-ring.h"
#include "collective-schedule-settings.h"
#include "collective-tree.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

namespace
{

/**
 * @brief The steps of a hierarchical all-reduce.
 *
 * It has three phases: a reduce-scatter by a ring in each server, an all-reduce by a ring along
 * each rail (the members of equal numbers in their servers, which reduce their blocks), and an
 * all-gather by a ring in each server. A chunk enters a phase when the chunk before has left it, so
 * that chunks are in different phases, and use scale-up links and adapters at the same time.
 */
class CollectiveHierarchy
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveHierarchy(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t g = m_settings.nPerServer;
        const uint32_t nServers = m_settings.GetNServers();
        const uint32_t server = member / g;
        const uint32_t inside = member % g;
        const uint32_t railBegin = g - 1;
        const uint32_t railEnd = railBegin + 2 * (nServers - 1);
        CollectiveStep result;
        if (step >= railBegin && step < railEnd)
        {
            const uint32_t round = step - railBegin;
            const bool reduces = round < nServers - 1;
            const CollectiveRingBlocks blocks(nServers, server, round % (nServers - 1), reduces);
            const CollectivePart own = m_settings.GetBlocks(lane, g, inside);
            result.Send((server + 1) % nServers * g + inside, own.Divide(nServers, blocks.sent));
            result.Receive((server + nServers - 1) % nServers * g + inside,
                           own.Divide(nServers, blocks.received),
                           reduces);
            result.stepsBefore = round == 0 ? railEnd : 0;
            return result;
        }
        const bool reduces = step < railBegin;
        const uint32_t round = reduces ? step : step - railEnd;
        const CollectiveRingBlocks blocks(g, inside, round, reduces);
        result.Send(server * g + (inside + 1) % g, m_settings.GetBlocks(lane, g, blocks.sent));
        result.Receive(server * g + (inside + g - 1) % g,
                       m_settings.GetBlocks(lane, g, blocks.received),
                       reduces);
        if (round == 0)
        {
            result.stepsBefore = reduces ? railBegin : GetNSteps(member, lane);
        }
        return result;
    }

  private:
    const CollectiveScheduleSettings& m_settings; //!< the collective
};

uint32_t
CollectiveHierarchy::GetNSteps(uint32_t, uint32_t) const
{
    return 2 * (m_settings.nPerServer - 1) + 2 * (m_settings.GetNServers() - 1);
}

/**
 * @brief The steps of an all-to-all.
 *
 * There are n - 1 rounds. In each one, each member sends to another one, and no two to the same
 * one. Rounds inside of servers come first; then, for each distance between servers, the distances
 * between the numbers of members inside of them, as in NCCL's schedule of sends and receives
 * (ncclP2pSchedule() in src/init.cc), which takes the distances in another order. With one member a
 * server, member i sends to i + k in round k. Pairwise, a round is a step of a lane. Direct, each
 * round is a lane of one step, so that all messages are under way at once.
 *
 * Where nothing is to be sent, there is no message, as in PyTorch's all-to-alls over NCCL.
 */
class CollectiveExchange
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveExchange(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t n = m_settings.nMembers;
        const uint32_t g = m_settings.nPerServer;
        const uint32_t nServers = m_settings.GetNServers();
        const uint32_t nStreams = m_settings.GetNStreams();
        const uint32_t round = (nStreams > 1 ? lane % nStreams : step) + 1;
        const uint32_t outside = round / g;
        const uint32_t inside = round % g;
        const uint32_t to = (member / g + outside) % nServers * g + (member % g + inside) % g;
        const uint32_t from =
            (member / g + nServers - outside) % nServers * g + (member % g + g - inside) % g;
        CollectivePart sent;
        CollectivePart received;
        if (m_settings.sizes)
        {
            sent = m_settings.sizes->GetSent(member, to);
            received = m_settings.sizes->GetReceived(from, member);
        }
        else
        {
            // All members send as much to this one, so that their blocks stand one after another
            const CollectivePart all = {0, m_settings.bytes};
            sent = all.Divide(n, to);
            received = all.Divide(n, member);
            received.offset = from * received.bytes;
        }
        const uint32_t chunk = lane / nStreams;
        CollectiveStep result;
        // Both ends know the size, and no later step needs a message that brings nothing
        if (const auto part = sent.Divide(m_settings.nChunks, chunk); part.bytes > 0)
        {
            result.Send(to, part);
        }
        if (const auto part = received.Divide(m_settings.nChunks, chunk); part.bytes > 0)
        {
            result.Receive(from, part, false);
        }
        return result;
    }

  private:
    const CollectiveScheduleSettings& m_settings; //!< the collective
};

uint32_t
CollectiveExchange::GetNSteps(uint32_t, uint32_t) const
{
    const uint32_t nRounds = m_settings.nMembers - 1;
    return m_settings.algorithm == CollectiveAlgorithm::DIRECT ? std::min(nRounds, 1U) : nRounds;
}

/**
 * @brief The steps of a broadcast, by a binomial tree or a chain.
 *
 * The chain of a channel has the order of the channel's ring, from the root on.
 */
class CollectiveBroadcast
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveBroadcast(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const
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

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t place = GetPlace(member, lane);
        const CollectivePart all = m_settings.GetBlocks(lane, 1, 0);
        const uint32_t bit = place > 0 ? CollectivePairs::Log2(place) : 0;
        CollectiveStep result;
        if (place > 0 && step == 0)
        {
            result.Receive(GetMember(IsChain() ? place - 1 : place - (1U << bit), lane),
                           all,
                           false);
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

  private:
    bool IsChain() const
    {
        return m_settings.algorithm == CollectiveAlgorithm::CHAIN;
    }

    /// @return how far behind the root it is
    uint32_t GetPlace(uint32_t member, uint32_t lane) const
    {
        const CollectiveRingOrder order(m_settings.nPerServer, lane % m_settings.nChannels);
        const uint32_t n = m_settings.nMembers;
        return (order.GetPlace(member) + n - order.GetPlace(m_settings.root)) % n;
    }

    uint32_t GetMember(uint32_t place, uint32_t lane) const
    {
        const CollectiveRingOrder order(m_settings.nPerServer, lane % m_settings.nChannels);
        return order.GetMember((place + order.GetPlace(m_settings.root)) % m_settings.nMembers);
    }

    const CollectiveScheduleSettings& m_settings; //!< the collective
};

/// Call a function with the steps of a collective's algorithm. @return what the function returns
template <typename F>
auto
CallWithSteps(const CollectiveScheduleSettings& settings, F function)
{
    switch (settings.algorithm)
    {
    case CollectiveAlgorithm::HALVING_DOUBLING:
    case CollectiveAlgorithm::RECURSIVE_DOUBLING:
        return function(CollectivePairs(settings));
    case CollectiveAlgorithm::PAIRWISE:
    case CollectiveAlgorithm::DIRECT:
        return function(CollectiveExchange(settings));
    case CollectiveAlgorithm::BINOMIAL_TREE:
    case CollectiveAlgorithm::CHAIN:
        return function(CollectiveBroadcast(settings));
    case CollectiveAlgorithm::DOUBLE_TREE:
    case CollectiveAlgorithm::NVLS:
        return function(CollectiveTree(settings));
    case CollectiveAlgorithm::HIERARCHICAL:
        if (settings.nPerServer > 1 && settings.GetNServers() > 1)
        {
            return function(CollectiveHierarchy(settings));
        }
        break; // one ring: of all servers, or in the only one
    case CollectiveAlgorithm::RING:
        break;
    }
    return function(CollectiveRing(settings));
}

} // namespace

CollectiveSchedule::CollectiveSchedule(const CollectiveScheduleSettings& settings)
    : m_settings(std::make_shared<const CollectiveScheduleSettings>(settings))
{
    m_settings->Check();
}

CollectiveSchedule::CollectiveSchedule(CollectiveKind kind,
                                       CollectiveAlgorithm algorithm,
                                       uint32_t nMembers,
                                       uint64_t bytes,
                                       uint32_t nChunks,
                                       uint32_t root)
    : CollectiveSchedule(
          CollectiveScheduleSettings{kind, algorithm, 0, nMembers, bytes, nChunks, root})
{
}

uint32_t
CollectiveSchedule::GetNSteps(uint32_t member, uint32_t lane) const
{
    return CallWithSteps(*m_settings,
                         [=](const auto& steps) { return steps.GetNSteps(member, lane); });
}

CollectiveStep
CollectiveSchedule::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    return CallWithSteps(*m_settings,
                         [=](const auto& steps) { return steps.GetStep(member, lane, step); });
}

} // namespace ns3::aidc

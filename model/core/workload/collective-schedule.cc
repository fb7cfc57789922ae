/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-schedule.h"

#include "collective-broadcast.h"
#include "collective-exchange.h"
#include "collective-hierarchy.h"
#include "collective-pairs.h"
#include "collective-ring.h"
#include "collective-tree.h"

namespace ns3::aidc
{

namespace
{

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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_STEP_H
#define AIDC_TWO_SITES_STEP_H

#include "two-sites-settings.h"

#include "ns3/collective-schedule.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// The channels of a rank, each a ring of its own with an equal part of the bytes, as NCCL has
/// them; and the queue pairs of a burst's sender
constexpr uint32_t TWO_SITES_CHANNELS = 4;

namespace
{

/// By channel of a rank, the operations that the next one waits for.
using Operations = std::vector<std::vector<uint32_t>>;

/// Add a collective of some channels to the programs. It waits for the last operations of each
/// channel, which are its own afterwards.
void
AddCollective(WorkloadPlan& plan,
              const std::string& name,
              CollectiveKind kind,
              uint64_t bytes,
              const RankGroup& ranks,
              Operations& last)
{
    const CollectiveSchedule schedule(kind,
                                      CollectiveAlgorithm::RING,
                                      static_cast<uint32_t>(ranks->size()),
                                      bytes);
    Operations after;
    for (const uint32_t rank : *ranks)
    {
        after.push_back(last[rank]);
    }
    const auto operations = plan.AddCollective(name, schedule, ranks, after);
    for (std::size_t i = 0; i < ranks->size(); ++i)
    {
        last[(*ranks)[i]] = {operations[i]};
    }
}

/// Add what a channel of all ranks does to the programs. The first rank's channel has the number
/// first, and those of the others follow.
void
AddChannel(WorkloadPlan& plan, const TwoSitesSettings& settings, uint32_t first, uint32_t n)
{
    // Collectives of one group follow each other. Those of each kind have groups of their own, so
    // that the next layer is reduced while the last one is on its way over the WAN.
    std::vector<RankGroup> reducing;
    std::vector<RankGroup> gathering;
    std::vector<RankGroup> pairs;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        std::vector<uint32_t> ranks(n);
        std::iota(ranks.begin(), ranks.end(), first + site * n);
        reducing.push_back(std::make_shared<const std::vector<uint32_t>>(ranks));
        gathering.push_back(std::make_shared<const std::vector<uint32_t>>(ranks));
    }
    for (uint32_t i = first; i < first + n; ++i)
    {
        pairs.push_back(
            std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{i, n + i}));
    }
    const auto nanoseconds = static_cast<uint64_t>(settings.compute.GetNanoSeconds());
    const uint64_t bytes = settings.layerBytes / TWO_SITES_CHANNELS;
    const uint32_t compute = plan.AddItem("compute");
    Operations computed(first + WAN_SITES * n);
    for (uint32_t i = first; i < computed.size(); ++i)
    {
        computed[i] = {plan.GetProgram(i).AddCompute(settings.layers * nanoseconds, {}, compute)};
    }
    for (uint32_t layer = settings.layers; layer-- > 0;)
    {
        for (uint32_t i = first; i < computed.size(); ++i)
        {
            computed[i] = {plan.GetProgram(i).AddCompute(nanoseconds, computed[i], compute)};
        }
        const std::string name = "layer " + std::to_string(layer);
        auto last = computed;
        for (const auto& group : reducing)
        {
            AddCollective(plan, name, CollectiveKind::REDUCE_SCATTER, bytes, group, last);
        }
        for (const auto& pair : pairs)
        {
            AddCollective(plan, name, CollectiveKind::ALL_REDUCE, bytes / n, pair, last);
        }
        for (const auto& group : gathering)
        {
            AddCollective(plan, name, CollectiveKind::ALL_GATHER, bytes, group, last);
        }
    }
}

} // namespace

/// @ingroup aidc
/// Make the training step.
///
/// All ranks of both data centers train one model: for each layer they reduce-scatter the gradients
/// in the data center, all-reduce their parts with the rank of the same number in the other one,
/// and all-gather the result. While a layer is reduced, the next one is computed. A rank has some
/// channels, each with a part of the bytes and queue pairs of its own.
/// @param settings what the user has set
/// @return the programs of all channels: those of the first channel of all ranks come first, and of
///         these those of the first data center
inline WorkloadPlan
MakeTwoSitesStep(const TwoSitesSettings& settings)
{
    const uint32_t n = settings.GetNRanks();
    WorkloadPlan plan(TWO_SITES_CHANNELS * WAN_SITES * n);
    for (uint32_t channel = 0; channel < TWO_SITES_CHANNELS; ++channel)
    {
        AddChannel(plan, settings, channel * WAN_SITES * n, n);
    }
    return plan;
}

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_STEP_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-step.h"

#include "../require-argument.h"
#include "workload-plan.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

/// The greatest number of operations of a step over all ranks, for memory's sake.
constexpr uint64_t MAX_OPERATIONS = 1ULL << 27;

/// Check that there is a collective. nMembers: the number of members; with one, there is none.
void
CheckCollective(const std::string& name,
                CollectiveKind kind,
                const TrainingCollective& collective,
                uint32_t nMembers)
{
    if (nMembers == 1)
    {
        return;
    }
    try
    {
        collective.GetSettings(kind, nMembers).Check();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + error.what());
    }
}

} // namespace

CollectiveScheduleSettings
TrainingCollective::GetSettings(CollectiveKind kind, uint32_t nMembers) const
{
    CollectiveScheduleSettings settings;
    settings.kind = kind;
    settings.algorithm = algorithm;
    settings.nMembers = nMembers;
    settings.bytes = bytes;
    settings.nChunks = nChunks;
    settings.nPerServer = nPerServer;
    settings.nChannels = nChannels;
    settings.nSlots = nSlots;
    return settings;
}

uint64_t
TrainingStep::GetNReplicas() const
{
    return uint64_t{dp} * cp;
}

uint64_t
TrainingStep::GetNRanks() const
{
    return GetNReplicas() * tp * pp;
}

void
TrainingStep::Check() const
{
    constexpr uint32_t MAX = WorkloadPlan::MAX_RANKS;
    for (const uint32_t size : {dp, tp, cp, pp, ep, nLayers, nMicrobatches, nChunks})
    {
        RequireArgument(size >= 1 && size <= MAX,
                        "sizes, layers, microbatches and chunks are from 1 to " +
                            std::to_string(MAX));
    }
    uint64_t nRanks = 1;
    for (const uint32_t size : {dp, tp, cp, pp})
    {
        nRanks *= size; // at most 2^40
        RequireArgument(nRanks <= MAX,
                        "there are at most " + std::to_string(MAX) + " ranks: dp * tp * cp * pp");
    }
    const auto nReplicas = static_cast<uint32_t>(GetNReplicas());
    RequireArgument(nReplicas % ep == 0,
                    "ep divides dp * cp, but " + std::to_string(ep) + " does not divide " +
                        std::to_string(nReplicas));
    const uint64_t nParts = uint64_t{pp} * nChunks;
    RequireArgument(nLayers % nParts == 0,
                    "each chunk of a stage has as many layers, but pp * chunks, " +
                        std::to_string(nParts) + ", does not divide " + std::to_string(nLayers));
    PipelineSchedule(order, pp, nMicrobatches, nChunks);
    RequireArgument(nTensor <= 1024,
                    "a layer has at most 1024 all-reduces of tensors in each direction");
    const uint64_t perLayer =
        2 * (1 + (tp > 1 ? nTensor : 0) + (ep > 1 ? 2 : 0) + (cp > 1 ? 3 * uint64_t{cp} : 0));
    const uint64_t layers = uint64_t{nLayers} / pp * nMicrobatches; // at most 2^40
    RequireArgument(layers <= MAX_OPERATIONS && layers * GetNRanks() <= MAX_OPERATIONS / perLayer,
                    "the step has at most " + std::to_string(MAX_OPERATIONS) +
                        " operations over all ranks");
    CheckCollective("tensor", CollectiveKind::ALL_REDUCE, tensor, tp);
    RequireArgument(context.share >= 0 && context.share <= 1,
                    "context: the share of a layer's computation is from 0 to 1, not " +
                        std::to_string(context.share));
    RequireArgument(context.bytes <= CollectiveScheduleSettings::MAX_BYTES / 2,
                    "context: keys and values have at most 2^59 bytes");
    RequireArgument(ep == 1 || (expertLoad >= 1 && expertLoad <= ep),
                    "expert: the load of the first rank over the mean is from 1 to " +
                        std::to_string(ep) + ", not " + std::to_string(expertLoad));
    RequireArgument(expertLoad == 1 || (ep <= CollectiveSizes::MAX_MEMBERS &&
                                        expert.bytes <= CollectiveScheduleSettings::MAX_BYTES / ep),
                    "expert: with unequal loads, there are at most " +
                        std::to_string(CollectiveSizes::MAX_MEMBERS) +
                        " ranks, which have at most 2^60 bytes to send together");
    CheckCollective("expert", CollectiveKind::ALL_TO_ALL, expert, ep);
    const auto kind = isSharded ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE;
    CheckCollective("data", kind, data, nReplicas);
    if (expertData)
    {
        RequireArgument(
            ep > 1 && ep < nReplicas,
            "expert_data: gradients of experts are reduced by themselves if 1 < ep < dp * cp");
        CheckCollective("expert_data", kind, *expertData, nReplicas / ep);
    }
}

} // namespace ns3::aidc

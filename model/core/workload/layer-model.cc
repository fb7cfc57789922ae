/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-model.h"

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace ns3::aidc
{

RankGroups
MakeRankGroups(uint32_t first, uint32_t n, uint32_t count, uint32_t distance)
{
    RankGroups groups;
    if (count == 1)
    {
        return groups;
    }
    for (uint32_t block = first; block < first + n; block += count * distance)
    {
        for (uint32_t rank = block; rank < block + distance; ++rank)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t i = 0; i < count; ++i)
            {
                ranks.push_back(rank + i * distance);
            }
            groups.push_back(std::make_shared<const std::vector<uint32_t>>(std::move(ranks)));
        }
    }
    return groups;
}

namespace
{

/// Policies by name.
const std::array<std::pair<const char*, LayerPolicy>, 11> POLICIES{
    {{"DATA", LayerPolicy::DATA},
     {"MODEL", LayerPolicy::MODEL},
     {"HYBRID_TRANSFORMER", LayerPolicy::HYBRID_TRANSFORMER},
     {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD},
     {"HYBRID_DLRM", LayerPolicy::HYBRID_DLRM},
     {"HYBRID_DLRM_ENHANCED", LayerPolicy::HYBRID_DLRM_ENHANCED},
     {"HYBRID_DATA_MODEL", LayerPolicy::HYBRID_DATA_MODEL},
     {"HYBRID_MODEL_DATA", LayerPolicy::HYBRID_MODEL_DATA},
     {"HYBRID_CUSTOMIZED", LayerPolicy::HYBRID_CUSTOMIZED},
     {"MICRO", LayerPolicy::MICRO},
     {"DISTRIBUTED_INFERENCE", LayerPolicy::DISTRIBUTED_INFERENCE}}};

} // namespace

const char*
GetLayerPolicyName(LayerPolicy policy)
{
    return POLICIES[static_cast<std::size_t>(policy)].first;
}

bool
ParseLayerPolicy(const std::string& name, LayerPolicy& policy)
{
    for (const auto& [known, value] : POLICIES)
    {
        if (name == known)
        {
            policy = value;
            return true;
        }
    }
    return false;
}

std::string
ListLayerPolicies()
{
    std::string text;
    for (const auto& entry : POLICIES)
    {
        text += (text.empty() ? "" : ", ") + std::string(entry.first);
    }
    return text;
}

bool
IsTransformer(LayerPolicy policy)
{
    return policy == LayerPolicy::HYBRID_TRANSFORMER ||
           policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD;
}

bool
IsDlrm(LayerPolicy policy)
{
    return policy == LayerPolicy::HYBRID_DLRM || policy == LayerPolicy::HYBRID_DLRM_ENHANCED;
}

namespace
{

/// @return the ranks that communicate by the policy
LayerRanks
GetByPolicy(LayerPolicy policy, LayerPhaseKind kind)
{
    const bool isWeights = kind == LayerPhaseKind::WEIGHT_GRADIENT;
    switch (policy)
    {
    case LayerPolicy::MODEL:
    case LayerPolicy::DISTRIBUTED_INFERENCE:
        return isWeights ? LayerRanks::NOBODY : LayerRanks::ALL;
    case LayerPolicy::HYBRID_TRANSFORMER:
    case LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD:
    case LayerPolicy::HYBRID_DATA_MODEL:
        return isWeights ? LayerRanks::APART : LayerRanks::NEIGHBORS;
    case LayerPolicy::HYBRID_MODEL_DATA:
        return isWeights ? LayerRanks::NEIGHBORS : LayerRanks::APART;
    default: // data parallelism
        return isWeights ? LayerRanks::ALL : LayerRanks::NOBODY;
    }
}

} // namespace

const LayerPhase&
GetLayerPhase(const WorkloadLayer& layer, LayerPhaseKind kind)
{
    return kind == LayerPhaseKind::FORWARD          ? layer.forward
           : kind == LayerPhaseKind::INPUT_GRADIENT ? layer.inputGradient
                                                    : layer.weightGradient;
}

LayerRanks
GetLayerRanks(const LayerWorkload& workload, std::size_t layer, LayerPhaseKind kind)
{
    const WorkloadLayer& what = workload.layers[layer];
    switch (GetLayerPhase(what, kind).group)
    {
    case LayerGroup::EXPERT:
        return LayerRanks::EXPERT;
    case LayerGroup::DATA_EXPERT:
        return LayerRanks::DATA_EXPERT;
    default:
        break;
    }
    if (layer == 0 && IsDlrm(workload.policy))
    {
        return LayerRanks::ALL; // the embeddings
    }
    const bool isCustomized = workload.policy == LayerPolicy::HYBRID_CUSTOMIZED;
    return GetByPolicy(isCustomized ? what.policy : workload.policy, kind);
}

uint32_t
GetLayerGroupSize(const LayerWorkload& workload, LayerRanks ranks)
{
    const uint32_t dp = workload.nRanks / (workload.tp * workload.pp);
    switch (ranks)
    {
    case LayerRanks::ALL:
        return workload.nRanks;
    case LayerRanks::NEIGHBORS:
        return workload.tp;
    case LayerRanks::APART:
        return dp;
    case LayerRanks::EXPERT:
        return workload.ep;
    case LayerRanks::DATA_EXPERT:
        return dp / workload.ep;
    default:
        return 0;
    }
}

LayerGroups::LayerGroups(const LayerWorkload& workload)
    : m_workload(workload)
{
    const uint32_t n = workload.nRanks;
    const uint32_t dp = n / (workload.tp * workload.pp);
    m_all = MakeRankGroups(0, n, n, 1);
    m_neighbors = MakeRankGroups(0, n, workload.tp, 1);
    m_apart = MakeRankGroups(0, n, dp, n / dp);
    // Experts are divided in a stage: ranks of other stages are behind, and would be waited for
    m_expert = MakeRankGroups(0, n, workload.ep, n / dp);
    m_dataExpert = MakeRankGroups(0, n, dp / workload.ep, n / dp * workload.ep);
}

const RankGroups&
LayerGroups::Get(std::size_t layer, LayerPhaseKind kind) const
{
    const LayerPhase& phase = GetLayerPhase(m_workload.layers[layer], kind);
    if (!phase.collective || phase.bytes == 0)
    {
        return m_none;
    }
    switch (GetLayerRanks(m_workload, layer, kind))
    {
    case LayerRanks::ALL:
        return m_all;
    case LayerRanks::NEIGHBORS:
        return m_neighbors;
    case LayerRanks::APART:
        return m_apart;
    case LayerRanks::EXPERT:
        return m_expert;
    case LayerRanks::DATA_EXPERT:
        return m_dataExpert;
    default:
        return m_none;
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-groups.h"

namespace ns3::aidc
{

LayerGroups::LayerGroups(const LayerWorkload& workload)
    : m_workload(workload)
{
    const uint32_t n = workload.nRanks;
    const uint32_t dp = n / (workload.tp * workload.pp);
    m_all = MakeRankGroups(0, n, n, 1);
    m_neighbors = MakeRankGroups(0, n, workload.tp, 1);
    m_apart = MakeRankGroups(0, n, dp, n / dp);
    m_expert = MakeRankGroups(0, n, workload.ep, workload.tp);
    m_dataExpert = MakeRankGroups(0, n, dp / workload.ep, workload.tp * workload.ep);
}

const RankGroups&
LayerGroups::GetByPolicy(LayerPolicy policy, LayerPhaseKind phase) const
{
    const bool isWeights = phase == LayerPhaseKind::WEIGHT_GRADIENT;
    switch (policy)
    {
    case LayerPolicy::MODEL:
    case LayerPolicy::DISTRIBUTED_INFERENCE:
        return isWeights ? m_none : m_all;
    case LayerPolicy::HYBRID_TRANSFORMER:
    case LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD:
    case LayerPolicy::HYBRID_DATA_MODEL:
        return isWeights ? m_apart : m_neighbors;
    case LayerPolicy::HYBRID_MODEL_DATA:
        return isWeights ? m_neighbors : m_apart;
    default: // data parallelism
        return isWeights ? m_all : m_none;
    }
}

const RankGroups&
LayerGroups::Get(std::size_t layer, LayerPhaseKind kind) const
{
    const WorkloadLayer& what = m_workload.layers[layer];
    const LayerPhase& phase = kind == LayerPhaseKind::FORWARD          ? what.forward
                              : kind == LayerPhaseKind::INPUT_GRADIENT ? what.inputGradient
                                                                       : what.weightGradient;
    if (!phase.collective || phase.bytes == 0)
    {
        return m_none;
    }
    switch (phase.group)
    {
    case LayerGroup::EXPERT:
        return m_expert;
    case LayerGroup::DATA_EXPERT:
        return m_dataExpert;
    default:
        break;
    }
    if (layer == 0 && IsDlrm(m_workload.policy))
    {
        return m_all; // the embeddings
    }
    return GetByPolicy(m_workload.policy == LayerPolicy::HYBRID_CUSTOMIZED ? what.policy
                                                                           : m_workload.policy,
                       kind);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-step-groups.h"

namespace ns3::aidc
{

TrainingStepGroups::TrainingStepGroups(const TrainingStep& step)
    : m_nStageRanks(static_cast<uint32_t>(step.GetNRanks() / step.pp))
{
    const auto nReplicas = static_cast<uint32_t>(step.GetNReplicas());
    for (uint32_t p = 0; p < step.pp; ++p)
    {
        const uint32_t first = p * m_nStageRanks;
        m_stages.push_back(
            {first,
             MakeRankGroups(first, m_nStageRanks, step.tp, 1),
             MakeRankGroups(first, m_nStageRanks, step.cp, step.tp),
             MakeRankGroups(first, m_nStageRanks, step.ep, step.tp),
             MakeRankGroups(first, m_nStageRanks, nReplicas, step.tp),
             step.expertData
                 ? MakeRankGroups(first, m_nStageRanks, nReplicas / step.ep, step.tp * step.ep)
                 : RankGroups()});
    }
}

} // namespace ns3::aidc

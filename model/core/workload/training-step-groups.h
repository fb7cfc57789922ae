/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAINING_STEP_GROUPS_H
#define AIDC_TRAINING_STEP_GROUPS_H

#include "rank-groups.h"
#include "training-step.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The ranks of a training step that communicate with each other.
 */
class TrainingStepGroups
{
  public:
    /// The groups of a stage.
    struct Stage
    {
        uint32_t firstRank;    //!< the first one of the stage's ranks, which are consecutive
        RankGroups tensor;     //!< tp ranks each
        RankGroups context;    //!< cp ranks each
        RankGroups expert;     //!< ep ranks each
        RankGroups data;       //!< dp * cp ranks each
        RankGroups expertData; //!< with the same experts, if their gradients are by themselves
    };

    /// @param step the training step, which has been checked
    explicit TrainingStepGroups(const TrainingStep& step);

    /// @return the ranks of a stage
    uint32_t GetNStageRanks() const
    {
        return m_nStageRanks;
    }

    /// @return its groups
    const Stage& Get(uint32_t stage) const
    {
        return m_stages[stage];
    }

  private:
    uint32_t m_nStageRanks;      //!< the ranks of a stage
    std::vector<Stage> m_stages; //!< by number
};

} // namespace ns3::aidc

#endif // AIDC_TRAINING_STEP_GROUPS_H

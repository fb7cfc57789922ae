/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAINING_STEP_GROUPS_H
#define AIDC_TRAINING_STEP_GROUPS_H

#include "rank-program.h"
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
    /// Groups of a stage, in which each of its ranks is once; none if they would have one rank.
    using Groups = std::vector<RankGroup>;

    /// The groups of a stage.
    struct Stage
    {
        uint32_t firstRank; //!< the first one of the stage's ranks, which are consecutive
        Groups tensor;      //!< tp ranks each
        Groups context;     //!< cp ranks each
        Groups expert;      //!< ep ranks each
        Groups data;        //!< dp * cp ranks each
        Groups expertData;  //!< ranks with the same experts, if their gradients are by themselves
    };

    /// @param step the training step, which has been checked
    explicit TrainingStepGroups(const TrainingStep& step);

    /// @return the ranks of a stage
    uint32_t GetNStageRanks() const
    {
        return m_nStageRanks;
    }

    /// @param stage the number of the stage
    /// @return its groups
    const Stage& Get(uint32_t stage) const
    {
        return m_stages[stage];
    }

  private:
    /// Make groups of ranks at a distance: blocks of consecutive ones, divided by their remainder.
    /// @param firstRank the first rank of a stage
    /// @param count the ranks of a group
    /// @param distance between two of them
    /// @return the groups
    Groups Make(uint32_t firstRank, uint32_t count, uint32_t distance) const;

    uint32_t m_nStageRanks;      //!< the ranks of a stage
    std::vector<Stage> m_stages; //!< by number
};

} // namespace ns3::aidc

#endif // AIDC_TRAINING_STEP_GROUPS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_SLOW_RANK_H
#define AIDC_EXPERIMENT_SLOW_RANK_H

#include "experiment-parameters.h"

#include "ns3/workload-plan.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The option of an experiment that makes a rank compute slowly: --slow-rank.
 */
class ExperimentSlowRank
{
  public:
    /// Let a user set the option.
    /// @param [in,out] parameters what the user may set; this object outlives it
    void AddTo(ExperimentParameters& parameters);

    /// Read the option.
    /// @param nRanks the number of ranks
    /// @throws std::runtime_error if it is not RANK:FACTOR
    void Prepare(uint32_t nRanks);

    /// Slow the rank down, if there is one.
    /// @param plan the programs
    void SlowDown(WorkloadPlan& plan) const;

  private:
    std::string m_text; //!< what the user says
    uint32_t m_rank{0}; //!< the rank
    double m_factor{1}; //!< how many times as long its computations take
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_SLOW_RANK_H

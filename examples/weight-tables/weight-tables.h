/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WEIGHT_TABLES_H
#define AIDC_WEIGHT_TABLES_H

#include "ns3/experiment-base.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment weight-tables, which the comment of weight-tables.cc describes.
 */
class WeightTablesExperiment : public ExperimentBase
{
  public:
    WeightTablesExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    uint32_t m_nextHops{8};  //!< next hops of a group
    double m_least{0.1};     //!< least share of its rate that a degraded link has
    uint32_t m_groups{1000}; //!< groups that are drawn
};

} // namespace ns3::aidc

#endif // AIDC_WEIGHT_TABLES_H

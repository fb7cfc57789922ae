/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_FAILURES_H
#define AIDC_FABRIC_FAILURES_H

#include "failures-network.h"

#include "ns3/experiment-base.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment fabric-failures, which the comment of fabric-failures.cc describes.
 */
class FabricFailuresExperiment : public ExperimentBase
{
  public:
    FabricFailuresExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// Find out when routes change, by a simulation without traffic.
    std::vector<Time> FindMoments(const ExperimentRun& run, Time failure, Time end) const;

    FailuresSettings m_settings; //!< what a user may set
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_FAILURES_H

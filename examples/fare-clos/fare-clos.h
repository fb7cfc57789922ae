/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_H
#define AIDC_FARE_CLOS_H

#include "fare-clos-scenario.h"
#include "fare-clos-settings.h"

#include "ns3/experiment-base.h"

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The experiment fare-clos, which the comment of fare-clos.cc describes.
class FareClosExperiment : public ExperimentBase
{
  public:
    FareClosExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// Tell the bound. @return what no routing exceeds
    ExperimentOutcome MakeBound(const FareClosScenario& scenario) const;

    /// Simulate the permutation, whose metrics the outcome gets.
    void RunPermutation(const ExperimentRun& run,
                        const FareClosScenario& scenario,
                        ExperimentOutcome& outcome) const;

    /// Simulate all-to-all, whose metrics the outcome gets.
    void RunAllToAll(const ExperimentRun& run,
                     const FareClosScenario& scenario,
                     ExperimentOutcome& outcome) const;

    FareClosSettings m_settings; //!< what a user may set
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_H

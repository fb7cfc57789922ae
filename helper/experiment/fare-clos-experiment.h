/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_EXPERIMENT_H
#define AIDC_FARE_CLOS_EXPERIMENT_H

#include "experiment-base.h"
#include "experiment-runner.h"
#include "fare-clos-scenario.h"
#include "fare-clos-settings.h"

#include "ns3/mpi-ranks.h"

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::FareClosExperiment declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment fare-clos: BGP tells switches of a Clos network the bandwidth of paths, and
 *        they weigh equal-cost paths by it (draft-xu-idr-fare).
 *
 * The networks are those of the draft's Figures 1 and 2, of three and five stages, and not
 * blocking. All hosts send to another one each (permutation), or to all others (all-to-all).
 *
 * Schemes: ecmp is BGP without bandwidths, flow by flow; fare has them, flow by flow, too.
 * ecmp-spray and fare-spray are the same packet by packet. max-flow is what no routing exceeds.
 *
 * Scenarios, each with three stages (-3) and five (-5):
 *  - intact: all links are up
 *  - one-link-lost: the first leaf loses one of its four links to spines, and gets it back
 *  - member-lost: a leaf and a spine have two parallel links; the first leaf loses one of them
 *  - degraded: some links are down, and some have half their rate
 */
class FareClosExperiment : public ExperimentBase
{
  public:
    FareClosExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run, const MpiRanks& ranks) override;

    /**
     * @brief Tell the bound.
     * @param scenario the scenario
     * @return what no routing exceeds
     */
    ExperimentOutcome MakeBound(const FareClosScenario& scenario) const;

    /**
     * @brief Simulate the permutation.
     * @param run the run
     * @param scenario the scenario
     * @param [in,out] outcome gets the metrics
     */
    void RunPermutation(const ExperimentRun& run,
                        const FareClosScenario& scenario,
                        ExperimentOutcome& outcome) const;

    /**
     * @brief Simulate all-to-all.
     * @param run the run
     * @param scenario the scenario
     * @param [in,out] outcome gets the metrics
     */
    void RunAllToAll(const ExperimentRun& run,
                     const FareClosScenario& scenario,
                     ExperimentOutcome& outcome) const;

    FareClosSettings m_settings; //!< what a user may set
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_EXPERIMENT_H

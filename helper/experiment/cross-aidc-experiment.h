/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CROSS_AIDC_EXPERIMENT_H
#define AIDC_CROSS_AIDC_EXPERIMENT_H

#include "cross-aidc-settings.h"
#include "experiment-base.h"
#include "experiment-runner.h"

#include "ns3/mpi-ranks.h"

#include <string>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CrossAidcExperiment declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment cross-aidc: RoCEv2 between two data centers over a WAN, with bursts of
 * cross traffic, and who reacts to congestion how soon (draft-hu-rtgwg-pre-ecn-wan-01).
 *
 * Ranks of both data centers all-reduce in pairs, at the speed of the links between core routers;
 * bursts from other hosts meet them there, from the first data center and then from the second one.
 *
 * Schemes: tail-drop marks nothing; single-threshold marks CE from T1 on, to which the senders
 * react end to end (DCQCN). In the others, core routers mark ECT(1) from T1 on and CE from T2 on,
 * and notify the provider edge, which lowers rates (two-threshold), steers flows to another path
 * (two-threshold-reroute), or does both (two-threshold-both). mixed-core is two-threshold where
 * only the core routers of the first data center can do that; the others are those of
 * single-threshold.
 *
 * Scenarios: the one-way delay between the provider edge routers, as 10ms; with -long, long flows
 * meet there in place of all-reduces and bursts; with -both, both data centers send at a time.
 */
class CrossAidcExperiment : public ExperimentBase
{
  public:
    CrossAidcExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run, const MpiRanks& ranks) override;

    CrossAidcSettings m_settings; //!< what a user may set
    std::string m_scenarios;      //!< the names of the scenarios
};

} // namespace ns3::aidc

#endif // AIDC_CROSS_AIDC_EXPERIMENT_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CROSS_AIDC_H
#define AIDC_CROSS_AIDC_H

#include "cross-aidc-settings.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-runner.h"

#include <string>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CrossAidcExperiment declaration.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// The experiment cross-aidc, which the comment of cross-aidc.cc describes.
class CrossAidcExperiment : public ExperimentBase
{
  public:
    CrossAidcExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    CrossAidcSettings m_settings; //!< what a user may set
    std::string m_scenarios;      //!< the names of the scenarios
};

} // namespace ns3::aidc

#endif // AIDC_CROSS_AIDC_H

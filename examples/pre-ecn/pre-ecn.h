/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_H
#define AIDC_PRE_ECN_H

#include "pre-ecn-settings.h"

#include "ns3/experiment-base.h"

#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// The experiment pre-ecn, which the comment of pre-ecn.cc describes.
class PreEcnExperiment : public ExperimentBase
{
  public:
    PreEcnExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    PreEcnSettings m_settings; //!< what a user may set
    std::string m_scenarios;   //!< the names of the scenarios
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_H
#define AIDC_CSIG_FABRIC_H

#include "csig-fabric-network.h"

#include "ns3/experiment-base.h"

namespace ns3::aidc
{

/// @ingroup aidc
/// The experiment csig-fabric, which the comment of csig-fabric.cc describes.
class CsigFabricExperiment : public ExperimentBase
{
  public:
    CsigFabricExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// Let a user set what does not choose scenarios and schemes.
    void AddSettings();

    /// Let the scenarios, schemes and metrics follow from the transport. @throws std::runtime_error
    /// if the scenarios do not fit the transport
    void PrepareSenders(ExperimentPlan& plan) const;

    /// Build the network of a run, simulate and measure. @return what the run has told
    ExperimentOutcome RunScenario(const ExperimentRun& run) const;

    CsigFabricSettings m_settings; //!< what the user has set
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_H

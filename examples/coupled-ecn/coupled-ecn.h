/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COUPLED_ECN_H
#define AIDC_COUPLED_ECN_H

#include "coupled-ecn-scenario.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment coupled-ecn, which the comment of coupled-ecn.cc describes.
 */
class CoupledEcnExperiment : public ExperimentBase
{
  public:
    CoupledEcnExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// Make what installs the switches.
    SharedBufferSwitchHelper MakeSwitches(const std::string& scheme, bool isCapped) const;

    /// @return bytes
    uint32_t GetStaticThreshold(const std::string& scheme) const;

    CoupledEcnTraffic m_traffic;            //!< what the scenarios are made from
    ExperimentSwitchOptions m_switch;       //!< the switch; its cap is that of incast-capped
    uint32_t m_staticLow{200000};           //!< threshold of static-low
    uint32_t m_staticHigh{2000000};         //!< threshold of static-high
    ExperimentTransportOptions m_transport; //!< what carries the flows
};

} // namespace ns3::aidc

#endif // AIDC_COUPLED_ECN_H

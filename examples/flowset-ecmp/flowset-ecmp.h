/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOWSET_ECMP_H
#define AIDC_FLOWSET_ECMP_H

#include "flowset-ecmp-scenario.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"

#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The experiment flowset-ecmp, which the comment of flowset-ecmp.cc describes.
class FlowSetEcmpExperiment : public ExperimentBase
{
  public:
    FlowSetEcmpExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    MultipathRoutingHelper MakeRouting(const std::string& scheme) const;

    FlowSetEcmpTraffic m_traffic;           //!< what the scenarios are made from
    ExperimentSwitchOptions m_switch;       //!< the switches
    ExperimentTransportOptions m_transport; //!< what carries the flows
    Time m_interval{MicroSeconds(100)};     //!< assessment interval
    Time m_gap{MicroSeconds(20)};           //!< flowlet gap
    uint32_t m_threshold{0};                //!< congestion threshold in bytes, 0 for the default
    Time m_holdDown;                        //!< hold-down of migrated flow sets
    double m_hysteresis{0};                 //!< of CQIs
    std::string m_against;                  //!< the scheme that others are compared with
};

} // namespace ns3::aidc

#endif // AIDC_FLOWSET_ECMP_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INCAST_H
#define AIDC_INCAST_H

#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-plan.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment incast, which the comment of incast.cc describes.
 */
class IncastExperiment : public ExperimentBase
{
  public:
    IncastExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// @param scenario the name of the scenario
    /// @return the plan; the receiver is its first host, the senders are its last ones
    FabricPlan MakeNetwork(const std::string& scenario) const;

    /// Draw the flows: each sender has one, and they begin within the jitter.
    /// @param fabric the network
    /// @return the flows
    std::vector<FlowSpec> MakeFlows(const FabricPlan& fabric) const;

    /// Make what installs the switches.
    /// @param scheme how they mark
    /// @return the helper
    SharedBufferSwitchHelper MakeSwitches(const std::string& scheme) const;

    uint32_t m_degree{32};                  //!< senders
    uint32_t m_bytes{1000000};              //!< bytes of a flow
    DataRate m_rate{"100Gbps"};             //!< of all links
    Time m_delay{MicroSeconds(1)};          //!< of all links
    Time m_jitter{MicroSeconds(1)};         //!< flows begin within this time
    Time m_limit{Seconds(1)};               //!< when a run ends at the latest
    ExperimentSwitchOptions m_switch;       //!< the switches
    ExperimentTransportOptions m_transport; //!< what carries the flows
};

} // namespace ns3::aidc

#endif // AIDC_INCAST_H

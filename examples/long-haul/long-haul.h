/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LONG_HAUL_H
#define AIDC_LONG_HAUL_H

#include "ns3/data-rate.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
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
 * @brief The experiment long-haul, which the comment of long-haul.cc describes.
 */
class LongHaulExperiment : public ExperimentBase
{
  public:
    LongHaulExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// @return the number of senders
    uint32_t GetNSenders(const std::string& scenario) const;

    /// @return the plan; the receiver is its first host, the senders are its last ones
    FabricPlan MakeNetwork(const std::string& scenario) const;

    /// @return a flow of each sender, which all begin at once
    std::vector<FlowSpec> MakeFlows(const FabricPlan& fabric) const;

    /// @return how the flows of the scheme are sent
    ExperimentTransportOptions MakeTransport(const std::string& scheme) const;

    /// @return packets of a sender that may overtake one on the longer path, with a tenth to spare
    uint32_t GetReorderWindow() const;

    /// @return when a run ends at the latest
    Time GetLimit() const;

    Time m_delay{MilliSeconds(5)};    //!< of a long link: 1000 km
    Time m_detour{MilliSeconds(1)};   //!< by which the second path is longer
    DataRate m_rate{"100Gbps"};       //!< of hosts
    double m_loss{1e-5};              //!< share of packets that a long link loses
    uint32_t m_senders{2};            //!< to one receiver
    uint32_t m_roundTrips{10};        //!< that a flow takes alone
    ExperimentSwitchOptions m_switch; //!< the switches at both ends
};

} // namespace ns3::aidc

#endif // AIDC_LONG_HAUL_H

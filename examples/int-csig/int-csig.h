/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INT_CSIG_H
#define AIDC_INT_CSIG_H

#include "ns3/csig-helper.h"
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
 * @brief The experiment int-csig, which the comment of int-csig.cc describes.
 */
class IntCsigExperiment : public ExperimentBase
{
  public:
    IntCsigExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// Let a user set the rest.
    void AddSettings();

    FabricPlan MakeNetwork() const;

    /// @return the hosts that do not share the leaf of the first one, a host of each leaf in turn
    static std::vector<NodeIndex> GetOthers(const FabricPlan& fabric);

    std::vector<FlowSpec> MakeFlows(const FabricPlan& fabric, const std::string& scenario) const;

    /// @return what carries the flows
    static ExperimentTransport MakeTransport(const std::string& scheme);

    /// Give switches and adapters CSIG, after the adapters.
    void InstallCsig(const std::string& scheme,
                     const FabricHelper& network,
                     CsigHelper& csig) const;

    /// @return when a run ends at the latest
    Time GetLimit(const std::string& scenario) const;

    uint32_t m_senders{8};                                      //!< that join, in joins
    Time m_interval{MilliSeconds(2)};                           //!< between two of them
    uint32_t m_degree{24};                                      //!< senders, in incast
    uint32_t m_size{1000000};                                   //!< bytes of each, in incast
    std::string m_flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file, in mix
    double m_load{0.5};                                         //!< of the hosts' links, in mix
    Time m_duration{MilliSeconds(2)};                           //!< while flows arrive, in mix
    Time m_window{MicroSeconds(10)};                            //!< of CSIG's available bandwidth
    ExperimentSwitchOptions m_switch;                           //!< the switches
};

} // namespace ns3::aidc

#endif // AIDC_INT_CSIG_H

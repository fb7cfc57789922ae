/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COUPLED_ECN_H
#define AIDC_COUPLED_ECN_H

#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/topology-file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What the scenarios of CoupledEcnExperiment are made from.
 */
struct CoupledEcnTraffic
{
    std::string topology; //!< file, or empty for that of the scenario
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    std::string flows;                                        //!< file, or empty
    double load{0.6};                                         //!< of scenario mix
    Time duration; //!< of the scenarios with active queues, 0 for their own
};

/**
 * @ingroup aidc
 * @brief The flows of a scenario of CoupledEcnExperiment, and where they go.
 */
struct CoupledEcnScenario
{
    TopologyFile topology;        //!< the network
    std::vector<FlowSpec> flows;  //!< the flows
    std::vector<FlowSpec> floods; //!< senders at line rate that ignore ECN, of another transport
    bool isCapped{false};         //!< whether queues have a static cap
    bool isEndless{false};        //!< whether flows have no end
    std::size_t nLong{0};         //!< how many flows, the first ones, outlast the simulation
    Time limit;                   //!< when the simulation ends at the latest
    Time sampling;                //!< the interval of the series
};

/// @ingroup aidc
/// Get the scenarios in which a number of queues is active.
/// @return their names: active-1 to active-48, step and unresponsive
std::vector<std::string> GetActiveQueueScenarios();

/// @ingroup aidc
/// @param name its name
/// @param traffic what it is made from
/// @param isSmall whether it is to take seconds
/// @return the scenario
/// @throws std::runtime_error if a file is not as it should be, or there are no flows
CoupledEcnScenario MakeCoupledEcnScenario(const std::string& name,
                                          const CoupledEcnTraffic& traffic,
                                          bool isSmall);

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

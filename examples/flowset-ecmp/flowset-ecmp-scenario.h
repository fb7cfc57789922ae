/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOWSET_ECMP_SCENARIO_H
#define AIDC_FLOWSET_ECMP_SCENARIO_H

#include "ns3/data-rate.h"
#include "ns3/fabric-plan.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The scenarios of FlowSetEcmpExperiment.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What the scenarios of FlowSetEcmpExperiment are made from.
struct FlowSetEcmpTraffic
{
    std::string topology;     //!< name or file, or empty for that of the scenario
    DataRate rate{"100Gbps"}; //!< of the links, where the topology is not a file
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    std::string flows;                                        //!< file, or empty
    Time duration{MilliSeconds(2)};                           //!< while flows arrive
    uint32_t elephantSize{10000000}; //!< of scenarios of long flows, in bytes
};

/// @ingroup aidc
/// @brief The flows of a scenario of FlowSetEcmpExperiment, and where they go.
struct FlowSetEcmpScenario
{
    FabricPlan fabric;           //!< the network
    std::vector<FlowSpec> flows; //!< the flows
    Time limit;                  //!< when the simulation ends at the latest
    bool hasFailure{false};      //!< whether the first uplink of the first leaf fails
    Time failure;                //!< when it fails
    Time repair;                 //!< when it is back
};

/// @ingroup aidc
/// @brief Make a scenario.
/// @param name its name
/// @param traffic what it is made from
/// @param isSmall whether it is to take seconds
/// @return the scenario
/// @throws std::runtime_error if a file or the topology is not as it should be, or there are no
///        flows
FlowSetEcmpScenario MakeFlowSetEcmpScenario(const std::string& name,
                                            const FlowSetEcmpTraffic& traffic,
                                            bool isSmall);

} // namespace ns3::aidc

#endif // AIDC_FLOWSET_ECMP_SCENARIO_H

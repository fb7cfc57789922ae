/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_FLOWS_H
#define AIDC_CSIG_FABRIC_FLOWS_H

#include "csig-fabric-network.h"

#include "ns3/fabric-plan.h"
#include "ns3/flow-spec-file.h"

#include <cstddef>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The flows of CsigFabricExperiment.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// Make flows that arrive at random.
/// @param fabric the network
/// @param load the share of the hosts' rate
/// @param settings what the user has set
/// @return the flows
std::vector<FlowSpec> MakeCsigFabricMix(const FabricPlan& fabric,
                                        double load,
                                        const CsigFabricSettings& settings);

/// @ingroup aidc
/// Make flows from each host to its counterpart in the next pod.
/// @param fabric the network
/// @param settings what the user has set
/// @param nIncast how many hosts of other pods send to the first host instead
/// @return the flows, those of the incast first
std::vector<FlowSpec> MakeCsigFabricCounterparts(const FabricPlan& fabric,
                                                 const CsigFabricSettings& settings,
                                                 std::size_t nIncast);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_FLOWS_H

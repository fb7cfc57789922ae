/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_AI_TRAINING_NETWORK_H
#define AIDC_AI_TRAINING_NETWORK_H

#include "ns3/experiment-outcome.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/node-container.h"
#include "ns3/pause-monitor.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup aidc
 * The network of the experiment ai-training, and what is counted there.
 */

namespace ns3::aidc
{

/// The lossless class, where RoceNic's DSCP goes.
constexpr uint32_t TRAINING_PRIORITY = 3;

/// Build the network of a scheme, with its switches, and hosts with adapters for RoCEv2.
/// @param network the network
/// @param fabric its plan
/// @param scheme the scheme
/// @param options those of the switches
void BuildTrainingNetwork(FabricHelper& network,
                          const FabricPlan& fabric,
                          const std::string& scheme,
                          const ExperimentSwitchOptions& options);

/// Add what adapters and ports have counted.
/// @param network the network
/// @param ranks the hosts of the ranks
/// @param pauses what has watched the ports' pauses
/// @param [in,out] outcome where the metrics go
void AddTrainingCounts(const FabricHelper& network,
                       const NodeContainer& ranks,
                       const PauseMonitor& pauses,
                       ExperimentOutcome& outcome);

} // namespace ns3::aidc

#endif // AIDC_AI_TRAINING_NETWORK_H

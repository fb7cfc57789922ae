/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_RUNS_H
#define AIDC_CSIG_FABRIC_RUNS_H

#include "csig-fabric-network.h"

#include "ns3/experiment-base.h"

/**
 * @file
 * @ingroup aidc
 * The runs of CsigFabricExperiment, by scenario. Each builds its network, simulates and measures;
 * it leaves Simulator::Destroy() to its caller.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// Compare what tags report with the truth.
/// @param[in,out] fabric the network, which is built here
/// @param run the names of scenario and scheme
/// @param settings what the user has set
/// @return what the run has told
ExperimentOutcome RunCsigFabricAccuracy(CsigFabricNetwork& fabric,
                                        const ExperimentRun& run,
                                        const CsigFabricSettings& settings);

/// @ingroup aidc
/// Look for a degraded link.
/// @param[in,out] fabric the network, which is built here
/// @param run the names of scenario and scheme
/// @param settings what the user has set
/// @return what the run has told
ExperimentOutcome RunCsigFabricDegradedLink(CsigFabricNetwork& fabric,
                                            const ExperimentRun& run,
                                            const CsigFabricSettings& settings);

/// @ingroup aidc
/// Send at constant rates, and let flows change their paths.
/// @param[in,out] fabric the network, which is built here
/// @param run the names of scenario and scheme
/// @param settings what the user has set
/// @return what the run has told
ExperimentOutcome RunCsigFabricBalancing(CsigFabricNetwork& fabric,
                                         const ExperimentRun& run,
                                         const CsigFabricSettings& settings);

/// @ingroup aidc
/// Weight the uplinks of switches.
/// @param[in,out] fabric the network, which is built here
/// @param run the names of scenario and scheme
/// @param settings what the user has set
/// @return what the run has told
ExperimentOutcome RunCsigFabricEngineering(CsigFabricNetwork& fabric,
                                           const ExperimentRun& run,
                                           const CsigFabricSettings& settings);

/// @ingroup aidc
/// Send over RoCEv2, by congestion controls that use the signals or do not.
/// @param[in,out] fabric the network, which is built here
/// @param run the names of scenario and scheme
/// @param settings what the user has set
/// @return what the run has told
ExperimentOutcome RunCsigFabricSenders(CsigFabricNetwork& fabric,
                                       const ExperimentRun& run,
                                       const CsigFabricSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_RUNS_H

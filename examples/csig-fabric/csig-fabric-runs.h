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

/// Compare what tags report with the truth.
ExperimentOutcome RunCsigFabricAccuracy(CsigFabricNetwork& fabric, const ExperimentRun& run);

/// Look for a degraded link.
ExperimentOutcome RunCsigFabricDegradedLink(CsigFabricNetwork& fabric, const ExperimentRun& run);

/// Send at constant rates, and let flows change their paths.
ExperimentOutcome RunCsigFabricBalancing(CsigFabricNetwork& fabric, const ExperimentRun& run);

/// Weight the uplinks of switches.
ExperimentOutcome RunCsigFabricEngineering(CsigFabricNetwork& fabric, const ExperimentRun& run);

/// Send over RoCEv2, by congestion controls that use the signals or do not.
ExperimentOutcome RunCsigFabricSenders(CsigFabricNetwork& fabric, const ExperimentRun& run);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_RUNS_H

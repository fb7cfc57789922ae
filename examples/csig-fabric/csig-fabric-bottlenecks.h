/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_BOTTLENECKS_H
#define AIDC_CSIG_FABRIC_BOTTLENECKS_H

#include "csig-fabric-network.h"
#include "csig-fabric-settings.h"

#include "ns3/experiment-base.h"

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::RunCsigFabricBottlenecks declaration.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// Count the bottlenecks that are false, missed and late, where each second spine and core may not
/// update tags.
/// @param[in,out] fabric the network, which is built here
/// @param run the names of scenario, bottlenecks-LOAD, and scheme
/// @param settings what the user has set
/// @return what the run has told
ExperimentOutcome RunCsigFabricBottlenecks(CsigFabricNetwork& fabric,
                                           const ExperimentRun& run,
                                           const CsigFabricSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_BOTTLENECKS_H

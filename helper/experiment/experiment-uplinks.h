/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_UPLINKS_H
#define AIDC_EXPERIMENT_UPLINKS_H

#include "ns3/fabric-plan.h"

#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// Get the ports of a switch that lead up.
/// @param fabric the network
/// @param id the switch
/// @return its ports to switches of a higher tier
std::vector<PortIndex> GetUplinks(const FabricPlan& fabric, NodeIndex id);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_UPLINKS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_GENERATOR_CHECKS_H
#define AIDC_FLOW_GENERATOR_CHECKS_H

#include "flow-size-distribution.h"

#include "ns3/fabric-index.h"

#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// Check what every generator of flows is made of.
/// @param hosts the ids of the hosts
/// @param sizes the distribution of sizes
/// @throws AidcInputError if there are fewer than two hosts, or no sizes
void CheckFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes);

} // namespace ns3::aidc

#endif // AIDC_FLOW_GENERATOR_CHECKS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_RANKS_H
#define AIDC_FABRIC_RANKS_H

#include "fabric-elements.h"

#include <cstdint>

namespace ns3::aidc
{

/// @brief Distribute the nodes of a FabricPlan over the ranks of a parallel simulation (see
///        FabricPlan::AssignRanks()).
/// @param nodes the nodes, with the pods of hosts
/// @param links the links
/// @param ports the ports of each node
/// @param nRanks the number of ranks, from 1 to the number of leaves
/// @return the rank of each node
/// @throws std::invalid_argument if the number of ranks is out of range
IndexedVector<NodeIndex, uint32_t> DistributeOverRanks(const FabricNodes& nodes,
                                                       const FabricLinks& links,
                                                       const FabricPorts& ports,
                                                       uint32_t nRanks);

} // namespace ns3::aidc

#endif // AIDC_FABRIC_RANKS_H

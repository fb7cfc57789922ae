// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_PROCESSES_H
#define AIDC_FABRIC_PROCESSES_H

#include "fabric-elements.h"

#include <cstdint>

namespace ns3::aidc
{

/// Distribute the nodes of a plan over the processes of a parallel simulation (see
/// FabricPlan::AssignProcesses()).
/// @param nodes the nodes, with the pods of hosts
/// @param links the links
/// @param ports the ports of each node
/// @param nProcesses the number of processes, from 1 to the number of leaves
/// @return the process of each node
/// @throws std::invalid_argument if the number of processes is out of range
IndexedVector<NodeIndex, uint32_t> DistributeOverProcesses(const FabricNodes& nodes,
                                                           const FabricLinks& links,
                                                           const FabricPorts& ports,
                                                           uint32_t nProcesses);

/// @return whether traffic decides, too, by a partition of the graph: aidc was built with Scotch
bool CanPartitionGraphs();

} // namespace ns3::aidc

#endif // AIDC_FABRIC_PROCESSES_H

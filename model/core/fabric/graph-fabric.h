// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_GRAPH_FABRIC_H
#define AIDC_GRAPH_FABRIC_H

#include "fabric-plan.h"

#include <cstdint>
#include <string>
#include <vector>

/// @file
/// The maker of fabrics of any graph.

namespace ns3::aidc
{

/// Make a fabric of any graph, such as a topology file's.
///
/// Nodes and links keep their numbers. Switches with hosts are leaves, other switches with a link
/// to a leaf are spines, all others are super-spines. Pods are the parts that remain connected
/// without the super-spines. If there are no super-spines, each leaf is a pod. In each tier (of
/// each pod) indices ascend with the nodes. Pods are counted in the order of their first leaves.
/// @param name the name of the fabric
/// @param nNodes the number of hosts and switches
/// @param switches the nodes that are switches
/// @param links the links, whose aPort and bPort are not read
/// @return the fabric, finished
/// @throws std::invalid_argument if it is not the graph of a fabric, see FabricPlan::Finish()
FabricPlan MakeFabric(const std::string& name,
                      uint32_t nNodes,
                      const std::vector<NodeIndex>& switches,
                      const FabricLinks& links);

/// Copy a fabric, whose links may have other rates, delays and error rates.
/// @param fabric the fabric, finished
/// @param links its links, which have the same ends
/// @return the copy, finished
FabricPlan CopyFabric(const FabricPlan& fabric, const FabricLinks& links);

} // namespace ns3::aidc

#endif // AIDC_GRAPH_FABRIC_H

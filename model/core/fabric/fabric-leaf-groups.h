/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_LEAF_GROUPS_H
#define AIDC_FABRIC_LEAF_GROUPS_H

#include "fabric-distances.h"
#include "fabric-next-hops.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The groups of next hops of a switch or host, and the group of each FabricAttachment.
struct FabricLeafGroups
{
    std::vector<std::vector<PortIndex>> groups; //!< the ports of each group
    std::vector<std::vector<double>> weights;   //!< the weights of each group, if there are any
    std::vector<uint32_t> ofLeaf; //!< the group of each attachment, or FabricTable::DISCARD

    /// Find the next hops of all shortest paths.
    /// @param switches the distances of all switches
    /// @param edges the ports that lead to switches
    /// @param distances the distance of the switch or host from each attachment
    /// @param nLeaves the number of attachments
    /// @return the groups, in the order of their first use
    static FabricLeafGroups Find(const FabricDistances& switches,
                                 const FabricDistances::Edges& edges,
                                 const uint8_t* distances,
                                 uint32_t nLeaves);

    /// Make the groups of a routing protocol's next hops.
    static FabricLeafGroups Take(const FabricNextHops& nextHops);
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_LEAF_GROUPS_H

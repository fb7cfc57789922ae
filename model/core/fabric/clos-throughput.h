/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CLOS_THROUGHPUT_H
#define AIDC_CLOS_THROUGHPUT_H

#include "fabric-plan.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * What a folded Clos network can carry at most, however its traffic is routed.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What the hosts of a leaf would send to those of another leaf.
struct LeafDemand
{
    NodeIndex source;      //!< the leaf that sends
    NodeIndex destination; //!< the leaf that receives, another one
    uint64_t rate{0};      //!< bit/s that the hosts can send and receive at most
};

/**
 * @ingroup aidc
 * @brief Compute the largest throughput of traffic in which each leaf sends to one leaf at most and
 *        receives from one at most, and so does each pod as to other pods.
 *
 * It is that of the best routing over shortest paths, with flows split at will. No two demands then
 * meet in a link, but for those of a pair of pods between spines and super-spines, which take the
 * same links there. So it is a maximum flow of one commodity: from the source to each demand (its
 * rate); from there to each spine that both leaves have links to, or pair of spines of a plane,
 * one of either pod (the smaller one of what the two leaves have to them); from a pair of spines to
 * the sink (for each super-spine, the smaller one of what both have to it).
 *
 * @param fabric the network, finished; a super-spine has links to one spine of each pod
 * @param demands what is to be sent
 * @param lost links that are down
 * @return bit/s over all demands
 * @throws std::invalid_argument if a leaf or a pod has more than one to send to or receive from
 */
uint64_t GetMaxThroughput(const FabricPlan& fabric,
                          const std::vector<LeafDemand>& demands,
                          const std::vector<LinkIndex>& lost = {});

/**
 * @ingroup aidc
 * @brief Compute a rate that no routing exceeds if all hosts send to all others at the same one.
 *
 * It is the bound of the cuts around each host, each leaf, and each pod: what the links of the cut
 * can carry in a direction, over the pairs of hosts that it parts. The maximum concurrent flow is
 * not larger; it is smaller only if links of several switches are lost so that no path has what is
 * left on both sides.
 *
 * @param fabric the network, finished, each host of which has one link
 * @param lost links that are down
 * @return bit/s of each pair of hosts, in each direction
 */
double GetAllToAllRate(const FabricPlan& fabric, const std::vector<LinkIndex>& lost = {});

} // namespace ns3::aidc

#endif // AIDC_CLOS_THROUGHPUT_H

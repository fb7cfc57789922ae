// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CLOS_THROUGHPUT_H
#define AIDC_CLOS_THROUGHPUT_H

#include "fabric-plan.h"

#include <cstdint>
#include <vector>

/// @file
/// Upper bounds of the throughput of a folded Clos network, for any routing of its traffic.

namespace ns3::aidc
{

/// The demand from the hosts of a leaf to the hosts of another leaf.
struct LeafDemand
{
    NodeIndex source;      //!< the leaf that sends
    NodeIndex destination; //!< the leaf that receives, another one
    uint64_t rate{0};      //!< bit/s that the hosts can send and receive at most
};

/// Compute the largest throughput of traffic in which each leaf sends to at most one leaf and
/// receives from at most one, and each pod likewise to and from other pods.
///
/// It is the throughput of the best routing over shortest paths, with flows split at will. Demands
/// share no link, except that all demands from one pod to another share the links between spines
/// and super-spines. So it is a maximum flow of one commodity. Its edges and their capacities are:
/// from the source to each demand (its rate); from a demand to each spine to which both leaves have
/// links, or to each pair of spines in a plane, one of each pod (the smaller of the two leaves'
/// capacities to them); from a pair of spines to the sink (the sum over super-spines of the smaller
/// of the two spines' capacities).
/// @param fabric the network, finished; a super-spine has links to one spine of each pod
/// @param demands the demands
/// @param lost links that are down
/// @return bit/s over all demands
/// @throws std::invalid_argument if a leaf or a pod has more than one to send to or receive from
uint64_t GetMaxThroughput(const FabricPlan& fabric,
                          const std::vector<LeafDemand>& demands,
                          const std::vector<LinkIndex>& lost = {});

/// Compute an upper bound, for any routing, of the rate at which all hosts can send to all
/// others at the same rate.
///
/// It is the bound by the cuts around each host, each leaf, and each pod: the capacity of the links
/// of the cut in a direction, divided by the number of pairs of hosts that it separates. The
/// maximum concurrent flow is not larger. It is smaller only if links of several switches are lost
/// in such a way that no path can use the remaining links of both sides.
/// @param fabric the network, finished, each host of which has one link
/// @param lost links that are down
/// @return bit/s of each pair of hosts, in each direction
double GetAllToAllRate(const FabricPlan& fabric, const std::vector<LinkIndex>& lost = {});

} // namespace ns3::aidc

#endif // AIDC_CLOS_THROUGHPUT_H

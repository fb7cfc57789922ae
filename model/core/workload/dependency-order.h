// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DEPENDENCY_ORDER_H
#define AIDC_DEPENDENCY_ORDER_H

#include "rank-program.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// Put items into an order in which each item comes after the items that it depends on.
///
/// Where dependencies leave a choice, items that are not late come before late ones, and lower
/// numbers before higher ones.
/// @param after by item, the numbers of the items that it depends on
/// @param cycle a cycle, if there is one: each item depends on the next one, and the last one on
///        the first one; otherwise empty
/// @param isLate by item, whether all others that can come before it do; empty if none is
/// @return the numbers of the items in order; some are missing if there is a cycle
std::vector<uint32_t> SortByDependencies(const std::vector<std::vector<uint32_t>>& after,
                                         std::vector<uint32_t>& cycle,
                                         const std::vector<bool>& isLate = {});

/// A step of a rank, as far as it decides when collectives start.
struct OrderedStep
{
    using Kind = RankOperationKind; //!< a short name

    Kind kind{Kind::COMPUTE};    //!< what it is
    uint64_t amount{0};          //!< nanoseconds, bytes, or the number of the collective
    uint32_t peer{0};            //!< the other rank of a message, or the unit that computes
    uint32_t tag{0};             //!< the tag of a message
    std::vector<uint32_t> after; //!< the numbers of the rank's steps that it waits for
};

/// A collective.
struct OrderedCollective
{
    uint32_t group{0};    //!< the number of its group, which does one collective at a time
    uint32_t nMembers{0}; //!< how many ranks take part
    uint64_t bytes{0};    //!< its size
    uint64_t id{0};       //!< which one of a group is first if several could start at once
};

/// Put collectives into the order in which they start on an ideal network of 400 Gb/s.
///
/// A collective may start when all members are ready. A group does its collectives in the order in
/// which they become ready. So no rank waits for a collective that another one does later, whatever
/// the network, if the collectives of each group follow each other in this order.
/// @param ranks by rank, its steps, which may wait for later ones, but not in a circle
/// @param collectives the collectives, by number
/// @return the numbers of the collectives in order; some are missing if they never start
std::vector<uint32_t> EstimateCollectiveOrder(const std::vector<std::vector<OrderedStep>>& ranks,
                                              const std::vector<OrderedCollective>& collectives);

} // namespace ns3::aidc

#endif // AIDC_DEPENDENCY_ORDER_H

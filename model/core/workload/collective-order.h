/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_ORDER_H
#define AIDC_COLLECTIVE_ORDER_H

#include <cstdint>
#include <vector>

/**
 * @file
 * The order of collectives of which a workload says only what they wait for.
 */

namespace ns3::aidc
{

/// A step of a rank, as far as it decides when collectives start.
struct OrderedStep
{
    /// What it is.
    enum class Kind : uint8_t
    {
        COMPUTE,   //!< computes for a time
        SEND,      //!< sends a message
        RECEIVE,   //!< waits for a message
        COLLECTIVE //!< takes part in a collective
    };

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
    uint64_t id{0};       //!< which one of a group is first, of those that could start at once
};

/// Put collectives into the order in which they start on an ideal network of 400 Gb/s.
///
/// A collective may start when all members are ready. Groups do those that are ready first, first.
/// So no rank waits for a collective that another one does later, whatever the network, if the
/// collectives of each group follow each other in this order.
/// @param ranks by rank, its steps, which may wait for later ones, but not in a circle
/// @param collectives the collectives, by number
/// @return the numbers of the collectives in order; some are missing if they never start
std::vector<uint32_t> EstimateCollectiveOrder(const std::vector<std::vector<OrderedStep>>& ranks,
                                              const std::vector<OrderedCollective>& collectives);

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_ORDER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_ARRIVALS_H
#define AIDC_ROCE_ARRIVALS_H

#include "../simulator/recurring-event.h"
#include "roce-nic-record.h"
#include "roce-queue-pair-table.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Gives the packets that arrive at the ports of a RoceNic to their queue pairs.
 *
 * With several ports, those that arrive at one instant are taken one time step later, in the order
 * of the ports, as SwitchDatapath does with OrderedArrivals: simulators do not agree on the order
 * of events that different nodes have scheduled for one instant.
 */
class RoceArrivals
{
  public:
    /// Both arguments outlive this. record: where packets that are dropped are counted.
    RoceArrivals(const RoceQueuePairTable& pairs, RoceNicRecord& record);

    /// Order packets from now on. @param node the id of the node
    void SetOrdered(uint32_t node);

    /// Take a packet, now. @param arrival the packet
    void Take(const RoceArrival& arrival);

    /// Forget the packets that wait for their turn.
    void Clear();

  private:
    /// Give a packet to its queue pair, or drop it. @param arrival the packet
    void Deliver(const RoceArrival& arrival) const;

    /// Deliver the packets of the last time step.
    void Flush();

    const RoceQueuePairTable& m_pairs;   //!< the queue pairs
    RoceNicRecord& m_record;             //!< where packets that are dropped are counted
    bool m_isOrdered{false};             //!< whether packets are ordered
    uint32_t m_node{0};                  //!< the id of the node
    int64_t m_time{0};                   //!< when those of m_arrivals have arrived, in time steps
    std::vector<RoceArrival> m_arrivals; //!< the packets of this time step, or the last one
    std::vector<RoceArrival> m_former;   //!< those of the last one, if there are some of this one
    RecurringEvent<&RoceArrivals::Flush> m_flush{this}; //!< calls Flush()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_ARRIVALS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_QUEUE_PAIR_TABLE_H
#define AIDC_ROCE_QUEUE_PAIR_TABLE_H

#include "../simulator/recurring-event.h"
#include "roce-nic-record.h"
#include "roce-queue-pair.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The queue pairs of a RoceNic, by number. It gives them the packets that arrive at the
 *        ports.
 *
 * With several ports, those that arrive at one instant are taken one time step later, in the order
 * of the ports, as SwitchDatapath does with OrderedArrivals: simulators do not agree on the order
 * of events that different nodes have scheduled for one instant.
 *
 * An unknown number is refused.
 */
class RoceQueuePairTable
{
  public:
    /// The number of the first queue pair; 0 and 1 are for management.
    static constexpr uint32_t FIRST_QP = 2;

    /// A queue pair, and its settings before it is connected.
    struct Entry
    {
        uint32_t port{0};                    //!< the index of its port
        uint32_t firstPsn{0};                //!< packet sequence number of its first packet
        uint32_t remotePsn{0};               //!< the same of the peer's first packet
        std::unique_ptr<RoceQueuePair> pair; //!< the queue pair, null until it is connected
    };

    /// @param record where packets that are dropped are counted; it outlives this
    explicit RoceQueuePairTable(RoceNicRecord& record)
        : m_record(record)
    {
    }

    /// @param port the index of a port @return the number of a new queue pair of that port
    uint32_t Create(uint32_t port)
    {
        m_entries.emplace_back();
        m_entries.back().port = port;
        return FIRST_QP + GetN() - 1;
    }

    /// @return the number of queue pairs
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_entries.size());
    }

    /// @param qp the number of a queue pair @return its entry
    const Entry& GetEntry(uint32_t qp) const;

    /// @param qp the number of a queue pair, which is not connected yet @return its entry
    Entry& GetUnconnected(uint32_t qp);

    /// @param qp the number of a queue pair, which is connected @return the queue pair
    RoceQueuePair& Get(uint32_t qp) const;

    /// @param qp any number, for example from a packet
    /// @return the queue pair; null if none of that number is connected
    RoceQueuePair* Find(uint32_t qp) const
    {
        const uint32_t index = qp - FIRST_QP; // wraps below FIRST_QP
        return index < m_entries.size() ? m_entries[index].pair.get() : nullptr;
    }

    /// Order packets from now on. @param node the id of the node
    void SetOrdered(uint32_t node)
    {
        m_isOrdered = true;
        m_node = node;
    }

    /// Take a packet, now. @param arrival the packet
    void Take(const RoceArrival& arrival);

    /// Forget all queue pairs. @return the numbers of those that were connected
    std::vector<uint32_t> Forget();

    /// Delete all queue pairs, and forget the packets that wait for their turn.
    void Clear();

  private:
    /// Give a packet to its queue pair, or drop it.
    void Deliver(const RoceArrival& arrival) const;

    /// Deliver the packets of the last time step.
    void Flush();

    std::vector<Entry> m_entries;                         //!< the queue pairs, from FIRST_QP on
    std::vector<std::unique_ptr<RoceQueuePair>> m_former; //!< forgotten, but events may use them
    RoceNicRecord& m_record;             //!< where packets that are dropped are counted
    bool m_isOrdered{false};             //!< whether packets are ordered
    uint32_t m_node{0};                  //!< the id of the node
    int64_t m_time{0};                   //!< when those of m_arrivals have arrived, in time steps
    std::vector<RoceArrival> m_arrivals; //!< the packets of this time step, or the last one
    std::vector<RoceArrival> m_before;   //!< those of the last one, if there are some of this one
    RecurringEvent<&RoceQueuePairTable::Flush> m_flush{this}; //!< calls Flush()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_QUEUE_PAIR_TABLE_H

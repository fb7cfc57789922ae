/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_QUEUE_PAIR_TABLE_H
#define AIDC_ROCE_QUEUE_PAIR_TABLE_H

#include "roce-queue-pair.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// The queue pairs of a RoceNic, by number. An unknown number is refused.
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

    /// @param port the index of a port @return the number of a new queue pair of that port
    uint32_t Create(uint32_t port);

    /// @return the number of queue pairs
    uint32_t GetN() const;

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

    /// Forget all queue pairs. @return the numbers of those that were connected
    std::vector<uint32_t> Forget();

  private:
    std::vector<Entry> m_entries;                         //!< the queue pairs, from FIRST_QP on
    std::vector<std::unique_ptr<RoceQueuePair>> m_former; //!< forgotten, but events may use them
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_QUEUE_PAIR_TABLE_H

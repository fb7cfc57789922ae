/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FAIR_ORDER_H
#define AIDC_FAIR_ORDER_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The order in which queues send by a link that they share fairly, byte by byte.
 *
 * It is start-time fair queueing (P. Goyal, H. Vin, H. Cheng: Start-time Fair Queuing, SIGCOMM
 * 1996) with equal weights. A packet has a start tag: the finish tag of the queue's packet before,
 * or the start tag of the packet sent last, whichever is larger. The smallest start tag is next.
 * Two queues that have packets all the time differ by two packets at most.
 */
class FairOrder
{
  public:
    /// Add a queue that has a packet to send. It is not there yet. finish: what Take() has returned
    /// for the queue last, 0 if there was none.
    void Add(uint32_t queue, uint64_t finish)
    {
        m_ready.emplace(std::max(finish, m_now), m_serial++, queue);
    }

    /// @return whether no queue has a packet to send
    bool IsEmpty() const
    {
        return m_ready.empty();
    }

    /// @return the next queue; there must be one
    uint32_t GetFirst() const
    {
        return std::get<2>(m_ready.top());
    }

    /// Take the next queue out, as it sends a packet. @param bytes the size of the packet
    /// @return the finish tag of the packet
    uint64_t Take(uint32_t bytes)
    {
        m_now = std::get<0>(m_ready.top());
        m_ready.pop();
        return m_now + bytes;
    }

  private:
    /// The start tag of a queue's packet, its place among packets of equal tags, and the queue
    using Ready = std::tuple<uint64_t, uint64_t, uint32_t>;

    /// The queues that have packets; the smallest tag comes out first
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready;
    uint64_t m_now{0};    //!< the start tag of the packet sent last
    uint64_t m_serial{0}; //!< queues that were added
};

} // namespace ns3::aidc

#endif // AIDC_FAIR_ORDER_H

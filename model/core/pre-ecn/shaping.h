// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SHAPING_H
#define AIDC_SHAPING_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

/// A token bucket: packets leave at a rate, and at most a burst at once.
///
/// Its arithmetic is exact: the unit of credit is a billionth of a bit, so that a rate in bit/s is
/// the number of units in a nanosecond. A packet larger than the burst leaves when the bucket is
/// full, and the bucket owes the rest.
class TokenBucket
{
  public:
    /// The largest burst in bytes.
    static constexpr uint32_t MAX_BURST = 1U << 30;

    /// Start.
    /// @param now the time in ns
    /// @param rate the rate in bit/s, at least 1
    /// @param burst the most bytes that leave at once, from 1 to MAX_BURST
    /// @param credit the bytes that may leave at once now, at most burst
    void Start(int64_t now, uint64_t rate, uint32_t burst, uint32_t credit)
    {
        m_time = now;
        m_rate = rate;
        m_depth = burst * UNITS;
        m_credit = credit * UNITS;
    }

    /// Change the rate from now on. now: the time in ns, not before the last call; rate: the rate
    /// in bit/s, at least 1.
    void SetRate(int64_t now, uint64_t rate)
    {
        Fill(now);
        m_rate = rate;
    }

    /// Get the time when a packet may leave if no other one leaves before. now: the time in ns;
    /// bytes: its size. @return the time in ns, now if it may leave at once
    int64_t GetReadyTime(int64_t now, uint32_t bytes)
    {
        Fill(now);
        const int64_t missing = std::min(bytes * UNITS, m_depth) - m_credit;
        if (missing <= 0)
        {
            return now;
        }
        const auto units = static_cast<uint64_t>(missing);
        return now + static_cast<int64_t>(units / m_rate + (units % m_rate != 0 ? 1 : 0));
    }

    /// Take the tokens of a packet that may leave. now: the time in ns; bytes: the size of the
    /// packet.
    void Take(int64_t now, uint32_t bytes)
    {
        Fill(now);
        m_credit -= bytes * UNITS;
    }

  private:
    /// Billionths of a bit in a byte.
    static constexpr int64_t UNITS = 8'000'000'000;

    /// Add the credit of the time that has passed. @param now the time
    void Fill(int64_t now)
    {
        const auto elapsed = static_cast<uint64_t>(now - m_time);
        const auto missing = static_cast<uint64_t>(m_depth - m_credit);
        // The test for a full bucket avoids the product, which may not fit.
        m_credit = elapsed > missing / m_rate ? m_depth
                                              : m_credit + static_cast<int64_t>(elapsed * m_rate);
        m_time = now;
    }

    int64_t m_time{0};   //!< when the credit was counted
    uint64_t m_rate{1};  //!< bit/s
    int64_t m_depth{0};  //!< the burst
    int64_t m_credit{0}; //!< credit at m_time; less than 0 if the bucket owes
};

/// The order in which queues send by a link that they share fairly, byte by byte.
///
/// It is start-time fair queueing (P. Goyal, H. Vin, H. Cheng: Start-time Fair Queuing, SIGCOMM
/// 1996) with equal weights. A packet has a start tag: the finish tag of the queue's packet before,
/// or the start tag of the packet sent last, whichever is larger. The smallest start tag is next.
/// Two queues that have packets all the time differ by two packets at most.
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

#endif // AIDC_SHAPING_H

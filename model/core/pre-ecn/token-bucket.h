/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TOKEN_BUCKET_H
#define AIDC_TOKEN_BUCKET_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief A token bucket: packets leave at a rate, and at most a burst at once.
 *
 * Its arithmetic is exact: the unit of credit is a billionth of a bit, so that a rate in bit/s is
 * the number of units in a nanosecond. A packet larger than the burst leaves when the bucket is
 * full, and the bucket owes the rest.
 */
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

} // namespace ns3::aidc

#endif // AIDC_TOKEN_BUCKET_H

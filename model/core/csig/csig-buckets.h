/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_BUCKETS_H
#define AIDC_CSIG_BUCKETS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/// The values that one code of a signal stands for.
struct CsigRange
{
    /// The end of an open range.
    static constexpr uint64_t OPEN = std::numeric_limits<uint64_t>::max();

    uint64_t low;  //!< the smallest value, in the signal's unit
    uint64_t high; //!< one more than the largest value, or OPEN

    /// Get one value for the whole range.
    /// @return the middle, rounded down; for an open range, its beginning
    uint64_t GetRepresentative() const
    {
        return high == OPEN ? low : low + (high - low) / 2;
    }
};

/**
 * @brief The buckets of a signal in the compact format (section 4.1.3 of the draft).
 *
 * Up to 32 ranges [low, high) cover all values from 0 on without a gap; the last one is open. The
 * code of a value is the number of its bucket. The draft's tables share end points; here, a value
 * on the border belongs to the upper bucket. Fewer than 32 buckets are allowed: the draft's
 * appendix A has 8. A look-up takes five comparisons and no memory.
 */
class CsigBuckets
{
  public:
    /// The most buckets that a 5-bit code can name.
    static constexpr std::size_t MAX_BUCKETS = 32;

    /// Make one bucket of all values.
    CsigBuckets();

    /// Make buckets from the beginning of each.
    /// @param lows the smallest value of each bucket in the signal's unit: 1 to 32, the first 0,
    ///        each above the one before
    /// @throws std::invalid_argument if not; the text says which bucket is wrong and why
    explicit CsigBuckets(const std::vector<uint64_t>& lows);

    /// Get the code of a value. @param value the value in the signal's unit @return the number of
    /// its bucket, from 0
    uint32_t Encode(uint64_t value) const
    {
        // The number of buckets that begin at or below the value, by halves: places after the last
        // bucket hold OPEN, and the bucket of OPEN itself is the last.
        uint32_t code = 0;
        for (uint32_t half = MAX_BUCKETS / 2; half > 0; half /= 2)
        {
            if (m_lows[code + half] <= value && code + half < m_nBuckets)
            {
                code += half;
            }
        }
        return code;
    }

    /// Get the values of a code. @param code the code; a larger code than the last bucket's, such
    /// as a host's initial value, counts as the last bucket's @return the bucket
    CsigRange Decode(uint32_t code) const;

    /// @return the number of buckets, from 1 to 32
    std::size_t GetNBuckets() const
    {
        return m_nBuckets;
    }

  private:
    /// The smallest value of each bucket; OPEN, which no bucket has, after the last one.
    std::array<uint64_t, MAX_BUCKETS> m_lows;
    std::size_t m_nBuckets; //!< how many there are
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_BUCKETS_H

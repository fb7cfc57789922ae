/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-buckets.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

/// Refuse a bucket. index: its number, from 0; expected: what it must be.
/// @throws std::invalid_argument always
[[noreturn]] void
Refuse(std::size_t index, const std::string& expected, const std::string& found)
{
    throw std::invalid_argument("CSIG bucket " + std::to_string(index) + " must " + expected +
                                ", found " + found);
}

/// Check the number of buckets. @throws std::invalid_argument if there are too many or none
void
CheckNumber(std::size_t n)
{
    if (n == 0 || n > CsigBuckets::MAX_BUCKETS)
    {
        throw std::invalid_argument("A signal of CSIG needs from 1 to " +
                                    std::to_string(CsigBuckets::MAX_BUCKETS) + " buckets, found " +
                                    std::to_string(n));
    }
}

} // namespace

CsigBuckets::CsigBuckets()
    : CsigBuckets(std::vector<uint64_t>{0})
{
}

CsigBuckets::CsigBuckets(const std::vector<uint64_t>& lows)
    : m_nBuckets(lows.size())
{
    CheckNumber(lows.size());
    if (lows.front() != 0)
    {
        Refuse(0, "begin at 0", std::to_string(lows.front()));
    }
    for (std::size_t i = 1; i < lows.size(); ++i)
    {
        if (lows[i] <= lows[i - 1])
        {
            Refuse(i,
                   "begin above bucket " + std::to_string(i - 1) + ", at more than " +
                       std::to_string(lows[i - 1]),
                   std::to_string(lows[i]));
        }
    }
    if (lows.back() == CsigRange::OPEN)
    {
        Refuse(lows.size() - 1, "begin below the largest number", std::to_string(lows.back()));
    }
    m_lows.fill(CsigRange::OPEN);
    std::copy(lows.begin(), lows.end(), m_lows.begin());
}

CsigRange
CsigBuckets::Decode(uint32_t code) const
{
    const std::size_t index = std::min<std::size_t>(code, m_nBuckets - 1);
    return {m_lows[index], index + 1 < m_nBuckets ? m_lows[index + 1] : CsigRange::OPEN};
}
} // namespace ns3::aidc

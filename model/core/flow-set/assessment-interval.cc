/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "assessment-interval.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

AssessmentInterval::AssessmentInterval(int64_t min, int64_t max, double low, double high)
    : m_min(min),
      m_max(max),
      m_low(low),
      m_high(high),
      m_interval(min)
{
    if (min <= 0 || max < min)
    {
        throw std::invalid_argument("The bounds of the assessment interval must be above 0 ns and "
                                    "in order, not " +
                                    std::to_string(min) + " and " + std::to_string(max));
    }
    if (!(low >= 0 && low < high && high <= 1)) // NaN too
    {
        throw std::invalid_argument("The loads that change the assessment interval must be from 0 "
                                    "to 1 and in order, not " +
                                    std::to_string(low) + " and " + std::to_string(high));
    }
}

int64_t
AssessmentInterval::Update(uint64_t bytes, uint64_t capacity)
{
    const double load =
        capacity == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(capacity);
    if (load >= m_high)
    {
        m_interval = std::max(m_min, m_interval / 2);
    }
    else if (load <= m_low)
    {
        m_interval = m_interval > m_max / 2 ? m_max : m_interval * 2;
    }
    return m_interval;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ASSESSMENT_INTERVAL_H
#define AIDC_ASSESSMENT_INTERVAL_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The assessment interval, adapted to the traffic of a switch.
 *
 * Section 5.1.1 of draft-li-rtgwg-congestion-aware-flowset-switching-00 (February 2026) allows an
 * interval that becomes shorter during high traffic and longer during low traffic, and recommends
 * from 10 ms to 100 ms. It leaves open how. Here, a load of at least `high` halves the interval,
 * and a load of at most `low` doubles it, within its bounds. Equal bounds make it constant.
 */
class AssessmentInterval
{
  public:
    /// The lower end of the RECOMMENDED range, in ns.
    static constexpr int64_t RECOMMENDED_MIN = 10000000;
    /// The upper end of the RECOMMENDED range, in ns.
    static constexpr int64_t RECOMMENDED_MAX = 100000000;

    /// Constructor. The first interval is the shortest.
    /// @param min the shortest interval in ns, > 0
    /// @param max the longest interval in ns, >= min
    /// @param low the load up to which the interval is doubled, >= 0
    /// @param high the least load that halves it, > low and at most 1
    /// @throws std::invalid_argument if a value is outside its range
    AssessmentInterval(int64_t min, int64_t max, double low, double high);

    /// Adapt the interval to the load of the last one.
    /// @param bytes the bytes that all ports have sent in it
    /// @param capacity the bytes that all ports could have sent in it; 0 counts as no load
    /// @return the next interval in ns
    int64_t Update(uint64_t bytes, uint64_t capacity);

    /// @return the interval in ns
    int64_t Get() const
    {
        return m_interval;
    }

  private:
    int64_t m_min;      //!< the shortest interval in ns
    int64_t m_max;      //!< the longest interval in ns
    double m_low;       //!< the load up to which the interval is doubled
    double m_high;      //!< the least load that halves it
    int64_t m_interval; //!< the interval in ns
};

} // namespace ns3::aidc

#endif // AIDC_ASSESSMENT_INTERVAL_H

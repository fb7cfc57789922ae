// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_OCCUPANCY_AVERAGE_H
#define AIDC_OCCUPANCY_AVERAGE_H

#include <cmath>
#include <cstdint>

namespace ns3::aidc
{

/// The exponentially weighted moving average of a queue's size, as RED keeps it.
///
/// Floyd and Jacobson, "Random Early Detection Gateways for Congestion Avoidance", IEEE/ACM
/// Transactions on Networking 1(4), 1993: avg = (1 - w) avg + w q on each arrival; for the time
/// that the queue was empty, avg = (1 - w)^m avg, with m the packets that could have been sent in
/// it.
class OccupancyAverage
{
  public:
    /// Count an arrival. occupancy: the queue's size in bytes; weight: w, from 0 to 1.
    void Update(uint64_t occupancy, double weight)
    {
        m_average += weight * (static_cast<double>(occupancy) - m_average);
    }

    /// Count an idle period that has ended. packets: m, how many packets could have been sent in
    /// it; weight: w, from 0 to 1.
    void Decay(double packets, double weight)
    {
        m_average *= std::pow(1 - weight, packets);
    }

    /// Get the average. @return bytes
    double Get() const
    {
        return m_average;
    }

  private:
    double m_average{0}; //!< the average in bytes
};

} // namespace ns3::aidc

#endif // AIDC_OCCUPANCY_AVERAGE_H

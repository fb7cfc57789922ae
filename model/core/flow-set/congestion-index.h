// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CONGESTION_INDEX_H
#define AIDC_CONGESTION_INDEX_H

#include "../occupancy-average.h"

#include <cstdint>

namespace ns3::aidc
{

/// The input of a CongestionIndex: the state of an egress port at one moment.
struct PortReading
{
    uint64_t queueBytes{0};    //!< depth of the egress queue in bytes
    uint64_t queueCapacity{0}; //!< capacity of the egress queue in bytes
    uint64_t bufferBytes{0};   //!< bytes of the shared buffer that the port holds
    uint64_t bufferLimit{0};   //!< bytes of the shared buffer that the port may hold now
    uint64_t dropsTotal{0};    //!< packets dropped since the start
};

/// How a CongestionIndex is computed.
struct CongestionIndexSettings
{
    bool useQueueDepth{true};         //!< count the depth of the egress queue
    bool useBufferUtilization{false}; //!< count the utilization of the port's buffer
    bool useDrops{false};             //!< count the increment of the port's drop counter
    /// congestion_threshold in millionths of a capacity, from 1 to 1,000,000. Default: 10 %,
    /// RECOMMENDED by the draft's section 5.1.2.
    uint32_t thresholdPpm{100000};
    /// Packets dropped in an interval that raise the index by 1, at least 1. The draft has no
    /// scale for drops; by default each counts.
    uint32_t dropsPerLevel{1};
    /// CQI_MAX, from 1 to 255. Default: 16, RECOMMENDED by the draft's section 5.1.2.
    uint32_t maximum{16};
    /// Weight of the newest reading in a moving average (the draft's section 9.1), above 0 and at
    /// most 1. Default: 1, no smoothing.
    double smoothing{1};
};

/// Check the configuration of a CongestionIndex. @throws std::invalid_argument if no metric is
/// chosen or a value is outside its range
void CheckSettings(const CongestionIndexSettings& settings);

/// Compute a port's CQI from its queue: the recommended method of the draft's section 5.1.2.
///
/// It is min(CQI_MAX, floor(queue_depth / congestion_threshold)), computed in integers: 10 % is not
/// a binary fraction, and a queue of exactly three thresholds has to give 3.
/// @param depth queue_depth in bytes
/// @param capacity the capacity of the queue in bytes; with a capacity of 0, any depth above 0
///        gives the maximum
/// @param thresholdPpm congestion_threshold in millionths of the capacity, from 1 to 1,000,000
/// @param maximum CQI_MAX
/// @return the CQI, from 0 to the maximum
/// @throws std::invalid_argument if the threshold is outside its range
uint32_t ComputeCqi(uint64_t depth, uint64_t capacity, uint32_t thresholdPpm, uint32_t maximum);

/// The Congestion Quantification Index (CQI) of one egress port, reading by reading.
///
/// "The draft" is draft-li-rtgwg-congestion-aware-flowset-switching-00 (February 2026), section
/// 5.1.2. Each chosen metric gives an index, and the largest index is the port's:
///  - queue depth: ComputeCqi of the egress queue;
///  - buffer utilization: ComputeCqi of the port's bytes in the shared buffer and of its limit;
///  - drops: one for each dropsPerLevel packets dropped since the last reading.
///
/// Smoothing replaces each metric's reading by its exponentially weighted moving average, before
/// the rounding down to an index. The average begins at 0, the reading of an idle port. Without
/// smoothing, all arithmetic is exact.
class CongestionIndex
{
  public:
    /// Constructor. @param settings how the index is computed @throws std::invalid_argument as
    /// CheckSettings
    explicit CongestionIndex(const CongestionIndexSettings& settings);

    /// Change how the index is computed, from the next reading on; averages are kept.
    /// @throws std::invalid_argument as CheckSettings; nothing has changed then
    void SetSettings(const CongestionIndexSettings& settings);

    /// Take the reading at the end of an assessment interval.
    /// @param reading the port's state; a drop counter below the last reading's counts as restarted
    ///        from 0
    /// @return the port's CQI, from 0 to the configured maximum
    uint32_t Update(const PortReading& reading);

    /// Forget the averages, as after a long idle time of the port. Drops are counted from the last
    /// reading on.
    void Reset();

  private:
    uint64_t Smooth(OccupancyAverage& average, uint64_t reading) const;

    CongestionIndexSettings m_settings; //!< how the index is computed
    OccupancyAverage m_depth;           //!< of the queue's depth in bytes
    OccupancyAverage m_utilization;     //!< of the buffer's utilization in millionths
    OccupancyAverage m_drops;           //!< of the drops an interval in packets
    uint64_t m_lastDropsTotal{0};       //!< the drop counter of the last reading
};

/// The assessment interval, adapted to the traffic of a switch.
///
/// Section 5.1.1 of draft-li-rtgwg-congestion-aware-flowset-switching-00 (February 2026) allows an
/// interval that becomes shorter during high traffic and longer during low traffic, and recommends
/// from 10 ms to 100 ms. It leaves open how. Here, a load of at least `high` halves the interval,
/// and a load of at most `low` doubles it, within its bounds. Equal bounds make it constant.
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

#endif // AIDC_CONGESTION_INDEX_H

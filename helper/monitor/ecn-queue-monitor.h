// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ECN_QUEUE_MONITOR_H
#define AIDC_ECN_QUEUE_MONITOR_H

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/ptr.h"
#include "ns3/result-file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Watches queues: samples their occupancy, and counts marks, drops, and which came first.
///
/// Samples are taken at the multiples of an interval until Stop, so the simulation does not end by
/// itself before that. The monitor must outlive the simulation.
///
/// With several processes (MpiProcesses), each one adds the queues of its own nodes, and calls all
/// other functions at the same points: Start(), Stop(), and the functions that read results, which
/// cover all processes.
class EcnQueueMonitor
{
  public:
    /// @param interval the interval of sampling, > 0
    explicit EcnQueueMonitor(Time interval);
    ~EcnQueueMonitor();

    EcnQueueMonitor(const EcnQueueMonitor&) = delete;
    EcnQueueMonitor& operator=(const EcnQueueMonitor&) = delete;

    /// @param queue the queue to sample and count, which the monitor keeps; null for another
    ///        process's
    void Add(Ptr<CoupledEcnQueue> queue);

    /// @param device the port; its root queue disc, or the root's classes, are added if they are
    ///        CoupledEcnQueues
    void AddPort(Ptr<NetDevice> device);

    /// Write the series of one queue to a file; with several processes, when Stop() is called.
    ///
    /// The columns are: `time_s`, `occupancy_byte`, `buf_thrd_byte`, `ecn_thrd_byte`, and `region`,
    /// a letter in mode COUPLED and a dash in other modes. There is one row per sample.
    /// @param queue the queue; null for another process's
    /// @param path the file, written anew
    /// @throws std::runtime_error when it cannot be written
    void WriteSeries(Ptr<CoupledEcnQueue> queue, const std::string& path);

    /// @return its root queue disc, or the queues of the root's classes, that are CoupledEcnQueues
    static std::vector<Ptr<CoupledEcnQueue>> FindQueues(Ptr<NetDevice> device);

    /// Start sampling, until Stop().
    /// @param delay the time from now to the first sample
    void Start(Time delay = Time());

    /// Take no more samples. @throws std::runtime_error when a series cannot be written
    void Stop();

    /// @return the number of packets that the queues have marked
    uint64_t GetMarkedPackets() const
    {
        return SumOverProcesses(m_queues, &Queue::marked);
    }

    /// @return the number of packets that the queues have dropped, for whatever reason
    uint64_t GetDroppedPackets() const
    {
        return SumOverProcesses(m_queues, &Queue::dropped);
    }

    /// @return the packets that queues have dropped before their first mark
    uint64_t GetDropsBeforeFirstMark() const
    {
        return SumOverProcesses(m_queues, &Queue::droppedBeforeMark);
    }

    /// @param region the region of ECN_Thrd
    /// @return the packets that queues in mode COUPLED have marked in it
    uint64_t GetMarkedPackets(EcnRegion region) const;

    /// Get the time that queues in mode COUPLED have been in a region.
    ///
    /// A queue counts while it holds packets. Its region is the one at its own last arrival or
    /// departure.
    /// @param region the region of ECN_Thrd
    /// @return the time up to now, summed over the queues
    Time GetTimeInRegion(EcnRegion region) const;

    /// Get the room of queues when they marked for the first time.
    /// @return the mean of Buf_Thrd less the occupancy at that time in bytes, over the queues that
    ///         have marked; NaN if none has
    double GetHeadroomAtFirstMark() const;

    /// @param q the quantile, from 0 to 1
    /// @return the percentile of the occupancy over all queues and samples in bytes, NaN without a
    ///         sample
    double GetOccupancyPercentile(double q) const;

    /// @return the largest occupancy that was sampled in any queue in bytes, NaN without a sample
    double GetMaxOccupancy() const;

  private:
    /// The number of regions.
    static constexpr std::size_t REGIONS = 3;

    /// The counters of a queue.
    struct Queue
    {
        Ptr<CoupledEcnQueue> queue;               //!< the queue
        uint64_t marked{0};                       //!< packets marked
        uint64_t dropped{0};                      //!< packets dropped
        uint64_t droppedBeforeMark{0};            //!< packets dropped before the first mark
        double headroomAtFirstMark{0};            //!< its room at that time, in bytes
        std::array<uint64_t, REGIONS> markedIn{}; //!< packets marked, by region
        std::array<Time, REGIONS> timeIn{};       //!< time while it held packets, by region
        EcnRegion region{EcnRegion::A};           //!< the region seen last
        Time since;                               //!< the time up to which its time is counted
        bool holdsPackets{false};                 //!< whether it holds any

        /// Count the time up to now.
        void CountTime();

        /// The queue has marked a packet.
        void NotifyMark();

        /// @param newRegion the region that it sees from now on
        void NotifyRegion(EcnRegion newRegion)
        {
            CountTime();
            region = newRegion;
        }

        /// @param occupancy the occupancy after an arrival or a departure, in bytes
        void NotifyOccupancy(uint64_t occupancy);
    };

    /// A queue whose series is written.
    struct Series
    {
        Ptr<CoupledEcnQueue> queue; //!< the queue, null if it is another process's
        ResultFile file;            //!< the file
        std::string rows;           //!< with several processes: what Stop() writes
    };

    /// Take a sample of every queue.
    void Sample();

    Time m_interval;               //!< the interval of sampling
    EventId m_event;               //!< the next sample
    std::deque<Queue> m_queues;    //!< the queues; callbacks point at them
    std::vector<Series> m_series;  //!< the series to write
    std::vector<double> m_samples; //!< occupancies in bytes
};

} // namespace ns3::aidc

#endif // AIDC_ECN_QUEUE_MONITOR_H

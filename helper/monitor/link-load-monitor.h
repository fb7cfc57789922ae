// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LINK_LOAD_MONITOR_H
#define AIDC_LINK_LOAD_MONITOR_H

#include "ns3/event-id.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// Measures how unevenly links of equal cost are loaded.
///
/// The bytes that each port's root queue disc has sent are sampled at an interval. The imbalance is
/// the throughput imbalance (max - min) / mean over the ports of a group (Alizadeh et al., CONGA,
/// SIGCOMM 2014, section 5.2), averaged over groups and intervals with the mean as weight: 0 where
/// all ports send the same, n where one of n ports sends all. The monitor must outlive the
/// simulation, which does not end by itself before Stop(). With several processes (MpiProcesses),
/// each one adds groups of its own nodes, and reads the results of all at the same points.
class LinkLoadMonitor
{
  public:
    /// @param interval the interval of sampling, > 0
    explicit LinkLoadMonitor(Time interval);
    ~LinkLoadMonitor();

    LinkLoadMonitor(const LinkLoadMonitor&) = delete;
    LinkLoadMonitor& operator=(const LinkLoadMonitor&) = delete;

    /// @param ports ports of equal cost, each with a root queue disc
    void AddGroup(const std::vector<Ptr<NetDevice>>& ports);

    /// Start the first interval now, and sample until Stop().
    void Start();

    /// End the last interval.
    void Stop()
    {
        m_event.Cancel();
        Take();
    }

    /// @return the sum of (max - min) over groups and intervals in bytes
    double GetSpread() const;

    /// @return the sum of the means over groups and intervals in bytes
    double GetMean() const;

  private:
    /// A port.
    struct Port
    {
        Ptr<QueueDisc> queueDisc; //!< the root queue disc
        uint64_t sentBytes{0};    //!< bytes sent up to the last sample
    };

    /// Take a sample, and schedule the next one.
    void Sample();

    /// Take a sample.
    void Take();

    Time m_interval;                         //!< the interval of sampling
    EventId m_event;                         //!< the next sample
    std::vector<std::vector<Port>> m_groups; //!< the groups
    uint64_t m_spread{0};                    //!< sum of (max - min)
    std::map<std::size_t, uint64_t> m_bytes; //!< by the size of a group: sum of the bytes
};

} // namespace ns3::aidc

#endif // AIDC_LINK_LOAD_MONITOR_H

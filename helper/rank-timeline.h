// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANK_TIMELINE_H
#define AIDC_RANK_TIMELINE_H

#include "../model/core/workload/workload-timeline.h"
#include "fabric-network.h"
#include "rank-application-helper.h"

#include "ns3/event-id.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Writes what ranks have done over time, for Perfetto and Chrome (doc/collectives.rst).
///
/// RankApplication keeps the times of operations. So a timeline needs nothing while the simulation
/// runs, unless it watches waits or links.
///
/// The order of calls is: WatchWaits() and WatchLinks(), if wanted, once the queue pairs of ranks
/// and the network are there; the simulation; Stop(); GetSums() and Write(). The helper of the
/// ranks must outlive the timeline, and the timeline the simulation. With several processes
/// (MpiProcesses), each one calls the same functions at the same points.
class RankTimeline
{
  public:
    /// @param ranks the programs
    explicit RankTimeline(const RankApplicationHelper& ranks)
        : m_ranks(ranks),
          m_getTime(&Simulator::Now),
          m_instants(std::make_shared<Instants>())
    {
    }

    ~RankTimeline()
    {
        m_event.Cancel();
    }

    RankTimeline(const RankTimeline&) = delete;
    RankTimeline& operator=(const RankTimeline&) = delete;

    /// Set the time of the workload, before the simulation, if it is not the network's time.
    /// @param getTime tells it; it is called in events, and when the simulation is over
    void SetClock(std::function<Time()> getTime)
    {
        m_getTime = std::move(getTime);
    }

    /// Record what queue pairs wait for, as a counter of the rank: from now on until Stop(), the
    /// waits of RoceWaitTimes are read at an interval, by an event without a node. The interval is
    /// doubled as often as needed for at most 200 intervals, or fewer if there are more than 50
    /// ranks.
    /// @param hosts the host of each rank, with its RoceNic; the waits of a host of several ranks
    ///        count for the first one
    /// @param interval the first interval, > 0
    void WatchWaits(const NodeContainer& hosts, Time interval);

    /// Record when links fail and return, as instants.
    /// @param network the network; its devices are Ethernet devices
    void WatchLinks(const FabricNetwork& network);

    /// Add an instant of no rank. It may be called in events.
    /// @param name what has happened
    void NotifyInstant(const std::string& name)
    {
        m_instants->emplace_back(GetTime(), name);
    }

    /// Tell something about the whole timeline, as "otherData" of the file.
    /// @param name its name, in snake_case
    /// @param text what is told
    void AddNote(const std::string& name, const std::string& text)
    {
        m_notes[name] = text;
    }

    /// End the last interval of waits, when the simulation is over.
    void Stop();

    /// @return what each rank has done and for how long, by rank
    std::vector<RankTimeSums> GetSums() const
    {
        return WorkloadTimeline(m_ranks.GetPlan(), GetTimes()).GetSums();
    }

    /// Write the timeline in Chrome's trace event format (WorkloadTimeline).
    ///
    /// Rank r is process r + 1. Slices are operations of its program, with the names of items of
    /// the plan; arrows are messages. The counter "waits" has for each interval the us that its
    /// queue pairs have waited, by cause: the sum of the waits that ended in the interval. It is
    /// written where something has waited, and once after it. Instants are messages that could not
    /// be sent, changes of links, and the instants of NotifyInstant(). "otherData" has
    /// "slowest_rank", with its "slowest_rank_computation", "slowest_rank_exposed" and
    /// "slowest_rank_finish", and what AddNote() has added.
    /// @param path the file, written anew
    /// @throws std::runtime_error if it cannot be written
    void Write(const std::string& path) const;

  private:
    /// Instants, kept for traces that outlive the timeline: time in ns, and what has happened.
    using Instants = std::vector<std::pair<int64_t, std::string>>;

    /// Waits in ns, by cause.
    using Waits = std::array<int64_t, 4>;

    /// @return when the operations were under way, by rank
    std::vector<OperationIntervals> GetTimes() const;

    /// @return how long its queue pairs have waited so far
    static Waits ReadWaits(const Ptr<Node>& node);

    /// @return the time of the workload, in ns
    int64_t GetTime() const
    {
        return m_getTime().GetNanoSeconds();
    }

    /// Take a sample.
    void Take();

    /// Take a sample, and schedule the next one.
    void Sample();

    const RankApplicationHelper& m_ranks;           //!< the programs
    std::function<Time()> m_getTime;                //!< SetClock()
    std::map<uint32_t, Ptr<Node>> m_hosts;          //!< by rank, hosts of this process
    std::vector<int64_t> m_sampleTimes;             //!< when samples were taken, in ns
    std::map<uint32_t, std::vector<Waits>> m_waits; //!< by rank, samples of the waits so far
    std::size_t m_maxIntervals{0};                  //!< how many intervals there may be
    Time m_interval;                                //!< the present interval
    EventId m_event;                                //!< the next sample
    std::shared_ptr<Instants> m_instants;           //!< of this process
    std::map<std::string, std::string> m_notes;     //!< of the whole timeline
};

} // namespace ns3::aidc

#endif // AIDC_RANK_TIMELINE_H

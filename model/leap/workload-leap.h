// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WORKLOAD_LEAP_H
#define AIDC_WORKLOAD_LEAP_H

#include "../core/leap/leap-book.h"
#include "../core/leap/long-flows.h"

#include "ns3/application-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rank-application.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Leaps over what repeats in a workload.
///
/// The network's clock never jumps; the workload's does: its time is the network's time plus the
/// time that was leapt. Ranks do not hand to the network what LeapBook decides to leap. While
/// nothing else is in the network, the workload goes on without it, in an event without a node.
/// Where something is executed, both clocks run, and leapt tasks end meanwhile. Where messages
/// alone are under way, and all of them keep their rates, what they have not sent becomes less
/// (LongFlows).
///
/// So ports, buffers, adapters and congestion controls go on where they were. Where ranks only
/// compute, the network is idle as long as it has not been idle for that time already.
///
/// What has happened is collected, and decided on, every 10 us of the network's time, by an event
/// without a node, so that it is the same in each simulator and number of processes.
class WorkloadLeap : public RankPacer
{
  public:
    /// @param plan the programs of all ranks, which outlive this object
    /// @param settings how it leaps
    /// @param places where messages are, used here only; null if each may touch all others
    WorkloadLeap(const WorkloadPlan& plan, const LeapSettings& settings, FabricPlaces* places);

    /// Pace the ranks, before the simulation begins.
    /// @param applications the RankApplication of each rank
    void Attach(const ApplicationContainer& applications);

    /// Execute all while there is other traffic.
    /// @param isBusy tells whether there is, or will be; with several processes, each one asks at
    ///        the same point and gets the same answer
    void SetBusy(std::function<bool()> isBusy)
    {
        m_isBusy = std::move(isBusy);
    }

    /// Schedule what changes the network, such as a failure or other traffic, before the simulation
    /// begins. Leaps end before it, and what was known of durations is forgotten then.
    /// @param time the time of the workload
    /// @param event what happens, in an event without a node
    void Schedule(const Time& time, std::function<void()> event);

    /// @return what was leapt so far
    LeapSummary GetSummary() const
    {
        return m_book.GetSummary();
    }

    /// @return the time that the workload is ahead of the network
    Time GetLeaptTime() const
    {
        return NanoSeconds(m_leapt);
    }

    Time GetTime() const override;
    void Compute(uint32_t rank, uint32_t operation, const Time& duration) override;
    bool Leaves(uint32_t rank, uint32_t operation) override;
    void NotifyEnd(uint32_t rank, uint32_t operation) override;
    uint64_t NotifyMessage(uint32_t rank, uint32_t peer, uint32_t tag, uint64_t nBytes) override;

    bool IsLeaping() const override
    {
        return m_isLeaping;
    }

  private:
    /// What happens at a rank when its timer ends.
    using Timer = std::function<void(RankApplication& application)>;

    /// When a timer ends, in ns of the workload; whose it is; and its number.
    using TimerKey = std::tuple<int64_t, uint32_t, uint64_t>;

    int64_t GetNow() const;

    /// @return whether this process simulates a rank
    bool IsLocal(uint32_t rank) const;

    void AddTimer(int64_t end, uint32_t rank, Timer timer);

    /// Schedule the end of a timer in an event of its node.
    void Schedule(const TimerKey& key);

    /// A timer ends, unless it has ended in a leap.
    void Fire(TimerKey key);

    /// Do all at regular intervals.
    void Tick();

    /// Exchange what has happened, and decide.
    void Update();

    /// Let the workload go on while the network rests.
    void Leap();

    /// Let the messages that are under way leap, while nothing else is.
    void LeapInside();

    /// Schedule all that the workload's time has come nearer to.
    void ScheduleAll();

    /// @return when the next timer of all processes ends; NEVER without any
    int64_t GetNextTimer() const;

    /// @return when the next timer ends, if the workload may go on to it; NEVER otherwise
    int64_t FindNext() const;

    /// Let what is due happen.
    void RunForeign();

    /// @return when something happens that is not of the workload; NEVER if nothing does
    int64_t GetLimit() const
    {
        return m_foreign.empty() ? NEVER : m_foreign.begin()->first;
    }

    LeapBook m_book;                                  //!< what decides
    LongFlows m_flows;                                //!< messages under way
    const WorkloadPlan& m_plan;                       //!< the programs
    std::vector<Ptr<RankApplication>> m_applications; //!< by rank
    int64_t m_leapt{0};                               //!< ns that the workload is ahead
    int64_t m_networkEnd{0};                          //!< when the network was used last, ns
    std::map<TimerKey, Timer> m_timers;               //!< of ranks of this process
    uint64_t m_nTimers{0};                            //!< how many there were
    uint64_t m_nTicks{0};                             //!< how often it was decided
    std::vector<LeapEvent> m_events;                  //!< of this process, not told yet
    /// By sender, receiver, tag and number, messages that are executed and not acknowledged.
    std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> m_executed;
    std::multimap<int64_t, std::function<void()>> m_foreign; //!< by time of the workload, ns
    std::function<bool()> m_isBusy;                          //!< SetBusy(); or null
    bool m_isOthers{false};                                  //!< whether there is other traffic
    bool m_isLeaping{false};                                 //!< whether the network rests
};

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_LEAP_H

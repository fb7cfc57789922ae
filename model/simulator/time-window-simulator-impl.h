// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TIME_WINDOW_SIMULATOR_IMPL_H
#define AIDC_TIME_WINDOW_SIMULATOR_IMPL_H

#include "window-events.h"

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ns3::aidc
{

class RemoteArrivals;

/// A simulator for networks that are larger than the caches of the processor: it runs events
/// node by node, within conservative time windows.
///
/// Nodes affect each other only through links, each with a delay. The shortest delay is the
/// lookahead (see NetworkLookahead), as in parallel simulators: within a window of this length, a
/// node cannot affect another one. So all events of one node (or group, see NodeGroup) in the
/// window run one after the other, then the events of the next node. The caches need to hold the
/// memory of only one node at a time. Each node sees the same events at the same times as with
/// ns3::DefaultSimulatorImpl; only the order among nodes differs, by less than a window.
///
/// If the network has two sides, so that each link leads from one to the other (hosts and spines,
/// leaves and super-spines), a window is twice as long: while one side is a lookahead ahead, the
/// other side can pass it, and be a lookahead ahead in turn.
///
/// - Events without a node (context Simulator::NO_CONTEXT) are barriers: when one runs, all nodes
///   have run exactly the events before it. A program's events before the simulation, monitors,
///   failures and Stop() are such events.
/// - Events of a node at the same time run in the order of EventOrder. Events that were scheduled
///   by one node, or without a node, run in the order of scheduling. If several nodes have
///   scheduled them at the same time, the ids of these nodes decide.
/// - If a node schedules an event for a node of another group within the window (on the other side:
///   sooner than the lookahead), or cancels an event there, the program ends with an error.
/// - Simulator::Stop() in an event of a node at time t stops all nodes at t plus a window; so does
///   Stop(delay) if the delay is shorter than a window.
/// - Nodes use shared objects (a file, a random variable, a counter) one node after the other, so
///   time goes back when the next node begins. Lines of a common file need to be sorted, and each
///   node needs its own random variables. Random variables that are made in events get their
///   streams in the order of these events, unless streams are assigned.
///
/// Without a lookahead (no links, or a link without delay), events run in the order of time, as in
/// ns-3's default simulator, and a line on the standard error stream says so. The lookahead is
/// found when Run() begins, and again when channels are added. If the delay of a link becomes
/// shorter than the lookahead during the simulation, the program ends with the error above.
///
/// Scheduling an event takes constant time. Running it takes the logarithm of the number of events
/// of its node in the window. Time without events costs nothing. ns-3's schedulers are not used.
///
/// In several processes (MpiProcesses), each one runs the events of its own nodes, and the events
/// without a node. Processes agree on each window; at its end they exchange what crosses links
/// between them. So each node sees the same events as in one process. Events for nodes of other
/// processes are dropped: there they are scheduled, too. A network without a lookahead is an error.
class TimeWindowSimulatorImpl : public SimulatorImpl
{
  public:
    /// What Stop(const Time&) returns: nothing up to ns-3.40, the event from ns-3.41 on.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /// @return the TypeId
    static TypeId GetTypeId();

    TimeWindowSimulatorImpl();
    ~TimeWindowSimulatorImpl() override;

    /// @return the simulator that runs; null if none does
    static TimeWindowSimulatorImpl* GetRunning()
    {
        return g_running;
    }

    /// @return Now() in time steps
    int64_t GetTimeStep() const
    {
        return static_cast<int64_t>(m_now);
    }

    /// Get the lookahead.
    /// @return the shortest delay of a link; 0 if events run in the order of time
    Time GetLookahead() const
    {
        return TimeStep(m_lookahead);
    }

    /// Get the length of a window, by which the times of nodes may differ.
    /// @return twice the lookahead where the network has two sides, the lookahead otherwise
    Time GetWindow() const
    {
        return TimeStep(m_window);
    }

    /// Have something arrive at a device of another process, on which a RemoteLink ends.
    /// @param device the device, of this process's copy of the link
    /// @param delay the time until it arrives, at least the lookahead
    /// @param bytes what RemoteLink::Receive() reads there
    /// @param size the number of bytes
    void Send(const NetDevice& device, const Time& delay, const uint8_t* bytes, std::size_t size);

    /// Advance the time of the running event's node, if the node has no event until then.
    ///
    /// If time has advanced, the event does at once, as its last action, what it would have
    /// scheduled for that time. Order, times and the number of events are the same.
    /// @param delay by how much
    /// @return whether time has advanced; if not, the event has to schedule the rest
    bool TryAdvance(const Time& delay);

    // From SimulatorImpl
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;

    Time Now() const override
    {
        return TimeStep(m_now);
    }

    Time GetDelayLeft(const EventId& id) const override;

    Time GetMaximumSimulationTime() const override
    {
        return TimeStep(0x7fffffffffffffffLL);
    }

    void SetScheduler(ObjectFactory /* schedulerFactory */) override
    {
    }

    uint32_t GetSystemId() const override;

    uint32_t GetContext() const override
    {
        return m_context;
    }

    uint64_t GetEventCount() const override
    {
        return m_eventCount;
    }

  protected:
    void DoDispose() override;

  private:
    /// What is running.
    enum class Running
    {
        NOTHING, //!< nothing, or an event without a node
        TURN,    //!< the events of a node in a window
        IN_ORDER //!< an event, in the order of time
    };

    /// An event that another thread has scheduled.
    struct ForeignEvent
    {
        uint32_t context; //!< its context
        uint64_t delay;   //!< time steps, from the time at which it is taken
        EventImpl* impl;  //!< the event
    };

    /// Give an event its place.
    PendingEvent MakePending(uint32_t context, uint64_t time, EventImpl* impl);

    void Insert(const PendingEvent& event);

    /// Take the events that other threads have scheduled.
    void TakeForeign();

    /// Find the lookahead, and sort the waiting events into windows of that length.
    void UpdateLookahead();

    /// Agree with other processes on what comes next, and exchange what has crossed links.
    /// @param [in,out] heads what waits first here; afterwards, what waits first in any process
    /// @return whether to go on: the simulation was not stopped, and no process has new channels
    bool Meet(WindowEvents::Heads& heads);

    /// Run an event, or events of nodes up to the next barrier. @return false if there was none
    bool RunNext();

    /// Run the nodes that are behind, until all are at the same time.
    void Align();

    /// Run the events of the open window, node by node.
    void RunTurns();

    /// Run one event. @param event the event, which does not wait any more
    void Invoke(const PendingEvent& event);

    /// Refuse that the running event of a node affects an event of another node too early.
    void CheckReach(uint32_t context, uint64_t time, const char* what) const;

    /// Refuse that a node cancels an event, not expired, of another one within the window.
    void CheckCancel(const EventId& id) const;

    EventId StopAt(uint64_t time);

    static TimeWindowSimulatorImpl* g_running; //!< the simulator that runs

    WindowEvents m_events;              //!< the waiting events
    std::list<EventId> m_destroyEvents; //!< the events of ScheduleDestroy()

    // What is running
    Running m_running{Running::NOTHING}; //!< what it is
    uint32_t m_context;                  //!< its context
    uint64_t m_now{0};                   //!< its time
    uint64_t m_latest{0};                //!< the latest time of any event so far
    NodeTurns m_turns;                   //!< the events of the window

    uint64_t m_lookahead{0};      //!< in time steps; 0 to run in the order of time
    uint64_t m_window{0};         //!< the length of a window, in time steps
    std::string m_reason;         //!< why there is no lookahead, as it was reported
    uint32_t m_nChannels{0};      //!< how many channels the lookahead considers
    uint32_t m_phase{0};          //!< how many events without a node have been run
    uint64_t m_number{0};         //!< counts the events
    uint64_t m_eventCount{0};     //!< the events that were run
    bool m_isStopped{false};      //!< whether to stop
    bool m_mayHaveHook{true};     //!< whether there may be a PreEventHook()
    std::thread::id m_mainThread; //!< the thread that runs the simulation

    // What other threads have scheduled, until the simulation's own thread takes it
    std::atomic<bool> m_hasForeign{false}; //!< whether there are events
    std::mutex m_foreignMutex;             //!< protects the events
    std::vector<ForeignEvent> m_foreign;   //!< the events, in the order in which they were added

    // Of several processes
    std::unique_ptr<RemoteArrivals> m_remote; //!< what crosses links between processes; null if one
    uint64_t m_stop{UINT64_MAX};  //!< when a node here wants all to stop; not yet agreed on
    bool m_hasNewChannels{false}; //!< whether any process has
    bool m_isAligning{false};     //!< whether Align() runs
};

} // namespace ns3::aidc

#endif // AIDC_TIME_WINDOW_SIMULATOR_IMPL_H

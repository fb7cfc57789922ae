/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TIME_WINDOW_SIMULATOR_IMPL_H
#define AIDC_TIME_WINDOW_SIMULATOR_IMPL_H

#include "foreign-events.h"
#include "node-turns.h"
#include "pending-event.h"
#include "window-events.h"

#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"

#include <cstdint>
#include <list>
#include <string>
#include <thread>
#include <utility>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::TimeWindowSimulatorImpl.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A simulator for networks that are larger than the caches of the processor: it runs events
 *        node by node, within conservative time windows.
 *
 * Nodes touch each other through links only, and a link takes its delay. The shortest delay is the
 * lookahead (see NetworkLookahead), as in parallel simulators: within a window of that length,
 * what a node does cannot reach another one. So all events of a window that are for one node run
 * one after the other, then those of the next node, while the memory of one node at a time is in
 * the caches. Compared with ns3::DefaultSimulatorImpl, each node sees the same events at the same
 * times; only the order among nodes differs, by less than a window.
 *
 * Where nodes are on two sides, so that each link leads from one to the other (hosts and spines,
 * leaves and super-spines), a window is twice as long: when one side is a lookahead ahead, the
 * other one may pass it and be a lookahead ahead in turn.
 *
 * - Events without a node (context Simulator::NO_CONTEXT: what a program schedules before the
 *   simulation, monitors, failures, Stop()) are barriers: all nodes have then run exactly what
 * comes before.
 * - Events of a node at the same time run in the order of EventOrder: as scheduled, if by one node
 *   or without a node. Where several nodes have scheduled them at the same time, their ids decide,
 *   in place of the order in which the simulator has reached them.
 * - An event that a node schedules for another one within the window (on the other side: sooner
 *   than the lookahead), or cancels there, ends the program with an error that names both.
 * - Simulator::Stop() from an event of a node at time t stops all nodes at t plus a window; so does
 *   Stop(delay) from a node where the delay is shorter.
 * - Objects that nodes share (a file, a random variable, a counter) are used by one node after the
 *   other, so that time goes back at the next node. What is written to a common file needs to be
 *   sorted; each node needs its own random variables. Random variables that are made by events get
 *   their streams in the order of these events, unless they are assigned.
 *
 * Without a lookahead (no links, or some that have no delay) events run in the order of time, as in
 * ns-3's default simulator, and a line on the standard error stream says so. The lookahead is found
 * when Run() begins and again when channels are added; a link whose delay is made shorter than that
 * during the simulation leads to the error above.
 *
 * To schedule an event takes constant time, and to run it the logarithm of the number of those of
 * its node in the window. Time without events costs nothing. Schedulers of ns-3 are not used.
 *
 * It is for one process; with ns-3's MPI each rank has ns-3's own simulator, which reads messages
 * of other ranks by interfaces that are not public.
 */
class TimeWindowSimulatorImpl : public SimulatorImpl
{
  public:
    /// What Stop(const Time&) returns: nothing up to ns-3.40, the event from ns-3.41 on.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /// @return the TypeId
    static TypeId GetTypeId();

    TimeWindowSimulatorImpl();
    ~TimeWindowSimulatorImpl() override;

    /// @return the one that runs; null while none does
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
    Time GetLookahead() const;

    /// Get the length of a window: by that much, nodes' times may differ.
    /// @return twice the lookahead where the network has two sides, the lookahead otherwise
    Time GetWindow() const;

    /**
     * @brief Let the time of the running event's node go on, if nothing else happens there.
     *
     * What the event would schedule for that time, it may do at once, as the last thing that it
     * does: order, times and the number of events are the same.
     *
     * @param delay the time to go on by
     * @return whether time has gone on; if not, the rest has to be scheduled
     */
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
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  protected:
    void DoDispose() override;

  private:
    /// What is being run.
    enum class Running
    {
        NOTHING, //!< nothing, or an event without a node
        TURN,    //!< the events of a node in a window
        IN_ORDER //!< an event, in the order of time
    };

    /// Give an event its place.
    /// @param context its context
    /// @param time when it happens
    /// @param impl the event
    /// @return the event
    PendingEvent MakePending(uint32_t context, uint64_t time, EventImpl* impl);

    /// Add an event to those that wait. @param event the event
    void Insert(const PendingEvent& event);

    /// Take over what other threads have scheduled.
    void TakeForeign();

    /// Find the lookahead, and sort what waits into windows of that length.
    void UpdateLookahead();

    /// Run what comes next: an event, or events of nodes up to the next barrier.
    /// @return whether there was any
    bool RunNext();

    /// Run the nodes that are behind, until all are at the same time.
    void Align();

    /// Run the events of the window that is open, node by node.
    void RunTurns();

    /// Run one event. @param event the event, which is no longer among those that wait
    void Invoke(const PendingEvent& event);

    /// End the program if a node's event does something to what is not its node's.
    /// @param context the context of the event that it does it to
    /// @param time the time of that event
    /// @param what what it does
    void CheckReach(uint32_t context, uint64_t time, const char* what) const;

    /// End the program if a node cancels an event of another one within the window.
    /// @param id the event, which has not expired
    void CheckCancel(const EventId& id) const;

    /// Schedule that the simulation stops.
    /// @param time when
    /// @return the event
    EventId StopAt(uint64_t time);

    static TimeWindowSimulatorImpl* g_running; //!< the one that runs

    WindowEvents m_events;              //!< what waits
    std::list<EventId> m_destroyEvents; //!< those of ScheduleDestroy()

    // What is being run
    Running m_running{Running::NOTHING}; //!< what it is
    uint32_t m_context;                  //!< its context
    uint64_t m_now{0};                   //!< its time
    uint64_t m_latest{0};                //!< the latest time of all that was run
    NodeTurns m_turns;                   //!< the events of the window

    uint64_t m_lookahead{0};      //!< in time steps; 0 to run in the order of time
    uint64_t m_window{0};         //!< the length of a window, in time steps
    std::string m_reason;         //!< why there is no lookahead, as it was reported
    uint32_t m_nChannels{0};      //!< the channels that the lookahead is of
    uint32_t m_phase{0};          //!< how many events without a node have been run
    uint64_t m_number{0};         //!< counts the events
    uint64_t m_eventCount{0};     //!< the events that were run
    bool m_isStopped{false};      //!< whether to stop
    bool m_mayHaveHook{true};     //!< whether there may be a PreEventHook()
    std::thread::id m_mainThread; //!< the thread that runs the simulation
    ForeignEvents m_foreign;      //!< what other threads have scheduled
};

} // namespace ns3::aidc

#endif // AIDC_TIME_WINDOW_SIMULATOR_IMPL_H

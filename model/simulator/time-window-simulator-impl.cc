/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-window-simulator-impl.h"

#include "lookahead.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/channel-list.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node-sort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTimeWindowSimulatorImpl");

NS_OBJECT_ENSURE_REGISTERED(TimeWindowSimulatorImpl);

namespace
{

/// The length of a bucket of events, in time steps, where there is no lookahead.
constexpr uint64_t DEFAULT_LENGTH = 1000;

/// The context of events without a node.
constexpr uint32_t NO_NODE = Simulator::NO_CONTEXT;

/// How many events ahead memory is fetched.
constexpr std::size_t PREFETCH_AHEAD = 3;

/// What is fetched of an event: that of a frame on a link has a few lines.
constexpr std::size_t PREFETCH_BYTES = 192;

/// The bytes of a line of the processor's caches.
constexpr std::size_t LINE_BYTES = 64;

} // namespace

/// Recognizes the event of an EventId: a number of 32 bits alone may come again.
struct TimeWindowSimulatorImpl::IsEvent
{
    const EventId& id; //!< the EventId

    /**
     * @brief Compare with an event.
     * @param event the event
     * @return whether it is the one
     */
    bool operator()(const Pending& event) const
    {
        return event.impl == id.PeekEventImpl() && event.order.time == id.GetTs() &&
               event.node == id.GetContext() && GetUid(event.order.number) == id.GetUid();
    }
};

TypeId
TimeWindowSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::TimeWindowSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Aidc")
                            .AddConstructor<TimeWindowSimulatorImpl>();
    return tid;
}

TimeWindowSimulatorImpl::TimeWindowSimulatorImpl()
    : m_context(NO_NODE),
      m_length(DEFAULT_LENGTH),
      m_windowEnd(DEFAULT_LENGTH),
      m_mainThread(std::this_thread::get_id())
{
    NS_LOG_FUNCTION(this);
}

TimeWindowSimulatorImpl::~TimeWindowSimulatorImpl()
{
    NS_LOG_FUNCTION(this);
}

void
TimeWindowSimulatorImpl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TakeForeign();
    std::vector<Pending> left(m_globals.begin(), m_globals.end());
    m_globals.clear();
    const auto take = [&left](const std::vector<Pending>& events) {
        left.insert(left.end(), events.begin(), events.end());
    };
    // After an exception, a turn may be unfinished.
    take({m_turn.begin() + static_cast<std::ptrdiff_t>(m_next), m_turn.end()});
    m_turn.clear();
    m_next = 0;
    std::vector<Pending> some;
    for (auto* heap : {&m_own, &m_rest})
    {
        heap->TakeAll(some);
        take(some);
    }
    while (!m_calendar.IsEmpty())
    {
        m_calendar.Take(m_calendar.GetFirst(), some);
        take(some);
    }
    for (const auto& event : left)
    {
        if (event.impl)
        {
            event.impl->Unref();
        }
    }
    SimulatorImpl::DoDispose();
}

void
TimeWindowSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

Time
TimeWindowSimulatorImpl::GetLookahead() const
{
    return TimeStep(m_lookahead);
}

void
TimeWindowSimulatorImpl::SetScheduler(ObjectFactory schedulerFactory)
{
    NS_LOG_FUNCTION(this << schedulerFactory);
}

uint32_t
TimeWindowSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
TimeWindowSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
TimeWindowSimulatorImpl::GetEventCount() const
{
    return m_eventCount;
}

Time
TimeWindowSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(0x7fffffffffffffffLL);
}

Time
TimeWindowSimulatorImpl::Now() const
{
    return TimeStep(m_now);
}

bool
TimeWindowSimulatorImpl::IsFinished() const
{
    return m_isStopped || (m_globals.empty() && m_rest.IsEmpty() && m_own.IsEmpty() &&
                           m_next == m_turn.size() && m_calendar.IsEmpty());
}

// --- Scheduling ---

uint32_t
TimeWindowSimulatorImpl::GetUid(uint64_t number)
{
    constexpr uint64_t N_UIDS = (uint64_t{1} << 32) - EventId::VALID;
    return static_cast<uint32_t>(number % N_UIDS) + EventId::VALID;
}

TimeWindowSimulatorImpl::Pending
TimeWindowSimulatorImpl::MakePending(uint32_t context, uint64_t time, EventImpl* impl)
{
    // In the order of time, what is scheduled first comes first, whoever has scheduled it.
    const uint32_t scheduler = m_running == Running::IN_ORDER ? 0 : m_context + 1;
    return {{time, m_now, m_phase, scheduler, ++m_number}, context, impl};
}

EventId
TimeWindowSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_LOG_FUNCTION(this << delay.GetTimeStep() << event);
    NS_ASSERT_MSG(m_mainThread == std::this_thread::get_id(),
                  "Simulator::Schedule: expected the thread that runs the simulation; other "
                  "threads have ScheduleWithContext");
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "Simulator::Schedule: negative delay " << delay);
    const auto pending = MakePending(m_context, m_now + delay.GetTimeStep(), event);
    Insert(pending);
    return EventId(event, pending.order.time, m_context, GetUid(pending.order.number));
}

EventId
TimeWindowSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(TimeStep(0), event);
}

void
TimeWindowSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_LOG_FUNCTION(this << context << delay.GetTimeStep() << event);
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(),
                  "Simulator::ScheduleWithContext: negative delay " << delay);
    if (m_mainThread == std::this_thread::get_id())
    {
        Insert(MakePending(context, m_now + delay.GetTimeStep(), event));
        return;
    }
    const std::lock_guard lock(m_foreignMutex);
    m_foreign.push_back({context, static_cast<uint64_t>(delay.GetTimeStep()), event});
    m_hasForeign = true;
}

EventId
TimeWindowSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    NS_LOG_FUNCTION(this << event);
    const EventId id(Ptr<EventImpl>(event, false), m_now, NO_NODE, EventId::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

void
TimeWindowSimulatorImpl::Insert(const Pending& event)
{
    if (m_running == Running::TURN && event.order < m_limit)
    {
        CheckReach(event.node, event.order.time, "schedules an event for");
        m_own.Push(event);
    }
    else if (event.node == NO_NODE)
    {
        m_globals.insert(event);
    }
    else
    {
        InsertLater(event);
    }
}

void
TimeWindowSimulatorImpl::InsertLater(const Pending& event)
{
    const uint64_t time = event.order.time;
    if (time < m_windowEnd)
    {
        m_rest.Push(event);
    }
    else if (time - m_windowEnd < m_length)
    {
        m_calendar.Insert(m_window + 1, event);
    }
    else
    {
        m_calendar.Insert(time / m_length, event);
    }
}

void
TimeWindowSimulatorImpl::TakeForeign()
{
    if (!m_hasForeign)
    {
        return;
    }
    std::vector<Foreign> events;
    {
        const std::lock_guard lock(m_foreignMutex);
        events.swap(m_foreign);
        m_hasForeign = false;
    }
    for (const auto& event : events)
    {
        Insert(MakePending(event.context, m_now + event.delay, event.impl));
    }
}

void
TimeWindowSimulatorImpl::CheckReach(uint32_t context, uint64_t time, const char* what) const
{
    if (m_running != Running::TURN || context == m_context)
    {
        return;
    }
    const auto name = [](uint32_t node) {
        return node == NO_NODE ? std::string("no node") : "node " + std::to_string(node);
    };
    NS_ABORT_MSG("Time windows: " << name(m_context) << ", at " << TimeStep(m_now).As(Time::NS)
                                  << ", " << what << " " << name(context) << " at "
                                  << TimeStep(time).As(Time::NS) << ", within the window from "
                                  << TimeStep(m_windowEnd - m_length).As(Time::NS) << " to "
                                  << TimeStep(m_limit.time).As(Time::NS)
                                  << ". Expected nodes to touch each other by links only, after "
                                     "the delay of "
                                  << TimeStep(m_lookahead).As(Time::NS)
                                  << " at least; ns-3's default simulator has no such limit.");
}

// --- Cancelling ---

void
TimeWindowSimulatorImpl::CheckCancel(const EventId& id) const
{
    if (id.GetTs() < m_limit.time && id.GetContext() != NO_NODE)
    {
        CheckReach(id.GetContext(), id.GetTs(), "cancels an event of");
    }
}

bool
TimeWindowSimulatorImpl::IsWaiting(const EventId& id) const
{
    const IsEvent isIt{id};
    if (id.GetContext() == NO_NODE)
    {
        // The first one of that time, whatever else its place is made of
        auto i = m_globals.lower_bound(Pending{{id.GetTs(), 0, 0, 0, 0}, NO_NODE, nullptr});
        while (i != m_globals.end() && i->order.time == id.GetTs() && !isIt(*i))
        {
            ++i;
        }
        return i != m_globals.end() && i->order.time == id.GetTs();
    }
    if (std::any_of(m_turn.begin() + static_cast<std::ptrdiff_t>(m_next), m_turn.end(), isIt))
    {
        return true;
    }
    for (const auto* heap : {&m_own, &m_rest})
    {
        if (std::any_of(heap->GetAll().begin(), heap->GetAll().end(), isIt))
        {
            return true;
        }
    }
    return id.GetTs() >= m_windowEnd && m_calendar.Has(id.GetTs() / m_length, isIt);
}

bool
TimeWindowSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    // All that was run at other nodes in this window may be ahead or behind.
    const bool isElsewhere = m_running == Running::TURN && id.GetContext() != m_context;
    if (id.GetTs() < (isElsewhere ? (m_windowEnd - m_length) : m_now))
    {
        return true;
    }
    if (id.GetTs() > (isElsewhere ? m_limit.time : m_now))
    {
        return false;
    }
    return !IsWaiting(id);
}

Time
TimeWindowSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    if (IsExpired(id) || id.GetTs() < m_now)
    {
        return TimeStep(0);
    }
    return TimeStep(id.GetTs() - m_now);
}

void
TimeWindowSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        CheckCancel(id);
        id.PeekEventImpl()->Cancel();
    }
}

void
TimeWindowSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::DESTROY)
    {
        m_destroyEvents.remove(id);
        return;
    }
    if (IsExpired(id))
    {
        return;
    }
    CheckCancel(id);
    const IsEvent isIt{id};
    const auto global = std::find_if(m_globals.begin(), m_globals.end(), isIt);
    const auto turn =
        std::find_if(m_turn.begin() + static_cast<std::ptrdiff_t>(m_next), m_turn.end(), isIt);
    if (global != m_globals.end())
    {
        m_globals.erase(global);
    }
    else if (turn != m_turn.end())
    {
        turn->impl = nullptr; // it keeps its place
    }
    else if (!m_own.Remove(isIt) && !m_rest.Remove(isIt))
    {
        m_calendar.Remove(id.GetTs() / m_length, isIt);
    }
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

// --- Stopping ---

EventId
TimeWindowSimulatorImpl::StopAt(uint64_t time)
{
    const auto pending = MakePending(NO_NODE, time, MakeEvent([this] { m_isStopped = true; }));
    Insert(pending);
    return EventId(pending.impl, time, NO_NODE, GetUid(pending.order.number));
}

void
TimeWindowSimulatorImpl::Stop()
{
    NS_LOG_FUNCTION(this);
    if (m_running == Running::TURN)
    {
        StopAt(m_now + m_lookahead);
    }
    else
    {
        m_isStopped = true;
    }
}

TimeWindowSimulatorImpl::StopResult
TimeWindowSimulatorImpl::Stop(const Time& delay)
{
    NS_LOG_FUNCTION(this << delay.GetTimeStep());
    auto steps = static_cast<uint64_t>(delay.GetTimeStep());
    if (m_running == Running::TURN)
    {
        steps = std::max(steps, m_lookahead);
    }
    return StopResult(StopAt(m_now + steps));
}

// --- Running ---

void
TimeWindowSimulatorImpl::UpdateLookahead()
{
    m_nChannels = ChannelList::GetNChannels();
    const auto found = Lookahead::Find();
    m_lookahead = static_cast<uint64_t>(found.delay.GetTimeStep());
    if (found.reason != m_reason)
    {
        m_reason = found.reason;
        std::cerr << "Time windows: " << m_reason << "; events run in the order of time"
                  << std::endl;
    }
    const uint64_t length = m_lookahead > 0 ? m_lookahead : DEFAULT_LENGTH;
    if (length == m_length)
    {
        return;
    }
    std::vector<Pending> events;
    std::vector<Pending> some;
    m_rest.TakeAll(events);
    while (!m_calendar.IsEmpty())
    {
        m_calendar.Take(m_calendar.GetFirst(), some);
        events.insert(events.end(), some.begin(), some.end());
    }
    m_calendar = {};
    m_length = length;
    m_window = m_now / length;
    m_windowEnd = (m_window + 1) * length;
    for (const auto& event : events)
    {
        InsertLater(event);
    }
}

void
TimeWindowSimulatorImpl::Run()
{
    NS_LOG_FUNCTION(this);
    m_mainThread = std::this_thread::get_id();
    m_isStopped = false;
    UpdateLookahead();
    TakeForeign();
    while (!IsFinished())
    {
        RunNext();
        if (m_nChannels != ChannelList::GetNChannels())
        {
            UpdateLookahead();
        }
        TakeForeign();
    }
    m_now = m_latest;
    m_context = NO_NODE;
}

void
TimeWindowSimulatorImpl::RunNext()
{
    const auto hasGlobalBefore = [this](const EventOrder& order) {
        return !m_globals.empty() && m_globals.begin()->order < order;
    };
    const bool isOpen = !m_rest.IsEmpty();
    if (!isOpen)
    {
        if (m_calendar.IsEmpty() || hasGlobalBefore({m_calendar.GetFirst() * m_length, 0, 0, 0, 0}))
        {
            RunGlobal();
            return;
        }
        m_window = m_calendar.GetFirst();
        m_windowEnd = (m_window + 1) * m_length;
        m_calendar.Take(m_window, m_turn);
    }
    m_limit = {m_windowEnd, 0, 0, 0, 0};
    const bool hasBarrier = hasGlobalBefore(m_limit);
    if (hasBarrier)
    {
        m_limit = m_globals.begin()->order;
    }
    if (!hasBarrier && m_lookahead > 0)
    {
        if (isOpen)
        {
            m_rest.TakeAll(m_turn);
        }
        RunTurns();
        return;
    }
    if (!isOpen)
    {
        m_rest.PushAll(m_turn);
        m_turn.clear();
    }
    if (!(m_rest.GetFirst().order < m_limit))
    {
        RunGlobal();
    }
    else if (m_lookahead == 0)
    {
        RunInOrder();
    }
    else
    {
        while (!m_rest.IsEmpty() && m_rest.GetFirst().order < m_limit)
        {
            m_turn.push_back(m_rest.Pop());
        }
        RunTurns();
    }
}

void
TimeWindowSimulatorImpl::RunGlobal()
{
    const Pending event = *m_globals.begin();
    m_globals.erase(m_globals.begin());
    ++m_phase;
    Invoke(event);
    m_context = NO_NODE;
}

void
TimeWindowSimulatorImpl::RunInOrder()
{
    m_running = Running::IN_ORDER;
    Invoke(m_rest.Pop());
    m_running = Running::NOTHING;
    m_context = NO_NODE;
}

void
TimeWindowSimulatorImpl::RunTurns()
{
    SortByNode(m_turn, m_sorted, m_places);
    m_running = Running::TURN;
    m_next = 0;
    while (m_next < m_turn.size())
    {
        m_context = m_turn[m_next].node;
        std::size_t end = m_next + 1;
        while (end < m_turn.size() && m_turn[end].node == m_context)
        {
            ++end;
        }
        std::sort(m_turn.begin() + static_cast<std::ptrdiff_t>(m_next),
                  m_turn.begin() + static_cast<std::ptrdiff_t>(end),
                  Earlier());
        RunTurn(end);
    }
    m_running = Running::NOTHING;
    m_context = NO_NODE;
    m_turn.clear();
    m_next = 0;
    // What other threads schedule comes after all that was run.
    m_now = m_limit.time;
}

void
TimeWindowSimulatorImpl::RunTurn(std::size_t end)
{
    while (m_next < end || !m_own.IsEmpty())
    {
        if (m_own.IsEmpty() || (m_next < end && m_turn[m_next].order < m_own.GetFirst().order))
        {
            const Pending event = m_turn[m_next++];
            PrefetchTurn();
            if (event.impl)
            {
                Invoke(event);
            }
        }
        else
        {
            Invoke(m_own.Pop());
        }
    }
}

void
TimeWindowSimulatorImpl::PrefetchTurn() const
{
    if (m_next + PREFETCH_AHEAD < m_turn.size())
    {
        const auto* event = reinterpret_cast<const char*>(m_turn[m_next + PREFETCH_AHEAD].impl);
        for (std::size_t i = 0; i < PREFETCH_BYTES; i += LINE_BYTES)
        {
            __builtin_prefetch(event + i);
        }
    }
}

void
TimeWindowSimulatorImpl::Invoke(const Pending& event)
{
    PreEventHook(EventId(event.impl, event.order.time, event.node, GetUid(event.order.number)));
    m_now = event.order.time;
    m_latest = std::max(m_latest, m_now);
    m_context = event.node;
    ++m_eventCount;
    event.impl->Invoke();
    event.impl->Unref();
}

} // namespace ns3::aidc

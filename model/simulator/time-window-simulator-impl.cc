// SPDX-License-Identifier: GPL-2.0-only

#include "time-window-simulator-impl.h"

#include "../core/require-argument.h"
#include "mpi-processes.h"
#include "network-lookahead.h"
#include "remote-arrivals.h"

#include "ns3/channel-list.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <typeinfo>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTimeWindowSimulatorImpl");

NS_OBJECT_ENSURE_REGISTERED(TimeWindowSimulatorImpl);

namespace
{

/// The length of a window, in time steps, where there is no lookahead.
constexpr uint64_t DEFAULT_LENGTH = 1000;

} // namespace

TimeWindowSimulatorImpl* TimeWindowSimulatorImpl::g_running = nullptr;

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
    : m_context(Simulator::NO_CONTEXT),
      m_mainThread(std::this_thread::get_id())
{
    if (MpiProcesses::Get().GetN() > 1)
    {
        m_remote = std::make_unique<RemoteArrivals>();
    }
}

TimeWindowSimulatorImpl::~TimeWindowSimulatorImpl() = default;

void
TimeWindowSimulatorImpl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TakeForeign();
    auto left = m_events.TakeAll();
    const auto own = m_turns.TakeAll();
    left.insert(left.end(), own.begin(), own.end());
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

uint32_t
TimeWindowSimulatorImpl::GetSystemId() const
{
    return MpiProcesses::Get().GetIndex();
}

bool
TimeWindowSimulatorImpl::IsFinished() const
{
    return m_isStopped || (m_events.IsEmpty() && m_turns.IsEmpty());
}

PendingEvent
TimeWindowSimulatorImpl::MakePending(uint32_t context, uint64_t time, EventImpl* impl)
{
    // In the order of time, the event that is scheduled first comes first, from whichever node.
    const uint32_t scheduler = m_running == Running::IN_ORDER ? 0 : m_context + 1;
    return {{time, m_now, m_phase, scheduler, ++m_number}, context, impl};
}

EventId
TimeWindowSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    AIDC_REFUSED_IF(m_mainThread != std::this_thread::get_id(),
                    "Simulator::Schedule: expected the thread that runs the simulation; other "
                    "threads have ScheduleWithContext");
    AIDC_REFUSED_IF(delay.IsStrictlyNegative(), "Simulator::Schedule: negative delay " << delay);
    const auto pending = MakePending(m_context, m_now + delay.GetTimeStep(), event);
    const EventId id = pending.GetId();
    Insert(pending);
    return id;
}

EventId
TimeWindowSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(TimeStep(0), event);
}

void
TimeWindowSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    AIDC_REFUSED_IF(delay.IsStrictlyNegative(),
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
    const EventId id(Ptr<EventImpl>(event, false), m_now, Simulator::NO_CONTEXT, EventId::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

void
TimeWindowSimulatorImpl::Insert(const PendingEvent& event)
{
    if (m_remote && event.node != Simulator::NO_CONTEXT && !m_remote->IsHere(event.node))
    {
        event.impl->Unref();
        return;
    }
    if (m_running != Running::TURN || !(event.order < m_events.GetLimit()))
    {
        m_events.Insert(event);
    }
    else if (m_turns.IsTurnOf(event.node))
    {
        m_turns.Push(event);
    }
    else
    {
        // The other side has not come further than the lookahead from here.
        if (event.node == Simulator::NO_CONTEXT || event.order.time < m_now + m_lookahead ||
            m_events.IsOnOpenSide(event.node))
        {
            CheckReach(event.node, event.order.time, "schedules an event for");
        }
        m_events.Insert(event);
    }
}

void
TimeWindowSimulatorImpl::Send(const NetDevice& device,
                              const Time& delay,
                              const uint8_t* bytes,
                              std::size_t size)
{
    AIDC_REFUSED_IF(static_cast<uint64_t>(delay.GetTimeStep()) < m_lookahead,
                    "Time windows: node " << m_context << " sends to node "
                                          << device.GetNode()->GetId() << " with a delay of "
                                          << delay.As(Time::NS) << ", less than the lookahead");
    const auto pending = MakePending(m_context, m_now + delay.GetTimeStep(), nullptr);
    m_remote->Add(device, pending.order, bytes, size);
}

bool
TimeWindowSimulatorImpl::TryAdvance(const Time& delay)
{
    const uint64_t time = m_now + delay.GetTimeStep();
    if (m_running != Running::TURN || m_mayHaveHook || time >= m_events.GetLimit().time ||
        m_turns.HasEventUntil(time))
    {
        return false;
    }
    m_now = time;
    m_latest = std::max(m_latest, m_now);
    ++m_eventCount;
    return true;
}

void
TimeWindowSimulatorImpl::TakeForeign()
{
    std::vector<ForeignEvent> events;
    if (m_hasForeign)
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
    if (m_running != Running::TURN || m_turns.IsTurnOf(context))
    {
        return;
    }
    const auto name = [](uint32_t node) {
        return node == Simulator::NO_CONTEXT ? std::string("no node")
                                             : "node " + std::to_string(node);
    };
    AIDC_REFUSE("Time windows: " << name(m_context) << ", at " << TimeStep(m_now).As(Time::NS)
                                 << ", " << what << " " << name(context) << " at "
                                 << TimeStep(time).As(Time::NS) << ", within the window from "
                                 << TimeStep(m_events.GetBegin()).As(Time::NS) << " to "
                                 << TimeStep(m_events.GetLimit().time).As(Time::NS)
                                 << ". Expected nodes to touch each other by links only, after "
                                    "the delay of "
                                 << TimeStep(m_lookahead).As(Time::NS)
                                 << " at least; ns-3's default simulator has no such limit.");
}

void
TimeWindowSimulatorImpl::CheckCancel(const EventId& id) const
{
    if (id.GetTs() < m_events.GetLimit().time && id.GetContext() != Simulator::NO_CONTEXT)
    {
        CheckReach(id.GetContext(), id.GetTs(), "cancels an event of");
    }
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
    const bool isElsewhere = m_running == Running::TURN && !m_turns.IsTurnOf(id.GetContext());
    if (id.GetTs() < (isElsewhere ? m_events.GetBegin() : m_now))
    {
        return true;
    }
    if (id.GetTs() > (isElsewhere ? m_events.GetLimit().time : m_now))
    {
        return false;
    }
    return !m_turns.IsWaiting(id) && !m_events.IsWaiting(id);
}

Time
TimeWindowSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return TimeStep(IsExpired(id) || id.GetTs() < m_now ? 0 : id.GetTs() - m_now);
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
    if (!m_turns.Remove(id))
    {
        m_events.Remove(id);
    }
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

EventId
TimeWindowSimulatorImpl::StopAt(uint64_t time)
{
    const auto pending =
        MakePending(Simulator::NO_CONTEXT, time, MakeEvent([this] { m_isStopped = true; }));
    const EventId id = pending.GetId();
    Insert(pending);
    return id;
}

void
TimeWindowSimulatorImpl::Stop()
{
    NS_LOG_FUNCTION(this);
    if (m_running == Running::TURN)
    {
        Stop(TimeStep(m_window));
    }
    else
    {
        m_isStopped = true;
    }
}

TimeWindowSimulatorImpl::StopResult
TimeWindowSimulatorImpl::Stop(const Time& delay)
{
    auto steps = static_cast<uint64_t>(delay.GetTimeStep());
    if (m_running == Running::TURN)
    {
        steps = std::max(steps, m_window);
        if (m_remote)
        {
            // The others learn of it when processes meet.
            m_stop = std::min(m_stop, m_now + steps);
            return StopResult(EventId());
        }
    }
    return StopResult(StopAt(m_now + steps));
}

void
TimeWindowSimulatorImpl::UpdateLookahead()
{
    m_nChannels = ChannelList::GetNChannels();
    const auto found = NetworkLookahead::Find();
    if (m_remote)
    {
        AIDC_REFUSED_IF(!found.reason.empty() || found.delay.IsZero(),
                        "Time windows: several processes need links with a delay: "
                            << (found.reason.empty() ? "there are no links" : found.reason));
        m_remote->FindLinks();
    }
    m_turns.SetGroups(found.groups);
    m_lookahead = static_cast<uint64_t>(found.delay.GetTimeStep());
    const bool hasSides = m_lookahead > 0 && found.hasSides;
    m_window = hasSides ? 2 * m_lookahead : m_lookahead;
    if (!found.reason.empty() && found.reason != m_reason)
    {
        PrintUserLine("Time windows: " + found.reason + "; events run in the order of time");
    }
    m_reason = found.reason;
    m_events.SetWindows(m_lookahead > 0 ? m_window : DEFAULT_LENGTH,
                        hasSides ? found.sides : std::vector<uint8_t>(),
                        m_now);
}

void
TimeWindowSimulatorImpl::Align()
{
    if (m_lookahead > 0)
    {
        m_isAligning = true;
        m_events.SetHorizon(m_events.GetLatestLimit());
        while ((m_remote || !m_isStopped) && RunNext())
        {
        }
        m_isAligning = false;
        m_events.SetHorizon(UINT64_MAX);
    }
}

void
TimeWindowSimulatorImpl::Run()
{
    m_mainThread = std::this_thread::get_id();
    g_running = this;
    // An exception may end the run, too.
    const std::shared_ptr<void> end(nullptr, [](void*) { g_running = nullptr; });
    // This class has none, and needs no EventId for it at each event.
    m_mayHaveHook = typeid(*this) != typeid(TimeWindowSimulatorImpl);
    m_isStopped = false;
    UpdateLookahead();
    TakeForeign();
    // Several processes stop where they meet.
    while ((m_remote || !m_isStopped) && RunNext())
    {
        if (m_remote ? m_hasNewChannels : m_nChannels != ChannelList::GetNChannels())
        {
            Align();
            UpdateLookahead();
        }
        TakeForeign();
    }
    m_latest = ~MpiProcesses::Get().GetLeast({~m_latest})[0];
    m_now = m_latest;
    m_context = Simulator::NO_CONTEXT;
}

bool
TimeWindowSimulatorImpl::Meet(WindowEvents::Heads& heads)
{
    const bool hasNewChannels = m_nChannels != ChannelList::GetNChannels();
    const auto agreed =
        m_remote->Meet({heads, m_stop, hasNewChannels, m_isStopped, m_isAligning}, m_events);
    heads = agreed.heads;
    m_stop = UINT64_MAX;
    if (agreed.stop != UINT64_MAX)
    {
        StopAt(agreed.stop);
    }
    m_hasNewChannels = agreed.hasNewChannels;
    m_isStopped = agreed.isStopped;
    return !m_isStopped && (m_isAligning || !m_hasNewChannels);
}

bool
TimeWindowSimulatorImpl::RunNext()
{
    auto heads = m_remote ? m_events.GetHeads() : WindowEvents::Heads();
    if (m_remote && !Meet(heads))
    {
        return !m_isStopped;
    }
    const auto next = m_remote ? m_events.OpenAgreed(heads) : m_events.Open();
    if (next == WindowEvents::Next::NOTHING)
    {
        return false;
    }
    if (next == WindowEvents::Next::GLOBAL)
    {
        ++m_phase;
        if (!m_remote || m_events.HasGlobal(heads.barrier))
        {
            Invoke(m_events.PopGlobal());
        }
    }
    else if (m_lookahead > 0)
    {
        RunTurns();
    }
    else
    {
        m_running = Running::IN_ORDER;
        Invoke(m_events.PopFirst());
        m_running = Running::NOTHING;
    }
    m_context = Simulator::NO_CONTEXT;
    return true;
}

void
TimeWindowSimulatorImpl::RunTurns()
{
    m_turns.Load(m_events);
    m_running = Running::TURN;
    while (m_turns.Begin())
    {
        m_context = m_turns.GetNode();
        while (const PendingEvent* event = m_turns.Pop())
        {
            Invoke(*event);
        }
    }
    m_running = Running::NOTHING;
    // What other threads schedule comes after all that was run.
    m_now = m_events.GetLimit().time;
}

void
TimeWindowSimulatorImpl::Invoke(const PendingEvent& event)
{
    if (m_mayHaveHook)
    {
        PreEventHook(event.GetId());
    }
    m_now = event.order.time;
    m_latest = std::max(m_latest, m_now);
    m_context = event.node;
    ++m_eventCount;
    event.impl->Invoke();
    event.impl->Unref();
}

} // namespace ns3::aidc

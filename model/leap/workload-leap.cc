// SPDX-License-Identifier: GPL-2.0-only

#include "workload-leap.h"

#include "../core/never.h"
#include "../core/require-argument.h"

#include "ns3/log.h"
#include "ns3/mpi-processes.h"
#include "ns3/node.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcWorkloadLeap");

namespace
{

constexpr uint64_t N_TICKS = 8; //!< for an observation of flows, as frames are not to count
constexpr int64_t FLOW_INTERVAL = N_TICKS * LeapBook::INTERVAL; //!< ns

} // namespace

WorkloadLeap::WorkloadLeap(const WorkloadPlan& plan,
                           const LeapSettings& settings,
                           FabricPlaces* places)
    : m_book(plan, settings, places),
      m_flows(settings.error),
      m_plan(plan)
{
}

void
WorkloadLeap::Attach(const ApplicationContainer& applications)
{
    AIDC_REFUSED_IF(applications.GetN() != m_plan.GetNRanks(),
                    "WorkloadLeap: expected an application for each of "
                        << m_plan.GetNRanks() << " ranks, found " << applications.GetN());
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        m_applications.push_back(DynamicCast<RankApplication>(applications.Get(rank)));
        AIDC_REFUSED_UNLESS(m_applications.back(), "WorkloadLeap: expected RankApplications");
        m_applications.back()->SetPacer(this);
    }
    Simulator::Schedule(NanoSeconds(LeapBook::INTERVAL),
                        &WorkloadLeap::Tick,
                        Ptr<WorkloadLeap>(this));
}

void
WorkloadLeap::Schedule(const Time& time, std::function<void()> event)
{
    m_foreign.emplace(time.GetNanoSeconds(), std::move(event));
    Simulator::Schedule(time - GetTime(), &WorkloadLeap::RunForeign, Ptr<WorkloadLeap>(this));
}

Time
WorkloadLeap::GetTime() const
{
    return Simulator::Now() + NanoSeconds(m_leapt);
}

int64_t
WorkloadLeap::GetNow() const
{
    return Simulator::Now().GetNanoSeconds() + m_leapt;
}

bool
WorkloadLeap::IsLocal(uint32_t rank) const
{
    return m_applications[rank]->GetNode()->GetSystemId() == Simulator::GetSystemId();
}

void
WorkloadLeap::Compute(uint32_t rank, uint32_t operation, const Time& duration)
{
    AddTimer(GetNow() + duration.GetNanoSeconds(), rank, [operation](RankApplication& application) {
        application.EndCompute(operation);
    });
}

bool
WorkloadLeap::Leaves(uint32_t rank, uint32_t operation)
{
    const uint32_t task = m_book.GetTasks().Find(rank, operation);
    const auto& known = m_book.GetTasks().Get(task);
    bool isLeapt = m_book.IsLeapt(task);
    if (known.IsMessage())
    {
        // Messages are received in order
        const auto before = m_executed.lower_bound({rank, known.to, known.tag, 0});
        isLeapt = isLeapt && before == m_executed.upper_bound({rank, known.to, known.tag, task});
        if (!isLeapt)
        {
            m_executed.emplace(rank, known.to, known.tag, task);
        }
    }
    uint64_t pace = 0;
    for (const uint32_t peer : m_book.GetPeers(task, rank))
    {
        pace += isLeapt ? 0 : m_applications[rank]->GetEndpoint()->GetPace(peer);
    }
    m_events.push_back({GetNow(), rank, operation, 0, LeapEvent::Kind::STARTED, isLeapt, pace});
    return isLeapt;
}

void
WorkloadLeap::NotifyEnd(uint32_t rank, uint32_t operation)
{
    const uint32_t task = m_book.GetTasks().Find(rank, operation);
    if (task == LeapTasks::NONE)
    {
        return;
    }
    const auto& known = m_book.GetTasks().Get(task);
    m_executed.erase({rank, known.to, known.tag, task});
    const bool isAtOnce = m_applications[rank]->GetTimes()[operation].start == GetTime();
    const auto kind = isAtOnce ? LeapEvent::Kind::ENDED_AT_ONCE : LeapEvent::Kind::ENDED;
    m_events.push_back({GetNow(), rank, operation, 0, kind, false});
}

uint64_t
WorkloadLeap::NotifyMessage(uint32_t rank, uint32_t peer, uint32_t tag, uint64_t nBytes)
{
    const auto sizes = m_book.GetTasks().FindSizes(peer, rank, tag);
    if (sizes.empty())
    {
        return nBytes;
    }
    m_events.push_back({GetNow(), rank, tag, peer, LeapEvent::Kind::ARRIVED, false});
    return sizes.size() == 1 ? sizes.begin()->first : nBytes; // only such messages become shorter
}

void
WorkloadLeap::AddTimer(int64_t end, uint32_t rank, Timer timer)
{
    const TimerKey key{end, rank, m_nTimers++};
    m_timers.emplace(key, std::move(timer));
    if (!m_isLeaping)
    {
        Schedule(key);
    }
}

void
WorkloadLeap::Schedule(const TimerKey& key)
{
    const auto& [end, rank, number] = key;
    Simulator::ScheduleWithContext(m_applications[rank]->GetNode()->GetId(),
                                   NanoSeconds(end - GetNow()),
                                   &WorkloadLeap::Fire,
                                   Ptr<WorkloadLeap>(this),
                                   key);
}

void
WorkloadLeap::Fire(TimerKey key)
{
    const auto found = m_timers.find(key);
    if (found == m_timers.end())
    {
        return; // it has ended in a leap
    }
    const Timer timer = std::move(found->second);
    m_timers.erase(found);
    timer(*m_applications[std::get<1>(key)]);
}

void
WorkloadLeap::Tick()
{
    NoteEndlessTimer();
    Update();
    Leap();
    if (++m_nTicks % N_TICKS == 0)
    {
        LeapInside();
    }
    Simulator::Schedule(NanoSeconds(LeapBook::INTERVAL),
                        &WorkloadLeap::Tick,
                        Ptr<WorkloadLeap>(this));
}

void
WorkloadLeap::Update()
{
    auto events = GatherItems(std::move(m_events));
    m_events.clear();
    const int64_t before = m_book.GetProgress().lastExecutedEnd;
    for (const LeapEnd& end : m_book.Take(std::move(events), GetNow()))
    {
        const auto& task = m_book.GetTasks().Get(end.task);
        const auto [rank, operation] = m_book.GetTasks().GetOperation(end.task, end.member);
        Timer timer = [operation = operation](RankApplication& application) {
            application.EndLeft(operation);
        };
        if (task.IsMessage() && end.member == 1)
        {
            const uint64_t bytes = m_plan.GetProgram(task.from).Get(task.operation).amount;
            timer = [from = task.from, tag = task.tag, bytes](RankApplication& application) {
                application.Deliver(from, bytes, tag);
            };
        }
        if (IsLocal(rank))
        {
            AddTimer(std::max(end.time, GetNow()), rank, std::move(timer));
        }
    }
    if (m_book.GetProgress().lastExecutedEnd != before)
    {
        m_networkEnd = m_book.GetProgress().lastExecutedEnd - m_leapt;
    }
    m_isOthers = m_isBusy && m_isBusy();
    m_book.Decide(GetNow(), m_isOthers ? 0 : GetLimit());
}

int64_t
WorkloadLeap::GetNextTimer() const
{
    const auto own =
        static_cast<uint64_t>(m_timers.empty() ? NEVER : std::get<0>(m_timers.begin()->first));
    return static_cast<int64_t>(MpiProcesses::Get().GetLeast({own})[0]);
}

int64_t
WorkloadLeap::FindNext() const
{
    if (m_book.GetProgress().nExecuted > 0 || m_isOthers)
    {
        return NEVER;
    }
    const int64_t next = std::min(GetNextTimer(), m_book.GetProgress().nextWait);
    if (next >= GetLimit())
    {
        return NEVER;
    }
    // Without a leapt task, ranks compute, and the network is idle as long as it would be
    const int64_t idle = Simulator::Now().GetNanoSeconds() - m_networkEnd;
    return m_book.GetProgress().nLeapt > 0 || next - m_book.GetProgress().lastEnd <= idle ? next
                                                                                          : NEVER;
}

void
WorkloadLeap::Leap()
{
    int64_t next = FindNext();
    if (next == NEVER)
    {
        return;
    }
    NS_LOG_FUNCTION(this << GetTime());
    m_isLeaping = true;
    for (; next != NEVER; next = FindNext())
    {
        m_leapt += std::max<int64_t>(0, next - GetNow());
        while (!m_timers.empty() && std::get<0>(m_timers.begin()->first) <= next)
        {
            const auto first = m_timers.extract(m_timers.begin());
            first.mapped()(*m_applications[std::get<1>(first.key())]);
        }
        Update();
    }
    m_isLeaping = false;
    ScheduleAll();
    for (uint32_t rank = 0; rank < m_applications.size(); ++rank)
    {
        if (IsLocal(rank))
        {
            Simulator::ScheduleWithContext(m_applications[rank]->GetNode()->GetId(),
                                           Time(),
                                           &RankApplication::SendKept,
                                           m_applications[rank]);
        }
    }
}

void
WorkloadLeap::LeapInside()
{
    const auto messages = m_isOthers ? std::vector<uint32_t>() : m_book.GetLongMessages();
    std::vector<LongFlows::Flow> flows;
    for (const uint32_t task : messages)
    {
        const auto& message = m_book.GetTasks().Get(task);
        if (IsLocal(message.from))
        {
            const auto backlog =
                m_applications[message.from]->GetEndpoint()->GetBacklog(message.to);
            const std::size_t before = flows.size();
            for (uint32_t i = 0; i < backlog.size(); ++i)
            {
                if (backlog[i].unsent > 0)
                {
                    flows.push_back({task, i, backlog[i].unsent, backlog[i].unacknowledged});
                }
            }
            if (flows.size() == before)
            {
                flows.push_back({task, LeapTasks::NONE, 0, 0}); // all is sent, or it is not known
            }
        }
    }
    flows = GatherItems(std::move(flows));
    m_flows.Observe(flows);
    const int64_t next = messages.empty() ? 0 : std::min(GetNextTimer(), GetLimit()) - GetNow();
    const auto leap = m_flows.Find(static_cast<uint64_t>(next / FLOW_INTERVAL));
    if (leap.nIntervals == 0)
    {
        return;
    }
    NS_LOG_FUNCTION(this << GetTime() << leap.nIntervals);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto& message = m_book.GetTasks().Get(flows[i].task);
        m_book.Shorten(flows[i].task, static_cast<double>(leap.nBytes[i]));
        if (IsLocal(message.from))
        {
            m_applications[message.from]->Shorten(message.operation,
                                                  flows[i].connection,
                                                  leap.nBytes[i]);
        }
    }
    const int64_t duration = static_cast<int64_t>(leap.nIntervals) * FLOW_INTERVAL;
    m_book.AddLeap(static_cast<double>(duration), leap.error);
    m_leapt += duration;
    m_flows.Take(leap);
    ScheduleAll();
}

void
WorkloadLeap::ScheduleAll()
{
    for (const auto& [key, timer] : m_timers)
    {
        Schedule(key);
    }
    if (!m_foreign.empty())
    {
        Simulator::Schedule(NanoSeconds(GetLimit() - GetNow()),
                            &WorkloadLeap::RunForeign,
                            Ptr<WorkloadLeap>(this));
    }
}

void
WorkloadLeap::RunForeign()
{
    while (!m_foreign.empty() && GetLimit() <= GetNow())
    {
        const auto event = m_foreign.begin()->second;
        m_foreign.erase(m_foreign.begin());
        m_book.Forget();
        m_flows.Observe({}); // they begin anew
        event();
    }
}

} // namespace ns3::aidc

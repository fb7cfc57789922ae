// SPDX-License-Identifier: GPL-2.0-only

#include "rank-application-helper.h"

#include "../model/core/require-argument.h"
#include "local-node.h"

#include "ns3/callback.h"
#include "ns3/mpi-processes.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3::aidc
{

namespace
{

void
Write(std::size_t rank, const RankState& state, std::ostream& text)
{
    const auto& [record, times] = state;
    text << rank << ' ' << record.isDone << ' ' << record.finish.GetTimeStep() << ' '
         << record.failureTime.GetTimeStep() << ' ' << times.size();
    for (const auto& time : times)
    {
        text << ' ' << time.hasStarted << ' ' << time.hasEnded << ' ' << time.isLeapt << ' '
             << time.start.GetTimeStep() << ' ' << time.end.GetTimeStep();
    }
    text << ' ' << record.failure << '\n';
}

void
Read(std::istream& text, RankState& state)
{
    const auto readTime = [&text](Time& time) {
        int64_t steps = 0;
        text >> steps;
        time = TimeStep(static_cast<uint64_t>(steps));
    };
    std::size_t nTimes = 0;
    text >> state.record.isDone;
    readTime(state.record.finish);
    readTime(state.record.failureTime);
    text >> nTimes;
    state.times.resize(nTimes);
    for (auto& time : state.times)
    {
        text >> time.hasStarted >> time.hasEnded >> time.isLeapt;
        readTime(time.start);
        readTime(time.end);
    }
    text.get(); // the blank
    std::getline(text, state.record.failure);
}

/// Exchange the states of programs, by rank; other processes' have no times before.
void
GatherRankStates(std::vector<RankState>& states)
{
    if (MpiProcesses::Get().GetN() == 1)
    {
        return;
    }
    std::ostringstream own;
    for (std::size_t rank = 0; rank < states.size(); ++rank)
    {
        if (!states[rank].times.empty())
        {
            Write(rank, states[rank], own);
        }
    }
    for (const auto& text : MpiProcesses::Get().Gather(own.str()))
    {
        std::istringstream others(text);
        std::size_t rank = 0;
        while (others >> rank && rank < states.size())
        {
            Read(others, states[rank]);
        }
    }
}

/// How often to check whether all is done.
const Time STOP_INTERVAL = MicroSeconds(10);

/// @return operations that have started but not ended, by rank, at most max
std::vector<std::string>
ListUnfinished(const WorkloadPlan& plan, const std::vector<RankState>& states, std::size_t max)
{
    std::vector<std::string> unfinished;
    for (uint32_t rank = 0; rank < states.size(); ++rank)
    {
        const auto& times = states[rank].times;
        for (uint32_t i = 0; i < times.size() && unfinished.size() < max; ++i)
        {
            if (times[i].hasStarted && !times[i].hasEnded)
            {
                unfinished.push_back(plan.Describe(rank, i));
            }
        }
    }
    return unfinished;
}

} // namespace

/// The applications; at hosts of other processes, they do nothing.
struct RankApplicationHelper::Applications
{
    std::vector<Ptr<RankApplication>> items; //!< by rank
    std::size_t nDone{0};                    //!< how many of the first ones are done
    bool hasFailed{false};                   //!< whether a message could not be sent
    StuckCallback stuck;                     //!< told why programs will not be done; or null
    std::function<bool()> isOtherDone;       //!< whether all else is done; or null
};

RankApplicationHelper::RankApplicationHelper(WorkloadPlan plan)
    : m_plan(std::make_shared<const WorkloadPlan>(std::move(plan))),
      m_applications(std::make_shared<Applications>())
{
    m_plan->Check();
}

void
RankApplicationHelper::SetStart(const Time& start)
{
    AIDC_REFUSED_IF(start.IsStrictlyNegative(),
                    "RankApplicationHelper: expected programs to start at 0 s or later, found "
                        << start.As(Time::US));
    m_start = start;
}

ApplicationContainer
RankApplicationHelper::Install(const NodeContainer& nodes,
                               const std::vector<Ptr<MessageEndpoint>>& endpoints)
{
    const uint32_t nRanks = m_plan->GetNRanks();
    AIDC_REFUSED_IF(!m_applications->items.empty(),
                    "RankApplicationHelper::Install() is called once");
    AIDC_REFUSED_IF(nodes.GetN() != nRanks || endpoints.size() != nRanks,
                    "RankApplicationHelper: expected a host and an endpoint for each of "
                        << nRanks << " ranks, found " << nodes.GetN() << " and "
                        << endpoints.size());
    ApplicationContainer container;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        auto application = CreateObject<RankApplication>();
        application->SetProgram(m_plan, rank);
        application->SetEndpoint(endpoints[rank]);
        application->SetStartTime(m_start);
        // Not the helper's: the application may outlive it
        application->TraceConnectWithoutContext(
            "Failed",
            Callback<void, uint32_t, uint32_t, const std::string&>(
                [applications = std::weak_ptr<Applications>(
                     m_applications)](uint32_t, uint32_t, const std::string&) {
                    if (const auto known = applications.lock())
                    {
                        known->hasFailed = true;
                    }
                }));
        nodes.Get(rank)->AddApplication(application);
        container.Add(application);
        m_applications->items.push_back(application);
    }
    return container;
}

void
RankApplicationHelper::StopWhenDone(StuckCallback stuck, std::function<bool()> isOtherDone)
{
    m_applications->stuck = std::move(stuck);
    m_applications->isOtherDone = std::move(isOtherDone);
    Simulator::Schedule(STOP_INTERVAL, [self = *this] { self.Look(); });
}

void
RankApplicationHelper::Look() const
{
    NoteEndlessTimer();
    const auto& isOtherDone = m_applications->isOtherDone;
    const bool areDone = IsDone() && (!isOtherDone || isOtherDone());
    const bool hasFailed = HasFailed();
    const auto& processes = MpiProcesses::Get();
    const bool isFinished = processes.Sum(Simulator::IsFinished() ? 0 : 1) == 0;
    if (!areDone && !hasFailed && !isFinished)
    {
        Simulator::Schedule(STOP_INTERVAL, [self = *this] { self.Look(); });
        return;
    }
    if (!areDone)
    {
        const auto description = DescribeUnfinished();
        if (m_applications->stuck)
        {
            m_applications->stuck(description);
        }
        else if (processes.IsFirst())
        {
            TellUser("the simulation stops at ", Simulator::Now().As(Time::US), ": ", description);
        }
    }
    Simulator::Stop();
}

bool
RankApplicationHelper::IsLocal(std::size_t rank) const
{
    return IsLocalNode(m_applications->items[rank]->GetNode());
}

bool
RankApplicationHelper::IsDone() const
{
    // A program that is done remains so
    const auto& items = m_applications->items;
    auto& nDone = m_applications->nDone;
    while (nDone < items.size() && (!IsLocal(nDone) || items[nDone]->IsDone()))
    {
        ++nDone;
    }
    return MpiProcesses::Get().Sum(nDone == m_plan->GetNRanks() ? 0 : 1) == 0;
}

bool
RankApplicationHelper::HasFailed() const
{
    return MpiProcesses::Get().Sum(m_applications->hasFailed ? 1 : 0) > 0;
}

std::vector<RankRecord>
RankApplicationHelper::GetRankRecords() const
{
    std::vector<RankRecord> records;
    for (const auto& state : GetRankStates())
    {
        records.push_back(state.record);
    }
    return records;
}

std::vector<RankState>
RankApplicationHelper::GetRankStates() const
{
    std::vector<RankState> states(m_applications->items.size());
    for (std::size_t rank = 0; rank < states.size(); ++rank)
    {
        if (IsLocal(rank))
        {
            states[rank] = m_applications->items[rank]->GetState();
        }
    }
    GatherRankStates(states);
    return states;
}

std::vector<CollectiveRecord>
RankApplicationHelper::GetCollectiveRecords() const
{
    const auto& items = m_plan->GetItems();
    std::vector<CollectiveRecord> byItem(items.size());
    std::vector<uint32_t> nEnded(items.size());
    std::vector<bool> hasStarted(items.size());
    const auto states = GetRankStates();
    for (uint32_t rank = 0; rank < states.size(); ++rank)
    {
        const RankProgram& program = m_plan->GetProgram(rank);
        const auto& times = states[rank].times;
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            if (program.Get(i).kind != RankOperationKind::COLLECTIVE || !times[i].hasStarted)
            {
                continue;
            }
            const uint32_t item = program.Get(i).label;
            CollectiveRecord& record = byItem[item];
            record.start =
                hasStarted[item] ? std::min(record.start, times[i].start) : times[i].start;
            hasStarted[item] = true;
            record.isLeapt = times[i].isLeapt;
            if (times[i].hasEnded)
            {
                record.finish = std::max(record.finish, times[i].end);
                ++nEnded[item];
            }
        }
    }
    std::vector<CollectiveRecord> records;
    for (std::size_t item = 0; item < items.size(); ++item)
    {
        if (!items[item].collective)
        {
            continue;
        }
        const CollectiveSchedule& schedule = *items[item].collective;
        CollectiveRecord& record = byItem[item];
        record.name = items[item].GetName();
        record.kind = schedule.GetKind();
        record.algorithm = schedule.GetAlgorithm();
        record.nMembers = schedule.GetNMembers();
        record.bytes = schedule.GetBytes();
        record.isDone = nEnded[item] == record.nMembers;
        if (record.isDone && record.finish > record.start)
        {
            record.bandwidth = GetCollectiveBandwidth(record.kind,
                                                      record.nMembers,
                                                      record.bytes,
                                                      (record.finish - record.start).GetSeconds());
        }
        records.push_back(record);
    }
    return records;
}

std::vector<std::string>
RankApplicationHelper::GetUnfinished(std::size_t max) const
{
    return ListUnfinished(*m_plan, GetRankStates(), max);
}

std::string
RankApplicationHelper::DescribeUnfinished() const
{
    constexpr std::size_t SHOWN = 3;
    if (IsDone())
    {
        return "";
    }
    const auto states = GetRankStates();
    std::string text;
    std::size_t nFailures = 0;
    for (const auto& state : states)
    {
        if (!state.record.failure.empty() && ++nFailures <= SHOWN)
        {
            text += state.record.failure + "; ";
        }
    }
    text += nFailures > SHOWN ? std::to_string(nFailures - SHOWN) + " more ranks likewise; " : "";
    const auto unfinished = ListUnfinished(*m_plan, states, SHOWN + 1);
    text += unfinished.empty() ? "no operation is under way" : "unfinished: ";
    for (std::size_t i = 0; i < unfinished.size() && i < SHOWN; ++i)
    {
        text += (i == 0 ? "" : ", ") + unfinished[i];
    }
    return text + (unfinished.size() > SHOWN ? " and others" : "");
}

double
RankApplicationHelper::GetShareDone() const
{
    std::size_t nOperations = 0;
    std::size_t nEnded = 0;
    for (std::size_t rank = 0; rank < m_applications->items.size(); ++rank)
    {
        nOperations += m_plan->GetProgram(static_cast<uint32_t>(rank)).GetN();
        if (!IsLocal(rank))
        {
            continue;
        }
        const auto& times = m_applications->items[rank]->GetTimes();
        nEnded += static_cast<std::size_t>(
            std::count_if(times.begin(), times.end(), [](const auto& t) { return t.hasEnded; }));
    }
    return nOperations == 0 ? 1 : static_cast<double>(nEnded) / static_cast<double>(nOperations);
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "rank-execution.h"

#include "../multiply-divide.h"

#include <limits>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t NO_NEXT = std::numeric_limits<uint32_t>::max(); //!< no operation

/// Fill in what the ports carry of a message among n members. If a switch adds messages up, each
/// member's own part leaves, too, and the head gets one sum; copies are the reverse of it.
void
ShareSwitch(SwitchWork work, uint32_t n, RankEvent& message)
{
    if (work == SwitchWork::FORWARD)
    {
        return;
    }
    const uint64_t all = MultiplyDivideUp(message.amount, n, n - 1);
    const uint64_t share = MultiplyDivideUp(message.amount, 1, n - 1);
    message.egress = work == SwitchWork::REDUCE ? all : share;
    message.ingress = work == SwitchWork::REDUCE ? share : all;
}

} // namespace

RankExecution::RankExecution(const RankProgram& program)
    : m_program(program),
      m_nWaitsFor(program.GetN()),
      m_nextEnd(program.GetN()),
      m_nextSame(program.GetN(), NO_NEXT),
      m_nLeft(program.GetN())
{
    // For each operation, the operations that wait for it, one after another
    const uint32_t n = program.GetN();
    for (uint32_t operation = 0; operation < n; ++operation)
    {
        for (const uint32_t other : program.GetAfter(operation))
        {
            ++m_nWaitsFor[operation];
            ++m_nextEnd[other];
        }
    }
    uint32_t end = 0;
    for (uint32_t& next : m_nextEnd)
    {
        const uint32_t begin = end;
        end += next;
        next = begin;
    }
    m_next.resize(end);
    for (uint32_t operation = 0; operation < n; ++operation)
    {
        for (const uint32_t other : program.GetAfter(operation))
        {
            m_next[m_nextEnd[other]++] = operation;
        }
    }
    std::unordered_map<uint64_t, uint32_t> lastSends;
    std::unordered_map<uint64_t, uint32_t> lastReceives;
    for (uint32_t number = 0; number < n; ++number)
    {
        const RankOperation& operation = program.Get(number);
        const bool isSend = operation.kind == RankOperationKind::SEND;
        if (isSend || operation.kind == RankOperationKind::RECEIVE)
        {
            auto& lasts = isSend ? lastSends : lastReceives;
            const auto [last, isFirst] =
                lasts.emplace(RankMailboxes::GetKey(operation.peer, operation.tag), number);
            if (!isFirst)
            {
                m_nextSame[last->second] = number;
                ++m_nWaitsFor[number];
                last->second = number;
            }
        }
    }
}

void
RankExecution::Start()
{
    for (uint32_t operation = 0; operation < m_program.GetN(); ++operation)
    {
        if (m_nWaitsFor[operation] == 0)
        {
            m_ready.push_back(operation);
        }
    }
    StartReady();
}

bool
RankExecution::Take(RankEvent& event)
{
    if (m_events.empty())
    {
        return false;
    }
    event = m_events.front();
    m_events.pop_front();
    return true;
}

void
RankExecution::EndCompute(uint32_t operation)
{
    if (m_program.Get(operation).kind == RankOperationKind::COLLECTIVE)
    {
        StartLanes(operation);
        StartReady();
        return;
    }
    const auto unit = m_units.find(m_program.Get(operation).peer); // none for NO_UNIT
    if (unit != m_units.end())
    {
        unit->second.isBusy = false;
    }
    End(operation);
    StartReady();
    if (unit != m_units.end())
    {
        StartCompute(unit->second);
    }
}

void
RankExecution::EndSend(uint32_t operation, uint32_t lane, uint32_t peer)
{
    if (m_program.Get(operation).kind == RankOperationKind::SEND)
    {
        End(operation);
    }
    else
    {
        Collective& collective = m_collectives.at(operation);
        --collective.nSendsLeft;
        const uint32_t nStreams = m_program.GetCollective(operation).schedule.GetNStreams();
        if (RankEvent next; collective.slots.Give(lane % nStreams, peer, next))
        {
            m_events.push_back(next);
        }
        Lane& state = collective.lanes[lane];
        if (state.awaitsSend)
        {
            state.awaitsSend = false;
            if (!state.awaitsMessage)
            {
                ++state.step;
                RunLane(operation, collective, lane);
            }
        }
        EndIfComplete(operation, collective);
    }
    StartReady();
}

void
RankExecution::Receive(uint32_t peer, uint64_t bytes, uint32_t tag)
{
    const auto waiting = m_mailboxes.Match(peer, tag, {bytes, 0, 0}, true);
    if (!waiting)
    {
        return;
    }
    const auto& item = *waiting;
    if (m_program.Get(item.operation).kind == RankOperationKind::RECEIVE)
    {
        End(item.operation);
    }
    else
    {
        Collective& collective = m_collectives.at(item.operation);
        Lane& state = collective.lanes[item.lane];
        state.awaitsMessage = false;
        if (!state.awaitsSend)
        {
            ++state.step;
            RunLane(item.operation, collective, item.lane);
            EndIfComplete(item.operation, collective);
        }
    }
    StartReady();
}

void
RankExecution::StartReady()
{
    while (!m_ready.empty())
    {
        const uint32_t operation = m_ready.front();
        m_ready.pop_front();
        StartOperation(operation);
    }
}

void
RankExecution::StartOperation(uint32_t number)
{
    const RankOperation& operation = m_program.Get(number);
    if (operation.kind == RankOperationKind::COMPUTE && operation.peer == RankProgram::NO_UNIT)
    {
        m_events.push_back({RankEventKind::STARTED, number});
        m_events.push_back({RankEventKind::COMPUTE, number, 0, 0, 0, operation.amount});
        return;
    }
    if (operation.kind == RankOperationKind::COMPUTE)
    {
        Unit& unit = m_units[operation.peer];
        unit.waiting.push_back(number);
        StartCompute(unit);
        return;
    }
    m_events.push_back({RankEventKind::STARTED, number});
    if (operation.kind == RankOperationKind::RECEIVE)
    {
        if (m_mailboxes.Match(operation.peer, operation.tag, {operation.amount, number, 0}, false))
        {
            End(number);
        }
    }
    else if (m_leave && m_leave(number))
    {
        // Somebody else ends it
    }
    else if (operation.kind == RankOperationKind::SEND)
    {
        m_events.push_back(
            {RankEventKind::SEND, number, 0, operation.peer, operation.tag, operation.amount});
    }
    else if (const uint64_t launch =
                 m_program.GetCollective(number).schedule.GetSettings().costs.launch;
             launch > 0)
    {
        m_events.push_back({RankEventKind::COMPUTE, number, 0, 0, 0, launch});
    }
    else
    {
        StartLanes(number);
    }
    if (m_nextSame[number] != NO_NEXT)
    {
        Release(m_nextSame[number]);
    }
}

void
RankExecution::StartLanes(uint32_t operation)
{
    const CollectiveSchedule& schedule = m_program.GetCollective(operation).schedule;
    const uint32_t nLanes = schedule.GetNLanes();
    Collective& collective = m_collectives[operation];
    collective.lanes.resize(nLanes);
    collective.nLanesLeft = nLanes;
    collective.slots = SendSlots(schedule.GetSettings().nSlots);
    for (uint32_t lane = 0; lane < nLanes; ++lane)
    {
        RunLane(operation, collective, lane);
    }
    EndIfComplete(operation, collective);
}

void
RankExecution::StartCompute(Unit& unit)
{
    if (!unit.isBusy && !unit.waiting.empty())
    {
        const uint32_t operation = unit.waiting.front();
        unit.waiting.pop_front();
        unit.isBusy = true;
        m_events.push_back({RankEventKind::STARTED, operation});
        m_events.push_back(
            {RankEventKind::COMPUTE, operation, 0, 0, 0, m_program.Get(operation).amount});
    }
}

void
RankExecution::RunLane(uint32_t operation, Collective& collective, uint32_t lane)
{
    const uint32_t nStreams = m_program.GetCollective(operation).schedule.GetNStreams();
    const std::vector<Lane>& lanes = collective.lanes;
    AdvanceLane(operation, collective, lane);
    // The lanes of later chunks may wait for it
    bool hasMoved = true;
    for (lane += nStreams; hasMoved && lane < lanes.size() && lanes[lane].awaitsLane;
         lane += nStreams)
    {
        const uint32_t before = lanes[lane].step;
        AdvanceLane(operation, collective, lane);
        hasMoved = lanes[lane].step != before;
    }
}

void
RankExecution::AdvanceLane(uint32_t operation, Collective& collective, uint32_t lane)
{
    const RankCollective& part = m_program.GetCollective(operation);
    const uint32_t nSteps = part.schedule.GetNSteps(part.member, lane);
    uint32_t& step = collective.lanes[lane].step;
    while (step < nSteps)
    {
        if (!EnterStep(operation, collective, lane))
        {
            return;
        }
        ++step;
    }
    --collective.nLanesLeft;
}

bool
RankExecution::EnterStep(uint32_t operation, Collective& collective, uint32_t lane)
{
    const RankCollective& part = m_program.GetCollective(operation);
    const uint32_t tag = m_program.Get(operation).tag + lane;
    Lane& state = collective.lanes[lane];
    const CollectiveStep step = part.schedule.GetStep(part.member, lane, state.step);
    const uint32_t nStreams = part.schedule.GetNStreams();
    state.awaitsLane =
        lane >= nStreams && collective.lanes[lane - nStreams].step < step.stepsBefore;
    if (state.awaitsLane)
    {
        return false;
    }
    const CollectiveScheduleSettings& settings = part.schedule.GetSettings();
    if (step.sendTo != CollectiveStep::NONE)
    {
        const auto& costs = settings.GetCosts(part.member, step.sendTo);
        RankEvent message = {RankEventKind::SEND,
                             operation,
                             lane,
                             (*part.ranks)[step.sendTo],
                             tag,
                             costs.GetBytes(step.sendBytes)};
        message.post = settings.IsInside(part.member, step.sendTo) ? 0 : settings.costs.post;
        message.delay = costs.GetDelay(step.sendBytes);
        ShareSwitch(step.work, settings.nPerServer, message);
        if (collective.slots.Take(lane % nStreams, message))
        {
            m_events.push_back(message);
        }
        ++collective.nSendsLeft;
        state.awaitsSend = step.waitsForSend;
    }
    if (step.receiveFrom != CollectiveStep::NONE)
    {
        const auto& costs = settings.GetCosts(part.member, step.receiveFrom);
        state.awaitsMessage =
            !m_mailboxes.Match((*part.ranks)[step.receiveFrom],
                               tag,
                               {costs.GetBytes(step.receiveBytes), operation, lane},
                               false);
    }
    return !state.awaitsSend && !state.awaitsMessage;
}

void
RankExecution::EndIfComplete(uint32_t operation, const Collective& collective)
{
    if (collective.nLanesLeft == 0 && collective.nSendsLeft == 0)
    {
        m_collectives.erase(operation);
        End(operation);
    }
}

void
RankExecution::End(uint32_t operation)
{
    m_events.push_back({RankEventKind::ENDED, operation});
    --m_nLeft;
    for (uint32_t i = operation == 0 ? 0 : m_nextEnd[operation - 1]; i < m_nextEnd[operation]; ++i)
    {
        Release(m_next[i]);
    }
}

void
RankExecution::Release(uint32_t operation)
{
    if (--m_nWaitsFor[operation] == 0)
    {
        m_ready.push_back(operation);
    }
}

} // namespace ns3::aidc

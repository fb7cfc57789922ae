// SPDX-License-Identifier: GPL-2.0-only

#include "rank-application.h"

#include "../core/require-argument.h"

#include "ns3/callback.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRankApplication");
NS_OBJECT_ENSURE_REGISTERED(RankApplication);

TypeId
RankApplication::GetTypeId()
{
    using C = RankApplication;
    static TypeId tid = TypeId("ns3::aidc::RankApplication")
                            .SetParent<Application>()
                            .SetGroupName("Aidc")
                            .AddConstructor<C>()
                            .AddTraceSource("OperationStarted",
                                            "An operation of the program has started",
                                            MakeTraceSourceAccessor(&C::m_started),
                                            "ns3::aidc::RankApplication::OperationTracedCallback")
                            .AddTraceSource("OperationEnded",
                                            "An operation of the program has ended",
                                            MakeTraceSourceAccessor(&C::m_ended),
                                            "ns3::aidc::RankApplication::OperationTracedCallback")
                            .AddTraceSource("Done",
                                            "All operations of the program have ended",
                                            MakeTraceSourceAccessor(&C::m_done),
                                            "ns3::aidc::RankApplication::DoneTracedCallback")
                            .AddTraceSource("Failed",
                                            "A message could not be sent, and the rank stops",
                                            MakeTraceSourceAccessor(&C::m_failed),
                                            "ns3::aidc::RankApplication::FailedTracedCallback");
    return tid;
}

void
RankApplication::SetProgram(std::shared_ptr<const WorkloadPlan> plan, uint32_t rank)
{
    AIDC_REFUSED_IF(m_isRunning, "expected the program before the application starts");
    AIDC_REFUSED_IF(!plan || rank >= plan->GetNRanks(), "expected a plan with rank " << rank);
    m_plan = std::move(plan);
    m_rank = rank;
    m_execution = std::make_unique<RankExecution>(m_plan->GetProgram(rank));
    m_state.times.assign(m_plan->GetProgram(rank).GetN(), RankOperationTimes());
}

void
RankApplication::SetEndpoint(Ptr<MessageEndpoint> endpoint)
{
    AIDC_REFUSED_IF(!m_execution, "expected the program before the endpoint");
    m_endpoint = endpoint;
    m_endpoint->SetReceiver(MakeCallback(&RankApplication::Receive, this));
    m_endpoint->SetFailureSink(MakeCallback(&RankApplication::HandleFailure, this));
}

void
RankApplication::SetPacer(Ptr<RankPacer> pacer)
{
    AIDC_REFUSED_IF(m_isRunning || !m_execution,
                    "expected the pacer after the program and before the application starts");
    m_pacer = pacer;
    m_execution->SetLeave([this](uint32_t operation) {
        m_state.times[operation].isLeapt = m_pacer->Leaves(m_rank, operation);
        return m_state.times[operation].isLeapt;
    });
}

void
RankApplication::DoDispose()
{
    StopApplication();
    if (m_endpoint)
    {
        m_endpoint->SetReceiver(MakeNullCallback<void, uint32_t, uint64_t, uint32_t>());
        m_endpoint->SetFailureSink(MessageEndpoint::FailureSink());
        m_endpoint = nullptr;
    }
    m_pacer = nullptr;
    Application::DoDispose();
}

void
RankApplication::StartApplication()
{
    NS_LOG_FUNCTION(this << m_rank);
    AIDC_REFUSED_IF(!m_endpoint, "expected an endpoint before the application starts");
    m_isRunning = true;
    m_execution->Start();
    Proceed();
}

void
RankApplication::StopApplication()
{
    m_isRunning = false;
    for (auto& [operation, event] : m_computing)
    {
        event.Cancel();
    }
    m_computing.clear();
    m_kept.clear();
}

void
RankApplication::Receive(uint32_t peer, uint64_t nBytes, uint32_t tag)
{
    NS_LOG_FUNCTION(this << m_rank << peer << nBytes << tag);
    Deliver(peer, m_pacer ? m_pacer->NotifyMessage(m_rank, peer, tag, nBytes) : nBytes, tag);
}

void
RankApplication::EndSend(uint32_t operation, uint32_t lane, uint32_t peer)
{
    NS_LOG_FUNCTION(this << m_rank << operation << lane);
    m_execution->EndSend(operation, lane, peer);
    Proceed();
}

void
RankApplication::EndCompute(uint32_t operation)
{
    NS_LOG_FUNCTION(this << m_rank << operation);
    m_computing.erase(operation);
    m_execution->EndCompute(operation);
    Proceed();
}

void
RankApplication::EndLeft(uint32_t operation)
{
    NS_LOG_FUNCTION(this << m_rank << operation);
    m_execution->EndLeft(operation);
    Proceed();
}

void
RankApplication::Shorten(uint32_t operation, std::size_t connection, uint64_t nBytes)
{
    NS_LOG_FUNCTION(this << m_rank << operation << connection << nBytes);
    m_state.times[operation].isLeapt = true;
    m_endpoint->Shorten(m_plan->GetProgram(m_rank).Get(operation).peer, connection, nBytes);
}

void
RankApplication::SendKept()
{
    const auto kept = std::move(m_kept);
    m_kept.clear();
    for (const RankEvent& event : kept)
    {
        SendLater(event);
    }
}

Time
RankApplication::GetTime() const
{
    return m_pacer ? m_pacer->GetTime() : Simulator::Now();
}

void
RankApplication::HandleFailure(uint32_t peer, const std::string& cause)
{
    NS_LOG_FUNCTION(this << m_rank << peer << cause);
    if (!m_state.record.failure.empty() || m_state.record.isDone)
    {
        return; // messages after the first one fail with it
    }
    std::ostringstream text;
    text << "rank " << m_rank << " cannot send to rank " << peer << ": " << cause << " at "
         << GetTime().As(Time::US);
    m_state.record.failure = text.str();
    m_state.record.failureTime = GetTime();
    StopApplication();
    m_failed(m_rank, peer, cause);
}

void
RankApplication::Proceed()
{
    // An endpoint may call back while it is told to send
    if (!m_isRunning || m_isProceeding)
    {
        return;
    }
    m_isProceeding = true;
    RankEvent event;
    while (m_isRunning && m_execution->Take(event))
    {
        Handle(event);
    }
    m_isProceeding = false;
    if (!m_state.record.isDone && m_execution->IsDone())
    {
        m_state.record.isDone = true;
        m_state.record.finish = GetTime();
        m_done(m_rank, m_state.record.finish);
    }
}

void
RankApplication::Handle(const RankEvent& event)
{
    const uint32_t operation = event.operation;
    RankOperationTimes& times = m_state.times[operation];
    switch (event.kind)
    {
    case RankEventKind::STARTED:
        times.start = GetTime();
        times.hasStarted = true;
        m_started(m_rank, operation);
        break;
    case RankEventKind::ENDED:
        times.end = GetTime();
        times.hasEnded = true;
        if (m_pacer)
        {
            m_pacer->NotifyEnd(m_rank, operation);
        }
        m_ended(m_rank, operation);
        break;
    case RankEventKind::COMPUTE:
        if (m_pacer)
        {
            m_pacer->Compute(m_rank, operation, NanoSeconds(event.amount));
            break;
        }
        m_computing[operation] = Simulator::Schedule(NanoSeconds(event.amount),
                                                     &RankApplication::EndCompute,
                                                     this,
                                                     operation);
        break;
    case RankEventKind::SEND:
        if (m_pacer && m_pacer->IsLeaping())
        {
            m_kept.push_back(event);
            break;
        }
        SendLater(event);
        break;
    }
}

void
RankApplication::SendLater(const RankEvent& event)
{
    Time wait = NanoSeconds(event.delay);
    if (event.post > 0)
    {
        m_posted = std::max(m_posted, Simulator::Now()) + NanoSeconds(event.post);
        wait += m_posted - Simulator::Now();
    }
    if (wait.IsZero())
    {
        Send(event);
        return;
    }
    Simulator::Schedule(wait, [self = Ptr<RankApplication>(this), event] {
        if (self->m_isRunning)
        {
            self->Send(event);
        }
    });
}

void
RankApplication::Send(const RankEvent& event)
{
    const Callback<void> done(
        [this, operation = event.operation, lane = event.lane, peer = event.peer] {
            EndSend(operation, lane, peer);
        });
    if (event.egress > 0)
    {
        m_endpoint
            ->SendBySwitch(event.peer, event.amount, event.egress, event.ingress, event.tag, done);
    }
    else
    {
        m_endpoint->Send(event.peer, event.amount, event.tag, done);
    }
}

} // namespace ns3::aidc

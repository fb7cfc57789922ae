// SPDX-License-Identifier: GPL-2.0-only

#include "roce-queue-pair.h"

#include "../core/require-argument.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceQueuePair");

RoceQueuePair::RoceQueuePair(const Adapter& adapter,
                             const RoceSettings& settings,
                             const RoceConnection& connection,
                             Ptr<CongestionControl> control,
                             const std::optional<RoceTimeout>& timeout)
    : RoceTurn(connection.trafficClass),
      m_port(adapter.port),
      m_settings(adapter.settings),
      m_record(adapter.record),
      m_connection(connection),
      m_flow(connection.GetFlow()),
      m_overhead(GetWireOverhead(*control)),
      m_requester(settings, connection.remoteQp, connection.firstPsn, m_overhead),
      m_responder(settings, connection.remoteQp, connection.remotePsn, adapter.regions),
      m_control(control),
      m_timeout(timeout),
      m_pace(connection.lineRate)
{
}

void
RoceQueuePair::SetError()
{
    if (!HasFailed())
    {
        NoteError();
        m_requester.Flush(m_completions);
        CancelTimer();
        Report();
    }
}

void
RoceQueuePair::Forget()
{
    NS_LOG_FUNCTION(this << m_connection.localQp);
    CancelTimer();
    m_isGone = true; // other events may still know it
}

// Work requests

void
RoceQueuePair::Post(const RoceWork& work)
{
    NS_LOG_FUNCTION(this << m_connection.localQp << work.id << work.nBytes);
    if (m_settings.messageDelay.IsZero())
    {
        Begin(work);
    }
    else
    {
        Simulator::Schedule(m_settings.messageDelay, &RoceQueuePair::Begin, this, work);
    }
}

void
RoceQueuePair::Begin(const RoceWork& work)
{
    if (m_isGone)
    {
        return;
    }
    if (m_requester.Post(work))
    {
        m_port.Activate(*this);
        return;
    }
    NS_LOG_LOGIC("queue pair " << m_connection.localQp << " has failed: request " << work.id
                               << " is flushed");
    m_completions.push_back({work.id, work.nBytes, work.operation, RoceStatus::FLUSHED});
    Report();
}

void
RoceQueuePair::Report()
{
    // What is called back may have more reported.
    while (!m_completions.empty() || !m_deliveries.empty())
    {
        const auto ended = std::exchange(m_completions, {});
        const auto arrived = std::exchange(m_deliveries, {});
        for (const auto& delivery : arrived)
        {
            if (!m_deliverySink.IsNull())
            {
                m_deliverySink(m_connection.localQp, delivery);
            }
        }
        for (const auto& completion : ended)
        {
            m_record.completion(m_connection.localQp, completion);
            if (!m_completionSink.IsNull())
            {
                m_completionSink(m_connection.localQp, completion);
            }
        }
    }
}

void
RoceQueuePair::NoteError()
{
    NS_LOG_LOGIC("queue pair " << m_connection.localQp << " has failed");
    ++m_record.counted.errors;
    m_record.state(m_connection.localQp, RoceQpState::ERROR);
}

// Packets of data

bool
RoceQueuePair::IsReady(Time now)
{
    if (!m_responder.HasReadResponse() && !m_requester.HasPacket(m_control->GetWindow(now)))
    {
        if (m_requester.GetInFlight() > 0 && m_requester.HasPacket(CongestionControl::NO_WINDOW))
        {
            m_blockedSince = std::min(m_blockedSince, ToNs(now));
        }
        return false;
    }
    m_waits.window += m_blockedSince == NEVER_DOUBLE ? 0 : ToNs(now) - m_blockedSince;
    m_blockedSince = NEVER_DOUBLE;
    return true;
}

RocePacket
RoceQueuePair::TakePacket(Time now, FrameContext& context)
{
    const bool wasOutstanding = m_requester.HasOutstanding();
    // Responses and requests take turns while there are both.
    const uint64_t window = m_control->GetWindow(now);
    m_isResponse =
        m_responder.HasReadResponse() && !(m_isResponse && m_requester.HasPacket(window));
    RoceRequester::Outgoing outgoing;
    if (m_isResponse)
    {
        outgoing.packet = m_responder.TakeReadResponse();
    }
    else
    {
        outgoing = m_requester.TakePacket(window);
        if (m_overhead != WIRE_OVERHEAD)
        {
            // Data collects telemetry, but not responses to reads, which nobody acknowledges.
            outgoing.packet.hasTelemetry = true;
            outgoing.packet.telemetry.fill(0);
        }
    }
    const RocePacket& packet = outgoing.packet;
    ++m_record.counted.sentPackets;
    m_record.counted.sentBytes += packet.payloadSize;
    if (outgoing.isRetransmission)
    {
        ++m_record.counted.retransmittedPackets;
        m_waits.retransmission +=
            8e9 * (packet.payloadSize + m_overhead) / static_cast<double>(m_connection.lineRate);
    }
    else if (packet.isAckRequested && packet.opcode != RoceOpcode::READ_REQUEST)
    {
        m_samples.Push({outgoing.sequence, now});
    }
    if (m_settings.signals)
    {
        PathSignals::Request request{m_connection.localQp, {}, outgoing.isRetransmission};
        if (!m_isResponse)
        {
            request.position = GetPsnPosition(packet.psn);
        }
        m_settings.signals->Tag(context, request);
    }
    if (!wasOutstanding)
    {
        RestartTimer();
    }
    return packet;
}

void
RoceQueuePair::EndWaits(double now)
{
    const RoceWaitTimes before = std::exchange(m_waitsBefore, GetWaitTimes());
    const auto note = [now](double waited, RoceLongestWait& longest) {
        if (waited > longest.length)
        {
            longest = {now - waited, waited};
        }
    };
    note(m_waitsBefore.pause - before.pause, m_longestWaits.pause);
    note(m_waitsBefore.rate - before.rate, m_longestWaits.rate);
    note(m_waitsBefore.window - before.window, m_longestWaits.window);
    note(m_waitsBefore.retransmission - before.retransmission, m_longestWaits.retransmission);
}

void
RoceQueuePair::NotifySent(Time now, uint32_t wireBytes)
{
    m_control->NotifySent(now, wireBytes);
    const uint64_t rate = m_control->GetRate(now);
    m_pace.NotifySent(ToNs(now), wireBytes, rate);
    EndWaits(ToNs(now));
    if (const auto answer = m_responder.TakeDeferred())
    {
        Send(*answer);
    }
    if (!m_record.rate.IsEmpty() && rate != m_lastRate)
    {
        m_lastRate = rate;
        m_record.rate(m_connection.localQp, rate);
    }
}

// Packets that arrive

void
RoceQueuePair::HandlePacket(const RoceArrival& arrival)
{
    const RocePacket& packet = arrival.packet;
    m_record.received(m_connection.localQp, packet);
    if (packet.opcode == RoceOpcode::CNP)
    {
        ++m_record.counted.receivedCnps;
        m_control->NotifyCnp(Simulator::Now());
        m_port.Activate(*this);
        return;
    }
    if (packet.opcode == RoceOpcode::ACKNOWLEDGE)
    {
        HandleAnswer(arrival);
        return;
    }
    ++m_record.counted.receivedPackets;
    m_record.counted.receivedBytes += packet.payloadSize;
    if (arrival.isMarked)
    {
        HandleMark();
    }
    if (m_settings.signals)
    {
        const std::size_t size =
            m_settings.signals->Reflect(arrival.context, m_reflection.data(), m_reflection.size());
        m_reflectionSize = size > 0 ? static_cast<uint8_t>(size) : m_reflectionSize;
    }
    if (packet.hasTelemetry)
    {
        HandleTelemetry(packet.telemetry, arrival.nHops);
    }
    if (GetRoceOpcodeInfo(packet.opcode).isResponse)
    {
        HandleAnswer(arrival);
    }
    else
    {
        HandleRequest(packet);
    }
}

void
RoceQueuePair::HandleMark()
{
    ++m_record.counted.ceReceived;
    m_hasSeenMark = true;
    if (m_settings.cnpInterval > 0 &&
        m_cnpGate.Pass(Simulator::Now().GetNanoSeconds(), m_settings.cnpInterval))
    {
        NS_LOG_LOGIC("queue pair " << m_connection.localQp << " notifies its peer of congestion");
        RocePacket cnp;
        cnp.opcode = RoceOpcode::CNP;
        cnp.becn = true;
        cnp.destinationQp = m_connection.remoteQp;
        ++m_record.counted.sentCnps;
        SendLater(cnp, m_settings.cnpDelay);
    }
}

void
RoceQueuePair::HandleTelemetry(const IntBytes& telemetry, uint32_t nHops)
{
    m_telemetry = telemetry;
    const uint32_t nWritten = GetIntHopCount(telemetry);
    if (nWritten > INT_MAX_HOPS)
    {
        ++m_record.counted.overfullTelemetry;
        WarnOnce("RoceNic: a packet has passed " + std::to_string(nWritten) +
                 " ports with in-band telemetry, and its header has room for " +
                 std::to_string(INT_MAX_HOPS) + ": HpccControl does not use it");
    }
    else if (nWritten < nHops)
    {
        ++m_record.counted.incompleteTelemetry;
        WarnOnce("RoceNic: " + std::to_string(nWritten) + " of the " + std::to_string(nHops) +
                 " routers on the way of a packet have written in-band telemetry; HpccControl "
                 "does not see the others' links (IntHelper installs it)");
    }
}

void
RoceQueuePair::HandleAnswer(const RoceArrival& arrival)
{
    const RocePacket& packet = arrival.packet;
    const Time now = Simulator::Now();
    const bool isAcknowledgment = packet.opcode == RoceOpcode::ACKNOWLEDGE;
    if (isAcknowledgment)
    {
        const auto kind = GetRoceSyndrome(packet.syndrome);
        ++(kind == RoceSyndrome::NAK   ? m_record.counted.receivedNaks
           : kind == RoceSyndrome::RNR ? m_record.counted.receivedRnrNaks
                                       : m_record.counted.receivedAcks);
        ReadSignal(packet, now);
    }
    const bool hadFailed = HasFailed();
    const auto progress = isAcknowledgment ? m_requester.HandleAcknowledgment(packet, m_completions)
                                           : m_requester.HandleReadResponse(packet, m_completions);
    m_record.counted.ignoredAnswers += progress.isValid ? 0 : 1;
    if (progress.nPackets > 0)
    {
        NotifyProgress(progress, arrival, now);
    }
    if (isAcknowledgment && packet.hasTelemetry && progress.isValid)
    {
        m_control->NotifyTelemetry(now,
                                   {DecodeIntHeader(packet.telemetry),
                                    m_requester.GetUnacknowledged(),
                                    m_requester.GetNext()});
    }
    if (HasFailed() && !hadFailed)
    {
        NoteError();
    }
    else if (progress.isLoss)
    {
        NS_LOG_LOGIC("queue pair " << m_connection.localQp << " sends again from PSN "
                                   << packet.psn);
        m_record.retransmission(m_connection.localQp, packet.psn, false);
        m_samples.Clear();
        m_control->NotifyLoss(now, false);
    }
    if (!progress.isReceiverReady)
    {
        m_samples.Clear();
        Simulator::Schedule(MicroSeconds(GetRnrTimerMicroseconds(progress.waitCode)),
                            &RoceQueuePair::Resume,
                            this);
    }
    else if (progress.nPackets > 0 || (progress.isLoss && !progress.wasRecovering))
    {
        // More losses do not put off the time of a repeat that was lost.
        RestartTimer();
    }
    m_port.Activate(*this);
    Report();
}

void
RoceQueuePair::ReadSignal(const RocePacket& packet, Time now)
{
    if (!m_settings.signals)
    {
        return;
    }
    PathSignals::Answer answer;
    answer.flow = m_connection.localQp;
    // A negative one has the number of the packet that the receiver waits for.
    const bool isPositive = GetRoceSyndrome(packet.syndrome) == RoceSyndrome::ACK;
    answer.acknowledged = GetPsnPosition(packet.psn - (isPositive ? 0 : 1));
    if (const auto reading =
            m_settings.signals->Read(answer, packet.reflection.data(), packet.reflectionSize))
    {
        m_control->NotifySignal(now, *reading);
    }
}

void
RoceQueuePair::NotifyProgress(const RoceRequester::Progress& progress,
                              const RoceArrival& arrival,
                              Time now)
{
    CongestionControl::Acknowledgment acknowledgment;
    while (!m_samples.IsEmpty() && m_samples[0].sequence < m_requester.GetUnacknowledged())
    {
        acknowledgment.rtt = now - m_samples[0].sent;
        m_samples.Pop();
    }
    if (m_timeout)
    {
        if (acknowledgment.rtt.IsStrictlyPositive())
        {
            m_timeout->NotifyRtt(acknowledgment.rtt.GetNanoSeconds());
        }
        m_timeout->NotifyProgress(m_requester.GetUnacknowledged());
    }
    acknowledgment.endpointDelay = m_settings.ackDelay;
    acknowledgment.nPackets = static_cast<uint32_t>(progress.nPackets);
    acknowledgment.nBytes = progress.nBytes;
    acknowledgment.isMarked = arrival.packet.becn;
    acknowledgment.nHops = arrival.nHops;
    acknowledgment.nInFlight = m_requester.GetInFlight();
    m_control->NotifyAcknowledgment(now, acknowledgment);
}

void
RoceQueuePair::Resume()
{
    if (!m_isGone)
    {
        m_requester.Resume();
        m_port.Activate(*this);
    }
}

void
RoceQueuePair::HandleRequest(const RocePacket& packet)
{
    if (HasFailed())
    {
        ++m_record.counted.failedQueuePairs;
        return;
    }
    const uint64_t duplicates = m_responder.GetDuplicates();
    if (const auto answer = m_responder.HandleRequest(packet, m_deliveries))
    {
        SendLater(*answer, m_settings.ackDelay);
    }
    m_record.counted.duplicatePackets += m_responder.GetDuplicates() - duplicates;
    if (m_responder.HasFailed())
    {
        // InfiniBand, section 10.3.1.5: the queue pair as a whole is in the error state.
        NoteError();
        m_requester.Flush(m_completions);
    }
    if (m_responder.HasReadResponse())
    {
        m_port.Activate(*this);
    }
    Report();
}

// Answers and notifications

void
RoceQueuePair::SendLater(const RocePacket& packet, Time delay)
{
    if (delay.IsZero())
    {
        Send(packet);
        return;
    }
    Simulator::Schedule(delay, [this, packet] {
        if (!m_isGone)
        {
            Send(packet);
        }
    });
}

void
RoceQueuePair::Send(RocePacket packet)
{
    if (packet.opcode != RoceOpcode::CNP)
    {
        const auto kind = GetRoceSyndrome(packet.syndrome);
        ++(kind == RoceSyndrome::NAK   ? m_record.counted.sentNaks
           : kind == RoceSyndrome::RNR ? m_record.counted.sentRnrNaks
                                       : m_record.counted.sentAcks);
        packet.becn = m_hasSeenMark && m_control->WantsEcnEcho();
        packet.reflection = m_reflection;
        packet.reflectionSize = m_reflectionSize;
        m_hasSeenMark = false;
        m_reflectionSize = 0;
        if (m_telemetry)
        {
            packet.hasTelemetry = true;
            packet.telemetry = *std::exchange(m_telemetry, std::nullopt);
        }
    }
    m_port.SendControl(*this, packet);
}

// The retransmission timer

void
RoceQueuePair::RestartTimer()
{
    if (!m_timeout || !m_requester.HasOutstanding())
    {
        return;
    }
    m_since = Simulator::Now().GetTimeStep();
    m_hasProbed = false;
    const int64_t deadline = GetDeadline();
    if (m_due <= deadline)
    {
        return; // the event looks again
    }
    if (m_due < NEVER)
    {
        m_event.Cancel();
    }
    ScheduleTimer(deadline);
}

void
RoceQueuePair::CancelTimer()
{
    m_event.Cancel();
    m_due = NEVER;
}

int64_t
RoceQueuePair::GetDeadline() const
{
    const uint64_t nPackets = m_requester.GetPacketsInFlight();
    const int64_t probe = m_hasProbed ? 0 : m_timeout->GetProbe(nPackets);
    return m_since + NanoSeconds(probe > 0 ? probe : m_timeout->Get(nPackets)).GetTimeStep();
}

void
RoceQueuePair::ScheduleTimer(int64_t deadline)
{
    m_due = deadline;
    m_event = Simulator::Schedule(TimeStep(deadline) - Simulator::Now(),
                                  &RoceQueuePair::CheckTimer,
                                  this);
}

void
RoceQueuePair::CheckTimer()
{
    m_due = NEVER;
    if (!m_requester.HasOutstanding())
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    if (const int64_t deadline = GetDeadline(); deadline > now)
    {
        ScheduleTimer(deadline);
        return;
    }
    if (!m_hasProbed && m_timeout->GetProbe(m_requester.GetPacketsInFlight()) > 0)
    {
        m_hasProbed = true;
        ScheduleTimer(GetDeadline());
        ++m_record.counted.probes;
        m_requester.HandleProbe();
        m_port.Activate(*this);
        return;
    }
    m_timeout->NotifyTimeout(m_requester.GetNext());
    HandleTimeout(TimeStep(now - m_since));
}

void
RoceQueuePair::HandleTimeout(Time waited)
{
    NS_LOG_LOGIC("queue pair " << m_connection.localQp << " gets no answer for " << waited);
    ++m_record.counted.timeouts;
    m_waits.retransmission += ToNs(waited);
    m_record.retransmission(m_connection.localQp,
                            static_cast<uint32_t>(m_requester.GetUnacknowledged() & PSN_MASK),
                            true);
    m_requester.HandleTimeout(m_completions);
    m_samples.Clear();
    if (HasFailed())
    {
        NoteError();
    }
    else
    {
        m_control->NotifyLoss(Simulator::Now(), true);
        RestartTimer();
    }
    m_port.Activate(*this);
    Report();
}

const RoceQueuePairTable::Entry&
RoceQueuePairTable::GetEntry(uint32_t qp) const
{
    AIDC_REFUSED_UNLESS(qp >= FIRST_QP && qp - FIRST_QP < m_entries.size(),
                        "RoceNic: there is no queue pair " << qp);
    return m_entries[qp - FIRST_QP];
}

RoceQueuePairTable::Entry&
RoceQueuePairTable::GetUnconnected(uint32_t qp)
{
    AIDC_REFUSED_IF(GetEntry(qp).pair, "RoceNic: queue pair " << qp << " is connected already");
    return m_entries[qp - FIRST_QP];
}

RoceQueuePair&
RoceQueuePairTable::Get(uint32_t qp) const
{
    RoceQueuePair* pair = Find(qp);
    AIDC_REFUSED_UNLESS(pair, "RoceNic: there is no queue pair " << qp << " that is connected");
    return *pair;
}

std::vector<uint32_t>
RoceQueuePairTable::Forget()
{
    std::vector<uint32_t> numbers;
    for (auto& entry : m_entries)
    {
        if (entry.pair)
        {
            numbers.push_back(entry.pair->GetConnection().localQp);
            entry.pair->Forget();
            m_former.push_back(std::move(entry.pair));
        }
    }
    return numbers;
}

void
RoceQueuePairTable::Clear()
{
    m_flush.Cancel();
    m_arrivals.clear();
    m_before.clear();
    m_entries.clear();
    m_former.clear();
}

// Arrivals

void
RoceQueuePairTable::Take(const RoceArrival& arrival)
{
    if (!m_isOrdered)
    {
        Deliver(arrival);
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    if (!m_arrivals.empty() && m_time != now)
    {
        // The packets of the last time step are about to be delivered in this one
        m_before.swap(m_arrivals);
    }
    if (m_arrivals.empty())
    {
        m_time = now;
        m_flush.Schedule(m_node, TimeStep(1));
    }
    m_arrivals.push_back(arrival);
}

void
RoceQueuePairTable::Flush()
{
    std::vector<RoceArrival> arrivals;
    arrivals.swap(m_before.empty() ? m_arrivals : m_before);
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) {
        return a.port < b.port;
    });
    for (const auto& arrival : arrivals)
    {
        Deliver(arrival);
    }
}

void
RoceQueuePairTable::Deliver(const RoceArrival& arrival) const
{
    RoceQueuePair* const pair = Find(arrival.packet.destinationQp);
    if (!pair || arrival.source != pair->GetConnection().remoteAddress)
    {
        NS_LOG_LOGIC("drops a packet for queue pair " << arrival.packet.destinationQp);
        ++m_record.counted.unknownQueuePairs;
        return;
    }
    pair->HandlePacket(arrival);
}

} // namespace ns3::aidc

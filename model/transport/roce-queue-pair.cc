/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-queue-pair.h"

#include "ns3/protocol-numbers.h"
#include "ns3/roce-datagram.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

namespace
{

} // namespace

RoceQueuePair::RoceQueuePair(const RoceSettings& settings,
                             const RoceConnection& fixed,
                             Ptr<CongestionControl> rateControl,
                             const RoceMemoryRegions& regions)
    : connection(fixed),
      requester(settings, fixed.remoteQp, fixed.firstPsn, WIRE_OVERHEAD),
      responder(settings, fixed.remoteQp, fixed.remotePsn, regions),
      control(rateControl)
{
    flow.source = fixed.localAddress;
    flow.destination = fixed.remoteAddress;
    flow.sourcePort = GetRoceSourcePort(fixed.localQp, fixed.remoteQp);
    flow.destinationPort = ROCE_UDP_PORT;
    flow.protocol = PROTOCOL_UDP;
}

bool
RoceQueuePair::HasPacket(Time now)
{
    return responder.HasReadResponse() || requester.HasPacket(control->GetWindow(now));
}

RoceRequester::Outgoing
RoceQueuePair::TakePacket(Time now, RoceNicStatistics& statistics)
{
    // Responses and requests take turns while there are both.
    const uint64_t window = control->GetWindow(now);
    const bool hasRequest = requester.HasPacket(window);
    m_isResponse = responder.HasReadResponse() && !(m_isResponse && hasRequest);
    ++statistics.sentPackets;
    if (m_isResponse)
    {
        RoceRequester::Outgoing response;
        response.packet = responder.TakeReadResponse();
        statistics.sentBytes += response.packet.payloadSize;
        return response;
    }
    const auto outgoing = requester.TakePacket(window);
    statistics.sentBytes += outgoing.packet.payloadSize;
    if (outgoing.isRetransmission)
    {
        ++statistics.retransmittedPackets;
        waits.retransmission += 8e9 * (outgoing.packet.payloadSize + WIRE_OVERHEAD) /
                                static_cast<double>(connection.lineRate);
    }
    else if (outgoing.packet.isAckRequested && outgoing.packet.opcode != RoceOpcode::READ_REQUEST)
    {
        m_samples.Push({outgoing.sequence, now});
    }
    return outgoing;
}

double
RoceQueuePair::Pace(Time now, uint32_t wireBytes)
{
    control->NotifySent(now, wireBytes);
    const uint64_t rate = control->GetRate(now);
    const auto start = static_cast<double>(now.GetNanoSeconds());
    if (rate >= connection.lineRate)
    {
        nextTime = start;
        return nextTime;
    }
    const double bits = 8e9 * wireBytes;
    const double gap = bits / static_cast<double>(rate);
    // What was held up by others on the port is made up for, by one packet at most.
    nextTime = std::max(nextTime, start - gap) + gap;
    waits.rate += std::max(0.0, nextTime - start - bits / static_cast<double>(connection.lineRate));
    return nextTime;
}

Time
RoceQueuePair::TakeRtt(Time now)
{
    Time rtt;
    while (!m_samples.IsEmpty() && m_samples[0].sequence < requester.GetUnacknowledged())
    {
        rtt = now - m_samples[0].sent;
        m_samples.Pop();
    }
    return rtt;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-telemetry-echo.h"

#include "ns3/warning.h"

#include <string>

namespace ns3::aidc
{

void
RoceTelemetryEcho::Note(const RocePacket& packet, uint32_t nHops, RoceNicStatistics& counted)
{
    m_newest = packet.telemetry;
    const uint32_t nWritten = GetIntHopCount(packet.telemetry);
    if (nWritten > INT_MAX_HOPS)
    {
        ++counted.overfullTelemetry;
        WarnOnce("RoceNic: a packet has passed " + std::to_string(nWritten) +
                 " ports with in-band telemetry, and its header has room for " +
                 std::to_string(INT_MAX_HOPS) + ": HpccControl does not use it");
    }
    else if (nWritten < nHops)
    {
        ++counted.incompleteTelemetry;
        WarnOnce("RoceNic: " + std::to_string(nWritten) + " of the " + std::to_string(nHops) +
                 " routers on the way of a packet have written in-band telemetry; HpccControl "
                 "does not see the others' links (IntHelper installs it)");
    }
}

void
RoceTelemetryEcho::Give(RocePacket& answer)
{
    if (m_newest)
    {
        answer.hasTelemetry = true;
        answer.telemetry = *m_newest;
        m_newest.reset();
    }
}

CongestionControl::Telemetry
RoceTelemetryEcho::Read(const RocePacket& answer, const RoceRequester& requester)
{
    CongestionControl::Telemetry telemetry;
    telemetry.header = DecodeIntHeader(answer.telemetry);
    telemetry.acknowledged = requester.GetUnacknowledged();
    telemetry.next = requester.GetNext();
    return telemetry;
}

} // namespace ns3::aidc

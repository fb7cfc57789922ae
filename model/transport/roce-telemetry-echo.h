/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_TELEMETRY_ECHO_H
#define AIDC_ROCE_TELEMETRY_ECHO_H

#include "../core/transport/int-header.h"
#include "../core/transport/roce-requester.h"
#include "congestion-control.h"
#include "roce-nic-statistics.h"

#include "ns3/roce-packet.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/**
 * @brief In-band telemetry at a queue pair: has data collect it, gives it to the next
 *        acknowledgment, and reads it there.
 *
 * It counts telemetry that does not tell of the whole path, and warns of it.
 */
class RoceTelemetryEcho
{
  public:
    /// Give telemetry that is still empty to a packet of data. Responses to reads get none, as
    /// nobody acknowledges them.
    /// @param [in,out] packet its headers
    /// @param hasTelemetry whether it is to collect telemetry
    static void Begin(RocePacket& packet, bool hasTelemetry)
    {
        if (hasTelemetry)
        {
            packet.hasTelemetry = true;
            packet.telemetry.fill(0);
        }
    }

    /// Note a packet of data. packet: its headers; nHops: the routers that it has passed;
    /// counted: the adapter's statistics.
    void NotifyArrival(const RocePacket& packet, uint32_t nHops, RoceNicStatistics& counted)
    {
        if (packet.hasTelemetry)
        {
            Note(packet, nHops, counted);
        }
    }

    /// Give the newest telemetry to an acknowledgment, unless one before has it.
    /// @param [in,out] answer its headers
    void Give(RocePacket& answer);

    /// Read the telemetry of an acknowledgment. answer: its headers; requester: the requester,
    /// which has handled it.
    static CongestionControl::Telemetry Read(const RocePacket& answer,
                                             const RoceRequester& requester);

  private:
    /// Note a packet of data with telemetry. counted: the adapter's statistics.
    void Note(const RocePacket& packet, uint32_t nHops, RoceNicStatistics& counted);

    std::optional<IntBytes> m_newest; //!< the newest telemetry, none if it has been given
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TELEMETRY_ECHO_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCongestionControl");

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CongestionControl")
                            .SetParent<Object>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CongestionControl>();
    return tid;
}

void
CongestionControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate << connection.packetSize);
    m_connection = connection;
}

void
CongestionControl::NotifySent(Time, uint32_t)
{
}

void
CongestionControl::NotifyAcknowledgment(Time, const Acknowledgment&)
{
}

void
CongestionControl::NotifyCnp(Time)
{
}

void
CongestionControl::NotifySignal(Time, const CsigReading&)
{
}

void
CongestionControl::NotifyTelemetry(Time, const Telemetry&)
{
}

void
CongestionControl::NotifyLoss(Time, bool)
{
}

bool
CongestionControl::WantsEcnEcho() const
{
    return false;
}

bool
CongestionControl::WantsTelemetry() const
{
    return false;
}

uint64_t
CongestionControl::GetRate(Time)
{
    return m_connection.lineRate;
}

Time
CongestionControl::GetNextChange() const
{
    return Time::Max();
}

uint64_t
CongestionControl::GetWindow(Time)
{
    return NO_WINDOW;
}

} // namespace ns3::aidc

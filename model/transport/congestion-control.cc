/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include "ns3/log.h"

#include <algorithm>

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
    m_rate = connection.lineRate;
    m_window = NO_WINDOW;
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
    return m_rate;
}

Time
CongestionControl::GetNextChange() const
{
    return Time::Max();
}

uint64_t
CongestionControl::GetWindow(Time)
{
    return m_window;
}

void
CongestionControl::SetPacedWindow(double window, int64_t rtt)
{
    const auto rate = static_cast<uint64_t>(window * 8e9 / static_cast<double>(rtt));
    m_rate = std::clamp<uint64_t>(rate, 1, m_connection.lineRate);
    m_window = m_connection.packetSize + static_cast<uint64_t>(window);
}

} // namespace ns3::aidc

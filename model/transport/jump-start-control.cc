/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "jump-start-control.h"

#include "ns3/boolean.h"
#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcJumpStartControl");

NS_OBJECT_ENSURE_REGISTERED(JumpStartControl);

TypeId
JumpStartControl::GetTypeId()
{
    using C = JumpStartControl;
    static TypeId tid =
        TypeId("ns3::aidc::JumpStartControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddAttribute("JumpStart",
                          "Whether the first min(ABW) of CSIG raises the window to what the path "
                          "has left.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_hasJumpStart),
                          MakeBooleanChecker())
            .AddAttribute("JumpStartIdleTime",
                          "With JumpStart, the time without a packet after which a connection "
                          "begins anew, with InitialWindow and another jump; 0 for never.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&C::m_jumpStartIdleTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
JumpStartControl::Start(Time now, const Connection& connection)
{
    CongestionControl::Start(now, connection);
    m_jumpStart.Start(m_hasJumpStart, m_jumpStartIdleTime.GetNanoSeconds());
}

void
JumpStartControl::NotifySent(Time now, uint32_t)
{
    if (m_jumpStart.WatchesIdleTime() && m_jumpStart.NotifySent(now.GetNanoSeconds()))
    {
        NS_LOG_LOGIC("begins anew after an idle time");
        BeginAnew();
    }
}

double
JumpStartControl::Jump(const CsigReading& reading, int64_t baseRtt)
{
    return m_jumpStart.NotifyAvailable(reading.range.low, GetConnection().lineRate, baseRtt);
}

} // namespace ns3::aidc

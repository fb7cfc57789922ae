// SPDX-License-Identifier: GPL-2.0-only

#include "congestion-control.h"

#include "ns3/boolean.h"
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
CongestionControl::SetPacedWindow(double window, int64_t rtt)
{
    const auto rate = static_cast<uint64_t>(window * 8e9 / static_cast<double>(rtt));
    m_rate = std::clamp<uint64_t>(rate, 1, m_connection.lineRate);
    m_window = m_connection.packetSize + static_cast<uint64_t>(window);
}

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

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-window-control.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFixedWindowControl");

NS_OBJECT_ENSURE_REGISTERED(FixedWindowControl);

TypeId
FixedWindowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::FixedWindowControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<FixedWindowControl>()
            .AddAttribute("Window",
                          "Bytes on the wire that may be in flight; 0 is what the line sends in "
                          "the idle round-trip time, or no limit if that is not known.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedWindowControl::m_size),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
FixedWindowControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    if (m_size > 0)
    {
        SetWindow(m_size);
    }
    else if (connection.baseRtt.IsStrictlyPositive())
    {
        const auto baseRtt = static_cast<double>(connection.baseRtt.GetNanoSeconds());
        SetWindow(static_cast<uint64_t>(static_cast<double>(connection.lineRate) * baseRtt / 8e9));
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-window-control.h"

#include "../attribute-accessors.h"

#include "ns3/double.h"
#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEcnWindowControl");

NS_OBJECT_ENSURE_REGISTERED(EcnWindowControl);

TypeId
EcnWindowControl::GetTypeId()
{
    using C = EcnWindowControl;
    using S = EcnWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::EcnWindowControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<EcnWindowControl>()
            .AddAttribute("EwmaGain",
                          "g, the gain of alpha, a share. Default of RFC 8257.",
                          DoubleValue(S().gain),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha, a share, at the beginning. Default of RFC 8257.",
                          DoubleValue(S().initialAlpha),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialWindow",
                          "Window in packets at the beginning. Default of RFC 6928.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&C::m_initialWindow),
                          MakeDoubleChecker<double>(1, 1e9))
            .AddAttribute("MinWindow",
                          "Least window in packets. Default of FlooredDctcp.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&C::m_minWindow),
                          MakeDoubleChecker<double>(1, 1e9));
    return tid;
}

void
EcnWindowControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    EcnWindow::Settings settings = m_settings;
    settings.packetSize = connection.packetSize;
    settings.initialWindow = m_initialWindow * connection.packetSize;
    settings.minWindow = m_minWindow * connection.packetSize;
    m_law.Start(settings);
    SetWindow(static_cast<uint64_t>(m_law.GetWindow()));
}

void
EcnWindowControl::NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment)
{
    m_law.NotifyAcknowledgment(
        {acknowledgment.nBytes, acknowledgment.nInFlight, acknowledgment.isMarked});
    SetWindow(static_cast<uint64_t>(m_law.GetWindow()));
}

void
EcnWindowControl::NotifyLoss(Time, bool isTimeout)
{
    NS_LOG_LOGIC("loss at a window of " << m_law.GetWindow() << " bytes"
                                        << (isTimeout ? ", timeout" : ""));
    m_law.NotifyLoss(isTimeout);
    SetWindow(static_cast<uint64_t>(m_law.GetWindow()));
}

bool
EcnWindowControl::WantsEcnEcho() const
{
    return true;
}

} // namespace ns3::aidc

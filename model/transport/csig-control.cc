/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-control.h"

#include "../attribute-accessors.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigControl");

NS_OBJECT_ENSURE_REGISTERED(CsigControl);

namespace
{

/// N of the paper's W_AI, how many flows share a link.
constexpr double MANY_FLOWS = 50;

} // namespace

TypeId
CsigControl::GetTypeId()
{
    using C = CsigControl;
    using S = UtilizationWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::CsigControl")
            .SetParent<JumpStartControl>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigControl>()
            .AddAttribute("Eta",
                          "The share of the busiest link's rate that is wanted. Default of HPCC's "
                          "paper.",
                          DoubleValue(S().eta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Number of additive steps before one by utilization. Default of "
                          "HPCC's paper.",
                          UintegerValue(S().maxStage),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "W_AI in bytes; 0 is the line's bandwidth-delay product times "
                          "(1 - Eta) / N (HPCC's paper) with N = 50 (our choice).",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::additiveIncrease),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of HPCC's simulator.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&C::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("UseQueueDelay",
                          "Whether max(nQD) or max(PD), where there are such signals, add to the "
                          "utilization, as the queue does in HPCC's paper.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_usesQueueDelay),
                          MakeBooleanChecker())
            .AddAttribute("InitialWindow",
                          "Window in packets at the beginning; 0 is the line's bandwidth-delay "
                          "product (HPCC's paper), or 10 packets with JumpStart (our choice).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&C::m_initialWindow),
                          MakeDoubleChecker<double>(0, 1e9));
    return tid;
}

void
CsigControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    JumpStartControl::Start(now, connection);
    m_queueDelay = 0;
    m_lastQueueDelay = 0;
    m_baseRtt = 0;
    if (connection.baseRtt.IsStrictlyPositive())
    {
        Begin(connection.baseRtt.GetNanoSeconds());
    }
}

void
CsigControl::Begin(int64_t baseRtt)
{
    const auto& connection = GetConnection();
    m_baseRtt = baseRtt;
    m_rtt = baseRtt;
    UtilizationWindow::Line line;
    line.rate = static_cast<double>(connection.lineRate);
    line.minRate = static_cast<double>(m_minRate.GetBitRate());
    line.baseRtt = baseRtt;
    line.nFlows = MANY_FLOWS;
    const auto settings = UtilizationWindow::Derive(m_settings, line);
    m_firstWindow = m_initialWindow * connection.packetSize;
    if (m_initialWindow == 0)
    {
        m_firstWindow = HasJumpStart() ? FEW_PACKETS * connection.packetSize : settings.maxWindow;
    }
    m_utilization.Start(settings, m_firstWindow);
    SetPacedWindow(m_utilization.GetWindow(), m_baseRtt);
}

void
CsigControl::BeginAnew()
{
    if (m_baseRtt > 0)
    {
        m_utilization.Lower(m_firstWindow);
        SetPacedWindow(m_utilization.GetWindow(), m_baseRtt);
    }
}

void
CsigControl::NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment)
{
    const auto rtt = acknowledgment.rtt.GetNanoSeconds();
    if (rtt > 0 && m_baseRtt == 0)
    {
        Begin(rtt);
    }
    else if (rtt > 0)
    {
        m_rtt = rtt;
    }
}

void
CsigControl::NotifySignal(Time now, const CsigReading& reading)
{
    if (m_baseRtt == 0)
    {
        return;
    }
    switch (reading.signal)
    {
    case CsigSignal::ABW:
        m_utilization.Raise(Jump(reading, m_baseRtt));
        break;
    case CsigSignal::ABW_RATIO: {
        const double available = std::min(1.0, static_cast<double>(reading.GetValue()) / 1e6);
        const double queue = m_queueDelay / static_cast<double>(m_baseRtt);
        m_utilization.NotifyUtilization(now.GetNanoSeconds(), 1 - available + queue, m_rtt);
        break;
    }
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH:
        if (m_usesQueueDelay)
        {
            const auto delay = static_cast<double>(reading.range.low);
            m_queueDelay = std::min(m_lastQueueDelay, delay);
            m_lastQueueDelay = delay;
        }
        return;
    }
    SetPacedWindow(m_utilization.GetWindow(), m_baseRtt);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-control.h"

#include "../attribute-accessors.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcHpccControl");

NS_OBJECT_ENSURE_REGISTERED(HpccControl);

namespace
{

/// N of the paper's W_AI for CSIG, how many flows share a link.
constexpr double MANY_FLOWS = 50;

} // namespace

TypeId
HpccControl::GetTypeId()
{
    using C = HpccControl;
    using S = UtilizationWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::HpccControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<HpccControl>()
            .AddAttribute("Eta",
                          "The share of the busiest link's rate that is wanted. Default of the "
                          "paper.",
                          DoubleValue(S().eta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Number of additive steps before one by utilization. Default of the "
                          "paper; the authors' simulator is configured with 0.",
                          UintegerValue(S().maxStage),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "W_AI in bytes; 0 is the line's bandwidth-delay product times "
                          "(1 - Eta) / Flows (the paper).",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::additiveIncrease),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Flows",
                          "N of the paper, the number of flows that are expected to share a link; "
                          "of effect where AdditiveIncrease is 0. The default is our choice.",
                          UintegerValue(50),
                          MakeUintegerAccessor(&C::m_nFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of the authors' configuration.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&C::m_minRate),
                          MakeDataRateChecker());
    return tid;
}

void
HpccControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    m_baseRtt = 0;
    m_counts = {};
    if (connection.baseRtt.IsStrictlyPositive())
    {
        Begin(connection.baseRtt.GetNanoSeconds());
    }
}

void
HpccControl::Begin(int64_t baseRtt)
{
    m_baseRtt = baseRtt;
    const auto lineRate = GetConnection().lineRate;
    m_hpcc.Start(
        UtilizationWindow::Derive(m_settings, lineRate, m_minRate.GetBitRate(), baseRtt, m_nFlows));
    SetPacedWindow(m_hpcc.GetWindows().GetWindow(), m_baseRtt);
}

void
HpccControl::NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment)
{
    if (m_baseRtt == 0 && acknowledgment.rtt.IsStrictlyPositive())
    {
        Begin(acknowledgment.rtt.GetNanoSeconds());
    }
}

void
HpccControl::NotifyTelemetry(Time now, const Telemetry& telemetry)
{
    if (m_baseRtt == 0)
    {
        return;
    }
    const auto outcome = m_hpcc.NotifyReport(
        {now.GetNanoSeconds(), telemetry.acknowledged, telemetry.next, telemetry.header});
    ++m_counts[static_cast<std::size_t>(outcome)];
    NS_LOG_LOGIC("outcome " << static_cast<int>(outcome) << ", W "
                            << m_hpcc.GetWindows().GetWindow());
    SetPacedWindow(m_hpcc.GetWindows().GetWindow(), m_baseRtt);
}

bool
HpccControl::WantsTelemetry() const
{
    return true;
}

NS_OBJECT_ENSURE_REGISTERED(CsigControl);

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
    const auto settings = UtilizationWindow::Derive(m_settings,
                                                    connection.lineRate,
                                                    m_minRate.GetBitRate(),
                                                    baseRtt,
                                                    MANY_FLOWS);
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

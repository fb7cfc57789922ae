/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-control.h"

#include "../attribute-accessors.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcHpccControl");

NS_OBJECT_ENSURE_REGISTERED(HpccControl);

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
    UtilizationWindow::Line line;
    line.rate = static_cast<double>(GetConnection().lineRate);
    line.minRate = static_cast<double>(m_minRate.GetBitRate());
    line.baseRtt = baseRtt;
    line.nFlows = m_nFlows;
    m_hpcc.Start(UtilizationWindow::Derive(m_settings, line));
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
    HpccWindow::Report report;
    report.now = now.GetNanoSeconds();
    report.acknowledged = telemetry.acknowledged;
    report.next = telemetry.next;
    report.header = telemetry.header;
    const auto outcome = m_hpcc.NotifyReport(report);
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

} // namespace ns3::aidc

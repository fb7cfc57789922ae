/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timely-control.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTimelyControl");

NS_OBJECT_ENSURE_REGISTERED(TimelyControl);

namespace
{

/// What 0 stands for in attributes of rates, as parts of the line rate. Delta is 10 Mbit/s at 10
/// Gbit/s (the paper), the hyper step five times that (the simulator of HPCC's authors).
constexpr double ADD_STEP = 1.0 / 1000;
constexpr double HYPER_STEP = 1.0 / 200; //!< likewise

} // namespace

TypeId
TimelyControl::GetTypeId()
{
    using C = TimelyControl;
    using S = TimelyRate::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::TimelyControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<TimelyControl>()
            .AddAttribute(
                "Variant",
                "The rules: Paper, of SIGCOMM 2015, or Hpcc, of the simulator of HPCC's "
                "authors.",
                EnumValue(TimelyRate::PAPER),
                MakeSettingsAccessor<EnumValueOf<TimelyRate::Variant>>(&C::m_settings, &S::variant),
                MakeEnumChecker(TimelyRate::PAPER, "Paper", TimelyRate::HPCC, "Hpcc"))
            .AddAttribute("TLow",
                          "T_low, up to T_high: below this round-trip time the rate always grows. "
                          "Default of the paper.",
                          TimeValue(NanoSeconds(S().tLow)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::tLow),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("THigh",
                          "T_high: above this round-trip time the rate always shrinks. Default of "
                          "the paper.",
                          TimeValue(NanoSeconds(S().tHigh)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::tHigh),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MinRtt",
                          "The round-trip time that gradients are relative to. Default of the "
                          "paper.",
                          TimeValue(NanoSeconds(S().minRtt)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::minRtt),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Alpha",
                          "Weight of the newest difference of round-trip times, a share. Default "
                          "of the paper.",
                          DoubleValue(S().alpha),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::alpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "The share of a decrease. Default of the paper.",
                          DoubleValue(S().beta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AdditiveIncrease",
                          "Delta; 0 is 1/1000 of the line rate (the paper's 10 Mbit/s at 10 "
                          "Gbit/s).",
                          DataRateValue(DataRate(0)),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::addStep),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "In place of delta from the sixth increase in a row on, of variant Hpcc "
                          "only; 0 is 1/200 of the line rate (five times delta, as there).",
                          DataRateValue(DataRate(0)),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::hyperStep),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of HPCC's configuration.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::minRate),
                          MakeDataRateChecker())
            .AddAttribute("InitialRate",
                          "The first rate; 0 is the line rate (the simulator of HPCC's authors). "
                          "The paper divides the line by the flows of the host.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&C::m_initialRate),
                          MakeDataRateChecker())
            .AddAttribute("SegmentSize",
                          "Bytes on the wire from one completion to the next, of variant Paper "
                          "only; the paper has 16 to 64 KB.",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&C::m_segmentSize),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

void
TimelyControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    AIDC_REFUSED_IF(m_settings.tLow > m_settings.tHigh,
                    "TimelyControl: TLow " << NanoSeconds(m_settings.tLow).As(Time::US)
                                           << " is above THigh "
                                           << NanoSeconds(m_settings.tHigh).As(Time::US));
    const auto line = static_cast<double>(connection.lineRate);
    TimelyRate::Settings settings = m_settings;
    const auto derive = [](double& field, double value) { field = field > 0 ? field : value; };
    derive(settings.addStep, ADD_STEP * line);
    derive(settings.hyperStep, HYPER_STEP * line);
    settings.minRate = std::min(line, std::max(1.0, settings.minRate));
    settings.maxRate = line;
    const auto initial = static_cast<double>(m_initialRate.GetBitRate());
    m_timely.Start(settings, initial > 0 ? initial : line);
    SetRate(static_cast<uint64_t>(m_timely.GetRate()));
    m_nBytes = 0;
    m_lastCompletion = now;
}

void
TimelyControl::NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment)
{
    m_nBytes += acknowledgment.nBytes;
    const bool isComplete = m_settings.variant == TimelyRate::HPCC
                                ? now - m_lastCompletion >= acknowledgment.rtt
                                : m_nBytes >= m_segmentSize;
    if (isComplete && acknowledgment.rtt.IsStrictlyPositive())
    {
        m_timely.NotifyRtt(acknowledgment.rtt.GetNanoSeconds());
        SetRate(static_cast<uint64_t>(m_timely.GetRate()));
        m_nBytes = 0;
        m_lastCompletion = now;
        NS_LOG_LOGIC("gradient " << m_timely.GetGradient() << ", rate " << m_timely.GetRate());
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-configuration.h"

#include "ns3/aidc-compat.h"
#include "ns3/attribute-report.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/queue-size-bytes.h"
#include "ns3/simulator.h"
#include "ns3/try-set-attribute.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetConfiguration");

NS_OBJECT_ENSURE_REGISTERED(FlowSetConfiguration);

namespace
{

/// Millionths.
constexpr double PPM = 1e6;

} // namespace

template <auto Member, typename T>
bool
FlowSetConfiguration::Set(T value)
{
    return TrySetAttribute(*this, [this, &value] {
        if constexpr (std::is_same_v<T, QueueSize>)
        {
            GetBytes(value); // must be in bytes
        }
        if (!IsInitialized())
        {
            this->*Member = value;
            return;
        }
        if (this->*Member == value)
        {
            return;
        }
        const std::string before = Describe();
        SetChecked(this->*Member, value, [this] { CheckSettings(GetSettings()); });
        const std::string after = Describe();
        m_isChanged = true;
        NS_LOG_INFO("Reconfigured at " << Simulator::Now().As(Time::S) << ": " << after);
        m_reconfigurationTrace(before, after);
    });
}

template <auto Member, typename T>
T
FlowSetConfiguration::Get() const
{
    return this->*Member;
}

TypeId
FlowSetConfiguration::GetTypeId()
{
    using C = FlowSetConfiguration;
    static TypeId tid =
        TypeId("ns3::aidc::FlowSetConfiguration")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddAttribute(
                "AssessmentInterval",
                "Interval of the assessment of ports (section 5.1.1: 10 ms to 100 ms)",
                TimeValue(MilliSeconds(10)),
                MakeTimeAccessor(&C::Set<&C::m_interval, Time>, &C::Get<&C::m_interval, Time>),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AdaptiveInterval",
                          "Halve the interval while traffic is high and double it while it is low "
                          "(section 5.1.1); it begins with MinInterval",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::Set<&C::m_isAdaptive, bool>,
                                              &C::Get<&C::m_isAdaptive, bool>),
                          MakeBooleanChecker())
            .AddAttribute("MinInterval",
                          "The shortest adaptive interval",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&C::Set<&C::m_minInterval, Time>,
                                           &C::Get<&C::m_minInterval, Time>),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxInterval",
                          "The longest adaptive interval",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&C::Set<&C::m_maxInterval, Time>,
                                           &C::Get<&C::m_maxInterval, Time>),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LowTraffic",
                          "Share of the ports' rates up to which the adaptive interval is doubled",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&C::Set<&C::m_lowTraffic, double>,
                                             &C::Get<&C::m_lowTraffic, double>),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HighTraffic",
                          "Share of the ports' rates from which on the adaptive interval is halved",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&C::Set<&C::m_highTraffic, double>,
                                             &C::Get<&C::m_highTraffic, double>),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UseQueueDepth",
                          "Compute the CQI from the depth of the egress queue (section 5.1.2)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::Set<&C::m_useQueueDepth, bool>,
                                              &C::Get<&C::m_useQueueDepth, bool>),
                          MakeBooleanChecker())
            .AddAttribute("UseBufferUtilization",
                          "Compute the CQI from the share that the port's fullest queue holds of "
                          "its limit in the shared buffer (section 5.1.2)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::Set<&C::m_useBufferUtilization, bool>,
                                              &C::Get<&C::m_useBufferUtilization, bool>),
                          MakeBooleanChecker())
            .AddAttribute(
                "UseDrops",
                "Compute the CQI from the packets dropped in the interval "
                "(section 5.1.2); of several metrics the largest CQI counts",
                BooleanValue(false),
                MakeBooleanAccessor(&C::Set<&C::m_useDrops, bool>, &C::Get<&C::m_useDrops, bool>),
                MakeBooleanChecker())
            .AddAttribute("CongestionThreshold",
                          "Share of the capacity that adds 1 to the CQI (section 5.1.2: 10 %)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&C::Set<&C::m_congestionThreshold, double>,
                                             &C::Get<&C::m_congestionThreshold, double>),
                          MakeDoubleChecker<double>(1 / PPM, 1))
            .AddAttribute("DropsPerLevel",
                          "Dropped packets that add 1 to the CQI",
                          UintegerValue(1),
                          MakeUintegerAccessor(&C::Set<&C::m_dropsPerLevel, uint32_t>,
                                               &C::Get<&C::m_dropsPerLevel, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CqiMax",
                          "The largest CQI, a number of levels (section 5.1.2: 16)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&C::Set<&C::m_cqiMax, uint32_t>,
                                               &C::Get<&C::m_cqiMax, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("Smoothing",
                          "Weight of the newest reading in a moving average (section 9.1); 1 for "
                          "no smoothing",
                          DoubleValue(1),
                          MakeDoubleAccessor(&C::Set<&C::m_smoothing, double>,
                                             &C::Get<&C::m_smoothing, double>),
                          MakeDoubleChecker<double>(std::numeric_limits<double>::min(), 1))
            .AddAttribute("QueueCapacity",
                          "Capacity of an egress queue in bytes; 0 takes an equal part of the "
                          "shared buffer or, without one, the MaxSize of the queue disc or of its "
                          "children together",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&C::Set<&C::m_queueCapacity, QueueSize>,
                                                &C::Get<&C::m_queueCapacity, QueueSize>),
                          MakeByteSizeChecker())
            .AddAttribute(
                "FlowletGap",
                "Silence of a flow set before it may migrate because of congestion, so "
                "that its packets stay in order (section 8.2); 0 for none",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&C::Set<&C::m_flowletGap, Time>, &C::Get<&C::m_flowletGap, Time>),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("RoundRobin",
                          "Take ports with the same CQI in turn, not at random (section 5.2.2)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::Set<&C::m_useRoundRobin, bool>,
                                              &C::Get<&C::m_useRoundRobin, bool>),
                          MakeBooleanChecker())
            .AddAttribute(
                "Strategy",
                "The reaction to congestion: as many migrations as the CQI allows, all of a "
                "port's flow sets at once (section 3.2), or none until they age out (section 1)",
                EnumValue(FlowSetSwitchingConfig::PROGRESSIVE),
                MakeEnumAccessorFor<Strategy>(&C::Set<&C::m_strategy, Strategy>,
                                              &C::Get<&C::m_strategy, Strategy>),
                MakeEnumChecker(FlowSetSwitchingConfig::PROGRESSIVE,
                                "Progressive",
                                FlowSetSwitchingConfig::FULL_SWITCH,
                                "FullSwitch",
                                FlowSetSwitchingConfig::NO_SWITCH,
                                "NoSwitch"))
            .AddAttribute("Hysteresis",
                          "The number of levels, in addition to 1, by which a target's CQI must "
                          "be smaller for a migration; 0 for no hysteresis",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::Set<&C::m_hysteresis, uint32_t>,
                                               &C::Get<&C::m_hysteresis, uint32_t>),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute(
                "HoldDown",
                "Time after a migration for which congestion does not move the flow set "
                "again; 0 for none",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&C::Set<&C::m_holdDown, Time>, &C::Get<&C::m_holdDown, Time>),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("RankByBudget",
                          "Rank ports by the CQI less the migrations of the interval, as sections "
                          "5.2.1 and 5.2.2 read literally, not by the CQI as it was assessed",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::Set<&C::m_ranksByBudget, bool>,
                                              &C::Get<&C::m_ranksByBudget, bool>),
                          MakeBooleanChecker())
            .AddAttribute("MaxMigrations",
                          "The largest number of migrations of the switch in a MigrationPeriod "
                          "(section 9.1); 0 for no limit",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&C::Set<&C::m_maxMigrations, uint32_t>,
                                               &C::Get<&C::m_maxMigrations, uint32_t>),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MigrationPeriod",
                          "The unit of time of MaxMigrations",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&C::Set<&C::m_migrationPeriod, Time>,
                                           &C::Get<&C::m_migrationPeriod, Time>),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TableSize",
                          "Flow sets a group of next hops, rounded up to a power of two; read when "
                          "a group gets its first packet",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&C::Set<&C::m_tableSize, uint32_t>,
                                               &C::Get<&C::m_tableSize, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1, FlowSetTable::MAX_SIZE))
            .AddAttribute(
                "AgeingTime",
                "Silence after which a flow set gives up its entry (section 6.1); read "
                "when a group gets its first packet",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&C::Set<&C::m_ageingTime, Time>, &C::Get<&C::m_ageingTime, Time>),
                MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Reconfiguration",
                            "An attribute has been changed while running (section 9.3)",
                            MakeTraceSourceAccessor(&C::m_reconfigurationTrace),
                            "ns3::aidc::FlowSetConfiguration::ReconfigurationTracedCallback");
    return tid;
}

void
FlowSetConfiguration::CheckSettings(const FlowSetSettings& settings) const
{
    CheckConfig(settings);
}

FlowSetSettings
FlowSetConfiguration::GetSettings() const
{
    FlowSetSettings settings;
    settings.interval = m_interval.GetNanoSeconds();
    settings.isAdaptive = m_isAdaptive;
    settings.minInterval = m_minInterval.GetNanoSeconds();
    settings.maxInterval = m_maxInterval.GetNanoSeconds();
    settings.lowTraffic = m_lowTraffic;
    settings.highTraffic = m_highTraffic;
    settings.index.useQueueDepth = m_useQueueDepth;
    settings.index.useBufferUtilization = m_useBufferUtilization;
    settings.index.useDrops = m_useDrops;
    settings.index.thresholdPpm = static_cast<uint32_t>(std::lround(m_congestionThreshold * PPM));
    settings.index.dropsPerLevel = m_dropsPerLevel;
    settings.index.maximum = m_cqiMax;
    settings.index.smoothing = m_smoothing;
    settings.switching.useRoundRobin = m_useRoundRobin;
    settings.switching.ranksByBudget = m_ranksByBudget;
    settings.switching.strategy = m_strategy;
    settings.switching.hysteresis = m_hysteresis;
    settings.switching.holdDown = m_holdDown.GetNanoSeconds();
    settings.switching.flowletGap = m_flowletGap.GetNanoSeconds();
    settings.switching.maxMigrations = m_maxMigrations;
    settings.switching.migrationPeriod = m_migrationPeriod.GetNanoSeconds();
    settings.queueCapacity = GetBytes(m_queueCapacity);
    settings.tableSize = 1;
    while (settings.tableSize < m_tableSize)
    {
        settings.tableSize *= 2;
    }
    settings.ageingTime = m_ageingTime.GetNanoSeconds();
    return settings;
}

bool
FlowSetConfiguration::TakeChange()
{
    return std::exchange(m_isChanged, false);
}

std::string
FlowSetConfiguration::Describe() const
{
    return PrintAttributes(*this, FlowSetConfiguration::GetTypeId());
}

} // namespace ns3::aidc

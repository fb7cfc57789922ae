/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-configuration.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../attribute-report.h"
#include "../buffer/queue-size-bytes.h"
#include "../core/flow-set/assessment-interval.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetConfiguration");

void
CheckSettings(const FlowSetSettings& settings)
{
    CheckSettings(settings.index);
    CheckSettings(settings.switching);
    // Its constructor checks.
    AssessmentInterval(settings.minInterval,
                       settings.maxInterval,
                       settings.lowTraffic,
                       settings.highTraffic);
}

NS_OBJECT_ENSURE_REGISTERED(FlowSetConfiguration);

namespace
{

constexpr double PPM = 1e6; //!< millionths of a whole

/// field: the setting, which may have another unit.
template <typename V, typename F>
void
FromValue(const V& value, F& field)
{
    if constexpr (std::is_same_v<V, TimeValue>)
    {
        field = value.Get().GetNanoSeconds();
    }
    else if constexpr (std::is_same_v<V, QueueSizeValue>)
    {
        field = GetBytes(value.Get());
    }
    else if constexpr (std::is_same_v<V, DoubleValue> && std::is_integral_v<F>)
    {
        field = static_cast<F>(std::lround(value.Get() * PPM));
    }
    else
    {
        value.GetAccessor(field);
    }
}

/// @return the value of its attribute
template <typename V, typename F>
auto
ToValue(const F& field)
{
    if constexpr (std::is_same_v<V, TimeValue>)
    {
        return NanoSeconds(field);
    }
    else if constexpr (std::is_same_v<V, QueueSizeValue>)
    {
        return QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(field));
    }
    else if constexpr (std::is_same_v<V, DoubleValue> && std::is_integral_v<F>)
    {
        return static_cast<double>(field) / PPM;
    }
    else
    {
        return field;
    }
}

} // namespace

template <typename V, typename Find>
Ptr<const AttributeAccessor>
FlowSetConfiguration::MakeAccessor(Find find)
{
    using C = FlowSetConfiguration;
    return MakeFunctionAccessor<C, V>(
        [find](const C& object) { return ToValue<V>(find(object.m_attributes)); },
        [find](C& object, const V& value) {
            FlowSetSettings settings = object.m_attributes;
            auto& setting = find(settings);
            const auto before = setting;
            FromValue(value, setting);
            if (setting != before)
            {
                object.Change(settings);
            }
        });
}

TypeId
FlowSetConfiguration::GetTypeId()
{
    using StrategyValue = EnumValueOf<FlowSetSwitchingSettings::Strategy>;
    static TypeId tid =
        TypeId("ns3::aidc::FlowSetConfiguration")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddAttribute("AssessmentInterval",
                          "Interval of the assessment of ports (section 5.1.1: 10 ms to 100 ms)",
                          TimeValue(MilliSeconds(10)),
                          MakeAccessor<TimeValue>([](auto& s) -> auto& { return s.interval; }),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AdaptiveInterval",
                          "Halve the interval while traffic is high and double it while it is low "
                          "(section 5.1.1); it begins with MinInterval",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>([](auto& s) -> auto& { return s.isAdaptive; }),
                          MakeBooleanChecker())
            .AddAttribute("MinInterval",
                          "The shortest adaptive interval",
                          TimeValue(MilliSeconds(10)),
                          MakeAccessor<TimeValue>([](auto& s) -> auto& { return s.minInterval; }),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxInterval",
                          "The longest adaptive interval",
                          TimeValue(MilliSeconds(100)),
                          MakeAccessor<TimeValue>([](auto& s) -> auto& { return s.maxInterval; }),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LowTraffic",
                          "Share of the ports' rates up to which the adaptive interval is doubled",
                          DoubleValue(0.1),
                          MakeAccessor<DoubleValue>([](auto& s) -> auto& { return s.lowTraffic; }),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HighTraffic",
                          "Share of the ports' rates from which on the adaptive interval is halved",
                          DoubleValue(0.5),
                          MakeAccessor<DoubleValue>([](auto& s) -> auto& { return s.highTraffic; }),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "UseQueueDepth",
                "Compute the CQI from the depth of the egress queue (section 5.1.2)",
                BooleanValue(true),
                MakeAccessor<BooleanValue>([](auto& s) -> auto& { return s.index.useQueueDepth; }),
                MakeBooleanChecker())
            .AddAttribute("UseBufferUtilization",
                          "Compute the CQI from the share that the port's fullest queue holds of "
                          "its limit in the shared buffer (section 5.1.2)",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(
                              [](auto& s) -> auto& { return s.index.useBufferUtilization; }),
                          MakeBooleanChecker())
            .AddAttribute(
                "UseDrops",
                "Compute the CQI from the packets dropped in the interval "
                "(section 5.1.2); of several metrics the largest CQI counts",
                BooleanValue(false),
                MakeAccessor<BooleanValue>([](auto& s) -> auto& { return s.index.useDrops; }),
                MakeBooleanChecker())
            .AddAttribute(
                "CongestionThreshold",
                "Share of the capacity that adds 1 to the CQI (section 5.1.2: 10 %)",
                DoubleValue(0.1),
                MakeAccessor<DoubleValue>([](auto& s) -> auto& { return s.index.thresholdPpm; }),
                MakeDoubleChecker<double>(1 / PPM, 1))
            .AddAttribute(
                "DropsPerLevel",
                "Dropped packets that add 1 to the CQI",
                UintegerValue(1),
                MakeAccessor<UintegerValue>([](auto& s) -> auto& { return s.index.dropsPerLevel; }),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "CqiMax",
                "The largest CQI, a number of levels (section 5.1.2: 16)",
                UintegerValue(16),
                MakeAccessor<UintegerValue>([](auto& s) -> auto& { return s.index.maximum; }),
                MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute(
                "Smoothing",
                "Weight of the newest reading in a moving average (section 9.1); 1 for "
                "no smoothing",
                DoubleValue(1),
                MakeAccessor<DoubleValue>([](auto& s) -> auto& { return s.index.smoothing; }),
                MakeDoubleChecker<double>(std::numeric_limits<double>::min(), 1))
            .AddAttribute(
                "QueueCapacity",
                "Capacity of an egress queue in bytes; 0 takes an equal part of the "
                "shared buffer or, without one, the MaxSize of the queue disc or of its "
                "children together",
                QueueSizeValue(QueueSize("0B")),
                MakeAccessor<QueueSizeValue>([](auto& s) -> auto& { return s.queueCapacity; }),
                MakeByteSizeChecker())
            .AddAttribute(
                "FlowletGap",
                "Silence of a flow set before it may migrate because of congestion, so "
                "that its packets stay in order (section 8.2); 0 for none",
                TimeValue(Seconds(0)),
                MakeAccessor<TimeValue>([](auto& s) -> auto& { return s.switching.flowletGap; }),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("RoundRobin",
                          "Take ports with the same CQI in turn, not at random (section 5.2.2)",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(
                              [](auto& s) -> auto& { return s.switching.useRoundRobin; }),
                          MakeBooleanChecker())
            .AddAttribute(
                "Strategy",
                "The reaction to congestion: as many migrations as the CQI allows, all of a "
                "port's flow sets at once (section 3.2), or none until they age out (section 1)",
                EnumValue(FlowSetSwitchingSettings::PROGRESSIVE),
                MakeAccessor<StrategyValue>([](auto& s) -> auto& { return s.switching.strategy; }),
                MakeEnumChecker(FlowSetSwitchingSettings::PROGRESSIVE,
                                "Progressive",
                                FlowSetSwitchingSettings::FULL_SWITCH,
                                "FullSwitch",
                                FlowSetSwitchingSettings::NO_SWITCH,
                                "NoSwitch"))
            .AddAttribute("Hysteresis",
                          "The number of levels, in addition to 1, by which a target's CQI must "
                          "be smaller for a migration; 0 for no hysteresis",
                          UintegerValue(0),
                          MakeAccessor<UintegerValue>(
                              [](auto& s) -> auto& { return s.switching.hysteresis; }),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute(
                "HoldDown",
                "Time after a migration for which congestion does not move the flow set "
                "again; 0 for none",
                TimeValue(Seconds(0)),
                MakeAccessor<TimeValue>([](auto& s) -> auto& { return s.switching.holdDown; }),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("RankByBudget",
                          "Rank ports by the CQI less the migrations of the interval, as sections "
                          "5.2.1 and 5.2.2 read literally, not by the CQI as it was assessed",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(
                              [](auto& s) -> auto& { return s.switching.ranksByBudget; }),
                          MakeBooleanChecker())
            .AddAttribute("MaxMigrations",
                          "The largest number of migrations of the switch in a MigrationPeriod "
                          "(section 9.1); 0 for no limit",
                          UintegerValue(1024),
                          MakeAccessor<UintegerValue>(
                              [](auto& s) -> auto& { return s.switching.maxMigrations; }),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MigrationPeriod",
                          "The unit of time of MaxMigrations",
                          TimeValue(MilliSeconds(10)),
                          MakeAccessor<TimeValue>(
                              [](auto& s) -> auto& { return s.switching.migrationPeriod; }),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TableSize",
                          "Flow sets a group of next hops, rounded up to a power of two; read when "
                          "a group gets its first packet",
                          UintegerValue(4096),
                          MakeAccessor<UintegerValue>([](auto& s) -> auto& { return s.tableSize; }),
                          MakeUintegerChecker<uint32_t>(1, FlowSetTable::MAX_SIZE))
            .AddAttribute("AgeingTime",
                          "Silence after which a flow set gives up its entry (section 6.1); read "
                          "when a group gets its first packet",
                          TimeValue(Seconds(1)),
                          MakeAccessor<TimeValue>([](auto& s) -> auto& { return s.ageingTime; }),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Reconfiguration",
                            "An attribute has been changed while running (section 9.3)",
                            MakeTraceSourceAccessor(&FlowSetConfiguration::m_reconfigurationTrace),
                            "ns3::aidc::FlowSetConfiguration::ReconfigurationTracedCallback");
    return tid;
}

void
FlowSetConfiguration::CheckSettings(const FlowSetSettings& settings) const
{
    aidc::CheckSettings(settings);
}

void
FlowSetConfiguration::Change(const FlowSetSettings& settings)
{
    if (!IsInitialized())
    {
        m_attributes = settings;
        return;
    }
    CheckSettings(settings);
    const std::string before = Describe();
    m_attributes = settings;
    const std::string after = Describe();
    m_isChanged = true;
    NS_LOG_INFO("Reconfigured at " << Simulator::Now().As(Time::S) << ": " << after);
    m_reconfigurationTrace(before, after);
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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-selector.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/queue-size-bytes.h"
#include "ns3/simulator.h"
#include "ns3/try-set-attribute.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetSelector");

NS_OBJECT_ENSURE_REGISTERED(FlowSetSelector);

namespace
{

/// The interface of the loopback device, which is no port.
constexpr uint32_t LOOPBACK = 0;

/// Millionths.
constexpr double PPM = 1e6;

} // namespace

template <auto Member, typename T>
bool
FlowSetSelector::Set(T value)
{
    return TrySetAttribute(*this, [this, &value] {
        if (!IsInitialized())
        {
            this->*Member = value;
            return;
        }
        SetChecked(this->*Member, value, [this] { CheckConfig(GetSettings()); });
    });
}

template <auto Member, typename T>
T
FlowSetSelector::Get() const
{
    return this->*Member;
}

TypeId
FlowSetSelector::GetTypeId()
{
    using C = FlowSetSelector;
    static TypeId tid =
        TypeId("ns3::aidc::FlowSetSelector")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddConstructor<FlowSetSelector>()
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
                          "Compute the CQI from what the port's fullest queue holds of what it may "
                          "hold of the shared buffer (section 5.1.2)",
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
                          "The largest CQI (section 5.1.2: 16)",
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
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("QueueCapacity",
                          "Capacity of an egress queue in bytes; 0 takes an equal part of the "
                          "shared buffer or, without one, the queue disc's MaxSize",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&C::SetQueueCapacity, &C::GetQueueCapacity),
                          MakeQueueSizeChecker())
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
            .AddAttribute("MaxMigrations",
                          "The most migrations of the whole switch a MigrationPeriod "
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
                          MakeUintegerAccessor(&C::m_tableSize),
                          MakeUintegerChecker<uint32_t>(1, FlowSetTable::MAX_SIZE))
            .AddAttribute("AgeingTime",
                          "Silence after which a flow set gives up its entry (section 6.1); read "
                          "when a group gets its first packet",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&C::m_ageingTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Assessment",
                            "A port was assessed",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_assessmentTrace),
                            "ns3::aidc::FlowSetSelector::AssessmentTracedCallback")
            .AddTraceSource("Migration",
                            "A flow set has been given another port",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_migrationTrace),
                            "ns3::aidc::FlowSetSelector::MigrationTracedCallback")
            .AddTraceSource("Occupancy",
                            "The flow sets in use at the end of an interval",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_occupancyTrace),
                            "ns3::aidc::FlowSetSelector::OccupancyTracedCallback");
    return tid;
}

FlowSetSelector::FlowSetSelector()
    : m_switching(FlowSetSwitchingConfig()),
      m_adaptive(AssessmentInterval::RECOMMENDED_MIN, AssessmentInterval::RECOMMENDED_MAX, 0, 1),
      m_variable(CreateObject<UniformRandomVariable>())
{
}

FlowSetSelector::~FlowSetSelector() = default;

bool
FlowSetSelector::SetQueueCapacity(QueueSize capacity)
{
    return TrySetAttribute(*this, [this, capacity] { m_queueCapacity = GetBytes(capacity); });
}

QueueSize
FlowSetSelector::GetQueueCapacity() const
{
    return ToQueueSize(m_queueCapacity);
}

uint32_t
FlowSetSelector::GetTableSize() const
{
    uint32_t size = 1;
    while (size < m_tableSize)
    {
        size *= 2;
    }
    return size;
}

FlowSetSettings
FlowSetSelector::GetSettings() const
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
    settings.switching.flowletGap = m_flowletGap.GetNanoSeconds();
    settings.switching.maxMigrations = m_maxMigrations;
    settings.switching.migrationPeriod = m_migrationPeriod.GetNanoSeconds();
    return settings;
}

void
FlowSetSelector::Configure()
{
    const FlowSetSettings settings = GetSettings();
    if (m_isConfigured && settings == m_settings)
    {
        return;
    }
    const bool isAdaptationNew =
        !m_isConfigured || settings.GetAdaptation() != m_settings.GetAdaptation();
    m_settings = settings;
    m_isConfigured = true;
    NS_LOG_INFO("Node " << m_ipv4->GetObject<Node>()->GetId() << ": interval "
                        << (m_isAdaptive ? m_minInterval : m_interval)
                        << (m_isAdaptive ? ", adaptive to " : ", not up to ") << m_maxInterval
                        << ", metrics " << (m_useQueueDepth ? "depth " : "")
                        << (m_useBufferUtilization ? "buffer " : "") << (m_useDrops ? "drops " : "")
                        << "threshold " << settings.index.thresholdPpm << " ppm or "
                        << m_dropsPerLevel << " drops, CQI_MAX " << m_cqiMax << ", smoothing "
                        << m_smoothing << ", flowlet gap " << m_flowletGap << ", at most "
                        << m_maxMigrations << " migrations in " << m_migrationPeriod);
    try
    {
        CheckConfig(settings);
        m_switching.SetConfig(settings.switching);
        if (isAdaptationNew)
        {
            m_adaptive = AssessmentInterval(settings.minInterval,
                                            settings.maxInterval,
                                            settings.lowTraffic,
                                            settings.highTraffic);
        }
        for (auto& port : m_ports)
        {
            port.SetConfig(settings.index);
        }
    }
    catch (const std::invalid_argument& error)
    {
        NS_FATAL_ERROR("FlowSetSelector: " << error.what());
    }
}

void
FlowSetSelector::SetIpv4(Ptr<Ipv4> ipv4)
{
    NextHopSelector::SetIpv4(ipv4);
    m_ipv4 = ipv4;
}

void
FlowSetSelector::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(!m_ipv4, "FlowSetSelector serves a MultipathRouting");
    // Section 7.1: clear the flow table, set all CQIs to 0, start the task.
    for (const auto group : m_groups)
    {
        group->table.Clear();
    }
    m_switching.Initialize();
    Configure();
    for (uint32_t interface = 0; interface < m_ipv4->GetNInterfaces(); ++interface)
    {
        AddPort(interface);
    }
    m_currentInterval = NanoSeconds(m_isAdaptive ? m_adaptive.Get() : m_settings.interval);
    m_assessment = Simulator::Schedule(m_currentInterval, &FlowSetSelector::Assess, this);
    NextHopSelector::DoInitialize();
}

void
FlowSetSelector::DoDispose()
{
    m_assessment.Cancel();
    m_ports.clear();
    m_ipv4 = nullptr;
    NextHopSelector::DoDispose();
}

void
FlowSetSelector::AddPort(uint32_t interface)
{
    while (m_ports.size() <= interface)
    {
        const auto index = static_cast<uint32_t>(m_ports.size());
        m_ports.emplace_back(m_settings.index);
        m_switching.AddPort(index);
        m_switching.SetPortUp(index, m_ipv4->IsUp(index));
        if (index != LOOPBACK)
        {
            m_ports.back().FindQueue(m_ipv4->GetNetDevice(index));
        }
    }
}

void
FlowSetSelector::Assess()
{
    NS_LOG_FUNCTION(this);
    Configure();
    uint64_t bytes = 0;
    double capacity = 0;
    for (uint32_t interface = 0; interface < m_ports.size(); ++interface)
    {
        FlowSetPort& port = m_ports[interface];
        if (!port.HasQueue())
        {
            continue;
        }
        const PortReading reading = port.Read(m_queueCapacity);
        const uint32_t cqi = port.UpdateCqi(reading);
        m_switching.Advertise(interface, cqi, reading.queueBytes);
        m_assessmentTrace(interface, cqi, reading.queueBytes);
        bytes += port.CountSentBytes();
        capacity += static_cast<double>(port.GetRate()) / 8;
    }
    if (!m_occupancyTrace.IsEmpty())
    {
        m_occupancyTrace(GetOccupancy());
    }
    capacity *= m_currentInterval.GetSeconds();
    m_currentInterval =
        NanoSeconds(m_isAdaptive ? m_adaptive.Update(bytes, static_cast<uint64_t>(capacity))
                                 : m_settings.interval);
    m_assessment = Simulator::Schedule(m_currentInterval, &FlowSetSelector::Assess, this);
}

void
FlowSetSelector::NotifyGroup(NextHopGroup& group)
{
    if (group.members.size() < 2)
    {
        return; // never asked
    }
    if (!group.state)
    {
        group.state =
            std::make_unique<FlowSetGroup>(GetTableSize(), m_ageingTime.GetNanoSeconds(), m_groups);
    }
    static_cast<FlowSetGroup&>(*group.state).Update(group);
}

void
FlowSetSelector::NotifyInterface(uint32_t interface, bool isUp)
{
    if (IsInitialized())
    {
        AddPort(interface);
        m_switching.SetPortUp(interface, isUp);
    }
}

uint32_t
FlowSetSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    if (!IsInitialized())
    {
        Initialize(); // a packet at time 0 may come before the node is initialized
    }
    auto& state = static_cast<FlowSetGroup&>(*group.state);
    const uint32_t hash = Hash(key);
    const auto depth = [this](uint32_t port) { return m_ports[port].GetDepth(); };
    const auto choose = [this](uint32_t n) { return m_variable->GetInteger(0, n - 1); };
    const auto decision = m_switching.Forward(state.table,
                                              hash,
                                              state.ports.data(),
                                              static_cast<uint32_t>(state.ports.size()),
                                              Simulator::Now().GetNanoSeconds(),
                                              depth,
                                              choose);
    if (decision.action == FlowSetAction::MIGRATE || decision.action == FlowSetAction::REROUTE)
    {
        NotifyMigration(decision, hash);
    }
    return state.memberOf[decision.port];
}

void
FlowSetSelector::NotifyMigration(const FlowSetDecision& decision, uint32_t flowSet)
{
    FlowSetMigration migration;
    migration.time = Simulator::Now();
    migration.flowSet = flowSet;
    migration.from = decision.from;
    migration.to = decision.port;
    migration.reason = decision.action;
    migration.cqi = m_switching.GetPort(decision.from).initialCqi;
    migration.migrations = m_switching.GetMigrations(decision.from);
    m_migrationTrace(migration);
}

int64_t
FlowSetSelector::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

const PortStatus&
FlowSetSelector::GetPortStatus(uint32_t interface) const
{
    return m_switching.GetPort(interface);
}

uint32_t
FlowSetSelector::GetOccupancy() const
{
    uint32_t occupancy = 0;
    for (const auto group : m_groups)
    {
        occupancy += group->table.GetOccupancy(Simulator::Now().GetNanoSeconds());
    }
    return occupancy;
}

Time
FlowSetSelector::GetCurrentInterval() const
{
    return m_currentInterval;
}

} // namespace ns3::aidc

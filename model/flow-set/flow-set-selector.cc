/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-selector.h"

#include "../attribute-report.h"
#include "../core/flow-set/flow-set-switching.h"
#include "../core/require-argument.h"
#include "../device-link-properties.h"
#include "../endless-timer.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetSelector");

namespace
{

/// Get the capacity of a queue disc: its MaxSize or, as those that only hold others have none, that
/// of its children together. mtu: the size of a packet in bytes. @return bytes, 0 if it does not
/// say
uint64_t
GetCapacity(const QueueDisc& queueDisc, uint16_t mtu)
{
    TypeId::AttributeInformation information;
    if (queueDisc.GetInstanceTypeId().LookupAttributeByName("MaxSize", &information))
    {
        const QueueSize size = queueDisc.GetMaxSize();
        const uint64_t unit = size.GetUnit() == QueueSizeUnit::PACKETS ? mtu : 1;
        return size.GetValue() * unit;
    }
    uint64_t sum = 0;
    for (std::size_t i = 0; i < queueDisc.GetNQueueDiscClasses(); ++i)
    {
        const uint64_t capacity = GetCapacity(*queueDisc.GetQueueDiscClass(i)->GetQueueDisc(), mtu);
        if (capacity == 0)
        {
            return 0;
        }
        sum += capacity;
    }
    return sum;
}

} // namespace

FlowSetPort::FlowSetPort(const CongestionIndexSettings& settings)
    : m_index(settings)
{
}

void
FlowSetPort::FindQueue(Ptr<NetDevice> device)
{
    m_rate = GetLinkRate(device).GetBitRate();
    const auto trafficControl = device->GetNode()->GetObject<TrafficControlLayer>();
    if (!trafficControl)
    {
        return;
    }
    m_queueDisc = trafficControl->GetRootQueueDiscOnDevice(device);
    m_buffer = dynamic_cast<const PortBuffer*>(PeekPointer(m_queueDisc));
    if (m_queueDisc && !m_buffer)
    {
        m_capacity = GetCapacity(*m_queueDisc, device->GetMtu());
    }
}

PortReading
FlowSetPort::Read(uint64_t capacity) const
{
    PortReading reading;
    reading.queueBytes = GetDepth();
    reading.dropsTotal = m_queueDisc->GetStats().nTotalDroppedPackets;
    PortBufferUse use{reading.queueBytes, m_capacity > 0 ? m_capacity : capacity, m_capacity};
    if (m_buffer)
    {
        use = m_buffer->GetBufferUse();
    }
    reading.bufferBytes = use.held;
    reading.bufferLimit = use.limit;
    reading.queueCapacity = capacity > 0 ? capacity : use.share;
    return reading;
}

uint64_t
FlowSetPort::CountSentBytes()
{
    const uint64_t sentBytes = m_queueDisc->GetStats().nTotalSentBytes;
    const uint64_t more = sentBytes - m_sentBytes;
    m_sentBytes = sentBytes;
    return more;
}

namespace
{

/// How many candidates the member with the greatest weight is, if weights differ.
constexpr double MAX_CANDIDATES = 16;

/// size: a number, at most FlowSetTable::MAX_SIZE. @return the number, rounded up to a power of two
uint32_t
RoundUp(uint32_t size)
{
    uint32_t rounded = 1;
    while (rounded < size)
    {
        rounded *= 2;
    }
    return rounded;
}

} // namespace

FlowSetGroup::FlowSetGroup(uint32_t size, int64_t ageingTime, std::vector<FlowSetGroup*>& groups)
    : table(RoundUp(size), ageingTime),
      m_groups(groups)
{
    m_groups.push_back(this);
}

FlowSetGroup::~FlowSetGroup()
{
    m_groups.erase(std::find(m_groups.begin(), m_groups.end(), this));
}

void
FlowSetGroup::Update(const NextHopGroup& group)
{
    double least = std::numeric_limits<double>::infinity();
    double greatest = 0;
    for (const uint32_t member : group.usable)
    {
        least = std::min(least, group.members[member].nextHop.weight);
        greatest = std::max(greatest, group.members[member].nextHop.weight);
    }
    ports.clear();
    members.clear();
    for (uint32_t member = 0; member < group.members.size(); ++member)
    {
        const NextHop& nextHop = group.members[member].nextHop;
        const bool isUsable = group.members[member].IsUsable();
        const double share = isUsable && least < greatest ? nextHop.weight / greatest : 0;
        const auto n = std::max<std::size_t>(1, std::lround(share * MAX_CANDIDATES));
        ports.insert(ports.end(), n, isUsable ? nextHop.interface : FlowSetDecision::NONE);
        members.insert(members.end(), n, member);
    }
}

NS_OBJECT_ENSURE_REGISTERED(FlowSetSelector);

namespace
{

/// The interface of the loopback device, which is no port.
constexpr uint32_t LOOPBACK = 0;

} // namespace

TypeId
FlowSetSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::FlowSetSelector")
            .SetParent<FlowSetConfiguration>()
            .SetGroupName("Aidc")
            .AddConstructor<FlowSetSelector>()
            .AddTraceSource("Assessment",
                            "A port was assessed",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_assessmentTrace),
                            "ns3::aidc::FlowSetSelector::AssessmentTracedCallback")
            .AddTraceSource("Decision",
                            "A packet's port was chosen, by which rule",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_decisionTrace),
                            "ns3::aidc::FlowSetSelector::DecisionTracedCallback")
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
    : m_switching(FlowSetSwitchingSettings()),
      m_adaptive(AssessmentInterval::RECOMMENDED_MIN, AssessmentInterval::RECOMMENDED_MAX, 0, 1),
      m_variable(CreateObject<UniformRandomVariable>())
{
}

FlowSetSelector::~FlowSetSelector() = default;

void
FlowSetSelector::CheckSettings(const FlowSetSettings& settings) const
{
    FlowSetConfiguration::CheckSettings(settings);
    const bool needsCapacity = settings.index.useQueueDepth || settings.index.useBufferUtilization;
    for (uint32_t interface = 0; interface < m_ports.size(); ++interface)
    {
        if (needsCapacity && settings.queueCapacity == 0 && !m_ports[interface].HasCapacity())
        {
            throw std::invalid_argument(
                "QueueCapacity is 0, and the queue disc of interface " + std::to_string(interface) +
                " does not say how much it holds: set QueueCapacity, or the MaxSize of the queue "
                "disc or of its children");
        }
    }
}

void
FlowSetSelector::RequireSettings() const
{
    try
    {
        CheckSettings(GetSettings());
    }
    catch (const std::invalid_argument& error)
    {
        AIDC_REFUSE("FlowSetSelector: " << error.what() << " (node "
                                        << m_ipv4->GetObject<Node>()->GetId() << "; "
                                        << PrintSetAttributes(*this) << ")");
    }
}

void
FlowSetSelector::Configure()
{
    const FlowSetSettings& settings = GetSettings();
    if (settings.GetAdaptation() != m_settings.GetAdaptation())
    {
        m_adaptive = AssessmentInterval(settings.minInterval,
                                        settings.maxInterval,
                                        settings.lowTraffic,
                                        settings.highTraffic);
    }
    m_switching.SetSettings(settings.switching);
    for (auto& port : m_ports)
    {
        port.SetSettings(settings.index);
    }
    m_settings = settings;
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
    AIDC_REFUSED_IF(!m_ipv4, "FlowSetSelector serves a MultipathRouting");
    // Section 7.1: clear the flow table, set all CQIs to 0, start the task.
    for (const auto group : m_groups)
    {
        group->table.Clear();
    }
    m_switching.Initialize();
    RequireSettings();
    Configure();
    NS_LOG_INFO("Node " << m_ipv4->GetObject<Node>()->GetId() << ": " << Describe());
    for (uint32_t interface = 0; interface < m_ipv4->GetNInterfaces(); ++interface)
    {
        AddPort(interface);
    }
    m_currentInterval = NanoSeconds(m_settings.isAdaptive ? m_adaptive.Get() : m_settings.interval);
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
        m_switching.GetPorts().Add(index);
        m_switching.GetPorts().SetUp(index, m_ipv4->IsUp(index));
        if (index != LOOPBACK)
        {
            m_ports.back().FindQueue(m_ipv4->GetNetDevice(index));
        }
    }
    RequireSettings();
}

void
FlowSetSelector::Assess()
{
    NoteEndlessTimer();
    NS_LOG_FUNCTION(this);
    if (TakeChange())
    {
        Configure();
    }
    uint64_t bytes = 0;
    double capacity = 0;
    for (uint32_t interface = 0; interface < m_ports.size(); ++interface)
    {
        FlowSetPort& port = m_ports[interface];
        if (!port.HasQueue())
        {
            continue;
        }
        const PortReading reading = port.Read(m_settings.queueCapacity);
        const uint32_t cqi = port.UpdateCqi(reading);
        m_switching.GetPorts().Advertise(interface, cqi, reading.queueBytes);
        NS_LOG_DEBUG("interface " << interface << ": CQI " << cqi << ", queue "
                                  << reading.queueBytes);
        m_assessmentTrace(interface, cqi, reading.queueBytes);
        bytes += port.CountSentBytes();
        capacity += static_cast<double>(port.GetRate()) / 8;
    }
    if (!m_occupancyTrace.IsEmpty())
    {
        m_occupancyTrace(GetOccupancy());
    }
    capacity *= m_currentInterval.GetSeconds();
    m_currentInterval = NanoSeconds(m_settings.isAdaptive
                                        ? m_adaptive.Update(bytes, static_cast<uint64_t>(capacity))
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
        const FlowSetSettings& settings = GetSettings();
        group.state =
            std::make_unique<FlowSetGroup>(settings.tableSize, settings.ageingTime, m_groups);
    }
    static_cast<FlowSetGroup&>(*group.state).Update(group);
}

void
FlowSetSelector::NotifyInterface(uint32_t interface, bool isUp)
{
    if (IsInitialized())
    {
        AddPort(interface);
        m_switching.GetPorts().SetUp(interface, isUp);
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
        NotifyMigration(decision, hash, key);
    }
    if (!m_decisionTrace.IsEmpty())
    {
        m_decisionTrace(key, decision);
    }
    // Without a port, none of the members
    return decision.position < state.members.size() ? state.members[decision.position]
                                                    : decision.position;
}

void
FlowSetSelector::NotifyMigration(const FlowSetDecision& decision,
                                 uint32_t flowSet,
                                 const FlowKey& flow)
{
    FlowSetMigration migration;
    migration.time = Simulator::Now();
    migration.flow = flow;
    migration.flowSet = flowSet;
    migration.from = decision.from;
    migration.to = decision.port;
    migration.reason = decision.action;
    migration.cqi = m_switching.GetPorts().Get(decision.from).initialCqi;
    migration.migrations = m_switching.GetPorts().GetMigrations(decision.from);
    NS_LOG_LOGIC("flow set " << flowSet << " moves from interface " << migration.from << " to "
                             << migration.to << ", migration " << migration.migrations << " of CQI "
                             << migration.cqi);
    m_migrationTrace(migration);
}

int64_t
FlowSetSelector::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
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

} // namespace ns3::aidc

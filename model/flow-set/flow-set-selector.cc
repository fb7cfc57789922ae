/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-selector.h"

#include "../attribute-report.h"
#include "../core/require-argument.h"
#include "../endless-timer.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetSelector");

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

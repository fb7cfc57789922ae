/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "silicon-network.h"

#include "ns3/clos-fabric.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

namespace
{

/// Jumbo frames, as chips are configured for
constexpr uint16_t TESTER_MTU = 9100;

/// All priorities, a bit each
constexpr uint32_t ALL_PRIORITIES = 255;

/// @return a switch and hosts at its ports
FabricPlan
MakePlan(const SiliconSetup& setup)
{
    FabricPlan fabric("silicon");
    const auto chip = fabric.AddNode(FabricTier::LEAF, 0, 0);
    for (uint32_t i = 0; i < setup.ports; ++i)
    {
        fabric.AddLink(chip,
                       fabric.AddNode(FabricTier::HOST, 0, i),
                       setup.rate.GetBitRate(),
                       setup.delay.GetNanoSeconds());
    }
    fabric.Finish();
    return fabric;
}

/// @return the flow control of a port that obeys and pauses all priorities
Ptr<PriorityFlowControl>
MakeControl(const Ptr<EthernetNetDevice>& device)
{
    auto control = CreateObject<PriorityFlowControl>();
    control->SetAttribute("Priorities", UintegerValue(ALL_PRIORITIES));
    control->Install(device);
    return control;
}

} // namespace

SiliconNetwork::SiliconNetwork(const ExperimentOptions& options, const SiliconSetup& setup)
    : m_controls(setup.ports)
{
    options.Configure(m_network);
    m_network.SetMtu(TESTER_MTU);
    const auto plan = MakePlan(setup);
    m_network.Build(plan);
    SharedBufferSwitchHelper switches;
    if (!setup.chip.empty())
    {
        switches.SetChip(setup.chip);
    }
    if (setup.configure)
    {
        setup.configure(switches);
    }
    SharedBufferSwitchHelper::AssignStreams(switches.Install(m_network.GetSwitches()), 1);
    PriorityFlowControlHelper pauses;
    pauses.SetPriorities(setup.lossless);
    pauses.SetAttribute("Priorities", UintegerValue(ALL_PRIORITIES));
    if (setup.headroom > 0)
    {
        pauses.SetIngressAttribute("Headroom",
                                   QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, setup.headroom)));
    }
    pauses.InstallSwitches(m_network.GetSwitches());
    m_network.AssignAddresses();
    m_buffer = m_network.GetSwitches().Get(0)->GetObject<SharedBuffer>();
    for (uint32_t i = 0; i < setup.ports; ++i)
    {
        const auto host = plan.GetHosts()[i];
        const auto own = m_network.GetSwitchPort(host);
        const auto layer = own->GetNode()->GetObject<TrafficControlLayer>();
        m_ports.push_back(DynamicCast<SwitchPortQueueDisc>(layer->GetRootQueueDiscOnDevice(own)));
        m_own.push_back(own);
        const auto channel = own->GetChannel();
        const auto device = DynamicCast<EthernetNetDevice>(
            channel->GetDevice(channel->GetDevice(0) == own ? 1 : 0));
        m_testers.push_back(CreateObject<TesterPort>());
        m_testers.back()->Install(device, m_network.GetAddress(host).Get());
        m_sinks.push_back(CreateObject<TesterSink>());
        device->SetFrameHandler(m_sinks.back());
        m_devices.push_back(device);
    }
    for (const uint32_t port : setup.obedient)
    {
        m_controls[port] = MakeControl(m_devices[port]);
    }
}

SiliconNetwork::~SiliconNetwork()
{
    Simulator::Destroy();
}

uint32_t
SiliconNetwork::GetAddress(uint32_t port) const
{
    return m_network.GetAddress(m_network.GetFabric().GetHosts()[port]).Get();
}

Ptr<IngressBuffer>
SiliconNetwork::GetAccount(uint32_t port, uint32_t priority) const
{
    return m_buffer->GetIngress(m_own[port]->GetIfIndex(), priority);
}

void
SiliconNetwork::SetBlocked(uint32_t port, uint32_t priority, bool isBlocked)
{
    if (!m_controls[port])
    {
        m_controls[port] = MakeControl(m_devices[port]);
    }
    m_controls[port]->SetXoff(priority, isBlocked);
}

uint64_t
SiliconNetwork::GetCharge(uint32_t bytes) const
{
    return BufferCells{m_buffer->GetCellSize()}.GetCharge(bytes);
}

void
SiliconNetwork::Run(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

} // namespace ns3::aidc

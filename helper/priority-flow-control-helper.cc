// SPDX-License-Identifier: GPL-2.0-only

#include "priority-flow-control-helper.h"

#include "../model/core/ethernet/ethernet-fields.h"
#include "../model/core/require-argument.h"
#include "../model/device-link-properties.h"
#include "fabric-role.h"
#include "switch-chip.h"
#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/double.h"
#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/ingress-buffer.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// Get the most bytes of a frame on the wire. @return the bytes, with all that surrounds them
uint64_t
GetLargestFrame(uint32_t mtu)
{
    return mtu + EthernetFields::MAX_SIZE + EthernetNetDevice::FCS_SIZE +
           HeadroomSettings::WIRE_OVERHEAD;
}

/// @return the MTU at the other end of a link, or at this one if there is no other
uint32_t
GetPeerMtu(Ptr<NetDevice> device)
{
    const auto channel = device->GetChannel();
    for (std::size_t i = 0; channel && i < channel->GetNDevices(); ++i)
    {
        if (channel->GetDevice(i) && channel->GetDevice(i) != device)
        {
            return channel->GetDevice(i)->GetMtu();
        }
    }
    return device->GetMtu();
}

/// Get the root queue disc of a port. @return null if it is not a SwitchPortQueueDisc
Ptr<SwitchPortQueueDisc>
GetSwitchPort(Ptr<NetDevice> device)
{
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    AIDC_REFUSED_UNLESS(layer,
                        "PriorityFlowControlHelper: install an Internet stack on node "
                            << device->GetNode()->GetId() << " first");
    return DynamicCast<SwitchPortQueueDisc>(layer->GetRootQueueDiscOnDevice(device));
}

} // namespace

PriorityFlowControlHelper::PriorityFlowControlHelper()
    : m_priorities{3}
{
    m_controlFactory.SetTypeId(PriorityFlowControl::GetTypeId());
    m_ingressFactory.SetTypeId(IngressBuffer::GetTypeId());
    m_hostPortFactory.SetTypeId(SwitchPortQueueDisc::GetTypeId());
}

void
PriorityFlowControlHelper::SetPriorities(const std::vector<uint32_t>& priorities)
{
    m_priorities = priorities;
    std::sort(m_priorities.begin(), m_priorities.end());
    m_priorities.erase(std::unique(m_priorities.begin(), m_priorities.end()), m_priorities.end());
    AIDC_REFUSED_IF(!m_priorities.empty() && m_priorities.back() >= PFC_PRIORITIES,
                    "PriorityFlowControlHelper: expected priorities from 0 to 7, found "
                        << m_priorities.back());
}

HeadroomTerms
PriorityFlowControlHelper::GetHeadroom(Ptr<NetDevice> device) const
{
    TimeValue response;
    m_controlFactory.Create()->GetAttribute("ResponseTime", response);
    HeadroomSettings settings;
    settings.bitsPerSecond = GetLinkRate(device).GetBitRate();
    settings.ticksPerSecond = static_cast<uint64_t>(Seconds(1).GetTimeStep());
    settings.delay = static_cast<uint64_t>(GetLinkDelay(device).GetTimeStep());
    settings.responseTime = static_cast<uint64_t>(response.Get().GetTimeStep());
    settings.ownFrame = GetLargestFrame(device->GetMtu());
    settings.peerFrame = GetLargestFrame(GetPeerMtu(device));
    settings.losslessPriorities = static_cast<uint32_t>(m_priorities.size());
    if (const auto buffer = device->GetNode()->GetObject<SharedBuffer>())
    {
        settings.cellSize = buffer->GetCellSize();
    }
    const auto chip = device->GetNode()->GetObject<SwitchChip>();
    if (chip && chip->GetResponseTime() && !m_hasResponseTime &&
        !HasUserDefault("ns3::aidc::PriorityFlowControl::ResponseTime"))
    {
        settings.responseTime = static_cast<uint64_t>(chip->GetResponseTime()->GetTimeStep());
    }
    AIDC_REFUSED_IF(settings.bitsPerSecond == 0,
                    "PriorityFlowControlHelper: the device does not say its rate");
    return ComputeHeadroom(settings);
}

uint64_t
PriorityFlowControlHelper::FindHeadroom(Ptr<EthernetNetDevice> device) const
{
    const auto chip = device->GetNode()->GetObject<SwitchChip>();
    if (chip && chip->GetProfile().headroom > 0)
    {
        return chip->GetProfile().headroom;
    }
    if (chip && !chip->GetResponseTime())
    {
        const double meters =
            GetLinkDelay(device).GetNanoSeconds() / SwitchChip::NANOSECONDS_A_METER;
        if (const uint64_t published = chip->FindHeadroom(GetLinkRate(device), meters))
        {
            return published;
        }
    }
    return GetHeadroom(device).GetSum();
}

Ptr<IngressBuffer>
PriorityFlowControlHelper::MakeIngress(Ptr<EthernetNetDevice> device) const
{
    const auto ingress = m_ingressFactory.Create<IngressBuffer>();
    const auto set = [&](const std::string& name, const AttributeValue& value) {
        if (m_ingressNames.count(name) == 0)
        {
            SetDerived(*ingress, name, value);
        }
    };
    const auto toSize = [](uint64_t bytes) { return QueueSizeValue(ToQueueSize(bytes)); };
    if (m_ingressNames.count("Headroom") == 0)
    {
        const uint64_t headroom = FindHeadroom(device);
        AIDC_REFUSED_IF(headroom > std::numeric_limits<uint32_t>::max(),
                        "PriorityFlowControlHelper: a headroom of " << headroom
                                                                    << " bytes is too much");
        set("Headroom", toSize(headroom));
    }
    if (const auto chip = device->GetNode()->GetObject<SwitchChip>())
    {
        const auto& profile = chip->GetProfile();
        set("XoffAlpha", DoubleValue(profile.xoffAlpha));
        set("Reserved", toSize(profile.ingressReserved));
        set("Xon", toSize(profile.xon));
        set("XonOffset", toSize(profile.xonOffset));
    }
    return ingress;
}

Ptr<PriorityFlowControl>
PriorityFlowControlHelper::InstallPort(Ptr<EthernetNetDevice> device) const
{
    auto control = m_controlFactory.Create<PriorityFlowControl>();
    if (!m_hasPriorities)
    {
        uint32_t enabled = 0;
        for (const uint32_t priority : m_priorities)
        {
            enabled |= 1U << priority;
        }
        SetDerived(*control, "Priorities", UintegerValue(enabled));
    }
    control->Install(device);
    return control;
}

void
PriorityFlowControlHelper::InstallSwitches(const NodeContainer& nodes) const
{
    for (auto it = nodes.Begin(); it != nodes.End(); ++it)
    {
        NetDeviceContainer ports;
        for (uint32_t i = 0; i < (*it)->GetNDevices(); ++i)
        {
            ports.Add((*it)->GetDevice(i));
        }
        InstallSwitch(*it, ports);
    }
}

void
PriorityFlowControlHelper::InstallSwitch(Ptr<Node> node, const NetDeviceContainer& ports) const
{
    FabricRole::Check(node, FabricRole::SWITCH, "PriorityFlowControlHelper::InstallSwitches()");
    const auto buffer = node->GetObject<SharedBuffer>();
    AIDC_REFUSED_UNLESS(buffer,
                        "PriorityFlowControlHelper: node " << node->GetId()
                                                           << " is no switch with a SharedBuffer");
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const auto device = DynamicCast<EthernetNetDevice>(node->GetDevice(i));
        if (!device)
        {
            continue;
        }
        const auto root = GetSwitchPort(device);
        AIDC_REFUSED_UNLESS(root && !root->IsInitialized(),
                            "PriorityFlowControlHelper: port "
                                << i << " of node " << node->GetId()
                                << " needs a SwitchPortQueueDisc that is not in use yet");
        root->SetIngressPortReader([](const QueueDiscItem& item) -> uint32_t {
            return GetFrameContext(item).ingressPort;
        });
        const bool stopsPeer = std::find(ports.Begin(), ports.End(), device) != ports.End();
        Ptr<PriorityFlowControl> control;
        if (stopsPeer)
        {
            device->SetKeepContext(true);
            control = InstallPort(device);
        }
        for (const uint32_t priority : m_priorities)
        {
            AIDC_REFUSED_IF(priority >= root->GetNClasses(),
                            "PriorityFlowControlHelper: port " << i << " of node " << node->GetId()
                                                               << " has no class " << priority);
            root->GetClass(priority)->SetAttribute("Lossless", BooleanValue(true));
            if (!control)
            {
                continue;
            }
            const auto ingress = MakeIngress(device);
            // The buffer lives no longer than the port: both are parts of the node.
            ingress->SetPauseCallback(
                IngressBuffer::PauseCallback([port = PeekPointer(control), priority](bool xoff) {
                    port->SetXoff(priority, xoff);
                }));
            buffer->AddIngress(i, priority, ingress);
        }
    }
}

void
PriorityFlowControlHelper::InstallHosts(const NodeContainer& nodes) const
{
    for (auto it = nodes.Begin(); it != nodes.End(); ++it)
    {
        FabricRole::Check(*it, FabricRole::HOST, "PriorityFlowControlHelper::InstallHosts()");
        for (uint32_t i = 0; i < (*it)->GetNDevices(); ++i)
        {
            if (const auto device = DynamicCast<EthernetNetDevice>((*it)->GetDevice(i)))
            {
                InstallHostPort(device);
                InstallPort(device);
            }
        }
    }
}

void
PriorityFlowControlHelper::InstallHostPort(Ptr<EthernetNetDevice> device) const
{
    if (GetSwitchPort(device))
    {
        return;
    }
    ObjectFactory ports = m_hostPortFactory;
    if (!m_hasHostBuffer) // a host has memory in plenty
    {
        SetDerived(ports, "BufferSize", QueueSizeValue(QueueSize("1000MB")));
    }
    const auto root = ports.Create<SwitchPortQueueDisc>();
    // What the peer will see, and stop. The port lives as long as its node, which has the root.
    root->SetPriorityReader([port = PeekPointer(device)](const QueueDiscItem& item) {
        return port->GetTagPriority(GetFrameContext(item));
    });
    ObjectFactory queueDiscs("ns3::FifoQueueDisc");
    SetDerived(queueDiscs, "MaxSize", QueueSizeValue(QueueSize("1000MB")));
    for (uint32_t i = 0; i < PFC_PRIORITIES; ++i)
    {
        const auto qdClass = CreateObject<SwitchPortClass>();
        qdClass->SetQueue(queueDiscs.Create());
        root->AddClass(qdClass);
    }
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    if (layer->GetRootQueueDiscOnDevice(device))
    {
        layer->DeleteRootQueueDiscOnDevice(device);
    }
    layer->SetRootQueueDiscOnDevice(device, root);
}

} // namespace ns3::aidc

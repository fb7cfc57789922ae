/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-link-failures.h"

#include "fabric-interface.h"

#include "ns3/aidc-input-error.h"
#include "ns3/error-model.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricLinkFailures");

FabricLinkFailures::FabricLinkFailures(const FabricPlan& fabric,
                                       const NodeContainer& nodes,
                                       const std::vector<Ptr<NetDevice>>& devices,
                                       ConvergeCallback converge)
    : m_fabric(fabric),
      m_nodes(nodes),
      m_devices(devices),
      m_converge(std::move(converge))
{
}

void
FabricLinkFailures::SetDetectionDelay(Time delay)
{
    m_detectionDelay = delay;
}

void
FabricLinkFailures::SetConvergenceDelay(Time delay)
{
    m_convergenceDelay = delay;
}

void
FabricLinkFailures::CheckLink(uint32_t link) const
{
    if (link >= m_fabric.GetLinks().size())
    {
        throw AidcInputError(m_fabric.GetName(),
                             0,
                             "a link from 0 to " + std::to_string(m_fabric.GetLinks().size() - 1),
                             std::to_string(link));
    }
}

void
FabricLinkFailures::SetBroken(uint32_t link, bool isBroken)
{
    NS_LOG_FUNCTION(this << link << isBroken);
    Wire& wire = GetWire(link);
    if (wire.isBroken == isBroken)
    {
        return;
    }
    wire.isBroken = isBroken;
    for (const auto& side : wire.sides)
    {
        if (side)
        {
            side->SetBroken(isBroken);
        }
    }
    // What did not last has no consequences.
    wire.detection.Cancel();
    wire.convergence.Cancel();
    wire.detection = Simulator::Schedule(m_detectionDelay, &FabricLinkFailures::Detect, this, link);
    wire.convergence = Simulator::Schedule(m_detectionDelay + m_convergenceDelay,
                                           &FabricLinkFailures::Converge,
                                           this,
                                           link);
}

FabricLinkFailures::Wire&
FabricLinkFailures::GetWire(uint32_t link)
{
    const auto [wire, isNew] = m_wires.emplace(link, Wire());
    for (uint32_t end = 0; isNew && end < 2; ++end)
    {
        const auto device = m_devices[2 * link + end];
        if (!device)
        {
            continue;
        }
        PointerValue other;
        device->GetAttribute("ReceiveErrorModel", other);
        auto side = CreateObject<BreakableLinkErrorModel>();
        side->SetOther(other.Get<ErrorModel>());
        device->SetAttribute("ReceiveErrorModel", PointerValue(side));
        wire->second.sides[end] = side;
    }
    return wire->second;
}

void
FabricLinkFailures::Detect(uint32_t link)
{
    const bool isUp = !GetWire(link).isBroken;
    const FabricLink& plan = m_fabric.GetLinks()[link];
    NS_LOG_INFO(m_fabric.GetPortName(plan.a, plan.aPort) << " is " << (isUp ? "up" : "down"));
    for (const auto& [id, port] : {std::pair(plan.a, plan.aPort), std::pair(plan.b, plan.bPort)})
    {
        if (m_fabric.GetRank(id) != Simulator::GetSystemId())
        {
            continue;
        }
        const auto ipv4 = m_nodes.Get(id)->GetObject<Ipv4>();
        const uint32_t interface = GetInterfaceOfPort(port);
        if (isUp && !ipv4->IsUp(interface))
        {
            ipv4->SetUp(interface);
        }
        else if (!isUp && ipv4->IsUp(interface))
        {
            ipv4->SetDown(interface);
        }
    }
}

void
FabricLinkFailures::Converge(uint32_t link)
{
    m_converge(link, !GetWire(link).isBroken);
}

uint64_t
FabricLinkFailures::GetLostPackets() const
{
    uint64_t lost = 0;
    for (const auto& [link, wire] : m_wires)
    {
        for (const auto& side : wire.sides)
        {
            lost += side ? side->GetLostPackets() : 0;
        }
    }
    return lost;
}

} // namespace ns3::aidc

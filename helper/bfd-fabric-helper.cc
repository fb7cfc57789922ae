/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bfd-fabric-helper.h"

#include "fabric-interface.h"

#include "ns3/fabric-plan.h"

namespace ns3::aidc
{

BfdFabricHelper::BfdFabricHelper()
{
    SetTimes(MilliSeconds(50));
    m_factory.BlockNextHops();
}

void
BfdFabricHelper::SetTimes(Time interval, uint8_t multiplier)
{
    m_factory.Set(interval, multiplier);
}

ApplicationContainer
BfdFabricHelper::Install(FabricHelper& network) const
{
    ApplicationContainer speakers;
    const FabricPlan& plan = network.GetFabric();
    for (const NodeIndex node : plan.GetSwitches())
    {
        if (!network.IsLocal(node))
        {
            continue;
        }
        const auto speaker = m_factory.Install(network.GetNode(node));
        const auto& ports = plan.GetPorts(node);
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            const NodeIndex peer = ports[port].peer;
            if (plan.IsSwitch(peer))
            {
                speaker->AddSession(GetInterfaceOfPort(port), network.GetAddress(peer));
            }
        }
        speakers.Add(speaker);
    }
    return speakers;
}

int64_t
BfdFabricHelper::AssignStreams(const FabricHelper& network, int64_t stream) const
{
    int64_t next = stream;
    for (const NodeIndex node : network.GetFabric().GetSwitches())
    {
        next += m_factory.AssignStreams(network.GetNode(node), next);
    }
    return next - stream;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "bfd-fabric-helper.h"

#include "fabric-interface.h"

#include "ns3/bfd-speaker.h"
#include "ns3/boolean.h"
#include "ns3/fabric-plan.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

BfdFabricHelper::BfdFabricHelper()
{
    SetTimes(MilliSeconds(50));
}

void
BfdFabricHelper::SetTimes(Time interval, uint8_t multiplier)
{
    m_factory = MakeSpeakers(interval, multiplier);
    m_factory.Set("BlockNextHops", BooleanValue(true));
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
        const auto speaker = m_factory.Create<BfdSpeaker>();
        network.GetNode(node)->AddApplication(speaker);
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
BfdFabricHelper::AssignStreams(const FabricHelper& network, int64_t stream)
{
    int64_t next = stream;
    for (const NodeIndex node : network.GetFabric().GetSwitches())
    {
        if (const auto speaker = BfdSpeaker::Find(network.GetNode(node)))
        {
            speaker->AssignStreams(next);
        }
        ++next;
    }
    return next - stream;
}

ObjectFactory
BfdFabricHelper::MakeSpeakers(Time interval, uint8_t multiplier)
{
    ObjectFactory factory("ns3::aidc::BfdSpeaker");
    factory.Set("DesiredMinTx", TimeValue(interval));
    factory.Set("RequiredMinRx", TimeValue(interval));
    factory.Set("DetectMultiplier", UintegerValue(multiplier));
    return factory;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-helper.h"

#include "ns3/abort.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"

namespace ns3::aidc
{

RoceHelper::RoceHelper()
    : m_factory("ns3::aidc::RoceNic")
{
}

void
RoceHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
RoceHelper::Install(const NodeContainer& hosts) const
{
    for (auto it = hosts.Begin(); it != hosts.End(); ++it)
    {
        const Ptr<Node> host = *it;
        const auto nic = m_factory.Create<RoceNic>();
        nic->Install(host);
        const auto ipv4 = host->GetObject<Ipv4>();
        for (uint32_t i = 0; ipv4 && i < host->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<EthernetNetDevice>(host->GetDevice(i));
            const int32_t interface = device ? ipv4->GetInterfaceForDevice(device) : -1;
            if (interface >= 0 && ipv4->GetNAddresses(static_cast<uint32_t>(interface)) > 0)
            {
                nic->AddPort(device,
                             ipv4->GetAddress(static_cast<uint32_t>(interface), 0).GetLocal());
            }
        }
        NS_ABORT_MSG_IF(nic->GetNPorts() == 0,
                        "RoceHelper: node " << host->GetId()
                                            << " has no Ethernet port with an IPv4 address");
    }
}

Ptr<RoceNic>
RoceHelper::GetNic(Ptr<Node> host)
{
    const auto nic = host->GetObject<RoceNic>();
    NS_ABORT_MSG_UNLESS(nic, "RoceHelper: node " << host->GetId() << " has no RoceNic");
    return nic;
}

std::pair<uint32_t, uint32_t>
RoceHelper::Connect(Ptr<RoceNic> a, Ptr<RoceNic> b, Time baseRtt)
{
    const uint32_t first = a->Create();
    const uint32_t port = a->GetPortOf(first);
    const uint32_t second = b->CreateAt(port % b->GetNPorts());
    a->Connect(first, b->GetAddress(b->GetPortOf(second)), second, baseRtt);
    b->Connect(second, a->GetAddress(port), first, baseRtt);
    return {first, second};
}

} // namespace ns3::aidc

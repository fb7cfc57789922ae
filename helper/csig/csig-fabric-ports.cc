/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-fabric-ports.h"

#include "ns3/abort.h"
#include "ns3/csig-agent.h"
#include "ns3/csig-port.h"
#include "ns3/ethernet-net-device.h"

namespace ns3::aidc
{

CsigFabricPorts::CsigFabricPorts(const FabricHelper& network, CsigFormat format)
    : m_fabric(network.GetFabric())
{
    for (const NodeIndex node : m_fabric.GetSwitches())
    {
        for (PortIndex port; port < m_fabric.GetPorts(node).GetEnd(); ++port)
        {
            const auto device = DynamicCast<EthernetNetDevice>(network.GetPort(node, port));
            const auto csig = device ? DynamicCast<CsigPort>(device->GetTagProcessor()) : nullptr;
            const std::string name = m_fabric.GetPortName(node, port);
            NS_ABORT_MSG_IF(!csig || !csig->GetAgent(),
                            "CsigFabricPorts: expected "
                                << name << " to have a CsigPort that updates tags");
            const uint16_t locator = csig->GetAgent()->GetLocator(format);
            m_locators[node].Add(locator);
            const auto [found, isNew] = m_names.emplace(locator, name);
            NS_ABORT_MSG_IF(!isNew,
                            "CsigFabricPorts: expected a layout by which all ports differ, but "
                                << found->second << " and " << name << " have the same LM");
        }
    }
}

const IndexedVector<PortIndex, uint16_t>&
CsigFabricPorts::GetLocators(NodeIndex node) const
{
    return m_locators.at(node);
}

std::vector<uint16_t>
CsigFabricPorts::GetLocatorsOfLink(LinkIndex link) const
{
    const auto& ends = m_fabric.GetLinks().at(link);
    return {m_locators.at(ends.a).at(ends.aPort), m_locators.at(ends.b).at(ends.bPort)};
}

const std::map<uint16_t, std::string>&
CsigFabricPorts::GetNames() const
{
    return m_names;
}

} // namespace ns3::aidc

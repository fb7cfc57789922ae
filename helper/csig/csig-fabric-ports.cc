/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-fabric-ports.h"

#include "../../model/core/require-argument.h"
#include "../csig-port-locators.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace ns3::aidc
{

CsigFabricPorts::CsigFabricPorts(const FabricHelper& network)
    : m_fabric(network.GetFabric())
{
    std::array<std::set<uint16_t>, 2> shared;
    std::string twins;
    const auto known = GatherCsigPortLocators(network);
    auto next = known.begin();
    for (const NodeIndex node : m_fabric.GetSwitches())
    {
        for (PortIndex port; port < m_fabric.GetPorts(node).GetEnd(); ++port, ++next)
        {
            const std::string name = m_fabric.GetPortName(node, port);
            AIDC_REFUSED_IF(next == known.end() || next->node != node || next->port != port,
                            "CsigFabricPorts: expected "
                                << name << " to have a CsigPort that updates tags");
            for (std::size_t index = 0; index < next->locators.size(); ++index)
            {
                const auto& locators = next->locators[index];
                const uint16_t locator = locators.front();
                AIDC_REFUSED_IF(
                    std::count(locators.begin(), locators.end(), locator) != CSIG_SIGNALS,
                    "CsigFabricPorts: expected all signals to have one layout of the locator");
                m_locators[index][node].Add(locator);
                const auto [found, isNew] = m_names[index].emplace(locator, name);
                if (!isNew && shared[index].insert(locator).second)
                {
                    twins = found->second + " and " + name;
                }
            }
        }
    }
    AIDC_REFUSED_IF(!shared[0].empty() && !shared[1].empty(),
                    "CsigFabricPorts: expected a layout by which all ports differ, but "
                        << twins << " have the same LM");
    for (std::size_t index = 0; index < shared.size(); ++index)
    {
        for (const uint16_t locator : shared[index])
        {
            m_names[index].erase(locator);
        }
    }
}

std::optional<std::string>
CsigFabricPorts::GetName(const CsigFields& fields) const
{
    const auto& names = GetNames(fields.format);
    const auto found = names.find(fields.locator);
    return found == names.end() ? std::nullopt : std::make_optional(found->second);
}

std::optional<uint16_t>
CsigFabricPorts::GetLocator(NodeIndex node, PortIndex port, CsigFormat format) const
{
    const auto index = static_cast<std::size_t>(format);
    const uint16_t locator = m_locators[index].at(node).at(port);
    return m_names[index].count(locator) == 0 ? std::nullopt : std::make_optional(locator);
}

std::vector<uint16_t>
CsigFabricPorts::GetLocatorsOfLink(LinkIndex link) const
{
    const auto& ends = m_fabric.GetLinks().at(link);
    return {GetLocators(ends.a).at(ends.aPort), GetLocators(ends.b).at(ends.bPort)};
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-fabric-ports.h"

#include "../model/core/require-argument.h"

#include "ns3/csig-port.h"
#include "ns3/csig-queue-port.h"
#include "ns3/process-gather.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>

namespace ns3::aidc
{

void
CsigPortDirectory::Add(const CsigAgent::Locators& locators, const Port& port)
{
    for (std::size_t format = 0; format < locators.size(); ++format)
    {
        for (std::size_t signal = 0; signal < CSIG_SIGNALS; ++signal)
        {
            const auto [found, isNew] =
                m_ports[format][signal].emplace(locators[format][signal], port);
            if (!isNew)
            {
                found->second = {};
            }
        }
    }
}

const CsigPortDirectory::Port*
CsigPortDirectory::Find(const CsigDomain& domain, const CsigFields& fields) const
{
    const auto signal = domain.GetSignals().Find(fields.type);
    if (!signal)
    {
        return nullptr;
    }
    const auto& ports =
        m_ports[static_cast<std::size_t>(fields.format)][static_cast<std::size_t>(*signal)];
    const auto found =
        ports.find(domain.GetLayout(fields.format, *signal).SetTtl(fields.locator, 0));
    return found == ports.end() || found->second.name.empty() ? nullptr : &found->second;
}

namespace
{

/// @return its agent; null if it updates no tags
Ptr<CsigAgent>
FindAgent(Ptr<NetDevice> device)
{
    if (const auto port = device->GetObject<CsigPort>())
    {
        return port->GetAgent();
    }
    const auto port = device->GetObject<CsigQueuePort>();
    return port ? port->GetAgent() : nullptr;
}

} // namespace

std::vector<CsigPortLocators>
GatherCsigPortLocators(const FabricHelper& network)
{
    const FabricPlan& fabric = network.GetFabric();
    std::vector<CsigPortLocators> own;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        for (PortIndex port; network.IsLocal(node) && port < fabric.GetPorts(node).GetEnd(); ++port)
        {
            const auto agent = FindAgent(network.GetPort(node, port));
            if (agent)
            {
                own.push_back({node, port, agent->GetLocators()});
            }
        }
    }
    auto all = GatherItems(own);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tie(a.node, a.port) < std::tie(b.node, b.port);
    });
    return all;
}

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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-port-locators.h"

#include "../model/core/csig/csig-fields.h"

#include "ns3/csig-agent.h"
#include "ns3/csig-port.h"
#include "ns3/csig-queue-port.h"
#include "ns3/process-gather.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace ns3::aidc
{

void
CsigPortDirectory::Add(const Locators& locators, const Port& port)
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

CsigPortDirectory::Locators
ReadCsigLocators(const CsigAgent& agent)
{
    CsigPortDirectory::Locators all{};
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        auto& locators = all[static_cast<std::size_t>(format)];
        for (std::size_t signal = 0; signal < CSIG_SIGNALS; ++signal)
        {
            locators[signal] = agent.GetLocator(format, static_cast<CsigSignal>(signal));
        }
    }
    return all;
}

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
                own.push_back({node, port, ReadCsigLocators(*agent)});
            }
        }
    }
    auto all = GatherItems(own);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tie(a.node, a.port) < std::tie(b.node, b.port);
    });
    return all;
}

} // namespace ns3::aidc

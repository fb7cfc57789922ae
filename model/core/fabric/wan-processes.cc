/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-processes.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

WanProcesses::WanProcesses(const WanPlan& plan, uint32_t nProcesses)
    : m_nProcesses(nProcesses),
      m_nSites(plan.GetNSites()),
      m_routers(plan.GetRouters().size())
{
    if (nProcesses == 0 || m_nSites == 0)
    {
        throw std::invalid_argument("expected at least 1 process and 1 data center, found " +
                                    std::to_string(nProcesses) + " and " +
                                    std::to_string(m_nSites));
    }
    IndexedVector<NodeIndex, uint8_t> isKnown(plan.GetRouters().size());
    std::deque<NodeIndex> open;
    for (uint32_t site = 0; site < m_nSites; ++site)
    {
        for (const NodeIndex edge : plan.GetEdges(site))
        {
            m_routers[edge] = GetFirst(site);
            isKnown[edge] = 1;
            open.push_back(edge);
        }
    }
    for (; !open.empty(); open.pop_front())
    {
        for (const auto& port : plan.GetPorts(open.front()))
        {
            if (isKnown[port.peer] == 0)
            {
                m_routers[port.peer] = m_routers[open.front()];
                isKnown[port.peer] = 1;
                open.push_back(port.peer);
            }
        }
    }
}

uint32_t
WanProcesses::GetFirst(uint32_t site) const
{
    return static_cast<uint32_t>(uint64_t{site} * m_nProcesses / m_nSites);
}

uint32_t
WanProcesses::GetN(uint32_t site) const
{
    return std::max(GetFirst(site + 1) - GetFirst(site), 1U);
}

void
WanProcesses::Assign(uint32_t site, FabricPlan& fabric) const
{
    fabric.AssignProcesses(GetN(site));
    IndexedVector<NodeIndex, uint32_t> processes(fabric.GetNNodes());
    for (NodeIndex node; node < processes.GetEnd(); ++node)
    {
        processes[node] = GetFirst(site) + fabric.GetProcess(node);
    }
    fabric.SetProcesses(processes, m_nProcesses);
}

} // namespace ns3::aidc

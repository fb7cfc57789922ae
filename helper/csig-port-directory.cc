/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-port-directory.h"

#include "ns3/csig-agent.h"

namespace ns3::aidc
{

void
CsigPortDirectory::Add(const CsigAgent& agent, const Port& port)
{
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        auto& ports = m_ports[static_cast<std::size_t>(format)];
        const auto [found, isNew] = ports.emplace(agent.GetLocator(format), port);
        if (!isNew)
        {
            found->second = {};
        }
    }
}

const CsigPortDirectory::Port*
CsigPortDirectory::Find(const CsigDomain& domain, const CsigFields& fields) const
{
    const auto& ports = m_ports[static_cast<std::size_t>(fields.format)];
    const auto found = ports.find(domain.GetLayout(fields.format).SetTtl(fields.locator, 0));
    return found == ports.end() || !found->second.device ? nullptr : &found->second;
}

} // namespace ns3::aidc

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
        for (std::size_t signal = 0; signal < CSIG_SIGNALS; ++signal)
        {
            auto& ports = m_ports[static_cast<std::size_t>(format)][signal];
            const auto locator = agent.GetLocator(format, static_cast<CsigSignal>(signal));
            const auto [found, isNew] = ports.emplace(locator, port);
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
    return found == ports.end() || !found->second.device ? nullptr : &found->second;
}

} // namespace ns3::aidc

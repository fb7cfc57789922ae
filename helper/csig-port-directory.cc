/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-port-directory.h"

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

} // namespace ns3::aidc

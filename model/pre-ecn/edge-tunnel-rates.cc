/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-tunnel-rates.h"

#include <algorithm>

namespace ns3::aidc
{

void
EdgeTunnelRates::NoteTold(EdgeTunnel& tunnel, int64_t now, const EdgeRateLaw::Told& told)
{
    if (told.rate == EdgeRateLaw::UNLIMITED)
    {
        return;
    }
    auto known =
        std::find_if(m_beginnings.begin(), m_beginnings.end(), [&tunnel](const auto& beginning) {
            return beginning.tunnel == &tunnel;
        });
    if (known == m_beginnings.end())
    {
        known = m_beginnings.insert(known, {&tunnel, told, 0});
    }
    known->told = told;
    known->end = now + told.validity;
}

const EdgeTunnelRates::Beginning*
EdgeTunnelRates::FindBeginning(const IpTunnelNetDevice& device, int64_t now)
{
    const auto known =
        std::find_if(m_beginnings.begin(), m_beginnings.end(), [&device](const auto& beginning) {
            return PeekPointer(beginning.tunnel->device) == &device;
        });
    if (known == m_beginnings.end())
    {
        return nullptr;
    }
    if (now >= known->end)
    {
        m_beginnings.erase(known);
        return nullptr;
    }
    return &*known;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tunnel-keepalives.h"

#include <utility>

namespace ns3::aidc
{

void
TunnelKeepalives::Restart(bool isOn)
{
    for (auto& path : m_paths)
    {
        path.unanswered = 0;
        path.isSilent = path.isSilent && isOn;
    }
}

void
TunnelKeepalives::Begin(uint32_t misses)
{
    for (auto& path : m_paths)
    {
        path.isSilent = path.isSilent || path.unanswered >= misses;
    }
}

bool
TunnelKeepalives::NotifyReturned(uint32_t path)
{
    m_paths[path].unanswered = 0;
    return std::exchange(m_paths[path].isSilent, false);
}

} // namespace ns3::aidc

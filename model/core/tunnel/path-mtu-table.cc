/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-mtu-table.h"

#include <iterator>
#include <limits>

namespace ns3::aidc
{

bool
PathMtuTable::Lower(uint32_t destination, uint32_t mtu, int64_t now)
{
    if (mtu >= Get(destination))
    {
        return false;
    }
    m_entries[destination] = {mtu, now};
    return true;
}

uint32_t
PathMtuTable::Get(uint32_t destination) const
{
    const auto found = m_entries.find(destination);
    return found != m_entries.end() ? found->second.mtu : std::numeric_limits<uint32_t>::max();
}

bool
PathMtuTable::Forget(int64_t now, int64_t timeout)
{
    bool isAny = false;
    for (auto entry = m_entries.begin(); entry != m_entries.end();)
    {
        const bool isOld = now - entry->second.time >= timeout;
        isAny = isAny || isOld;
        entry = isOld ? m_entries.erase(entry) : std::next(entry);
    }
    return isAny;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-attribute-pool.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace ns3::aidc
{

BgpSharedAttributes
BgpAttributePool::Intern(BgpPathAttributes attributes)
{
    const uint64_t hash = HashBgpPathAttributes(attributes);
    const auto [begin, end] = m_objects.equal_range(hash);
    const auto known = std::find_if(begin, end, [&attributes](const auto& entry) {
        return *entry.second == attributes;
    });
    if (known != end)
    {
        return known->second;
    }
    if (m_objects.size() >= m_nextSweep)
    {
        Sweep();
    }
    auto object = std::make_shared<const BgpPathAttributes>(std::move(attributes));
    m_objects.emplace(hash, object);
    return object;
}

void
BgpAttributePool::Sweep()
{
    for (auto entry = m_objects.begin(); entry != m_objects.end();)
    {
        entry = entry->second.use_count() == 1 ? m_objects.erase(entry) : std::next(entry);
    }
    m_nextSweep = std::max(MIN_SWEEP, 2 * m_objects.size());
}

} // namespace ns3::aidc

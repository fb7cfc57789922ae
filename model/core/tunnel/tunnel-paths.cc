// SPDX-License-Identifier: GPL-2.0-only

#include "tunnel-paths.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::aidc
{

void
TunnelPathChoice::RestartKeepalives(bool isOn)
{
    for (auto& path : m_paths)
    {
        path.unanswered = 0;
        path.isSilent = path.isSilent && isOn;
    }
}

void
TunnelPathChoice::BeginKeepalives(uint32_t misses)
{
    for (auto& path : m_paths)
    {
        path.isSilent = path.isSilent || path.unanswered >= misses;
    }
}

bool
TunnelPathChoice::NotifyReturned(uint32_t path)
{
    m_paths[path].unanswered = 0;
    return std::exchange(m_paths[path].isSilent, false);
}

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

void
TunnelPathChoice::Reset(uint32_t n)
{
    m_paths.assign(n, Path());
    m_chosen = NONE;
}

bool
TunnelPathChoice::SetUp(uint32_t path, bool isUp, int64_t now)
{
    Path& state = m_paths.at(path);
    if (state.isUp == isUp)
    {
        return false;
    }
    state.isUp = isUp;
    state.hasFailed = true;
    state.upSince = now;
    return true;
}

uint32_t
TunnelPathChoice::Choose(int64_t now, int64_t hold)
{
    uint32_t first = NONE;
    for (uint32_t i = 0; i < m_paths.size(); ++i)
    {
        const Path& path = m_paths[i];
        if (!path.isUp)
        {
            continue;
        }
        if (i == m_chosen || !path.hasFailed || now - path.upSince >= hold)
        {
            return m_chosen = i;
        }
        first = std::min(first, i);
    }
    return m_chosen = first;
}

std::optional<int64_t>
TunnelPathChoice::GetNextChoice(int64_t now, int64_t hold) const
{
    std::optional<int64_t> next;
    // The paths before the chosen one are down, or wait.
    for (uint32_t i = 0; i < m_paths.size() && i < m_chosen; ++i)
    {
        if (m_paths[i].isUp)
        {
            const int64_t end = std::max(now, m_paths[i].upSince + hold);
            next = next ? std::min(*next, end) : end;
        }
    }
    return next;
}

} // namespace ns3::aidc

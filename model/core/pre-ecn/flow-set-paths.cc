// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-paths.h"

#include "../require-argument.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Before any time, so that the pause before the first packet is long.
constexpr int64_t LONG_AGO = std::numeric_limits<int64_t>::min() / 2;
/// The time since when a path is busy, for a path that is not.
constexpr int64_t NOT_BUSY = std::numeric_limits<int64_t>::max();
/// Differences of delays for which a path is busy before sets are forced to one that is shorter.
constexpr int64_t BUSY_DIFFERENCES = 2;

} // namespace

FlowSetPaths::FlowSetPaths(uint32_t nSets)
{
    AIDC_REQUIRE(nSets >= 1 && nSets <= MAX_SETS,
                 "number of flow sets: expected 1 to " + std::to_string(MAX_SETS) + ", found " +
                     std::to_string(nSets));
    Set set;
    set.lastPacket = LONG_AGO;
    m_sets.assign(nSets, set);
}

void
FlowSetPaths::Want(Set& set, int64_t now, uint32_t path, bool isReturning)
{
    set.wantedSince = path == set.canceled ? set.wantedSince : now;
    set.canceled = NONE;
    set.wanted = path;
    set.isReturning = isReturning;
}

void
FlowSetPaths::Put(Set& set, uint32_t path)
{
    set.path = path;
    set.wanted = NONE;
    set.canceled = NONE;
    set.isReturning = false;
    set.isDisplaced = false;
}

void
FlowSetPaths::SetHomes(int64_t now, const std::vector<uint32_t>& homes)
{
    for (std::size_t i = 0; i < m_sets.size(); ++i)
    {
        Set& set = m_sets[i];
        const bool isAtHome = set.path == set.home;
        set.home = homes.at(i);
        if (!isAtHome || set.path == set.home)
        {
            continue;
        }
        set.lastPacket == LONG_AGO ? Put(set, set.home) : Want(set, now, set.home, true);
    }
}

bool
FlowSetPaths::Flee(Set& set, const std::vector<Path>& paths)
{
    const auto nUp = static_cast<std::size_t>(
        std::count_if(paths.begin(), paths.end(), [](const Path& path) { return path.isUp; }));
    if (nUp == 0)
    {
        return false;
    }
    if (paths[set.home].isUp)
    {
        Put(set, set.home);
        return true;
    }
    // Sets spread over the remaining paths.
    std::size_t left = static_cast<std::size_t>(&set - m_sets.data()) % nUp;
    for (uint32_t i = 0; i < paths.size(); ++i)
    {
        if (paths[i].isUp && left-- == 0)
        {
            Put(set, i);
            break;
        }
    }
    set.isDisplaced = true;
    return true;
}

uint32_t
FlowSetPaths::NotifyPaths(int64_t now, const std::vector<Path>& paths)
{
    uint32_t nLeft = 0;
    for (Set& set : m_sets)
    {
        if (set.wanted != NONE && !paths[set.wanted].isUp)
        {
            set.wanted = NONE;
        }
        if (!paths[set.path].isUp)
        {
            nLeft += Flee(set, paths);
        }
        else if (set.isDisplaced && set.wanted == NONE && paths[set.home].isUp)
        {
            Want(set, now, set.home, true);
        }
    }
    return nLeft;
}

FlowSetPaths::Choice
FlowSetPaths::Choose(const Settings& settings,
                     int64_t now,
                     uint32_t index,
                     uint32_t bytes,
                     const std::vector<Path>& paths)
{
    Set& set = m_sets[index];
    Choice choice;
    choice.before = set.path;
    const int64_t pause = now - set.lastPacket;
    if (settings.returnTime > 0 && pause >= settings.returnTime && set.path != set.home &&
        paths[set.home].isUp)
    {
        Put(set, set.home);
    }
    else if (set.wanted != NONE && paths[set.wanted].isUp)
    {
        const int64_t shorter = paths[set.path].delay - paths[set.wanted].delay;
        const int64_t least = settings.gap + shorter;
        if (pause >= least)
        {
            Put(set, set.wanted);
        }
        else if (MayForce(set, settings, now, shorter))
        {
            choice.isForced = true;
            Put(set, set.wanted);
        }
    }
    set.lastPacket = now;
    set.bytes += bytes;
    choice.path = set.path;
    return choice;
}

bool
FlowSetPaths::MayForce(const Set& set, const Settings& settings, int64_t now, int64_t shorter) const
{
    if (settings.force == 0 || now - set.wantedSince < settings.force)
    {
        return false;
    }
    const int64_t since = set.path < m_busySince.size() ? m_busySince[set.path] : NOT_BUSY;
    return shorter <= settings.gap ||
           (since != NOT_BUSY && now - since >= BUSY_DIFFERENCES * shorter);
}

void
FlowSetPaths::NoteBusy(int64_t now, const std::vector<bool>& isBusy)
{
    m_busySince.resize(isBusy.size(), NOT_BUSY);
    for (std::size_t path = 0; path < isBusy.size(); ++path)
    {
        m_busySince[path] = isBusy[path] ? std::min(m_busySince[path], now) : NOT_BUSY;
    }
}

void
FlowSetPaths::Measure(int64_t now)
{
    const auto time = static_cast<double>(now - m_measuredAt);
    if (time <= 0)
    {
        return;
    }
    for (Set& set : m_sets)
    {
        set.rate = static_cast<double>(set.bytes) * 8e9 / time;
        set.bytes = 0;
    }
    m_measuredAt = now;
}

double
FlowSetPaths::GetRate(uint32_t path) const
{
    double rate = 0;
    for (const Set& set : m_sets)
    {
        rate += set.path == path ? set.rate : 0;
    }
    return rate;
}

uint32_t
FlowSetPaths::Count(uint32_t path) const
{
    return static_cast<uint32_t>(
        std::count_if(m_sets.begin(), m_sets.end(), [path](const Set& set) {
            return set.path == path;
        }));
}

void
FlowSetPaths::CancelMoves()
{
    for (Set& set : m_sets)
    {
        if (!set.isReturning)
        {
            set.canceled = set.wanted;
            set.wanted = NONE;
        }
    }
}

double
FlowSetPaths::Move(int64_t now, uint32_t from, uint32_t to, double amount)
{
    std::vector<Set*> candidates;
    for (Set& set : m_sets)
    {
        if (set.path == from && set.wanted == NONE && set.rate > 0)
        {
            candidates.push_back(&set);
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [to](const Set* a, const Set* b) {
        return std::pair(a->canceled == to, a->rate) > std::pair(b->canceled == to, b->rate);
    });
    for (Set* set : candidates)
    {
        if (set->rate <= amount)
        {
            Want(*set, now, to, false);
            amount -= set->rate;
        }
    }
    return amount;
}

bool
FlowSetPaths::MoveOne(int64_t now,
                      uint32_t from,
                      uint32_t to,
                      double amount,
                      double limit,
                      double draw)
{
    Set* slowest = nullptr;
    for (Set& set : m_sets)
    {
        if (set.path == from && set.wanted == NONE && set.rate > amount &&
            (!slowest || set.rate < slowest->rate))
        {
            slowest = &set;
        }
    }
    if (!slowest || slowest->rate > limit || draw * slowest->rate >= amount)
    {
        return false;
    }
    Want(*slowest, now, to, false);
    return true;
}

} // namespace ns3::aidc

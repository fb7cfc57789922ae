/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-share-law.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// Rounding errors do not part equal utilizations.
constexpr double EXACT = 1e-9;

} // namespace

double
PathShareLaw::ComputeLevel(const std::vector<PathLoad>& paths, std::vector<bool>& isPart)
{
    isPart.assign(paths.size(), false);
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        isPart[i] = paths[i].isUp;
    }
    double level = 0;
    // A path that is left out lowers the level, so that others may be left out, too.
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        double load = 0;
        double capacity = 0;
        for (std::size_t i = 0; i < paths.size(); ++i)
        {
            load += isPart[i] ? paths[i].load : 0;
            capacity += isPart[i] ? paths[i].capacity : 0;
        }
        level = capacity > 0 ? load / capacity : 0;
        for (std::size_t i = 0; i < paths.size(); ++i)
        {
            if (isPart[i] && paths[i].own <= 0 &&
                paths[i].load > (1 + EXACT) * level * paths[i].capacity)
            {
                isPart[i] = false;
                isChanged = true;
            }
        }
    }
    return level;
}

std::vector<PathShift>
PathShareLaw::Decide(const Settings& settings, const std::vector<PathLoad>& paths)
{
    std::vector<bool> isPart;
    const double level = ComputeLevel(paths, isPart);
    const auto getLack = [&](std::size_t i) {
        return isPart[i] ? std::max(0.0, level * paths[i].capacity - paths[i].load) : 0;
    };
    double lack = 0;
    double least = level;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        lack += getLack(i);
        least = isPart[i] ? std::min(least, paths[i].load / paths[i].capacity) : least;
    }
    std::vector<PathShift> shifts;
    for (std::size_t from = 0; from < paths.size(); ++from)
    {
        const PathLoad& path = paths[from];
        const double utilization = path.load / path.capacity;
        const double excess = path.load - level * path.capacity;
        if (!isPart[from] || path.own <= 0 || excess <= 0 ||
            utilization - least <= settings.deadBand || utilization <= settings.leastLoad)
        {
            continue;
        }
        // What the tunnel measures may be of a slightly other time than what it is told.
        const double amount = settings.gain * std::min(excess, path.own * excess / path.load);
        for (std::size_t to = 0; to < paths.size(); ++to)
        {
            if (const double part = getLack(to); part > 0)
            {
                shifts.push_back({static_cast<uint32_t>(from),
                                  static_cast<uint32_t>(to),
                                  amount * part / lack,
                                  std::min(excess, part)});
            }
        }
    }
    return shifts;
}

} // namespace ns3::aidc

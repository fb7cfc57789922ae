// SPDX-License-Identifier: GPL-2.0-only

#include "path-share-steering.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

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
        // The tunnel may have measured at a slightly different time than the router.
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

namespace
{

/// A set that exceeds the amount to move by no more moves: half of the difference is left then.
constexpr double MOST_OF_REST = 1.5;

} // namespace

std::optional<uint32_t>
PathShareSteering::React(const PathShareLaw::Settings& settings,
                         const LinkLoadReport& report,
                         int64_t now,
                         const std::vector<SharedTunnel*>& tunnels)
{
    const auto link = m_links.find({report.device, report.port});
    if (link == m_links.end())
    {
        return std::nullopt;
    }
    if (link->second.report && link->second.report->time >= report.time)
    {
        return 0; // it was overtaken by a later one
    }
    link->second.report = report;
    link->second.delay = now - static_cast<int64_t>(report.time);
    std::vector<Job> jobs;
    uint32_t nDecisions = 0;
    for (auto* tunnel : tunnels)
    {
        nDecisions += Decide(settings, *tunnel, now, jobs);
    }
    Move(jobs, now);
    return nDecisions;
}

void
PathShareSteering::NoteMove(const SharedTunnel& tunnel, uint32_t before, uint32_t path, int64_t now)
{
    for (const uint32_t i : {before, path})
    {
        for (const auto& link : tunnel.links[i])
        {
            m_links[link].lastMove = now;
        }
    }
}

std::optional<LinkKey>
PathShareSteering::FindTightest(const std::vector<LinkKey>& links, double leastLoad) const
{
    std::optional<LinkKey> tightest;
    double most = leastLoad;
    uint64_t capacity = std::numeric_limits<uint64_t>::max();
    for (const auto& key : links)
    {
        const auto& report = m_links.at(key).report;
        const double utilization =
            report ? report->GetLoad() / static_cast<double>(report->capacity) : 0;
        if (utilization > most)
        {
            tightest = key;
            most = utilization;
        }
        else if (report && most == leastLoad && report->capacity < capacity)
        {
            tightest = key;
            capacity = report->capacity;
        }
    }
    return tightest;
}

bool
PathShareSteering::Decide(const PathShareLaw::Settings& settings,
                          SharedTunnel& tunnel,
                          int64_t now,
                          std::vector<Job>& jobs)
{
    std::vector<PathLoad> loads(tunnel.paths.size());
    std::vector<LinkKey> tightest(tunnel.paths.size());
    std::vector<const LinkState*> states;
    uint64_t newest = 0;
    bool isSettled = true;
    for (uint32_t i = 0; i < tunnel.paths.size(); ++i)
    {
        const auto key = FindTightest(tunnel.links[i], settings.leastLoad);
        loads[i] = {1, 0, 0, key && tunnel.paths[i].isUp};
        if (!loads[i].isUp)
        {
            continue;
        }
        tightest[i] = *key;
        const LinkState& link = m_links.at(*key);
        const auto begin = static_cast<int64_t>(link.report->time - link.report->length);
        // The way there is taken to be as long as the way back.
        isSettled = isSettled && begin >= std::max(link.lastMove, tunnel.decidedAt) + link.delay;
        newest = std::max(newest, link.report->time);
        states.push_back(&link);
        loads[i].capacity = static_cast<double>(link.report->capacity);
        loads[i].load = link.report->GetLoad();
    }
    // Reports of the same time are waited for, but not reports that are under way for long.
    const bool isComplete = std::all_of(states.begin(), states.end(), [&](const LinkState* link) {
        const auto age = now - static_cast<int64_t>(newest);
        return link->report->time == newest ||
               link->delay > age + static_cast<int64_t>(link->report->length);
    });
    if (states.size() < 2 || !isComplete || newest <= tunnel.decidedOf)
    {
        return false;
    }
    tunnel.decidedOf = newest;
    tunnel.sets.Measure(now);
    if (!isSettled)
    {
        return false;
    }
    for (uint32_t i = 0; i < loads.size(); ++i)
    {
        loads[i].own = tunnel.sets.GetRate(i);
    }
    tunnel.sets.CancelMoves();
    const auto shifts = PathShareLaw::Decide(settings, loads);
    std::vector<bool> isBusy(loads.size());
    for (const auto& shift : shifts)
    {
        isBusy[shift.from] = true;
        jobs.push_back({&tunnel, shift, {tightest[shift.from], tightest[shift.to]}});
    }
    tunnel.sets.NoteBusy(now, isBusy);
    tunnel.decidedAt = shifts.empty() ? tunnel.decidedAt : now;
    return !shifts.empty();
}

void
PathShareSteering::Move(const std::vector<Job>& jobs, int64_t now)
{
    // The rest that fits no whole set of a tunnel is left to the next one between the same links.
    std::map<std::pair<LinkKey, LinkKey>, std::vector<const Job*>> groups;
    for (const auto& job : jobs)
    {
        groups[job.between].push_back(&job);
    }
    for (const auto& [links, group] : groups)
    {
        double left = 0;
        double others = group.front()->shift.excess;
        for (const auto* job : group)
        {
            const auto& shift = job->shift;
            left = job->tunnel->sets.Move(now, shift.from, shift.to, left + shift.amount);
            others -= shift.amount;
        }
        // Edges that act at once round the rest up or down by chance, each for itself.
        const SharedTunnel& first = *group.front()->tunnel;
        const uint32_t hash = HashFlow(first.ends, static_cast<uint32_t>(first.decidedOf / 1000));
        const double limit = MOST_OF_REST * (left + std::max(0.0, others));
        for (const auto* job : group)
        {
            const auto& [from, to, amount, excess] = job->shift;
            if (job->tunnel->sets.MoveOne(now, from, to, left, limit, std::ldexp(hash, -32)))
            {
                break;
            }
        }
    }
}

} // namespace ns3::aidc

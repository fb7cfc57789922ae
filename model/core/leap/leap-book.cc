/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "leap-book.h"

#include "../mix-bits.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Samples of a kind that have to agree with those of its family.
constexpr std::size_t N_COMPARED = 3;

/// How much of the accepted error they may differ.
constexpr double AGREEMENT = 0.1;

constexpr uint64_t CHECK_INTERVAL = 9; //!< how many are leapt for one that is checked

/// Sort by time. What starts and ends at once ends last, and all else ends before others start.
void
SortEvents(std::vector<LeapEvent>& events)
{
    std::set<std::tuple<int64_t, uint32_t, uint32_t>> starts;
    for (const LeapEvent& event : events)
    {
        if (event.kind == LeapEvent::Kind::STARTED)
        {
            starts.emplace(event.time, event.rank, event.operation);
        }
    }
    for (LeapEvent& event : events)
    {
        if (event.kind == LeapEvent::Kind::ENDED &&
            starts.count({event.time, event.rank, event.operation}) > 0)
        {
            event.kind = LeapEvent::Kind::ENDED_AT_ONCE;
        }
    }
    std::sort(events.begin(), events.end(), [](const LeapEvent& a, const LeapEvent& b) {
        return std::tie(a.time, a.kind, a.rank, a.operation, a.peer) <
               std::tie(b.time, b.kind, b.rank, b.operation, b.peer);
    });
}

} // namespace

LeapBook::LeapBook(const WorkloadPlan& plan, const LeapSettings& settings, LeapPlaces* places)
    : m_tasks(plan),
      m_settings(settings),
      m_states(m_tasks.GetN(), State::TO_COME),
      m_kinds(m_tasks.GetNKinds()),
      m_familyOf(m_tasks.GetNKinds()),
      m_families(m_tasks.GetFamilies().size())
{
    if (m_families.size() > MAX_FAMILIES)
    {
        throw std::invalid_argument(
            "a leap needs a workload of at most " + std::to_string(MAX_FAMILIES) +
            " kinds of collectives and messages, not " + std::to_string(m_families.size()));
    }
    for (uint32_t i = 0; i < m_tasks.GetN(); ++i)
    {
        m_familyOf[m_tasks.Get(i).kind] = m_tasks.Get(i).family;
    }
    for (uint32_t kind = 0; kind < m_kinds.size(); ++kind)
    {
        m_families[m_familyOf[kind]].kinds.push_back(kind);
    }
    FindTouching(places);
    if (places)
    {
        FindTwins(*places);
    }
}

void
LeapBook::FindTouching(LeapPlaces* places)
{
    std::map<uint32_t, std::set<uint32_t>> users; // by place, families
    for (uint32_t family = 0; family < m_families.size(); ++family)
    {
        std::set<uint32_t> own;
        for (const auto& way : m_tasks.GetWays(family))
        {
            if (places)
            {
                places->AddPlaces(way.from, way.to, own);
            }
            else
            {
                own.insert(0);
            }
            m_families[family].peers[way.from].push_back(way.to);
            m_families[family].bytes += !places || places->UsesFabric(way.from, way.to)
                                            ? static_cast<double>(way.bytes)
                                            : 0;
        }
        for (const uint32_t place : own)
        {
            users[place].insert(family);
        }
    }
    const auto& families = m_tasks.GetFamilies();
    for (const auto& [place, some] : users)
    {
        for (const uint32_t family : some)
        {
            Family& known = m_families[family];
            known.touching.insert(some.begin(), some.end());
            known.touchesOtherJob =
                known.touchesOtherJob || std::any_of(some.begin(), some.end(), [&](uint32_t other) {
                    return families[other].job != families[family].job;
                });
        }
    }
}

void
LeapBook::FindTwins(const LeapPlaces& places)
{
    std::map<uint32_t, uint32_t> leaders; // by likeness, the first family
    const double least = 2 * static_cast<double>(INTERVAL) / m_settings.error;
    for (uint32_t number = 0; number < m_families.size(); ++number)
    {
        const auto& tasks = m_tasks.GetFamilies()[number];
        Family& family = m_families[number];
        if (tasks.likeness == LeapTasks::NONE || family.touchesOtherJob ||
            family.touching != std::set<uint32_t>{number})
        {
            continue;
        }
        const uint32_t leader = leaders.emplace(tasks.likeness, number).first->second;
        const auto& leading = m_tasks.GetFamilies()[leader];
        const auto shape = places.GetShape(m_tasks.GetWays(number));
        const double rate = places.GetRate(tasks.ranks.front()) * 1e-9;
        if (leader != number && leading.tasks.size() == tasks.tasks.size() && !shape.empty() &&
            shape == places.GetShape(m_tasks.GetWays(leader)) &&
            8 * family.bytes / (rate * static_cast<double>(tasks.ranks.size())) >= least &&
            m_tasks.IsFirst(leading.tasks.front()))
        {
            family.leader = leader;
        }
    }
}

void
LeapBook::Follow()
{
    for (auto i = m_following.begin(); i != m_following.end();)
    {
        const auto& task = m_tasks.Get(*i);
        Family& family = m_families[task.family];
        const Family& leader = m_families[family.leader];
        const auto& tasks = m_tasks.GetFamilies()[family.leader];
        const auto other = m_active.find(tasks.tasks[task.round]);
        const bool isComing = other != m_active.end() && other->second.nStarts == tasks.nStarts;
        if (leader.nKnown <= task.round && (isComing || leader.nKnown == 0))
        {
            ++i;
            continue;
        }
        // If it does not wait for its leader, it ends as the one before
        Active& active = m_active.at(*i);
        EndAll(*i, leader.lastEnds);
        active.error = leader.lastError;
        const int64_t stagger = active.lastStart - active.firstStart;
        const int64_t longest = *std::max_element(leader.lastEnds.begin(), leader.lastEnds.end());
        if (static_cast<double>(std::abs(stagger - leader.lastStagger)) >
            m_settings.error * static_cast<double>(longest))
        {
            ++m_summary.nMistaken; // its members do not start as those of the leader
            family.leader = LeapTasks::NONE;
        }
        i = m_following.erase(i);
    }
}

void
LeapBook::EndAll(uint32_t task, const std::vector<int64_t>& ends)
{
    Active& active = m_active.at(task);
    for (uint32_t member = 0; member < ends.size(); ++member)
    {
        const int64_t time = active.lastStart + ends[member];
        const LeapEnd end{task, member, std::max(time, m_now)};
        active.late = std::max(active.late, static_cast<double>(end.time - time));
        m_coming.emplace(end.time, end);
        m_ends.push_back(end);
    }
}

std::vector<LeapEnd>
LeapBook::Take(std::vector<LeapEvent> events, int64_t now)
{
    SortEvents(events);
    m_ends.clear();
    const auto endUntil = [this](int64_t time) {
        while (!m_coming.empty() && m_coming.begin()->first <= time)
        {
            const LeapEnd end = m_coming.begin()->second;
            m_coming.erase(m_coming.begin());
            End(end.task, end.member, end.time);
        }
    };
    for (const LeapEvent& event : events)
    {
        endUntil(event.time);
        if (event.kind == LeapEvent::Kind::ARRIVED)
        {
            Arrive(event);
            continue;
        }
        const uint32_t task = m_tasks.Find(event.rank, event.operation);
        if (event.kind == LeapEvent::Kind::STARTED)
        {
            Start(event);
        }
        else if (m_states[task] == State::EXECUTED)
        {
            End(task, m_tasks.GetMember(event.rank, event.operation), event.time);
        }
    }
    endUntil(now);
    m_now = now;
    Follow();
    endUntil(now);
    return m_ends;
}

void
LeapBook::Start(const LeapEvent& event)
{
    const uint32_t task = m_tasks.Find(event.rank, event.operation);
    const auto& family = m_tasks.GetFamilies()[m_tasks.Get(task).family];
    const auto [found, isFirst] = m_active.try_emplace(task);
    Active& active = found->second;
    if (isFirst)
    {
        m_states[task] = event.isLeapt ? State::LEAPT : State::EXECUTED;
        ++(event.isLeapt ? m_nLeapt : m_nExecuted);
        active.firstStart = event.time;
        active.ends.resize(family.ranks.size());
        const auto& touching = m_families[m_tasks.Get(task).family].touching;
        for (const auto& [other, unused] : m_active)
        {
            const uint32_t otherFamily = m_tasks.Get(other).family;
            if (otherFamily != m_tasks.Get(task).family && touching.count(otherFamily) > 0)
            {
                Meet(task, other);
            }
        }
        if (event.isLeapt)
        {
            Kind& kind = m_kinds[m_tasks.Get(task).kind];
            active.estimate = kind.allowed;
            ++kind.nLeapt;
            ++m_families[m_tasks.Get(task).family].nLeapt;
            active.error = kind.allowed ? kind.allowed->series.GetError(kind.nLeapt) : 0;
        }
        else if (m_tasks.Get(task).IsMessage())
        {
            const auto& message = m_tasks.Get(task);
            m_onTheWay[{message.from, message.to, message.tag}].push_back(task);
        }
    }
    ++active.nStarts;
    active.lastStart = event.time;
    active.pace += static_cast<double>(event.pace);
    if (active.nStarts == family.nStarts && active.estimate)
    {
        EndAll(task, active.estimate->ends);
        KeepEnds(task, active, active.estimate->ends);
    }
    else if (active.nStarts == family.nStarts && m_states[task] == State::LEAPT)
    {
        m_following.insert(task);
    }
}

void
LeapBook::KeepEnds(uint32_t task, const Active& active, const std::vector<int64_t>& ends)
{
    Family& family = m_families[m_tasks.Get(task).family];
    family.nKnown = std::max(family.nKnown, m_tasks.Get(task).round + 1);
    family.lastEnds = ends;
    family.lastStagger = active.lastStart - active.firstStart;
    family.lastError = active.error;
}

void
LeapBook::Meet(uint32_t task, uint32_t other)
{
    Active& a = m_active.at(task);
    Active& b = m_active.at(other);
    a.neighbors.insert(m_tasks.Get(other).kind);
    b.neighbors.insert(m_tasks.Get(task).kind);
    if (m_states[task] != m_states[other])
    {
        a.isAlone = true;
        b.isAlone = true;
    }
}

void
LeapBook::Arrive(const LeapEvent& event)
{
    const auto found = m_onTheWay.find({event.peer, event.rank, event.operation});
    if (found != m_onTheWay.end() && !found->second.empty())
    {
        const uint32_t task = found->second.front();
        found->second.pop_front();
        End(task, 1, event.time);
    }
}

void
LeapBook::End(uint32_t task, uint32_t member, int64_t time)
{
    Active& active = m_active.at(task);
    active.ends[member] = time;
    if (++active.nEnds == active.ends.size())
    {
        Complete(task, time);
    }
}

void
LeapBook::Complete(uint32_t task, int64_t time)
{
    const Active active = std::move(m_active.at(task));
    m_active.erase(task);
    m_lastEnd = std::max(m_lastEnd, time);
    Family& family = m_families[m_tasks.Get(task).family];
    const auto duration = static_cast<double>(time - active.lastStart);
    if (m_states[task] == State::LEAPT)
    {
        --m_nLeapt;
        ++m_summary.nLeapt;
        m_summary.leaptBytes += family.bytes;
        family.leaptTime += duration;
        m_leaptTime += duration;
        m_leaptErrors += active.late + duration * active.error;
        if (active.estimate)
        {
            Verify(task, active);
        }
        else
        {
            ++m_summary.nFolded;
        }
        ChooseCheck(m_tasks.Get(task).family);
    }
    else
    {
        --m_nExecuted;
        m_lastExecutedEnd = std::max(m_lastExecutedEnd, time);
        ++m_summary.nExecuted;
        m_summary.executedBytes += family.bytes;
        family.executedTime += duration;
        AddSample(task, active);
    }
}

void
LeapBook::AddSample(uint32_t task, const Active& active)
{
    if (active.isAlone)
    {
        return; // what was leapt beside it has not been in its way
    }
    const uint32_t number = m_tasks.Get(task).kind;
    const uint32_t familyNumber = m_tasks.Get(task).family;
    auto sample = std::make_shared<LeapSample>();
    sample->round = m_tasks.Get(task).round;
    sample->neighbors = active.neighbors;
    sample->stagger = active.lastStart - active.firstStart;
    sample->pace = active.pace;
    for (const int64_t end : active.ends)
    {
        sample->ends.push_back(end - active.lastStart);
    }
    sample->duration = *std::max_element(sample->ends.begin(), sample->ends.end());
    Family& family = m_families[familyNumber];
    if (m_isChecking)
    {
        if (const auto known = GetEstimate(number); known->series.nUsed > 0)
        {
            const double difference =
                static_cast<double>(sample->duration) / known->series.mean - 1;
            ++m_summary.nChecked;
            m_checkSum += difference;
            m_summary.checkWorst = std::max(m_summary.checkWorst, std::abs(difference));
        }
        m_isChecking = familyNumber != m_checked;
    }
    m_kinds[number].record.Add(sample);
    family.record.Add(sample);
    KeepEnds(task, active, sample->ends);
    for (const uint32_t kind : family.kinds)
    {
        m_kinds[kind].estimate = nullptr;
    }
}

void
LeapBook::Verify(uint32_t task, const Active& active)
{
    const LeapEstimate& known = *active.estimate;
    const int64_t stagger = active.lastStart - active.firstStart;
    const auto margin = static_cast<int64_t>(m_settings.error * known.series.mean);
    std::set<uint32_t> families;
    bool isUsual = stagger >= known.leastStagger - margin && stagger <= known.mostStagger + margin;
    std::set<uint32_t> usual;
    for (const uint32_t kind : known.ever)
    {
        usual.insert(m_familyOf[kind]);
    }
    const uint32_t own = m_tasks.Get(task).family;
    for (const uint32_t kind : active.neighbors)
    {
        families.insert(m_familyOf[kind]);
        isUsual = isUsual && usual.count(m_familyOf[kind]) > 0;
    }
    for (const uint32_t family : known.always)
    {
        isUsual = isUsual && families.count(family) > 0;
    }
    if (isUsual)
    {
        return;
    }
    // What was executed does not tell of this one: begin anew
    ++m_summary.nMistaken;
    Forget(own);
}

void
LeapBook::Forget(uint32_t family)
{
    m_families[family].record = {};
    m_families[family].nLeapt = 0;
    for (const uint32_t number : m_families[family].kinds)
    {
        Kind& kind = m_kinds[number];
        kind.record = {};
        kind.estimate = nullptr;
        kind.nLeapt = 0; // what was allowed holds until Decide()
    }
}

void
LeapBook::ChooseCheck(uint32_t family)
{
    const auto dominant =
        std::max_element(m_families.begin(), m_families.end(), [](const auto& a, const auto& b) {
            return a.leaptTime < b.leaptTime;
        });
    if (!m_settings.isChecked || m_isChecking || &m_families[family] != &*dominant)
    {
        return;
    }
    m_isChecking = MixBits(MixBits(m_settings.seed) + m_nDraws++) % CHECK_INTERVAL == 0;
    m_checked = family;
}

std::shared_ptr<const LeapEstimate>
LeapBook::GetEstimate(uint32_t number)
{
    Kind& kind = m_kinds[number];
    if (kind.estimate)
    {
        return kind.estimate;
    }
    auto estimate =
        std::make_shared<LeapEstimate>(kind.record.Estimate(m_settings.error, m_familyOf));
    const auto& own = kind.record.GetSamples();
    if (estimate->series.nUsed == 0 && !own.empty())
    {
        // Those of its family, if its own are as they are
        const auto& family = m_families[m_familyOf[number]];
        auto all = family.record.Estimate(m_settings.error, m_familyOf);
        const double most = AGREEMENT * m_settings.error * all.series.mean;
        const std::size_t n = std::min(own.size(), N_COMPARED);
        const bool agrees = std::all_of(own.end() - static_cast<std::ptrdiff_t>(n),
                                        own.end(),
                                        [&all, most](const auto& sample) {
                                            return std::abs(static_cast<double>(sample->duration) -
                                                            all.series.mean) <= most;
                                        });
        if (all.series.nUsed > 0 && agrees)
        {
            all.isOfFamily = true;
            *estimate = all;
        }
    }
    kind.estimate = estimate;
    return estimate;
}

bool
LeapBook::IsKnown(uint32_t number, int64_t now, int64_t limit)
{
    const Family& family = m_families[m_familyOf[number]];
    const Kind& kind = m_kinds[number];
    if (kind.record.GetSamples().empty() || family.touchesOtherJob ||
        !m_tasks.GetFamilies()[m_familyOf[number]].isOrdered)
    {
        return false;
    }
    const auto known = GetEstimate(number);
    const auto& series = known->series;
    if (series.nUsed == 0 || (known->isOfFamily ? family.nLeapt : kind.nLeapt) >= series.nAhead ||
        *std::min_element(known->ends.begin(), known->ends.end()) < INTERVAL)
    {
        return false;
    }
    const int64_t longest = known->mostStagger +
                            *std::max_element(known->ends.begin(), known->ends.end()) +
                            2 * INTERVAL;
    return limit == NO_LIMIT || now + longest < limit;
}

bool
LeapBook::IsDisturbed(uint32_t number) const
{
    const auto& kind = m_kinds[number];
    const auto& touching = m_families[m_familyOf[number]].touching;
    return std::any_of(m_active.begin(), m_active.end(), [&](const auto& entry) {
        const auto& other = m_tasks.Get(entry.first);
        return m_states[entry.first] == State::EXECUTED && other.family != m_familyOf[number] &&
               touching.count(other.family) > 0 && kind.estimate->ever.count(other.kind) == 0;
    });
}

void
LeapBook::Decide(int64_t now, int64_t limit)
{
    m_isOpen = limit == NO_LIMIT;
    for (uint32_t i = 0; i < m_kinds.size(); ++i)
    {
        const bool isAllowed = !m_isChecking && IsKnown(i, now, limit) && !IsDisturbed(i);
        m_kinds[i].allowed = isAllowed ? m_kinds[i].estimate : nullptr;
    }
    // Neighbors are leapt together
    for (bool hasChanged = true; hasChanged;)
    {
        hasChanged = false;
        for (auto& kind : m_kinds)
        {
            const auto isExecuted = [this](uint32_t other) { return !m_kinds[other].allowed; };
            if (kind.allowed &&
                std::any_of(kind.allowed->ever.begin(), kind.allowed->ever.end(), isExecuted))
            {
                kind.allowed = nullptr;
                hasChanged = true;
            }
        }
    }
}

void
LeapBook::Forget()
{
    for (uint32_t family = 0; family < m_families.size(); ++family)
    {
        Forget(family);
        m_families[family].leader = LeapTasks::NONE; // places may no longer be alike
    }
    for (auto& [task, active] : m_active)
    {
        active.isAlone = true;
    }
}

bool
LeapBook::IsLeapt(uint32_t task) const
{
    if (m_states[task] != State::TO_COME)
    {
        return m_states[task] == State::LEAPT;
    }
    const bool isFollowing = m_families[m_tasks.Get(task).family].leader != LeapTasks::NONE;
    return m_kinds[m_tasks.Get(task).kind].allowed || (isFollowing && m_isOpen && !m_isChecking);
}

std::vector<uint32_t>
LeapBook::GetPeers(uint32_t task, uint32_t rank) const
{
    const Family& family = m_families[m_tasks.Get(task).family];
    const auto found = family.peers.find(rank);
    return found == family.peers.end() || family.touching.size() < 2 ? std::vector<uint32_t>()
                                                                     : found->second;
}

std::string
LeapBook::FindReason() const
{
    const auto longest =
        std::max_element(m_families.begin(), m_families.end(), [](const auto& a, const auto& b) {
            return a.executedTime < b.executedTime;
        });
    if (longest == m_families.end() || longest->executedTime == 0)
    {
        return "";
    }
    const auto number = static_cast<uint32_t>(longest - m_families.begin());
    const auto& family = m_tasks.GetFamilies()[number];
    const std::string name = m_tasks.Describe(number) + ": ";
    if (longest->touchesOtherJob)
    {
        return name + "another job may use the same links";
    }
    if (!family.isOrdered)
    {
        return name + "messages with its tag have several sizes";
    }
    const auto& ends = longest->lastEnds;
    return name + (!ends.empty() && *std::min_element(ends.begin(), ends.end()) < INTERVAL
                       ? "a member ends within 10 us, as often as it is decided"
                       : longest->record.Describe(m_settings.error));
}

LeapSummary
LeapBook::GetSummary() const
{
    LeapSummary summary = m_summary;
    summary.error = m_leaptTime > 0 ? m_leaptErrors / m_leaptTime : 0;
    summary.checkMean =
        summary.nChecked > 0 ? m_checkSum / static_cast<double>(summary.nChecked) : 0;
    summary.reason = FindReason();
    return summary;
}

} // namespace ns3::aidc

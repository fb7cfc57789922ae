// SPDX-License-Identifier: GPL-2.0-only

#include "leap-book.h"

#include "../mix-bits.h"
#include "../require-argument.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t N_COMPARED = 3;  //!< samples of a kind that have to agree with its family's
constexpr double AGREEMENT = 0.1;      //!< of the accepted error, by which they may differ
constexpr uint64_t CHECK_INTERVAL = 9; //!< how many are leapt for one that is checked

} // namespace

LeapBook::LeapBook(const WorkloadPlan& plan, const LeapSettings& settings, FabricPlaces* places)
    : m_tasks(plan),
      m_settings(settings),
      m_states(m_tasks.GetN(), State::TO_COME),
      m_kinds(m_tasks.GetFamilyOf().size()),
      m_families(m_tasks.GetFamilies().size())
{
    AIDC_REQUIRE(m_families.size() <= MAX_FAMILIES,
                 "a leap needs a workload of at most " + std::to_string(MAX_FAMILIES) +
                     " kinds of collectives and messages, not " +
                     std::to_string(m_families.size()));
    FindTouching(places);
    if (places)
    {
        FindTwins(*places);
    }
}

void
LeapBook::FindTouching(FabricPlaces* places)
{
    std::map<uint32_t, std::set<uint32_t>> users; // by place, families
    for (uint32_t family = 0; family < m_families.size(); ++family)
    {
        std::set<uint32_t> own;
        const auto ways = m_tasks.GetWays(family);
        for (std::size_t i = 0; i < ways.ends.size(); ++i)
        {
            const auto [from, to] = ways.ends[i];
            if (places)
            {
                places->AddPlaces(from, to, own);
            }
            else
            {
                own.insert(0);
            }
            m_families[family].peers[from].push_back(to);
            m_families[family].bytes +=
                !places || places->UsesFabric(from, to) ? static_cast<double>(ways.bytes[i]) : 0;
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
LeapBook::FindTwins(const FabricPlaces& places)
{
    // By likeness, the first family and its shape
    std::map<uint32_t, std::pair<uint32_t, std::vector<uint64_t>>> leaders;
    for (uint32_t number = 0; number < m_families.size(); ++number)
    {
        const auto& tasks = m_tasks.GetFamilies()[number];
        Family& family = m_families[number];
        const double bits = 8 * family.bytes / static_cast<double>(tasks.ranks.size());
        const int64_t least = std::llround(1e9 * bits / places.GetRate(tasks.ranks.front()));
        // A task ends up to two intervals late, as it waits for the one that it follows
        if (tasks.likeness == LeapTasks::NONE || family.touchesOtherJob ||
            family.touching != std::set<uint32_t>{number} ||
            2 * INTERVAL > m_settings.error * static_cast<double>(least))
        {
            continue;
        }
        const auto shape = places.GetShape(m_tasks.GetWays(number).ends);
        const auto [known, isFirst] = leaders.try_emplace(tasks.likeness, number, shape);
        const auto& [leader, ownShape] = known->second;
        if (!isFirst && !shape.empty() && shape == ownShape &&
            m_tasks.GetFamilies()[leader].tasks.size() == tasks.tasks.size())
        {
            family.leader = leader;
            m_families[leader].lastEnds.assign(tasks.ranks.size(), least);
            m_families[leader].lastError = 1;
        }
    }
}

void
LeapBook::Follow()
{
    m_progress.nextWait = NEVER;
    for (auto i = m_following.begin(); i != m_following.end();)
    {
        const auto& task = m_tasks.Get(*i);
        Active& active = m_active.at(*i);
        Family& family = m_families[task.family];
        const Family& leader = m_families[active.leader];
        const auto& tasks = m_tasks.GetFamilies()[active.leader];
        const auto other = m_active.find(tasks.tasks[task.round]);
        const bool isComing = other != m_active.end() && other->second.nStarts == tasks.nStarts;
        const bool isKnown = leader.nKnown > task.round;
        if (!isKnown && (isComing || m_now < active.lastStart + 2 * INTERVAL))
        {
            m_progress.nextWait = std::min(m_progress.nextWait, active.lastStart + 2 * INTERVAL);
            ++i;
            continue;
        }
        // Without its leader it ends as the one before, or as soon as it can
        EndAll(*i, leader.lastEnds);
        active.error = leader.lastError;
        const int64_t stagger = active.lastStart - active.firstStart;
        const int64_t longest = *std::max_element(leader.lastEnds.begin(), leader.lastEnds.end());
        if (!isKnown || static_cast<double>(std::abs(stagger - leader.lastStagger)) >
                            m_settings.error * static_cast<double>(longest))
        {
            ++m_summary.nMistaken; // its members do not start as the leader's do
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
    std::sort(events.begin(), events.end(), [](const LeapEvent& a, const LeapEvent& b) {
        return std::tie(a.time, a.kind, a.rank, a.operation, a.peer) <
               std::tie(b.time, b.kind, b.rank, b.operation, b.peer);
    });
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
        ++(event.isLeapt ? m_progress.nLeapt : m_progress.nExecuted);
        active.firstStart = event.time;
        active.ends.resize(family.ranks.size());
        const auto& touching = m_families[m_tasks.Get(task).family].touching;
        for (auto& [number, neighbor] : m_active)
        {
            const auto& other = m_tasks.Get(number);
            if (other.family != m_tasks.Get(task).family && touching.count(other.family) > 0)
            {
                active.neighbors.insert(other.kind);
                neighbor.neighbors.insert(m_tasks.Get(task).kind);
                const bool isAlone = m_states[task] != m_states[number];
                active.isAlone = active.isAlone || isAlone;
                neighbor.isAlone = neighbor.isAlone || isAlone;
            }
        }
        if (event.isLeapt)
        {
            Kind& kind = m_kinds[m_tasks.Get(task).kind];
            active.estimate = kind.allowed;
            ++kind.nLeapt;
            ++m_families[m_tasks.Get(task).family].nLeapt;
            active.error = kind.allowed ? kind.allowed->series.GetError(kind.nLeapt) : 0;
            active.leader = m_families[m_tasks.Get(task).family].leader;
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
    m_progress.lastEnd = std::max(m_progress.lastEnd, time);
    Family& family = m_families[m_tasks.Get(task).family];
    const auto duration = static_cast<double>(time - active.lastStart);
    if (m_states[task] == State::LEAPT)
    {
        --m_progress.nLeapt;
        ++m_summary.nLeapt;
        m_summary.leaptBytes += family.bytes;
        family.leaptTime += duration;
        AddLeap(duration, active.late / std::max(1.0, duration) + active.error);
        m_summary.nFolded += active.estimate ? 0 : 1;
        if (active.estimate)
        {
            Verify(task, active);
        }
        ChooseCheck(m_tasks.Get(task).family);
    }
    else
    {
        --m_progress.nExecuted;
        m_progress.lastExecutedEnd = std::max(m_progress.lastExecutedEnd, time);
        ++m_summary.nExecuted;
        m_summary.executedBytes += family.bytes - active.cut;
        m_summary.leaptBytes += active.cut;
        m_summary.nShortened += active.cut > 0 ? 1 : 0;
        family.executedTime += duration;
        AddSample(task, active);
    }
}

void
LeapBook::AddSample(uint32_t task, const Active& active)
{
    if (active.isAlone)
    {
        return; // tasks that were leapt at the same time have not been in its way
    }
    const uint32_t number = m_tasks.Get(task).kind;
    const uint32_t familyNumber = m_tasks.Get(task).family;
    auto sample = std::make_shared<LeapSample>();
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
            m_summary.checkMean += (difference - m_summary.checkMean) / double(m_summary.nChecked);
            m_summary.checkWorst = std::max(m_summary.checkWorst, std::abs(difference));
        }
        m_isChecking = familyNumber != m_checked;
    }
    m_kinds[number].record.Add(sample);
    family.record.Add(sample);
    KeepEnds(task, active, sample->ends);
    for (const uint32_t kind : m_tasks.GetFamilies()[familyNumber].kinds)
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
    const auto getFamilies = [this](const std::set<uint32_t>& kinds) {
        std::set<uint32_t> families;
        for (const uint32_t kind : kinds)
        {
            families.insert(m_tasks.GetFamilyOf()[kind]);
        }
        return families;
    };
    const auto met = getFamilies(active.neighbors);
    const auto usual = getFamilies(known.ever);
    const bool isUsual =
        stagger >= known.leastStagger - margin && stagger <= known.mostStagger + margin &&
        std::includes(usual.begin(), usual.end(), met.begin(), met.end()) &&
        std::includes(met.begin(), met.end(), known.always.begin(), known.always.end());
    if (isUsual)
    {
        return;
    }
    // The executed tasks say nothing about this one: begin anew
    ++m_summary.nMistaken;
    Forget(m_tasks.Get(task).family);
}

void
LeapBook::Forget(uint32_t family)
{
    m_families[family].record = {};
    m_families[family].nLeapt = 0;
    for (const uint32_t number : m_tasks.GetFamilies()[family].kinds)
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
    m_isChecking = MixBits(MixBits(m_settings.seed) + m_summary.nLeapt) % CHECK_INTERVAL == 0;
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
    auto estimate = std::make_shared<LeapEstimate>(
        kind.record.Estimate(m_settings.error, m_tasks.GetFamilyOf()));
    const auto& own = kind.record.GetSamples();
    if (estimate->series.nUsed == 0 && !own.empty())
    {
        // The samples of its family, if its own samples agree with them
        const auto& family = m_families[m_tasks.GetFamilyOf()[number]];
        auto all = family.record.Estimate(m_settings.error, m_tasks.GetFamilyOf());
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
    const Family& family = m_families[m_tasks.GetFamilyOf()[number]];
    const Kind& kind = m_kinds[number];
    if (kind.record.GetSamples().empty() || family.touchesOtherJob ||
        !m_tasks.GetFamilies()[m_tasks.GetFamilyOf()[number]].isOrdered)
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
    return limit == NEVER || now + longest < limit;
}

bool
LeapBook::IsDisturbed(uint32_t number) const
{
    const auto& kind = m_kinds[number];
    const auto& touching = m_families[m_tasks.GetFamilyOf()[number]].touching;
    return std::any_of(m_active.begin(), m_active.end(), [&](const auto& entry) {
        const auto& other = m_tasks.Get(entry.first);
        return m_states[entry.first] == State::EXECUTED &&
               other.family != m_tasks.GetFamilyOf()[number] && touching.count(other.family) > 0 &&
               kind.estimate->ever.count(other.kind) == 0;
    });
}

void
LeapBook::Decide(int64_t now, int64_t limit)
{
    m_isOpen = limit == NEVER;
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

std::vector<uint32_t>
LeapBook::GetLongMessages() const
{
    std::vector<uint32_t> messages;
    std::set<std::pair<uint32_t, uint32_t>> ends;
    for (const auto& [number, active] : m_active)
    {
        const auto& task = m_tasks.Get(number);
        if (m_isChecking || m_progress.nLeapt > 0 || m_families[task.family].touchesOtherJob ||
            !m_tasks.GetFamilies()[task.family].isOrdered || !task.IsMessage() ||
            !ends.emplace(task.from, task.to).second)
        {
            return {};
        }
        messages.push_back(number);
    }
    return messages;
}

void
LeapBook::Shorten(uint32_t message, double bytes)
{
    m_active.at(message).cut += bytes;
    m_active.at(message).isAlone = true; // its duration is no sample
}

void
LeapBook::AddLeap(double duration, double error)
{
    m_leaptTime += duration;
    m_summary.error += m_leaptTime > 0 ? (error - m_summary.error) * duration / m_leaptTime : 0;
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
    const auto& ends = longest->lastEnds;
    const bool isBrief = !ends.empty() && *std::min_element(ends.begin(), ends.end()) < INTERVAL;
    const std::string why = longest->touchesOtherJob ? "another job may use the same links"
                            : !family.isOrdered      ? "messages with its tag have several sizes"
                            : isBrief ? "a member ends within 10 us, as often as it is decided"
                                      : longest->record.Describe();
    return m_tasks.Describe(number) + ": " + why;
}

LeapSummary
LeapBook::GetSummary() const
{
    LeapSummary summary = m_summary;
    summary.reason = FindReason();
    return summary;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "leap-tasks.h"

#include "../mix-bits.h"

#include <boost/pending/disjoint_sets.hpp>

namespace ns3::aidc
{

/// Goes through the programs once for families, and once for kinds.
class LeapTasks::Maker
{
  public:
    /// @param tasks what is made
    explicit Maker(LeapTasks& tasks)
        : m_made(tasks),
          m_plan(tasks.m_plan),
          m_items(m_plan.GetItems().size(), NONE)
    {
    }

    /// Make all.
    void Make()
    {
        for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
        {
            AddRank(rank);
        }
        FindJobs();
        std::vector<uint64_t> contexts(m_made.m_list.size());
        for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
        {
            AddContexts(rank, contexts);
        }
        std::map<std::pair<uint32_t, uint64_t>, uint32_t> kinds;
        for (std::size_t i = 0; i < contexts.size(); ++i)
        {
            Task& task = m_made.m_list[i];
            const auto next = static_cast<uint32_t>(kinds.size());
            const auto [found, isNew] =
                kinds.emplace(std::make_pair(task.family, contexts[i]), next);
            task.kind = found->second;
            if (isNew)
            {
                m_made.m_familyOf.push_back(task.family);
                m_made.m_families[task.family].kinds.push_back(next);
            }
        }
    }

  private:
    /// Kind, algorithm and numbers of a collective.
    using Settings = std::tuple<CollectiveKind, CollectiveAlgorithm, std::vector<uint64_t>>;

    void AddRank(uint32_t rank)
    {
        const RankProgram& program = m_plan.GetProgram(rank);
        m_made.m_tasks.emplace_back(program.GetN(), NONE);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const RankOperation& operation = program.Get(i);
            if (operation.kind == RankOperationKind::SEND)
            {
                m_made.m_tasks[rank][i] = AddMessage(rank, i, operation);
            }
            else if (operation.kind == RankOperationKind::COLLECTIVE)
            {
                m_made.m_tasks[rank][i] = AddCollective(rank, i, operation.label);
            }
        }
    }

    uint32_t AddMessage(uint32_t rank, uint32_t number, const RankOperation& operation)
    {
        const auto next = static_cast<uint32_t>(m_made.m_families.size());
        auto& sizes = m_made.m_messages[{rank, operation.peer, operation.tag}];
        const auto [found, isNew] = sizes.emplace(operation.amount, next);
        if (isNew)
        {
            m_made.m_families.push_back({{rank, operation.peer}, {}, {}, 1});
            // They are received in order, so that all must have one size
            for (const auto& [bytes, family] : sizes)
            {
                m_made.m_families[family].isOrdered = sizes.size() == 1;
            }
        }
        Task task;
        task.family = found->second;
        task.from = rank;
        task.to = operation.peer;
        task.tag = operation.tag;
        task.operation = number;
        return Add(task);
    }

    uint32_t AddCollective(uint32_t rank, uint32_t number, uint32_t item)
    {
        const RankCollective& part = m_plan.GetProgram(rank).GetCollective(number);
        if (m_items[item] == NONE)
        {
            Task task;
            task.family = GetFamily(part);
            m_items[item] = Add(task);
            m_made.m_places.back().assign(part.ranks->size(), 0);
        }
        const uint32_t task = m_items[item];
        m_made.m_places[task][part.member] = number;
        if (part.member == 0)
        {
            m_made.m_list[task].operation = number;
        }
        return task;
    }

    uint32_t Add(const Task& task)
    {
        const auto number = static_cast<uint32_t>(m_made.m_list.size());
        Family& family = m_made.m_families[task.family];
        m_made.m_list.push_back(task);
        m_made.m_list.back().round = static_cast<uint32_t>(family.tasks.size());
        family.tasks.push_back(number);
        m_made.m_places.emplace_back();
        return number;
    }

    uint32_t GetFamily(const RankCollective& part)
    {
        const auto& settings = part.schedule.GetSettings();
        const auto group = static_cast<uint32_t>(m_groups.size());
        const Settings settingsKey{settings.kind, settings.algorithm, settings.GetNumbers()};
        const auto likeness = static_cast<uint32_t>(m_settings.size());
        const std::pair<uint32_t, uint32_t> key{
            m_settings.emplace(settingsKey, likeness).first->second,
            m_groups.emplace(*part.ranks, group).first->second};
        const auto next = static_cast<uint32_t>(m_made.m_families.size());
        const auto [found, isNew] = m_collectives.emplace(key, next);
        if (isNew)
        {
            const auto nMembers = static_cast<uint32_t>(part.ranks->size());
            m_made.m_families.push_back({*part.ranks, {}, {}, nMembers, 0, key.first});
        }
        return found->second;
    }

    /// Join ranks that have a task together.
    void FindJobs()
    {
        boost::disjoint_sets_with_storage<> jobs(m_plan.GetNRanks());
        for (const Family& family : m_made.m_families)
        {
            for (const uint32_t rank : family.ranks)
            {
                jobs.union_set(rank, family.ranks.front());
            }
        }
        for (Family& family : m_made.m_families)
        {
            family.job = static_cast<uint32_t>(jobs.find_set(family.ranks.front()));
        }
    }

    /// What an operation is to the operations next to it.
    uint64_t GetColor(uint32_t rank, uint32_t number) const
    {
        const RankOperation& operation = m_plan.GetProgram(rank).Get(number);
        const uint32_t task = m_made.m_tasks[rank][number];
        const uint64_t what = task != NONE ? m_made.m_list[task].family : operation.amount;
        return MixBits(MixBits(what) + static_cast<uint64_t>(operation.kind));
    }

    /// Add to a task's context what its operation at a rank waits for, and who waits for the same.
    void AddContexts(uint32_t rank, std::vector<uint64_t>& contexts) const
    {
        const RankProgram& program = m_plan.GetProgram(rank);
        std::vector<uint64_t> nextSums(program.GetN()); // of tasks that wait for an operation
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            for (const uint32_t before : program.GetAfter(i))
            {
                nextSums[before] += m_made.m_tasks[rank][i] != NONE ? GetColor(rank, i) : 0;
            }
        }
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const uint32_t task = m_made.m_tasks[rank][i];
            if (task == NONE)
            {
                continue;
            }
            uint64_t sum = 0;
            for (const uint32_t before : program.GetAfter(i))
            {
                sum += MixBits(GetColor(rank, before) + MixBits(nextSums[before]));
            }
            contexts[task] += MixBits(sum + rank);
        }
    }

    LeapTasks& m_made;                                  //!< what is made
    const WorkloadPlan& m_plan;                         //!< the programs
    std::vector<uint32_t> m_items;                      //!< by item, its task
    std::map<std::vector<uint32_t>, uint32_t> m_groups; //!< by ranks, a number
    std::map<Settings, uint32_t> m_settings;            //!< what collectives do, a number

    /// Families of collectives, by what they do and their ranks.
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_collectives;
};

LeapTasks::LeapTasks(const WorkloadPlan& plan)
    : m_plan(plan)
{
    Maker(*this).Make();
}

std::string
LeapTasks::Describe(uint32_t family) const
{
    const Task& task = m_list[m_families[family].tasks.front()];
    const auto& ranks = m_families[family].ranks;
    const RankProgram& program = m_plan.GetProgram(ranks.front());
    const std::string what = program.Describe(task.operation);
    return task.IsMessage() ? what + " from rank " + std::to_string(task.from)
                            : what + " among " + std::to_string(ranks.size()) + " ranks";
}

LeapTasks::Ways
LeapTasks::GetWays(uint32_t family) const
{
    const Family& known = m_families[family];
    const Task& task = m_list[known.tasks.front()];
    if (task.IsMessage())
    {
        return {{{task.from, task.to}}, {m_plan.GetProgram(task.from).Get(task.operation).amount}};
    }
    const auto& schedule =
        m_plan.GetProgram(known.ranks[0]).GetCollective(m_places[known.tasks.front()][0]).schedule;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes; // by members
    for (uint32_t member = 0; member < known.ranks.size(); ++member)
    {
        // Lanes of later chunks have the same partners
        for (uint32_t lane = 0; lane < schedule.GetNStreams(); ++lane)
        {
            const uint32_t nSteps = schedule.GetNSteps(member, lane);
            for (uint32_t i = 0; i < nSteps; ++i)
            {
                const auto step = schedule.GetStep(member, lane, i);
                if (step.sendTo != CollectiveStep::NONE)
                {
                    bytes[{member, step.sendTo}] += step.sendBytes * schedule.GetNChunks();
                }
            }
        }
    }
    Ways ways;
    for (const auto& [members, n] : bytes)
    {
        ways.ends.emplace_back(known.ranks[members.first], known.ranks[members.second]);
        ways.bytes.push_back(n);
    }
    return ways;
}

} // namespace ns3::aidc

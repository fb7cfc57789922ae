/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-plan.h"

#include "dependency-order.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The unit of the host's processor.
constexpr uint32_t CPU = 1;
/// The unit of what takes no time.
constexpr uint32_t NOTHING = 2;
/// The greatest duration of a node in microseconds, about 30 years.
constexpr uint64_t MAX_MICROS = 1'000'000'000'000'000;

/// Makes a plan of traces.
class ChakraPlanner
{
  public:
    /// @param traces the traces, by rank
    /// @param settings how they are executed
    ChakraPlanner(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings);

    /// @return the plan
    WorkloadPlan Make();

  private:
    /// A collective of a group.
    struct Collective
    {
        CollectiveSchedule schedule; //!< the collective
        uint32_t item;               //!< its item in the plan
        uint32_t tag;                //!< its first tag
        uint32_t rank;               //!< the rank in whose trace it came first
        const ChakraNode* node;      //!< the node there
        uint32_t nMembers;           //!< how many members have it
    };

    /// A process group.
    struct Group
    {
        RankGroup ranks;                      //!< its ranks
        std::map<uint32_t, uint32_t> members; //!< by rank, which member it is
        std::vector<Collective> collectives;  //!< in their order
    };

    /// @param node the node
    /// @param what what is wrong
    [[noreturn]] void Fail(const ChakraNode& node, const std::string& what) const;

    /// @param node the node
    /// @param value the attribute
    /// @param name its name
    /// @param max the greatest value allowed
    /// @return its value
    uint64_t Get(const ChakraNode& node,
                 const std::optional<int64_t>& value,
                 const std::string& name,
                 uint64_t max) const;

    /// @param node the node
    /// @return the group of the collective
    Group& GetGroup(const ChakraNode& node);

    /// @param node the node
    /// @param nMembers the number of members
    /// @return the collective
    CollectiveSchedule GetSchedule(const ChakraNode& node, uint32_t nMembers) const;

    /// Number the collectives of the current rank.
    void NumberCollectives();

    /// Add the operations of the current rank.
    void AddRank();

    /// @param node the node
    /// @return the numbers of its dependencies among the sorted nodes
    std::vector<uint32_t> FindDependencies(const ChakraNode& node) const;

    /// @param node the node
    /// @param after what it waits for
    /// @return the number of the operation
    uint32_t AddMessage(const ChakraNode& node, const std::vector<uint32_t>& after);

    /// Add an operation.
    /// @param node the node
    /// @param after what it waits for
    /// @return its number
    uint32_t AddNode(const ChakraNode& node, const std::vector<uint32_t>& after);

    const std::vector<ChakraTrace>& m_traces; //!< the traces
    const ChakraSettings& m_settings;         //!< how they are executed
    WorkloadPlan m_plan;                      //!< the plan
    std::map<std::string, Group> m_groups;    //!< by name
    uint32_t m_item{0};                       //!< the item of computations
    uint32_t m_rank{0};                       //!< the current rank
    std::vector<const ChakraNode*> m_nodes;   //!< its nodes, by id
    /// By rank and node, its collective: the group, and the number there.
    std::vector<std::map<const ChakraNode*, std::pair<Group*, std::size_t>>> m_parts;
};

ChakraPlanner::ChakraPlanner(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings)
    : m_traces(traces),
      m_settings(settings),
      m_plan(static_cast<uint32_t>(traces.size())),
      m_item(m_plan.AddItem("computation")),
      m_parts(traces.size())
{
}

void
ChakraPlanner::Fail(const ChakraNode& node, const std::string& what) const
{
    throw ChakraError(m_rank, DescribeChakraNode(node) + " " + what);
}

uint64_t
ChakraPlanner::Get(const ChakraNode& node,
                   const std::optional<int64_t>& value,
                   const std::string& name,
                   uint64_t max) const
{
    if (!value)
    {
        Fail(node, "has no " + name);
    }
    if (*value < 0 || static_cast<uint64_t>(*value) > max)
    {
        Fail(node,
             "has the " + name + " " + std::to_string(*value) + ", not from 0 to " +
                 std::to_string(max));
    }
    return static_cast<uint64_t>(*value);
}

ChakraPlanner::Group&
ChakraPlanner::GetGroup(const ChakraNode& node)
{
    const auto [entry, isNew] = m_groups.emplace(node.group, Group());
    Group& group = entry->second;
    if (isNew)
    {
        std::vector<uint32_t> ranks;
        const auto found = m_settings.groups.find(node.group);
        if (found != m_settings.groups.end())
        {
            ranks = found->second;
        }
        else if (node.group.empty())
        {
            for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
            {
                ranks.push_back(rank);
            }
        }
        else
        {
            Fail(node, "is of the process group \"" + node.group + "\", whose ranks are not known");
        }
        for (uint32_t member = 0; member < ranks.size(); ++member)
        {
            if (ranks[member] >= m_plan.GetNRanks() ||
                !group.members.emplace(ranks[member], member).second)
            {
                Fail(node,
                     "is of the process group \"" + node.group + "\", which has rank " +
                         std::to_string(ranks[member]) + " twice, or there is no such rank");
            }
        }
        group.ranks = std::make_shared<const std::vector<uint32_t>>(ranks);
    }
    if (group.members.count(m_rank) == 0)
    {
        Fail(node, "is of the process group \"" + node.group + "\", which has not this rank");
    }
    return group;
}

CollectiveSchedule
ChakraPlanner::GetSchedule(const ChakraNode& node, uint32_t nMembers) const
{
    const auto bytes = [&] {
        return Get(node, node.communicationSize, "comm_size", CollectiveSchedule::MAX_BYTES);
    };
    const auto make = [&](CollectiveKind kind, CollectiveAlgorithm algorithm, uint64_t size) {
        return CollectiveSchedule(kind, algorithm, nMembers, size, m_settings.nChunks);
    };
    try
    {
        switch (Get(node, node.communicationType, "comm_type", 9))
        {
        case 0:
            return make(CollectiveKind::ALL_REDUCE, m_settings.allReduce, bytes());
        case 2: {
            const uint64_t size = bytes();
            if (size > CollectiveSchedule::MAX_BYTES / nMembers)
            {
                Fail(node, "gathers more than 2^60 bytes");
            }
            return make(CollectiveKind::ALL_GATHER, m_settings.allGather, size * nMembers);
        }
        case 5:
            return make(CollectiveKind::BROADCAST, m_settings.broadcast, bytes());
        case 6:
            return make(CollectiveKind::ALL_TO_ALL, CollectiveAlgorithm::PAIRWISE, bytes());
        case 7:
        case 8:
            return make(CollectiveKind::REDUCE_SCATTER, m_settings.reduceScatter, bytes());
        case 9:
            return make(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RECURSIVE_DOUBLING, 0);
        default:
            Fail(node, "is a reduce, gather or scatter, which are not supported");
        }
    }
    catch (const ChakraError&)
    {
        throw;
    }
    catch (const std::invalid_argument& error)
    {
        Fail(node, std::string("cannot be: ") + error.what());
    }
}

void
ChakraPlanner::NumberCollectives()
{
    std::map<const Group*, std::size_t> numbers;
    for (const ChakraNode* const node : m_nodes)
    {
        if (node->type != ChakraNodeType::COLLECTIVE)
        {
            continue;
        }
        Group& group = GetGroup(*node);
        const CollectiveSchedule schedule =
            GetSchedule(*node, static_cast<uint32_t>(group.ranks->size()));
        const std::size_t number = numbers[&group]++;
        if (number == group.collectives.size())
        {
            const uint32_t item = m_plan.AddItem(DescribeChakraNode(*node), schedule);
            const uint32_t tag = m_plan.TakeTags(schedule.GetNChunks());
            group.collectives.push_back({schedule, item, tag, m_rank, node, 0});
        }
        Collective& collective = group.collectives[number];
        if (collective.schedule.GetKind() != schedule.GetKind() ||
            collective.schedule.GetAlgorithm() != schedule.GetAlgorithm() ||
            collective.schedule.GetBytes() != schedule.GetBytes())
        {
            Fail(*node,
                 "does not match " + DescribeChakraNode(*collective.node) + " of rank " +
                     std::to_string(collective.rank) + ": both are number " +
                     std::to_string(number) + " of their process group");
        }
        ++collective.nMembers;
        m_parts[m_rank][node] = {&group, number};
    }
}

std::vector<uint32_t>
ChakraPlanner::FindDependencies(const ChakraNode& node) const
{
    std::vector<uint32_t> found;
    const auto find = [this, &node, &found](const std::vector<uint64_t>& ids) {
        for (const uint64_t id : ids)
        {
            const auto place = std::lower_bound(
                m_nodes.begin(),
                m_nodes.end(),
                id,
                [](const ChakraNode* other, uint64_t value) { return other->id < value; });
            if (place == m_nodes.end() || (*place)->id != id)
            {
                Fail(node, "depends on node " + std::to_string(id) + ", which there is not");
            }
            found.push_back(static_cast<uint32_t>(place - m_nodes.begin()));
        }
    };
    find(node.dataDependencies);
    if (m_settings.waitsForControl)
    {
        find(node.controlDependencies);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

uint32_t
ChakraPlanner::AddMessage(const ChakraNode& node, const std::vector<uint32_t>& after)
{
    const bool isSend = node.type == ChakraNodeType::SEND;
    const auto& self = isSend ? node.source : node.destination;
    if (self && *self != static_cast<int64_t>(m_rank))
    {
        Fail(node,
             std::string("has the ") + (isSend ? "comm_src " : "comm_dst ") +
                 std::to_string(*self) + ", but is in the trace of rank " + std::to_string(m_rank));
    }
    const auto peer = static_cast<uint32_t>(Get(node,
                                                isSend ? node.destination : node.source,
                                                isSend ? "comm_dst" : "comm_src",
                                                m_plan.GetNRanks() - 1));
    const uint64_t bytes = Get(node,
                               node.communicationSize ? node.communicationSize : node.tensorSize,
                               "comm_size or tensor_size",
                               CollectiveSchedule::MAX_BYTES);
    const auto tag = static_cast<uint32_t>(
        Get(node, node.tag.value_or(0), "comm_tag", WorkloadPlan::FIRST_TAG - 1));
    RankProgram& program = m_plan.GetProgram(m_rank);
    const uint32_t item = m_plan.AddItem(DescribeChakraNode(node));
    return isSend ? program.AddSend(peer, bytes, tag, after, item)
                  : program.AddReceive(peer, bytes, tag, after, item);
}

uint32_t
ChakraPlanner::AddNode(const ChakraNode& node, const std::vector<uint32_t>& after)
{
    RankProgram& program = m_plan.GetProgram(m_rank);
    switch (node.type)
    {
    case ChakraNodeType::COMPUTE:
        if (node.durationMicros == 0 && node.nOperations.value_or(0) != 0)
        {
            Fail(node, "has num_ops but no duration_micros");
        }
        if (node.durationMicros > MAX_MICROS)
        {
            Fail(node, "has a duration_micros above " + std::to_string(MAX_MICROS));
        }
        return program.AddCompute(1000 * node.durationMicros,
                                  after,
                                  m_item,
                                  node.isCpuOperation.value_or(0) != 0 ? CPU : 0);
    case ChakraNodeType::SEND:
    case ChakraNodeType::RECEIVE:
        return AddMessage(node, after);
    case ChakraNodeType::COLLECTIVE: {
        const auto& [group, number] = m_parts[m_rank].at(&node);
        const Collective& collective = group->collectives[number];
        if (collective.nMembers != group->ranks->size())
        {
            Fail(node,
                 "is number " + std::to_string(number) + " of its process group, which " +
                     std::to_string(collective.nMembers) + " of " +
                     std::to_string(group->ranks->size()) + " ranks have");
        }
        return program.AddCollective({collective.schedule, group->ranks, group->members.at(m_rank)},
                                     collective.tag,
                                     after,
                                     collective.item);
    }
    case ChakraNodeType::MEMORY_LOAD:
    case ChakraNodeType::MEMORY_STORE:
        Fail(node, "is an access to remote memory, which is not supported");
    case ChakraNodeType::INVALID:
        Fail(node, "has no type");
    default:
        return program.AddCompute(0, after, m_item, NOTHING);
    }
}

void
ChakraPlanner::AddRank()
{
    std::vector<std::vector<uint32_t>> after;
    std::map<const Group*, uint32_t> lasts;
    for (const ChakraNode* const node : m_nodes)
    {
        const auto number = static_cast<uint32_t>(after.size());
        after.push_back(FindDependencies(*node));
        if (node->type != ChakraNodeType::COLLECTIVE)
        {
            continue;
        }
        // By id, as they are matched: dependencies that point forward differ between ranks
        const auto [last, isFirst] = lasts.emplace(m_parts[m_rank].at(node).first, number);
        if (!isFirst)
        {
            after.back().push_back(std::exchange(last->second, number));
        }
    }
    std::vector<uint32_t> cycle;
    const auto order = SortByDependencies(after, cycle);
    if (!cycle.empty())
    {
        const uint32_t next = cycle.size() > 1 ? cycle[1] : cycle[0];
        Fail(*m_nodes[cycle[0]],
             "waits for itself: it is one of " + std::to_string(cycle.size()) +
                 " nodes that depend on each other, and depends on node " +
                 std::to_string(m_nodes[next]->id));
    }
    std::vector<uint32_t> numbers(m_nodes.size());
    for (const uint32_t i : order)
    {
        std::vector<uint32_t> operations;
        for (const uint32_t other : after[i])
        {
            operations.push_back(numbers[other]);
        }
        numbers[i] = AddNode(*m_nodes[i], operations);
    }
}

WorkloadPlan
ChakraPlanner::Make()
{
    for (const bool isFirstPass : {true, false})
    {
        for (m_rank = 0; m_rank < m_plan.GetNRanks(); ++m_rank)
        {
            m_nodes.clear();
            for (const ChakraNode& node : m_traces[m_rank].nodes)
            {
                m_nodes.push_back(&node);
            }
            std::stable_sort(
                m_nodes.begin(),
                m_nodes.end(),
                [](const ChakraNode* a, const ChakraNode* b) { return a->id < b->id; });
            const auto twice = std::adjacent_find(
                m_nodes.begin(),
                m_nodes.end(),
                [](const ChakraNode* a, const ChakraNode* b) { return a->id == b->id; });
            if (twice != m_nodes.end())
            {
                Fail(**twice, "has an id that another node has");
            }
            isFirstPass ? NumberCollectives() : AddRank();
        }
    }
    m_plan.Check();
    return std::move(m_plan);
}

} // namespace

ChakraError::ChakraError(uint32_t rank, const std::string& message)
    : std::invalid_argument(message),
      m_rank(rank)
{
}

uint32_t
ChakraError::GetRank() const
{
    return m_rank;
}

WorkloadPlan
MakeChakraPlan(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings)
{
    return ChakraPlanner(traces, settings).Make();
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-plan.h"

#include "dependency-order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
    /// @param node a node of the current rank
    /// @param what what is wrong
    [[noreturn]] void Fail(const ChakraNode& node, const std::string& what) const;

    /// Sort the nodes of the current rank by id.
    void SortNodes();

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
    ChakraCollectives m_collectives;          //!< the collectives
    uint32_t m_item{0};                       //!< the item of computations
    uint32_t m_rank{0};                       //!< the current rank
    std::vector<const ChakraNode*> m_nodes;   //!< its nodes, by id
};

ChakraPlanner::ChakraPlanner(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings)
    : m_traces(traces),
      m_settings(settings),
      m_plan(static_cast<uint32_t>(traces.size())),
      m_collectives(settings, m_plan),
      m_item(m_plan.AddItem("computation"))
{
}

void
ChakraPlanner::Fail(const ChakraNode& node, const std::string& what) const
{
    throw ChakraError(m_rank, node, what);
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
    const auto get = [&](const auto& value, const char* name, uint64_t max) {
        return GetChakraAttribute(m_rank, node, value, name, max);
    };
    const auto& other = isSend ? node.destination : node.source;
    const auto peer =
        static_cast<uint32_t>(get(other, isSend ? "comm_dst" : "comm_src", m_plan.GetNRanks() - 1));
    const uint64_t bytes = get(node.communicationSize ? node.communicationSize : node.tensorSize,
                               "comm_size or tensor_size",
                               CollectiveSchedule::MAX_BYTES);
    const auto tag = static_cast<uint32_t>(
        get(std::optional(node.tag.value_or(0)), "comm_tag", WorkloadPlan::FIRST_TAG - 1));
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
    case ChakraNodeType::COLLECTIVE:
        return m_collectives.AddOperation(m_rank, node, after);
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
    std::map<std::string, uint32_t> lasts;
    for (const ChakraNode* const node : m_nodes)
    {
        const auto number = static_cast<uint32_t>(after.size());
        after.push_back(FindDependencies(*node));
        if (node->type != ChakraNodeType::COLLECTIVE)
        {
            continue;
        }
        // By id, as they are matched: dependencies that point forward differ between ranks
        const auto [last, isFirst] = lasts.emplace(node->group, number);
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

void
ChakraPlanner::SortNodes()
{
    m_nodes.clear();
    for (const ChakraNode& node : m_traces[m_rank].nodes)
    {
        m_nodes.push_back(&node);
    }
    std::stable_sort(m_nodes.begin(), m_nodes.end(), [](const ChakraNode* a, const ChakraNode* b) {
        return a->id < b->id;
    });
    const auto twice =
        std::adjacent_find(m_nodes.begin(),
                           m_nodes.end(),
                           [](const ChakraNode* a, const ChakraNode* b) { return a->id == b->id; });
    if (twice != m_nodes.end())
    {
        Fail(**twice, "has an id that another node has");
    }
}

WorkloadPlan
ChakraPlanner::Make()
{
    for (m_rank = 0; m_rank < m_plan.GetNRanks(); ++m_rank)
    {
        SortNodes();
        for (const ChakraNode* const node : m_nodes)
        {
            if (node->type == ChakraNodeType::COLLECTIVE)
            {
                m_collectives.Match(m_rank, *node);
            }
        }
    }
    for (m_rank = 0; m_rank < m_plan.GetNRanks(); ++m_rank)
    {
        SortNodes();
        AddRank();
    }
    m_plan.Check();
    return std::move(m_plan);
}

} // namespace

WorkloadPlan
MakeChakraPlan(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings)
{
    return ChakraPlanner(traces, settings).Make();
}

} // namespace ns3::aidc

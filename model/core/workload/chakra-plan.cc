// SPDX-License-Identifier: GPL-2.0-only

#include "chakra-plan.h"

#include "chakra-collectives.h"
#include "chakra-json.h"
#include "dependency-order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The unit of the accelerator.
constexpr uint32_t ACCELERATOR = 0;
/// The unit of the host's processor.
constexpr uint32_t CPU = 1;
/// The unit of what takes no time.
constexpr uint32_t NOTHING = 2;
/// The unit of collectives of which only the time is known.
constexpr uint32_t COMMUNICATION = 3;
/// The greatest duration of a node in microseconds, about 30 years.
constexpr uint64_t MAX_MICROS = 1'000'000'000'000'000;

/// Makes a plan of traces.
class ChakraPlanner
{
  public:
    ChakraPlanner(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings)
        : m_traces(traces),
          m_settings(settings),
          m_plan(static_cast<uint32_t>(traces.size())),
          m_collectives(settings, m_plan),
          m_item(m_plan.AddItem("computation"))
    {
    }

    WorkloadPlan Make()
    {
        m_graphs.reserve(m_traces.size());
        for (uint32_t rank = 0; rank < m_traces.size(); ++rank)
        {
            m_graphs.emplace_back(rank, m_traces[rank], m_settings.waitsForControl);
            m_collectives.AddRank(m_graphs.back(), GetChakraGroups(rank, m_traces[rank]));
        }
        OrderCollectives();
        for (m_rank = 0; m_rank < m_plan.GetNRanks(); ++m_rank)
        {
            AddRank();
        }
        m_plan.Check();
        return std::move(m_plan);
    }

    std::vector<std::string> GetNotes() const
    {
        std::vector<std::string> notes = m_collectives.GetNotes();
        std::size_t nMissing = 0;
        std::size_t nTimed = 0;
        for (const ChakraGraph& graph : m_graphs)
        {
            nMissing += graph.GetNMissing();
            for (const ChakraNode* const node : graph.GetNodes())
            {
                nTimed += node->type == ChakraNodeType::COLLECTIVE &&
                                  node->isCpuOperation.value_or(0) == 0 && !node->communicationType
                              ? 1
                              : 0;
            }
        }
        if (nMissing > 0)
        {
            notes.push_back(std::to_string(nMissing) +
                            " control dependencies are left out, on nodes that there are not");
        }
        if (nTimed > 0)
        {
            notes.push_back(
                std::to_string(nTimed) +
                " collectives send nothing and take the time in the trace, as they have "
                "no comm_type");
        }
        return notes;
    }

  private:
    [[noreturn]] void Fail(const ChakraNode& node, const std::string& what) const
    {
        throw ChakraError(m_rank, node, what);
    }

    void OrderCollectives()
    {
        const auto match = [this](ChakraCollectives::Matching matching) {
            m_collectives.Match(matching);
            m_ordered = m_collectives.GetCollectives();
            const auto order = EstimateCollectiveOrder(GetSteps(), m_ordered);
            const std::size_t n = m_ordered.size();
            m_places.assign(n, static_cast<uint32_t>(n));
            for (uint32_t place = 0; place < order.size(); ++place)
            {
                m_places[order[place]] = place;
            }
            return order.size() == n;
        };
        try
        {
            if (match(ChakraCollectives::Matching::BY_ID))
            {
                return;
            }
        }
        catch (const ChakraError&)
        {
            // The same ids at all ranks may have come about by chance
        }
        match(ChakraCollectives::Matching::BY_ORDER);
    }

    /// @return by rank, what decides when collectives start
    std::vector<std::vector<OrderedStep>> GetSteps()
    {
        std::vector<std::vector<OrderedStep>> ranks;
        for (m_rank = 0; m_rank < m_plan.GetNRanks(); ++m_rank)
        {
            ranks.emplace_back();
            const ChakraGraph& graph = m_graphs[m_rank];
            for (std::size_t i = 0; i < graph.GetNodes().size(); ++i)
            {
                ranks.back().push_back(MakeStep(*graph.GetNodes()[i]));
                ranks.back().back().after = graph.GetAfter()[i];
            }
        }
        return ranks;
    }

    /// Add the operations of the current rank.
    void AddRank()
    {
        const auto& nodes = m_graphs[m_rank].GetNodes();
        auto after = m_graphs[m_rank].GetAfter();
        // The collectives of a group follow each other in the order of their places
        std::map<uint32_t, std::map<uint32_t, uint32_t>> groups;
        for (uint32_t i = 0; i < nodes.size(); ++i)
        {
            if (ChakraCollectives::IsPart(*nodes[i]))
            {
                const uint32_t number = m_collectives.GetNumber(*nodes[i]);
                groups[m_ordered[number].group][m_places[number]] = i;
            }
        }
        for (const auto& group : groups)
        {
            for (auto next = std::next(group.second.begin()); next != group.second.end(); ++next)
            {
                auto& waitsFor = after[next->second];
                const uint32_t last = std::prev(next)->second;
                if (std::find(waitsFor.begin(), waitsFor.end(), last) == waitsFor.end())
                {
                    waitsFor.push_back(last);
                }
            }
        }
        std::vector<uint32_t> cycle;
        std::vector<uint32_t> numbers(nodes.size());
        for (const uint32_t i : SortByDependencies(after, cycle))
        {
            std::vector<uint32_t> operations;
            for (const uint32_t other : after[i])
            {
                operations.push_back(numbers[other]);
            }
            numbers[i] = AddNode(*nodes[i], operations);
        }
    }

    /// @return what it does, as a step that waits for nothing
    OrderedStep MakeStep(const ChakraNode& node) const
    {
        using Kind = OrderedStep::Kind;
        const bool isOfCpu = node.isCpuOperation.value_or(0) != 0;
        switch (node.type)
        {
        case ChakraNodeType::COMPUTE:
            return {Kind::COMPUTE, GetNanoseconds(node), isOfCpu ? CPU : ACCELERATOR, 0, {}};
        case ChakraNodeType::SEND:
        case ChakraNodeType::RECEIVE:
            if (isOfCpu && !node.source && !node.destination)
            {
                return {Kind::COMPUTE, GetNanoseconds(node), CPU, 0, {}};
            }
            return MakeMessage(node);
        case ChakraNodeType::COLLECTIVE:
            if (ChakraCollectives::IsPart(node))
            {
                return {Kind::COLLECTIVE, m_collectives.GetNumber(node), 0, 0, {}};
            }
            return {Kind::COMPUTE, GetNanoseconds(node), isOfCpu ? CPU : COMMUNICATION, 0, {}};
        case ChakraNodeType::MEMORY_LOAD:
        case ChakraNodeType::MEMORY_STORE:
            Fail(node, "is an access to remote memory, which is not supported");
        case ChakraNodeType::INVALID:
            Fail(node, "has no type");
        default:
            return {Kind::COMPUTE, 0, NOTHING, 0, {}};
        }
    }

    /// @return how long it takes, in nanoseconds
    uint64_t GetNanoseconds(const ChakraNode& node) const
    {
        if (node.durationMicros > MAX_MICROS)
        {
            Fail(node, "has a duration_micros above " + std::to_string(MAX_MICROS));
        }
        if (node.durationMicros != 0 || node.nOperations.value_or(0) == 0)
        {
            return 1000 * node.durationMicros;
        }
        if (m_settings.operationRate == 0)
        {
            Fail(node,
                 "has num_ops but no duration_micros: tell the operations per second with " +
                     m_settings.operationRateName);
        }
        constexpr auto MAX = static_cast<uint64_t>(INT64_MAX);
        const auto get = [&](const auto& value, const char* name) {
            return static_cast<double>(GetChakraAttribute(m_rank, node, value, name, MAX));
        };
        double seconds = get(node.nOperations, "num_ops") / m_settings.operationRate;
        if (node.tensorSize && m_settings.memoryRate != 0)
        {
            seconds =
                std::max(seconds, get(node.tensorSize, "tensor_size") / m_settings.memoryRate);
        }
        if (seconds > 1e-6 * MAX_MICROS)
        {
            Fail(node, "takes more than " + std::to_string(MAX_MICROS) + " us");
        }
        return static_cast<uint64_t>(std::llround(1e9 * seconds));
    }

    /// @return a message of the current rank, as a step that waits for nothing
    OrderedStep MakeMessage(const ChakraNode& node) const
    {
        const bool isSend = node.type == ChakraNodeType::SEND;
        const auto& self = isSend ? node.source : node.destination;
        if (self && *self != static_cast<int64_t>(m_rank))
        {
            Fail(node,
                 std::string("has the ") + (isSend ? "comm_src " : "comm_dst ") +
                     std::to_string(*self) + ", but is in the trace of rank " +
                     std::to_string(m_rank));
        }
        const auto get = [&](const auto& value, const char* name, uint64_t max) {
            return GetChakraAttribute(m_rank, node, value, name, max);
        };
        const auto& other = isSend ? node.destination : node.source;
        const auto peer = static_cast<uint32_t>(
            get(other, isSend ? "comm_dst" : "comm_src", m_plan.GetNRanks() - 1));
        const uint64_t bytes =
            get(node.communicationSize ? node.communicationSize : node.tensorSize,
                "comm_size or tensor_size",
                CollectiveSchedule::MAX_BYTES);
        const auto tag = static_cast<uint32_t>(
            get(std::optional(node.tag.value_or(0)), "comm_tag", WorkloadPlan::FIRST_TAG - 1));
        const auto kind = isSend ? OrderedStep::Kind::SEND : OrderedStep::Kind::RECEIVE;
        return {kind, bytes, peer, tag, {}};
    }

    /// Add an operation.
    uint32_t AddNode(const ChakraNode& node, const std::vector<uint32_t>& after)
    {
        RankProgram& program = m_plan.GetProgram(m_rank);
        const OrderedStep step = MakeStep(node);
        if (step.kind == OrderedStep::Kind::COMPUTE)
        {
            return program.AddCompute(step.amount, after, m_item, step.peer);
        }
        if (step.kind == OrderedStep::Kind::COLLECTIVE)
        {
            return m_collectives.AddOperation(m_rank, node, after);
        }
        const uint32_t item = m_plan.AddItem(DescribeChakraNode(node));
        return step.kind == OrderedStep::Kind::SEND
                   ? program.AddSend(step.peer, step.amount, step.tag, after, item)
                   : program.AddReceive(step.peer, step.amount, step.tag, after, item);
    }

    const std::vector<ChakraTrace>& m_traces; //!< the traces
    const ChakraSettings& m_settings;         //!< how they are executed
    WorkloadPlan m_plan;                      //!< the plan
    ChakraCollectives m_collectives;          //!< the collectives
    uint32_t m_item{0};                       //!< the item of computations
    uint32_t m_rank{0};                       //!< the current rank
    std::vector<ChakraGraph> m_graphs;        //!< by rank, its nodes
    std::vector<OrderedCollective> m_ordered; //!< the collectives by number
    std::vector<uint32_t> m_places;           //!< by collective, its place in their order
};

} // namespace

WorkloadPlan
MakeChakraPlan(const std::vector<ChakraTrace>& traces,
               const ChakraSettings& settings,
               std::vector<std::string>* notes)
{
    ChakraPlanner planner(traces, settings);
    WorkloadPlan plan = planner.Make();
    if (notes)
    {
        *notes = planner.GetNotes();
    }
    return plan;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_COLLECTIVES_H
#define AIDC_CHAKRA_COLLECTIVES_H

#include "chakra-json.h"
#include "chakra-trace.h"
#include "collective-order.h"
#include "collective-schedule.h"
#include "dependency-order.h"
#include "workload-plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The nodes of a rank's trace in the order of their ids, and what they wait for.
class ChakraGraph
{
  public:
    /// @param rank the rank
    /// @param trace its trace, which outlives the graph
    /// @param waitsForControl whether nodes wait for their control dependencies too
    /// @throws ChakraError if two nodes have an id, a node depends on one that there is not, or
    ///         nodes depend on each other in a circle
    ChakraGraph(uint32_t rank, const ChakraTrace& trace, bool waitsForControl)
        : m_rank(rank)
    {
        for (const ChakraNode& node : trace.nodes)
        {
            m_nodes.push_back(&node);
        }
        std::stable_sort(m_nodes.begin(),
                         m_nodes.end(),
                         [](const ChakraNode* a, const ChakraNode* b) { return a->id < b->id; });
        const auto twice = std::adjacent_find(
            m_nodes.begin(),
            m_nodes.end(),
            [](const ChakraNode* a, const ChakraNode* b) { return a->id == b->id; });
        if (twice != m_nodes.end())
        {
            throw ChakraError(rank, **twice, "has an id that another node has");
        }
        for (const ChakraNode* const node : m_nodes)
        {
            std::vector<uint32_t> after;
            Find(node->dataDependencies, *node, false, after);
            if (waitsForControl)
            {
                Find(node->controlDependencies, *node, true, after);
            }
            std::sort(after.begin(), after.end());
            after.erase(std::unique(after.begin(), after.end()), after.end());
            m_after.push_back(std::move(after));
        }
        CheckOrder();
    }

    /// @return the nodes
    const std::vector<const ChakraNode*>& GetNodes() const
    {
        return m_nodes;
    }

    /// @return by node, the numbers of those that it waits for, each once
    const std::vector<std::vector<uint32_t>>& GetAfter() const
    {
        return m_after;
    }

    /// @return how many control dependencies are on nodes that there are not; they are left out, as
    ///         converters of traces leave out nodes of the host that take no time
    std::size_t GetNMissing() const
    {
        return m_nMissing;
    }

    /// Put some nodes into an order in which each one comes after those that it waits for, also
    /// by way of other nodes. Where this leaves a choice, the lowest id comes first.
    /// @param isWanted by node, whether it is one of them
    /// @return their numbers in order
    std::vector<uint32_t> Sort(const std::vector<bool>& isWanted) const
    {
        // The others get lower numbers, so that they come as soon as they can, and no wanted node
        // waits for one of them that stands after it by chance
        std::vector<uint32_t> nodes;
        for (const bool wanted : {false, true})
        {
            for (uint32_t node = 0; node < m_nodes.size(); ++node)
            {
                if (isWanted[node] == wanted)
                {
                    nodes.push_back(node);
                }
            }
        }
        std::vector<uint32_t> numbers(m_nodes.size());
        for (uint32_t number = 0; number < nodes.size(); ++number)
        {
            numbers[nodes[number]] = number;
        }
        std::vector<std::vector<uint32_t>> after;
        for (const uint32_t node : nodes)
        {
            after.emplace_back();
            for (const uint32_t other : m_after[node])
            {
                after.back().push_back(numbers[other]);
            }
        }
        std::vector<uint32_t> cycle;
        std::vector<uint32_t> sorted;
        for (const uint32_t number : SortByDependencies(after, cycle))
        {
            if (isWanted[nodes[number]])
            {
                sorted.push_back(nodes[number]);
            }
        }
        return sorted;
    }

  private:
    /// node: the node that depends on them; isControl: whether nodes that there are not are left
    /// out; after: where their numbers are added.
    void Find(const std::vector<uint64_t>& ids,
              const ChakraNode& node,
              bool isControl,
              std::vector<uint32_t>& after)
    {
        for (const uint64_t id : ids)
        {
            const auto place = std::lower_bound(
                m_nodes.begin(),
                m_nodes.end(),
                id,
                [](const ChakraNode* other, uint64_t value) { return other->id < value; });
            if (place != m_nodes.end() && (*place)->id == id)
            {
                after.push_back(static_cast<uint32_t>(place - m_nodes.begin()));
            }
            else if (isControl)
            {
                ++m_nMissing;
            }
            else
            {
                throw ChakraError(m_rank,
                                  node,
                                  "depends on node " + std::to_string(id) + ", which there is not");
            }
        }
    }

    /// Check that no node waits for itself.
    void CheckOrder() const
    {
        std::vector<uint32_t> cycle;
        SortByDependencies(m_after, cycle);
        if (!cycle.empty())
        {
            const uint32_t next = cycle.size() > 1 ? cycle[1] : cycle[0];
            throw ChakraError(m_rank,
                              *m_nodes[cycle[0]],
                              "waits for itself: it is one of " + std::to_string(cycle.size()) +
                                  " nodes that depend on each other, and depends on node " +
                                  std::to_string(m_nodes[next]->id));
        }
    }

    uint32_t m_rank;                            //!< the rank
    std::vector<const ChakraNode*> m_nodes;     //!< the nodes by id
    std::vector<std::vector<uint32_t>> m_after; //!< by node, those that it waits for
    std::size_t m_nMissing{0};                  //!< dependencies that are left out
};

/**
 * @brief The collectives of Chakra traces, matched between ranks.
 *
 * A trace does not say which nodes of other ranks take part in a collective. If all ranks of a
 * process group have the same ids, nodes of one id are one collective; otherwise nodes of the same
 * number among those of the group, in the order of the rank's dependencies, and of ids where these
 * leave a choice. The nodes must be alike.
 */
class ChakraCollectives
{
  public:
    /// How nodes are matched.
    enum class Matching : uint8_t
    {
        BY_ID,   //!< by id, where all ranks of a group have the same ids, else by order
        BY_ORDER //!< by order
    };

    /// @param settings the ranks of process groups, and how collectives are done
    /// @param plan gets the items and operations; it and the settings outlive this object
    ChakraCollectives(const ChakraSettings& settings, WorkloadPlan& plan);

    /// Add the collectives of the next rank, counted from 0.
    /// @param graph the nodes of its trace; it outlives this object
    /// @param groups the process groups that its trace tells
    /// @throws ChakraError if the ranks of a node's group are not known, or wrong
    void AddRank(const ChakraGraph& graph, const std::map<std::string, ChakraGroup>& groups);

    /// Match the collectives of all ranks. @throws ChakraError if a collective is wrong, a rank
    /// does not have it, or has a different one
    void Match(Matching matching);

    /// @return by number, the collectives, which have been matched
    std::vector<OrderedCollective> GetCollectives() const;

    /// @return whether it is part of a collective. The wrappers of collectives on the host's
    /// processor, and collectives of which the trace has the time only, are not.
    static bool IsPart(const ChakraNode& node);

    /// @param node a part of a collective that has been matched
    /// @return the number of the collective
    uint32_t GetNumber(const ChakraNode& node) const
    {
        return m_numbers.at(&node);
    }

    /// Add a collective that has been matched to the program of a rank. after: the operations that
    /// it waits for.
    uint32_t AddOperation(uint32_t rank,
                          const ChakraNode& node,
                          const std::vector<uint32_t>& after);

    /// @return notes to the user on what has no effect
    std::vector<std::string> GetNotes() const;

  private:
    /// A collective of a group.
    struct Collective
    {
        CollectiveSchedule schedule;  //!< the collective
        uint32_t group;               //!< the number of its group
        uint32_t rank;                //!< the rank of its first member
        const ChakraNode* node;       //!< the node there
        std::optional<uint32_t> item; //!< its item in the plan, once it has one
        uint32_t tag;                 //!< its first tag then
    };

    /// A process group.
    struct Group
    {
        RankGroup ranks;                          //!< its ranks
        std::map<uint32_t, uint32_t> members;     //!< by rank, which member it is
        std::vector<std::vector<uint32_t>> nodes; //!< by member, its nodes, by id
    };

    std::vector<uint32_t> GetRanks(uint32_t rank,
                                   const ChakraNode& node,
                                   const std::map<std::string, ChakraGroup>& groups) const;

    /// @return the ranks that take part
    std::vector<uint32_t> GetRanksOfDimensions(uint32_t rank, const ChakraNode& node) const;

    uint32_t GetGroup(uint32_t rank,
                      const ChakraNode& node,
                      const std::map<std::string, ChakraGroup>& groups);

    /// @return whether all of its ranks have the same ids
    bool HasSameIds(const Group& group) const;

    /// @return the numbers of its nodes in the order of dependencies
    std::vector<uint32_t> SortNodes(const Group& group, uint32_t member) const;

    /// Match the collectives of a group.
    void MatchGroup(uint32_t number, Matching matching);

    CollectiveSchedule GetSchedule(uint32_t rank,
                                   const ChakraNode& node,
                                   const std::vector<uint32_t>& ranks) const;

    const ChakraSettings& m_settings;         //!< how collectives are done
    WorkloadPlan& m_plan;                     //!< gets the items and operations
    std::vector<const ChakraGraph*> m_graphs; //!< by rank, its nodes
    /// By the name and the ranks of groups, their numbers; ranks may tell different groups by one
    /// name.
    std::map<std::pair<std::string, std::vector<uint32_t>>, uint32_t> m_groupNumbers;
    std::vector<Group> m_groups;                     //!< by number
    std::vector<Collective> m_collectives;           //!< by number
    std::map<const ChakraNode*, uint32_t> m_numbers; //!< by node, its collective
    std::map<std::string, bool> m_isUsed;            //!< by name, of groups of the settings
};

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_COLLECTIVES_H

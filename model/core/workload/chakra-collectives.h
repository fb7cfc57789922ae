// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHAKRA_COLLECTIVES_H
#define AIDC_CHAKRA_COLLECTIVES_H

#include "chakra-json.h"
#include "chakra-trace.h"
#include "collective-schedule.h"
#include "dependency-order.h"
#include "text-reader.h"
#include "workload-plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The nodes of a rank's trace in the order of their ids, and what they wait for.
class ChakraGraph
{
  public:
    /// trace: of the rank; outlives the graph; waitsForControl: whether nodes wait for their
    /// control dependencies too.
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

    /// @return by node, the numbers of the nodes that it waits for, each once
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

    /// Put some nodes into an order in which each node comes after the nodes that it waits for,
    /// also by way of other nodes. Where this leaves a choice, the lowest id comes first.
    /// @param isWanted by node, whether it is one of them
    /// @return their numbers in order
    std::vector<uint32_t> Sort(const std::vector<bool>& isWanted) const
    {
        // The others come as soon as they can, so that no wanted node waits for one of them that
        // stands after it by chance
        std::vector<uint32_t> cycle;
        std::vector<uint32_t> sorted;
        for (const uint32_t node : SortByDependencies(m_after, cycle, isWanted))
        {
            if (isWanted[node])
            {
                sorted.push_back(node);
            }
        }
        return sorted;
    }

  private:
    /// isControl: whether absent nodes are left out; after: where the numbers are added
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
    std::vector<std::vector<uint32_t>> m_after; //!< by node, the nodes that it waits for
    std::size_t m_nMissing{0};                  //!< dependencies that are left out
};

/// The collectives of Chakra traces, matched between ranks.
///
/// A trace does not say which nodes of other ranks take part in a collective. If all ranks of a
/// process group have the same ids, nodes of one id are one collective; otherwise nodes of the same
/// number are, if a group's nodes are counted in the order of the rank's dependencies, and of ids
/// where these leave a choice. The nodes must be alike.
class ChakraCollectives
{
  public:
    /// How nodes are matched.
    enum class Matching : uint8_t
    {
        BY_ID,   //!< by id, where all ranks of a group have the same ids, else by order
        BY_ORDER //!< by order
    };

    /// plan: gets the items and operations; it and the settings outlive this object.
    ChakraCollectives(const ChakraSettings& settings, WorkloadPlan& plan)
        : m_settings(settings),
          m_plan(plan)
    {
        for (const auto& group : settings.groups)
        {
            m_isUsed.emplace(group.first, false);
        }
    }

    /// Add the collectives of the next rank, counted from 0. graph: of its trace; outlives this
    /// object; groups: the groups that its trace tells.
    /// @throws ChakraError if the ranks of a node's group are not known, or wrong
    void AddRank(const ChakraGraph& graph, const std::map<std::string, ChakraGroup>& groups)
    {
        const auto rank = static_cast<uint32_t>(m_graphs.size());
        m_graphs.push_back(&graph);
        std::map<std::pair<std::string, std::vector<bool>>, uint32_t> known;
        for (uint32_t i = 0; i < graph.GetNodes().size(); ++i)
        {
            const ChakraNode& node = *graph.GetNodes()[i];
            if (!IsPart(node))
            {
                continue;
            }
            const auto key = std::make_pair(node.group, node.dimensions);
            auto found = known.find(key);
            if (found == known.end())
            {
                found = known.emplace(key, GetGroup(rank, node, groups)).first;
            }
            Group& group = m_groups[found->second];
            group.nodes[group.members.at(rank)].push_back(i);
        }
    }

    /// Match the collectives of all ranks. @throws ChakraError if a collective is wrong, a rank
    /// does not have it, or has a different one
    void Match(Matching matching)
    {
        m_collectives.clear();
        m_numbers.clear();
        for (uint32_t group = 0; group < m_groups.size(); ++group)
        {
            MatchGroup(group, matching);
        }
    }

    /// @return by number, the collectives, which have been matched
    std::vector<OrderedCollective> GetCollectives() const
    {
        std::vector<OrderedCollective> collectives;
        for (const Collective& collective : m_collectives)
        {
            collectives.push_back({collective.group,
                                   static_cast<uint32_t>(m_groups[collective.group].ranks->size()),
                                   collective.schedule.GetBytes(),
                                   collective.node->id});
        }
        return collectives;
    }

    /// @return whether it is part of a collective. The wrappers of collectives on the host's
    /// processor, and collectives of which the trace has only the time, are not.
    static bool IsPart(const ChakraNode& node)
    {
        return node.type == ChakraNodeType::COLLECTIVE &&
               (node.communicationType ||
                (node.isCpuOperation.value_or(0) == 0 && node.durationMicros == 0));
    }

    /// @param node a part of a collective that has been matched
    /// @return the number of the collective
    uint32_t GetNumber(const ChakraNode& node) const
    {
        return m_numbers.at(&node);
    }

    /// Add a collective that has been matched to the program of a rank. after: the operations that
    /// it waits for.
    uint32_t AddOperation(uint32_t rank, const ChakraNode& node, const std::vector<uint32_t>& after)
    {
        Collective& collective = m_collectives[GetNumber(node)];
        if (!collective.item)
        {
            collective.item =
                m_plan.AddItem(DescribeChakraNode(*collective.node), collective.schedule);
            collective.tag = m_plan.TakeTags(collective.schedule.GetNLanes());
        }
        const Group& group = m_groups[collective.group];
        return m_plan.GetProgram(rank).AddCollective(
            {collective.schedule, group.ranks, group.members.at(rank)},
            collective.tag,
            after,
            *collective.item);
    }

    /// @return notes to the user on what has no effect
    std::vector<std::string> GetNotes() const
    {
        std::vector<std::string> notes;
        std::size_t nAlone = 0;
        std::size_t nPriorities = 0;
        for (const Collective& collective : m_collectives)
        {
            nAlone += m_groups[collective.group].ranks->size() == 1 ? 1 : 0;
            nPriorities += collective.node->priority.value_or(0) != 0 ? 1 : 0;
        }
        if (nAlone > 0)
        {
            notes.push_back(std::to_string(nAlone) +
                            " collectives of process groups of one rank send nothing");
        }
        if (nPriorities > 0)
        {
            notes.push_back("comm_priority is not used, which " + std::to_string(nPriorities) +
                            " collectives have");
        }
        std::string unused;
        for (const auto& [name, isUsed] : m_isUsed)
        {
            unused += isUsed ? "" : (unused.empty() ? "" : ", ") + GetPrintableName(name);
        }
        if (!unused.empty())
        {
            notes.push_back("process groups without a collective: " + unused);
        }
        return notes;
    }

  private:
    /// @return whether it involves some dimensions of the network only
    static bool IsOfSomeDimensions(const ChakraNode& node)
    {
        return std::find(node.dimensions.begin(), node.dimensions.end(), false) !=
               node.dimensions.end();
    }

    static std::string DescribeDimensions(const ChakraNode& node)
    {
        std::string text;
        for (const bool isInvolved : node.dimensions)
        {
            text += (text.empty() ? "" : ", ") + std::string(isInvolved ? "true" : "false");
        }
        return "[" + text + "]";
    }

    std::vector<uint32_t> GetAllRanks() const
    {
        std::vector<uint32_t> ranks(m_plan.GetNRanks());
        std::iota(ranks.begin(), ranks.end(), 0);
        return ranks;
    }

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
                                   const std::map<std::string, ChakraGroup>& groups) const
    {
        const uint32_t nRanks = m_plan.GetNRanks();
        if (const auto found = m_settings.groups.find(node.group); found != m_settings.groups.end())
        {
            return found->second;
        }
        if (const auto found = groups.find(node.group); found != groups.end())
        {
            const ChakraGroup& group = found->second;
            const uint64_t size = group.ranks.empty() ? nRanks : group.ranks.size();
            if (group.size && *group.size != size)
            {
                throw ChakraError(rank,
                                  node,
                                  "is of the process group \"" + node.group + "\" of " +
                                      std::to_string(*group.size) + " ranks, but there are " +
                                      std::to_string(size));
            }
            return group.ranks.empty() ? GetAllRanks() : group.ranks;
        }
        // As in ASTRA-sim, and PyTorch calls the group of all ranks so
        if (!node.group.empty() && node.group != "0")
        {
            throw ChakraError(rank,
                              node,
                              "is of the process group \"" + GetPrintableName(node.group) +
                                  "\", whose ranks are not known: tell them with " +
                                  m_settings.groupsName);
        }
        return IsOfSomeDimensions(node) ? GetRanksOfDimensions(rank, node) : GetAllRanks();
    }

    /// @return the ranks that take part
    std::vector<uint32_t> GetRanksOfDimensions(uint32_t rank, const ChakraNode& node) const
    {
        const std::string what =
            "involves the dimensions " + DescribeDimensions(node) + " of a network";
        const std::vector<uint32_t>& sizes = m_settings.dimensions;
        if (sizes.empty())
        {
            throw ChakraError(rank,
                              node,
                              what + ", whose sizes are not known: tell them with " +
                                  m_settings.dimensionsName);
        }
        if (node.dimensions.size() < sizes.size())
        {
            throw ChakraError(rank, node, what + " that has " + std::to_string(sizes.size()));
        }
        uint64_t nRanks = 1;
        std::vector<uint32_t> ranks{rank};
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            const auto stride = static_cast<uint32_t>(nRanks);
            nRanks *= sizes[i];
            if (sizes[i] == 0 || nRanks > m_plan.GetNRanks())
            {
                break;
            }
            if (!node.dimensions[i])
            {
                continue;
            }
            std::vector<uint32_t> all;
            const uint32_t own = rank / stride % sizes[i];
            for (uint32_t place = 0; place < sizes[i]; ++place)
            {
                for (const uint32_t other : ranks)
                {
                    all.push_back(other - own * stride + place * stride);
                }
            }
            ranks = std::move(all);
        }
        if (nRanks != m_plan.GetNRanks())
        {
            throw ChakraError(rank,
                              node,
                              what + ", but the product of its sizes, " +
                                  m_settings.dimensionsName + ", is not the number of ranks, " +
                                  std::to_string(m_plan.GetNRanks()));
        }
        return ranks;
    }

    uint32_t GetGroup(uint32_t rank,
                      const ChakraNode& node,
                      const std::map<std::string, ChakraGroup>& groups)
    {
        const std::vector<uint32_t> ranks = GetRanks(rank, node, groups);
        if (const auto used = m_isUsed.find(node.group); used != m_isUsed.end())
        {
            used->second = true;
        }
        // Groups of some dimensions have no name, and are not groups of all ranks
        const std::string name =
            node.group.empty() && IsOfSomeDimensions(node) ? DescribeDimensions(node) : node.group;
        const auto [entry, isNew] = m_groupNumbers.emplace(std::make_pair(name, ranks),
                                                           static_cast<uint32_t>(m_groups.size()));
        if (isNew)
        {
            m_groups.emplace_back();
            m_groups.back().ranks = std::make_shared<const std::vector<uint32_t>>(ranks);
            m_groups.back().nodes.resize(ranks.size());
        }
        Group& group = m_groups[entry->second];
        const auto fail = [&](const std::string& what) {
            throw ChakraError(rank,
                              node,
                              "is of the process group \"" + GetPrintableName(name) + "\", " +
                                  what);
        };
        for (uint32_t member = 0; isNew && member < ranks.size(); ++member)
        {
            if (ranks[member] >= m_plan.GetNRanks() ||
                !group.members.emplace(ranks[member], member).second)
            {
                fail("which has rank " + std::to_string(ranks[member]) +
                     " twice, or there is no such rank");
            }
        }
        if (group.members.count(rank) == 0)
        {
            fail("which has not this rank");
        }
        return entry->second;
    }

    bool HasSameIds(const Group& group) const
    {
        const auto get = [&](std::size_t member, uint32_t i) {
            return m_graphs[(*group.ranks)[member]]->GetNodes()[group.nodes[member][i]]->id;
        };
        for (std::size_t member = 1; member < group.nodes.size(); ++member)
        {
            if (group.nodes[member].size() != group.nodes[0].size())
            {
                return false;
            }
            for (uint32_t i = 0; i < group.nodes[0].size(); ++i)
            {
                if (get(member, i) != get(0, i))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// @return the numbers of its nodes in the order of dependencies
    std::vector<uint32_t> SortNodes(const Group& group, uint32_t member) const
    {
        const ChakraGraph& graph = *m_graphs[(*group.ranks)[member]];
        const std::vector<uint32_t>& nodes = group.nodes[member];
        if (nodes.size() < 2)
        {
            return nodes;
        }
        std::vector<bool> isWanted(graph.GetNodes().size());
        for (const uint32_t i : nodes)
        {
            isWanted[i] = true;
        }
        return graph.Sort(isWanted);
    }

    void MatchGroup(uint32_t number, Matching matching)
    {
        const Group& group = m_groups[number];
        const auto first = static_cast<uint32_t>(m_collectives.size());
        std::vector<uint32_t> counts;
        const bool isById = matching == Matching::BY_ID && HasSameIds(group);
        for (uint32_t member = 0; member < group.nodes.size(); ++member)
        {
            const uint32_t rank = (*group.ranks)[member];
            const auto nodes = isById ? group.nodes[member] : SortNodes(group, member);
            for (uint32_t i = 0; i < nodes.size(); ++i)
            {
                const ChakraNode& node = *m_graphs[rank]->GetNodes()[nodes[i]];
                const CollectiveSchedule schedule = GetSchedule(rank, node, *group.ranks);
                if (i == counts.size())
                {
                    m_collectives.push_back({schedule, number, rank, &node, std::nullopt, 0});
                    counts.push_back(0);
                }
                const Collective& other = m_collectives[first + i];
                if (other.schedule.GetKind() != schedule.GetKind() ||
                    other.schedule.GetAlgorithm() != schedule.GetAlgorithm() ||
                    other.schedule.GetBytes() != schedule.GetBytes())
                {
                    throw ChakraError(rank,
                                      node,
                                      "does not match " + DescribeChakraNode(*other.node) +
                                          " of rank " + std::to_string(other.rank) +
                                          ": both are number " + std::to_string(i) +
                                          " of their process group");
                }
                ++counts[i];
                m_numbers[&node] = first + i;
            }
        }
        for (uint32_t i = 0; i < counts.size(); ++i)
        {
            if (counts[i] != group.nodes.size())
            {
                const Collective& missed = m_collectives[first + i];
                throw ChakraError(missed.rank,
                                  *missed.node,
                                  "is number " + std::to_string(i) +
                                      " of its process group, which " + std::to_string(counts[i]) +
                                      " of " + std::to_string(group.nodes.size()) + " ranks have");
            }
        }
    }

    CollectiveSchedule GetSchedule(uint32_t rank,
                                   const ChakraNode& node,
                                   const std::vector<uint32_t>& ranks) const
    {
        const auto bytes = [&] {
            return GetChakraAttribute(rank,
                                      node,
                                      node.communicationSize,
                                      "comm_size",
                                      CollectiveSchedule::MAX_BYTES);
        };
        const auto make = [&](CollectiveKind kind, CollectiveAlgorithm algorithm, uint64_t size) {
            return m_settings.MakeSchedule(kind, algorithm, ranks, size);
        };
        try
        {
            switch (GetChakraAttribute(rank, node, node.communicationType, "comm_type", 9))
            {
            case 0:
                return make(CollectiveKind::ALL_REDUCE, m_settings.allReduce, bytes());
            case 2: {
                const uint64_t size = bytes();
                if (size > CollectiveSchedule::MAX_BYTES / ranks.size())
                {
                    throw ChakraError(rank, node, "gathers more than 2^60 bytes");
                }
                return make(CollectiveKind::ALL_GATHER, m_settings.allGather, size * ranks.size());
            }
            case 5:
                return make(CollectiveKind::BROADCAST, m_settings.broadcast, bytes());
            case 6:
                return make(CollectiveKind::ALL_TO_ALL, m_settings.allToAll, bytes());
            case 7:
            case 8:
                return make(CollectiveKind::REDUCE_SCATTER, m_settings.reduceScatter, bytes());
            case 9:
                return make(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RECURSIVE_DOUBLING, 0);
            default:
                throw ChakraError(rank,
                                  node,
                                  "is a reduce, gather or scatter, which are not supported");
            }
        }
        catch (const ChakraError&)
        {
            throw;
        }
        catch (const std::invalid_argument& error)
        {
            throw ChakraError(rank, node, std::string("cannot be: ") + error.what());
        }
    }

    const ChakraSettings& m_settings;         //!< how collectives are done
    WorkloadPlan& m_plan;                     //!< gets the items and operations
    std::vector<const ChakraGraph*> m_graphs; //!< by rank, its nodes
    /// Numbers of groups, by name and ranks, as ranks may give different groups one name.
    std::map<std::pair<std::string, std::vector<uint32_t>>, uint32_t> m_groupNumbers;
    std::vector<Group> m_groups;                     //!< by number
    std::vector<Collective> m_collectives;           //!< by number
    std::map<const ChakraNode*, uint32_t> m_numbers; //!< by node, its collective
    std::map<std::string, bool> m_isUsed;            //!< by name, of groups of the settings
};

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_COLLECTIVES_H

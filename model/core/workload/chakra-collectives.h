/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_COLLECTIVES_H
#define AIDC_CHAKRA_COLLECTIVES_H

#include "chakra-graph.h"
#include "chakra-groups.h"
#include "chakra-settings.h"
#include "chakra-trace.h"
#include "collective-order.h"
#include "collective-schedule.h"
#include "workload-plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

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

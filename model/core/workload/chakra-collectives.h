/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_COLLECTIVES_H
#define AIDC_CHAKRA_COLLECTIVES_H

#include "chakra-trace.h"
#include "collective-schedule.h"
#include "collective-settings.h"
#include "workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief How Chakra traces are executed.
 */
struct ChakraSettings : CollectiveSettings
{
    /// By the name of a process group (pg_name), its ranks. Nodes without a name are of all ranks.
    std::map<std::string, std::vector<uint32_t>> groups;
    /// Whether nodes wait for their control dependencies too, which Chakra's feeder ignores.
    bool waitsForControl{false};
};

/**
 * @ingroup aidc
 * @brief The collectives of Chakra traces, matched between ranks.
 *
 * A trace does not say which nodes of other ranks take part in a collective. The nodes that have
 * the same number among those of their process group, counted at each rank in the order of ids, are
 * one collective, and must be alike.
 */
class ChakraCollectives
{
  public:
    /// @param settings the ranks of process groups, and how collectives are done
    /// @param plan gets the items and operations; it and the settings outlive this object
    ChakraCollectives(const ChakraSettings& settings, WorkloadPlan& plan);

    /// Match the next collective of a rank with those of the others.
    /// @param rank the rank
    /// @param node the node, which outlives this object
    /// @throws ChakraError if there is no such collective, or another rank has a different one
    void Match(uint32_t rank, const ChakraNode& node);

    /// Add a collective to the program of a rank, once the nodes of all ranks are matched.
    /// @param rank the rank
    /// @param node the node
    /// @param after the operations that it waits for
    /// @return the number of the operation
    /// @throws ChakraError if a rank of the process group does not have it
    uint32_t AddOperation(uint32_t rank,
                          const ChakraNode& node,
                          const std::vector<uint32_t>& after);

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
        std::vector<std::size_t> counts;      //!< by member, how many of them its rank has
    };

    /// @param rank the rank whose trace it is
    /// @param node the node
    /// @return the group of the collective
    Group& GetGroup(uint32_t rank, const ChakraNode& node);

    /// @param rank the rank whose trace it is
    /// @param node the node
    /// @param ranks the ranks of its group
    /// @return the collective
    CollectiveSchedule GetSchedule(uint32_t rank,
                                   const ChakraNode& node,
                                   const std::vector<uint32_t>& ranks) const;

    const ChakraSettings& m_settings;                   //!< how collectives are done
    WorkloadPlan& m_plan;                               //!< gets the items and operations
    std::map<std::string, Group> m_groups;              //!< by name
    std::map<const ChakraNode*, std::size_t> m_numbers; //!< by node, its number in the group
};

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_COLLECTIVES_H

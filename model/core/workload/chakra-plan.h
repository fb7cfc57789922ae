/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_PLAN_H
#define AIDC_CHAKRA_PLAN_H

#include "chakra-trace.h"
#include "collective-schedule.h"
#include "workload-plan.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief How Chakra traces are executed.
 */
struct ChakraSettings
{
    /// By the name of a process group (pg_name), its ranks. Nodes without a name are of all ranks.
    std::map<std::string, std::vector<uint32_t>> groups;
    CollectiveAlgorithm allReduce{CollectiveAlgorithm::RING};          //!< for all-reduces
    CollectiveAlgorithm allGather{CollectiveAlgorithm::RING};          //!< for all-gathers
    CollectiveAlgorithm reduceScatter{CollectiveAlgorithm::RING};      //!< for reduce-scatters
    CollectiveAlgorithm broadcast{CollectiveAlgorithm::BINOMIAL_TREE}; //!< for broadcasts
    uint32_t nChunks{1}; //!< chunks of each collective
    /// Whether nodes wait for their control dependencies too, which Chakra's feeder ignores.
    bool waitsForControl{false};
};

/**
 * @ingroup aidc
 * @brief Something in a trace that cannot be executed.
 */
class ChakraError : public std::invalid_argument
{
  public:
    /// @param rank the rank whose trace it is
    /// @param message what is wrong; names the node
    ChakraError(uint32_t rank, const std::string& message);

    /// @return the rank whose trace it is
    uint32_t GetRank() const;

  private:
    uint32_t m_rank; //!< the rank
};

/**
 * @ingroup aidc
 * @brief Make the programs of all ranks of their traces.
 *
 * - A computation takes its duration_micros, on the host's processor (unit 1) if is_cpu_op, else on
 *   the accelerator (unit 0). A node with num_ops but no duration is an error: there is no model of
 *   processors.
 * - A message has comm_size bytes, or tensor_size if there is none, comm_dst or comm_src, and
 *   comm_tag or 0.
 * - A collective is the one of its number among those of its group at a rank, in the order of ids.
 *   comm_size is what a rank puts in, so that an all-gather has n times as many bytes. The root of
 * a broadcast is the first rank of its group. A barrier is an all-reduce without bytes, by
 * recursive doubling. What it took when the trace was made is not used.
 * - Metadata, and nodes of types that are not known, only pass on their dependencies.
 *
 * Loads and stores of remote memory, and reduce, gather and scatter, are errors.
 *
 * @param traces the traces, by rank
 * @param settings how they are executed
 * @return the programs, which have been checked
 * @throws ChakraError that names the node
 * @throws std::invalid_argument if the programs do not fit together
 */
WorkloadPlan MakeChakraPlan(const std::vector<ChakraTrace>& traces, const ChakraSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_PLAN_H

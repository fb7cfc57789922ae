/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_PLAN_H
#define AIDC_CHAKRA_PLAN_H

#include "chakra-collectives.h"
#include "chakra-trace.h"
#include "workload-plan.h"

#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Make the programs of all ranks from their traces.
 *
 * - A computation takes its duration_micros, on the host's processor (unit 1) if is_cpu_op, else on
 *   the accelerator (unit 0). A node with num_ops but no duration is an error: there is no model of
 *   processors.
 * - A message has comm_size bytes, or tensor_size if there is none, comm_dst or comm_src, and
 *   comm_tag or 0.
 * - Collectives are matched between ranks by their number in their group, in the order of ids
 * (ChakraCollectives). comm_size is the input of a rank, so that an all-gather has n times as many
 * bytes. The root of a broadcast is the first rank of its group. A barrier is an all-reduce without
 * bytes, by recursive doubling. The durations in the trace are not used.
 * - Metadata and nodes of unknown types only pass on their dependencies.
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

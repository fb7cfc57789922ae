// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHAKRA_PLAN_H
#define AIDC_CHAKRA_PLAN_H

#include "chakra-trace.h"
#include "workload-plan.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/// Make the programs of all ranks from their traces.
///
/// - A computation takes its duration_micros, on the host's processor (unit 1) if is_cpu_op, else
///   on the accelerator (unit 0). One with num_ops and without a duration takes the longer one of
///   the times of its operations and of its tensor_size at the rates of the settings (a roofline),
///   and is an error if there is no rate.
/// - Nodes that communicate without comm_type or a peer, with is_cpu_op, are the calls of PyTorch
///   on the host, and computations. A collective of the accelerator without comm_type takes its
///   duration (unit 3), with a note.
/// - A message has comm_size bytes, or tensor_size if there is none, comm_dst or comm_src, and
///   comm_tag or 0.
/// - Collectives are matched between ranks (ChakraCollectives). The collectives of a group follow
///   each other as their dependencies, or, where these leave a choice, as they become ready
///   (EstimateCollectiveOrder()). comm_size is the input of a rank, so that an all-gather has n
///   times as many bytes. The root of a broadcast is the first rank of its group. A barrier is an
///   all-reduce without bytes, by recursive doubling. Other durations of collectives are not used.
/// - Metadata and nodes of unknown types only pass on their dependencies; metadata may tell process
///   groups.
///
/// Loads and stores of remote memory, and reduce, gather and scatter, are errors.
/// @param traces the traces, by rank
/// @param settings how they are executed
/// @param [out] notes gets what the user should know: what has no effect or is left out; or null
/// @return the programs, which have been checked
/// @throws ChakraError that names the node
/// @throws std::invalid_argument if the programs do not fit together
WorkloadPlan MakeChakraPlan(const std::vector<ChakraTrace>& traces,
                            const ChakraSettings& settings,
                            std::vector<std::string>* notes = nullptr);

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_PLAN_H

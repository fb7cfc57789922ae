// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NCCL_SETTINGS_H
#define AIDC_NCCL_SETTINGS_H

#include "collective-schedule-settings.h"

#include <cstdint>
#include <string>

/// @file
/// Costs, chunks and slots of collectives as NCCL has them by default. The numbers are from NCCL's
/// tuning model and buffers (https://github.com/NVIDIA/nccl of June 2026: src/graph/tuning.cc,
/// src/enqueue.cc, src/init.cc, src/transport/nvls.cc, src/include/collectives.h).

namespace ns3::aidc
{

/// How NCCL moves data from GPU to GPU.
enum class NcclProtocol : uint8_t
{
    SIMPLE, //!< data alone, and a flag behind each step of a buffer
    LL,     //!< 4 bytes of flag for 4 bytes of data
    LL128   //!< 8 bytes of flag for 120 bytes of data
};

/// @param name simple, ll or ll128
/// @param protocol the protocol, if there is one of this name
/// @return whether there is one
bool ParseNcclProtocol(const std::string& name, NcclProtocol& protocol);

/// Get what collectives cost by NCCL's tuning model: base latencies as launch, latencies of a step
/// over NVLink and the network, the host's time for each message to the network, and the bytes of
/// flags. With NVLS, inside of a server, 0.85 of the rate (its efficiency on Hopper GPUs).
/// @param algorithm ring, double-tree or nvls
/// @param protocol the protocol; SIMPLE with nvls
/// @return the costs
/// @throws std::invalid_argument if NCCL has none
CollectiveCosts GetNcclCosts(CollectiveAlgorithm algorithm, NcclProtocol protocol);

/// Set the costs, chunks and slots of a collective as NCCL does. A chunk here is what a GPU
/// forwards at once: half of NCCL's chunk in a ring with SIMPLE, and else all of it.
/// @param settings the collective, complete but for these; they may be changed afterwards
/// @param protocol the protocol
/// @throws std::invalid_argument as GetNcclCosts()
void UseNcclSettings(CollectiveScheduleSettings& settings, NcclProtocol protocol);

} // namespace ns3::aidc

#endif // AIDC_NCCL_SETTINGS_H

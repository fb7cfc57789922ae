/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_SETTINGS_H
#define AIDC_CHAKRA_SETTINGS_H

#include "collective-settings.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What Chakra traces leave open.
struct ChakraTraceSettings
{
    /// By the name of a process group (pg_name or comm_group), its ranks. They take precedence over
    /// the groups that a trace tells. Nodes without a name are of all ranks, and so are those of
    /// "0", unless this or the trace says otherwise.
    std::map<std::string, std::vector<uint32_t>> groups;
    /// Whether nodes wait for their control dependencies too, which Chakra's feeder ignores.
    bool waitsForControl{false};
    /// The sizes of the dimensions of ASTRA-sim's network, for collectives of some of them
    /// (involved_dim). Consecutive ranks are one after another in the first one.
    std::vector<uint32_t> dimensions;
    /// Operations per second, for computations with num_ops and without a duration; 0 to refuse.
    double operationRate{0};
    /// Bytes per second of memory, for the same computations (tensor_size); 0 for no limit.
    double memoryRate{0};
    std::string groupsName{"groups"};               //!< what errors call the groups
    std::string dimensionsName{"dimensions"};       //!< what errors call the dimensions
    std::string operationRateName{"operationRate"}; //!< what errors call the rate of operations
};

/// How Chakra traces are executed.
struct ChakraSettings : CollectiveSettings, ChakraTraceSettings
{
};

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_SETTINGS_H

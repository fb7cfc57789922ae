/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_GROUPS_H
#define AIDC_CHAKRA_GROUPS_H

#include "chakra-trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A process group that a trace tells.
struct ChakraGroup
{
    std::vector<uint32_t> ranks;  //!< its ranks; empty for all
    std::optional<uint64_t> size; //!< group_size: how many they are
};

/// Read the process groups that a trace of PyTorch tells.
///
/// They are a list of objects with pg_name and ranks in the inputs of a METADATA node. PyTorch
/// leaves the ranks of the group of all ranks empty.
/// @param rank the rank
/// @param trace its trace
/// @return by name, the groups
/// @throws ChakraError if a node tells groups, but not in this form
std::map<std::string, ChakraGroup> GetChakraGroups(uint32_t rank, const ChakraTrace& trace);

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_GROUPS_H

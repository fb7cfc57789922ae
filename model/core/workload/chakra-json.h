// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHAKRA_JSON_H
#define AIDC_CHAKRA_JSON_H

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
/// @return by name, the groups
/// @throws ChakraError if a node tells groups, but not in this form
std::map<std::string, ChakraGroup> GetChakraGroups(uint32_t rank, const ChakraTrace& trace);

/// Decode a Chakra trace in JSON, as Chakra's feeder reads it.
///
/// The text is an object with an array "workload_graph" of nodes. A node has Id, Name, NodeType
/// (the number of a ChakraNodeType), is_cpu_op and data_deps; and may have runtime in microseconds.
/// A computation may have num_ops and tensor_size, and what communicates has comm_type, comm_size,
/// comm_src, comm_dst, comm_tag, comm_priority, tensor_size, pg_name or comm_group, and
/// involved_dim as in Chakra's attributes. ctrlDeps has control dependencies. Other keys
/// are skipped. The feeder goes on if one of the first five is missing; here this is an error.
/// @return the trace, without version
/// @throws TextError if the text is no such object
ChakraTrace DecodeChakraJson(const std::string& text);

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_JSON_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHAKRA_TRACE_H
#define AIDC_CHAKRA_TRACE_H

#include "collective-schedule.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What a node of a Chakra trace is; other numbers are types of later versions.
enum class ChakraNodeType : uint32_t
{
    INVALID = 0,      //!< nothing
    METADATA = 1,     //!< a remark
    MEMORY_LOAD = 2,  //!< a load from remote memory
    MEMORY_STORE = 3, //!< a store to remote memory
    COMPUTE = 4,      //!< a computation
    SEND = 5,         //!< a message sent
    RECEIVE = 6,      //!< a message received
    COLLECTIVE = 7,   //!< a collective
};

/// A node of a Chakra trace, with the attributes that an execution needs.
struct ChakraNode
{
    uint64_t id{0};                               //!< its id; ids may be sparse
    std::string name;                             //!< its name
    ChakraNodeType type{ChakraNodeType::INVALID}; //!< what it is
    std::vector<uint64_t> dataDependencies;       //!< ids, of earlier or later nodes
    std::vector<uint64_t> controlDependencies;    //!< ids, of earlier or later nodes
    uint64_t durationMicros{0};                   //!< microseconds that it took
    std::optional<int64_t> isCpuOperation;        //!< is_cpu_op: not 0 for the host's processor
    std::optional<int64_t> nOperations;           //!< num_ops: floating-point operations
    std::optional<int64_t> tensorSize;            //!< tensor_size: bytes
    std::optional<int64_t> communicationType;     //!< comm_type: which collective
    std::optional<int64_t> communicationSize;     //!< comm_size: bytes
    std::optional<int64_t> source;                //!< comm_src: the rank that sends
    std::optional<int64_t> destination;           //!< comm_dst: the rank that receives
    std::optional<int64_t> tag;                   //!< comm_tag: the tag of a message
    std::optional<int64_t> priority;              //!< comm_priority: of a collective
    std::string group;                            //!< pg_name or comm_group: the process group
    std::vector<bool> dimensions; //!< involved_dim: which ones of the network; empty for all
    std::string inputs;           //!< of METADATA, the values of its inputs, such as process groups
};

/// The execution trace of a rank in the format of MLCommons Chakra, version 0.0.4.
struct ChakraTrace
{
    std::string version;           //!< the version that it tells; may be empty
    std::vector<ChakraNode> nodes; //!< in the order of the file
};

/// Name a node, for a message to the user. @return its id, and the beginning of its name in
/// printable ASCII
std::string DescribeChakraNode(const ChakraNode& node);

/// A node of a trace cannot be executed.
class ChakraError : public std::invalid_argument
{
  public:
    /// rank: whose trace it is; what: the error.
    ChakraError(uint32_t rank, const ChakraNode& node, const std::string& what);

    /// @return the rank whose trace it is
    uint32_t GetRank() const
    {
        return m_rank;
    }

  private:
    uint32_t m_rank; //!< the rank
};

/// Get an attribute that a node must have. rank: whose trace it is; name: of the attribute; max:
/// the greatest value allowed. @return its value
/// @throws ChakraError if it is missing or out of range
uint64_t GetChakraAttribute(uint32_t rank,
                            const ChakraNode& node,
                            const std::optional<int64_t>& value,
                            const std::string& name,
                            uint64_t max);

/// Decode a Chakra trace.
///
/// A file is a sequence of messages of Protocol Buffers, each after its length: a GlobalMetadata
/// and then nodes. Repeated numbers may be packed or not; fields, node types and attributes that
/// are not known are skipped. Files of version 0.0.3 and before have no GlobalMetadata, and other
/// meanings of the same fields. Memory grows with the bytes only.
/// @throws std::invalid_argument that names the node, or the byte, if it is no such trace
ChakraTrace DecodeChakraTrace(const uint8_t* data, std::size_t size);

/// What Chakra traces leave open.
struct ChakraTraceSettings
{
    /// By the name of a process group (pg_name or comm_group), its ranks. They take precedence over
    /// the groups that a trace tells. Nodes without a name and nodes of group "0" are of all ranks,
    /// unless this or the trace says otherwise.
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

#endif // AIDC_CHAKRA_TRACE_H

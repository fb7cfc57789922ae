// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SPEC_FILE_H
#define AIDC_FLOW_SPEC_FILE_H

#include "workload-file-reader.h"

#include "ns3/fabric-plan.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A flow: what is sent, from where to where, and when.
struct FlowSpec
{
    NodeIndex source;      //!< the node that sends
    NodeIndex destination; //!< the node that receives
    uint16_t priority{0};  //!< the priority group
    uint16_t port{0};      //!< the destination port
    uint64_t bytes{0};     //!< the size
    Time start{};          //!< when it begins
    uint32_t line{0};      //!< the line of the file; 0 if it comes from no file
};

/// Read a flow file.
///
/// The first line is the number of flows, and then each flow has a line `source destination
/// priority port bytes start`, or in the files of ConWeave's generator one without port. Blank
/// lines and lines that begin with `#` are skipped. Source and destination differ; there is at
/// least one byte; the start is a decimal number of seconds from 0 to 1e6, in plain or scientific
/// notation. Lines after the announced number of flows are not read (see TopologyFile), but they
/// are counted for the caller.
/// @param path the file
/// @param trailing where what follows the last flow is told, unless null
/// @return the flows by start; flows that start together are in the order of the file
/// @throws AidcInputError if the file is not a list of flows
std::vector<FlowSpec> ReadFlowFile(const std::string& path, TrailingText* trailing = nullptr);

/// Read flows from a stream, as ReadFlowFile() does from a file. name: for errors.
std::vector<FlowSpec> ParseFlowFile(std::istream& stream,
                                    const std::string& name,
                                    TrailingText* trailing = nullptr);

/// Check that both ends of each flow are hosts of a network, and not the same one. name: of the
/// flow file, for errors.
/// @throws AidcInputError with the flow's line if an end is no host, or both are the same one
void CheckFlows(const std::vector<FlowSpec>& flows,
                const FabricPlan& fabric,
                const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_FLOW_SPEC_FILE_H

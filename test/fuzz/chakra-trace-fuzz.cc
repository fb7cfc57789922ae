// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as a Chakra trace: it is refused, or all that is in it was in the bytes; and what is
// understood is executed or refused.

#include "fuzz-require.h"
#include "model/core/workload/chakra-plan.h"
#include "model/core/workload/chakra-trace.h"

#include <stdexcept>

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    ChakraTrace trace;
    try
    {
        trace = DecodeChakraTrace(data, size);
    }
    catch (const std::invalid_argument& error)
    {
        Require(!std::string(error.what()).empty(), "a refusal says why");
        return 0;
    }
    Require(size > 0, "no trace without bytes");
    std::size_t counted = trace.nodes.size() + trace.version.size();
    for (const ChakraNode& node : trace.nodes)
    {
        counted += node.name.size() + node.dataDependencies.size() +
                   node.controlDependencies.size() + node.group.size();
    }
    // A number in a text, of a few bytes, has up to 20 digits
    Require(counted <= size + 20 * trace.nodes.size(), "each thing takes a byte at least");
    ChakraSettings settings;
    settings.waitsForControl = size % 2 == 0;
    try
    {
        const WorkloadPlan plan = MakeChakraPlan({trace, trace}, settings);
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            Require(plan.GetProgram(rank).GetN() == trace.nodes.size(),
                    "each node is an operation");
        }
    }
    catch (const std::invalid_argument& error)
    {
        Require(!std::string(error.what()).empty(), "a refusal says why");
    }
    return 0;
}

// SPDX-License-Identifier: GPL-2.0-only

// Any text as a Chakra trace in JSON: it is refused with a line, or all that is in it was in the
// text; and what is understood is executed or refused.

#include "fuzz-require.h"
#include "model/core/workload/chakra-json.h"
#include "model/core/workload/chakra-plan.h"
#include "model/core/workload/text-reader.h"

#include <stdexcept>

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    ChakraTrace trace;
    try
    {
        trace = DecodeChakraJson(text);
    }
    catch (const TextError& error)
    {
        Require(error.GetLine() >= 1 && error.GetLine() <= size + 1, "a refusal has a line");
        Require(!error.GetExpected().empty(), "a refusal says why");
        return 0;
    }
    std::size_t counted = 0;
    for (const ChakraNode& node : trace.nodes)
    {
        counted += node.name.size() + node.dataDependencies.size() +
                   node.controlDependencies.size() + node.group.size();
    }
    Require(size > 20 && counted <= size, "each thing takes a byte at least");
    try
    {
        const WorkloadPlan plan = MakeChakraPlan({trace, trace}, {});
        Require(plan.GetProgram(1).GetN() == trace.nodes.size(), "each node is an operation");
    }
    catch (const std::invalid_argument& error)
    {
        Require(!std::string(error.what()).empty(), "a refusal says why");
    }
    return 0;
}

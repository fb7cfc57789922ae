// SPDX-License-Identifier: GPL-2.0-only

#include "flow-spec-file.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3::aidc
{

std::vector<FlowSpec>
ReadFlowFile(const std::string& path, TrailingText* trailing)
{
    std::ifstream stream = WorkloadFileReader::Open(path);
    return ParseFlowFile(stream, path, trailing);
}

std::vector<FlowSpec>
ParseFlowFile(std::istream& stream, const std::string& name, TrailingText* trailing)
{
    static constexpr uint64_t MAX_ID = std::numeric_limits<uint32_t>::max();
    static constexpr uint64_t MAX_16 = std::numeric_limits<uint16_t>::max();
    static constexpr uint64_t MAX_BYTES = std::numeric_limits<int64_t>::max();
    static constexpr double MAX_START = 1e6;

    WorkloadFileReader reader(stream, name);
    reader.Require(1, "the number of flows");
    const uint64_t nFlows = reader.GetUnsigned(0, 0, MAX_ID, "a number of flows");

    std::size_t nFields = 6; // or 5 without the port, if the first flow has none
    const auto describe = [&nFields] {
        return nFields == 6 ? ", 6 fields: source destination priority port bytes start"
                            : ", 5 fields: source destination priority bytes start";
    };
    const auto readFlow = [&reader, &nFields] {
        FlowSpec flow;
        flow.line = reader.GetLine();
        flow.source = NodeIndex(
            static_cast<uint32_t>(reader.GetUnsigned(0, 0, MAX_ID, "the id of a source")));
        flow.destination = NodeIndex(
            static_cast<uint32_t>(reader.GetUnsigned(1, 0, MAX_ID, "the id of a destination")));
        if (flow.source == flow.destination)
        {
            reader.Fail("a flow between two different hosts",
                        reader.GetFields()[0] + " " + reader.GetFields()[1]);
        }
        flow.priority = static_cast<uint16_t>(reader.GetUnsigned(2, 0, MAX_16, "a priority"));
        if (nFields == 6)
        {
            flow.port = static_cast<uint16_t>(reader.GetUnsigned(3, 0, MAX_16, "a port"));
        }
        flow.bytes = reader.GetUnsigned(nFields - 2, 1, MAX_BYTES, "a number of bytes");
        flow.start =
            Seconds(reader.GetNumber(nFields - 1, 0, MAX_START, "a start from 0 to 1e6 seconds"));
        return flow;
    };
    std::vector<FlowSpec> flows;
    for (uint64_t i = 0; i < nFlows; ++i)
    {
        const bool isThere = reader.Next();
        nFields = i == 0 && reader.GetFields().size() == 5 ? 5 : nFields;
        if (!isThere || reader.GetFields().size() != nFields)
        {
            reader.Fail("flow " + std::to_string(i + 1) + " of " + std::to_string(nFlows) +
                            describe(),
                        isThere ? reader.GetText() : "end of file");
        }
        flows.push_back(readFlow());
    }
    const TrailingText rest =
        reader.SkipRest(nFields, std::string("text or another flow") + describe(), readFlow);
    if (trailing)
    {
        *trailing = rest;
    }
    std::stable_sort(flows.begin(), flows.end(), [](const FlowSpec& x, const FlowSpec& y) {
        return x.start < y.start;
    });
    return flows;
}

void
CheckFlows(const std::vector<FlowSpec>& flows, const FabricPlan& fabric, const std::string& name)
{
    for (const auto& flow : flows)
    {
        if (flow.source == flow.destination)
        {
            throw AidcInputError(name,
                                 flow.line,
                                 "a flow between two different hosts",
                                 std::to_string(flow.source.value) + " " +
                                     std::to_string(flow.destination.value));
        }
        if (flow.start.IsStrictlyNegative())
        {
            std::ostringstream found;
            found << flow.start.As(Time::S);
            throw AidcInputError(name,
                                 flow.line,
                                 "a flow that starts at 0 s or later",
                                 found.str());
        }
        for (const NodeIndex id : {flow.source, flow.destination})
        {
            const bool isNode = id.value < fabric.GetNNodes();
            if (!isNode || !fabric.IsHost(id))
            {
                throw AidcInputError(name,
                                     flow.line,
                                     "the id of a host of " + fabric.GetName(),
                                     std::to_string(id.value) + (isNode ? ", a switch" : ""));
            }
        }
    }
}

} // namespace ns3::aidc

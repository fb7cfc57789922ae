// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PARSE_TEXT_H
#define AIDC_PARSE_TEXT_H

#include "test/test-case.h"

#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/topology-file.h"
#include "ns3/workload-file-reader.h"

// Texts for the readers of files, for the test suites.

namespace aidctest
{

inline TopologyFile
ParseTopology(const std::string& text)
{
    std::istringstream stream(text);
    return TopologyFile::Parse(stream, "t");
}

/// trailing: where what follows is told, unless null.
inline std::vector<FlowSpec>
ParseFlows(const std::string& text, TrailingText* trailing = nullptr)
{
    std::istringstream stream(text);
    return ParseFlowFile(stream, "f", trailing);
}

inline FlowSizeDistribution
ParseSizes(const std::string& text)
{
    std::istringstream stream(text);
    return FlowSizeDistribution::Parse(stream, "d");
}

/// The readers.
enum Reader
{
    TOPOLOGY,
    FLOWS,
    SIZES
};

inline void
Parse(Reader reader, const std::string& text)
{
    switch (reader)
    {
    case TOPOLOGY:
        ParseTopology(text);
        break;
    case FLOWS:
        ParseFlows(text);
        break;
    case SIZES:
        ParseSizes(text);
        break;
    }
}

} // namespace aidctest

#endif // AIDC_PARSE_TEXT_H

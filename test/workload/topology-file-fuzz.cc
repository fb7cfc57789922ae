// SPDX-License-Identifier: GPL-2.0-only

// Any text as a topology file: it is refused with a line, or its nodes and links were in the text
// and are within their ranges; and what is understood is a fabric or refused.

#include "test/fuzz/fuzz-require.h"

#include "ns3/topology-file.h"

#include <optional>
#include <sstream>
#include <stdexcept>

namespace
{

std::optional<TopologyFile>
Read(const std::string& text)
{
    std::istringstream stream(text);
    try
    {
        return TopologyFile::Parse(stream, "file");
    }
    catch (const AidcInputError& error)
    {
        const auto nLines = std::count(text.begin(), text.end(), '\n');
        Require(error.GetLine() >= 1 && error.GetLine() <= nLines + 2, "a refusal has a line");
        Require(IsOneLine(error.what()), "a refusal is a line");
        return std::nullopt;
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto topology = Read(text);
    if (!topology)
    {
        return 0;
    }
    const std::size_t nHosts = topology->GetHosts().size();
    const std::size_t nSwitches = topology->GetSwitches().size();
    Require(nHosts + nSwitches == topology->GetNNodes(), "a node is a host or a switch");
    Require(2 * topology->GetNNodes() <= size, "each node was in the text");
    Require(10 * topology->GetLinks().size() <= size, "a link has 5 fields");
    for (const auto& link : topology->GetLinks())
    {
        Require(link.a != link.b, "a link has two ends");
        Require(std::max(link.a, link.b) < NodeIndex(topology->GetNNodes()), "which exist");
        Require(link.rate > 0 && link.rate <= 1'000'000'000'000'000, "a rate is up to 1 Pb/s");
        Require(link.delay >= 0 && link.delay <= 3'600'000'000'000, "a delay is up to 1 h");
        Require(link.errorRate >= 0 && link.errorRate <= 1, "an error rate is a share");
    }
    const ServerPlan& servers = topology->GetServers();
    Require(servers.GetNGpus() == 0 || servers.GetNGpus() == nHosts, "GPUs are hosts");
    try
    {
        const FabricPlan fabric = topology->GetFabric();
        Require(fabric.GetHosts().size() == nHosts, "all hosts are in the fabric");
        Require(fabric.GetLinks().size() == topology->GetLinks().size(), "and all links");
    }
    catch (const std::runtime_error& error)
    {
        Require(IsOneLine(error.what()), "a refusal is a line");
    }
    return 0;
}

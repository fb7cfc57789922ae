/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coupled-ecn-scenario.h"

#include "ns3/experiment-data-file.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/poisson-flow-generator.h"
#include "ns3/random-variable-stream.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// The beginning of the names of scenarios with a number of active queues.
const std::string ACTIVE = "active-";

/// The numbers of active queues.
constexpr std::array<uint32_t, 7> ACTIVE_QUEUES{1, 2, 4, 8, 16, 32, 48};

/// The queues that are active throughout scenario step.
constexpr std::size_t STEP_QUEUES = 4;

/// The size of a long flow of scenario step: more than a link carries in it.
constexpr uint64_t LONG_FLOW = 1000000000;

/// Make flows of two senders to each receiver, which start within 10 us. 0 bytes are a flow without
/// end.
std::vector<FlowSpec>
MakeFanIn(const std::vector<NodeIndex>& hosts, std::size_t nReceivers, uint64_t bytes)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    std::vector<FlowSpec> flows;
    for (std::size_t i = 0; i < 2 * nReceivers; ++i)
    {
        FlowSpec flow;
        flow.source = hosts[hosts.size() - 1 - i];
        flow.destination = hosts[i / 2];
        flow.bytes = bytes;
        flow.start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
        flows.push_back(flow);
    }
    return flows;
}

/// Get how long the scenarios with active queues take. @return the simulated time
Time
GetDuration(const CoupledEcnTraffic& traffic, bool isSmall)
{
    return traffic.duration.IsZero() ? MilliSeconds(isSmall ? 2 : 4) : traffic.duration;
}

} // namespace

std::vector<std::string>
GetActiveQueueScenarios()
{
    std::vector<std::string> names;
    for (const auto n : ACTIVE_QUEUES)
    {
        names.push_back(ACTIVE + std::to_string(n));
    }
    names.emplace_back("step");
    names.emplace_back("unresponsive");
    return names;
}

CoupledEcnScenario
MakeCoupledEcnScenario(const std::string& name, const CoupledEcnTraffic& traffic, bool isSmall)
{
    const bool isIncast = name == "incast" || name == "incast-capped";
    const bool isActive = name.rfind(ACTIVE, 0) == 0 || name == "unresponsive";
    const std::string file = !traffic.topology.empty() ? traffic.topology
                             : name == "light"         ? "topologies/tor-48-200us.txt"
                             : isIncast || isActive || name == "step"
                                 ? "topologies/tor-48-incast.txt"
                                 : "topologies/tor-48-12us.txt";
    CoupledEcnScenario
        scenario{TopologyFile::Read(FindDataFile(file)), {}, {}, false, false, 0, {}, {}};
    scenario.topology.PrintNotes();
    const auto hosts = scenario.topology.GetHosts();
    const std::size_t third = std::max<std::size_t>(1, hosts.size() / 3);
    if (name == "light")
    {
        scenario.flows = MakeFanIn(hosts, std::min<std::size_t>(4, third), 0);
        scenario.isEndless = true;
        scenario.limit = MilliSeconds(isSmall ? 10 : 30);
        scenario.sampling = MicroSeconds(20);
    }
    else if (isIncast)
    {
        scenario.flows = MakeFanIn(hosts, third, isSmall ? 1000000 : 5000000);
        scenario.isCapped = name == "incast-capped";
        scenario.limit = MilliSeconds(100);
        scenario.sampling = MicroSeconds(1);
    }
    else if (isActive)
    {
        const bool isFlooded = name == "unresponsive";
        const auto n = isFlooded ? STEP_QUEUES : std::stoul(name.substr(ACTIVE.size()));
        scenario.flows = MakeFanIn(hosts, std::min<std::size_t>(n, third), 0);
        if (isFlooded)
        {
            const auto all = MakeFanIn(hosts, third, 0);
            scenario.floods.assign(all.end() - 2, all.end());
        }
        scenario.isEndless = true;
        scenario.limit = GetDuration(traffic, isSmall);
        scenario.sampling = MicroSeconds(5);
    }
    else if (name == "step")
    {
        scenario.flows = MakeFanIn(hosts, third, 1000000);
        scenario.limit = GetDuration(traffic, isSmall);
        scenario.sampling = MicroSeconds(5);
        scenario.nLong = 2 * std::min(STEP_QUEUES, third);
        for (std::size_t i = 0; i < scenario.flows.size(); ++i)
        {
            if (i < scenario.nLong)
            {
                scenario.flows[i].bytes = LONG_FLOW;
            }
            else
            {
                scenario.flows[i].start += scenario.limit / 6;
            }
        }
    }
    else if (name == "mix")
    {
        const auto sizes = FlowSizeDistribution::Read(FindDataFile(traffic.flowSizes));
        PoissonFlowGenerator generator(hosts, sizes);
        generator.SetLoad(traffic.load);
        generator.SetDuration(MicroSeconds(isSmall ? 300 : 3000));
        generator.AssignStreams(1);
        scenario.flows = generator.Generate();
        scenario.limit = MilliSeconds(200);
        scenario.sampling = MicroSeconds(5);
    }
    else
    {
        TrailingText trailing;
        scenario.flows = ReadFlowFile(FindDataFile(traffic.flows), &trailing);
        NoteTrailingText(traffic.flows, trailing);
        scenario.sampling = MicroSeconds(100);
    }
    if (scenario.flows.empty())
    {
        throw std::runtime_error("scenario " + name + " has no flows");
    }
    if (scenario.limit.IsZero())
    {
        scenario.limit = scenario.flows.back().start + Seconds(1);
    }
    return scenario;
}

} // namespace ns3::aidc

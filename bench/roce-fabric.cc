// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks packet_hops_per_s and others of RoCEv2: transmissions on links in a second of
 *        processor time.
 *
 * - packet_hops_per_s: 128 hosts, leaf-spine 2:1, 100 Gb/s, half of the hosts' rate in web-search
 *   flows, DCQCN, priority flow control.
 * - roce_k16_packet_hops_per_s: 1,024 hosts, a fat-tree of k = 16, each writes 2 MB to another one.
 * - roce_messages_s: 138,000 messages of 1 kB among 128 hosts, seconds of processor time.
 * - roce_memory_k32: 8,192 hosts, a permutation of 256 kB; the memory of the process.
 *
 * Acknowledgments and notifications count as packets, too. Time is measured in Simulator::Run()
 * after nodes have initialized themselves; the time of messages includes their queue pairs. Each
 * run is a process of its own.
 */

#include "child-process.h"
#include "paired-timing.h"
#include "roce-network.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/experiment-data-file.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/node-list.h"
#include "ns3/nstime.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/simulator.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// What is simulated.
struct Case
{
    std::string name;                                                  //!< of the benchmark
    std::string description;                                           //!< in words
    FabricPlan (*makeFabric)();                                        //!< makes the network
    std::vector<FlowSpec> (*makeFlows)(const std::vector<NodeIndex>&); //!< makes the flows
    bool isShared; //!< whether flows share queue pairs
};

/// When flows begin at the earliest.
const Time FIRST_FLOW = MicroSeconds(1);

/// What a simulation reports.
enum Place
{
    SECONDS,
    HOPS,
    FLOWS,
    MEMORY
};

FabricPlan
MakeLeaves()
{
    LeafSpineSettings settings;
    settings.leaves = 8;
    settings.spines = 8;
    settings.leafSpineRate = settings.hostRate;
    return MakeLeafSpine(settings);
}

FabricPlan
MakeK16()
{
    return MakeFatTree(16, 100000000000, 1000);
}

FabricPlan
MakeK32()
{
    return MakeFatTree(32, 100000000000, 1000);
}

std::vector<FlowSpec>
MakeWebSearch(const std::vector<NodeIndex>& hosts)
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile("flow-sizes/web-search-dctcp.txt"));
    PoissonFlowGenerator generator(hosts, sizes);
    generator.SetLoad(0.5);
    generator.SetStart(FIRST_FLOW);
    generator.SetDuration(MilliSeconds(4));
    generator.AssignStreams(1);
    return generator.Generate();
}

/// Each host writes to another one, all at once.
std::vector<FlowSpec>
MakePermutation(const std::vector<NodeIndex>& hosts, uint64_t bytes)
{
    std::mt19937 random(1);
    std::vector<std::size_t> order(hosts.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<FlowSpec> flows(hosts.size());
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        // The next host in a random ring is another one.
        flows[i].source = hosts[order[i]];
        flows[i].destination = hosts[order[(i + 1) % hosts.size()]];
        flows[i].bytes = bytes;
        flows[i].start = FIRST_FLOW;
    }
    return flows;
}

std::vector<FlowSpec>
MakePermutation2Mb(const std::vector<NodeIndex>& hosts)
{
    return MakePermutation(hosts, 2000000);
}

std::vector<FlowSpec>
MakePermutation256Kb(const std::vector<NodeIndex>& hosts)
{
    return MakePermutation(hosts, 256000);
}

std::vector<FlowSpec>
MakeMessages(const std::vector<NodeIndex>& hosts)
{
    constexpr uint32_t MESSAGES = 138000;
    std::mt19937 random(1);
    std::vector<FlowSpec> flows(MESSAGES);
    for (auto& flow : flows)
    {
        const auto source = static_cast<std::size_t>(random() % hosts.size());
        flow.source = hosts[source];
        flow.destination = hosts[(source + 1 + random() % (hosts.size() - 1)) % hosts.size()];
        flow.bytes = 1000;
        flow.start = FIRST_FLOW + NanoSeconds(random() % 500000);
    }
    std::stable_sort(flows.begin(), flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
        return a.start < b.start;
    });
    return flows;
}

const std::vector<Case> CASES{
    {"packet_hops_per_s", "128 hosts, web search, DCQCN, PFC", MakeLeaves, MakeWebSearch, false},
    {"roce_k16_packet_hops_per_s",
     "k = 16, permutation of 2 MB",
     MakeK16,
     MakePermutation2Mb,
     false},
    {"roce_messages_s", "138,000 messages of 1 kB, 128 hosts", MakeLeaves, MakeMessages, true},
    {"roce_memory_k32", "k = 32, permutation of 256 kB", MakeK32, MakePermutation256Kb, false},
};

ChildProcess::Report
Simulate(const Case& row)
{
    TimeWindowHelper::Enable();
    FabricHelper network;
    BuildRoceNetwork(row.makeFabric(), network);

    RoceFlowHelper flows;
    flows.SetSharedQueuePairs(row.isShared);
    flows.StopWhenDone();
    double seconds = GetProcessorTime(
        [&] { flows.Install(network, row.makeFlows(network.GetFabric().GetHosts())); });
    // Nodes initialize themselves at time 0, before there are flows.
    Simulator::Stop(FIRST_FLOW / 2);
    Simulator::Run();
    Simulator::Stop(Seconds(1));
    const double running = GetProcessorTime([] { Simulator::Run(); });
    seconds = row.isShared ? seconds + running : running;
    NS_ABORT_MSG_UNLESS(flows.IsDone(), "A flow is not done");
    uint64_t hops = 0;
    uint64_t retransmitted = 0;
    uint64_t cnps = 0;
    uint64_t timeouts = 0;
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        const auto node = NodeList::GetNode(i);
        for (uint32_t j = 0; j < node->GetNDevices(); ++j)
        {
            const auto device = DynamicCast<EthernetNetDevice>(node->GetDevice(j));
            hops += device ? device->GetStatistics().outFrames : 0;
        }
        if (const auto nic = node->GetObject<RoceNic>())
        {
            retransmitted += nic->GetStatistics().retransmittedPackets;
            cnps += nic->GetStatistics().receivedCnps;
            timeouts += nic->GetStatistics().timeouts;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::fprintf(
        stderr,
        "    %.3f ms simulated, %.2f events a packet-hop, %lu CNPs, %lu drops, %lu timeouts, "
        "%lu packets sent again\n",
        Simulator::Now().GetSeconds() * 1e3,
        static_cast<double>(Simulator::GetEventCount()) / static_cast<double>(hops),
        static_cast<unsigned long>(cnps),
        static_cast<unsigned long>(network.GetPacketCounts().dropped),
        static_cast<unsigned long>(timeouts),
        static_cast<unsigned long>(retransmitted));
    return {seconds,
            static_cast<double>(hops),
            static_cast<double>(flows.GetRecords().size()),
            1024.0 * static_cast<double>(usage.ru_maxrss)};
}

/// Simulate a case in processes of its own, and print the result.
void
Measure(const Case& row, uint32_t runs)
{
    std::vector<double> rates;
    std::vector<double> seconds;
    std::vector<double> memory;
    for (uint32_t i = 0; i < runs; ++i)
    {
        const auto report = ChildProcess([&row] { return [&row] { return Simulate(row); }; }).Run();
        rates.push_back(report[HOPS] / report[SECONDS]);
        seconds.push_back(report[SECONDS]);
        memory.push_back(report[MEMORY]);
        std::fprintf(stderr,
                     "  %s: %.0f packet-hops/s, %.0f packet-hops, %.0f flows, %.2f s, %.0f MB\n",
                     row.name.c_str(),
                     rates.back(),
                     report[HOPS],
                     report[FLOWS],
                     report[SECONDS],
                     report[MEMORY] / 1e6);
    }
    if (row.name == "roce_memory_k32")
    {
        PrintResult(row.name, GetQuantile(memory, 0.5), "byte", "limit 8e9 byte", runs);
    }
    else if (row.name == "roce_messages_s")
    {
        PrintResult(row.name, GetQuantile(seconds, 0.5), "s", row.description, runs);
    }
    else
    {
        PrintResult(row.name, GetQuantile(rates, 0.5), "1/s", row.description, runs);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    for (const auto& row : CASES)
    {
        const auto options =
            ParseBenchmarkOptions(argc,
                                  argv,
                                  row.name,
                                  "RoCEv2: " + row.description + "; a pair is a run here",
                                  "packet_hops_per_s roce_k16_packet_hops_per_s roce_messages_s "
                                  "roce_memory_k32",
                                  row.name == "roce_memory_k32" ? 1 : 3);
        if (options.only == row.name)
        {
            Simulate(row);
        }
        else if (options.only.empty() && options.selected)
        {
            Measure(row, options.pairs);
        }
    }
    return 0;
}

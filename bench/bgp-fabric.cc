// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks bgp_1280_speakers and bgp_1280_memory: what it takes until the switches of a
 *        fat-tree of k = 32 agree on their routes by BGP with path bandwidth, over simulated TCP;
 *        and how that grows: bgp_80_speakers (k = 8), bgp_320_speakers (k = 16).
 *
 * Each leaf has a prefix, with one host. All sessions start at time 0. Time is the processor's,
 * from the plan on, until all sessions are established and no speaker has anything left to send;
 * there is one thread. Memory is the process's. Each size is a process of its own.
 */

#include "child-process.h"
#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/bgp-fabric-helper.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <sys/resource.h>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// What a simulation reports.
enum Place
{
    SECONDS,
    MEMORY,
    MESSAGES,
    CONVERGENCE
};

/// Let a fat-tree converge.
ChildProcess::Report
Converge(uint32_t k)
{
    FabricHelper network;
    BgpFabricHelper bgp;
    const double seconds = GetProcessorTime([&] {
        ClosSettings settings;
        settings.pods = k;
        settings.leavesPerPod = k / 2;
        settings.hostsPerLeaf = 1;
        settings.spinesPerPod = k / 2;
        settings.superSpinesPerPlane = k / 2;
        network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        network.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        network.Build(MakeClos5(settings));
        network.AssignAddresses();
        bgp.Install(network);
        bgp.AssignStreams(1 + network.AssignStreams(1));
        do
        {
            Simulator::Stop(MilliSeconds(100));
            Simulator::Run();
            NS_ABORT_MSG_IF(Simulator::Now() > Seconds(30), "The fabric does not converge");
        } while (!bgp.IsSettled());
    });
    for (const NodeIndex node : network.GetFabric().GetSwitches())
    {
        NS_ABORT_MSG_IF(bgp.GetSpeaker(node)->GetRib().GetPrefixes().size() != k * k / 2,
                        "A prefix has not reached switch " << node);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto statistics = bgp.GetStatistics();
    std::fprintf(stderr,
                 "    %.3f ms until the last change, %lu sessions, %lu messages of %lu bytes, "
                 "%lu events\n",
                 bgp.GetLastRouteChange().GetSeconds() * 1e3,
                 static_cast<unsigned long>(statistics.established / 2),
                 static_cast<unsigned long>(statistics.sent.GetTotal().messages),
                 static_cast<unsigned long>(statistics.sent.GetTotal().bytes),
                 static_cast<unsigned long>(Simulator::GetEventCount()));
    return {seconds,
            1024.0 * static_cast<double>(usage.ru_maxrss),
            static_cast<double>(statistics.sent.GetTotal().messages),
            bgp.GetLastRouteChange().GetSeconds()};
}

} // namespace

int
main(int argc, char* argv[])
{
    for (const uint32_t k : {8, 16, 32})
    {
        const std::string switches = std::to_string(5 * k * k / 4);
        const std::string name = "bgp_" + switches + "_speakers";
        const std::string memoryName = "bgp_" + switches + "_memory";
        const auto parse = [&](const std::string& benchmark) {
            return ParseBenchmarkOptions(
                argc,
                argv,
                benchmark,
                "processor time until " + switches +
                    " BGP speakers of a fat-tree agree on their routes, and (" + memoryName +
                    ") memory of the process; a pair is a run here",
                "k8 k16 k32",
                1);
        };
        const auto options = parse(name);
        const auto side = "k" + std::to_string(k);
        const bool isMemory = parse(memoryName).selected;
        if (options.only == side)
        {
            Converge(k);
        }
        if (!options.only.empty() || (!options.selected && !isMemory))
        {
            continue;
        }
        const auto report = ChildProcess([k] { return [k] { return Converge(k); }; }).Run();
        std::fprintf(stderr,
                     "  k = %u: %.2f s, %.0f MB, %.2f microseconds a message\n",
                     k,
                     report[SECONDS],
                     report[MEMORY] / 1e6,
                     report[SECONDS] / report[MESSAGES] * 1e6);
        if (options.selected)
        {
            PrintResult(name, report[SECONDS], "s", k == 32 ? "limit 300 s" : "growth", 1);
        }
        if (isMemory)
        {
            PrintResult(memoryName,
                        report[MEMORY],
                        "byte",
                        k == 32 ? "limit 8e9 byte" : "growth",
                        1);
        }
    }
    return 0;
}

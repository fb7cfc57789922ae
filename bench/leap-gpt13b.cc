// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief The benchmark leap_gpt13b: the processor time of ten training steps of a GPT of 13 billion
 *        parameters on 128 GPUs without leaps, over their time with leaps.
 *
 * The network is from `./aidc run gpu-servers --gpus=128`, with DCQCN. Without leaps, one step is
 * executed, and its time taken ten times. It runs by its name only, as it takes minutes.
 */

#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/server-helper.h"
#include "ns3/server-plan.h"
#include "ns3/simulator.h"
#include "ns3/time-window-helper.h"
#include "ns3/workload-file.h"
#include "ns3/workload-leap.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t N_STEPS = 10;

/// What a run has done.
struct Outcome
{
    double end{0};     //!< when the last rank was done, in s of the workload
    double packets{0}; //!< that were sent over links
};

Outcome
Simulate(uint32_t nSteps, bool leaps)
{
    auto settings = GetServerFabricTemplate("spectrum-x");
    settings.gpus = 128;
    settings.spines = 8;
    const auto made = MakeServerFabric(settings);
    TimeWindowHelper::Enable();
    ExperimentTransportOptions options;
    options.transport = "dcqcn";
    options.lossless = "on";
    ExperimentTransport transport(options);
    ExperimentSwitchOptions switches;
    switches.buffer = 64000000;
    switches.marking = 1600000;
    FabricHelper network;
    transport.Configure(network);
    network.Build(made.fabric);
    transport.InstallSwitches(switches.Make("static"), network);
    network.AssignAddresses();
    network.AssignStreams(100);
    transport.InstallHosts(network);

    WorkloadFileSettings how;
    how.nPasses = nSteps;
    how.nPerServer = settings.gpusPerServer;
    RankApplicationHelper ranks(ReadWorkloadFile(FindDataFile("training/gpt-13b-128.json"), how));
    const auto& plan = ranks.GetPlan();
    const ServerHelper servers(made.servers);
    const auto& hosts = made.fabric.GetHosts();
    const RocePath path = RoceFlowHelper::GetPath(network.GetPath(hosts.front(), hosts.back()),
                                                  4096,
                                                  network.GetFrameOverhead());
    const auto applications =
        ranks.Install(servers.GetNodes(network, plan), servers.Connect(plan, network, path));
    if (leaps)
    {
        std::vector<NodeIndex> places;
        std::vector<uint32_t> homes;
        for (uint32_t gpu = 0; gpu < settings.gpus; ++gpu)
        {
            places.push_back(made.servers.GetHost(gpu));
            homes.push_back(made.servers.GetServer(gpu));
        }
        FabricPlaces where(made.fabric, places, homes);
        Create<WorkloadLeap>(plan, LeapSettings(), &where)->Attach(applications);
    }
    ranks.StopWhenDone();
    Simulator::Run();
    NS_ABORT_MSG_UNLESS(ranks.IsDone(), "The step has not ended");
    Outcome outcome;
    for (const auto& record : ranks.GetRankRecords())
    {
        outcome.end = std::max(outcome.end, record.finish.GetSeconds());
    }
    outcome.packets = static_cast<double>(network.GetPacketCounts().sent);
    Simulator::Destroy();
    return outcome;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = "leap_gpt13b";
    const auto options =
        ParseBenchmarkOptions(argc,
                              argv,
                              name,
                              "processor time of ten steps of a GPT-13B on 128 GPUs without leaps "
                              "(of one, times ten) over that with leaps; by its name only",
                              "steps",
                              1);
    bool isNamed = false;
    for (int i = 1; i < argc; ++i)
    {
        isNamed = isNamed || argv[i] == name;
    }
    if (!options.selected || !isNamed)
    {
        return 0;
    }
    std::cerr << name << std::endl;
    Outcome leapt;
    Outcome executed;
    PairedTiming timing;
    const double fast = GetProcessorTime([&leapt] { leapt = Simulate(N_STEPS, true); });
    const double slow = GetProcessorTime([&executed] { executed = Simulate(1, false); });
    timing.Add(N_STEPS * slow, fast);
    std::fprintf(stderr,
                 "  %.1f s for ten steps with leaps, %.1f s for one without; %.6f s and %.6f s of "
                 "the workload; %.0f times fewer packets\n",
                 fast,
                 slow,
                 leapt.end,
                 executed.end,
                 N_STEPS * executed.packets / leapt.packets);
    NS_ABORT_MSG_IF(std::abs(leapt.end / (N_STEPS * executed.end) - 1) > 0.01,
                    "The steps end at another time than without leaps");
    PrintResult(name, "one step without leaps, times ten", timing.Get());
    return 0;
}

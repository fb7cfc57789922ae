// SPDX-License-Identifier: GPL-2.0-only

#include "run-seeds.h"

#include "ns3/boolean.h"
#include "ns3/fabric-helper.h"
#include "ns3/mpi-processes.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/server-helper.h"
#include "ns3/server-plan.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Random servers, simulated by one or several processes of the simulation. Prints when their
// programs were done, which must be the same for any number of processes. test/check-processes.py
// compares it.
//
//     mpirun -np 2 server-processes 2 FIRST-SEED NETWORKS

using namespace ns3;
using namespace ns3::aidc;

namespace
{

std::string
Simulate(uint32_t seed)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t least, uint32_t most) {
        return least + static_cast<uint32_t>(random() % (most - least + 1));
    };
    ServerFabricSettings settings;
    settings.gpusPerServer = draw(3, 4); // at least as many leaves as processes
    settings.gpus = settings.gpusPerServer * draw(2, 4);
    settings.isDualHomed = draw(0, 1) == 1;
    settings.isDualPlane = settings.isDualHomed && draw(0, 1) == 1;
    settings.gpusPerLeaf = draw(1, 4);
    settings.spines = 2;
    auto made = MakeServerFabric(settings);
    made.fabric.AssignProcesses(MpiProcesses::Get().GetN());

    TimeWindowHelper::Enable();
    FabricHelper network;
    network.SetMtu(4200);
    network.Build(made.fabric);
    SharedBufferSwitchHelper::AssignStreams(
        SharedBufferSwitchHelper().Install(network.GetSwitches()),
        1000);
    PriorityFlowControlHelper pfc;
    pfc.InstallSwitches(network.GetSwitches());
    pfc.InstallHosts(network.GetHosts());
    network.AssignAddresses();
    network.AssignStreams(1);
    RoceHelper().Install(network.GetHosts());

    const uint32_t n = settings.gpus;
    std::vector<uint32_t> members(n);
    std::iota(members.begin(), members.end(), 0);
    WorkloadPlan plan(n);
    for (const auto kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_TO_ALL})
    {
        std::shuffle(members.begin(), members.end(), random);
        plan.AddCollective("c",
                           {kind,
                            GetCollectiveAlgorithms(kind).front(),
                            n,
                            uint64_t{draw(0, 20)} * 10000,
                            draw(1, 3)},
                           std::make_shared<const std::vector<uint32_t>>(members),
                           std::vector<std::vector<uint32_t>>(n));
    }
    ServerHelper servers(made.servers);
    servers.SetAttribute("Pxn", BooleanValue(draw(0, 1) == 1));
    servers.SetQueuePairs(draw(1, 3), draw(0, 1) == 1);
    RankApplicationHelper ranks(plan);
    ranks.Install(servers.GetNodes(network, plan), servers.Connect(plan, network));
    ranks.StopWhenDone();
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();

    std::ostringstream text;
    text << "seed " << seed << ": " << n << " GPUs, " << settings.gpusPerServer << " a server;";
    for (const auto& record : ranks.GetRankRecords())
    {
        text << ' ' << record.finish.GetTimeStep();
    }
    text << "; packets " << network.GetPacketCounts().sent << '\n';
    if (!ranks.IsDone())
    {
        throw std::runtime_error(text.str() + ranks.DescribeUnfinished());
    }
    Simulator::Destroy();
    TimeWindowHelper::Disable();
    return text.str();
}

} // namespace

int
main(int argc, char* argv[])
{
    return aidctest::RunSeeds(argc, argv, &Simulate);
}

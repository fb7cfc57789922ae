// SPDX-License-Identifier: GPL-2.0-only

// What users of CSIG's signals find out over all hosts of a fabric is the same by ns-3's default
// simulator and by one that runs hosts one after the other in time windows, to the last digit.

#include "csig-tree.h"
#include "test/simulator/simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/csig-collector.h"
#include "ns3/csig-mesh-prober.h"
#include "ns3/csig-path-engineer.h"
#include "ns3/csig-udp-flow-helper.h"
#include "ns3/reorder-monitor.h"

// The uses of CSIG by both simulators.
AIDC_TEST_SUITE("aidc-csig-simulators", UNIT);

/// Make flows that all begin at once, from each host to one of another pod, and two of them to
/// every fourth host.
std::vector<FlowSpec>
MakeFlows(const FabricPlan& plan, uint64_t bytes)
{
    const auto& hosts = plan.GetHosts();
    std::vector<FlowSpec> specs;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        FlowSpec flow;
        flow.source = hosts[i];
        flow.destination = hosts[(i + (i % 4 == 3 ? 5 : 4)) % hosts.size()];
        flow.bytes = bytes;
        specs.push_back(flow);
    }
    return specs;
}

/// Compare signals with the truth, and summarize them.
void
Measure(std::ostream& log, const std::string& folder)
{
    CsigTree tree(MakeFatTree(4, SPEED, 1000), "min(ABW),min(ABW/C),max(PD)");
    CsigTruthMonitor truth(tree.csig.GetDomain(), MicroSeconds(100), MicroSeconds(10));
    CsigCollector collector(tree.csig.GetDomain(), MicroSeconds(100));
    WatchPorts(truth, tree);
    const FabricPlan& plan = tree.network.GetFabric();
    for (const NodeIndex host : plan.GetHosts())
    {
        truth.AddHost(tree.network.GetNode(host));
        collector.AddHost(tree.network.GetNode(host));
        collector.SetGroup(plan.GetAddress(host), plan.GetNodeName(plan.GetLeaf(host)));
    }
    truth.KeepSeries(3);
    CsigUdpFlowHelper flows;
    flows.Install(tree.network,
                  tree.csig.GetDomain(),
                  MakeFlows(plan, 4'000'000),
                  CsigUdpFlowSettings());
    flows.StopWhenDone();
    Simulator::Run();
    for (const auto signal : {CsigSignal::ABW, CsigSignal::ABW_RATIO, CsigSignal::HOP_DELAY})
    {
        const auto accuracy = truth.GetAccuracy(signal);
        log << "accuracy " << accuracy.nSignals << ' ' << accuracy.errorMean << ' '
            << accuracy.errorP99 << ' ' << accuracy.bias << ' ' << accuracy.rightPort << ' '
            << accuracy.lag << '\n';
    }
    truth.WriteSeries(folder + "truth.csv");
    collector.WriteSummaries(folder + "pairs.csv");
    collector.WriteHeatMap(folder + "heat.csv");
    for (const auto* file : {"truth.csv", "pairs.csv", "heat.csv"})
    {
        log << ReadFile(folder + file);
    }
}

/// Probe a network with a degraded link.
void
Probe(std::ostream& log, const std::string& folder)
{
    const LinkIndex uplink = FindUplink(MakeFatTree(4, SPEED, 1000));
    CsigTree tree(MakeTree(uplink, SPEED / 4), "min(ABW),max(PD)");
    CsigMeshProber prober(tree.csig.GetDomain());
    prober.Install(tree.network, 1);
    prober.Watch(tree.ports->GetLocatorsOfLink(uplink), MicroSeconds(10));
    CsigUdpFlowHelper flows;
    flows.Install(tree.network,
                  tree.csig.GetDomain(),
                  MakeFlows(tree.network.GetFabric(), 1'000'000),
                  CsigUdpFlowSettings());
    RunFor(MicroSeconds(300));
    log << prober.GetNSignals() << ' ' << prober.GetSentBytes() << ' '
        << prober.GetMargin(CsigSignal::ABW) << ' ' << prober.GetDetectionTime(CsigSignal::ABW)
        << '\n';
    for (const auto& port : prober.GetBottlenecks(CsigSignal::ABW).GetRanking())
    {
        log << port.locator << ' ' << port.mean << ' ' << port.score << '\n';
    }
    prober.WriteRanking(folder + "ranking.csv", tree.ports->GetNames());
    log << ReadFile(folder + "ranking.csv");
}

/// Weight uplinks, of which one is slow.
void
Engineer(std::ostream& log, const std::string&)
{
    const LinkIndex uplink = FindUplink(MakeFatTree(4, SPEED, 1000));
    CsigTree tree(MakeTree(uplink, 25 * GBPS), "min(ABW/C)", "ns3::aidc::WeightedSelector");
    CsigPathEngineer engineer(tree.csig.GetDomain(), MicroSeconds(50));
    const FabricPlan& plan = tree.network.GetFabric();
    for (const NodeIndex id : plan.GetSwitches())
    {
        engineer.AddSwitch(tree.network, id, *tree.ports);
    }
    for (const NodeIndex host : plan.GetHosts())
    {
        engineer.AddHost(tree.network.GetNode(host));
    }
    engineer.Start();
    CsigUdpFlowHelper flows;
    flows.Install(tree.network,
                  tree.csig.GetDomain(),
                  MakeFlows(plan, 2'000'000),
                  CsigUdpFlowSettings());
    flows.StopWhenDone();
    Simulator::Run();
    engineer.Stop();
    log << "updates " << engineer.GetNUpdates() << '\n';
    for (const auto& [locator, name] : tree.ports->GetNames())
    {
        log << name << ' ' << engineer.GetWeight(locator) << '\n';
    }
}

/// Let flows change their paths, which puts packets out of order.
void
Balance(std::ostream& log, const std::string&)
{
    CsigTree tree(MakeFatTree(4, SPEED, 1000), "min(ABW)", "ns3::aidc::SpraySelector");
    ReorderMonitor reordering;
    reordering.Add(tree.network.GetHosts());
    CsigUdpFlowSettings settings;
    settings.rate = DataRate(60 * GBPS);
    settings.balances = true;
    settings.policy.threshold = 10 * GBPS;
    settings.policy.pause = 20'000;
    settings.policy.leafStage = static_cast<uint32_t>(FabricTier::LEAF);
    CsigUdpFlowHelper flows;
    flows.Install(tree.network,
                  tree.csig.GetDomain(),
                  MakeFlows(tree.network.GetFabric(), 1'000'000),
                  settings);
    flows.StopWhenDone();
    Simulator::Run();
    Time last;
    for (const auto& record : flows.GetRecords())
    {
        log << record.isDone << ' ' << record.finish.GetNanoSeconds() << '\n';
        last = std::max(last, record.finish);
    }
    // The first multiple of 10 us by which all are done; no node is ahead of it.
    const int64_t now = Simulator::Now().GetNanoSeconds();
    log << "stop " << now % 10'000 << ' ' << (now - last.GetNanoSeconds() < 10'000) << '\n';
    log << "sent " << flows.GetSentBytes() << " rehashes " << flows.GetNRehashes() << " last hop "
        << flows.GetNLastHop() << '\n';
    log << "packets " << reordering.GetPackets() << " reordered "
        << reordering.GetReorderedPackets() << '\n';
}

struct Simulators
{
    std::string name;
    std::function<void(std::ostream&, const std::string&)> script; //!< what is compared
    std::string expected;                                          //!< in the results
};

// Results of both simulators.
AIDC_TEST_CASES(Simulators,
                row,
                row.name + " by both simulators",
                ({{"Accuracy and summaries", Measure, "pod-1-leaf-0,max(PD)"},
                  {"Ranking", Probe, "min(ABW),1,"},
                  {"Weights", Engineer, "pod-0-leaf-0:pod-0-spine-1"},
                  {"Paths, order and the end", Balance, "stop 0 1"}}))
{
    const auto folder = CreateTempDirFilename("");
    const auto run = [&](Simulation simulation) {
        return RunWith(simulation, [&](std::ostream& log) {
            log.precision(std::numeric_limits<double>::max_digits10);
            row.script(log, folder);
        });
    };
    const auto byDefault = run(Simulation::DEFAULT);
    const auto byWindows = run(Simulation::WINDOWS);
    NS_TEST_EXPECT_MSG_NE(byDefault.find(row.expected), std::string::npos, row.expected);
    std::istringstream left(byDefault);
    std::istringstream right(byWindows);
    std::string ours;
    for (std::string line; std::getline(left, line) && std::getline(right, ours);)
    {
        NS_TEST_ASSERT_MSG_EQ(ours, line, "a line of the results");
    }
    NS_TEST_EXPECT_MSG_EQ(byWindows.size(), byDefault.size(), "all lines");
}

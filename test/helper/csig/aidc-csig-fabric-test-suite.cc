// SPDX-License-Identifier: GPL-2.0-only

// What CSIG's signals are used for, on a fat-tree of 16 hosts whose switches update tags. Section
// numbers refer to draft-ravi-ippm-csig-01.

#include "csig-tree.h"
#include "test/test-case.h"

#include "ns3/csig-mesh-prober.h"
#include "ns3/csig-path-engineer.h"
#include "ns3/csig-udp-flow-helper.h"
#include "ns3/next-hop-selector.h"

// The uses of CSIG on a fabric.
AIDC_TEST_SUITE("aidc-csig-fabric", UNIT);

AIDC_TEST_CASE("A factory of agents sets the attributes that it is told to, and no others")
{
    const auto get = [](Ptr<CsigAgent> agent, const std::string& name) {
        TimeValue value;
        agent->GetAttribute(name, value);
        return value.Get();
    };
    const std::vector<std::string> names{"Interval", "DiscountInterval", "SoftwareInterval"};
    const auto defaults = CreateObject<CsigAgent>();
    for (const auto& name : names)
    {
        ObjectFactory factory("ns3::aidc::CsigAgent");
        factory.Set(name, TimeValue(MicroSeconds(77)));
        const auto agent = factory.Create<CsigAgent>();
        for (const auto& other : names)
        {
            NS_TEST_EXPECT_MSG_EQ(get(agent, other),
                                  (other == name ? MicroSeconds(77) : get(defaults, other)),
                                  name << " set, " << other << " read");
        }
    }
}

AIDC_TEST_CASE("Section 5.5.1: LM name the ports of a fabric")
{
    const FabricPlan plan = MakeFatTree(4, SPEED, 1000);
    {
        CsigTree tree(plan, "min(ABW)");
        NS_TEST_EXPECT_MSG_EQ(tree.ports->GetNames().size(), 20U * 4, "20 switches of 4 ports");
        const NodeIndex leaf = plan.GetLeaves().front();
        for (PortIndex port; port < plan.GetPorts(leaf).GetEnd(); ++port)
        {
            const auto locator = tree.ports->GetLocators(leaf).at(port);
            NS_TEST_EXPECT_MSG_EQ(tree.ports->GetNames().at(locator),
                                  plan.GetPortName(leaf, port),
                                  "a port of the first leaf");
            const auto fields =
                tree.csig.GetDomain()->GetLayout(CsigFormat::EXPANDED).Decode(locator);
            NS_TEST_EXPECT_MSG_EQ(IsCsigLastHop(fields, static_cast<uint32_t>(FabricTier::LEAF)),
                                  plan.IsHost(plan.GetPorts(leaf)[port].peer),
                                  "a leaf's port to a host is the last hop");
        }
        // A tag's LM is of its own format: the bytes of one say nothing in the other.
        CsigFields tag;
        tag.format = CsigFormat::EXPANDED;
        tag.locator = tree.ports->GetLocators(leaf).at(PortIndex(0));
        NS_TEST_EXPECT_MSG_EQ(tree.ports->GetName(tag).value_or("none"),
                              plan.GetPortName(leaf, PortIndex(0)),
                              "an expanded tag");
        tag.format = CsigFormat::COMPACT;
        NS_TEST_EXPECT_MSG_EQ(tree.ports->GetName(tag).value_or("none"),
                              "none",
                              "a compact tag, whose 7 bits are the same at all ports");
        AIDC_EXPECT(!tree.ports->GetLocator(leaf, PortIndex(0), CsigFormat::COMPACT).has_value(),
                    "and so name none");
        const auto ends = tree.ports->GetLocatorsOfLink(FindUplink(plan));
        NS_TEST_EXPECT_MSG_EQ(tree.ports->GetNames().at(ends[0]) + " " +
                                  tree.ports->GetNames().at(ends[1]),
                              "pod-0-leaf-0:pod-0-spine-0 pod-0-spine-0:pod-0-leaf-0",
                              "both ends of the first uplink");
    }
    ExpectRefusal("to have a CsigPort", [&] {
        FabricHelper network;
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.Build(plan);
        CsigFabricPorts ports(network);
    });
    ExpectRefusal("by which all ports differ", [&] {
        FabricHelper network;
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.Build(plan);
        FinishNetwork(network);
        CsigHelper csig;
        csig.SetDomainAttribute("ExpandedLocator", StringValue("stage:2"));
        csig.Install(network);
        CsigFabricPorts ports(network);
    });
}

// The truth about a steady flow.
AIDC_TEST_CASE("Section 5.3.2: at a steady load, what is reported is true")
{
    CsigTree tree(MakeFatTree(4, SPEED, 1000), "min(ABW),max(PD)");
    const FabricPlan& plan = tree.network.GetFabric();
    CsigTruthMonitor truth(tree.csig.GetDomain(), MicroSeconds(100), MicroSeconds(10));
    WatchPorts(truth, tree);
    // The other end gets answers, which have tags, too.
    truth.AddHost(tree.network.GetNode(plan.GetHosts().back()));
    const auto path = CreateTempDirFilename("truth.csv");
    truth.KeepSeries(1);
    // 40 Gbit/s of payload, from one pod to another.
    CsigUdpFlowSettings settings;
    settings.rate = DataRate(40 * GBPS);
    settings.packetSize = 8000;
    FlowSpec flow;
    flow.source = plan.GetHosts().front();
    flow.destination = plan.GetHosts().back();
    flow.bytes = 8000 * 1000;
    CsigUdpFlowHelper flows;
    flows.Install(tree.network, tree.csig.GetDomain(), {flow}, settings);
    flows.StopWhenDone();
    RunFor(MilliSeconds(10));

    const auto nSignals = truth.GetAccuracy(CsigSignal::ABW).nSignals;
    NS_TEST_EXPECT_MSG_EQ(truth.GetAccuracy(CsigSignal::ABW_RATIO).nSignals,
                          0U,
                          "nobody asks for it");
    AIDC_EXPECT(std::isnan(truth.GetAccuracy(CsigSignal::HOP_DELAY).lag), "no lag of nothing");
    truth.WriteSeries(path);

    // A frame of 8000 + 28 + 8 + 18 bytes and 20 of preamble and gap, every 1.6 us: it takes
    // 645.92 ns, which are 40.37 % of the time. A window of 100 us cuts at most one frame.
    const double free = SPEED * (1 - 8074 * 8 / 100.0 / 1600);
    const double frame = SPEED * 646.0 / 100000;
    const double end = flows.GetRecords().at(0).finish.GetSeconds();
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    uint32_t nAbw = 0;
    uint32_t nDelay = 0;
    while (std::getline(file, line))
    {
        std::istringstream columns(line);
        std::string time;
        std::string signal;
        std::string reported;
        std::string value;
        std::getline(columns, time, ',');
        std::getline(columns, signal, ',');
        std::getline(columns, reported, ',');
        std::getline(columns, value, ',');
        if (std::stod(time) > 200e-6 && std::stod(time) <= end && signal == "min(ABW)")
        {
            ++nAbw;
            NS_TEST_EXPECT_MSG_EQ_TOL(std::stod(value), free, frame, "the truth");
            NS_TEST_EXPECT_MSG_EQ_TOL(std::stod(reported), free, frame + 8e6, "the report");
        }
        else if (signal == "max(PD)")
        {
            ++nDelay;
        }
    }
    // 1600 us of datagrams, half of which ask for each signal; 200 us are left out.
    NS_TEST_EXPECT_MSG_EQ_TOL(nAbw, 437U, 3U, "tags of min(ABW)");
    NS_TEST_EXPECT_MSG_GT(nSignals, nAbw, "the first 200 us count, too");
    NS_TEST_EXPECT_MSG_EQ(nDelay, 0U, "nothing waits, so that no switch changes max(PD)");
}

AIDC_TEST_CASE("Section 8.3: a mesh of probes finds a degraded link")
{
    const LinkIndex uplink = FindUplink(MakeFatTree(4, SPEED, 1000));
    const FabricPlan plan = MakeTree(uplink, SPEED / 4);
    CsigTree tree(plan, "min(ABW)");
    CsigMeshProber prober(tree.csig.GetDomain());
    NS_TEST_EXPECT_MSG_EQ(prober.Install(tree.network, 1), 1, "one stream");
    const auto link = tree.ports->GetLocatorsOfLink(uplink);
    prober.Watch(link, MicroSeconds(10));
    RunFor(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(prober.GetPairs().size(), 16U * 4, "4 peers of each host");
    for (const auto& [from, to] : prober.GetPairs())
    {
        NS_TEST_EXPECT_MSG_NE(from, to, "not to itself");
    }
    const auto ranking = prober.GetBottlenecks(CsigSignal::ABW).GetRanking();
    NS_TEST_ASSERT_MSG_GT(ranking.size(), 2U, "ports that are named");
    for (const uint32_t place : {0, 1})
    {
        AIDC_EXPECT(ranking[place].locator == link[0] || ranking[place].locator == link[1],
                    "both ends come first");
        NS_TEST_EXPECT_MSG_LT(ranking[place].mean, SPEED / 4 + 1e7, "they have a quarter");
        NS_TEST_EXPECT_MSG_GT(ranking[place].mean, 0.9 * SPEED / 4, "and are idle");
    }
    NS_TEST_EXPECT_MSG_EQ(prober.GetRank(CsigSignal::ABW), 1U, "the link comes first");
    NS_TEST_EXPECT_MSG_GT(prober.GetMargin(CsigSignal::ABW), 1, "by a margin");
    NS_TEST_EXPECT_MSG_LT(prober.GetDetectionTime(CsigSignal::ABW), 1e-4, "soon");
    NS_TEST_EXPECT_MSG_EQ(prober.GetRank(CsigSignal::HOP_DELAY), 0U, "nobody asks for it");
    AIDC_EXPECT(std::isnan(prober.GetDetectionTime(CsigSignal::HOP_DELAY)), "so it is not found");
    // 100 bytes at 100 Mbit/s are 8 us: 125 probes of a pair in 1 ms, less the late start.
    NS_TEST_EXPECT_MSG_EQ_TOL(prober.GetSentBytes(), 100U * 125 * 64, 100U * 64, "the rate");
}

// Traffic engineering. Of 1,000 flows of the same rate r, n take the slow uplink. It has the same
// share left as the other uplink if n r / 25 = (1,000 - n) r / 100 with speeds in Gbit/s: n = 200,
// whatever r. More flows there lower its weight, fewer raise it. With equal weights half of the
// flows would be there. The weights of two uplinks have a mean of 1. So a flow is at the slow one
// with a probability of w / 2, and it has 200 of 1,000 flows with w = 0.4. By chance of the hash, n
// has a standard deviation of sqrt(1,000 * 0.2 * 0.8) = 12.6 at that weight, which is 0.025 of w:
// 0.4 within three of them is 0.32 to 0.48.
AIDC_TEST_CASE("Section 8.2.2: weights leave the same share of a slow uplink and of others")
{
    const LinkIndex uplink = FindUplink(MakeFatTree(4, SPEED, 1000));
    const FabricPlan plan = MakeTree(uplink, 25 * GBPS);
    CsigTree tree(plan, "min(ABW/C)", "ns3::aidc::WeightedSelector");
    CsigPathEngineer engineer(tree.csig.GetDomain(), MicroSeconds(100));
    for (const NodeIndex id : plan.GetSwitches())
    {
        engineer.AddSwitch(tree.network, id, *tree.ports);
    }
    for (const NodeIndex host : plan.GetHosts())
    {
        engineer.AddHost(tree.network.GetNode(host));
    }
    const auto slow = tree.ports->GetLocatorsOfLink(uplink).at(0);
    NS_TEST_EXPECT_MSG_EQ(engineer.GetWeight(slow), 1, "equal at first");
    NS_TEST_EXPECT_MSG_EQ(engineer.GetWeight(0xffff), 0, "no such port");
    const auto& downlinks = tree.ports->GetLocators(plan.GetLeaves().front());
    NS_TEST_EXPECT_MSG_EQ(engineer.GetWeight(downlinks.front()), 0, "not an uplink");
    engineer.Start();
    // Many small flows from the first leaf to other pods, 20 Gbit/s in all: a packet in 1.6 ms
    // of each, which is answered with what its tag says.
    CsigUdpFlowSettings settings;
    settings.rate = DataRate(GBPS / 50);
    settings.packetSize = 4000;
    settings.answerPeriod = 1;
    settings.nPorts = 1;
    std::vector<FlowSpec> specs;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        FlowSpec flow;
        flow.source = plan.GetHosts().at(i % 2);
        flow.destination = plan.GetHosts().at(4 + i % 12);
        flow.bytes = 36'000; // 14.4 ms
        flow.start = NanoSeconds(1600 * i);
        specs.push_back(flow);
    }
    CsigUdpFlowHelper flows;
    flows.Install(tree.network, tree.csig.GetDomain(), specs, settings);
    const auto& link = plan.GetLinks()[uplink];
    const auto port = DynamicCast<EthernetNetDevice>(tree.network.GetPort(link.a, link.aPort));
    uint64_t before = 0;
    Simulator::Schedule(MilliSeconds(9), [&] { before = port->GetStatistics().outOctets; });
    RunFor(MilliSeconds(13));
    engineer.Stop();
    NS_TEST_EXPECT_MSG_GT(engineer.GetNUpdates(), 100U, "each 100 us");
    // A frame has 54 octets beside its 4,000: IPv4, UDP, Ethernet with FCS, and the tag.
    const double flow = 4054 * 4 / 1.6;
    const auto sent = static_cast<double>(port->GetStatistics().outOctets - before);
    NS_TEST_EXPECT_MSG_EQ_TOL(sent / flow, 200, 10, "flows at the slow uplink");
    NS_TEST_EXPECT_MSG_EQ_TOL(engineer.GetWeight(slow), 0.4, 0.08, "the weight");
}

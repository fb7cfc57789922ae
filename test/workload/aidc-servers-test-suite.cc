// SPDX-License-Identifier: GPL-2.0-only

#include "servers-network.h"
#include "test/test-case.h"

#include "ns3/rank-application-helper.h"

// Tests of servers: scale-up switches, adapters, PXN.

// Servers of GPUs.
AIDC_TEST_SUITE("aidc-servers", UNIT);

constexpr uint64_t NVLINK = 2880000000000; //!< bit/s of GetTwoByTwo()
constexpr uint64_t ADAPTER = 400000000000; //!< bit/s of GetTwoByTwo()

/// Get the time of bytes on a link. rate: bit/s. Returns ns.
double
Serialize(double nBytes, uint64_t rate)
{
    return 8e9 * nBytes / static_cast<double>(rate);
}

/// Get the time of one full packet of 4096 bytes over links of 400 Gb/s and 500 ns. Returns ns
/// until its last bit has arrived: 4170 bytes with headers, immediate data and preamble, stored in
/// each switch.
double
GetPacketTime(uint32_t nLinks)
{
    return nLinks * (Serialize(4170, ADAPTER) + 500);
}

AIDC_TEST_CASE("GPUs without a switch have links of their own, or their adapters")
{
    ServerFabricSettings settings = GetTwoByTwo();
    settings.gpus = 8;
    settings.gpusPerServer = 4;
    ServerFabric made = MakeServerFabric(settings);
    made.servers.RemoveSwitch(0);
    made.servers.AddDirectLink(0, 1, {NVLINK, 50});
    made.servers.AddDirectLink(2, 0, {NVLINK / 2, 30});
    ServersNetwork servers(made);
    servers.Start(8);
    for (const uint32_t to : {1, 2, 3, 4})
    {
        servers.Send(MicroSeconds(10), 0, to, 4096);
    }
    Simulator::Run();
    // Each link has its own ports, so that no message waits for another one
    const double times[] = {0, Serialize(4096, NVLINK) + 50, Serialize(4096, NVLINK / 2) + 30};
    for (const uint32_t to : {1, 2})
    {
        NS_TEST_ASSERT_MSG_EQ(servers.arrived[to].size(), 1, "arrives at " << to);
        NS_TEST_EXPECT_MSG_EQ_TOL(servers.arrived[to][0].time.GetNanoSeconds() - 10000.0,
                                  times[to],
                                  1.0,
                                  "ns to " << to);
    }
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[3].size(), 1, "by the network");
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[4].size(), 1, "by the network");
    NS_TEST_EXPECT_MSG_EQ(servers.acknowledged[0].size(), 4, "acknowledged");
    const auto& statistics = servers.endpoints[0]->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.sentBytes, 2 * 4096, "by links");
    NS_TEST_EXPECT_MSG_EQ(statistics.fabricBytes, 2 * 4096, "by the adapter");
}

/// Send a message from GPU 0. isPxn: whether messages for other rails are relayed. time: ns until
/// it arrives. acknowledged: ns until it is acknowledged; 0 if it goes over the fabric. nScaleUp:
/// bytes over the scale-up switch. nRelayed: bytes that GPU 1 sends on. nFabric: bytes that GPU 0
/// sends by its adapter.
void
Expect(bool isPxn,
       uint32_t to,
       double time,
       double acknowledged,
       uint64_t nScaleUp,
       uint64_t nRelayed,
       uint64_t nFabric)
{
    ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
    servers.helper.SetAttribute("Pxn", BooleanValue(isPxn));
    servers.Start(4);
    servers.Send(MicroSeconds(10), 0, to, 4096, 77);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(servers.arrived[to].size(), 1, "arrives at " << to);
    const auto& arrived = servers.arrived[to].front();
    NS_TEST_EXPECT_MSG_EQ(arrived.from, 0, "sender");
    NS_TEST_EXPECT_MSG_EQ(arrived.nBytes, 4096, "bytes");
    NS_TEST_EXPECT_MSG_EQ(arrived.tag, 77, "tag");
    NS_TEST_EXPECT_MSG_EQ_TOL(arrived.time.GetNanoSeconds() - 10000.0,
                              time,
                              4.0,
                              "ns, rounded up at each switch, to " << to);
    NS_TEST_ASSERT_MSG_EQ(servers.acknowledged[0].size(), 1, "acknowledged");
    if (acknowledged > 0)
    {
        NS_TEST_EXPECT_MSG_EQ(servers.acknowledged[0][0].GetNanoSeconds() - 10000,
                              std::ceil(time) + 50,
                              "ns until it is acknowledged");
    }
    const auto& statistics = servers.endpoints[0]->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.sentBytes, nScaleUp, "over the scale-up switch");
    NS_TEST_EXPECT_MSG_EQ(servers.endpoints[1]->GetStatistics().receivedBytes,
                          nScaleUp,
                          "scale-up");
    NS_TEST_EXPECT_MSG_EQ(servers.endpoints[1]->GetStatistics().relayedBytes, nRelayed, "relayed");
    NS_TEST_EXPECT_MSG_EQ(statistics.fabricBytes, nFabric, "by the own adapter");
    NS_TEST_EXPECT_MSG_EQ(servers.network.GetNic(1)->GetStatistics().sentBytes,
                          nRelayed,
                          "by the other adapter");
}

// A message takes the way of its peer, and the time of this way.
AIDC_TEST_CASES(bool,
                isPxn,
                std::string("A message takes the way of its peer, ") +
                    (isPxn ? "with PXN" : "without PXN"),
                ({true, false}))
{
    const double nvlink = Serialize(4096, NVLINK) + 50;
    // To the other GPU, over the leaf of the rail, over the spine or the other GPU's adapter
    Expect(isPxn, 1, nvlink, 2 * nvlink - Serialize(4096, NVLINK), 4096, 0, 0);
    Expect(isPxn, 2, GetPacketTime(2), 0, 0, 0, 4096);
    if (isPxn)
    {
        Expect(isPxn, 3, nvlink + GetPacketTime(2), 0, 4096, 4096, 0);
    }
    else
    {
        Expect(isPxn, 3, GetPacketTime(4), 0, 0, 0, 4096);
    }
}

/// A server of four GPUs, whose scale-up switch takes 1 ns for a byte.
ServerFabricSettings
GetOneServer()
{
    ServerFabricSettings settings;
    settings.gpus = 4;
    settings.gpusPerServer = 4;
    settings.spines = 1;
    settings.scaleUp = {8000000000, 1000};
    return settings;
}

AIDC_TEST_CASE("The messages of a server share the ports of its GPUs")
{
    constexpr uint64_t SIZE = 1 << 20;
    const auto settings = GetOneServer();
    // Three to one, whose ingress takes 16 segments of each in turn, by the rank of the sender
    {
        ServersNetwork servers(MakeServerFabric(settings));
        servers.Start(4);
        for (const uint32_t from : {3, 1, 2})
        {
            servers.Send(MicroSeconds(1), from, 0, SIZE, from);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(servers.arrived[0].size(), 3, "messages");
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(servers.arrived[0][i].from, i + 1, "sender");
            const auto expected = static_cast<int64_t>(2000 + 3 * SIZE - (2 - i) * 65536);
            NS_TEST_EXPECT_MSG_EQ(servers.arrived[0][i].time.GetNanoSeconds(), expected, "ns");
        }
    }
    // A permutation, and one to two with segments of other sizes
    ServersNetwork servers(MakeServerFabric(settings));
    servers.helper.SetAttribute("SegmentSize", UintegerValue(1024));
    servers.Start(4);
    for (uint32_t from = 0; from < 4; ++from)
    {
        servers.Send(MicroSeconds(1), from, (from + 1) % 4, SIZE);
    }
    servers.Send(MilliSeconds(10), 0, 1, SIZE, 1);
    servers.Send(MilliSeconds(10), 0, 2, SIZE, 2);
    servers.Send(MilliSeconds(10), 0, 1, 0, 3);
    Simulator::Run();
    for (uint32_t to = 0; to < 4; ++to)
    {
        NS_TEST_ASSERT_MSG_GT(servers.arrived[to].size(), 0, "arrives");
        NS_TEST_EXPECT_MSG_EQ(servers.arrived[to][0].time.GetNanoSeconds(), 2000 + SIZE, "ns");
    }
    NS_TEST_ASSERT_MSG_EQ(servers.arrived[1].size(), 3, "messages");
    const int64_t start = 10000000 + 1000;
    // Its first segment leaves before there is another message, and its second one, whose turn
    // was before the other message's, too: the others are every second one.
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[1][1].time.GetNanoSeconds() - start,
                          2 * SIZE - 2 * 1024,
                          "two segments of the other one follow");
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[2][1].time.GetNanoSeconds() - start, 2 * SIZE, "last");
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[1][2].tag, 3, "behind the other one for this peer");
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[1][2].nBytes, 0, "without bytes");
}

// A GPU that is destroyed while messages for it are about to leave.
AIDC_TEST_CASE("What is to leave for a GPU that has been destroyed is lost, and nothing else")
{
    constexpr uint64_t SIZE = 1 << 20; // 16 segments
    ServersNetwork servers(MakeServerFabric(GetOneServer()));
    servers.Start(4);
    servers.Send(MicroSeconds(1), 0, 1, SIZE);
    servers.Send(MicroSeconds(1), 0, 2, SIZE);
    // Segments leave in turn, for 1, 2, 1 and so on. The fourth one begins to leave 3 * 65536
    // ns after the first one
    Simulator::Schedule(MicroSeconds(250), [&servers] { servers.endpoints[1]->Dispose(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[1].size(), 0, "destroyed");
    NS_TEST_EXPECT_MSG_EQ(servers.acknowledged[0].size(), 1, "of the other message");
    NS_TEST_ASSERT_MSG_EQ(servers.arrived[2].size(), 1, "the other message arrives");
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[2][0].nBytes, SIZE, "complete");
}

/// Execute a collective of 4 ranks. least: ns that it takes at least. most: ns that it takes at
/// most, but for 1 %.
void
Expect(CollectiveKind kind, uint64_t nBytes, bool isPxn, double least, double most)
{
    ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
    servers.helper.SetAttribute("Pxn", BooleanValue(isPxn));
    servers.network.isLossless = true;
    servers.network.Start();
    RankApplicationHelper ranks(MakeCollectivePlan(kind, 4, nBytes));
    const auto& network = servers.network.network;
    ranks.Install(servers.helper.GetNodes(network, ranks.GetPlan()),
                  servers.helper.Connect(ranks.GetPlan(), network));
    ranks.StopWhenDone();
    RunFor(Seconds(1));
    const auto record = ranks.GetCollectiveRecords().at(0);
    AIDC_ASSERT(record.isDone, "done");
    const double ns = (record.finish - record.start).GetNanoSeconds();
    const std::string what = std::string(GetCollectiveName(kind)) + (isPxn ? ", PXN" : "");
    NS_TEST_EXPECT_MSG_GT(ns, least, what);
    NS_TEST_EXPECT_MSG_LT(ns, 1.01 * most, what);
    // With PXN, nothing crosses the spine
    const auto& fabric = network.GetFabric();
    for (const NodeIndex node : fabric.GetSwitches())
    {
        if (fabric.GetNode(node).tier == FabricTier::SPINE)
        {
            const auto device = DynamicCast<EthernetNetDevice>(network.GetNode(node)->GetDevice(0));
            NS_TEST_EXPECT_MSG_EQ((device->GetStatistics().inUnicastFrames > 0), !isPxn, what);
        }
    }
}

// Collectives take the time of the link that holds them back.
AIDC_TEST_CASE("Collectives take the time of the link that holds them back")
{
    constexpr double GOODPUT = 4096.0 / 4178;                            // of headers, on the wire
    const double adapter = static_cast<double>(ADAPTER) / 8e9 * GOODPUT; // bytes a ns
    // A ring has the adapters of GPUs 1 and 3 send 2 (n - 1) messages of S / n each, and so
    // many latencies at most. Without PXN, both of them go to the other rail, by the one link
    // from their leaf to the spine.
    const double ring = 6 * 1e6 / adapter;
    Expect(CollectiveKind::ALL_REDUCE, 4000000, false, 2 * ring, 2 * ring + 6 * GetPacketTime(4));
    Expect(CollectiveKind::ALL_REDUCE, 4000000, true, ring, ring + 6 * (GetPacketTime(2) + 240));
    // Of an all-to-all, each adapter sends 2 of 4 parts, in 2 of 3 steps; one adapter or
    // another sends in each step. Without PXN, two parts cross a link to the spine in the first
    // step and in the last one.
    const double part = 1e6 / adapter;
    const double waits = 3 * GetPacketTime(4);
    Expect(CollectiveKind::ALL_TO_ALL, 4000000, false, 2 * part, 5 * part + waits);
    Expect(CollectiveKind::ALL_TO_ALL, 4000000, true, 2 * part, 3 * part + waits);
}

constexpr uint64_t S = 3600000; //!< 10 us at 2880 Gb/s

/// @return the time of an all-reduce of S bytes among GPUs of one server, ns
double
GetTime(uint32_t nGpus, uint32_t nChunks)
{
    ServerFabricSettings settings = GetTwoByTwo();
    settings.gpus = 2 * nGpus;
    settings.gpusPerServer = nGpus;
    ServersNetwork servers(MakeServerFabric(settings));
    servers.network.isLossless = true;
    servers.network.Start();
    std::vector<uint32_t> group(nGpus);
    std::iota(group.begin(), group.end(), 0);
    CollectiveScheduleSettings nvls;
    nvls.algorithm = CollectiveAlgorithm::NVLS;
    nvls.nMembers = nvls.nPerServer = nGpus;
    nvls.bytes = S;
    nvls.nChunks = nChunks;
    WorkloadPlan plan(2 * nGpus);
    plan.AddCollective("c",
                       CollectiveSchedule(nvls),
                       std::make_shared<const std::vector<uint32_t>>(group),
                       std::vector<std::vector<uint32_t>>(nGpus));
    RankApplicationHelper ranks(plan);
    const auto& network = servers.network.network;
    ranks.Install(servers.helper.GetNodes(network, ranks.GetPlan()),
                  servers.helper.Connect(ranks.GetPlan(), network));
    ranks.StopWhenDone();
    RunFor(Seconds(1));
    const auto record = ranks.GetCollectiveRecords().at(0);
    return record.isDone ? (record.finish - record.start).GetNanoSeconds() : 0;
}

AIDC_TEST_CASE("The switch of a server adds up and copies")
{
    // Two GPUs: each sends all to the head of the other half, and S / 2 arrives; then S / 2 leaves
    // and S arrives. In one chunk these follow each other, with two latencies of 50 ns and the
    // latency of the last acknowledgment
    NS_TEST_EXPECT_MSG_EQ_TOL(GetTime(2, 1), 2 * 10000 + 150, 3, "one chunk");
    // In chunks, both at once: each port carries S and S / n, and is idle only while the first
    // chunk comes and the last one goes
    for (const uint32_t n : {2, 4, 8})
    {
        const double all = 10000 * (1 + 1.0 / n);
        NS_TEST_EXPECT_MSG_GT(GetTime(n, 32), all, n << " GPUs");
        NS_TEST_EXPECT_MSG_LT(GetTime(n, 32), all + 2 * 10000 / 32.0 + 150, n << " GPUs");
    }
}

/// Execute an all-to-all, and the same with PXN.
void
Expect(const std::string& name, const ServerFabric& made)
{
    for (const bool isPxn : {false, true})
    {
        ServersNetwork servers(made);
        servers.helper.SetAttribute("Pxn", BooleanValue(isPxn));
        servers.helper.SetQueuePairs(2);
        servers.network.isLossless = true;
        servers.network.Start();
        RankApplicationHelper ranks(
            MakeCollectivePlan(CollectiveKind::ALL_TO_ALL, made.servers.GetNGpus(), 1000000));
        const auto& network = servers.network.network;
        ranks.Install(servers.helper.GetNodes(network, ranks.GetPlan()),
                      servers.helper.Connect(ranks.GetPlan(), network));
        ranks.StopWhenDone();
        RunFor(MilliSeconds(10));
        AIDC_EXPECT(ranks.IsDone(), name << ": " << ranks.DescribeUnfinished());
    }
}

// Servers on each kind of fabric carry a collective.
AIDC_TEST_CASE("Servers on each kind of fabric carry a collective")
{
    for (const auto& name : GetServerFabricTemplates())
    {
        auto settings = GetServerFabricTemplate(name);
        settings.gpus = 12;
        settings.gpusPerServer = 4;
        settings.gpusPerLeaf = 4;
        settings.spines = 2;
        Expect(name, MakeServerFabric(settings));
    }
    auto fabric = MakeFatTree(4, ADAPTER, 500);
    const auto servers = MakeServers(fabric, 4);
    Expect("fat-tree", {fabric, servers});
    // Two GPUs share an adapter
    std::vector<NodeIndex> hosts;
    for (uint32_t gpu = 0; gpu < 16; ++gpu)
    {
        hosts.emplace_back(gpu / 2);
    }
    Expect("shared adapters", {fabric, ServerPlan(4, hosts)});
}

// SPDX-License-Identifier: GPL-2.0-only

#include "servers-network.h"
#include "test/test-case.h"

#include "ns3/rank-application-helper.h"

// Tests of the connections of servers: queue pairs, placement, simulators, failures.

// How the GPUs of servers are connected.
AIDC_TEST_SUITE("aidc-server-connections", UNIT);

/// Send messages of many sizes to GPU 3. isPxn: whether GPU 1 relays them.
void
Expect(bool isPxn, uint32_t n, bool isStriped)
{
    const auto what = "PXN " + std::to_string(isPxn) + ", striped " + std::to_string(isStriped);
    ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
    servers.helper.SetAttribute("Pxn", BooleanValue(isPxn));
    servers.helper.SetQueuePairs(n, isStriped);
    servers.Start(4);
    // Long and short ones in turn: short ones would overtake
    const std::vector<uint64_t> sizes{3000000, 1, 0, 2, 500000, 65536, 65537, 5000, 0, 700000};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sizes.size(); ++i)
    {
        servers.Send(MicroSeconds(1), 0, 3, sizes[i], i);
        servers.Send(MicroSeconds(1), 1, 3, sizes[i], i); // of another rank
        sum += sizes[i];
    }
    Simulator::Run();
    std::vector<uint32_t> next(2);
    for (const auto& message : servers.arrived[3])
    {
        NS_TEST_ASSERT_MSG_LT(message.from, 2, what);
        const uint32_t i = next[message.from]++;
        NS_TEST_ASSERT_MSG_LT(i, sizes.size(), what);
        NS_TEST_EXPECT_MSG_EQ(message.tag, i, what << ", order");
        NS_TEST_EXPECT_MSG_EQ(message.nBytes, sizes[i], what << ", bytes");
    }
    NS_TEST_EXPECT_MSG_EQ(next[0], sizes.size(), what << ", messages");
    NS_TEST_EXPECT_MSG_EQ(servers.acknowledged[0].size(), sizes.size(), what);
    NS_TEST_EXPECT_MSG_EQ(servers.acknowledged[1].size(), sizes.size(), what);
    NS_TEST_EXPECT_MSG_EQ(servers.network.GetNic(1)->GetStatistics().sentBytes,
                          ((isPxn ? 2 : 1) * sum),
                          what);
    // With 2 and 3; with PXN, GPU 2 sends for 3, and this one for GPU 1 to 2, besides
    NS_TEST_EXPECT_MSG_EQ(servers.network.GetNic(0)->GetNQueuePairs(),
                          (isPxn ? 3 : 2) * n,
                          what << ", queue pairs");
}

// Messages arrive once and in order over several queue pairs.
AIDC_TEST_CASE("Messages arrive once and in order over several queue pairs")
{
    for (const bool isPxn : {false, true})
    {
        for (const bool isStriped : {false, true})
        {
            for (const uint32_t n : {1, 3, 4})
            {
                Expect(isPxn, n, isStriped);
            }
        }
    }
    ExpectRefusal("expected at least 1 queue pair, found 0",
                  [] { ServerHelper({}).SetQueuePairs(0); });
}

/// Get two servers of two GPUs with two links of 200 Gb/s each.
ServerFabric
Make(bool isDualPlane)
{
    auto settings = GetServerFabricTemplate(isDualPlane ? "hpn-dual-plane" : "hpn");
    settings.gpus = 4;
    settings.gpusPerServer = 2;
    settings.spines = 2;
    return MakeServerFabric(settings);
}

/// Send messages of 4 MB from GPU 0 to GPU 2.
void
ExpectMicros(bool isDualPlane, uint32_t nMessages, uint32_t nLinks)
{
    constexpr uint64_t SIZE = 4096 * 1024;
    ServersNetwork servers(Make(isDualPlane));
    servers.Start(4);
    for (uint32_t i = 0; i < nMessages; ++i)
    {
        servers.Send(MicroSeconds(10), 0, 2, SIZE);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(servers.arrived[2].size(), nMessages, "messages");
    // 4178 bytes with headers, preamble and gap at 25 bytes/ns, a packet stored in the leaf,
    // and two links
    const double expected = 4178.0 / 25 * (1024.0 / nLinks + 1) + 2 * 500;
    NS_TEST_EXPECT_MSG_EQ_TOL(servers.arrived[2].back().time.GetNanoSeconds() - 10000.0,
                              expected,
                              0.005 * expected,
                              nMessages << " messages, planes: " << isDualPlane);
}

/// A ring all-reduce has the rate of both links.
void
ExpectRing()
{
    // Four GPUs in servers of their own: 2 (n - 1) / n of 8 MB with headers by two links of 25
    // bytes/ns, of which 86 bytes for 16 packets are acknowledgments; and for each of 6 steps a
    // packet that is stored in the leaf, and two links
    auto settings = GetServerFabricTemplate("hpn-dual-plane");
    settings.gpus = 4;
    settings.gpusPerServer = 1;
    settings.spines = 2;
    ServersNetwork servers(MakeServerFabric(settings));
    servers.network.isLossless = true;
    servers.network.Start();
    RankApplicationHelper ranks(MakeCollectivePlan(CollectiveKind::ALL_REDUCE, 4, 8 << 20));
    const auto& network = servers.network.network;
    ranks.Install(servers.helper.GetNodes(network, ranks.GetPlan()),
                  servers.helper.Connect(ranks.GetPlan(), network));
    ranks.StopWhenDone();
    RunFor(Seconds(1));
    const auto record = ranks.GetCollectiveRecords().at(0);
    AIDC_ASSERT(record.isDone, "done");
    const double bytes = 1.5 * (8 << 20) * 4178 / 4096 / 50;
    const double ns = (record.finish - record.start).GetNanoSeconds();
    NS_TEST_EXPECT_MSG_GT(ns, bytes, "by both links");
    NS_TEST_EXPECT_MSG_LT(ns, 1.005 * bytes + 6 * (4178.0 / 25 + 1000) + 1000, "by both links");
    for (uint32_t host = 0; host < 4; ++host)
    {
        const auto node = network.GetHosts().Get(host);
        const auto getSent = [&node](uint32_t port) {
            return DynamicCast<EthernetNetDevice>(node->GetDevice(port))
                ->GetStatistics()
                .outUnicastFrames;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(getSent(0)),
                                  static_cast<double>(getSent(1)),
                                  0.01 * static_cast<double>(getSent(1)),
                                  "frames by both links of host " << host);
    }
}

/// To divide messages over one queue pair is refused.
void
ExpectOneQueuePairIsRefused()
{
    Config::SetDefault("ns3::aidc::RoceMessageEndpoint::Striped", BooleanValue(true));
    const std::string message = MessageOf([&] {
        ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
        servers.Start(4);
    });
    NS_TEST_EXPECT_MSG_EQ(message,
                          "expected several queue pairs of two ranks, or hosts with several "
                          "links, for ns3::aidc::RoceMessageEndpoint::Striped=true, found one "
                          "queue pair",
                          "no effect");
    ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
    servers.helper.SetQueuePairs(2);
    servers.Start(4);
    Config::Reset();
    servers.Send(MicroSeconds(1), 0, 2, 4096);
    Simulator::Run();
    const auto& counted = servers.network.GetNic(0)->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(counted.sentPackets, 2, "half by each queue pair");
}

// GPUs with links to two leaves use both, for each message.
AIDC_TEST_CASE("GPUs with links to two leaves use both, for each message")
{
    for (const bool isDualPlane : {false, true})
    {
        // 4 MB along the rail: 1024 packets, by two links of 200 Gb/s, over a leaf each
        ExpectMicros(isDualPlane, 1, 2);
        // In turn, a message has one link, two messages have both
        Config::SetDefault("ns3::aidc::RoceMessageEndpoint::Striped", BooleanValue(false));
        ExpectMicros(isDualPlane, 1, 1);
        ExpectMicros(isDualPlane, 2, 1);
        Config::SetDefault("ns3::aidc::RoceMessageEndpoint::Striped", BooleanValue(true));
        ExpectMicros(isDualPlane, 1, 2);
        Config::Reset();
    }
    ExpectRing();
    ExpectOneQueuePairIsRefused();
}

/// Servers give the same in time windows, which are as long as without them.
class SimulatorsTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Send messages at random.
    std::string Run(uint32_t seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](uint32_t begin, uint32_t end) {
            return begin + static_cast<uint32_t>(random() % (end - begin));
        };
        ServerFabricSettings settings;
        settings.gpus = 12;
        settings.gpusPerServer = 4;
        settings.spines = 2;
        settings.isDualHomed = draw(0, 2) == 0;
        settings.scaleUp = {1000000000ULL * draw(100, 3000), draw(1, 100)};
        ServersNetwork servers(MakeServerFabric(settings));
        servers.helper.SetAttribute("Pxn", BooleanValue(draw(0, 2) == 0));
        servers.helper.SetAttribute("SegmentSize", UintegerValue(draw(500, 70000)));
        servers.helper.SetQueuePairs(draw(1, 4), draw(0, 2) == 0);
        servers.Start(12);
        for (uint32_t i = 0; i < 150; ++i)
        {
            const uint32_t from = draw(0, 12);
            // Many begin at the same time
            const Time begin = MicroSeconds(10 * draw(0, 4));
            servers.Send(begin, from, (from + draw(1, 12)) % 12, draw(0, 2) * draw(0, 300000), i);
        }
        Simulator::Run();
        m_window = TimeWindowHelper::GetWindow();
        std::ostringstream log;
        for (uint32_t rank = 0; rank < 12; ++rank)
        {
            for (const auto& message : servers.arrived[rank])
            {
                log << message.time.GetTimeStep() << ' ' << message.from << ' ' << message.nBytes
                    << ' ' << message.tag << '\n';
            }
            for (const auto& time : servers.acknowledged[rank])
            {
                log << time.GetTimeStep() << ' ';
            }
            const auto& statistics = servers.endpoints[rank]->GetStatistics();
            log << statistics.sentBytes << ' ' << statistics.relayedBytes << '\n';
        }
        return log.str();
    }

    Time m_window; //!< the window of the last run
};

AIDC_TEST_CASE_F(SimulatorsTestCase,
                 "Servers give the same in time windows, which are as long as without them")
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const auto expected = Run(seed);
        TimeWindowHelper::Enable();
        const auto found = Run(seed);
        TimeWindowHelper::Disable();
        AIDC_ASSERT(found == expected, "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(expected.size(), 2000, "much happens");
        NS_TEST_EXPECT_MSG_EQ(m_window, NanoSeconds(1000), "twice the delay of links");
    }
}

AIDC_TEST_CASE("Ranks may be any GPUs, and what does not fit is refused")
{
    {
        // Rank 0 is GPU 3, rank 1 GPU 0, rank 2 GPU 2
        ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
        servers.helper.SetAttribute("Pxn", BooleanValue(true));
        servers.helper.SetPlacement({3, 0, 2});
        servers.Start(3);
        for (const uint32_t to : {1, 2})
        {
            servers.Send(MicroSeconds(1), 0, to, 4096);
        }
        servers.Send(MicroSeconds(1), 1, 0, 4096);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(servers.nodes.Get(0)->GetId(), 3, "node");
        NS_TEST_EXPECT_MSG_EQ(servers.endpoints[0]->GetStatistics().sentBytes,
                              4096,
                              "to rank 2 in the same server");
        NS_TEST_EXPECT_MSG_EQ(servers.endpoints[0]->GetStatistics().fabricBytes,
                              4096,
                              "to rank 1, as no rank is GPU 1 for the way back");
        NS_TEST_EXPECT_MSG_EQ(servers.arrived[0].size(), 1, "from rank 1");
        NS_TEST_EXPECT_MSG_EQ(servers.arrived[1].size(), 1, "from rank 0");
        NS_TEST_EXPECT_MSG_EQ(servers.arrived[2].size(), 1, "from rank 0");
    }
    const auto made = MakeServerFabric(GetTwoByTwo());
    ServerHelper helper(made.servers);
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { helper.SetPlacement({0, 4}); }),
                          "ServerHelper: expected a GPU of its own, below 4, for rank 1, found "
                          "GPU 4",
                          "no such GPU");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { helper.SetPlacement({2, 2}); }),
                          "ServerHelper: expected a GPU of its own, below 4, for rank 1, found "
                          "GPU 2",
                          "twice");
    {
        RoceNetwork network(made.fabric);
        network.Start();
        const auto plan = MakeCollectivePlan(CollectiveKind::ALL_REDUCE, 5, 10);
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { helper.Connect(plan, network.network); }),
                              "ServerHelper: expected a GPU for each of 5 ranks, found 4",
                              "too many ranks");
    }
    {
        // GPU 1 of server 0 in another process of the simulation
        auto split = made;
        IndexedVector<NodeIndex, uint32_t> processes(made.fabric.GetNNodes());
        processes[NodeIndex(1)] = 1;
        split.fabric.SetProcesses(processes, 2);
        RoceNetwork network(split.fabric);
        const auto plan = MakeCollectivePlan(CollectiveKind::ALL_REDUCE, 4, 10);
        network.Start();
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { helper.Connect(plan, network.network); }),
                              "ServerHelper: expected the hosts of server 0 in one process of the "
                              "simulation, as FabricPlan::AssignProcesses() has them, found "
                              "processes 0 and 1",
                              "a server in two processes");
    }
    // The user's default and the helper's attribute come before the plan
    Config::SetDefault("ns3::aidc::ScaleUpEndpoint::Latency", StringValue("7ns"));
    ServersNetwork servers(made);
    servers.helper.SetAttribute("Rate", StringValue("8Gbps"));
    servers.Start(4);
    servers.Send(MicroSeconds(1), 0, 1, 1000);
    Simulator::Run();
    Config::Reset();
    NS_TEST_EXPECT_MSG_EQ(servers.arrived[1].at(0).time.GetNanoSeconds(), 2007, "ns");
}

AIDC_TEST_CASE("A rank is told if its messages cannot be sent, also by a relay")
{
    for (const bool isPxn : {false, true})
    {
        ServersNetwork servers(MakeServerFabric(GetTwoByTwo()));
        servers.helper.SetAttribute("Pxn", BooleanValue(isPxn));
        servers.Start(4);
        std::string failure;
        servers.endpoints[0]->SetFailureSink(
            MessageEndpoint::FailureSink([&failure](uint32_t peer, const std::string& cause) {
                // The parts of a message behind the first one are flushed
                failure += failure.empty() ? std::to_string(peer) + " " + cause : "";
                NS_ABORT_UNLESS(Simulator::GetContext() == 0);
            }));
        // The link of GPU 3
        servers.network.network.ScheduleFailure(LinkIndex(3), MicroSeconds(1), Seconds(100));
        servers.Send(MicroSeconds(10), 0, 3, 100000);
        RunFor(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(failure, "3 retry exceeded", "PXN " << isPxn);
        NS_TEST_EXPECT_MSG_EQ(servers.acknowledged[0].size(), 0, "not acknowledged");
    }
    ExpectRefusal("rank 4 has no way to rank 5", [] {
        const auto endpoint = CreateObject<ScaleUpEndpoint>();
        endpoint->SetRank(4, CreateObject<Node>());
        endpoint->Send(5, 1, 0, Callback<void>());
    });
}

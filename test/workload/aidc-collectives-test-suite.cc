// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "test/transport/roce-network.h"

#include "ns3/rank-application-helper.h"
#include "ns3/roce-helper.h"

// Tests of collectives over RoCEv2.

// Collectives over RoCEv2.
AIDC_TEST_SUITE("aidc-collectives", SYSTEM);

using Algorithm = CollectiveAlgorithm;

/// A network of ranks.
struct Network
{
    uint64_t gbps{100};   //!< the rate of hosts' links in Gb/s
    int64_t delay{1000};  //!< the delay of links in ns
    bool hasSpine{false}; //!< two leaves and a spine, whose links carry all hosts, not one switch
};

FabricPlan
MakePlan(const Network& network, uint32_t nHosts)
{
    const uint64_t rate = network.gbps * 1000000000;
    if (!network.hasSpine)
    {
        return MakeStar(nHosts, rate, network.delay);
    }
    LeafSpineSettings settings{2, 1, nHosts / 2};
    settings.hostRate = rate;
    settings.leafSpineRate = rate * nHosts / 2;
    settings.hostDelay = network.delay;
    settings.leafSpineDelay = network.delay;
    return MakeLeafSpine(settings);
}

struct LowerBound
{
    CollectiveSchedule schedule; //!< the collective
    Network network;             //!< the network
    uint32_t nSerial;            //!< messages that follow each other
    uint64_t bytes;              //!< bytes through each link
};

// A collective on an idle network takes the lower bound of its bytes, plus latency.
AIDC_TEST_CASE_P(LowerBoundTestCase,
                 LowerBound,
                 row,
                 std::string(GetCollectiveName(row.schedule.GetKind())) + " by " +
                     GetCollectiveAlgorithmName(row.schedule.GetAlgorithm()) + ", " +
                     std::to_string(row.schedule.GetNMembers()) + " ranks, " +
                     std::to_string(row.network.gbps) + " Gbps, " +
                     std::to_string(row.network.delay) + " ns, " +
                     (row.network.hasSpine ? "over a spine, " : "") +
                     std::to_string(row.schedule.GetNChunks()) + " chunks")
{
    const uint32_t n = row.schedule.GetNMembers();
    RoceNetwork network(MakePlan(row.network, n));
    network.Start();
    std::vector<uint32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    WorkloadPlan plan(n);
    plan.AddCollective("c",
                       row.schedule,
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(n));
    RankApplicationHelper helper(plan);
    const auto hosts = network.network.GetHosts();
    helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
    helper.StopWhenDone();
    RunFor(Seconds(1));
    const auto record = helper.GetCollectiveRecords().at(0);
    AIDC_ASSERT(record.isDone, "done");
    const double seconds = (record.finish - record.start).GetSeconds();
    // Of 4178 bytes on the wire, 4096 are payload; a message passes two links, or four, and is
    // stored in the switches; the last one is acknowledged. Not in the bound: acknowledgments
    // of what comes in, 86 bytes for 16 packets, go by the same link (0.13 %).
    const double bitTime = 1 / (1e9 * static_cast<double>(row.network.gbps));
    const auto getBound = [&](uint32_t nSerial, uint32_t nLinks, double stores) {
        const double latency = 1e-9 * static_cast<double>(nLinks * row.network.delay);
        const double goodput = 4096.0 / 4178;
        return 8 * static_cast<double>(row.bytes) / goodput * bitTime +
               nSerial * (latency + stores * 8 * 4178 * bitTime) + latency;
    };
    const double least = getBound(row.nSerial, 2, 1);
    // Between two hosts of a leaf there are two links; the spine's take 2 / n of the time each.
    // Behind a fold, a message without bytes tells the members that wait for it; in a tree, each
    // message but the first one waits for the acknowledgment of the one before.
    const Algorithm algorithm = row.schedule.GetAlgorithm();
    const bool isOfPairs =
        algorithm == Algorithm::HALVING_DOUBLING || algorithm == Algorithm::RECURSIVE_DOUBLING;
    const bool isFolded = isOfPairs && (n & (n - 1)) != 0;
    const uint32_t nSerial =
        row.nSerial + (isFolded                                ? 1
                       : algorithm == Algorithm::BINOMIAL_TREE ? row.nSerial - 1
                                                               : 0);
    const double most =
        row.network.hasSpine ? getBound(nSerial, 4, 1 + 4.0 / n) : getBound(nSerial, 2, 1);
    NS_TEST_EXPECT_MSG_GT(seconds, 0.9999 * least, "time over the lower bound");
    NS_TEST_EXPECT_MSG_LT(seconds, 1.02 * most, "time over the lower bound");
}

// Collectives of fewer bytes than ranks have messages without bytes.
AIDC_TEST_CASE("Collectives of fewer bytes than ranks come to their end")
{
    constexpr uint32_t N = 6;
    WorkloadPlan plan(N);
    RankGroup ranks =
        std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{5, 0, 4, 1, 3, 2});
    for (const uint64_t bytes : {0, 1, 5, 7})
    {
        for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                CollectiveKind::ALL_GATHER,
                                CollectiveKind::REDUCE_SCATTER,
                                CollectiveKind::ALL_TO_ALL,
                                CollectiveKind::BROADCAST})
        {
            for (const auto algorithm : GetCollectiveAlgorithms(kind))
            {
                if (algorithm == Algorithm::HALVING_DOUBLING && kind != CollectiveKind::ALL_REDUCE)
                {
                    continue; // needs a power of two
                }
                CollectiveScheduleSettings settings;
                settings.kind = kind;
                settings.algorithm = algorithm;
                settings.nMembers = N;
                settings.bytes = bytes;
                settings.nChunks = 2;
                settings.nPerServer = algorithm == Algorithm::HIERARCHICAL ? 2 : 1;
                plan.AddCollective("c",
                                   CollectiveSchedule(settings),
                                   ranks,
                                   std::vector<std::vector<uint32_t>>(N));
            }
        }
    }
    RoceNetwork network(N);
    network.Start();
    RankApplicationHelper helper(plan);
    const auto hosts = network.network.GetHosts();
    helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
    helper.StopWhenDone();
    RunFor(Seconds(1));
    AIDC_EXPECT(helper.IsDone(), "done");
}

AIDC_TEST_CASE("A queue pair that fails ends the run of its collective, and says why")
{
    constexpr uint32_t N = 4;
    const std::vector<uint32_t> ranks{0, 1, 2, 3};
    WorkloadPlan plan(N);
    plan.AddCollective("sum",
                       {CollectiveKind::ALL_REDUCE, Algorithm::RING, N, 8000000},
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(N));
    for (const bool isPrinted : {false, true})
    {
        RoceNetwork network(N);
        network.Start();
        RankApplicationHelper helper(plan);
        const auto hosts = network.network.GetHosts();
        helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
        std::string why;
        helper.StopWhenDone(isPrinted ? RankApplicationHelper::StuckCallback()
                                      : [&why](const std::string& text) { why = text; });
        Simulator::Schedule(MicroSeconds(300), [&network] {
            network.network.FailLink(LinkIndex(2)); // of host 2
        });
        const CapturedStream captured(std::cerr);
        Simulator::Run(); // without Stop()
        const std::string text = isPrinted ? captured.GetText() : why;
        // Rank 1 sends to rank 2, and rank 2 to rank 3
        const bool namesRanks =
            text.find("rank 1 cannot send to rank 2: retry exceeded at +") != std::string::npos ||
            text.find("rank 2 cannot send to rank 3: retry exceeded at +") != std::string::npos;
        AIDC_EXPECT(namesRanks, text);
        NS_TEST_EXPECT_MSG_NE(text.find("; unfinished: rank 0, operation 0 (sum: all-reduce of "
                                        "8000000 bytes), rank 1, operation 0 (sum: "),
                              std::string::npos,
                              text);
        const bool hasPrefix = text.substr(0, 29) == "aidc: the simulation stops at";
        NS_TEST_EXPECT_MSG_EQ(hasPrefix, isPrinted, "who is told");
        AIDC_EXPECT(!helper.IsDone(), "not done");
        NS_TEST_EXPECT_MSG_EQ(helper.GetUnfinished().size(), N, "all ranks wait");
        NS_TEST_EXPECT_MSG_EQ(helper.GetRankRecords()[0].failure, "", "rank 0 has not failed");
        NS_TEST_EXPECT_MSG_LT(helper.GetShareDone(), 1, "share");
    }
}

/// bytes: the bytes that go through each host's link.
void
Add(const CollectiveSchedule& schedule, const Network& network, uint32_t nSerial, uint64_t bytes)
{
    AddTestCase(new LowerBoundTestCase({schedule, network, nSerial, bytes}));
}

/// Add collectives of all algorithms.
///
/// The bounds are the bytes that go through a member's link one after another. With p, the largest
/// power of two up to n, a fold takes S before the pairs exchange data, and S behind; and a message
/// without bytes tells the members that wait for it.
void
AddAll(uint32_t n, uint64_t bytes, const Network& network)
{
    using Kind = CollectiveKind;
    uint32_t log2 = 0;
    for (; 2U << log2 <= n; ++log2)
    {
    }
    const uint32_t p = 1U << log2;
    const uint32_t nFolds = p < n ? 2 : 0;
    const uint32_t depth = log2 + (p < n ? 1 : 0);
    const uint64_t blocks = bytes * (n - 1) / n;
    Add({Kind::ALL_REDUCE, Algorithm::RING, n, bytes}, network, 2 * (n - 1), 2 * blocks);
    Add({Kind::ALL_GATHER, Algorithm::RING, n, bytes}, network, n - 1, blocks);
    Add({Kind::REDUCE_SCATTER, Algorithm::RING, n, bytes}, network, n - 1, blocks);
    Add({Kind::ALL_TO_ALL, Algorithm::PAIRWISE, n, bytes}, network, n - 1, blocks);
    Add({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, n, bytes},
        network,
        nFolds + 2 * log2,
        nFolds * bytes + 2 * (bytes * (p - 1) / p));
    Add({Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING, n, bytes},
        network,
        nFolds + log2,
        (nFolds + log2) * bytes);
    Add({Kind::BROADCAST, Algorithm::BINOMIAL_TREE, n, bytes}, network, depth, depth * bytes);
    Add({Kind::BROADCAST, Algorithm::CHAIN, n, bytes, 16},
        network,
        n - 1,
        bytes / 16 * (16 + n - 2));
}

AIDC_ADD_TEST_CASES()
{
    using Kind = CollectiveKind;
    constexpr uint64_t S = 16000000;
    for (const uint64_t gbps : {100, 400})
    {
        const Network network{gbps};
        Add({Kind::ALL_REDUCE, Algorithm::RING, 8, S}, network, 14, 2 * S / 8 * 7);
        // With chunks, the latency of the last step only
        Add({Kind::ALL_REDUCE, Algorithm::RING, 8, S, 4}, network, 1, 2 * S / 8 * 7);
    }
    Add({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 8, S}, {}, 6, 2 * S / 8 * 7);
    Add({Kind::ALL_GATHER, Algorithm::RING, 8, S}, {}, 7, S / 8 * 7);
    Add({Kind::REDUCE_SCATTER, Algorithm::RING, 8, S}, {}, 7, S / 8 * 7);
    Add({Kind::ALL_TO_ALL, Algorithm::PAIRWISE, 8, S}, {}, 7, S / 8 * 7);
    // Servers of two, all of whose messages go by the same links: S / 2 twice, and 6 times S /
    // 8
    CollectiveScheduleSettings servers;
    servers.algorithm = Algorithm::HIERARCHICAL;
    servers.nMembers = 8;
    servers.nPerServer = 2;
    servers.bytes = S;
    Add(CollectiveSchedule(servers), {}, 8, 2 * S / 8 * 7);
    Add({Kind::ALL_TO_ALL, Algorithm::DIRECT, 8, S}, {}, 1, S / 8 * 7);
    Add({Kind::BROADCAST, Algorithm::CHAIN, 8, S, 64}, {}, 7, S / 64 * (64 + 6));
    for (const uint32_t n : {3, 5, 6, 7, 12})
    {
        AddAll(n, 8000000, {});
    }
    AddAll(6, 8000000, {100, 1000, true});
    AddAll(12, 8000000, {100, 1000, true});
    AddAll(6, 8000000, {400, 20000}); // a round trip of 4 MB
}

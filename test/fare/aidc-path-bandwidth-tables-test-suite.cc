// SPDX-License-Identifier: GPL-2.0-only

#include "test/routing/router-bench.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-path-bandwidth-tables", UNIT);

/// Another network of the tests.
const Ipv4Address OTHER("10.8.0.0");
/// And one more.
const Ipv4Address THIRD("10.7.0.0");

/// A router with a PathBandwidthRouting, with attributes of its tables.
class TableBench
{
  public:
    TableBench(uint32_t nPorts,
               const std::vector<std::pair<std::string, std::string>>& attributes,
               const std::string& selector = "")
    {
        const std::string prefix = "ns3::aidc::PathBandwidthRouting::";
        Config::SetDefault(prefix + "Granularity", StringValue("Packet"));
        for (const auto& [name, value] : attributes)
        {
            Config::SetDefault(prefix + name, StringValue(value));
        }
        m_bench = std::make_unique<RouterBench>(
            nPorts,
            MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting", selector));
        Config::Reset();
        m_bench->Start();
    }

    /// Add a route over the first ports.
    void Add(Ipv4Address network, const std::vector<double>& weights)
    {
        GetRouting().AddRoute(network, MASK16, MakeNextHops(weights));
    }

    /// Make next hops over the first ports.
    std::vector<NextHop> MakeNextHops(const std::vector<double>& weights) const
    {
        auto nextHops = m_bench->GetAllPorts();
        nextHops.resize(weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            nextHops[i].weight = weights[i];
        }
        return nextHops;
    }

    /// Count where packets go, each of a new flow: some selectors keep known ones. Returns packets
    /// by port.
    std::vector<uint32_t> Count(Ipv4Address network, uint32_t n)
    {
        std::vector<uint32_t> counts(m_bench->input - 1);
        for (uint32_t i = 0; i < n; ++i)
        {
            const uint32_t flow = m_nFlows++;
            auto header = RouterBench::MakeHeader(flow);
            header.SetDestination(Ipv4Address(network.Get() + 1));
            m_bench->Ask(header, RouterBench::MakePayload(flow));
            ++counts.at(m_bench->outInterface - 1);
        }
        return counts;
    }

    /// Find the only port that packets take. Returns the port, 0 if there are several.
    uint32_t GetOnlyPort(Ipv4Address network)
    {
        const auto counts = Count(network, 200);
        const auto place = std::find(counts.begin(), counts.end(), 200U);
        return place == counts.end() ? 0 : static_cast<uint32_t>(place - counts.begin() + 1);
    }

    MultipathRouting& GetRouting() const
    {
        return *m_bench->routing;
    }

    Ipv4& GetIpv4() const
    {
        return *m_bench->ipv4;
    }

  private:
    std::unique_ptr<RouterBench> m_bench; //!< the router
    uint32_t m_nFlows{0};                 //!< flows so far
    SimulationEnd m_end;                  //!< of this network
};

// Weights become numbers of entries, and packets in turn take each entry once. Expected results:
// tables of 16 and 32 entries for 125:250:500:1000:1000 are as in the tests of ReduceWeights(),
// FRR's percents as on a router. 12.5 % and 87.5 % are 12 and 87 percent, and 4:29 by their
// greatest common divisor.
AIDC_TEST_CASE("weights are reduced to entries of tables, and scaled before as in FRR")
{
    const std::vector<double> doubling{125, 250, 500, 1000, 1000};
    const auto expect = [this](const std::vector<std::pair<std::string, std::string>>& attributes,
                               const std::vector<double>& weights,
                               const std::vector<uint32_t>& entries,
                               const std::string& what) {
        TableBench bench(static_cast<uint32_t>(weights.size()), attributes);
        bench.Add(NETWORK, weights);
        uint32_t n = 0;
        for (const uint32_t of : entries)
        {
            n += of;
        }
        AIDC_EXPECT(bench.Count(NETWORK, n) == entries, what);
    };
    expect({{"MaxEntries", "16"}}, doubling, {1, 1, 3, 6, 5}, "16 entries");
    expect({{"MaxEntries", "32"}}, doubling, {1, 2, 4, 8, 8}, "32 entries");
    expect({{"MaxEntries", "1000"}, {"MaxOversubscription", "1.1"}},
           {7, 5, 3},
           {3, 2, 1},
           "oversubscription");
    expect({{"WeightScale", "Percent"}}, {0.7e9, 0.2e9, 0.1e9}, {70, 20, 10}, "percents");
    expect({{"WeightScale", "Byte"}}, {1, 2, 4, 8}, {31, 63, 127, 255}, "bytes");
    expect({{"WeightScale", "Percent"}, {"MaxEntries", "64"}}, {1, 7}, {4, 29}, "both");
    expect({}, {0.5, 1.5}, {1, 3}, "neither");
}

// Routes whose weights are the same in the table share it, and weights change in place. Expected
// results: 12.5:25 GB/s and 1:2 are the same in a table, and differ otherwise. 1:2 that becomes 2:4
// is no change, so that a packet sprayed in turn goes on.
AIDC_TEST_CASE("routes share tables of the same entries")
{
    for (const bool isReduced : {false, true})
    {
        TableBench bench(2, {{"MaxEntries", isReduced ? "16" : "0"}});
        const auto nOthers = bench.GetRouting().GetNGroups(); // the loopback interface's group
        const auto getN = [&bench, nOthers] { return bench.GetRouting().GetNGroups() - nOthers; };
        bench.Add(NETWORK, {12.5e9, 25e9});
        bench.Add(OTHER, {1, 2});
        NS_TEST_EXPECT_MSG_EQ(getN(), (isReduced ? 1 : 2), "groups");
        bench.GetRouting().UpdateRoutes({{OTHER, MASK16, bench.MakeNextHops({2, 4})}});
        NS_TEST_EXPECT_MSG_EQ(getN(), (isReduced ? 1 : 2), "doubled");
        AIDC_EXPECT((bench.Count(OTHER, 30) == std::vector<uint32_t>{10, 20}), "shares");
        // Each of two routes that share a table has its own weights; both have, in place.
        bench.GetRouting().UpdateRoutes({{OTHER, MASK16, bench.MakeNextHops({1, 1})}});
        NS_TEST_EXPECT_MSG_EQ(getN(), 2, "they part");
        AIDC_EXPECT((bench.Count(NETWORK, 30) == std::vector<uint32_t>{10, 20}),
                    "the one that stays");
        AIDC_EXPECT((bench.Count(OTHER, 30) == std::vector<uint32_t>{15, 15}),
                    "the one that changes");
        NS_TEST_EXPECT_MSG_EQ(bench.GetRouting().GetNHeldGroups(), 0, "held");
    }
}

// Where groups are few, the others use a next hop each, in turn, until there is room.
AIDC_TEST_CASES(std::string,
                selector,
                "groups beyond MaxGroups use a next hop each until there is room: " +
                    (selector.empty() ? "default" : selector),
                ({"",
                  "ns3::aidc::HashSelector",
                  "ns3::aidc::WeightedSelector",
                  "ns3::aidc::FlowletSelector",
                  "ns3::aidc::FlowSetSelector"}))
{
    TableBench bench(3, {{"MaxGroups", "1"}, {"MaxEntries", "16"}}, selector);
    auto& routing = bench.GetRouting();
    {
        CapturedStream errors(std::cerr);
        bench.Add(NETWORK, {1, 1, 1});
        bench.Add(Ipv4Address("10.6.0.0"), {1}); // needs no table
        bench.Add(Ipv4Address("10.5.0.0"), {0, 0, 3});
        NS_TEST_EXPECT_MSG_EQ(routing.GetNHeldGroups(), 0, "there is room");
        NS_TEST_EXPECT_MSG_EQ(errors.GetText(), "", "no warning");
        bench.Add(OTHER, {1, 2, 0});
        bench.Add(THIRD, {1, 3, 0});
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("MaxGroups = 1"), 1, "a warning, once");
    }
    NS_TEST_EXPECT_MSG_EQ(routing.GetNHeldGroups(), 2, "two are held");
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(NETWORK), 0, "the first has its table");
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(OTHER), 1, "the second has a next hop");
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(THIRD), 2, "the third has another one");
    bench.GetIpv4().SetDown(1);
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(OTHER), 2, "its next hop is down");
    bench.GetIpv4().SetUp(1);
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(OTHER), 1, "and is back");

    // The same entries as a group that has a table: they share it.
    routing.SetWeights(THIRD, MASK16, {5, 5, 5});
    NS_TEST_EXPECT_MSG_EQ(routing.GetNHeldGroups(), 1, "one is held");
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(THIRD), 0, "the third shares a table");
    // Both have to leave the table before there is room.
    routing.RemoveRoute(THIRD, MASK16);
    NS_TEST_EXPECT_MSG_EQ(bench.GetOnlyPort(OTHER), 1, "there is no room yet");
    routing.RemoveRoute(NETWORK, MASK16);
    NS_TEST_EXPECT_MSG_EQ(routing.GetNHeldGroups(), 0, "there is room");
    const auto counts = bench.Count(OTHER, 3000);
    NS_TEST_EXPECT_MSG_GT(counts[0], 0, "shares");
    NS_TEST_EXPECT_MSG_GT(counts[1], 0, "shares");
    NS_TEST_EXPECT_MSG_EQ(counts[2], 0, "no weight");
    if (selector.empty())
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(counts[0], 1000, 1, "in turn");
    }
}

// A table that cannot hold a group ends the program, and attributes have ranges.
AIDC_TEST_CASE("more next hops than entries, and settings out of range, are refused")
{
    const auto ending = RunInChild([] {
        TableBench bench(3, {{"MaxEntries", "2"}});
        bench.Add(NETWORK, {1, 1, 1});
    });
    AIDC_EXPECT(ending.Says("expected at most 2 next hops"), ending.errors);
    AIDC_EXPECT(ending.Says("found 3"), ending.errors);
    ExpectRefusal("expected MaxEntries above 0",
                  [] { const TableBench bench(2, {{"MaxOversubscription", "1.1"}}); });
    const std::string prefix = "ns3::aidc::PathBandwidthRouting::";
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"MaxOversubscription", "0.99"},
                                                          {"MaxEntries", "65537"}})
    {
        AIDC_EXPECT(!Config::SetDefaultFailSafe(prefix + name, StringValue(value)), name);
    }
    // Some releases of ns-3 end the program as soon as they read an unknown name.
    const auto unknown =
        RunInChild([&] { Config::SetDefault(prefix + "WeightScale", StringValue("Promille")); });
    AIDC_EXPECT(unknown.Aborts("value"), unknown.errors);
}

// Routes of a fabric with one group a switch, one of whose links fails. Expected results: 4 leaves
// have a link to each of 4 spines, and leaf 0 loses one. It then reaches all others by its 3 links,
// which is one group in place of another one. Leaf 1 reaches leaf 0 by 3 links, and others by 4:
// one of these groups is held. When the link is back, no group is held.
AIDC_TEST_CASE("leaves with one group hold another one while a link is down")
{
    CapturedStream errors(std::cerr);
    Config::SetDefault("ns3::aidc::PathBandwidthRouting::MaxGroups", UintegerValue(1));
    const FabricPlan plan = MakeLeafSpine({4, 4, 1});
    FabricHelper network;
    network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
    network.SetSwitchRoutes(FabricHelper::PATH_BANDWIDTHS);
    network.Build(plan);
    network.AssignAddresses();
    Config::Reset();
    const auto expect = [&](std::size_t ofOther, const char* when) {
        for (std::size_t i = 0; i < plan.GetLeaves().size(); ++i)
        {
            const auto node = network.GetNode(plan.GetLeaves()[i]);
            NS_TEST_EXPECT_MSG_EQ(MultipathRoutingHelper::GetRouting(node)->GetNHeldGroups(),
                                  (i == 0 ? 0 : ofOther),
                                  "leaf " << i << ", " << when);
        }
    };
    expect(0, "intact");
    const LinkIndex lost = plan.GetPorts(plan.GetLeaves()[0])[PortIndex(1)].link;
    network.ScheduleFailure(lost, Seconds(1), Seconds(2));
    RunFor(Seconds(1.5));
    expect(1, "one is down");
    RunFor(Seconds(1));
    expect(0, "it is back");
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("MaxGroups = 1"), 1, "a warning, once");
    Simulator::Destroy();
}

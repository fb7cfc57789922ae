// SPDX-License-Identifier: GPL-2.0-only

#include "test/routing/router-bench.h"
#include "test/test-case.h"

#include "ns3/next-hop-selector.h"
#include "ns3/path-bandwidth-routing.h"

AIDC_TEST_SUITE("aidc-path-bandwidth-routing", UNIT);

/// Weights of the tests, in bytes a second: 100 and 200 Gbit/s, none, 400 Gbit/s, 40 Mbit/s.
const std::vector<double> WEIGHTS{12.5e9, 25e9, 0, 50e9, 5e6};

/// Make a router with a PathBandwidthRouting and a route over all ports.
std::unique_ptr<RouterBench>
MakeWeightedRouter(const std::string& granularity, const std::vector<double>& weights)
{
    Config::SetDefault("ns3::aidc::PathBandwidthRouting::Granularity", StringValue(granularity));
    auto bench =
        std::make_unique<RouterBench>(static_cast<uint32_t>(weights.size()),
                                      MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
    Config::Reset();
    bench->Start();
    auto nextHops = bench->GetAllPorts();
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        nextHops[i].weight = weights[i];
    }
    bench->routing->AddRoute(NETWORK, MASK16, nextHops);
    return bench;
}

std::vector<double>
GetShares(const std::vector<double>& weights)
{
    double sum = 0;
    for (const double weight : weights)
    {
        sum += weight;
    }
    std::vector<double> shares;
    for (const double weight : weights)
    {
        shares.push_back(weight / sum);
    }
    return shares;
}

// Flows have shares by weights. Expected results: of 100,000 flows, weight w of a sum W gets a
// share of w/W. One of 4,096 buckets is 0.00024; beside it, the count is binomial with a standard
// deviation of at most 0.0016: 5 of them and a bucket are 0.0082.
AIDC_TEST_CASE("flows have shares by path bandwidth, and stay where they are")
{
    auto bench = MakeWeightedRouter("Flow", WEIGHTS);
    NS_TEST_EXPECT_MSG_NE(DynamicCast<WeightedSelector>(bench->routing->GetSelector()),
                          nullptr,
                          "selector");
    constexpr uint32_t nFlows = 100000;
    std::vector<uint32_t> counts(WEIGHTS.size());
    for (uint32_t flow = 0; flow < nFlows; ++flow)
    {
        ++counts.at(bench->GetPort(flow) - 1);
    }
    const auto shares = GetShares(WEIGHTS);
    for (std::size_t i = 0; i < WEIGHTS.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(counts[i] / static_cast<double>(nFlows),
                                  shares[i],
                                  0.0082,
                                  "next hop " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(counts[2], 0, "a path without bandwidth");
    NS_TEST_EXPECT_MSG_EQ(bench->GetPort(5), bench->GetPort(5), "a flow");
}

// Packets have shares by weights, within counting error at each time. Expected results: the credit
// of a next hop is its share of n packets less what it has got. The largest of them is reduced by 1
// a packet, when their sum is 1; so all are above -1, and with 4 next hops in use none exceeds 3.
// After the 8 packets to which weights 1, 2 and 5 sum up, counts are exact.
AIDC_TEST_CASE("packets of one flow have shares by path bandwidth, in turn")
{
    auto bench = MakeWeightedRouter("Packet", WEIGHTS);
    NS_TEST_EXPECT_MSG_NE(DynamicCast<SpraySelector>(bench->routing->GetSelector()),
                          nullptr,
                          "selector");
    std::vector<uint32_t> counts(WEIGHTS.size());
    const auto shares = GetShares(WEIGHTS);
    for (uint32_t n = 1; n <= 50000; ++n)
    {
        ++counts.at(bench->GetPort(7) - 1);
        for (std::size_t i = 0; i < WEIGHTS.size(); ++i)
        {
            const double credit = n * shares[i] - counts[i];
            NS_TEST_ASSERT_MSG_GT(credit, -1 - 1e-6, "next hop " << i << " of " << n);
            NS_TEST_ASSERT_MSG_LT(credit, 3, "next hop " << i << " of " << n);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(counts[2], 0, "a path without bandwidth");
    Simulator::Destroy();

    bench = MakeWeightedRouter("Packet", {1, 2, 5});
    for (int period = 0; period < 1000; ++period)
    {
        std::vector<uint32_t> ofPeriod(3);
        for (int i = 0; i < 8; ++i)
        {
            ++ofPeriod.at(bench->GetPort(7) - 1);
        }
        AIDC_ASSERT((ofPeriod == std::vector<uint32_t>{1, 2, 5}), "a period");
    }
}

/// Count the packets of each port. n: how many packets.
std::vector<uint32_t>
Count(RouterBench& bench, uint32_t n)
{
    std::vector<uint32_t> counts(3);
    for (uint32_t i = 0; i < n; ++i)
    {
        ++counts.at(bench.GetPort(7) - 1);
    }
    return counts;
}

// Expected results: weights that change after each packet, from 1 and 3 to 3 and 1, are 1/2 each on
// average: credits do not start anew. Who comes back gets its share, not what it has missed.
AIDC_TEST_CASE("shares of packets follow weights that change and next hops that fail")
{
    auto bench = MakeWeightedRouter("Packet", {1, 3, 0});
    std::vector<uint32_t> counts(3);
    for (int i = 0; i < 1000; ++i)
    {
        for (const auto& weights : {std::vector<double>{1, 3, 0}, {3, 1, 0}})
        {
            bench->routing->SetWeights(NETWORK, MASK16, weights);
            ++counts.at(bench->GetPort(7) - 1);
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(counts[0], 1000, 1, "weights that take turns");
    NS_TEST_EXPECT_MSG_EQ_TOL(counts[1], 1000, 1, "weights that take turns");

    bench->routing->SetWeights(NETWORK, MASK16, {1, 1, 2});
    bench->ipv4->SetDown(3);
    AIDC_EXPECT((Count(*bench, 1000) == std::vector<uint32_t>{500, 500, 0}), "one is down");
    bench->ipv4->SetUp(3);
    const auto after = Count(*bench, 1000);
    for (std::size_t i = 0; i < after.size(); ++i)
    {
        const double expected = i < 2 ? 250 : 500;
        NS_TEST_EXPECT_MSG_EQ_TOL(after[i], expected, 2, "it is back, port " << i);
    }
}

// Expected results: chi-square of 3 degrees of freedom exceeds 21.1 with a probability of 1e-4.
AIDC_TEST_CASE("packets at random have shares by weights")
{
    const std::vector<double> weights{1, 0, 2, 5, 0.5};
    auto bench = MakeWeightedRouter("Packet", weights);
    const auto selector = bench->routing->GetSelector();
    selector->SetAttribute("Mode", EnumValue(SpraySelector::RANDOM));
    bench->routing->AssignStreams(1);
    std::vector<double> counts(weights.size());
    constexpr uint32_t n = 20000;
    for (uint32_t i = 0; i < n; ++i)
    {
        ++counts.at(bench->GetPort(7) - 1);
    }
    const auto shares = GetShares(weights);
    double chiSquare = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        const double expected = n * shares[i];
        chiSquare += expected > 0 ? std::pow(counts[i] - expected, 2) / expected : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(counts[1], 0, "weight 0");
    NS_TEST_EXPECT_MSG_LT(chiSquare, 21.1, "shares");
}

// Another selector may be set.
AIDC_TEST_CASE("a selector that is set is kept")
{
    const RouterBench bench(
        2,
        MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting", "ns3::aidc::FlowletSelector"));
    NS_TEST_EXPECT_MSG_EQ(bench.routing->GetSelector()->GetInstanceTypeId().GetName(),
                          "ns3::aidc::FlowletSelector",
                          "selector");
}

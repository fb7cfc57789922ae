// SPDX-License-Identifier: GPL-2.0-only

#include "router-bench.h"
#include "test/core/chi-square.h"
#include "test/test-case.h"

// What chooses among next hops.
AIDC_TEST_SUITE("aidc-next-hop-selector", UNIT);

// A next hop of weight 0 is not used, whatever the selector; SetWeights changes weights.
AIDC_TEST_CASES(std::string,
                selector,
                "a next hop of weight 0 gets nothing until SetWeights gives it some: " + selector,
                ({"ns3::aidc::HashSelector",
                  "ns3::aidc::WeightedSelector",
                  "ns3::aidc::FlowletSelector",
                  "ns3::aidc::FlowSetSelector",
                  "ns3::aidc::SpraySelector"}))
{
    auto bench = MakeRouter(3, selector);
    auto& routing = *bench->routing;
    uint32_t next = 0; // new flows each time: some selectors keep known ones where they are
    const auto expect = [&](const std::set<uint32_t>& ports, const char* what) {
        std::set<uint32_t> found;
        for (const uint32_t end = next + 200; next < end; ++next)
        {
            found.insert(bench->GetPort(next));
        }
        AIDC_EXPECT(found == ports, what);
    };
    expect({1, 2, 3}, "all");
    AIDC_EXPECT(routing.SetWeights(NETWORK, MASK16, {1, 0, 1}), "set");
    expect({1, 3}, "without the second");
    routing.SetWeights(NETWORK, MASK16, {0, 1, 0});
    expect({2}, "the second only");
    routing.SetWeights(NETWORK, MASK16, {0, 0, 0});
    expect({0}, "none");
    routing.SetWeights(NETWORK, MASK16, {1, 1, 1});
    expect({1, 2, 3}, "all again");
    AIDC_EXPECT(!routing.SetWeights(NETWORK, MASK16, {1, 1}), "too few");
    AIDC_EXPECT(!routing.SetWeights(NETWORK, Ipv4Mask("/17"), {1, 1, 1}), "no such route");
    routing.AddRoute(NETWORK, MASK16, {NextHop(1, Ipv4Address::GetAny(), 0), NextHop(3)});
    expect({3}, "weight 0 from the start");
    Simulator::Destroy();
}

// Expected results: weights 1, 2, 5 are shares of 1/8, 1/4 and 5/8; weights 1, 2, 1 are 1/4, 1/2
// and 1/4. So 3/8 of the flows leave the third next hop, and no other moves. The standard deviation
// of a share of 100,000 flows is at most 0.16 %, the tolerance 1 %.
AIDC_TEST_CASE("WeightedSelector has shares within 1 %, and moves only the difference")
{
    constexpr uint32_t nFlows = 100000;
    auto bench = MakeRouter(3, "ns3::aidc::WeightedSelector");
    const auto measure = [&bench] {
        std::vector<uint32_t> ports(nFlows);
        for (uint32_t flow = 0; flow < nFlows; ++flow)
        {
            ports[flow] = bench->GetPort(flow);
        }
        return ports;
    };
    const auto share = [](const std::vector<uint32_t>& ports, uint32_t port) {
        return static_cast<double>(std::count(ports.begin(), ports.end(), port)) / nFlows;
    };
    bench->routing->SetWeights(NETWORK, MASK16, {1, 2, 5});
    const auto before = measure();
    NS_TEST_EXPECT_MSG_EQ_TOL(share(before, 1), 0.125, 0.01, "weight 1 of 8");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(before, 2), 0.25, 0.01, "weight 2 of 8");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(before, 3), 0.625, 0.01, "weight 5 of 8");
    bench->routing->SetWeights(NETWORK, MASK16, {1, 2, 1});
    const auto after = measure();
    uint32_t nMoved = 0;
    uint32_t nNeedless = 0;
    for (uint32_t flow = 0; flow < nFlows; ++flow)
    {
        nMoved += before[flow] != after[flow] ? 1 : 0;
        nNeedless += before[flow] != after[flow] && before[flow] != 3 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(nNeedless, 0, "flows of next hops that lose nothing");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(nMoved) / nFlows, 0.375, 0.01, "moved");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(after, 2), 0.5, 0.01, "weight 2 of 4");

    // A failure moves the flows of the failed one only, and its return brings them back there.
    bench->ipv4->SetDown(2);
    const auto failed = measure();
    uint32_t nOthers = 0;
    for (uint32_t flow = 0; flow < nFlows; ++flow)
    {
        nOthers += after[flow] != 2 && failed[flow] != after[flow] ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(nOthers, 0, "flows of next hops that have not failed");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(failed, 1), 0.5, 0.01, "weight 1 of 2");
    Simulator::Destroy();
}

/// Count the changes of the port of one flow. silence: between its packets.
uint32_t
CountChanges(Time silence)
{
    auto bench = MakeRouter(2, "ns3::aidc::FlowletSelector");
    bench->routing->GetSelector()->SetAttribute("Gap", TimeValue(MicroSeconds(100)));
    bench->routing->AssignStreams(1);
    std::vector<uint32_t> ports;
    for (int64_t i = 0; i < 200; ++i)
    {
        Simulator::Schedule(i * silence, [&bench, &ports] { ports.push_back(bench->GetPort(7)); });
    }
    Simulator::Run();
    uint32_t nChanges = 0;
    for (std::size_t i = 1; i < ports.size(); ++i)
    {
        nChanges += ports[i] != ports[i - 1] ? 1 : 0;
    }
    Simulator::Destroy();
    return nChanges;
}

// Expected results: of 200 packets, 199 follow a silence. Silences of the gap itself, 100 us,
// change nothing. After silences of 1 ns more, each packet chooses one of 2 next hops at random:
// 99.5 changes are expected, with a standard deviation of 7; from 60 to 140 are accepted.
AIDC_TEST_CASE("FlowletSelector changes the next hop only after a silence longer than the gap")
{
    NS_TEST_EXPECT_MSG_EQ(CountChanges(MicroSeconds(100)), 0, "the gap itself");
    const uint32_t nChanges = CountChanges(NanoSeconds(100001));
    NS_TEST_EXPECT_MSG_GT(nChanges, 60, "longer than the gap");
    NS_TEST_EXPECT_MSG_LT(nChanges, 140, "longer than the gap");
}

std::vector<uint32_t>
Spray(const std::string& mode)
{
    auto bench = MakeRouter(3, "ns3::aidc::SpraySelector");
    bench->routing->GetSelector()->SetAttribute("Mode", StringValue(mode));
    bench->routing->AssignStreams(1);
    std::vector<uint32_t> ports;
    for (uint32_t i = 0; i < 3000; ++i)
    {
        ports.push_back(bench->GetPort(7));
    }
    Simulator::Destroy();
    return ports;
}

// Packets of one flow sprayed over 3 next hops. Expected results: in turn, 3,000 packets are 1,000
// each, and 3 that follow each other go different ways. At random, chi-square of 2 degrees of
// freedom exceeds 18.4 with a probability of exp(-18.4 / 2) = 1e-4, and a packet goes the way of
// the one before with a probability of 1/3: 1,000 of 2,999, with a standard deviation of 26.
AIDC_TEST_CASE("SpraySelector sends each packet over a random next hop, or the next in turn")
{
    const auto inTurn = Spray("RoundRobin");
    const auto atRandom = Spray("Random");
    std::vector<double> counts(3);
    uint32_t nRepeated = 0;
    for (std::size_t i = 0; i < atRandom.size(); ++i)
    {
        ++counts[atRandom[i] - 1];
        nRepeated += i > 0 && atRandom[i] == atRandom[i - 1] ? 1 : 0;
        AIDC_EXPECT(i < 1 || inTurn[i] != inTurn[i - 1], "in turn, " << i);
        AIDC_EXPECT(i < 2 || inTurn[i] != inTurn[i - 2], "in turn, " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(std::count(inTurn.begin(), inTurn.end(), 1), 1000, "in turn");
    NS_TEST_EXPECT_MSG_EQ(std::count(inTurn.begin(), inTurn.end(), 2), 1000, "in turn");
    NS_TEST_EXPECT_MSG_LT(ComputeChiSquare(counts), 18.4, "at random");
    NS_TEST_EXPECT_MSG_EQ_TOL(nRepeated, 1000.0, 130.0, "at random: repeated");
}

/// Get the ports of 200 flows.
std::vector<uint32_t>
Choose(const std::string& selector, int64_t stream)
{
    auto bench = MakeRouter(4, selector, 1); // the hash does not depend on the node
    NS_TEST_EXPECT_MSG_EQ(MultipathRoutingHelper::AssignStreams(NodeContainer(bench->node), stream),
                          1,
                          "streams used");
    std::vector<uint32_t> ports;
    for (uint32_t flow = 0; flow < 200; ++flow)
    {
        ports.push_back(bench->GetPort(flow));
    }
    Simulator::Destroy();
    return ports;
}

// Random choices come from the streams that are assigned.
AIDC_TEST_CASES(
    std::string,
    selector,
    "the same streams give the same choices, other streams others: " + selector,
    ({"ns3::aidc::FlowletSelector", "ns3::aidc::FlowSetSelector", "ns3::aidc::SpraySelector"}))
{
    const auto first = Choose(selector, 5);
    AIDC_EXPECT(Choose(selector, 5) == first, "the same stream");
    AIDC_EXPECT(!(Choose(selector, 6) == first), "another stream");
}

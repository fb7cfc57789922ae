// SPDX-License-Identifier: GPL-2.0-only

#include "parse-text.h"
#include "test/test-case.h"

#include "ns3/flow-generators.h"

// Tests of incasts and permutations.

// Flows of many hosts to one, and of each host to another one.
AIDC_TEST_SUITE("aidc-flow-generators", UNIT);

/// Returns their ids, from 20 on.
std::vector<NodeIndex>
MakeHosts(uint32_t n)
{
    std::vector<NodeIndex> hosts;
    for (uint32_t i = 0; i < n; ++i)
    {
        hosts.emplace_back(20 + i);
    }
    return hosts;
}

/// Returns a line each: source, destination, bytes, start in ns.
std::string
Print(const std::vector<FlowSpec>& flows)
{
    std::ostringstream text;
    for (const auto& flow : flows)
    {
        text << flow.source << " " << flow.destination << " " << flow.bytes << " "
             << flow.start.GetNanoSeconds() << "\n";
    }
    return text.str();
}

/// Check incasts at equal intervals.
void
CheckPeriodic()
{
    const auto hosts = MakeHosts(10);
    IncastFlowGenerator generator(hosts, FlowSizeDistribution::MakeFixed(64000));
    NS_TEST_EXPECT_MSG_EQ(generator.AssignStreams(40), 4, "streams");
    generator.SetSenders(4);
    generator.SetReceiver(NodeIndex(23));
    generator.SetInterval(MicroSeconds(100));
    generator.SetStart(Seconds(1));
    generator.SetDuration(MicroSeconds(500));
    const auto flows = generator.Generate();
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 20, "5 incasts of 4 flows");
    for (std::size_t i = 0; i < 20; i += 4)
    {
        std::set<NodeIndex> senders;
        for (std::size_t k = i; k < i + 4; ++k)
        {
            senders.insert(flows[k].source);
            NS_TEST_EXPECT_MSG_EQ(flows[k].destination, NodeIndex(23), "receiver");
            NS_TEST_EXPECT_MSG_EQ(flows[k].bytes, 64000, "size");
            NS_TEST_EXPECT_MSG_EQ(flows[k].start,
                                  Seconds(1) + MicroSeconds(25 * static_cast<int64_t>(i)),
                                  "start");
        }
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 4, "different senders");
        NS_TEST_EXPECT_MSG_EQ(senders.count(NodeIndex(23)), 0, "others than the receiver");
    }
    IncastFlowGenerator all(hosts, FlowSizeDistribution::MakeFixed(1));
    all.SetDuration(NanoSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(all.Generate().size(), 9, "all others, once");
}

/// Check the counts of incasts that are a Poisson process. Bounds are 5 standard deviations.
void
CheckPoisson()
{
    const auto hosts = MakeHosts(5);
    IncastFlowGenerator generator(hosts, ParseSizes("0 0\n2000 100\n"));
    generator.AssignStreams(50);
    generator.SetSenders(2);
    generator.SetInterval(MicroSeconds(10), true);
    generator.SetDuration(MilliSeconds(100));
    const auto flows = generator.Generate();
    // 10000 incasts are expected, so sqrt(10000) = 100
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows.size()), 20000, 5 * 200, "flows");
    std::map<NodeIndex, double> sent;
    std::map<NodeIndex, double> received;
    double bytes = 0;
    Time previous;
    for (const auto& flow : flows)
    {
        ++sent[flow.source];
        ++received[flow.destination];
        bytes += static_cast<double>(flow.bytes);
        NS_TEST_ASSERT_MSG_NE(flow.source, flow.destination, "a flow to itself");
        AIDC_ASSERT(flow.start >= previous, "order");
        previous = flow.start;
    }
    NS_TEST_EXPECT_MSG_LT(previous, MilliSeconds(100), "end");
    // Mean 1000, standard deviation 2000 / sqrt(12) a flow, and 100 incasts of 2000 bytes
    NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 2e7, 5 * 217000, "bytes");
    for (const NodeIndex host : hosts)
    {
        // 2000 incasts to each host, of 2 flows; 4000 flows from it: sqrt(2000) = 44.7
        NS_TEST_EXPECT_MSG_EQ_TOL(received[host], 4000, 5 * 2 * 44.7, "to " << host);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[host], 4000, 5 * 63.2, "from " << host);
    }

    const auto generate = [&hosts](int64_t stream) {
        IncastFlowGenerator other(hosts, ParseSizes("0 0\n2000 100\n"));
        other.SetInterval(MicroSeconds(100), true);
        other.AssignStreams(stream);
        return Print(other.Generate());
    };
    NS_TEST_EXPECT_MSG_EQ(generate(7), generate(7), "the same streams");
    NS_TEST_EXPECT_MSG_NE(generate(7), generate(11), "other streams");
}

// Incasts have their receiver, different senders, and their times.
AIDC_TEST_CASE("incasts have a receiver, different senders, and their times")
{
    CheckPeriodic();
    CheckPoisson();
    IncastFlowGenerator generator(MakeHosts(3), FlowSizeDistribution::MakeFixed(1));
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&generator] { generator.SetSenders(3); }),
                          "senders of an incast: expected a number from 1 to 2, found \"3\"",
                          "too many senders");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&generator] { generator.SetReceiver(NodeIndex(7)); }),
                          "receiver of incasts: expected one of the hosts, found \"7\"",
                          "no host");
    NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetInterval(Time(0)); }),
                          "",
                          "no interval");
    NS_TEST_EXPECT_MSG_NE(
        MessageOf([] { IncastFlowGenerator(MakeHosts(1), FlowSizeDistribution::MakeFixed(1)); }),
        "",
        "one host");
}

AIDC_TEST_CASE("permutations have no fixed point, and are equally likely")
{
    PermutationFlowGenerator generator(MakeHosts(100), FlowSizeDistribution::MakeFixed(2000000));
    NS_TEST_EXPECT_MSG_EQ(generator.AssignStreams(60), 2, "streams");
    generator.SetStart(MicroSeconds(5));
    for (int round = 0; round < 20; ++round)
    {
        const auto flows = generator.Generate();
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 100, "flows");
        std::set<NodeIndex> destinations;
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(flows[i].source.value, 20 + i, "each host sends");
            NS_TEST_EXPECT_MSG_NE(flows[i].source, flows[i].destination, "a fixed point");
            NS_TEST_EXPECT_MSG_EQ(flows[i].bytes, 2000000, "size");
            NS_TEST_EXPECT_MSG_EQ(flows[i].start, MicroSeconds(5), "start");
            destinations.insert(flows[i].destination);
        }
        NS_TEST_EXPECT_MSG_EQ(destinations.size(), 100, "each host receives");
    }

    // Of 4 hosts there are 9 permutations without a fixed point: 9000 draws make 1000 of each,
    // within 5 standard deviations, sqrt(9000 * 1/9 * 8/9) = 29.8
    PermutationFlowGenerator four(MakeHosts(4), FlowSizeDistribution::MakeFixed(1));
    four.AssignStreams(70);
    std::map<std::string, int> counts;
    for (int i = 0; i < 9000; ++i)
    {
        ++counts[Print(four.Generate())];
    }
    NS_TEST_EXPECT_MSG_EQ(counts.size(), 9, "permutations");
    for (const auto& [text, count] : counts)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(count, 1000, 149, text);
    }
    PermutationFlowGenerator two(MakeHosts(2), FlowSizeDistribution::MakeFixed(1));
    NS_TEST_EXPECT_MSG_EQ(Print(two.Generate()), "20 21 1 0\n21 20 1 0\n", "two hosts");

    const auto generate = [](int64_t stream) {
        PermutationFlowGenerator other(MakeHosts(50), ParseSizes("0 0\n2000 100\n"));
        other.AssignStreams(stream);
        return Print(other.Generate());
    };
    NS_TEST_EXPECT_MSG_EQ(generate(7), generate(7), "the same streams");
    NS_TEST_EXPECT_MSG_NE(generate(7), generate(11), "other streams");
    NS_TEST_EXPECT_MSG_NE(MessageOf([] {
                              PermutationFlowGenerator(MakeHosts(1),
                                                       FlowSizeDistribution::MakeFixed(1));
                          }),
                          "",
                          "one host");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([] { FlowSizeDistribution::MakeFixed(0); }),
                          "flow size: expected a number of bytes from 1 to 9007199254740992, "
                          "found \"0\"",
                          "no bytes");
}

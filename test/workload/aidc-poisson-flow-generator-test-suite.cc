// SPDX-License-Identifier: GPL-2.0-only

#include "parse-text.h"
#include "test/test-case.h"

#include "ns3/flow-generators.h"

// Tests of the readers of input, of the flow generator and of the helpers that use them.

// Flows that arrive at random.
AIDC_TEST_SUITE("aidc-poisson-flow-generator", UNIT);

AIDC_TEST_CASE("flows arrive as a Poisson process of the rate and sizes asked for")
{
    // Sizes are uniform from 0 to 2000 bytes: mean 1000, mean square 2000^2 / 3.
    // 10 hosts of 8 Mb/s at a load of 0.5 make 0.5 * 10 * 8e6 / (8 * 1000) = 5000 flows/s,
    // so that 50000 are expected in 10 s. Bounds are 5 standard deviations, which a normal
    // variable exceeds once in 1.7 million times:
    //   number of flows: Poisson, sqrt(50000) = 223.6
    //   bytes in all: compound Poisson, sqrt(50000 * 2000^2 / 3) = 258199 around 5e7
    //   flows from, and flows to, a host: Poisson, sqrt(5000) = 70.7 around 5000
    std::vector<NodeIndex> hosts;
    for (const uint32_t host : {20, 21, 22, 23, 24, 25, 26, 27, 28, 30})
    {
        hosts.emplace_back(host);
    }
    PoissonFlowGenerator generator(hosts, ParseSizes("0 0\n2000 100\n"));
    generator.SetLoad(0.5);
    generator.SetHostRate(DataRate(8000000));
    generator.SetStart(Seconds(3));
    generator.SetDuration(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ_TOL(generator.GetArrivalRate(), 5000, 1e-9, "arrival rate");
    NS_TEST_EXPECT_MSG_EQ(generator.AssignStreams(40), 4, "streams");
    const auto flows = generator.Generate();
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows.size()), 50000, 5 * 223.6, "flows");

    double bytes = 0;
    std::map<NodeIndex, double> sent;
    std::map<NodeIndex, double> received;
    Time previous = Seconds(3);
    for (const auto& flow : flows)
    {
        bytes += static_cast<double>(flow.bytes);
        ++sent[flow.source];
        ++received[flow.destination];
        NS_TEST_ASSERT_MSG_NE(flow.source, flow.destination, "a flow to itself");
        AIDC_ASSERT(flow.bytes >= 1 && flow.bytes <= 2000, "size");
        AIDC_ASSERT(flow.start >= previous, "order");
        previous = flow.start;
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(previous, Seconds(13), "end");
    NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 5e7, 5 * 258199, "bytes");
    NS_TEST_EXPECT_MSG_EQ(sent.size(), 10, "sources");
    NS_TEST_EXPECT_MSG_EQ(received.size(), 10, "destinations");
    for (const NodeIndex host : hosts)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[host], 5000, 5 * 70.7, "flows from " << host);
        NS_TEST_EXPECT_MSG_EQ_TOL(received[host], 5000, 5 * 70.7, "flows to " << host);
    }

    // The same streams give the same flows, others do not
    const auto generate = [&hosts](int64_t stream) {
        PoissonFlowGenerator other(hosts, ParseSizes("0 0\n2000 100\n"));
        other.SetHostRate(DataRate(8000000));
        other.SetDuration(MilliSeconds(100));
        other.AssignStreams(stream);
        std::ostringstream text;
        for (const auto& flow : other.Generate())
        {
            text << flow.source << " " << flow.destination << " " << flow.bytes << " "
                 << flow.start.GetNanoSeconds() << "\n";
        }
        return text.str();
    };
    NS_TEST_EXPECT_MSG_EQ(generate(7), generate(7), "the same streams");
    NS_TEST_EXPECT_MSG_NE(generate(7), generate(11), "other streams");

    NS_TEST_EXPECT_MSG_EQ(MessageOf([&generator] { generator.SetLoad(1.5); }),
                          "load: expected a number above 0 and at most 1, found \"1.500000\"",
                          "load above 1");
    NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetLoad(0); }), "", "no load");
    NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetLoad(std::nan("")); }),
                          "",
                          "load that is no number");
    NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetHostRate(DataRate(0)); }),
                          "",
                          "no rate");
    NS_TEST_EXPECT_MSG_NE(
        MessageOf([] { PoissonFlowGenerator({NodeIndex(1)}, ParseSizes("0 0\n2 100\n")); }),
        "",
        "one host");
}

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-delay-network.h"
#include "test/test-case.h"

// What senders make of CSIG's signals.
AIDC_TEST_SUITE("aidc-csig-roce-controls", UNIT);

/// Let senders use Swift on max(PD).
void
Prepare(DelayNetwork& network, const std::string& format)
{
    network.csig.SetNicAttribute("Format", StringValue(format));
    network.csig.SetNicAttribute("Signals", StringValue("max(PD)"));
    network.roce.SetCongestionControl("ns3::aidc::SwiftControl",
                                      "GoverningDelay",
                                      StringValue("HopDelay"));
}

/// Returns bytes of payload, by host.
std::vector<double>
GetSent(const DelayNetwork& network, uint32_t nHosts)
{
    std::vector<double> sent;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        sent.push_back(static_cast<double>(network.GetNic(i)->GetStatistics().sentBytes));
    }
    return sent;
}

/// Get Jain's index of what hosts have sent in a time. Returns the index, from 1 / n to 1.
double
GetFairness(const std::vector<double>& before, const std::vector<double>& after)
{
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        const double sent = after[i] - before[i];
        sum += sent;
        squares += sent * sent;
    }
    return sum * sum / (static_cast<double>(before.size()) * squares);
}

struct Target
{
    std::string format; //!< the format of tags
    uint32_t nFlows;    //!< flows
};

// Swift on max(PD) holds what packets wait at the bottleneck at HopDelayTarget, 10 us. What is
// measured is in a file, in the folder of the option --tempdir.
AIDC_TEST_CASE_P(TargetTestCase,
                 Target,
                 row,
                 "8.1.1: Swift holds its target, " + row.format +
                     ", flows: " + std::to_string(row.nFlows))
{
    DelayNetwork network(row.nFlows, 1000);
    Prepare(network, row.format);
    network.StartDelays(MilliSeconds(1));
    for (uint32_t i = 0; i < row.nFlows; ++i)
    {
        network.Send(i, 1000000000);
    }
    std::vector<double> sent;
    Simulator::Schedule(MilliSeconds(1), [&] { sent = GetSent(network, row.nFlows); });
    RunFor(MilliSeconds(5));
    const double mean = network.sum / static_cast<double>(network.count);
    const double fairness = GetFairness(sent, GetSent(network, row.nFlows));
    std::ofstream(CreateTempDirFilename("waits.txt"))
        << "mean " << mean / 1e3 << " us, longest " << network.longest / 1e3 << " us, Jain's index "
        << fairness << '\n';
    NS_TEST_EXPECT_MSG_EQ_TOL(mean, 10000, 1000, "the mean delay is within 10 % of the target");
    // Packets of 4186 bytes, or 4182, take 334.88 ns, or 334.56 ns
    NS_TEST_EXPECT_MSG_GT(network.count, 4e6 / 334.88 * 0.995, "the link is full");
    NS_TEST_EXPECT_MSG_GT(fairness, 0.99, "shares");
}

/// 31 of 32 flows end. 1.6 packets grow to the 21 of a round trip by one in each, of 7 us.
void
CheckLeftAlone(const std::string& format)
{
    constexpr uint32_t N = 32;
    DelayNetwork network(N, 1000);
    Prepare(network, format);
    network.StartDelays(Time());
    for (uint32_t i = 0; i < N; ++i)
    {
        network.Send(i, i == 0 ? 1000000000 : 400000);
    }
    std::vector<double> sent;
    Time last;
    std::function<void()> look = [&] {
        if (network.deliveries.size() == N - 1 && last.IsZero())
        {
            last = network.deliveries.back().time;
            Simulator::Schedule(MicroSeconds(200), [&] {
                sent = GetSent(network, 1);
                Simulator::Stop(MicroSeconds(100));
            });
            return;
        }
        Simulator::Schedule(MicroSeconds(1), look);
    };
    look();
    RunFor(MilliSeconds(3));
    NS_TEST_ASSERT_MSG_EQ(sent.size(), 1, "the others have ended");
    const double bytes = GetSent(network, 1)[0] - sent[0];
    NS_TEST_EXPECT_MSG_GT(bytes, 0.98 * 100e3 / 334.88 * 4096, "the link is full again");
}

/// A flow begins with one packet beside one that fills the link.
void
CheckNewcomer(const std::string& format)
{
    DelayNetwork network(2, 1000);
    Prepare(network, format);
    network.roce.SetCongestionControl("ns3::aidc::SwiftControl",
                                      "GoverningDelay",
                                      StringValue("HopDelay"),
                                      "InitialWindow",
                                      DoubleValue(1));
    network.StartDelays(Time());
    network.Send(0, 1000000000);
    network.Send(1, 1000000000, MilliSeconds(1));
    std::vector<double> sent;
    Simulator::Schedule(MilliSeconds(7), [&] { sent = GetSent(network, 2); });
    RunFor(MilliSeconds(8));
    NS_TEST_EXPECT_MSG_GT(GetFairness(sent, GetSent(network, 2)), 0.95, "after 6 ms");
}

// Swift on max(PD) converges: a flow that is left alone takes the link, and one that comes gets
// its share.
AIDC_TEST_CASE_P(ConvergenceTestCase,
                 std::string,
                 format,
                 "8.1.1: Swift takes what others leave, and leaves what others need, " + format)
{
    CheckLeftAlone(format);
    CheckNewcomer(format);
}

AIDC_ADD_TEST_CASES()
{
    for (const char* format : {"Compact", "Expanded"})
    {
        for (const uint32_t nFlows : {2, 4, 8, 16, 32})
        {
            AddTestCase(new TargetTestCase({format, nFlows}));
        }
        AddTestCase(new ConvergenceTestCase(format));
    }
}

// SPDX-License-Identifier: GPL-2.0-only

#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/rank-application-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"

// Tests of retransmission timeouts that are derived from the path (IRN, SIGCOMM 2018, section 3.1).

// RoCEv2's timeouts.
AIDC_TEST_SUITE("aidc-roce-timeouts", UNIT);

/// The rate of all links in bit/s.
constexpr uint64_t RATE = 100'000'000'000;

/// The default size of a switch's buffer in bytes.
constexpr int64_t BUFFER = 12'000'000;

/// How long a full buffer keeps packets.
const Time QUEUEING = NanoSeconds(BUFFER * 8 / 100);

/// Modes of recovery, as the attribute has them.
const std::vector<std::string> RECOVERIES{"GoBackN", "SelectiveRepeat"};

/// Have both timeouts derived, and set how what is lost is sent again.
void
Derive(RoceNetwork& network, const std::string& recovery)
{
    network.roce.SetAttribute("AckTimeout", UintegerValue(RoceTimeoutSettings::DERIVED));
    network.roce.SetAttribute("Recovery", StringValue(recovery));
}

/// Get the path between two hosts of a star. delay: the delay of a link in ns. Returns the idle
/// round-trip time, of four links, a packet and an acknowledgment; the full buffer.
RocePath
GetStarPath(int64_t delay)
{
    return {NanoSeconds(4 * delay + 2 * (4174 + 82) * 8 / 100), QUEUEING};
}

// A timeout is longer than a pause that comes from links beside the path. Expected: 67 ms
// (adapters' 4.096 us * 2^14), or 1 ms of queueing and 10 us where packets may be dropped, without
// such a pause; 300 ms and 10 us with it. A timeout has up to as much again, which differs from
// queue pair to queue pair.
AIDC_TEST_CASE("Timeouts count pauses that come from elsewhere")
{
    constexpr double BASE = 10e3;
    const std::vector<std::tuple<bool, int64_t, double>> rows{
        {true, 0, 4096.0 * (1 << 14)},
        {false, 0, 1e6 + BASE},
        {true, 300, 300e6 + BASE},
        {false, 300, 300e6 + BASE},
    };
    for (const auto& [isLossless, pause, expected] : rows)
    {
        RocePath path(NanoSeconds(10000), MilliSeconds(1), RATE, isLossless);
        path.pause = MilliSeconds(pause);
        const auto timeout =
            RoceTimeoutSettings().Make(RoceSettings::SELECTIVE_REPEAT, {}, path, Time());
        NS_TEST_ASSERT_MSG_EQ(timeout.has_value(), true, "there is a timer");
        const auto found = static_cast<double>(timeout->Get(1000));
        NS_TEST_EXPECT_MSG_GT(found, expected - 1, "ns, with a pause of " << pause << " ms");
        NS_TEST_EXPECT_MSG_LT(found, 2 * expected, "ns, with a pause of " << pause << " ms");
    }
}

// A message of one packet over an idle path is sent once, however long the links are.
AIDC_TEST_CASE("On an idle path no timer expires")
{
    for (const auto& recovery : RECOVERIES)
    {
        for (const int64_t delay : {1'000, 250'000, 5'000'000, 50'000'000})
        {
            RoceNetwork network(MakeStar(2, RATE, delay));
            network.path = GetStarPath(delay);
            Derive(network, recovery);
            network.Start();
            for (const uint64_t nBytes : {4096, 100, 1'000'000})
            {
                network.Write(0, 1, nBytes);
                Simulator::Run();
            }
            NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SSS", recovery << ' ' << delay);
            const auto& statistics = network.GetNic(0)->GetStatistics();
            NS_TEST_EXPECT_MSG_EQ(statistics.timeouts, 0, recovery << ' ' << delay);
            NS_TEST_EXPECT_MSG_EQ(statistics.retransmittedPackets, 0, recovery << delay);
        }
    }
}

struct IncastRow
{
    std::string recovery; //!< how what is lost is sent again
    int64_t delay;        //!< the delay of a link in ns
    double loss;          //!< the share of packets that a link loses
    bool isLossless;      //!< whether there is priority flow control
    bool isKnown;         //!< whether queue pairs know the path
};

// Many hosts send to one at once: each message arrives, and no queue pair fails.
AIDC_TEST_CASE_P(IncastTestCase,
                 IncastRow,
                 row,
                 "Incast from 64 hosts: " + row.recovery + ", links of " +
                     std::to_string(row.delay / 1000) + " us, " +
                     std::to_string(static_cast<int>(1e4 * row.loss)) +
                     " of 10,000 packets lost, " + (row.isLossless ? "with" : "without") +
                     " pauses, path " + (row.isKnown ? "known" : "unknown"))
{
    constexpr uint32_t SENDERS = 64;
    RoceNetwork network(MakeStar(SENDERS + 1, RATE, row.delay, row.loss));
    network.isLossless = row.isLossless;
    network.path = row.isKnown ? GetStarPath(row.delay) : RocePath();
    Derive(network, row.recovery);
    network.Start();
    for (uint32_t host = 1; host <= SENDERS; ++host)
    {
        for (const uint64_t nBytes : {4096, 32'768, 300'000})
        {
            network.Write(host, 0, nBytes);
        }
    }
    Simulator::Run();
    uint64_t nTimeouts = 0;
    for (uint32_t host = 1; host <= SENDERS; ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(host), "SSS", "host " << host);
        const auto& statistics = network.GetNic(host)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.errors, 0, "host " << host);
        nTimeouts += statistics.timeouts;
    }
    NS_TEST_EXPECT_MSG_EQ(network.deliveries.size(), 3 * SENDERS, "once each");
    if (row.isLossless && row.isKnown && row.loss == 0 && row.recovery == "GoBackN")
    {
        NS_TEST_EXPECT_MSG_EQ(nTimeouts, 0, "nothing waits longer than the path says");
    }
}

/// What a run has come to.
struct Outcome
{
    double seconds{0};     //!< how long it took
    uint64_t nRepeated{0}; //!< packets that were sent again
    uint64_t nLost{0};     //!< packets that were lost
    uint64_t nTimeouts{0}; //!< timers that have expired
};

Outcome
RunStream(const std::string& recovery, int64_t stream)
{
    constexpr uint32_t N = 8;
    RoceNetwork network(MakeStar(N, RATE, 1000, 1e-3));
    Derive(network, recovery);
    network.Start();
    network.network.AssignStreams(stream);
    std::vector<uint32_t> ranks(N);
    std::iota(ranks.begin(), ranks.end(), 0);
    WorkloadPlan plan(N);
    plan.AddCollective("c",
                       {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, N, 64'000'000},
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(N));
    RankApplicationHelper helper(plan);
    const auto hosts = network.network.GetHosts();
    helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
    helper.StopWhenDone();
    RunFor(Seconds(10));
    const auto record = helper.GetCollectiveRecords().at(0);
    AIDC_EXPECT(record.isDone, recovery);
    Outcome result;
    result.seconds = (record.finish - record.start).GetSeconds();
    for (uint32_t host = 0; host < N; ++host)
    {
        const auto& statistics = network.GetNic(host)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.errors, 0, recovery);
        result.nRepeated += statistics.retransmittedPackets;
        result.nTimeouts += statistics.timeouts;
        result.nLost += network.GetHostPort(host)->GetStatistics().inErrors +
                        network.GetSwitchPort(host)->GetStatistics().inErrors;
    }
    return result;
}

// An all-reduce of 64 MB over links that lose a packet in 1,000: selective repeat takes no longer
// than go-back-N, but for chance, and repeats what was lost.
AIDC_TEST_CASE("A ring over links that lose packets")
{
    for (const int64_t stream : {1, 1000})
    {
        const Outcome back = RunStream("GoBackN", stream);
        const Outcome selective = RunStream("SelectiveRepeat", stream);
        NS_TEST_EXPECT_MSG_LT(selective.seconds, 1.3 * back.seconds, "in s");
        NS_TEST_EXPECT_MSG_GT(selective.nLost, 100, "many are lost");
        // Of what is lost some are acknowledgments, which nobody repeats; a timeout also
        // repeats what is under way, or has asked for no acknowledgment: some 15 packets are
        // the product of bandwidth and delay, and 16 an interval of acknowledgments.
        NS_TEST_EXPECT_MSG_LT(selective.nRepeated,
                              selective.nLost + 64 * selective.nTimeouts + 1,
                              "repeats");
        NS_TEST_EXPECT_MSG_GT(selective.nRepeated, 8 * selective.nLost / 10, "repeats");
        NS_TEST_EXPECT_MSG_LT(selective.nTimeouts, 10, "repeats that are lost, and tails");
    }
}

void
NoteTimeout(std::vector<Time>* times, uint32_t, uint32_t, bool isTimeout)
{
    if (isTimeout)
    {
        times->push_back(Simulator::Now());
    }
}

/// Send a packet to a host that has forgotten the queue pair. least: how long each timer is to
/// run at least.
void
Expect(const std::string& recovery, uint8_t timeout, const std::vector<Time>& least, bool isSpread)
{
    RoceNetwork network(2);
    network.path = GetStarPath(1000);
    Derive(network, recovery);
    network.roce.SetAttribute("AckTimeout", UintegerValue(timeout));
    network.Start();
    network.GetQp(0, 1);
    network.GetNic(1)->Restart();
    std::vector<Time> times;
    network.GetNic(0)->TraceConnectWithoutContext("Retransmission",
                                                  MakeBoundCallback(&NoteTimeout, &times));
    network.Write(0, 1, 100);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "R", recovery);
    NS_TEST_ASSERT_MSG_EQ(times.size(), least.size(), recovery);
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        const Time duration = i == 0 ? times[i] : times[i] - times[i - 1];
        NS_TEST_EXPECT_MSG_GT(duration, least[i] - NanoSeconds(1), recovery << ' ' << i);
        NS_TEST_EXPECT_MSG_LT(duration,
                              isSpread && i > 0 ? 2 * least[i] : least[i] + NanoSeconds(1),
                              recovery << ' ' << i);
    }
}

// What waits for an answer that does not come, and for how long.
AIDC_TEST_CASE("A derived timeout doubles until the queue pair fails; one that is set does not")
{
    const Time high = GetStarPath(1000).baseRtt + QUEUEING;
    std::vector<Time> doubled;
    for (int i = 0; i <= 7; ++i)
    {
        doubled.push_back(high * (1 << i));
    }
    Expect("GoBackN", RoceTimeoutSettings::DERIVED, doubled, true);
    // The first of them is IRN's low one, since one packet is on its way.
    doubled[0] = MicroSeconds(100);
    Expect("SelectiveRepeat", RoceTimeoutSettings::DERIVED, doubled, true);
    Expect("GoBackN", 9, std::vector<Time>(8, NanoSeconds(4096 << 9)), false);
}

/// Connect three hosts. delay: the delay of a link in ns.
void
Check(int64_t delay, const std::string& name, const AttributeValue& value, bool isWarned)
{
    RoceNetwork network(MakeStar(3, RATE, delay));
    network.path = GetStarPath(delay);
    Derive(network, "SelectiveRepeat");
    network.roce.SetAttribute(name, value);
    network.Start();
    const CapturedStream err(std::cerr);
    network.Connect(0, 1);
    network.Connect(0, 1);
    network.Connect(1, 2);
    const std::string text = err.GetText();
    const std::string begin = "aidc: warning: RoceNic: " + name + " of ";
    NS_TEST_EXPECT_MSG_EQ(text.substr(0, begin.size()), isWarned ? begin : "", name << delay);
    NS_TEST_EXPECT_MSG_EQ(text.find('\n'),
                          isWarned ? text.size() - 1 : std::string::npos,
                          "one line: " << text);
}

// A timeout that is set holds, and a line says that it is below what the path takes.
AIDC_TEST_CASE("A timeout below what the path takes leads to one warning")
{
    // 5.07 us idle with 1 us of delay a link, 960 us in a full buffer.
    Check(1000, "LowTimeout", TimeValue(MicroSeconds(20)), true);
    Check(1000, "LowTimeout", TimeValue(MicroSeconds(100)), false);
    Check(250'000, "LowTimeout", TimeValue(MicroSeconds(100)), true);
    Check(1000, "AckTimeout", UintegerValue(7), true);
    Check(1000, "AckTimeout", UintegerValue(8), false);
    Check(50'000'000, "AckTimeout", UintegerValue(14), true);
    Check(50'000'000, "AckTimeout", UintegerValue(0), false);
}

// RoceFlowHelper knows the path of a flow: its idle round trip, and the buffers on it.
AIDC_TEST_CASE("A flow's timeouts are derived from the network")
{
    for (const bool isLossless : {false, true})
    {
        LeafSpineSettings settings{2, 4, 1}; // 100 and 400 Gb/s, 1 us
        RoceNetwork network(MakeLeafSpine(settings));
        network.isLossless = isLossless;
        Derive(network, "SelectiveRepeat");
        network.Start();
        const auto hosts = network.network.GetFabric().GetHosts();
        const auto links = network.network.GetPath(hosts[0], hosts[1]);
        const FrameOverhead overhead = network.network.GetFrameOverhead();
        const auto path = RoceFlowHelper::GetPath(links, 4096, overhead);
        NS_TEST_EXPECT_MSG_EQ(path.baseRtt,
                              RoceFlowHelper::GetBaseRtt(links.links, 4096, overhead),
                              "idle");
        // Leaf, spine and leaf fill each other; the slowest link is a host's.
        NS_TEST_EXPECT_MSG_EQ(path.queueing, (isLossless ? 3 : 1) * QUEUEING, "full");

        // With the same path, a flow to a host that is gone times out when it should.
        std::vector<Time> times;
        network.GetNic(0)->TraceConnectWithoutContext("Retransmission",
                                                      MakeBoundCallback(&NoteTimeout, &times));
        RoceFlowHelper flows;
        FlowSpec flow;
        flow.source = hosts[0];
        flow.destination = hosts[1];
        flow.bytes = 5 * 4096; // more than LowTimeoutPackets
        flows.Install(network.network, {flow});
        network.GetNic(1)->Restart();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 8, "attempts");
        // The timer begins with the fifth packet, which asks for an acknowledgment.
        const Time begin = NanoSeconds(4 * (4096 + 82) * 8 / 100);
        // 4.096 us * 2^14, adapters' default, where all switches pause each other
        const Time high = isLossless ? NanoSeconds(67'108'864) : path.baseRtt + path.queueing;
        NS_TEST_EXPECT_MSG_EQ_TOL(times[0].GetNanoSeconds(),
                                  (begin + high).GetNanoSeconds(),
                                  10,
                                  "the high one");
    }
}

AIDC_ADD_TEST_CASES()
{
    for (const auto& recovery : RECOVERIES)
    {
        for (const double loss : {0.0, 1e-4, 1e-3})
        {
            AddTestCases<IncastTestCase>(
                {{recovery, 1000, loss, true, true}, {recovery, 1000, loss, true, false}});
            for (const int64_t delay : {1'000, 250'000, 5'000'000, 50'000'000})
            {
                AddTestCase(new IncastTestCase({recovery, delay, loss, false, delay != 5'000'000}));
            }
        }
    }
}

// SPDX-License-Identifier: GPL-2.0-only

// How an ingress PE spreads flow sets over the paths of a tunnel
// (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).

#include "edge-network.h"
#include "test/test-case.h"

#include "ns3/domain-message.h"
#include "ns3/link-load-reporter.h"
#include "ns3/path-share-controller.h"

// Steering by share
AIDC_TEST_SUITE("aidc-path-share", UNIT);

/// Bit/s of all links
constexpr uint64_t CAPACITY = 8'000'000'000;

/// An EdgeNetwork whose PE P1 spreads flow sets over its two paths.
class ShareNetwork : public EdgeNetwork
{
  public:
    explicit ShareNetwork(const Attributes& attributes = {})
        : EdgeNetwork({}),
          shares(CreateObject<PathShareController>())
    {
        SetAll(shares, {{"Gap", "50us"}, {"ForceTime", "0s"}});
        SetAll(shares, attributes);
        shares->Install(nodes.Get(P1));
        shares->AddTunnel(there);
        for (uint32_t path = 0; path < 2; ++path)
        {
            shares->SetPathLinks(there, path, {GetLink(path)});
        }
    }

    /// Returns its second link, from C1 or C2.
    PathShareController::Link GetLink(uint32_t path) const
    {
        const Place core = path == 0 ? C1 : C2;
        return {Ipv4Address(path == 0 ? "192.0.2.11" : "192.0.2.12"),
                static_cast<uint16_t>(GetPort(core, P2)->GetIfIndex())};
    }

    /// Get a report that is accepted. load: bit/s. Returns the report, measured in the last 100 us.
    LinkLoadReport MakeReport(uint32_t path, uint64_t load)
    {
        LinkLoadReport report;
        report.device = GetLink(path).device.Get();
        report.port = GetLink(path).port;
        report.ingress = there->GetLocal().Get();
        report.sequence = ++m_sequence;
        report.time = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
        report.length = 100'000;
        report.capacity = CAPACITY;
        report.octets = load / 80'000;
        return report;
    }

    /// Have a report arrive. from: its sender; the link's router if it is not set.
    void Receive(const LinkLoadReport& report, Ipv4Address from = Ipv4Address())
    {
        const Ipv4Address sender = from == Ipv4Address() ? Ipv4Address(report.device) : from;
        const auto bytes = EncodeDomainMessage(report);
        shares->GetReceiver().Receive(bytes.data(), bytes.size(), InetSocketAddress(sender, 1));
    }

    /// Have reports of both links arrive. first: the load of path 0, bit/s. second: the load of
    /// path 1.
    void ReportAt(Time when, uint64_t first, uint64_t second)
    {
        Simulator::Schedule(when, [this, first, second] {
            Receive(MakeReport(0, first));
            Receive(MakeReport(1, second));
        });
    }

    /// Have A send bursts of flows: 10 packets of 1,000 bytes, 40 us apart, each millisecond. n:
    /// the number of flows, of source ports 1 to n. bursts: the number of bursts, the first one
    /// after 1 us for each flow.
    void SendBursts(uint16_t n, uint32_t bursts)
    {
        for (uint32_t burst = 0; burst < bursts; ++burst)
        {
            for (uint16_t port = 1; port <= n; ++port)
            {
                SendFlow(port,
                         1000,
                         MilliSeconds(burst) + MicroSeconds(port),
                         MicroSeconds(40),
                         10);
            }
        }
    }

    /// Count the packets of a flow that have left P1 in a time.
    uint32_t Count(uint16_t port, Place to, Time from, Time until)
    {
        const auto left = GetLeft(port, to);
        return static_cast<uint32_t>(
            std::count_if(left.begin(), left.end(), [from, until](const auto& packet) {
                return packet.first >= from.GetNanoSeconds() &&
                       packet.first < until.GetNanoSeconds();
            }));
    }

    Ptr<PathShareController> shares; //!< what spreads flow sets

  private:
    uint64_t m_sequence{0}; //!< the number of the last report
};

// Sets begin by weights; new weights move them in pauses. Expected results: with weights 1 and 3,
// 64 of 256 sets begin on path 0. Of 400 flows it gets 100, with a standard deviation of 8.7. All
// packets of a flow take one path. From 2 ms on path 0 has no weight, and no flow takes it behind
// its next pause.
AIDC_TEST_CASE("sets begin by weights")
{
    ShareNetwork network;
    NS_TEST_EXPECT_MSG_EQ(network.shares->GetShares(network.there)[0], 1, "by default");
    network.shares->SetPathWeights(network.there, {1, 3});
    NS_TEST_EXPECT_MSG_EQ(network.shares->GetShares(network.there)[0], 0.25, "exactly");
    constexpr uint16_t N = 400;
    for (uint16_t port = 1; port <= N; ++port)
    {
        network.SendFlow(port, 100, MicroSeconds(port), MilliSeconds(1), 4);
    }
    Simulator::Schedule(MicroSeconds(1990),
                        [&network] { network.shares->SetPathWeights(network.there, {0, 1}); });
    Simulator::Run();
    uint32_t nFirst = 0;
    for (uint16_t port = 1; port <= N; ++port)
    {
        const auto n = network.Count(port, EdgeNetwork::C1, Time(0), MicroSeconds(1990));
        AIDC_EXPECT(n == 0 || n == 2, "one path a flow");
        nFirst += n > 0;
        NS_TEST_EXPECT_MSG_EQ(network.Count(port, EdgeNetwork::C1, MicroSeconds(1991), Seconds(1)),
                              0,
                              "without a weight");
        AIDC_EXPECT(network.IsWhole(port), "in order");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(nFirst, 100, 35, "four standard deviations");
    const auto shares = network.shares->GetShares(network.there);
    NS_TEST_EXPECT_MSG_EQ(shares[0] + shares[1], 1, "the sum");
}

// Half of the load moves if the other path is idle, in pauses. Expected results: 20 flows of the
// same rate send bursts with pauses of 0.6 ms. At 5.05 ms path 0 is told to be busy by 90 %, path 1
// to be idle: the excess is half of the load, or 10 flows. If two flows share a set, it may be one
// flow less. They move with their next bursts, no packet is overtaken. At 8.05 ms the difference is
// within the dead band: nothing moves any more.
AIDC_TEST_CASE("half of the load moves, in pauses")
{
    ShareNetwork network;
    network.SendBursts(20, 12);
    // The first report begins the measurement of the PE.
    network.ReportAt(MicroSeconds(2050), 7'200'000'000, 7'200'000'000);
    network.ReportAt(MicroSeconds(5050), 7'200'000'000, 0);
    network.ReportAt(MicroSeconds(8050), 4'000'000'000, 3'300'000'000);
    Simulator::Run();
    uint32_t nMoved = 0;
    for (uint16_t port = 1; port <= 20; ++port)
    {
        const auto n = network.Count(port, EdgeNetwork::C2, MilliSeconds(6), Seconds(1));
        AIDC_EXPECT(n == 0 || n == 60, "for good");
        nMoved += n > 0;
        NS_TEST_EXPECT_MSG_EQ(network.Count(port, EdgeNetwork::C2, Time(0), MilliSeconds(5)),
                              0,
                              "not before");
        AIDC_EXPECT(network.IsWhole(port), "in order");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(nMoved, 10, 1, "half of the flows");
    const auto& statistics = network.shares->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.decisions, 1, "one decision");
    NS_TEST_EXPECT_MSG_EQ(statistics.forcedMoves, 0, "in pauses");
    NS_TEST_EXPECT_MSG_EQ(network.shares->GetReceiver().GetStatistics().accepted,
                          6,
                          "all are accepted");
    const auto shares = network.shares->GetShares(network.there);
    NS_TEST_EXPECT_MSG_EQ_TOL(shares[1] * 256, nMoved, 1, "a set a flow");
}

// Flows that never pause stay, unless they are forced, or the other path is longer. Expected
// results: 8 flows send a packet each 8 us, and the gap is 50 us. Reports are as for "half of the
// load moves", at 5.05 ms. With a ForceTime of 0.1 ms, 4 flows have moved at 5.16 ms. To a path
// that is longer by 1 ms, they move at once.
AIDC_TEST_CASE("flows without pauses stay, or are forced")
{
    for (const std::string kind : {"stay", "forced", "longer"})
    {
        const Attributes attributes{{"ForceTime", kind == "forced" ? "100us" : "0s"}};
        ShareNetwork network(attributes);
        if (kind == "longer")
        {
            network.shares->SetPathDelay(network.there, 1, MilliSeconds(1));
        }
        for (uint16_t port = 1; port <= 8; ++port)
        {
            network.SendFlow(port, 800, MicroSeconds(port), MicroSeconds(8), 1000);
        }
        network.ReportAt(MicroSeconds(2050), 7'200'000'000, 7'200'000'000);
        network.ReportAt(MicroSeconds(5050), 7'200'000'000, 0);
        Simulator::Run();
        uint32_t nMoved = 0;
        uint32_t nEarly = 0;
        for (uint16_t port = 1; port <= 8; ++port)
        {
            nMoved += network.Count(port, EdgeNetwork::C2, MicroSeconds(5170), Seconds(1)) > 0;
            nEarly +=
                network.Count(port, EdgeNetwork::C2, MicroSeconds(5070), MicroSeconds(5140)) > 0;
        }
        const auto& statistics = network.shares->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(nMoved, (kind == "stay" ? 0 : 4), kind);
        NS_TEST_EXPECT_MSG_EQ(nEarly, (kind == "longer" ? 4 : 0), kind);
        NS_TEST_EXPECT_MSG_EQ(statistics.forcedMoves, (kind == "forced" ? 4 : 0), kind);
    }
}

// Reports that were measured before the last move has taken effect do not move anything. Expected
// results: the moves by the reports of 5.05 ms are made until 6.02 ms. The measurement of the
// reports of 6.05 ms began at 5.95 ms, and so they are not used; the reports of 7.05 ms are.
AIDC_TEST_CASE("reports of a time before the last move are not used")
{
    ShareNetwork network;
    network.SendBursts(20, 12);
    network.ReportAt(MicroSeconds(2050), 7'200'000'000, 7'200'000'000);
    network.ReportAt(MicroSeconds(5050), 7'200'000'000, 0);
    network.ReportAt(MicroSeconds(6050), 7'200'000'000, 0);
    uint64_t nBefore = 0;
    Simulator::Schedule(MicroSeconds(7040), [&network, &nBefore] {
        nBefore = network.shares->GetStatistics().decisions;
    });
    network.ReportAt(MicroSeconds(7050), 7'200'000'000, 0);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nBefore, 1, "those of 6.05 ms are not used");
    NS_TEST_EXPECT_MSG_EQ(network.shares->GetStatistics().decisions, 2, "those of 7.05 ms are");
}

// Sets leave a path that goes down with their next packets, and return. Expected results: path 0 is
// down from 4.1 ms to 8.6 ms. From 4.19 ms on, all packets take path 1: 5 of a flow's burst that
// began at 4 ms, and 40 in the bursts of 5 to 8 ms. At 9 ms, what was on path 0 returns, in a
// pause.
AIDC_TEST_CASE("sets leave a path that goes down")
{
    ShareNetwork network;
    network.shares->SetPathWeights(network.there, {1, 1});
    network.SendBursts(20, 12);
    Simulator::Schedule(MicroSeconds(4100),
                        [&network] { network.SetLink(EdgeNetwork::P1, EdgeNetwork::C1, false); });
    Simulator::Schedule(MicroSeconds(8600),
                        [&network] { network.SetLink(EdgeNetwork::P1, EdgeNetwork::C1, true); });
    Simulator::Run();
    uint32_t nFirst = 0;
    for (uint16_t port = 1; port <= 20; ++port)
    {
        const auto before = network.Count(port, EdgeNetwork::C1, Time(0), MilliSeconds(4));
        const auto after = network.Count(port, EdgeNetwork::C1, MilliSeconds(9), Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(
            network.Count(port, EdgeNetwork::C2, MicroSeconds(4190), MilliSeconds(9)),
            45,
            "all packets take the other one");
        NS_TEST_EXPECT_MSG_EQ((before > 0), (after > 0), "back at home");
        nFirst += before > 0;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(nFirst, 10, 9, "some were there");
    NS_TEST_EXPECT_MSG_EQ(network.shares->GetStatistics().escapes, 128, "half of the sets");
}

AIDC_TEST_CASE("packets that have waited take the path of their set")
{
    ShareNetwork network;
    network.shares->SetPathWeights(network.there, {0, 1});
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(2), 3000);
    for (uint32_t i = 0; i < 20; ++i)
    {
        network.NotifyAt(MicroSeconds(1000 + 150 * i), 1);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(network.controller->GetShaper()->GetStatistics().heldPackets,
                          100,
                          "packets wait");
    NS_TEST_EXPECT_MSG_EQ(network.GetLeft(1, EdgeNetwork::C1).size(), 0, "none by path 0");
    NS_TEST_EXPECT_MSG_EQ(network.GetLeft(1, EdgeNetwork::C2).size(), 3000, "all by path 1");
    AIDC_EXPECT(network.IsWhole(1), "in order");
}

// Reports that are not to be believed are refused, each for its reason.
AIDC_TEST_CASE("reports are refused")
{
    ShareNetwork network({{"Domain", "192.0.2.0/24"}, {"MaxAge", "10ms"}, {"MaxDevices", "1"}});
    auto& receiver = network.shares->GetReceiver();
    Simulator::Schedule(MilliSeconds(20), [&] {
        const auto receive = [&](const std::function<void(LinkLoadReport&)>& change,
                                 Ipv4Address from = Ipv4Address("192.0.2.11")) {
            auto report = network.MakeReport(0, 1'000'000'000);
            change(report);
            network.Receive(report, from);
        };
        const auto same = [](LinkLoadReport&) {};
        receive(same);
        receive(same, Ipv4Address("198.51.100.1"));
        receive(same, Ipv4Address("192.0.2.12"));
        receive([](LinkLoadReport& report) { report.ingress = 0xc0000202; });
        receive([](LinkLoadReport& report) { ++report.time; });
        receive([](LinkLoadReport& report) { report.time -= 10'000'001; });
        receive([](LinkLoadReport& report) { report.sequence = 1; });
        receive([](LinkLoadReport& report) { ++report.port; });
        network.Receive(network.MakeReport(1, 0)); // another device
        receiver.Receive(nullptr, 0, InetSocketAddress("192.0.2.11", 1));
        auto bytes = EncodeDomainMessage(CongestionNotification());
        receiver.Receive(bytes.data(), bytes.size(), InetSocketAddress("192.0.2.11", 1));
        bytes = EncodeDomainMessage(network.MakeReport(0, 0));
        bytes[2] = 1;
        receiver.Receive(bytes.data(), bytes.size(), InetSocketAddress("192.0.2.11", 1));
    });
    Simulator::Run();
    const auto& counted = receiver.GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(counted.accepted, 1, "the first one");
    NS_TEST_EXPECT_MSG_EQ(counted.offDomain, 1, "not from the domain");
    NS_TEST_EXPECT_MSG_EQ(counted.malformed, 2, "nothing, and a notification");
    NS_TEST_EXPECT_MSG_EQ(counted.unauthentic, 1, "signed, where nothing is expected");
    NS_TEST_EXPECT_MSG_EQ(counted.otherDevice, 1, "of a link of another router");
    NS_TEST_EXPECT_MSG_EQ(counted.otherReceiver, 1, "for another PE");
    NS_TEST_EXPECT_MSG_EQ(counted.early, 1, "of a time to come");
    NS_TEST_EXPECT_MSG_EQ(counted.stale, 1, "too old");
    NS_TEST_EXPECT_MSG_EQ(counted.replayed, 1, "again");
    NS_TEST_EXPECT_MSG_EQ(counted.tooManyDevices, 1, "another device");
    NS_TEST_EXPECT_MSG_EQ(counted.unknownLink, 1, "of a link of no path");
}

// Routers report what arrives for a link, by UDP, and a PE's own links at once. Expected results:
// 50 packets of 1,000 bytes are sent between 0.5 and 1 ms. With the outer header, Ethernet's header
// and check sequence, preamble and gap, each is 1,058 octets on the wire, on both links. The report
// of the interval before has none.
AIDC_TEST_CASE("routers report what has arrived")
{
    // PEs get the new key before the routers do.
    const bool hasKeys = NotificationKey::IsAvailable();
    const std::string oldKey = hasKeys ? "7:000102030405060708090a0b0c0d0e0f" : "";
    const std::string newKey = hasKeys ? ",8:101112131415161718191a1b1c1d1e1f" : "";
    ShareNetwork network({{"Key", oldKey + newKey}});
    const auto& link = network.GetLink(0);
    const auto own = network.GetPort(EdgeNetwork::P1, EdgeNetwork::C1);
    network.shares->SetPathLinks(
        network.there,
        0,
        {{Ipv4Address("192.0.2.1"), static_cast<uint16_t>(own->GetIfIndex())}, link});
    std::vector<Ptr<LinkLoadReporter>> reporters;
    for (const auto place : {EdgeNetwork::P1, EdgeNetwork::C1})
    {
        auto reporter = CreateObject<LinkLoadReporter>();
        SetAll(reporter, {{"Interval", "500us"}, {"MeasureTime", "250us"}, {"Key", oldKey}});
        reporter->Install(network.nodes.Get(place));
        reporters.push_back(reporter);
    }
    reporters[0]->Add(own, Ipv4Address("192.0.2.1"));
    reporters[1]->Add(network.GetPort(EdgeNetwork::C1, EdgeNetwork::P2), Ipv4Address("192.0.2.1"));

    struct Taken
    {
        LinkLoadReport report;
        Time time;
    };

    std::vector<Taken> taken;
    ConnectTrace(network.shares, "Report", [&taken](const LinkLoadReport& report) {
        taken.push_back({report, Simulator::Now()});
    });
    network.SendFlow(1, 1000, MicroSeconds(760), MicroSeconds(4), 50);
    RunFor(MicroSeconds(1100));
    NS_TEST_ASSERT_MSG_EQ(taken.size(), 4, "two of each link");
    for (std::size_t i = 0; i < 4; ++i)
    {
        const auto& report = taken[i].report;
        const bool isOwn = i % 2 == 0;
        NS_TEST_EXPECT_MSG_EQ(Ipv4Address(report.device),
                              Ipv4Address(isOwn ? "192.0.2.1" : "192.0.2.11"),
                              "of each");
        NS_TEST_EXPECT_MSG_EQ(report.time, (i < 2 ? 500'000 : 1'000'000), "at multiples");
        NS_TEST_EXPECT_MSG_EQ(report.length, 250'000, "as long");
        NS_TEST_EXPECT_MSG_EQ(report.capacity, CAPACITY, "of the link");
        NS_TEST_EXPECT_MSG_EQ(+report.keyId, (hasKeys ? 7 : 0), "signed with the old key");
        NS_TEST_EXPECT_MSG_EQ(report.octets, (i < 2 ? 0 : 50 * 1058), "on the wire");
        const auto late = taken[i].time.GetNanoSeconds() - static_cast<int64_t>(report.time);
        AIDC_EXPECT(isOwn ? late == 0 : late > 500 && late < 1000, "at once");
    }
    NS_TEST_EXPECT_MSG_EQ(reporters[1]->GetStatistics().sent, 2, "counted");
}

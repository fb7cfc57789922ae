// SPDX-License-Identifier: GPL-2.0-only

// What an ingress PE does with the rates of flows (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).

#include "edge-network.h"
#include "model/core/pre-ecn/edge-rate-law.h"
#include "test/test-case.h"

#include "ns3/edge-shaper.h"
#include "ns3/shared-buffer.h"

AIDC_TEST_SUITE("aidc-ingress-edge-rate", UNIT);

constexpr uint64_t UNLIMITED = EdgeRateLaw::UNLIMITED;

// Section 3.2.2.1, "Local Rate Adjustment: Slightly reducing the transmission rate for the
// identified flow into the tunnel"; real packets leave at the rate that is told. Expected results:
// flow 1 sends 1,000 bytes each 4 us, 2 Gbit/s; flow 2 the same. Steps are 10 %, at most one in 1
// ms; after the notifications of 2 and 4 ms (the notification of 2.5 ms comes too early), flow 1
// has 1.8, then 1.62 Gbit/s. Once it is quiet for 8 ms, it rises by 5 % of 2 Gbit/s each 1 ms, goes
// on until its packets wait no longer, and is released.
AIDC_DATAPATH_TEST_CASES("a flow is slowed down and recovers")
{
    EdgeNetwork network({{"LightStep", "0.1"},
                         {"StepInterval", "1ms"},
                         {"QuietTime", "8ms"},
                         {"RecoveryInterval", "1ms"},
                         {"RecoveryStep", "0.05"}},
                        EdgeNetwork::MakeSettings(mode));
    for (const uint16_t port : {1, 2})
    {
        network.SendFlow(port, 1000, MicroSeconds(port), MicroSeconds(4), 12500); // 50 ms
    }
    for (const double ms : {2.0, 2.5, 4.0})
    {
        network.NotifyAt(MicroSeconds(static_cast<uint64_t>(1000 * ms)), 1);
    }
    Simulator::Run();

    const auto& statistics = network.controller->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetReceiver().GetStatistics().light,
                          3,
                          "all are accepted");
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 3, "and traced");
    NS_TEST_EXPECT_MSG_EQ(statistics.rateReductions, 2, "one step in an interval");
    NS_TEST_ASSERT_MSG_GT(network.rates.size(), 3, "there are changes of the rate");
    NS_TEST_EXPECT_MSG_EQ(network.rates[0].oldValue, UNLIMITED, "from no limit");
    NS_TEST_EXPECT_MSG_EQ(network.rates[0].newValue, 1800000000, "one step down");
    NS_TEST_EXPECT_MSG_EQ(network.rates[1].newValue, 1620000000, "and another one");
    NS_TEST_EXPECT_MSG_LT(network.rates[0].time,
                          2000000 + 2000 + 50000 + 4000,
                          "the way from C1, the measurement and a packet later");
    for (std::size_t i = 2; i < network.rates.size(); ++i)
    {
        const auto& change = network.rates[i];
        NS_TEST_EXPECT_MSG_GT(change.time, 12000000, "not before it is quiet");
        const bool isLast = i + 1 == network.rates.size();
        NS_TEST_EXPECT_MSG_EQ(change.newValue,
                              (isLast ? UNLIMITED : change.oldValue + 100000000),
                              "rises are equal, until it is released");
        AIDC_EXPECT(change.flow == EdgeNetwork::GetFlow(1), "of flow 1 only");
    }
    NS_TEST_EXPECT_MSG_EQ(statistics.rateReleases, 1, "it is released once");

    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetRate(1, MilliSeconds(1), MilliSeconds(2)),
                              2e9,
                              1e7,
                              "2 Gbit/s before");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetRate(1, MicroSeconds(2200), MicroSeconds(3900)),
                              1.8e9,
                              1.8e7,
                              "1.8 Gbit/s within 1 %");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetRate(1, MicroSeconds(4100), MilliSeconds(12)),
                              1.62e9,
                              1.62e7,
                              "1.62 Gbit/s within 1 %");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetRate(2, MilliSeconds(1), MilliSeconds(45)),
                              2e9,
                              1e7,
                              "flow 2 is not touched");
    AIDC_EXPECT(network.IsWhole(1), "no packet is lost or overtaken");
    AIDC_EXPECT(network.IsWhole(2), "nor of flow 2");
    const auto shaper = network.controller->GetShaper();
    NS_TEST_EXPECT_MSG_GT(shaper->GetStatistics().heldBytes, 100000, "packets have waited");
    NS_TEST_EXPECT_MSG_EQ(shaper->GetStatistics().heldBytes,
                          shaper->GetStatistics().releasedBytes,
                          "and none does any more");
    NS_TEST_EXPECT_MSG_EQ(shaper->GetBufferQueue()->GetOccupancy(), 0, "memory is given back");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "and the flow is forgotten");
    NS_TEST_EXPECT_MSG_EQ(statistics.agedFlows, 0, "because it is as good as a new one");
}

// All that enters a tunnel is slowed down together. Expected results: flows of 2 and 1 Gbit/s,
// which a step of 20 % leaves 2.4 Gbit/s. A packet more or less in the 50 us of the measurement is
// 160 Mbit/s.
AIDC_TEST_CASE("a tunnel is slowed down")
{
    EdgeNetwork network({{"Granularity", "Tunnel"}, {"LightStep", "0.2"}, {"QuietTime", "1s"}});
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(4), 2500);
    network.SendFlow(2, 1000, MicroSeconds(3), MicroSeconds(8), 1250);
    network.NotifyAt(MilliSeconds(2), 1);
    RunFor(MilliSeconds(20));
    NS_TEST_ASSERT_MSG_EQ(network.rates.size(), 1, "one step");
    const FlowKey tunnel{0xc0000201, 0xc0000202, 0, 0, 4};
    AIDC_EXPECT(network.rates[0].flow == tunnel, "of the tunnel");
    const double rate = static_cast<double>(network.rates[0].newValue);
    NS_TEST_EXPECT_MSG_EQ_TOL(rate, 2.4e9, 1.28e8, "of what both flows send, by a packet");
    double sum = 0;
    for (const uint16_t port : {1, 2})
    {
        sum += network.GetRate(port, MicroSeconds(2300), MilliSeconds(10));
        AIDC_EXPECT(network.IsWhole(port), "flow " << port << " is whole");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(sum, rate, 0.01 * rate, "both leave at that rate");
}

// Where there are several tunnels, the one that the notification names is slowed down, whichever
// routes would lead its flow into.
AIDC_TEST_CASE("the tunnel that is named is slowed down")
{
    EdgeNetwork network({{"Granularity", "Tunnel"}, {"LightStep", "0.2"}});
    auto other = CreateObject<IpTunnelNetDevice>();
    other->SetAttribute("Local", Ipv4AddressValue("192.0.2.1"));
    other->SetAttribute("Remote", Ipv4AddressValue("192.0.2.12"));
    other->Install(network.nodes.Get(TunnelNetwork::P1));
    network.controller->AddTunnel(other);
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(4), 1250);
    const auto notify = [&network](uint32_t egress) {
        network.Receive(network.MakeNotification(
            EdgeNetwork::GetFlow(1),
            CongestionSeverity::LIGHT,
            Time(0),
            [egress](CongestionNotification& changed) { changed.egress = egress; }));
    };
    Simulator::Schedule(MilliSeconds(1), [notify] { notify(0xc000020c); });
    Simulator::Schedule(MilliSeconds(3), [notify] { notify(0xc0000202); });
    RunFor(MicroSeconds(3400));
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 2, "both are accepted");
    NS_TEST_ASSERT_MSG_EQ(network.rates.size(), 1, "one is of the flow's tunnel");
    NS_TEST_EXPECT_MSG_GT(network.rates[0].time, 3000000, "the second one");
}

// While the queue is falling there is no step, nor does the rate rise.
AIDC_TEST_CASE("no step while the old queue drains")
{
    EdgeNetwork network({{"LightStep", "0.1"}, {"SevereStep", "0.5"}});
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(4), 1250);
    for (uint32_t i = 0; i < 20; ++i)
    {
        Simulator::Schedule(MicroSeconds(1000 + 200 * i), [&network, i] {
            const auto severity =
                i % 2 == 0 ? CongestionSeverity::LIGHT : CongestionSeverity::SEVERE;
            network.Receive(network.MakeNotification(
                EdgeNetwork::GetFlow(1),
                severity,
                Time(0),
                [i](CongestionNotification& changed) { changed.isFalling = i > 0; }));
        });
    }
    RunFor(MilliSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 20, "all are accepted");
    NS_TEST_ASSERT_MSG_EQ(network.rates.size(), 1, "one step, and no rise");
    NS_TEST_EXPECT_MSG_EQ(network.rates[0].newValue, 1800000000, "that of the growing queue");
}

// Section 3.2.2.2: severe congestion is the sender's business alone, if that is configured; what
// the flow is limited to does not rise meanwhile. By default the edge does what it does about light
// congestion, with a step of its own.
struct SevereReaction
{
    std::string name;            //!< the attribute SevereReaction; empty for its default
    std::vector<uint64_t> rates; //!< what the flow may send, step by step
};

AIDC_TEST_CASES(SevereReaction,
                row,
                "severe congestion, reaction " + (row.name.empty() ? "by default" : row.name),
                ({{"None", {1800000000}}, // for the light one alone
                  {"Rate", {1000000000, 900000000, 450000000}},
                  {"AsLight", {1000000000, 900000000, 450000000}},
                  {"", {1000000000, 900000000, 450000000}}}))
{
    Attributes attributes{{"LightStep", "0.1"}, {"SevereStep", "0.5"}, {"QuietTime", "4ms"}};
    if (!row.name.empty())
    {
        attributes.emplace_back("SevereReaction", row.name);
    }
    EdgeNetwork network(attributes);
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(4), 5000);
    network.NotifyAt(MilliSeconds(1), 1, CongestionSeverity::SEVERE);
    network.NotifyAt(MilliSeconds(5), 1, CongestionSeverity::LIGHT);
    network.NotifyAt(MilliSeconds(8), 1, CongestionSeverity::SEVERE);
    RunFor(MilliSeconds(12));
    const auto& statistics = network.controller->GetReceiver().GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.light, 1, "is accepted");
    NS_TEST_EXPECT_MSG_EQ(statistics.severe, 2, "are accepted");
    NS_TEST_ASSERT_MSG_EQ(network.rates.size(), row.rates.size(), "steps, and no rise");
    for (std::size_t i = 0; i < row.rates.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(network.rates[i].newValue, row.rates[i], "step " << i);
    }
    AIDC_EXPECT(row.name != "None" || network.rates[0].time > 5000000, "not before the light one");
}

// A notification of the way of 1 ms is followed by no step for 2 ms: before that, nothing can have
// come back from the last one.
AIDC_TEST_CASE("the next step waits for the feedback of the last one")
{
    for (const bool waits : {false, true})
    {
        EdgeNetwork network({{"WaitForFeedback", waits ? "true" : "false"},
                             {"StepInterval", "100us"},
                             {"QuietTime", "1s"}});
        network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(4), 2500);
        // 50 notifications, each 100 us, from 2 ms on
        for (uint32_t i = 0; i < 50; ++i)
        {
            const Time when = MicroSeconds(2000 + 100 * i);
            network.NotifyAt(when, 1, CongestionSeverity::LIGHT, MilliSeconds(1));
        }
        RunFor(MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetReceiver().GetStatistics().light,
                              50,
                              "are accepted");
        // From 2.1 ms to 6.9 ms, each 2 ms or each 100 us
        const uint64_t steps = network.controller->GetStatistics().rateReductions;
        if (waits)
        {
            NS_TEST_EXPECT_MSG_EQ(steps, 3, "at 2.1, 4.1 and 6.1 ms");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(steps, 40, "at nearly each");
        }
    }
}

// Settings that do not fit each other are refused, and the others taken.
AIDC_TEST_CASE("attributes")
{
    auto controller = CreateObject<IngressEdgeController>();
    const auto set = [&controller](const std::string& name, const std::string& value) {
        return controller->SetAttributeFailSafe(name, StringValue(value));
    };
    AIDC_EXPECT(!set("MaxRate", "10Mbps"), "below the floor of 100 Mbit/s");
    AIDC_EXPECT(set("MaxRate", "10Gbps"), "above it");
    AIDC_EXPECT(!set("Floor", "11Gbps"), "above the largest rate");
    AIDC_EXPECT(!set("Floor", "0bps"), "no rate");
    AIDC_EXPECT(set("Floor", "10Gbps"), "the largest rate");
    AIDC_EXPECT(!set("LightStep", "1"), "nothing is left");
    AIDC_EXPECT(!set("SteerThreshold", "17"), "more than are remembered");
    AIDC_EXPECT(!set("Domain", "192.0.2.0"), "no prefix");
    AIDC_EXPECT(set("Domain", "192.0.2.0/24,10.0.0.0/8"), "prefixes");
    AIDC_EXPECT(!set("Key", "xyz"), "no key");
    for (const auto& [name, value] : Attributes{{"StepInterval", "3ms"},
                                                {"QuietTime", "4ms"},
                                                {"RecoveryInterval", "5ms"},
                                                {"SteerWindow", "6ms"},
                                                {"SteerHoldDown", "7ms"},
                                                {"SteerQuietTime", "8ms"},
                                                {"SteerGap", "9ms"},
                                                {"SteerForceTime", "10ms"},
                                                {"MaxAge", "11ms"}})
    {
        AIDC_EXPECT(set(name, value), name);
        TimeValue time;
        controller->GetAttribute(name, time);
        NS_TEST_EXPECT_MSG_EQ(time.Get(), Time(value), name);
    }
    controller->Dispose();
}

// SPDX-License-Identifier: GPL-2.0-only

#include "started-control.h"
#include "test/test-case.h"

#include "ns3/rate-controls.h"
#include "ns3/window-controls.h"

// HpccControl and TimelyControl by themselves.
AIDC_TEST_SUITE("aidc-hpcc-controls", UNIT);

/// Make telemetry of one hop of 100 Gbit/s. now: the time in ns. acknowledged: packets up to which
/// the receiver has everything. next: packets that were ever sent. sent: the bytes that the hop has
/// sent.
CongestionControl::Telemetry
MakeTelemetry(int64_t now, uint64_t acknowledged, uint64_t next, uint64_t sent)
{
    CongestionControl::Telemetry telemetry;
    telemetry.header.hops[0] = MakeIntHop(2, now, sent, 0);
    telemetry.header.nHops = 1;
    telemetry.acknowledged = acknowledged;
    telemetry.next = next;
    return telemetry;
}

// HpccControl's window and rate, at 100 Gbit/s and 8 us: 100000 bytes. Expected results: by the
// rules of core/transport/hpcc-window.h.
AIDC_TEST_CASE("HpccControl sends by the in-band telemetry of the busiest link")
{
    using Outcome = HpccWindow::Outcome;
    auto control = MakeStarted<HpccControl>({{"MinRate", "200Mbps"}});
    AIDC_EXPECT(control->WantsTelemetry(), "it needs it");
    AIDC_EXPECT(!control->WantsEcnEcho(), "no marks");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 101000, "the line's, and a packet");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 100000000000, "line rate");
    // A full link in 8 us: 100096 bytes, 782 times 128
    control->NotifyTelemetry(NanoSeconds(0), MakeTelemetry(0, 1, 100, 0));
    control->NotifyTelemetry(NanoSeconds(8000), MakeTelemetry(8000, 101, 200, 100096));
    NS_TEST_EXPECT_MSG_EQ(control->GetCount(Outcome::FIRST), 1, "the first one");
    NS_TEST_EXPECT_MSG_EQ(control->GetCount(Outcome::USED), 1, "the second one");
    // U = 1.00096: 100000 * 0.95 / 1.00096 = 94908.887, and W_AI of 100 bytes
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 96008, "eta, W_AI and a packet");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control->GetRate(Time(0))),
                              95008.888e6,
                              1e4,
                              "window over 8 us");
    control->NotifyTelemetry(NanoSeconds(9000), MakeTelemetry(9000, 102, 201, 100096));
    // U = 7/8 of 1.00096 is below eta; Wc and W_AI
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 96108, "an additive step");
    uint64_t sent = 100096;
    for (int64_t i = 2; i < 100; ++i)
    {
        // As if ten times as much were sent as the link can
        sent += 1000960;
        const auto position = static_cast<uint64_t>(100 * i);
        const auto telemetry = MakeTelemetry(9000 * i, position, position + 10, sent);
        control->NotifyTelemetry(NanoSeconds(9000 * i), telemetry);
    }
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 200000000, "MinRate");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 1200, "200 bytes and a packet");

    control = MakeStarted<HpccControl>({{"Flows", "10"}, {"Eta", "0.9"}});
    control->NotifyTelemetry(NanoSeconds(0), MakeTelemetry(0, 1, 100, 0));
    control->NotifyTelemetry(NanoSeconds(8000), MakeTelemetry(8000, 101, 200, 100096));
    // 100000 * 0.9 / 1.00096 = 89913.683, and W_AI of 100000 * 0.1 / 10
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 91913, "W_AI by Flows");

    auto connection = MakeConnection();
    connection.baseRtt = Time(0);
    control->Start(Time(0), connection);
    control->NotifyTelemetry(NanoSeconds(0), MakeTelemetry(0, 1, 100, 0));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)),
                          CongestionControl::NO_WINDOW,
                          "no round-trip time, no window");
    control->NotifyAcknowledgment(Time(0), MakeAcknowledgment(MicroSeconds(16)));
    control->NotifyAcknowledgment(Time(0), MakeAcknowledgment(MicroSeconds(99)));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 201000, "the first one measured");
}

/// Acknowledge packets of 1000 bytes.
void
Acknowledge(CongestionControl& control, int n, Time rtt, Time now = Time())
{
    for (int i = 0; i < n; ++i)
    {
        control.NotifyAcknowledgment(now, MakeAcknowledgment(rtt));
    }
}

// TimelyControl's rate, at 100 Gbit/s. Expected results: by the rules of
// core/transport/timely-rate.h.
AIDC_TEST_CASE("TimelyControl sends by the gradient of round-trip times")
{
    auto control = MakeStarted<TimelyControl>();
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 100000000000, "line rate");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), CongestionControl::NO_WINDOW, "no window");
    AIDC_EXPECT(!control->WantsTelemetry(), "round-trip times do");

    control = MakeStarted<TimelyControl>({{"InitialRate", "5Gbps"}});
    Acknowledge(*control, 16, MicroSeconds(40));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 5000000000, "only remembered");
    Acknowledge(*control, 15, MicroSeconds(40));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 5000000000, "15000 bytes");
    Acknowledge(*control, 1, Time());
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 5000000000, "not measured");
    Acknowledge(*control, 1, MicroSeconds(40));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 5100000000, "1/1000 of the line rate");
    Acknowledge(*control, 16, MicroSeconds(60));
    // A gradient of 0.875: 1 - 0.8 * 0.875 remains
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control->GetRate(Time(0))),
                              1.53e9,
                              1,
                              "by the gradient");
    Acknowledge(*control, 16, MicroSeconds(600));
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control->GetRate(Time(0))),
                              1.53e9 * (1 - 0.8 / 6),
                              1,
                              "by THigh");

    control = MakeStarted<TimelyControl>(
        {{"Variant", "Hpcc"}, {"InitialRate", "5Gbps"}, {"HyperIncrease", "700Mbps"}});
    Acknowledge(*control, 1, MicroSeconds(10), MicroSeconds(10));
    for (int64_t i = 2; i <= 6; ++i)
    {
        // The first acknowledgment after a round trip counts, and no other one.
        Acknowledge(*control, 100, MicroSeconds(10), MicroSeconds(10 * i));
        NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)),
                              5000000000 + 100000000 * static_cast<uint64_t>(i - 1),
                              "increase " << i - 1);
    }
    Acknowledge(*control, 1, MicroSeconds(10), MicroSeconds(70));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 6200000000, "the hyper step");

    control = MakeStarted<TimelyControl>({{"MinRate", "3Gbps"}, {"SegmentSize", "1"}});
    for (int64_t i = 1; i < 50; ++i)
    {
        Acknowledge(*control, 1, MicroSeconds(60 + 10 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 3000000000, "MinRate");
}

// TimelyControl's thresholds have to fit each other when a connection starts.
AIDC_TEST_CASE("TimelyControl refuses T_low above T_high")
{
    MakeStarted<TimelyControl>({{"TLow", "500us"}});
    MakeStarted<TimelyControl>({{"TLow", "1ms"}, {"THigh", "2ms"}});
    ExpectRefusal("TimelyControl: TLow +501us is above THigh +500us",
                  [] { MakeStarted<TimelyControl>({{"TLow", "501us"}}); });
}

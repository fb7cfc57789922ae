// SPDX-License-Identifier: GPL-2.0-only

#include "started-control.h"
#include "test/test-case.h"

#include "ns3/congestion-control.h"
#include "ns3/window-controls.h"

// Congestion controls by windows.
AIDC_TEST_SUITE("aidc-window-controls", UNIT);

// SwiftControl's windows and rates, at 100 Gbit/s and 8 us: 100 packets. Expected results: by the
// rules of core/transport/swift-window.h and jump-start.h.
AIDC_TEST_CASE("SwiftControl sends by window, below one packet by rate, and may jump")
{
    const auto rtt = MicroSeconds(10);
    auto swift = MakeStarted<SwiftControl>();
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 100000, "a bandwidth-delay product");
    NS_TEST_EXPECT_MSG_EQ(swift->GetRate(Time(0)), 100000000000, "not limited");
    NS_TEST_EXPECT_MSG_EQ_TOL(swift->GetSwiftWindow().GetTarget(2),
                              20000 + 2 * 3053,
                              1e-6,
                              "target at 100 packets");
    swift->NotifyAcknowledgment(Time(0), MakeAcknowledgment(rtt));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 100010, "1 / 100 of a packet more");
    swift->NotifyLoss(Time(1), false);
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(1)), 50005, "half is lost");

    swift = MakeStarted<SwiftControl>({{"InitialWindow", "0.5"}});
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 1000, "one packet");
    NS_TEST_EXPECT_MSG_EQ(swift->GetRate(Time(0)), 500000000, "each 16 us");
    for (uint32_t i = 0; i < 5; ++i)
    {
        swift->NotifyLoss(MicroSeconds(i), true);
    }
    NS_TEST_EXPECT_MSG_EQ(swift->GetRate(Time(0)), 1000000, "each 8 ms");
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 1000, "one packet");

    swift = MakeStarted<SwiftControl>({{"GoverningDelay", "HopDelay"}});
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::HOP_DELAY, 16000));
    swift->NotifyAcknowledgment(Time(0), MakeAcknowledgment(rtt));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 70000, "0.8 * 6 / 16 less");
    swift = MakeStarted<SwiftControl>();
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::HOP_DELAY, 16000));
    swift->NotifyAcknowledgment(Time(0), MakeAcknowledgment(rtt));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 100010, "the round trip governs");

    const Attributes jump{{"JumpStart", "true"}, {"JumpStartIdleTime", "1ms"}};
    swift = MakeStarted<SwiftControl>(jump);
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 10000, "before the jump");
    swift->NotifySent(Time(0), 1000);
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::ABW_RATIO, 1000000));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 10000, "another signal");
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::ABW, 60000000000));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 60000, "60 Gbit/s");
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::ABW, 400000000000));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 60000, "once");
    swift->NotifySent(MilliSeconds(1), 1000);
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 10000, "idle, so begun anew");
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::ABW, 400000000000));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 100000, "the line has no more");
    swift = MakeStarted<SwiftControl>(jump);
    swift->NotifySignal(Time(0), MakeReading(CsigSignal::ABW, 1000000));
    NS_TEST_EXPECT_MSG_EQ(swift->GetWindow(Time(0)), 10000, "a full path");
}

// CsigControl's window and rate, at 100 Gbit/s and 8 us: 100000 bytes. Expected results: by the
// rules of core/transport/utilization-window.h and jump-start.h.
AIDC_TEST_CASE("CsigControl sends by the utilization and the queue of the busiest link")
{
    auto control = MakeStarted<CsigControl>({{"MinRate", "200Mbps"}});
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 101000, "the line's, and a packet");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 100000000000, "line rate");
    control->NotifySignal(Time(0), MakeReading(CsigSignal::ABW_RATIO, 0));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 96100, "eta, and W_AI of 100 bytes");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 95100000000, "window over 8 us");
    control->NotifySignal(MicroSeconds(8), MakeReading(CsigSignal::QUEUE_DEPTH, 80000));
    control->NotifySignal(MicroSeconds(8), MakeReading(CsigSignal::QUEUE_DEPTH, 7200));
    control->NotifySignal(MicroSeconds(8), MakeReading(CsigSignal::ABW_RATIO, 0));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 48650, "U = 1.9 by the lesser queue");
    control->NotifyAcknowledgment(MicroSeconds(9), MakeAcknowledgment(MicroSeconds(20)));
    for (uint64_t i = 2; i < 100; ++i)
    {
        control->NotifySignal(MicroSeconds(20 * i), MakeReading(CsigSignal::HOP_DELAY, 8000000));
        control->NotifySignal(MicroSeconds(20 * i), MakeReading(CsigSignal::ABW_RATIO, 0));
    }
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 200000000, "MinRate");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 1200, "200 bytes and a packet");

    control = MakeStarted<CsigControl>({{"UseQueueDelay", "false"}});
    control->NotifySignal(Time(0), MakeReading(CsigSignal::QUEUE_DEPTH, 7200));
    control->NotifySignal(Time(0), MakeReading(CsigSignal::ABW_RATIO, 0));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 96100, "without the queue");

    control = MakeStarted<CsigControl>({{"JumpStart", "true"}, {"JumpStartIdleTime", "1ms"}});
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 11000, "before the jump");
    control->NotifySent(Time(0), 1000);
    control->NotifySignal(Time(0), MakeReading(CsigSignal::ABW, 60000000000));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 60000000000, "60 Gbit/s");
    control->NotifySent(MilliSeconds(1), 1000);
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 11000, "begun anew");

    auto connection = MakeConnection();
    connection.baseRtt = Time(0);
    control->Start(Time(0), connection);
    control->NotifySignal(Time(0), MakeReading(CsigSignal::ABW_RATIO, 0));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)),
                          CongestionControl::NO_WINDOW,
                          "no round-trip time, no window");
    control->NotifyAcknowledgment(Time(0), MakeAcknowledgment(MicroSeconds(16)));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 11000, "now there is one");
    control->NotifySignal(Time(0), MakeReading(CsigSignal::ABW, 60000000000));
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), 121000, "60 Gbit/s in 16 us");
}

// Expected results: RFC 8257; 100 Gbit/s times 8 us.
AIDC_TEST_CASE("EcnWindowControl is DCTCP's window; a fixed window stays")
{
    auto ecn = MakeStarted<EcnWindowControl>();
    auto acknowledgment = MakeAcknowledgment(MicroSeconds(8));
    acknowledgment.nInFlight = 9000;
    NS_TEST_EXPECT_MSG_EQ(ecn->GetWindow(Time(0)), 10000, "ten packets");
    ecn->NotifyAcknowledgment(Time(0), acknowledgment);
    NS_TEST_EXPECT_MSG_EQ(ecn->GetWindow(Time(0)), 11000, "slow start");
    NS_TEST_EXPECT_MSG_EQ(ecn->GetEcnWindow().GetAlpha(), 0.9375, "a window without marks");
    acknowledgment.isMarked = true;
    ecn->NotifyAcknowledgment(Time(0), acknowledgment);
    NS_TEST_EXPECT_MSG_EQ(ecn->GetWindow(Time(0)), 5843, "11000 * (1 - 0.9375 / 2)");
    NS_TEST_EXPECT_MSG_EQ(ecn->GetRate(Time(0)), 100000000000, "no rate");
    AIDC_EXPECT(ecn->WantsEcnEcho(), "each mark counts");
    ecn->NotifyLoss(Time(0), true);
    NS_TEST_EXPECT_MSG_EQ(ecn->GetWindow(Time(0)), 2000, "MinWindow");

    auto fixed = MakeStarted<FixedWindowControl>();
    AIDC_EXPECT(!fixed->WantsEcnEcho(), "as others");
    NS_TEST_EXPECT_MSG_EQ(fixed->GetWindow(Time(0)), 100000, "a bandwidth-delay product");
    fixed = MakeStarted<FixedWindowControl>({{"Window", "5000"}});
    fixed->NotifyLoss(Time(0), true);
    NS_TEST_EXPECT_MSG_EQ(fixed->GetWindow(Time(0)), 5000, "as set");
    auto connection = MakeConnection();
    connection.baseRtt = Time(0);
    fixed = CreateObject<FixedWindowControl>();
    fixed->Start(Time(0), connection);
    NS_TEST_EXPECT_MSG_EQ(fixed->GetWindow(Time(0)), CongestionControl::NO_WINDOW, "unknown");
}

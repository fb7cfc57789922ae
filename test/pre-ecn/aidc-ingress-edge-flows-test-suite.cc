// SPDX-License-Identifier: GPL-2.0-only

// Which flows an ingress PE knows, and for how long (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).

#include "edge-network.h"
#include "model/core/pre-ecn/edge-rate-law.h"
#include "test/test-case.h"

// The flows that IngressEdgeController does not limit, and the flows that it forgets.
AIDC_TEST_SUITE("aidc-ingress-edge-flows", UNIT);

// What sends no more than the floor is not limited, so that what it sends later is not slow.
// Expected results: a flow sends 100 bytes each 20 us, 40 Mbit/s, as acknowledgments may be, and is
// notified of each 200 us for 4 ms. Then it sends 2 Gbit/s for 4 ms.
AIDC_TEST_CASE("a flow below the floor is not limited")
{
    EdgeNetwork network{Attributes()};
    network.SendFlow(1, 100, MicroSeconds(1), MicroSeconds(20), 200);
    network.SendFlow(1, 1000, MilliSeconds(4), MicroSeconds(4), 1000);
    for (uint32_t i = 1; i < 20; ++i)
    {
        network.NotifyAt(MicroSeconds(200 * i), 1);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 19, "all are accepted");
    NS_TEST_EXPECT_MSG_EQ(network.rates.size(), 0, "the flow is never limited");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetRate(1, MicroSeconds(4100), MicroSeconds(7900)),
                              2e9,
                              2e7,
                              "and its message leaves as fast as it comes");
}

// A notification of a flow that has ended does not slow down what the flow sends later.
AIDC_TEST_CASE("a step does not wait for a flow that does not send")
{
    // In the second case the flow is remembered for another reason.
    for (const Attributes& attributes : {Attributes{}, Attributes{{"QuietTime", "5s"}}})
    {
        EdgeNetwork network(attributes);
        network.NotifyAt(MilliSeconds(1), 1);
        network.SendFlow(1, 1000, MilliSeconds(2500), MicroSeconds(4), 500);
        RunFor(Seconds(3));
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 1, "it is accepted");
        NS_TEST_EXPECT_MSG_EQ(network.rates.size(), 0, "and does nothing");
        AIDC_EXPECT(network.IsWhole(1), "the flow is whole");
    }
}

// The pause between two messages does not make a flow look slow. Expected results: a flow sends
// messages of 2 Gbit/s. It is notified of 40 us before the first one ends, so that nine packets are
// in the measurement when it pauses for 0.5 ms, 134 Mbit/s with the pause, and again when the next
// message has begun. The step is 5 % of 2 Gbit/s.
AIDC_TEST_CASE("a flow's step is one of the rate of its messages")
{
    EdgeNetwork network{Attributes()};
    network.SendFlow(1, 1000, MicroSeconds(0), MicroSeconds(4), 100);
    network.SendFlow(1, 1000, MicroSeconds(900), MicroSeconds(4), 500);
    network.NotifyAt(MicroSeconds(360), 1);
    network.NotifyAt(MicroSeconds(920), 1);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_GT(network.rates.size(), 0, "it is slowed down");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.rates[0].newValue),
                              1.9e9,
                              2e7,
                              "by a step");
}

// Notifications that ask for no step, of a flow that is silent.
//
// Expected results: the step of the light notification at 1 ms is forgotten soon after, though more
// come of the flow until it sends, from 4 ms on. Flow 2 is limited when it falls silent at 2
// ms, and what is told of it until 20 ms keeps its rate from rising.
AIDC_TEST_CASE("notifications without a step neither keep a step nor let a rate rise")
{
    EdgeNetwork network(Attributes{{"SevereReaction", "None"}});
    network.NotifyAt(MilliSeconds(1), 1);
    for (uint32_t us = 1050; us < 4200; us += 50)
    {
        network.NotifyAt(MicroSeconds(us), 1, CongestionSeverity::SEVERE);
    }
    network.SendFlow(1, 1000, MilliSeconds(4), MicroSeconds(4), 500);
    network.SendFlow(2, 1000, MicroSeconds(1), MicroSeconds(4), 500);
    network.NotifyAt(MilliSeconds(1), 2);
    for (uint32_t us = 1300; us < 20000; us += 200)
    {
        network.NotifyAt(MicroSeconds(us), 2, CongestionSeverity::SEVERE);
    }
    RunFor(MilliSeconds(20));
    NS_TEST_ASSERT_MSG_EQ(network.rates.size(), 1, "one step, and no rise");
    AIDC_EXPECT(network.rates[0].flow == EdgeNetwork::GetFlow(2),
                "of the flow that sent when it was notified of");
}

// What is known of a flow that is silent is forgotten, limited or not. Expected results: flows 1
// and 2 send until 5 ms, and are silent for 20 ms at 25 ms.
AIDC_TEST_CASE("silent flows are forgotten")
{
    EdgeNetwork network(
        {{"AgingTime", "20ms"}, {"QuietTime", "1s"}, {"MaxFlows", "2"}, {"LightStep", "0.5"}});
    for (const uint16_t port : {1, 2})
    {
        network.SendFlow(port, 1000, MicroSeconds(port), MicroSeconds(8), 625); // 5 ms
        network.NotifyAt(MilliSeconds(1), port);
    }
    // There is no room for another one, until the others are forgotten.
    network.NotifyAt(MilliSeconds(3), 3);
    // Flow 4 never sends.
    network.NotifyAt(MilliSeconds(40), 4);
    Simulator::Schedule(MilliSeconds(24), [&network, this] {
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 2, "not forgotten yet");
    });
    Simulator::Schedule(MilliSeconds(27), [&network, this] {
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "forgotten");
    });
    Simulator::Run();
    const auto& statistics = network.controller->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetReceiver().GetStatistics().tooManyFlows,
                          1,
                          "of flow 3");
    NS_TEST_EXPECT_MSG_EQ(network.refused[DomainMessageGuard::TOO_MANY_FLOWS], 1, "traced");
    NS_TEST_EXPECT_MSG_EQ(statistics.agedFlows, 3, "flows 1, 2 and 4");
    NS_TEST_ASSERT_MSG_EQ(network.rates.size(), 4, "two flows were limited and released");
    NS_TEST_EXPECT_MSG_EQ(network.rates[3].newValue,
                          EdgeRateLaw::UNLIMITED,
                          "with what they were limited to");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "and the simulation ends");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now().GetSeconds(), 0.1, "without a timer for ever");
}

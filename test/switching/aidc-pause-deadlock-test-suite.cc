// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-network.h"
#include "test/test-case.h"

#include "ns3/fabric-interface.h"
#include "ns3/multipath-routing-helper.h"

// Deadlocks of priority flow control, and their end.
AIDC_TEST_SUITE("aidc-pause-deadlock", SYSTEM);

// A circular dependency of buffers stops all traffic for ever, unless the watchdog ends it.
//
//     S0 -> S1 -> S2 -> S3 -> S0, a host at each.
//
// Each host sends clockwise over two links of the ring, to the switch after the next one. So what
// comes in at a switch by the ring waits for the next link of the ring, which is stopped by the
// next switch for the same reason. A packet that would leave the ring waits behind one that is
// stopped.
AIDC_TEST_CASES(std::string,
                action,
                "A circular dependency of buffers, watchdog: " + action,
                ({"None", "Drop", "Forward"}))
{
    constexpr uint32_t SWITCHES = 4;
    constexpr uint32_t PACKETS = 2000;
    uint64_t storms = 0; // as reported, and their ends
    uint64_t restored = 0;
    LosslessNetwork s;
    const bool hasWatchdog = action != "None";
    if (hasWatchdog)
    {
        s.pfc.SetAttribute("DetectionTime", TimeValue(MicroSeconds(200)));
        s.pfc.SetAttribute("WatchdogAction", StringValue(action));
    }
    FabricPlan ring("ring");
    for (uint32_t i = 0; i < SWITCHES; ++i)
    {
        ring.AddNode(FabricTier::LEAF, i, i); // each is a pod of its own
    }
    for (uint32_t i = 0; i < SWITCHES; ++i)
    {
        const NodeIndex host = ring.AddNode(FabricTier::HOST, i, i);
        ring.AddLink(NodeIndex(i), host, RATE, 1000); // port 0
    }
    for (uint32_t i = 0; i < SWITCHES; ++i)
    {
        ring.AddLink(NodeIndex(i), NodeIndex((i + 1) % SWITCHES), RATE, 1000);
    }
    ring.Finish();
    s.Build(ring, SwitchDatapath::FAST, 300000);
    for (uint32_t i = 0; i < SWITCHES; ++i)
    {
        // Clockwise, where both ways have the same length.
        const NodeIndex node(i);
        const NodeIndex next((i + 1) % SWITCHES);
        const auto& ports = ring.GetPorts(node);
        PortIndex port;
        while (ports[port].peer != next)
        {
            ++port;
        }
        MultipathRoutingHelper::GetRouting(s.network.GetNode(node))
            ->AddRoute(s.network.GetAddress(NodeIndex(SWITCHES + (i + 2) % SWITCHES)),
                       Ipv4Mask::GetOnes(),
                       {NextHop(GetInterfaceOfPort(port), s.network.GetAddress(next))});
        for (PortIndex p; p < ports.GetEnd(); ++p)
        {
            ConnectTrace(s.GetControl(node, p),
                         "Watchdog",
                         [&](uint32_t priority, PauseWatchdogEvent event) {
                             NS_TEST_EXPECT_MSG_EQ(priority, PRIORITY, "the lossless one");
                             ++(event == PauseWatchdogEvent::STORM ? storms : restored);
                         });
        }
        s.Send(NodeIndex(SWITCHES + i), NodeIndex(SWITCHES + (i + 2) % SWITCHES), PACKETS);
    }

    // Without a deadlock all is over after 8000 packets of 123 ns over 4 links of which each
    // packet uses two: 492 us.
    uint64_t before = 0;
    Simulator::Schedule(MilliSeconds(5), [&] { before = s.received; });
    RunFor(MilliSeconds(10));
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < SWITCHES; ++i)
    {
        waiting += s.GetBuffer(NodeIndex(i))->GetUsed();
    }
    NS_TEST_EXPECT_MSG_EQ(s.sent, SWITCHES * PACKETS, "hosts have sent all");
    const auto dropped = s.network.GetPacketCounts().dropped;
    if (!hasWatchdog)
    {
        NS_TEST_EXPECT_MSG_LT(s.received, s.sent, "not all arrive");
        NS_TEST_EXPECT_MSG_EQ(s.received, before, "nothing moves for 5 ms");
        NS_TEST_EXPECT_MSG_EQ(dropped, 0, "although nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(storms, 0, "nobody reports it");
        // As the manual has it.
        NS_TEST_EXPECT_MSG_EQ(s.received, 344, "what arrives");
        NS_TEST_EXPECT_MSG_EQ_TOL(s.last, NanoSeconds(31500), NanoSeconds(50), "until then");
        NS_TEST_EXPECT_MSG_EQ(waiting, 732000, "what waits in the switches");
        return;
    }
    // One for each port by which a switch sends into the ring
    NS_TEST_EXPECT_MSG_EQ(storms, SWITCHES, "the watchdog reports it");
    NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all that was sent has gone");
    NS_TEST_EXPECT_MSG_EQ(waiting, 0, "nothing waits");
    NS_TEST_EXPECT_MSG_EQ(restored, storms, "all is as before");
    for (uint32_t i = 0; i < SWITCHES; ++i)
    {
        for (uint32_t port = 0; port < 3; ++port)
        {
            AIDC_EXPECT(!s.GetControl(NodeIndex(i), PortIndex(port))->IsStormed(PRIORITY),
                        "no storm at port " << port << " of switch " << i);
        }
    }
    const bool isDrop = action == "Drop";
    NS_TEST_EXPECT_MSG_EQ(dropped, (isDrop ? 6956 : 5616), "its price, as the manual has it");
}

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lossless-network.h"

#include "ns3/data-rate.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/slow-receiver.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

const NodeIndex SWITCH(0); //!< the only one
const NodeIndex SLOW(1);   //!< the host that is slow
const NodeIndex SENDER(2); //!< the host that sends to it
const NodeIndex OTHER(3);  //!< a host that is not slow

/**
 * @brief Get the port of a host.
 * @param s the network
 * @param host the host
 * @return the port
 */
Ptr<EthernetNetDevice>
GetPort(const LosslessNetwork& s, NodeIndex host)
{
    return DynamicCast<EthernetNetDevice>(s.network.GetPort(host, PortIndex(0)));
}

/**
 * @brief Make a host's port slow.
 * @param s the network
 * @param bitsPerSecond the rate at which it takes what has arrived
 * @param xoff from how many bytes on the peer is to stop; at half of them it may go on
 * @return the receive buffer
 */
Ptr<SlowReceiver>
MakeSlow(LosslessNetwork& s, uint64_t bitsPerSecond, uint64_t xoff)
{
    auto receiver = CreateObjectWithAttributes<SlowReceiver>("Rate",
                                                             DataRateValue(DataRate(bitsPerSecond)),
                                                             "Xoff",
                                                             UintegerValue(xoff),
                                                             "Xon",
                                                             UintegerValue(xoff / 2));
    receiver->Install(GetPort(s, SLOW));
    return receiver;
}

/**
 * @ingroup aidc-test
 * @brief A host that takes a quarter of its link's rate gets a quarter, without loss.
 *
 * Links of 100 Gb/s and 2 us, 1000 packets of 1500 bytes, in frames of 1514 that take 1538 bytes of
 * time. The receive buffer stops the switch at 60,000 bytes: above them it gets what comes in 4 us
 * of cable, 50,000 bytes of time, and three frames and a PFC frame as for a switch. It never runs
 * empty before the end, as a stop ends at 30,000 bytes, which take 9.6 us at 25 Gb/s, and the next
 * packet is there 4.3 us later. So the last packet arrives when all but what is in the buffer has
 * been taken: 1,514,000 bytes at 25 Gb/s take 484.48 us, what may be in the buffer 40 of them.
 */
class RateTestCase : public TestCase
{
  public:
    RateTestCase()
        : TestCase("A slow receiver gets its own rate, without loss")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PACKETS = 1000;
        constexpr uint64_t XOFF = 60000;
        constexpr uint64_t BEYOND = 50000 + 3 * 1562 + 84;
        LosslessNetwork s;
        s.Build(MakeStar(3, RATE, 2000), SwitchDatapath::FAST, 4000000);
        const auto slow = MakeSlow(s, RATE / 4, XOFF);
        uint64_t most = 0;
        uint32_t nEmpty = 0;
        std::vector<bool> told;
        slow->TraceConnectWithoutContext("Xoff", Callback<void, bool>([&told](bool isXoff) {
                                             told.push_back(isXoff);
                                         }));
        for (int64_t us = 20; us < 400; ++us)
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                most = std::max(most, slow->GetOccupancy());
                nEmpty += slow->GetOccupancy() == 0 ? 1 : 0;
            });
        }
        s.Send(SENDER, SLOW, PACKETS);
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(s.received, PACKETS, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(nEmpty, 0, "the host never waits");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(most, XOFF, "the buffer is filled");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(most, XOFF + BEYOND, "as far as a headroom goes");
        // From the first packet on, which takes two links of 2 us and 123 ns.
        const Time all = NanoSeconds(484480 + 4246);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(s.last, all, "the host has not waited");
        NS_TEST_EXPECT_MSG_GT(s.last,
                              all - NanoSeconds((XOFF + BEYOND) * 8 / 25),
                              "but for what is in the buffer");
        NS_TEST_EXPECT_MSG_EQ(slow->GetOccupancy(), 0, "all has been taken");
        NS_TEST_EXPECT_MSG_EQ(slow->IsXoff(), false, "the peer may send");
        NS_TEST_ASSERT_MSG_GT(told.size(), 2, "the peer was stopped more than once");
        for (std::size_t i = 0; i < told.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(told[i], (i % 2 == 0), "stop and go in turn");
        }
        const auto& host = s.GetControl(SLOW, PortIndex(0))->GetStatistics().priorities[PRIORITY];
        const auto& port = s.GetControl(SWITCH, PortIndex(0))->GetStatistics().priorities[PRIORITY];
        NS_TEST_EXPECT_MSG_EQ(host.sentXoff, told.size() / 2, "told on the wire");
        NS_TEST_EXPECT_MSG_EQ(port.pauses, told.size() / 2, "and obeyed");
    }
};

/**
 * @ingroup aidc-test
 * @brief A host that stops is the source of a storm: what waits for it fills the switch, and stops
 *        the sender for other hosts, too. A watchdog confines it.
 *
 * The host has stopped from the start, and goes on at 2 ms; the watchdog finds the storm after
 * 200 us. The sender sends 400 packets to it and 400 to another host, in turn by tens: 600 kB
 * either way. Of 300 kB that the switch has beside its headrooms, an account may have a half
 * (XoffAlpha is 1). Hosts have no watchdog.
 */
class StormTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param action what the watchdog of the switch does, "None" for no watchdog
     */
    explicit StormTestCase(const std::string& action)
        : TestCase("A host that has stopped is the source of a storm, watchdog: " + action),
          m_action(action)
    {
    }

  private:
    static constexpr uint32_t PACKETS = 400;

    void DoRun() override
    {
        LosslessNetwork s;
        const bool hasWatchdog = m_action != "None";
        if (hasWatchdog)
        {
            s.pfc.SetAttribute("DetectionTime", TimeValue(MicroSeconds(200)));
            s.pfc.SetAttribute("WatchdogAction", StringValue(m_action));
        }
        s.Build(MakeStar(3, RATE, 2000), SwitchDatapath::FAST, 3 * 54770 + 300000);
        const auto slow = MakeSlow(s, 0, 10000);
        for (const NodeIndex host : {SLOW, SENDER, OTHER})
        {
            s.GetControl(host, PortIndex(0))->SetAttribute("DetectionTime", TimeValue(Seconds(0)));
        }
        for (uint32_t i = 0; i < PACKETS / 10; ++i)
        {
            s.Send(SENDER, SLOW, 10, PRIORITY, MicroSeconds(2 * i));
            s.Send(SENDER, OTHER, 10, PRIORITY, MicroSeconds(2 * i + 1));
        }
        std::vector<PauseWatchdogEvent> events;
        s.GetControl(SWITCH, PortIndex(0))
            ->TraceConnectWithoutContext(
                "Watchdog",
                Callback<void, uint32_t, PauseWatchdogEvent>(
                    [&events](uint32_t, PauseWatchdogEvent event) { events.push_back(event); }));
        const auto other = GetPort(s, OTHER);
        const auto sender = s.GetControl(SENDER, PortIndex(0));
        bool isSpread = false;
        Simulator::Schedule(MicroSeconds(150), [&] { isSpread = sender->IsPaused(PRIORITY); });
        uint64_t arrived = 0; // at the host that is not slow, before the other one goes on
        Simulator::Schedule(MicroSeconds(1999),
                            [&] { arrived = other->GetStatistics().inUnicastFrames; });
        Simulator::Schedule(MilliSeconds(2),
                            [slow] { slow->SetAttribute("Rate", DataRateValue(DataRate(RATE))); });
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(isSpread, true, "the sender is stopped, for both hosts");
        const auto dropped = s.network.GetPacketCounts().dropped;
        NS_TEST_EXPECT_MSG_EQ(s.sent, 2 * PACKETS, "all have been sent");
        NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all are accounted for");
        NS_TEST_EXPECT_MSG_EQ(slow->IsXoff(), false, "the storm is over");
        if (!hasWatchdog)
        {
            NS_TEST_EXPECT_MSG_LT(arrived, PACKETS, "the other host gets no more, either");
            NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nothing is lost");
            NS_TEST_EXPECT_MSG_EQ(events.size(), 0, "nobody reports it");
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(arrived, PACKETS, "the other host gets all of its packets");
        NS_TEST_ASSERT_MSG_EQ(events.size(), 2, "a storm and its end");
        NS_TEST_EXPECT_MSG_EQ((events[0] == PauseWatchdogEvent::STORM), true, "a storm");
        NS_TEST_EXPECT_MSG_EQ((events[1] == PauseWatchdogEvent::RESTORED), true, "its end");
        if (m_action == "Drop")
        {
            // All but what has gone before the host's first XOFF has arrived at the switch: 10,000
            // bytes are 7 packets, 4 us and a frame that is being sent 34.
            NS_TEST_EXPECT_MSG_GT_OR_EQ(dropped, PACKETS - 41, "packets for the slow host");
            NS_TEST_EXPECT_MSG_LT(dropped, PACKETS, "but none for the other one");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(dropped, 0, "they were forwarded");
        }
    }

    std::string m_action; //!< what the watchdog does
};

/**
 * @ingroup aidc-test
 * @brief Hosts that stop their peers.
 */
class AidcSlowReceiverTestSuite : public TestSuite
{
  public:
    AidcSlowReceiverTestSuite()
        : TestSuite("aidc-slow-receiver", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new RateTestCase);
        for (const char* action : {"None", "Drop", "Forward"})
        {
            AddTestCase(new StormTestCase(action));
        }
    }
};

/// The instance that registers the suite
const AidcSlowReceiverTestSuite g_aidcSlowReceiverTestSuite;

} // namespace

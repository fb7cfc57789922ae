// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-pair.h"
#include "test/test-case.h"

#include "ns3/error-model.h"
#include "ns3/priority-flow-control.h"

// Errors, failing links and counters of Ethernet ports.
AIDC_TEST_SUITE("aidc-ethernet-link", UNIT);

// An error model corrupts the second and the fourth of five frames.
AIDC_TEST_CASE("Frames that the error model corrupts are errors")
{
    EthernetPair pair;
    auto errors = CreateObject<ReceiveListErrorModel>();
    errors->SetList({1, 3}); // from 0
    pair.b->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    for (const auto* name : {"PhyRxDrop", "PhyRxEnd", "MacRx", "Sniffer"})
    {
        pair.b.Trace(name);
    }
    for (uint32_t i = 0; i < 5; ++i)
    {
        pair.a.Send(100 + i);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 3, "the others");
    for (uint32_t i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[i].packet->GetSize(), 100 + 2 * i, "the others");
    }
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inErrors, 2, "dot3StatsFCSErrors");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inOctets, 118 + 120 + 122, "valid frames");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("PhyRxDrop"), 2, "dropped");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("PhyRxEnd"), 3, "intact");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("MacRx"), 3, "for this node");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("Sniffer"), 3, "captures have no corrupt frames");
}

// A link that fails at 1.2 us and is restored at 20 us, with a DetectionDelay of 10 us. A packet of
// 1,000 bytes arrives 1,538 ns after it is sent.
AIDC_TEST_CASE("A failure loses frames at once, and is noticed after DetectionDelay")
{
    EthernetPair pair({}, {{"DetectionDelay", "10us"}});
    std::vector<int64_t> changes;
    pair.a->AddLinkChangeCallback(
        Callback<void>([&changes] { changes.push_back(Simulator::Now().GetNanoSeconds()); }));
    pair.b.Trace("PhyRxDrop");
    Simulator::Schedule(NanoSeconds(1200), &EthernetChannel::Fail, pair.link);
    Simulator::Schedule(NanoSeconds(20000), &EthernetChannel::Restore, pair.link);

    struct Step
    {
        int64_t time;     //!< when a packet is sent
        bool isAccepted;  //!< what the port says
        uint64_t lost;    //!< what is lost when all has had time to arrive
        uint64_t arrived; //!< what has arrived then
    };

    const std::vector<Step> steps{
        {0, true, 1, 0},      // on the wire when the link fails
        {5000, true, 2, 0},   // failed, but not noticed
        {9600, true, 3, 0},   // the same
        {11300, false, 3, 0}, // noticed
        {20100, false, 3, 0}, // restored, but not noticed
        {29900, false, 3, 0}, // the same
        {30100, true, 3, 1},  // noticed
    };
    for (const auto& step : steps)
    {
        Simulator::Schedule(NanoSeconds(step.time), [this, &pair, &step] {
            NS_TEST_EXPECT_MSG_EQ(pair.a.Send(1000), step.isAccepted, step.time);
            NS_TEST_EXPECT_MSG_EQ(pair.a->IsLinkUp(), step.isAccepted, step.time);
            NS_TEST_EXPECT_MSG_EQ(pair.b->IsLinkUp(), step.isAccepted, step.time);
        });
        Simulator::Schedule(NanoSeconds(step.time + 1538 + 1), [this, &pair, &step] {
            NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inLost, step.lost, step.time);
            NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), step.arrived, step.time);
        });
    }
    Simulator::Run();
    AIDC_EXPECT((changes == std::vector<int64_t>{11200, 30000}), "both told");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("PhyRxDrop"), 3, "lost frames are traced");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outDiscards, 3, "refused");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outLost, 3, "for the failure");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outUnicastFrames, 7, "asked for");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outOctets, 4 * 1018, "sent");
}

// A failure from 1.1 us to 1.2 us, which is over when the frame would arrive, and one while the
// port still thinks that the link is down.
AIDC_TEST_CASE("A short failure is not noticed, but loses the frames on the link")
{
    EthernetPair pair({}, {{"DetectionDelay", "10us"}});
    std::vector<int64_t> changes;
    pair.b->AddLinkChangeCallback(
        Callback<void>([&changes] { changes.push_back(Simulator::Now().GetNanoSeconds()); }));
    pair.a.Send(1000);
    pair.a.Send(1000);
    pair.a.Send(1000); // its last bit is sent at 3,114 ns
    Simulator::Schedule(NanoSeconds(1100), &EthernetChannel::Fail, pair.link);
    Simulator::Schedule(NanoSeconds(1150), &EthernetChannel::Fail, pair.link); // already
    Simulator::Schedule(NanoSeconds(1200), &EthernetChannel::Restore, pair.link);
    Simulator::Run();
    // The first had left, the second was being sent.
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inLost, 2, "on the link");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 1, "the third");
    NS_TEST_EXPECT_MSG_EQ(changes.size(), 0, "not noticed");

    // Noticed at 50 us; restored at 55 us for 1 us only.
    for (const int64_t time : {40, 56})
    {
        Simulator::Schedule(MicroSeconds(time) - Simulator::Now(),
                            &EthernetChannel::Fail,
                            pair.link);
    }
    Simulator::Schedule(MicroSeconds(55) - Simulator::Now(), &EthernetChannel::Restore, pair.link);
    Simulator::Run();
    AIDC_EXPECT(changes == std::vector<int64_t>{50000}, "down for good");
    AIDC_EXPECT(!pair.a->IsLinkUp(), "down for good");
}

// What the trace source of the link's state tells. A link fails at 1 us, is restored at 5 us, and
// fails for 1 us at 20 us; its ends notice after 2 us.
AIDC_TEST_CASE("LinkState tells when a port notices that its link is down or up")
{
    using States = std::vector<std::pair<int64_t, bool>>;
    EthernetPair pair({}, {{"DetectionDelay", "2us"}});
    States states[2];
    uint32_t end = 0;
    for (const auto& port : {pair.a.Get(), pair.b.Get()})
    {
        ConnectTrace(port, "LinkState", [this, port, &list = states[end]](bool isUp) {
            NS_TEST_EXPECT_MSG_EQ(port->IsLinkUp(), isUp, "the port says the same");
            list.emplace_back(Simulator::Now().GetNanoSeconds(), isUp);
        });
        ++end;
    }
    for (const int64_t time : {1000, 20000})
    {
        Simulator::Schedule(NanoSeconds(time), &EthernetChannel::Fail, pair.link);
    }
    for (const int64_t time : {5000, 21000})
    {
        Simulator::Schedule(NanoSeconds(time), &EthernetChannel::Restore, pair.link);
    }
    Simulator::Run();
    const States expected{{3000, false}, {7000, true}};
    AIDC_EXPECT(states[0] == expected, "one end");
    AIDC_EXPECT(states[1] == expected, "the other end");
}

// Ten packets are sent as the link fails; two have been sent when it is noticed after 2 us.
AIDC_TEST_CASE("What waits in the port is discarded when it notices that the link is down")
{
    EthernetPair pair({}, {{"DetectionDelay", "2us"}});
    pair.a.Trace("MacTxDrop");
    pair.link->Fail();
    for (int i = 0; i < 10; ++i)
    {
        pair.a.Send(1000);
    }
    Simulator::Schedule(MicroSeconds(20), &EthernetChannel::Restore, pair.link);
    Simulator::Schedule(MicroSeconds(30), [&pair] { pair.a.Send(1000); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inLost, 2, "sent into the failed link");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outDiscards, 8, "the others");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outLost, 8, "the others");
    NS_TEST_EXPECT_MSG_EQ(pair.a.Count("MacTxDrop"), 8, "the others");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 1, "the one after it was restored");
}

// The counters of RFC 2863 with the meaning of RFC 3635, section 3.2. 100, 1, 200 and 300 bytes of
// payload are frames of 118, 64, 218 and 318 bytes.
AIDC_TEST_CASE("Counters are those of RFC 2863 and RFC 3635")
{
    EthernetPair pair;
    const Mac48Address group("01:00:5e:00:00:05");
    pair.a.Send(100);
    pair.a.Send(1);
    pair.a->Send(Create<Packet>(200), group, 0x88b5);
    pair.a->Send(Create<Packet>(300), pair.a->GetBroadcast(), 0x88b5);
    pair.a.Send(1501);
    Simulator::Run();
    const auto& out = pair.a->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(out.outOctets, 118 + 64 + 218 + 318, "header to check sequence");
    NS_TEST_EXPECT_MSG_EQ(out.outUnicastFrames, 3, "including those that are not sent");
    NS_TEST_EXPECT_MSG_EQ(out.outMulticastFrames, 1, "multicast frames sent");
    NS_TEST_EXPECT_MSG_EQ(out.outBroadcastFrames, 1, "broadcast frames sent");
    NS_TEST_EXPECT_MSG_EQ(out.outErrors, 1, "too long");
    NS_TEST_EXPECT_MSG_EQ(out.outDiscards, 0, "frames dropped at the sender");
    NS_TEST_EXPECT_MSG_EQ(CountIn(out), 0, "nothing has come");
    const auto& in = pair.b->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(in.inOctets, 118 + 64 + 218 + 318, "header to check sequence");
    NS_TEST_EXPECT_MSG_EQ(in.inUnicastFrames, 2, "unicast frames received");
    NS_TEST_EXPECT_MSG_EQ(in.inMulticastFrames, 1, "multicast frames received");
    NS_TEST_EXPECT_MSG_EQ(in.inBroadcastFrames, 1, "broadcast frames received");
    NS_TEST_EXPECT_MSG_EQ(CountIn(in), 4, "and nothing else");
    NS_TEST_EXPECT_MSG_EQ(in.outOctets, 0, "nothing was sent");

    // MAC control, which no higher layer asks for, is in the octets only.
    for (const auto& end : {pair.a.Get(), pair.b.Get()})
    {
        CreateObject<PriorityFlowControl>()->Install(end);
    }
    pair.a->GetObject<PriorityFlowControl>()->SetXoff(3, true);
    RunFor(MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(out.outOctets, 118 + 64 + 218 + 318 + 64, "a frame as any other");
    NS_TEST_EXPECT_MSG_EQ(out.outMulticastFrames, 1, "as before");
    NS_TEST_EXPECT_MSG_EQ(in.inOctets, 118 + 64 + 218 + 318 + 64, "and at the other end");
    NS_TEST_EXPECT_MSG_EQ(CountIn(in), 4, "as before");
}

// What NetAnim's AnimationInterface connects to: the path and the signature of
// ns3::PointToPointChannel's trace source. Expected results: a packet of 1,000 bytes is told with
// both ends when its transmission begins. Its last bit arrives when 8 octets of preamble and 1,018
// of the frame have taken a ns each, and the delay 500 ns.
AIDC_TEST_CASE("NetAnim is told of frames, as of those of point-to-point links")
{
    EthernetPair pair;
    uint32_t nTold = 0;
    const Callback<void, std::string, Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time>
        told([&](std::string,
                 Ptr<const Packet>,
                 Ptr<NetDevice> from,
                 Ptr<NetDevice> to,
                 Time duration,
                 Time arrival) {
            ++nTold;
            NS_TEST_EXPECT_MSG_EQ(from, pair.b.Get(), "sender");
            NS_TEST_EXPECT_MSG_EQ(to, pair.a.Get(), "receiver");
            NS_TEST_EXPECT_MSG_EQ(arrival, NanoSeconds(1526), "the last bit arrives");
            NS_TEST_EXPECT_MSG_EQ(arrival - duration, NanoSeconds(500), "propagation");
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(100), "when it begins");
        });
    Config::Connect("/ChannelList/*/TxRxPointToPoint", told);
    Simulator::Schedule(NanoSeconds(100), [&pair] { pair.b.Send(1000); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nTold, 1, "once");
}

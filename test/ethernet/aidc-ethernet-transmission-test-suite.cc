// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-pair.h"
#include "test/test-case.h"

// What Ethernet ports send and receive, and when, as IEEE 802.3 asks of every port.
AIDC_TEST_SUITE("aidc-ethernet-transmission", UNIT);

/// Make a packet whose bytes count up.
Ptr<Packet>
MakeCounting(uint32_t size)
{
    Bytes bytes(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = static_cast<uint8_t>(i);
    }
    return Create<Packet>(bytes.data(), size);
}

// What is sent arrives as it was, from whom, and exactly when it must. 1,000 bytes at 8 Gb/s: 8 of
// preamble + 14 + 1000 + 4 = 1,026 bytes, each 1 ns, and 500 ns on the link. The gap does not
// belong to the frame.
AIDC_TEST_CASE("A packet arrives when preamble, frame and check sequence have passed")
{
    EthernetPair pair;
    const auto sent = MakeCounting(1000);
    Simulator::Schedule(MicroSeconds(1), [&] {
        AIDC_EXPECT(pair.a->Send(sent, pair.b->GetAddress(), ETHERTYPE),
                    "the port takes the packet");
    });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "one packet");
    const auto& delivery = pair.b.received[0];
    NS_TEST_EXPECT_MSG_EQ(delivery.time, 1000 + 1026 + 500, "when");
    AIDC_EXPECT(GetBytes(delivery.packet) == GetBytes(sent), "what");
    NS_TEST_EXPECT_MSG_EQ(delivery.protocol, ETHERTYPE, "its EtherType");
    NS_TEST_EXPECT_MSG_EQ(delivery.from,
                          Mac48Address::ConvertFrom(pair.a->GetAddress()),
                          "its source");
    NS_TEST_EXPECT_MSG_EQ(sent->GetSize(), 1000, "the sender's packet is as it was");
    NS_TEST_EXPECT_MSG_EQ(pair.a.received.size(), 0, "nothing comes back");
}

// The bytes of a frame: destination, source, EtherType, payload, zeros up to 60 bytes.
AIDC_TEST_CASE("A frame on the wire is Ethernet II, 60 bytes or more (IEEE 802.3, 3.1.1)")
{
    EthernetPair pair;
    pair.a->SetAddress(Mac48Address("02:00:00:00:00:0a"));
    pair.a.Trace("PhyTxBegin");
    const uint8_t payload[] = {0xde, 0xad, 0xbe, 0xef};
    // By SendFrom, as a bridge does: the source is another station.
    pair.a->SendFrom(Create<Packet>(payload, 4),
                     Mac48Address("02:00:00:00:00:0c"),
                     Mac48Address("02:00:00:00:00:0b"),
                     ETHERTYPE);
    pair.a->Send(Create<Packet>(payload, 4), Mac48Address("02:00:00:00:00:0b"), ETHERTYPE);
    Simulator::Run();
    Bytes expected{0x02,
                   0x00,
                   0x00,
                   0x00,
                   0x00,
                   0x0b,
                   0x02,
                   0x00,
                   0x00,
                   0x00,
                   0x00,
                   0x0c,
                   0x88,
                   0xb5,
                   0xde,
                   0xad,
                   0xbe,
                   0xef};
    expected.resize(60);
    NS_TEST_ASSERT_MSG_EQ(pair.a.traced.size(), 2, "two frames");
    AIDC_EXPECT(pair.a.traced[0].bytes == expected, "SendFrom");
    expected[11] = 0x0a;
    AIDC_EXPECT(pair.a.traced[1].bytes == expected, "Send");
}

// Frames follow one another with no more than the standard's gap, in both directions.
AIDC_TEST_CASES(uint32_t,
                payload,
                "Frames of " + std::to_string(payload) + " bytes back to back, full duplex",
                ({1, 46, 47, 1500}))
{
    EthernetPair pair;
    for (int i = 0; i < 10; ++i)
    {
        pair.a.Send(payload);
        pair.b.Send(payload);
    }
    Simulator::Run();
    for (const auto* end : {&pair.a, &pair.b})
    {
        NS_TEST_ASSERT_MSG_EQ(end->received.size(), 10, "all arrive");
        for (int64_t i = 0; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(end->received[i].time,
                                  (i + 1) * GetWireTime(payload) - GAP + LINK_DELAY,
                                  "packet " << i);
        }
    }
}

// 84 bytes at 800 Gb/s are 0.84 ns, of which the gap is 0.12 ns: frame i has left at floor(0.84 i -
// 0.12) ns.
AIDC_TEST_CASE("Frames that are shorter than the resolution of time add up exactly")
{
    EthernetPair pair(Attributes{{"DataRate", "800Gbps"}});
    for (int i = 0; i < 100; ++i)
    {
        AIDC_EXPECT(pair.a.Send(46), "the own queue is long enough");
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 100, "all arrive");
    for (int64_t i = 1; i <= 100; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[i - 1].time, (84 * i - 12) / 100 + LINK_DELAY, i);
    }
}

// For whom a frame is, and who gets it.
AIDC_TEST_CASE("A promiscuous receiver gets all frames with their type, others what is theirs")
{
    EthernetPair pair;
    pair.b.BePromiscuous();
    pair.b.Trace("MacRx");
    pair.b.Trace("MacPromiscRx");
    const Mac48Address other("02:00:00:00:00:99");
    const Mac48Address group("01:00:5e:00:00:05");
    const std::vector<std::pair<Mac48Address, NetDevice::PacketType>> cases{
        {Mac48Address::ConvertFrom(pair.b->GetAddress()), NetDevice::PACKET_HOST},
        {other, NetDevice::PACKET_OTHERHOST},
        {group, NetDevice::PACKET_MULTICAST},
        {Mac48Address::GetBroadcast(), NetDevice::PACKET_BROADCAST},
    };
    for (const auto& [to, type] : cases)
    {
        pair.a->Send(MakeCounting(100), to, ETHERTYPE);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.seen.size(), cases.size(), "all are seen");
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(pair.b.seen[i].to, cases[i].first, "to whom");
        NS_TEST_EXPECT_MSG_EQ(pair.b.seen[i].type, cases[i].second, "what it is");
        NS_TEST_EXPECT_MSG_EQ(pair.b.seen[i].protocol, ETHERTYPE, "the EtherType");
        NS_TEST_EXPECT_MSG_EQ(pair.b.seen[i].packet->GetSize(), 100, "the payload");
        NS_TEST_EXPECT_MSG_EQ(pair.b.seen[i].from,
                              Mac48Address::ConvertFrom(pair.a->GetAddress()),
                              "from whom");
    }
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 3, "all but the other station's");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("MacPromiscRx"), 4, "as seen");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("MacRx"), 3, "as received");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inUnicastFrames, 2, "both were delivered");

    EthernetPair quiet;
    quiet.a->Send(MakeCounting(100), other, ETHERTYPE);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(quiet.b.received.size(), 0, "not for this node");
    NS_TEST_EXPECT_MSG_EQ(quiet.b->GetStatistics().inUnicastFrames, 0, "not delivered");
    NS_TEST_EXPECT_MSG_EQ(quiet.b->GetStatistics().inOtherHosts, 1, "another station's");
}

// The largest payload, at both ends.
AIDC_TEST_CASE("9000 bytes pass an MTU of 9000, 9001 are refused; what is too long is an error")
{
    {
        EthernetPair pair;
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetMtu(), 1500, "the default");
        AIDC_EXPECT(pair.a->SetMtu(9000), "jumbo frames");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetMtu(), 9000, "jumbo frames");
        AIDC_EXPECT(!pair.a->SetMtu(67), "IPv4 needs 68 bytes");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetMtu(), 9000, "refused");
    }
    EthernetPair pair(Attributes{{"Mtu", "9000"}});
    pair.a.Trace("MacTx");
    pair.a.Trace("MacTxDrop");
    pair.b.Trace("PhyRxDrop");
    AIDC_EXPECT(pair.a.Send(9000), "as long as allowed");
    AIDC_EXPECT(!pair.a.Send(9001), "one byte too long");
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "the first arrives");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].time, 8 + 14 + 9000 + 4 + 500, "when");
    NS_TEST_EXPECT_MSG_EQ(pair.a.Count("MacTx"), 1, "accepted");
    NS_TEST_EXPECT_MSG_EQ(pair.a.Count("MacTxDrop"), 1, "refused");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outErrors, 1, "refused");

    pair.b->SetMtu(8999);
    pair.a.Send(9000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 1, "too long for the receiver");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("PhyRxDrop"), 1, "dropped");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inErrors, 1, "dot3StatsFrameTooLongs");
}

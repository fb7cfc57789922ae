// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-pair.h"
#include "test/test-case.h"

#include "ns3/ipv6-address.h"

// Ethernet ports, as ns-3 asks of every device.
AIDC_TEST_SUITE("aidc-ethernet-port", UNIT);

// What ns-3 asks every NetDevice.
AIDC_TEST_CASE("Addresses, index, channel, node and kind of device")
{
    EthernetPair pair;
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetIfIndex(), 0, "the first device of its node");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetNode()->GetDevice(0), pair.a.Get(), "its node");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetChannel(), pair.link, "its link");
    NS_TEST_EXPECT_MSG_EQ(pair.link->GetNDevices(), 2, "two ends");
    NS_TEST_EXPECT_MSG_EQ(pair.link->GetDevice(0), pair.a.Get(), "an end");
    NS_TEST_EXPECT_MSG_EQ(pair.link->GetDevice(1), pair.b.Get(), "the other end");
    AIDC_EXPECT(pair.a->GetAddress() != pair.b->GetAddress(), "distinct");
    AIDC_EXPECT(pair.a->IsLinkUp(), "up with both ends");
    AIDC_EXPECT(pair.a->SupportsSendFrom(), "bridges need it");
    AIDC_EXPECT(!pair.a->IsBridge(), "not a bridge");
    AIDC_EXPECT(pair.a->IsBroadcast(), "Ethernet has broadcast");
    AIDC_EXPECT(pair.a->IsMulticast(), "and multicast");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetBroadcast(),
                          Mac48Address("ff:ff:ff:ff:ff:ff"),
                          "the broadcast address");
    // RFC 1112, section 6.4: the low 23 bits; RFC 2464, section 7: the low 32 bits.
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetMulticast(Ipv4Address("224.129.2.3")),
                          Mac48Address("01:00:5e:01:02:03"),
                          "IPv4");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetMulticast(Ipv6Address("ff02::1:ff01:203")),
                          Mac48Address("33:33:ff:01:02:03"),
                          "IPv6");
    AIDC_EXPECT(!pair.a->NeedsArp(), "each end knows the other's address");
    AIDC_EXPECT(pair.a->IsPointToPoint(), "for parallel simulators");
    pair.a->SetAttribute("NeedsArp", StringValue("true"));
    AIDC_EXPECT(pair.a->NeedsArp(), "for bridges");
    AIDC_EXPECT(!pair.a->IsPointToPoint(), "a bridge is more than an end");

    NS_TEST_EXPECT_MSG_EQ(pair.b->GetRemoteAddress(), pair.a->GetAddress(), "the other end");
    pair.a->SetAddress(Mac48Address("02:00:00:00:00:77"));
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetAddress(), Mac48Address("02:00:00:00:00:77"), "changed");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetRemoteAddress(), pair.a->GetAddress(), "told at once");

    for (const auto* rate : {"0bps", "100000000000001bps"})
    {
        AIDC_EXPECT(!pair.a->SetAttributeFailSafe("DataRate", StringValue(rate)), rate);
    }
    AIDC_EXPECT(!pair.a->SetAttributeFailSafe("VlanId", UintegerValue(4095)),
                "IEEE 802.1Q, table 9-2: reserved");
}

AIDC_TEST_CASE("A link takes two devices, each once and on a node")
{
    auto node = CreateObject<Node>();
    auto channel = CreateObject<EthernetChannel>();
    auto first = CreateObject<EthernetNetDevice>();
    node->AddDevice(first);
    first->Attach(channel);
    NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 1, "one end");
    AIDC_EXPECT(!first->IsLinkUp(), "nobody is there");
    AIDC_EXPECT(!first->Send(Create<Packet>(1), first->GetBroadcast(), ETHERTYPE),
                "nobody is there");
    NS_TEST_EXPECT_MSG_EQ(first->GetStatistics().outDiscards, 1, "counted");

    ExpectRefusal("attached to a link already",
                  [&] { first->Attach(CreateObject<EthernetChannel>()); });
    ExpectRefusal("added to its node before",
                  [&] { CreateObject<EthernetNetDevice>()->Attach(channel); });

    auto second = CreateObject<EthernetNetDevice>();
    node->AddDevice(second);
    int changes = 0;
    first->AddLinkChangeCallback(Callback<void>([&changes] { ++changes; }));
    second->Attach(channel);
    AIDC_EXPECT(first->IsLinkUp() && second->IsLinkUp(), "both are there");
    NS_TEST_EXPECT_MSG_EQ(changes, 1, "told");
    ExpectRefusal("a link has two ends", [&] {
        auto device = CreateObject<EthernetNetDevice>();
        node->AddDevice(device);
        device->Attach(channel);
    });
    ExpectRefusal("expected 2 nodes to link, found 3",
                  [] { EthernetHelper().Install(NodeContainer(3)); });
    Simulator::Destroy();
}

struct OwnQueue
{
    std::string size;  //!< the queue's size
    uint32_t accepted; //!< how many of ten packets are accepted
};

// The device's own queue. One packet is on the wire, and does not count.
AIDC_TEST_CASES(OwnQueue,
                row,
                "Without a queue disc a queue of " + row.size + " holds what waits",
                ({{"3p", 4}, {"3999B", 4}, {"4000B", 5}, {"0p", 1}}))
{
    EthernetPair pair(Attributes{{"TxQueueSize", row.size}});
    pair.a.Trace("MacTxDrop");
    for (uint32_t i = 0; i < 10; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(pair.a.Send(1000), (i < row.accepted), "packet " << i);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), row.accepted, "what was accepted arrives");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.back().time,
                          row.accepted * GetWireTime(1000) - GAP + LINK_DELAY,
                          "without a gap");
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outDiscards, 10 - row.accepted, "counted");
    NS_TEST_EXPECT_MSG_EQ(pair.a.Count("MacTxDrop"), 10 - row.accepted, "traced");
    pair.a.Send(1000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), row.accepted + 1, "there is room again");
}

/// Compare what was told; of the bytes only how many there are.
void
Check(const std::vector<Traced>& told, const std::vector<Traced>& expected)
{
    NS_TEST_ASSERT_MSG_EQ(told.size(), expected.size(), "as many");
    for (std::size_t i = 0; i < told.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(told[i].name, expected[i].name, "in this order");
        NS_TEST_EXPECT_MSG_EQ(told[i].time, expected[i].time, told[i].name);
        NS_TEST_EXPECT_MSG_EQ(told[i].bytes.size(), expected[i].bytes.size(), told[i].name);
    }
}

// What the trace sources tell of one packet, when, and with how many bytes.
AIDC_TEST_CASE("Each trace source tells once of a packet, in its frame or without")
{
    EthernetPair pair;
    pair.b.BePromiscuous();
    // Payload of 100 bytes; 114 with its header; 8 + 114 + 4 = 126 ns until its last bit.
    const std::vector<Traced> sender{{"MacTx", 0, Bytes(100)},
                                     {"Sniffer", 0, Bytes(114)},
                                     {"PromiscSniffer", 0, Bytes(114)},
                                     {"PhyTxBegin", 0, Bytes(114)},
                                     {"PhyTxEnd", 126, Bytes(114)}};
    const std::vector<Traced> receiver{{"Sniffer", 626, Bytes(114)},
                                       {"PromiscSniffer", 626, Bytes(114)},
                                       {"PhyRxEnd", 626, Bytes(114)},
                                       {"MacPromiscRx", 626, Bytes(114)},
                                       {"MacRx", 626, Bytes(114)}};
    for (const auto* name : {"MacTx",
                             "MacTxDrop",
                             "Sniffer",
                             "PromiscSniffer",
                             "PhyTxBegin",
                             "PhyTxEnd",
                             "PhyRxEnd",
                             "PhyRxDrop",
                             "MacPromiscRx",
                             "MacRx"})
    {
        pair.a.Trace(name);
        pair.b.Trace(name);
    }
    pair.a.Send(100);
    Simulator::Run();
    Check(pair.a.traced, sender);
    Check(pair.b.traced, receiver);
}

AIDC_TEST_CASE("Frames are traced without headers when PhyTxBegin and PhyRxEnd are, with tags")
{
    EthernetPair pair;
    std::vector<Traced> told;
    const auto note = [&](const std::string& name, Ptr<const Packet> packet, uint32_t nBytes) {
        told.push_back({name, Simulator::Now().GetNanoSeconds(), GetBytes(packet)});
        NS_TEST_EXPECT_MSG_EQ(nBytes, packet->GetSize() + 14, "bytes of the frame, by " << name);
    };
    ConnectTrace(pair.a.Get(), "FrameBegin", [&](Ptr<const Packet> packet, uint32_t nBytes) {
        note("FrameBegin", packet, nBytes);
        SocketPriorityTag tag;
        tag.SetPriority(5);
        ConstCast<Packet>(packet)->AddPacketTag(tag);
    });
    ConnectTrace(pair.b.Get(), "FrameEnd", [&](Ptr<const Packet> packet, uint32_t nBytes) {
        note("FrameEnd", packet, nBytes);
        SocketPriorityTag tag;
        AIDC_EXPECT(packet->PeekPacketTag(tag) && tag.GetPriority() == 5, "the tag stays");
    });
    pair.a.Send(100);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(told.size(), 2, "at both ends");
    NS_TEST_EXPECT_MSG_EQ(told[0].name, "FrameBegin", "sent first");
    NS_TEST_EXPECT_MSG_EQ(told[0].time, 0, "with the first bit");
    NS_TEST_EXPECT_MSG_EQ(told[1].time, 626, "with the last bit: 126 ns and the delay");
    NS_TEST_EXPECT_MSG_EQ(told[1].bytes.size(), 100, "without the header");
}

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../death-test.h"
#include "ethernet-pair.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/queue-size.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// An EtherType for experiments (IEEE 802, section 9.2.4).
constexpr uint16_t ETHERTYPE = 0x88b5;

/**
 * @brief Make a packet whose bytes count up.
 * @param size bytes
 * @return the packet
 */
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

/**
 * @ingroup aidc-test
 * @brief What is sent arrives as it was, from whom, and exactly when it must.
 *
 * 1,000 bytes at 8 Gb/s: 14 + 1000 + 4 + 20 = 1,038 bytes, each 1 ns, and 500 ns on the link.
 */
class SendTestCase : public TestCase
{
  public:
    SendTestCase()
        : TestCase("A packet arrives when its frame, check sequence and 20 bytes have passed")
    {
    }

  private:
    void DoRun() override
    {
        EthernetPair pair;
        const auto sent = MakeCounting(1000);
        Simulator::Schedule(MicroSeconds(1), [&] {
            NS_TEST_EXPECT_MSG_EQ(pair.a->Send(sent, pair.b->GetAddress(), ETHERTYPE), true, "");
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "one packet");
        const auto& delivery = pair.b.received[0];
        NS_TEST_EXPECT_MSG_EQ(delivery.time, 1000 + 1038 + 500, "when");
        NS_TEST_EXPECT_MSG_EQ((GetBytes(delivery.packet) == GetBytes(sent)), true, "what");
        NS_TEST_EXPECT_MSG_EQ(delivery.protocol, ETHERTYPE, "its EtherType");
        NS_TEST_EXPECT_MSG_EQ(delivery.from, Mac48Address::ConvertFrom(pair.a->GetAddress()), "");
        NS_TEST_EXPECT_MSG_EQ(sent->GetSize(), 1000, "the sender's packet is as it was");
        NS_TEST_EXPECT_MSG_EQ(pair.a.received.size(), 0, "nothing comes back");
    }
};

/**
 * @ingroup aidc-test
 * @brief The bytes of a frame: destination, source, EtherType, payload, zeros up to 60 bytes.
 */
class FrameBytesTestCase : public TestCase
{
  public:
    FrameBytesTestCase()
        : TestCase("A frame on the wire is Ethernet II, 60 bytes or more (IEEE 802.3, 3.1.1)")
    {
    }

  private:
    void DoRun() override
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
        NS_TEST_EXPECT_MSG_EQ((pair.a.traced[0].bytes == expected), true, "SendFrom");
        expected[11] = 0x0a;
        NS_TEST_EXPECT_MSG_EQ((pair.a.traced[1].bytes == expected), true, "Send");
    }
};

/**
 * @ingroup aidc-test
 * @brief Frames follow one another without a gap beyond that of the standard, in both directions.
 */
class BackToBackTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param payload bytes of payload
     */
    explicit BackToBackTestCase(uint32_t payload)
        : TestCase("Frames of " + std::to_string(payload) + " bytes back to back, full duplex"),
          m_payload(payload)
    {
    }

  private:
    void DoRun() override
    {
        EthernetPair pair;
        for (int i = 0; i < 10; ++i)
        {
            pair.a.Send(m_payload);
            pair.b.Send(m_payload);
        }
        Simulator::Run();
        for (const auto* end : {&pair.a, &pair.b})
        {
            NS_TEST_ASSERT_MSG_EQ(end->received.size(), 10, "all arrive");
            for (int64_t i = 0; i < 10; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(end->received[i].time,
                                      (i + 1) * GetWireTime(m_payload) + LINK_DELAY,
                                      "packet " << i);
            }
        }
    }

    uint32_t m_payload; ///< bytes of payload
};

/**
 * @ingroup aidc-test
 * @brief 84 bytes at 800 Gb/s are 0.84 ns: frame i arrives at floor(0.84 i) ns, the 100th at 84.
 */
class FastWireTestCase : public TestCase
{
  public:
    FastWireTestCase()
        : TestCase("Frames that are shorter than the resolution of time add up exactly")
    {
    }

  private:
    void DoRun() override
    {
        EthernetPair pair(Attributes{{"DataRate", "800Gbps"}});
        for (int i = 0; i < 100; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.a.Send(46), true, "the own queue is long enough");
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 100, "all arrive");
        for (int64_t i = 1; i <= 100; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.b.received[i - 1].time, 84 * i / 100 + LINK_DELAY, i);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief For whom a frame is, and who gets it.
 */
class PacketTypeTestCase : public TestCase
{
  public:
    PacketTypeTestCase()
        : TestCase("A promiscuous receiver gets all frames with their type, others what is theirs")
    {
    }

  private:
    void DoRun() override
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
};

/**
 * @ingroup aidc-test
 * @brief The largest payload, at both ends.
 */
class MtuTestCase : public TestCase
{
  public:
    MtuTestCase()
        : TestCase("9000 bytes pass an MTU of 9000, 9001 are refused; what is too long is an error")
    {
    }

  private:
    void DoRun() override
    {
        {
            EthernetPair pair;
            NS_TEST_EXPECT_MSG_EQ(pair.a->GetMtu(), 1500, "the default");
            NS_TEST_EXPECT_MSG_EQ(pair.a->SetMtu(9000), true, "jumbo frames");
            NS_TEST_EXPECT_MSG_EQ(pair.a->GetMtu(), 9000, "jumbo frames");
            NS_TEST_EXPECT_MSG_EQ(pair.a->SetMtu(67), false, "IPv4 needs 68 bytes");
            NS_TEST_EXPECT_MSG_EQ(pair.a->GetMtu(), 9000, "refused");
        }
        EthernetPair pair(Attributes{{"Mtu", "9000"}});
        pair.a.Trace("MacTx");
        pair.a.Trace("MacTxDrop");
        pair.b.Trace("PhyRxDrop");
        NS_TEST_EXPECT_MSG_EQ(pair.a.Send(9000), true, "as long as allowed");
        NS_TEST_EXPECT_MSG_EQ(pair.a.Send(9001), false, "one byte too long");
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "the first arrives");
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].time, 9038 + 500, "when");
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
};

/**
 * @ingroup aidc-test
 * @brief What ns-3 asks every NetDevice.
 */
class IdentityTestCase : public TestCase
{
  public:
    IdentityTestCase()
        : TestCase("Addresses, index, channel, node and kind of device")
    {
    }

  private:
    void DoRun() override
    {
        EthernetPair pair;
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetIfIndex(), 0, "the first device of its node");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetNode()->GetDevice(0), pair.a.Get(), "its node");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetChannel(), pair.link, "its link");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetNDevices(), 2, "two ends");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetDevice(0), pair.a.Get(), "an end");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetDevice(1), pair.b.Get(), "the other end");
        NS_TEST_EXPECT_MSG_EQ((pair.a->GetAddress() != pair.b->GetAddress()), true, "distinct");
        NS_TEST_EXPECT_MSG_EQ(pair.a->IsLinkUp(), true, "up with both ends");
        NS_TEST_EXPECT_MSG_EQ(pair.a->SupportsSendFrom(), true, "bridges need it");
        NS_TEST_EXPECT_MSG_EQ(pair.a->IsBridge(), false, "not a bridge");
        NS_TEST_EXPECT_MSG_EQ(pair.a->IsBroadcast(), true, "Ethernet has broadcast");
        NS_TEST_EXPECT_MSG_EQ(pair.a->IsMulticast(), true, "and multicast");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetBroadcast(), Mac48Address("ff:ff:ff:ff:ff:ff"), "");
        // RFC 1112, section 6.4: the low 23 bits; RFC 2464, section 7: the low 32 bits.
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetMulticast(Ipv4Address("224.129.2.3")),
                              Mac48Address("01:00:5e:01:02:03"),
                              "IPv4");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetMulticast(Ipv6Address("ff02::1:ff01:203")),
                              Mac48Address("33:33:ff:01:02:03"),
                              "IPv6");
        NS_TEST_EXPECT_MSG_EQ(pair.a->NeedsArp(), false, "each end knows the other's address");
        NS_TEST_EXPECT_MSG_EQ(pair.a->IsPointToPoint(), true, "for parallel simulators");
        pair.a->SetAttribute("NeedsArp", StringValue("true"));
        NS_TEST_EXPECT_MSG_EQ(pair.a->NeedsArp(), true, "for bridges");
        NS_TEST_EXPECT_MSG_EQ(pair.a->IsPointToPoint(), false, "a bridge is more than an end");

        NS_TEST_EXPECT_MSG_EQ(pair.b->GetRemoteAddress(), pair.a->GetAddress(), "the other end");
        pair.a->SetAddress(Mac48Address("02:00:00:00:00:77"));
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetAddress(), Mac48Address("02:00:00:00:00:77"), "changed");
        NS_TEST_EXPECT_MSG_EQ(pair.b->GetRemoteAddress(), pair.a->GetAddress(), "told at once");

        for (const auto* rate : {"0bps", "100000000000001bps"})
        {
            NS_TEST_EXPECT_MSG_EQ(pair.a->SetAttributeFailSafe("DataRate", StringValue(rate)),
                                  false,
                                  rate);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.a->SetAttributeFailSafe("VlanId", UintegerValue(4095)),
                              false,
                              "IEEE 802.1Q, table 9-2: reserved");
    }
};

/**
 * @ingroup aidc-test
 * @brief A link has two ends, which are on nodes.
 */
class AttachTestCase : public TestCase
{
  public:
    AttachTestCase()
        : TestCase("A link takes two devices, each once and on a node")
    {
    }

  private:
    void DoRun() override
    {
        auto node = CreateObject<Node>();
        auto channel = CreateObject<EthernetChannel>();
        auto first = CreateObject<EthernetNetDevice>();
        node->AddDevice(first);
        first->Attach(channel);
        NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 1, "one end");
        NS_TEST_EXPECT_MSG_EQ(first->IsLinkUp(), false, "nobody is there");
        NS_TEST_EXPECT_MSG_EQ(first->Send(Create<Packet>(1), first->GetBroadcast(), ETHERTYPE),
                              false,
                              "nobody is there");
        NS_TEST_EXPECT_MSG_EQ(first->GetStatistics().outDiscards, 1, "counted");

        const auto twice = RunInChild([&] { first->Attach(CreateObject<EthernetChannel>()); });
        NS_TEST_EXPECT_MSG_EQ(twice.Says("attached to a link already"), true, twice.errors);
        const auto homeless =
            RunInChild([&] { CreateObject<EthernetNetDevice>()->Attach(channel); });
        NS_TEST_EXPECT_MSG_EQ(homeless.Says("added to its node before"), true, homeless.errors);

        auto second = CreateObject<EthernetNetDevice>();
        node->AddDevice(second);
        int changes = 0;
        first->AddLinkChangeCallback(Callback<void>([&changes] { ++changes; }));
        second->Attach(channel);
        NS_TEST_EXPECT_MSG_EQ(first->IsLinkUp() && second->IsLinkUp(), true, "both are there");
        NS_TEST_EXPECT_MSG_EQ(changes, 1, "told");
        const auto third = RunInChild([&] {
            auto device = CreateObject<EthernetNetDevice>();
            node->AddDevice(device);
            device->Attach(channel);
        });
        NS_TEST_EXPECT_MSG_EQ(third.Says("a link has two ends"), true, third.errors);
        const auto three = RunInChild([] { EthernetHelper().Install(NodeContainer(3)); });
        NS_TEST_EXPECT_MSG_EQ(three.Says("expected 2 nodes to link, found 3"), true, three.errors);
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The device's own queue. One packet is on the wire, and does not count.
 */
class OwnQueueTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param size the queue's size
     * @param accepted how many of ten packets of 1,000 bytes are accepted
     */
    OwnQueueTestCase(const std::string& size, uint32_t accepted)
        : TestCase("Without a queue disc a queue of " + size + " holds what waits"),
          m_size(size),
          m_accepted(accepted)
    {
    }

  private:
    void DoRun() override
    {
        EthernetPair pair(Attributes{{"TxQueueSize", m_size}});
        pair.a.Trace("MacTxDrop");
        for (uint32_t i = 0; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.a.Send(1000), (i < m_accepted), "packet " << i);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), m_accepted, "what was accepted arrives");
        NS_TEST_EXPECT_MSG_EQ(pair.b.received.back().time,
                              m_accepted * GetWireTime(1000) + LINK_DELAY,
                              "without a gap");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outDiscards, 10 - m_accepted, "counted");
        NS_TEST_EXPECT_MSG_EQ(pair.a.Count("MacTxDrop"), 10 - m_accepted, "traced");
        pair.a.Send(1000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), m_accepted + 1, "there is room again");
    }

    std::string m_size;  ///< the queue's size
    uint32_t m_accepted; ///< how many of ten packets are accepted
};

/**
 * @ingroup aidc-test
 * @brief What the trace sources tell of one packet, when, and with how many bytes.
 */
class TraceTestCase : public TestCase
{
  public:
    TraceTestCase()
        : TestCase("Each trace source tells once of a packet, in its frame or without")
    {
    }

  private:
    void DoRun() override
    {
        EthernetPair pair;
        pair.b.BePromiscuous();
        // Payload of 100 bytes; 114 with its header; 138 ns on the wire.
        const std::vector<Traced> sender{{"MacTx", 0, Bytes(100)},
                                         {"Sniffer", 0, Bytes(114)},
                                         {"PromiscSniffer", 0, Bytes(114)},
                                         {"PhyTxBegin", 0, Bytes(114)},
                                         {"PhyTxEnd", 138, Bytes(114)}};
        const std::vector<Traced> receiver{{"Sniffer", 638, Bytes(114)},
                                           {"PromiscSniffer", 638, Bytes(114)},
                                           {"PhyRxEnd", 638, Bytes(114)},
                                           {"MacPromiscRx", 638, Bytes(114)},
                                           {"MacRx", 638, Bytes(114)}};
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

    /**
     * @brief Compare what was told; of the bytes only how many there are.
     * @param told what was told
     * @param expected what should have been
     */
    void Check(const std::vector<Traced>& told, const std::vector<Traced>& expected)
    {
        NS_TEST_ASSERT_MSG_EQ(told.size(), expected.size(), "as many");
        for (std::size_t i = 0; i < told.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(told[i].name, expected[i].name, "in this order");
            NS_TEST_EXPECT_MSG_EQ(told[i].time, expected[i].time, told[i].name);
            NS_TEST_EXPECT_MSG_EQ(told[i].bytes.size(), expected[i].bytes.size(), told[i].name);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Ethernet ports, as ns-3 asks of every device and IEEE 802.3 of every port.
 */
class AidcEthernetPortTestSuite : public TestSuite
{
  public:
    AidcEthernetPortTestSuite()
        : TestSuite("aidc-ethernet-port", TestSuite::Type::UNIT)
    {
        AddTestCase(new SendTestCase);
        AddTestCase(new FrameBytesTestCase);
        for (const uint32_t payload : {1, 46, 47, 1500})
        {
            AddTestCase(new BackToBackTestCase(payload));
        }
        AddTestCase(new FastWireTestCase);
        AddTestCase(new PacketTypeTestCase);
        AddTestCase(new MtuTestCase);
        AddTestCase(new IdentityTestCase);
        AddTestCase(new AttachTestCase);
        AddTestCase(new OwnQueueTestCase("3p", 4));
        AddTestCase(new OwnQueueTestCase("3999B", 4));
        AddTestCase(new OwnQueueTestCase("4000B", 5));
        AddTestCase(new OwnQueueTestCase("0p", 1));
        AddTestCase(new TraceTestCase);
    }
};

/// The instance that registers the suite
const AidcEthernetPortTestSuite g_aidcEthernetPortTestSuite;

} // namespace

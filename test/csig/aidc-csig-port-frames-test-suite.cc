/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-port-pair.h"

#include "ns3/csig-tag.h"
#include "ns3/test.h"

#include <optional>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief A packet tag that travels with a packet is not a tag of the frame.
 */
class ForeignTagTestCase : public TestCase
{
  public:
    ForeignTagTestCase()
        : TestCase("4.1: a tag is bytes of the frame: packet tags get into no switch and no host")
    {
    }

  private:
    void DoRun() override
    {
        CsigPortPair pair({}, {}, {{"Role", "Host"}});
        Simulator::Schedule(MicroSeconds(1), [&] {
            auto packet = Create<Packet>(100);
            packet->AddPacketTag(CsigTag(TAG));
            pair.ForwardNow(packet, std::nullopt);
            auto both = Create<Packet>(100);
            both->AddPacketTag(CsigTag(TAG));
            pair.ForwardNow(both, MakeTag(2, 30, 1));
        });
        const auto tags = pair.Run();
        NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 2, "");
        NS_TEST_EXPECT_MSG_EQ(tags[0].has_value(), false, "4.4.2: transit adds no tag");
        CsigTag tag;
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].packet->PeekPacketTag(tag), false, "");
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[1].packet->PeekPacketTag(tag), true, "");
        NS_TEST_EXPECT_MSG_EQ(tag.GetFields(), MakeTag(2, 30, 1), "that of the frame");
    }
};

/**
 * @ingroup aidc-test
 * @brief The bytes of frames with VLAN tags.
 */
class VlanTestCase : public TestCase
{
  public:
    VlanTestCase()
        : TestCase("4.1: the tag is the last one, after the tags of 802.1Q and 802.1ad")
    {
    }

  private:
    void DoRun() override
    {
        CsigPortPair pair({},
                          {},
                          {{"Role", "Host"}},
                          {{"VlanId", "291"}, {"ServiceVlanId", "1110"}});
        pair.Forward(10000, 100, MakeTag(0, 0, 5));
        Simulator::Run();
        const auto& bytes = pair.a.traced.at(0).bytes;
        const Bytes expected{0x88,
                             0xa8,
                             0x04,
                             0x56,
                             0x81,
                             0x00,
                             0x01,
                             0x23,
                             0x88,
                             0xb5,
                             0x00,
                             0x05,
                             0x08,
                             0x00};
        NS_TEST_EXPECT_MSG_EQ((Bytes(bytes.begin() + 12, bytes.begin() + 26) == expected),
                              true,
                              "type 0, S 0, LM 5 behind VLAN 0x456 and 0x123");
        CsigTag tag;
        NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "");
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].packet->PeekPacketTag(tag), true, "");
        NS_TEST_EXPECT_MSG_EQ(tag.GetFields(), MakeTag(0, 0, 5), "");
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].protocol, IPV4_ETHERTYPE, "");
    }
};

/**
 * @ingroup aidc-test
 * @brief Tags whose bytes cannot be read are taken off.
 */
class BadTagTestCase : public TestCase
{
  public:
    BadTagTestCase()
        : TestCase("Bytes that are no tag are counted and taken off, and end nothing")
    {
    }

  private:
    void DoRun() override
    {
        CsigPortPair pair({}, {}, {{"Role", "Host"}});
        for (uint8_t size = 1; size <= 8; ++size)
        {
            FrameContext context;
            context.tag = {0x81, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
            context.tagSize = size;
            EthernetFrame frame;
            frame.packet = Create<Packet>(100);
            pair.csigA->Transmit(*pair.a.Get(), frame, context);
            NS_TEST_EXPECT_MSG_EQ(+context.tagSize, 0, "at egress");
            context.tag[0] = 0x88;
            context.tag[1] = 0xb6;
            context.tagSize = size;
            const bool isTag = size == 8;
            NS_TEST_EXPECT_MSG_EQ(pair.csigB->Receive(*pair.b.Get(), frame, context), true, "");
            CsigTag tag;
            NS_TEST_EXPECT_MSG_EQ(frame.packet->PeekPacketTag(tag),
                                  isTag,
                                  "at a host, size " << +size);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().bad, 8, "");
        NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().taggedOut, 0, "");
        NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().bad, 7, "");
    }
};

/**
 * @ingroup aidc-test
 * @brief Types that a port does not support, and the do-not-update bit.
 */
class UnsupportedTestCase : public TestCase
{
  public:
    UnsupportedTestCase()
        : TestCase("6.3.2: unsupported types pass unchanged or are stripped; frozen tags pass")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool strips : {false, true})
        {
            CsigPortPair pair({{"UnsupportedAction", strips ? "Strip" : "Keep"}},
                              {{"Abw", "false"}},
                              {},
                              {},
                              {{"DoNotUpdate", "true"}});
            auto frozen = MakeTag(2, 0);
            frozen.reserved = 1;
            auto reserved = MakeTag(2, 0, 0, EXPANDED);
            reserved.reserved = 0xfe;
            const CsigFields sent[] = {MakeTag(0, 31),              // switched off
                                       MakeTag(3, 0),               // not a signal of the draft
                                       MakeTag(7, 12, 99),          // not defined
                                       MakeTag(15, 5, 6, EXPANDED), // not defined
                                       frozen,
                                       reserved};
            int64_t time = 10000;
            for (const auto& fields : sent)
            {
                pair.Forward(time += 10000, 100, fields, 5000);
            }
            const auto tags = pair.Run();
            NS_TEST_ASSERT_MSG_EQ(tags.size(), 6, "");
            for (std::size_t i = 0; i < 4; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ((tags[i] == (strips ? std::nullopt : std::optional(sent[i]))),
                                      true,
                                      "tag " << i);
            }
            NS_TEST_EXPECT_MSG_EQ((tags[4] == frozen), true, "the bit forbids");
            NS_TEST_ASSERT_MSG_EQ(tags[5].has_value(), true, "other bits do not");
            NS_TEST_EXPECT_MSG_EQ(tags[5]->value, 5000 / 128, "128 ns a step");
            NS_TEST_EXPECT_MSG_EQ(+tags[5]->reserved, 0xfe, "R stays");
            NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().unsupported, 4, "");
            NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().frozen, 1, "");
            NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().updated, 1, "");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief What ports do with frames whose tags are special: foreign, beside VLAN tags, bad, not
 * supported.
 */
class AidcCsigPortFramesTestSuite : public TestSuite
{
  public:
    AidcCsigPortFramesTestSuite()
        : TestSuite("aidc-csig-port-frames", TestSuite::Type::UNIT)
    {
        AddTestCase(new ForeignTagTestCase);
        AddTestCase(new VlanTestCase);
        AddTestCase(new BadTagTestCase);
        AddTestCase(new UnsupportedTestCase);
    }
};

/// The instance that registers the suite
const AidcCsigPortFramesTestSuite g_aidcCsigPortFramesTestSuite;

} // namespace

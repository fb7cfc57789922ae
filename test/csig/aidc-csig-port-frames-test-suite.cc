// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "model/core/csig/csig-locator.h"
#include "test/test-case.h"

#include "ns3/csig-tag.h"
#include "ns3/priority-flow-control.h"

// What ports do with frames whose tags are special: foreign, beside VLAN tags, bad, not supported.
AIDC_TEST_SUITE("aidc-csig-port-frames", UNIT);

// A packet tag that travels with a packet is not a tag of the frame.
AIDC_TEST_CASE("4.1: a tag is bytes of the frame: packet tags get into no switch and no host")
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
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 2, "two packets arrive");
    AIDC_EXPECT(!tags[0].has_value(), "4.4.2: transit adds no tag");
    CsigTag tag;
    AIDC_EXPECT(!pair.b.received[0].packet->PeekPacketTag(tag), "plain");
    AIDC_EXPECT(pair.b.received[1].packet->PeekPacketTag(tag), "tagged");
    NS_TEST_EXPECT_MSG_EQ(tag.GetFields(), MakeTag(2, 30, 1), "that of the frame");
}

// The bytes of frames with VLAN tags.
AIDC_TEST_CASE("4.1: the tag is the last one, after the tags of 802.1Q and 802.1ad")
{
    CsigPortPair pair({}, {}, {{"Role", "Host"}}, {{"VlanId", "291"}, {"ServiceVlanId", "1110"}});
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
    AIDC_EXPECT(Bytes(bytes.begin() + 12, bytes.begin() + 26) == expected,
                "type 0, S 0, LM 5 behind VLAN 0x456 and 0x123");
    CsigTag tag;
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "one packet arrives");
    AIDC_EXPECT(pair.b.received[0].packet->PeekPacketTag(tag), "it has a tag");
    NS_TEST_EXPECT_MSG_EQ(tag.GetFields(), MakeTag(0, 0, 5), "the fields of the tag");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].protocol, ETHERTYPE_IPV4, "the type behind the tag");
}

// The bytes of frames with four VLAN tags.
AIDC_TEST_CASE("4.1: the tag is behind the four VLAN tags of an 802.1ad tunnel")
{
    CsigPortPair pair({},
                      {},
                      {{"Role", "Host"}},
                      {{"OuterServiceVlanId", "801"},
                       {"OuterVlanId", "802"},
                       {"ServiceVlanId", "803"},
                       {"VlanId", "804"}});
    const auto fields = MakeTag(2, 12, 5);
    pair.Forward(10000, 100, fields);
    Simulator::Run();
    const auto bytes = pair.a.traced.at(0).bytes;
    const Bytes expected{0x88, 0xa8, 0x03, 0x21, 0x81, 0x00, 0x03, 0x22, 0x88, 0xa8, 0x03,
                         0x23, 0x81, 0x00, 0x03, 0x24, 0x88, 0xb5, 0x46, 0x05, 0x08, 0x00};
    AIDC_EXPECT(Bytes(bytes.begin() + 12, bytes.begin() + 34) == expected,
                "VLANs 0x321 to 0x324, T 2, S 12, LM 5");
    CsigTag tag;
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 1, "one packet arrives");
    AIDC_EXPECT(pair.b.received[0].packet->PeekPacketTag(tag), "it has a tag");
    NS_TEST_EXPECT_MSG_EQ(tag.GetFields(), fields, "the fields of the tag");
    // Any other VLAN, or one tag fewer or more, is another network.
    for (std::size_t i = 0; i < 4; ++i)
    {
        auto other = bytes;
        other[15 + 4 * i] ^= 1;
        pair.b.Inject(other);
        auto fewer = bytes;
        fewer.erase(fewer.begin() + 12 + 4 * i, fewer.begin() + 16 + 4 * i);
        pair.b.Inject(fewer);
    }
    auto more = bytes;
    more.insert(more.begin() + 12, bytes.begin() + 12, bytes.begin() + 16);
    pair.b.Inject(more);
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 1, "one packet arrives");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, 9, "counted");
}

/// Let an IPv4 packet come to b.
void
InjectMisplacedTag(CsigPortPair& pair, const Bytes& first, const Bytes& second)
{
    Bytes frame;
    frame.reserve(80);
    frame.resize(12, 0x02);
    frame.insert(frame.end(), first.begin(), first.end());
    frame.insert(frame.end(), second.begin(), second.end());
    frame.insert(frame.end(), {0x08, 0x00});
    frame.resize(80);
    uint8_t address[6];
    Mac48Address::ConvertFrom(pair.b->GetAddress()).CopyTo(address);
    std::copy_n(address, 6, frame.begin());
    pair.b.Inject(frame);
}

// Frames in which something that is no payload follows the tag.
AIDC_TEST_CASE("4.1: the tag is the last one: frames in which another follows are dropped")
{
    const Bytes compact{0x88, 0xb5, 0x0f, 0x80};
    const Bytes expanded{0x88, 0xb6, 0, 0, 0x0f, 0xff, 0xff, 0};
    const Bytes vlan{0x81, 0x00, 0x00, 0x05};
    const Bytes serviceVlan{0x88, 0xa8, 0x00, 0x05};
    const Bytes olderVlan{0x91, 0x00, 0x00, 0x05};
    // An older VLAN tag, or one of congestion notification, in front of another CSIG tag
    const Bytes vlanAndCompact{0x91, 0x00, 0x00, 0x05, 0x88, 0xb5, 0x0f, 0x80};
    const Bytes flowAndCompact{0x22, 0xe9, 0x00, 0x05, 0x88, 0xb5, 0x0f, 0x80};
    for (const auto& attributes : {Attributes{},
                                   Attributes{{"StripIngress", "true"}},
                                   Attributes{{"Trusted", "false"}},
                                   Attributes{{"Support", "PassThrough"}},
                                   Attributes{{"Role", "Host"}}})
    {
        CsigPortPair pair({}, {}, attributes);
        uint64_t dropped = 0;
        for (const auto& first : {compact, expanded})
        {
            for (const auto& second :
                 {compact, expanded, vlan, serviceVlan, olderVlan, vlanAndCompact, flowAndCompact})
            {
                InjectMisplacedTag(pair, first, second);
                ++dropped;
                NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().misplaced, dropped, "counted");
                NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, dropped, "discarded");
            }
            InjectMisplacedTag(pair, {}, first);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 2, "those with one tag");
        NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().taggedIn, dropped + 2, "and 2 in place");
        NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().misplaced, dropped, "no more");
    }
}

// A tag in front of MAC control, and a packet that pretends to be a tag.
AIDC_TEST_CASE("4.1, IEEE 802.3 31: tags hide no MAC control, and payloads hide no tags")
{
    CsigPortPair pair;
    const auto control = CreateObject<PriorityFlowControl>();
    control->Install(pair.b.Get());
    // PAUSE for 65,535 quanta, once without a tag
    Bytes pause{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08, 0, 1, 0xff, 0xff};
    pause.resize(60);
    for (const auto& tag :
         {Bytes{0x88, 0xb5, 0x0f, 0x80}, Bytes{0x88, 0xb6, 0, 0, 0x0f, 0xff, 0xff, 0}})
    {
        auto hidden = pause;
        hidden.insert(hidden.begin() + 12, tag.begin(), tag.end());
        pair.b.Inject(hidden);
    }
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, 2, "dropped and counted");
    NS_TEST_EXPECT_MSG_EQ(control->GetStatistics().receivedPause, 0, "not taken for PAUSE");
    pair.b.Inject(pause);
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, 2, "one without a tag is");

    for (const uint16_t tpid : {0x88b5, 0x88b6})
    {
        AIDC_EXPECT(!pair.a->Send(Create<Packet>(100), pair.b->GetAddress(), tpid),
                    "9: a packet of this EtherType would be a tag on the wire");
    }
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outErrors, 2, "counted");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().taggedIn, 0, "none counts as tagged");
}

// Tags whose bytes cannot be read are taken off.
AIDC_TEST_CASE("Bytes that are no tag are counted and taken off, and end nothing")
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
        AIDC_EXPECT(pair.csigB->Receive(*pair.b.Get(), frame, context), "a frame is taken");
        CsigTag tag;
        NS_TEST_EXPECT_MSG_EQ(frame.packet->PeekPacketTag(tag), isTag, "at a host, size " << +size);
    }
    NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().bad, 8, "tags that A cannot write");
    NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().taggedOut, 0, "A sends none of them");
    NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().bad, 7, "tags that B cannot read");
}

// Types that a port does not support, and the do-not-update bit.
AIDC_TEST_CASE("6.3.2: unsupported types pass unchanged or are stripped; frozen tags pass")
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
        NS_TEST_ASSERT_MSG_EQ(tags.size(), 6, "six tags");
        for (std::size_t i = 0; i < 4; ++i)
        {
            AIDC_EXPECT(tags[i] == (strips ? std::nullopt : std::optional(sent[i])), "tag " << i);
        }
        AIDC_EXPECT(tags[4] == frozen, "the bit forbids");
        AIDC_ASSERT(tags[5].has_value(), "other bits do not");
        NS_TEST_EXPECT_MSG_EQ(tags[5]->value, 5000 / 128, "128 ns a step");
        NS_TEST_EXPECT_MSG_EQ(+tags[5]->reserved, 0xfe, "R stays");
        NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().unsupported,
                              4,
                              "four ask for what A does not support");
        NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().frozen, 1, "one is frozen");
        NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().updated, 1, "one is updated");
    }
}

// Signals with layouts of the locator and with type codes of their own.
AIDC_TEST_CASE("5.5.1, 4.1.2: locators by signal, and type codes above 7")
{
    CsigPortPair pair({},
                      {{"Port", "5"}, {"Device", "3"}, {"Custom", "9"}},
                      {},
                      {},
                      {{"ExpandedLocator", "device:10,port:6"},
                       {"HopDelayExpandedLocator", "custom:8,port:4"},
                       {"HopDelayCompactLocator", "port:3"},
                       {"HopDelayType", "6"},
                       {"AbwType", "15"}});
    int64_t time = 10000;
    const std::vector<CsigFields> sent{MakeTag(6, 0, 0, EXPANDED),
                                       MakeTag(6, 0),
                                       MakeTag(15, 0xfffff, 0, EXPANDED),
                                       MakeTag(0, 0xfffff, 0, EXPANDED)};
    for (const auto& fields : sent)
    {
        pair.Forward(time += 100000, 100, fields, 5000);
    }
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 4, "four tags");
    NS_TEST_EXPECT_MSG_EQ(tags[0]->locator, (9 << 4 | 5), "custom and port");
    NS_TEST_EXPECT_MSG_EQ(tags[0]->value, 5000 / 128, "128 ns a step");
    NS_TEST_EXPECT_MSG_EQ(tags[1]->locator, 5, "port");
    NS_TEST_EXPECT_MSG_EQ(tags[2]->locator, (3 << 6 | 5), "the format's: device and port");
    NS_TEST_EXPECT_MSG_EQ_TOL(tags[2]->value, 999, 1, "8 Gb/s less a frame, in steps of 8 Mb/s");
    NS_TEST_EXPECT_MSG_EQ(*tags[3], sent[3], "no signal has type 0");
    // The receiver reads the tag by the same layouts.
    const auto delay = pair.domain->Read(*tags[0]);
    AIDC_ASSERT(delay.has_value(), "there is a delay");
    NS_TEST_EXPECT_MSG_EQ(delay->locator.Get(CsigAttribute::CUSTOM), 9, "its custom field");
    NS_TEST_EXPECT_MSG_EQ(delay->locator.Get(CsigAttribute::DEVICE), 0, "none");
    const auto bandwidth = pair.domain->Read(*tags[2]);
    AIDC_ASSERT(bandwidth.has_value(), "there is a bandwidth");
    NS_TEST_EXPECT_MSG_EQ(bandwidth->locator.Get(CsigAttribute::DEVICE), 3, "its device");
}

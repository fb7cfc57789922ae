// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "test/test-case.h"

#include "ns3/csig-tag.h"

// What ports do with tags, by role, level of support, trust and rule.
AIDC_TEST_SUITE("aidc-csig-port-rules", UNIT);

/// Attributes of port a or b, and what becomes of two tagged frames and one without.
struct Rule
{
    std::string name;               //!< what it shows
    Attributes portA;               //!< of the egress port
    Attributes agentA;              //!< of its agent
    Attributes portB;               //!< of the ingress port behind it
    bool isTaggedOnWire;            //!< whether the tags leave port a
    bool isTaggedInside;            //!< whether the tags get past port b
    uint64_t arrived;               //!< frames that get past port b
    CsigPortStatistics statisticsA; //!< of port a
    CsigPortStatistics statisticsB; //!< of port b
};

/// Compare counters.
void
Check(const CsigPortStatistics& found, const CsigPortStatistics& expected, std::string port)
{
    NS_TEST_EXPECT_MSG_EQ(found.taggedIn, expected.taggedIn, port << " taggedIn");
    NS_TEST_EXPECT_MSG_EQ(found.taggedOut, expected.taggedOut, port << " taggedOut");
    NS_TEST_EXPECT_MSG_EQ(found.updated, expected.updated, port << " updated");
    NS_TEST_EXPECT_MSG_EQ(found.stripped, expected.stripped, port << " stripped");
    NS_TEST_EXPECT_MSG_EQ(found.untrusted, expected.untrusted, port << " untrusted");
    NS_TEST_EXPECT_MSG_EQ(found.unsupported, expected.unsupported, port << " unsupported");
    NS_TEST_EXPECT_MSG_EQ(found.frozen, expected.frozen, port << " frozen");
    NS_TEST_EXPECT_MSG_EQ(found.bad, expected.bad, port << " bad");
    NS_TEST_EXPECT_MSG_EQ(found.discarded, expected.discarded, port << " discarded");
    NS_TEST_EXPECT_MSG_EQ(found.foreign, expected.foreign, port << " foreign");
    NS_TEST_EXPECT_MSG_EQ(found.misplaced, expected.misplaced, port << " misplaced");
}

// Tags meet a rule.
AIDC_TEST_CASE_P(RuleTestCase, Rule, rule, rule.name)
{
    CsigPortPair pair(rule.portA, rule.agentA, rule.portB);
    const auto expanded = MakeTag(2, 9, 17, EXPANDED);
    pair.Forward(10000, 1500, TAG);
    pair.Forward(20000, 1500, expanded);
    pair.Forward(30000, 1500);
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 3, "all leave");
    // 14 + 1500, and 4 or 8 for a tag: the MTU of 1,500 counts the payload only.
    const std::size_t sizes[] = {1518, 1522, 1514};
    for (int i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(tags[i].has_value(), rule.isTaggedOnWire, "tag " << i);
        NS_TEST_EXPECT_MSG_EQ(pair.a.traced[i].bytes.size(),
                              (rule.isTaggedOnWire ? sizes[i] : 1514),
                              "bytes " << i);
        if (tags[i])
        {
            NS_TEST_EXPECT_MSG_EQ(*tags[i], (i == 0 ? TAG : expanded), "unchanged");
        }
    }
    AIDC_EXPECT(!tags[2].has_value(), "4.4.2: transit adds no tag");
    NS_TEST_EXPECT_MSG_EQ(pair.a.traced[2].bytes.size(), sizes[2], "bytes 2");
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), rule.arrived, "frames");
    for (uint64_t i = 0; i < rule.arrived; ++i)
    {
        FrameContextTag context;
        pair.b.received[i].packet->PeekPacketTag(context);
        const bool isTagged = rule.isTaggedInside && i < 2;
        NS_TEST_EXPECT_MSG_EQ(+context.GetContext().tagSize,
                              (isTagged ? 4 + 4 * i : 0),
                              "inside " << i);
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[i].protocol, ETHERTYPE_IPV4, "IPv4 behind the tag");
        NS_TEST_EXPECT_MSG_EQ(pair.b.received[i].packet->GetSize(), 1500, "the packet is whole");
    }
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, 3 - rule.arrived, "dropped");
    Check(pair.csigA->GetStatistics(), rule.statisticsA, "a");
    Check(pair.csigB->GetStatistics(), rule.statisticsB, "b");
}

// A port without a tag processor is a device of the category Discard.
AIDC_TEST_CASE("6.2.1: who knows no CSIG sees an unknown EtherType, which nobody takes")
{
    CsigPortPair pair;
    pair.b->SetTagProcessor(nullptr);
    pair.Forward(10000, 1400, TAG);
    pair.Forward(20000, 1400);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 2, "two packets arrive");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].protocol, 0x88b5, "the TPID");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].packet->GetSize(), 1404, "with the tag");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[1].protocol, ETHERTYPE_IPV4, "without a tag");
}

struct HostRow
{
    Attributes portA; //!< more attributes of the sender
    bool isSent;      //!< whether its tag gets on the wire
};

// A host's tag becomes bytes, and at the other host a tag again.
AIDC_TEST_CASE_P(HostTestCase,
                 HostRow,
                 row,
                 "4.4.1, 4.4.3: a host inserts, the other extracts" +
                     (row.portA.empty() ? std::string() : ", with " + row.portA[0].first))
{
    Attributes portA{{"Role", "Host"}};
    portA.insert(portA.end(), row.portA.begin(), row.portA.end());
    CsigPortPair pair(portA, {}, {{"Role", "Host"}});
    const auto fields = MakeTag(0, 0xfffff, 0, EXPANDED);
    auto tagged = Create<Packet>(100);
    CsigTag request(fields);
    request.SetRequest(true);
    tagged->AddPacketTag(request);
    pair.a->Send(tagged, pair.b->GetAddress(), ETHERTYPE_IPV4);
    pair.a->Send(Create<Packet>(100), pair.b->GetAddress(), ETHERTYPE_IPV4);
    // What has a tag of another port from before is not tagged by this host.
    FrameContext context;
    context.tagSize = static_cast<uint8_t>(EncodeCsigTag(TAG, {}, context.tag.data()));
    auto echoed = Create<Packet>(100);
    echoed->AddPacketTag(FrameContextTag(context));
    pair.a->Send(echoed, pair.b->GetAddress(), ETHERTYPE_IPV4);
    // Nor is what has a tag that was left on it.
    auto leftover = Create<Packet>(100);
    leftover->AddPacketTag(CsigTag(fields));
    pair.a->Send(leftover, pair.b->GetAddress(), ETHERTYPE_IPV4);
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 4, "four packets arrive");
    NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().foreign, 1, "9: counted");
    AIDC_EXPECT(tags[0] == (row.isSent ? std::optional(fields) : std::nullopt), "on the wire");
    CsigTag tag;
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].packet->PeekPacketTag(tag), row.isSent, "arrives");
    if (row.isSent)
    {
        NS_TEST_EXPECT_MSG_EQ(tag.GetFields(), fields, "as it was");
    }
    for (int i = 1; i < 4; ++i)
    {
        AIDC_EXPECT(!tags[i].has_value(), "frame " << i);
        AIDC_EXPECT(!pair.b.received[i].packet->PeekPacketTag(tag), "no tag arrives at the host");
    }
    NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().taggedOut, row.isSent, "tags that A sends");
    NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().stripped, !row.isSent, "tags that A strips");
    NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().taggedIn, row.isSent, "tags that B gets");
}

AIDC_ADD_TEST_CASES()
{
    // In the order: taggedIn, taggedOut, updated, stripped, untrusted, unsupported, frozen,
    // bad, discarded.
    const CsigPortStatistics sent{0, 2};
    const CsigPortStatistics taken{2};
    const CsigPortStatistics off{0, 0, 0, 2};
    const CsigPortStatistics none;
    // clang-format off
    const std::vector<Rule> rules{
        {"6.2.3: complete support retains tags", {}, {}, {}, true, true, 3, sent, taken},
        {"6.2.2: pass-through leaves tags as they are", {{"Support", "PassThrough"}}, {},
         {{"Support", "PassThrough"}}, true, true, 3, sent, taken},
        {"6.1: stripping at an egress port (MUST)", {{"StripEgress", "true"}}, {}, {}, false, false,
         3, off, none},
        {"6.1, 6.3.2: pass-through ports can strip",
         {{"StripEgress", "true"}, {"Support", "PassThrough"}}, {}, {}, false, false, 3, off, none},
        {"6.2.1: Discard drops tagged frames", {}, {}, {{"Support", "Discard"}}, true, false, 1,
         sent, {2, 0, 0, 0, 0, 0, 0, 0, 2}},
        {"6.3.1, 6.3.2: stripping before a Discard device saves the frames (MUST)",
         {{"StripEgress", "true"}}, {}, {{"Support", "Discard"}}, false, false, 3, off, none},
        {"6.5, 9: stripping at the ingress port of a boundary (MUST)", {}, {},
         {{"StripIngress", "true"}}, true, false, 3, sent, {2, 0, 0, 2}},
        {"9: tags from untrusted senders end at the edge (MUST)", {}, {}, {{"Trusted", "false"}},
         true, false, 3, sent, {2, 0, 0, 0, 2}},
        {"9: frames from untrusted senders that have tags can be dropped", {}, {},
         {{"Trusted", "false"}, {"UntrustedAction", "Drop"}}, true, false, 1, sent,
         {2, 0, 0, 0, 2}},
    };
    // clang-format on
    AddTestCases<RuleTestCase>(rules);
    AddTestCases<HostTestCase>(
        {{{}, true}, {{{"StripEgress", "true"}}, false}, {{{"Support", "Discard"}}, false}});
}

// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/csig-tag.h"

// CSIG's packet tag.
AIDC_TEST_SUITE("aidc-csig-tag", UNIT);

/// The fields that are tested: all of both formats, and how signals begin.
const std::vector<CsigFields> FIELDS{
    {CsigFormat::COMPACT, 0, 0, 0, 31},
    {CsigFormat::COMPACT, 1, 0, 0, 31},
    {CsigFormat::COMPACT, 2, 0, 0, 0},
    {CsigFormat::COMPACT, 5, 1, 43, 19},
    {CsigFormat::EXPANDED, 0, 0, 0, 0xfffff},
    {CsigFormat::EXPANDED, 5, 0xf0, 0x1234, 0xabcde},
};

AIDC_TEST_CASE("CSIG packet tags print their fields")
{
    std::ostringstream text;
    CsigTag(CsigFields{CsigFormat::EXPANDED, 2, 0, 7, 1000}).Print(text);
    NS_TEST_ASSERT_MSG_EQ(text.str(), "expanded T=2 R=0 S=1000 LM=7", "tag");
}

// A packet tag carries the same fields through copies, and can be replaced.
AIDC_TEST_CASE("A CSIG packet tag carries all fields of both formats")
{
    for (const auto& fields : FIELDS)
    {
        auto packet = Create<Packet>(100);
        packet->AddPacketTag(CsigTag(fields));
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), 100, "a tag takes no bytes");
        const auto copy = packet->Copy();
        CsigTag read;
        CsigTag request(fields);
        request.SetRequest(true);
        AIDC_ASSERT(request.IsRequest(), "it asks for a tag");
        const auto sent = Create<Packet>(100);
        sent->AddPacketTag(request);
        sent->PeekPacketTag(read);
        AIDC_ASSERT(read.IsRequest(), "section 9");
        NS_TEST_ASSERT_MSG_EQ(read.GetFields(), fields, fields);
        AIDC_ASSERT(copy->PeekPacketTag(read), fields);
        NS_TEST_ASSERT_MSG_EQ(read.GetFields(), fields, fields);

        for (const auto& other : FIELDS)
        {
            CsigTag replacement(other);
            packet->ReplacePacketTag(replacement);
            packet->PeekPacketTag(read);
            NS_TEST_ASSERT_MSG_EQ(read.GetFields(), other, "replaced");
        }
        copy->PeekPacketTag(read);
        NS_TEST_ASSERT_MSG_EQ(read.GetFields(), fields, "the copy keeps its own");
    }
}

// Fields that cannot be are a configuration error.
AIDC_TEST_CASE("CSIG fields that do not fit end the program")
{
    const CsigFields large{CsigFormat::COMPACT, 0, 0, 0, 32};
    const std::string doesNotFit = "compact T=0 R=0 S=32 LM=0 do not fit the bits";
    ExpectRefusal(doesNotFit, [&] { CsigTag{large}; });
}

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test/death-test.h"

#include "ns3/csig-tag.h"
#include "ns3/packet.h"
#include "ns3/test.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// The fields that are tested: all of both formats, and how signals begin.
const std::vector<CsigFields> FIELDS{
    {CsigFormat::COMPACT, 0, 0, 0, 31},
    {CsigFormat::COMPACT, 1, 0, 0, 31},
    {CsigFormat::COMPACT, 2, 0, 0, 0},
    {CsigFormat::COMPACT, 5, 1, 43, 19},
    {CsigFormat::EXPANDED, 0, 0, 0, 0xfffff},
    {CsigFormat::EXPANDED, 5, 0xf0, 0x1234, 0xabcde},
};

/**
 * @ingroup aidc-test
 * @brief Tags print their fields.
 */
class PrintTestCase : public TestCase
{
  public:
    PrintTestCase()
        : TestCase("CSIG packet tags print their fields")
    {
    }

  private:
    void DoRun() override
    {
        std::ostringstream text;
        CsigTag(CsigFields{CsigFormat::EXPANDED, 2, 0, 7, 1000}).Print(text);
        NS_TEST_ASSERT_MSG_EQ(text.str(), "expanded T=2 R=0 S=1000 LM=7", "tag");
    }
};

/**
 * @ingroup aidc-test
 * @brief A packet tag carries the same fields through copies, and can be replaced.
 */
class PacketTagTestCase : public TestCase
{
  public:
    PacketTagTestCase()
        : TestCase("A CSIG packet tag carries all fields of both formats")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_ASSERT_MSG_EQ(request.IsRequest(), true, "");
            const auto sent = Create<Packet>(100);
            sent->AddPacketTag(request);
            sent->PeekPacketTag(read);
            NS_TEST_ASSERT_MSG_EQ(read.IsRequest(), true, "section 9");
            NS_TEST_ASSERT_MSG_EQ(read.GetFields(), fields, fields);
            NS_TEST_ASSERT_MSG_EQ(copy->PeekPacketTag(read), true, fields);
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
};

/**
 * @ingroup aidc-test
 * @brief Fields that cannot be are a configuration error.
 */
class RefusedTestCase : public TestCase
{
  public:
    RefusedTestCase()
        : TestCase("CSIG fields that do not fit end the program")
    {
    }

  private:
    void DoRun() override
    {
        const CsigFields large{CsigFormat::COMPACT, 0, 0, 0, 32};
        const std::string doesNotFit = "compact T=0 R=0 S=32 LM=0 do not fit the bits";
        NS_TEST_EXPECT_MSG_EQ(RunInChild([&] { CsigTag{large}; }).Says(doesNotFit), true, "tag");
    }
};

/**
 * @ingroup aidc-test
 * @brief CSIG's packet tag.
 */
class AidcCsigTagTestSuite : public TestSuite
{
  public:
    AidcCsigTagTestSuite()
        : TestSuite("aidc-csig-tag", TestSuite::Type::UNIT)
    {
        AddTestCase(new PrintTestCase);
        AddTestCase(new PacketTagTestCase);
        AddTestCase(new RefusedTestCase);
    }
};

/// The instance that registers the suite
const AidcCsigTagTestSuite g_aidcCsigTagTestSuite;

} // namespace

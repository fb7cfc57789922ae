/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../death-test.h"

#include "ns3/csig-header.h"
#include "ns3/csig-tag.h"
#include "ns3/ethernet-header.h"
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

/// A tag as bytes, worked out by hand from the draft's figures 1 and 2, and its fields.
struct TagVector
{
    std::string name;           ///< what it is
    std::vector<uint8_t> bytes; ///< the tag with its TPID
    CsigFields fields;          ///< what it means
};

/// The tags that are tested: format, T, R, LM, S.
const std::vector<TagVector> VECTORS{
    {"compact min(ABW)", {0x88, 0xb5, 0x0f, 0x80}, {CsigFormat::COMPACT, 0, 0, 0, 31}},
    {"compact share of min(ABW)", {0x88, 0xb5, 0x2f, 0x80}, {CsigFormat::COMPACT, 1, 0, 0, 31}},
    {"compact max(PD)", {0x88, 0xb5, 0x40, 0x00}, {CsigFormat::COMPACT, 2, 0, 0, 0}},
    {"compact, all fields", {0x88, 0xb5, 0xb9, 0xab}, {CsigFormat::COMPACT, 5, 1, 43, 19}},
    {"expanded min(ABW)",
     {0x88, 0xb6, 0x00, 0x00, 0x0f, 0xff, 0xff, 0x00},
     {CsigFormat::EXPANDED, 0, 0, 0, 0xfffff}},
    {"expanded, all fields",
     {0x88, 0xb6, 0x12, 0x34, 0x5a, 0xbc, 0xde, 0xf0},
     {CsigFormat::EXPANDED, 5, 0xf0, 0x1234, 0xabcde}},
};

/**
 * @brief Get all bytes of a packet.
 * @param packet the packet
 * @return the bytes
 */
std::vector<uint8_t>
GetBytes(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    return bytes;
}

/**
 * @brief Make a packet.
 * @param bytes its bytes
 * @return the packet
 */
Ptr<Packet>
MakePacket(const std::vector<uint8_t>& bytes)
{
    return Create<Packet>(bytes.data(), bytes.size());
}

/**
 * @brief Print a header or a tag.
 * @tparam T its type
 * @param printable the header or tag
 * @return the text
 */
template <typename T>
std::string
ToText(const T& printable)
{
    std::ostringstream text;
    printable.Print(text);
    return text.str();
}

/**
 * @ingroup aidc-test
 * @brief Sections 4.1.1 and 4.1.2: a header is the bytes of figures 1 and 2, both ways.
 */
class BytesTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param vector the tag
     */
    explicit BytesTestCase(const TagVector& vector)
        : TestCase("A CSIG header is the bytes of its figure: " + vector.name),
          m_vector(vector)
    {
    }

  private:
    void DoRun() override
    {
        const CsigHeader header(m_vector.fields);
        NS_TEST_ASSERT_MSG_EQ(header.GetSerializedSize(), m_vector.bytes.size(), "size");
        auto packet = MakePacket({0x08, 0x00, 0x45});
        packet->AddHeader(header);
        auto expected = m_vector.bytes;
        expected.insert(expected.end(), {0x08, 0x00, 0x45});
        NS_TEST_ASSERT_MSG_EQ((GetBytes(packet) == expected), true, "bytes");

        CsigHeader read;
        NS_TEST_ASSERT_MSG_EQ(packet->RemoveHeader(read), m_vector.bytes.size(), "bytes taken");
        NS_TEST_ASSERT_MSG_EQ(read.IsValid(), true, "valid");
        NS_TEST_ASSERT_MSG_EQ(read.GetFields(), m_vector.fields, "fields");
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), 3, "what follows is left");
    }

    TagVector m_vector; ///< the tag
};

/**
 * @ingroup aidc-test
 * @brief Bytes that end before the tag does are no tag, and nothing is read beyond them.
 */
class TruncatedTestCase : public TestCase
{
  public:
    TruncatedTestCase()
        : TestCase("A CSIG header that is cut short is invalid and takes no bytes")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& vector : VECTORS)
        {
            for (std::size_t length = 0; length < vector.bytes.size(); ++length)
            {
                const auto packet =
                    Create<Packet>(vector.bytes.data(), static_cast<uint32_t>(length));
                CsigHeader header(CsigFields{CsigFormat::COMPACT, 1, 0, 2, 3});
                NS_TEST_EXPECT_MSG_EQ(packet->PeekHeader(header), 0, vector.name << ' ' << length);
                NS_TEST_EXPECT_MSG_EQ(header.IsValid(), false, vector.name << ' ' << length);
                NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), length, "the packet is as it was");
                NS_TEST_EXPECT_MSG_EQ(header.GetFields(),
                                      (CsigFields{CsigFormat::COMPACT, 1, 0, 2, 3}),
                                      "the fields are as they were");
            }
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief TPIDs: others are no tag, and the two are configurable.
 */
class TpidTestCase : public TestCase
{
  public:
    TpidTestCase()
        : TestCase("A CSIG header is recognized by its configurable TPID")
    {
    }

  private:
    void DoRun() override
    {
        const auto vlan = MakePacket({0x81, 0x00, 0x0f, 0x80, 0x08, 0x00, 0x00, 0x00});
        CsigHeader header;
        NS_TEST_ASSERT_MSG_EQ(vlan->PeekHeader(header), 0, "a VLAN tag is no CSIG tag");
        NS_TEST_ASSERT_MSG_EQ(header.IsValid(), false, "and says so");

        header.SetTpids({0x8100, 0x9100});
        NS_TEST_ASSERT_MSG_EQ(vlan->PeekHeader(header), 4, "unless its TPID is CSIG's");
        NS_TEST_ASSERT_MSG_EQ(header.IsValid(), true, "valid again");
        NS_TEST_ASSERT_MSG_EQ(header.GetFields(),
                              (CsigFields{CsigFormat::COMPACT, 0, 0, 0, 31}),
                              "fields");
        NS_TEST_ASSERT_MSG_EQ(header.GetTpids().expanded, 0x9100, "TPIDs are kept");

        auto packet = Create<Packet>();
        packet->AddHeader(header);
        NS_TEST_ASSERT_MSG_EQ((GetBytes(packet) == std::vector<uint8_t>{0x81, 0x00, 0x0f, 0x80}),
                              true,
                              "and it is written");
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 4.1: the tag is between the addresses and the EtherType.
 */
class PlacementTestCase : public TestCase
{
  public:
    PlacementTestCase()
        : TestCase("Section 4.1: the tag is between the addresses and the EtherType")
    {
    }

  private:
    void DoRun() override
    {
        // Written: EtherType 0x0800, then the tag in front of it, then the addresses
        auto packet = MakePacket({0x08, 0x00, 0x45});
        packet->AddHeader(CsigHeader(CsigFields{CsigFormat::COMPACT, 2, 0, 1, 3}));
        const std::vector<uint8_t> addresses{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
        auto frame = MakePacket(addresses);
        frame->AddAtEnd(packet);

        // Read by ns-3's own header of Ethernet: its length/type is the TPID
        EthernetHeader ethernet(false);
        frame->PeekHeader(ethernet);
        NS_TEST_ASSERT_MSG_EQ(ethernet.GetLengthType(), 0x88b5, "TPID in the place of EtherType");
        frame->RemoveAtStart(addresses.size());
        CsigHeader header;
        frame->RemoveHeader(header);
        NS_TEST_ASSERT_MSG_EQ(header.GetFields(),
                              (CsigFields{CsigFormat::COMPACT, 2, 0, 1, 3}),
                              "the tag");
        NS_TEST_ASSERT_MSG_EQ((GetBytes(frame) == std::vector<uint8_t>{0x08, 0x00, 0x45}),
                              true,
                              "the EtherType follows");
    }
};

/**
 * @ingroup aidc-test
 * @brief Headers and tags print their fields.
 */
class PrintTestCase : public TestCase
{
  public:
    PrintTestCase()
        : TestCase("CSIG headers and tags print their fields")
    {
    }

  private:
    void DoRun() override
    {
        const CsigFields fields{CsigFormat::EXPANDED, 2, 0, 7, 1000};
        CsigHeader header(fields);
        NS_TEST_ASSERT_MSG_EQ(ToText(header), "expanded T=2 R=0 S=1000 LM=7", "header");
        NS_TEST_ASSERT_MSG_EQ(ToText(CsigTag(fields)), "expanded T=2 R=0 S=1000 LM=7", "tag");
        Create<Packet>(1)->PeekHeader(header);
        NS_TEST_ASSERT_MSG_EQ(ToText(header), "no CSIG tag", "invalid header");
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
        for (const auto& vector : VECTORS)
        {
            auto packet = Create<Packet>(100);
            packet->AddPacketTag(CsigTag(vector.fields));
            NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), 100, "a tag takes no bytes");
            const auto copy = packet->Copy();
            CsigTag read;
            NS_TEST_ASSERT_MSG_EQ(copy->PeekPacketTag(read), true, vector.name);
            NS_TEST_ASSERT_MSG_EQ(read.GetFields(), vector.fields, vector.name);

            for (const auto& other : VECTORS)
            {
                CsigTag replacement(other.fields);
                packet->ReplacePacketTag(replacement);
                packet->PeekPacketTag(read);
                NS_TEST_ASSERT_MSG_EQ(read.GetFields(), other.fields, "replaced");
            }
            copy->PeekPacketTag(read);
            NS_TEST_ASSERT_MSG_EQ(read.GetFields(), vector.fields, "the copy keeps its own");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Fields and TPIDs that cannot be are configuration errors.
 */
class RefusedTestCase : public TestCase
{
  public:
    RefusedTestCase()
        : TestCase("CSIG fields that do not fit and TPIDs that tell nothing end the program")
    {
    }

  private:
    void DoRun() override
    {
        const CsigFields large{CsigFormat::COMPACT, 0, 0, 0, 32};
        const std::string doesNotFit = "compact T=0 R=0 S=32 LM=0 do not fit the bits";
        NS_TEST_EXPECT_MSG_EQ(RunInChild([&] { CsigHeader{large}; }).Says(doesNotFit),
                              true,
                              "header");
        NS_TEST_EXPECT_MSG_EQ(RunInChild([&] { CsigTag{large}; }).Says(doesNotFit), true, "tag");
        NS_TEST_EXPECT_MSG_EQ(
            RunInChild([] { CsigHeader().SetTpids({0x88b5, 0x88b5}); }).Says("two different TPIDs"),
            true,
            "equal TPIDs");
    }
};

/**
 * @ingroup aidc-test
 * @brief CSIG's header and packet tag.
 */
class AidcCsigHeaderTestSuite : public TestSuite
{
  public:
    AidcCsigHeaderTestSuite()
        : TestSuite("aidc-csig-header", TestSuite::Type::UNIT)
    {
        for (const auto& vector : VECTORS)
        {
            AddTestCase(new BytesTestCase(vector));
        }
        AddTestCase(new TruncatedTestCase);
        AddTestCase(new TpidTestCase);
        AddTestCase(new PlacementTestCase);
        AddTestCase(new PrintTestCase);
        AddTestCase(new PacketTagTestCase);
        AddTestCase(new RefusedTestCase);
    }
};

/// The instance that registers the suite
const AidcCsigHeaderTestSuite g_aidcCsigHeaderTestSuite;

} // namespace

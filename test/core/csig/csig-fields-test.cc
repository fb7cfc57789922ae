// SPDX-License-Identifier: GPL-2.0-only

// The CSIG tag, bit by bit: figures 1 and 2 of the draft.

#include "model/core/csig/csig-fields.h"
#include "test/core/core-test.h"

/// A tag as bytes, worked out by hand from the figures, and its fields.
struct TagVector
{
    const char* description;    //!< what is special about it
    std::vector<uint8_t> bytes; //!< the tag with its TPID
    CsigFields fields;          //!< what it means
};

/// Makes fields in the order of figure 1.
CsigFields
Compact(uint8_t type, uint8_t reserved, uint32_t value, uint16_t locator)
{
    return {CsigFormat::COMPACT, type, reserved, locator, value};
}

/// Makes fields in the order of figure 2.
CsigFields
Expanded(uint16_t locator, uint8_t type, uint32_t value, uint8_t reserved)
{
    return {CsigFormat::EXPANDED, type, reserved, locator, value};
}

/// The tags that are tested: how hosts begin the three signals, then a field after the other.
std::vector<TagVector>
MakeVectors()
{
    return {
        {"min(ABW) begins at the largest code", {0x88, 0xb5, 0x0f, 0x80}, Compact(0, 0, 31, 0)},
        {"min(ABW/C) begins at the largest code", {0x88, 0xb5, 0x2f, 0x80}, Compact(1, 0, 31, 0)},
        {"max(PD) begins at 0", {0x88, 0xb5, 0x40, 0x00}, Compact(2, 0, 0, 0)},
        {"T is bits 16 to 18", {0x88, 0xb5, 0xe0, 0x00}, Compact(7, 0, 0, 0)},
        {"R is bit 19", {0x88, 0xb5, 0x10, 0x00}, Compact(0, 1, 0, 0)},
        {"S begins at bit 20", {0x88, 0xb5, 0x08, 0x00}, Compact(0, 0, 16, 0)},
        {"S ends at bit 24", {0x88, 0xb5, 0x00, 0x80}, Compact(0, 0, 1, 0)},
        {"LM is bits 25 to 31", {0x88, 0xb5, 0x00, 0x7f}, Compact(0, 0, 0, 127)},
        {"all bits of compact", {0x88, 0xb5, 0xff, 0xff}, Compact(7, 1, 31, 127)},
        {"a field after the other, compact", {0x88, 0xb5, 0xb9, 0xab}, Compact(5, 1, 19, 43)},
        {"min(ABW) begins at 0xFFFFF",
         {0x88, 0xb6, 0x00, 0x00, 0x0f, 0xff, 0xff, 0x00},
         Expanded(0, 0, 0xfffff, 0)},
        {"max(PD) begins at 0, expanded",
         {0x88, 0xb6, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00},
         Expanded(0, 2, 0, 0)},
        {"LM is before T",
         {0x88, 0xb6, 0x12, 0x34, 0x00, 0x00, 0x00, 0x00},
         Expanded(0x1234, 0, 0, 0)},
        {"T is bits 0 to 3 of the second word",
         {0x88, 0xb6, 0x00, 0x00, 0xf0, 0x00, 0x00, 0x00},
         Expanded(0, 15, 0, 0)},
        {"S is bits 4 to 23 of the second word",
         {0x88, 0xb6, 0x00, 0x00, 0x0a, 0xbc, 0xde, 0x00},
         Expanded(0, 0, 0xabcde, 0)},
        {"R is bits 24 to 31 of the second word",
         {0x88, 0xb6, 0x00, 0x00, 0x00, 0x00, 0x00, 0x5a},
         Expanded(0, 0, 0, 0x5a)},
        {"a field after the other, expanded",
         {0x88, 0xb6, 0x12, 0x34, 0x5a, 0xbc, 0xde, 0xf0},
         Expanded(0x1234, 5, 0xabcde, 0xf0)},
        {"all bits of expanded",
         {0x88, 0xb6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
         Expanded(0xffff, 15, 0xfffff, 0xff)},
    };
}

/// Encodes a tag into a vector of its size.
std::vector<uint8_t>
Encode(const CsigFields& fields, const CsigTpids& tpids = {})
{
    std::vector<uint8_t> bytes(GetCsigTagSize(fields.format));
    EXPECT_EQ(EncodeCsigTag(fields, tpids, bytes.data()), bytes.size());
    return bytes;
}

// Sections 4.1.1 and 4.1.2: 2 and 6 bytes of data after 2 bytes of TPID, and the fields' widths.
static_assert(GetCsigDataSize(CsigFormat::COMPACT) == 2);
static_assert(GetCsigTagSize(CsigFormat::COMPACT) == 4);
static_assert(GetCsigDataSize(CsigFormat::EXPANDED) == 6);
static_assert(GetCsigTagSize(CsigFormat::EXPANDED) == CSIG_MAX_TAG_SIZE);
static_assert(GetCsigMaxValue(CsigFormat::COMPACT) == 31);
static_assert(GetCsigMaxValue(CsigFormat::EXPANDED) == 0xFFFFF);
static_assert(GetCsigMaximum(GetCsigWidths(CsigFormat::COMPACT).type) == 7);
static_assert(GetCsigMaximum(GetCsigWidths(CsigFormat::EXPANDED).type) == 15);

TEST(CsigFields, Section4_1_1And4_1_2TagsAreTheseBytes)
{
    for (const auto& vector : MakeVectors())
    {
        EXPECT_EQ(Encode(vector.fields), vector.bytes) << vector.description;
        const auto decoded = DecodeCsigTag(vector.bytes.data(), vector.bytes.size(), {});
        ASSERT_TRUE(decoded) << vector.description;
        EXPECT_EQ(*decoded, vector.fields) << vector.description;
    }
}

TEST(CsigFields, DataFieldsAreTheTagWithoutItsTpid)
{
    for (const auto& vector : MakeVectors())
    {
        const std::vector<uint8_t> data(vector.bytes.begin() + CSIG_TPID_SIZE, vector.bytes.end());
        std::vector<uint8_t> encoded(data.size());
        EXPECT_EQ(EncodeCsigData(vector.fields, encoded.data()), data.size());
        EXPECT_EQ(encoded, data) << vector.description;
        const auto decoded = DecodeCsigData(data.data(), data.size());
        ASSERT_TRUE(decoded) << vector.description;
        EXPECT_EQ(*decoded, vector.fields) << vector.description;
    }
}

TEST(CsigFields, TruncatedTagIsNone)
{
    for (const auto& vector : MakeVectors())
    {
        for (std::size_t length = 0; length < vector.bytes.size(); ++length)
        {
            // A copy of this very size, so that a sanitizer sees a read beyond it
            const std::vector<uint8_t> bytes(vector.bytes.begin(),
                                             vector.bytes.begin() + static_cast<long>(length));
            EXPECT_FALSE(DecodeCsigTag(bytes.data(), bytes.size(), {}))
                << vector.description << ", " << length << " bytes";
        }
    }
}

TEST(CsigFields, WhatFollowsATagIsLeftAlone)
{
    const std::vector<uint8_t> bytes{0x88, 0xb5, 0x0f, 0x80, 0x08, 0x00, 0x45};
    EXPECT_EQ(DecodeCsigTag(bytes.data(), bytes.size(), {}), Compact(0, 0, 31, 0));
}

TEST(CsigFields, DataOfAnotherLengthIsNone)
{
    const std::vector<uint8_t> bytes(16, 0xff);
    for (std::size_t length = 0; length <= bytes.size(); ++length)
    {
        EXPECT_EQ(DecodeCsigData(bytes.data(), length).has_value(), length == 2 || length == 6)
            << length;
    }
}

TEST(CsigFields, OtherTpidIsNone)
{
    for (const uint8_t low : {0x00, 0xb4, 0xb7, 0xff})
    {
        const std::vector<uint8_t> bytes{0x88, low, 0, 0, 0, 0, 0, 0};
        EXPECT_FALSE(DecodeCsigTag(bytes.data(), bytes.size(), {})) << int{low};
    }
}

TEST(CsigFields, TpidsAreConfigurable)
{
    const CsigTpids tpids{0x7100, 0x7200};
    const auto bytes = Encode(Compact(2, 0, 3, 4), tpids);
    EXPECT_EQ(bytes, (std::vector<uint8_t>{0x71, 0x00, 0x41, 0x84}));
    EXPECT_EQ(DecodeCsigTag(bytes.data(), bytes.size(), tpids), Compact(2, 0, 3, 4));
    EXPECT_FALSE(DecodeCsigTag(bytes.data(), bytes.size(), {}));
}

TEST(CsigFields, TpidsThatCannotTellTheFormatsAreRefused)
{
    EXPECT_NO_THROW(CheckCsigTpids({}));
    EXPECT_NO_THROW(CheckCsigTpids({0x0600, 0xffff}));
    EXPECT_THROW(CheckCsigTpids({0x88b5, 0x88b5}), std::invalid_argument);
    EXPECT_THROW(CheckCsigTpids({0x05ff, 0x88b6}), std::invalid_argument);
    EXPECT_THROW(CheckCsigTpids({0x88b5, 0}), std::invalid_argument);
}

TEST(CsigFields, Section411TpidsOfOtherProtocolsAreRefused)
{
    for (const uint16_t tpid :
         {0x0800, 0x0806, 0x22e7, 0x22e9, 0x8100, 0x86dd, 0x8808, 0x8847, 0x88a8, 0x88cc,
          0x88e5, 0x88e7, 0x88f7, 0x8915, 0x893f, 0x9000, 0x9100, 0x9200, 0x9300, 0xf1c1})
    {
        EXPECT_THROW(CheckCsigTpids({tpid, 0x88b6}), std::invalid_argument) << tpid;
        EXPECT_THROW(CheckCsigTpids({0x88b5, tpid}), std::invalid_argument) << tpid;
    }
}

TEST(CsigFields, Section41OtherTagsAreKnownByTheirTpids)
{
    for (const uint16_t tpid :
         {0x8100, 0x88a8, 0x9100, 0x9200, 0x9300, 0x22e9, 0x88e5, 0x88e7, 0x893f, 0xf1c1})
    {
        EXPECT_TRUE(IsTpidOfOtherTag(tpid)) << tpid;
        EXPECT_THROW(CheckCsigTpid(tpid), std::invalid_argument) << tpid;
    }
    // Payloads; MPLS is one, as "layer 2.5 headers are also placed after the CSIG tag"
    for (const uint16_t etherType : {0x0800, 0x0806, 0x86dd, 0x8847, 0x8848, 0x8915, 0x9000})
    {
        EXPECT_FALSE(IsTpidOfOtherTag(etherType)) << etherType;
    }
}

TEST(CsigFields, FieldsThatDoNotFitAreRefusedAndNothingIsWritten)
{
    for (const auto& fields : {Compact(8, 0, 0, 0),
                               Compact(0, 2, 0, 0),
                               Compact(0, 0, 32, 0),
                               Compact(0, 0, 0, 128),
                               Expanded(0, 16, 0, 0),
                               Expanded(0, 0, 0x100000, 0)})
    {
        std::vector<uint8_t> bytes(CSIG_MAX_TAG_SIZE, 0xee);
        EXPECT_FALSE(CanEncodeCsig(fields)) << fields;
        EXPECT_THROW(EncodeCsigTag(fields, {}, bytes.data()), std::invalid_argument) << fields;
        EXPECT_THROW(EncodeCsigData(fields, bytes.data()), std::invalid_argument) << fields;
        EXPECT_EQ(bytes, std::vector<uint8_t>(CSIG_MAX_TAG_SIZE, 0xee)) << fields;
    }
}

TEST(CsigFields, PrintsEachField)
{
    std::ostringstream text;
    text << Compact(1, 0, 31, 5) << ", " << Expanded(65535, 2, 0xfffff, 255);
    EXPECT_EQ(text.str(), "compact T=1 R=0 S=31 LM=5, expanded T=2 R=255 S=1048575 LM=65535");
}

TEST(CsigFields, ComparisonSeesEachField)
{
    const auto fields = Compact(1, 0, 2, 3);
    EXPECT_TRUE(fields == Compact(1, 0, 2, 3));
    for (const auto& other : {Compact(0, 0, 2, 3),
                              Compact(1, 1, 2, 3),
                              Compact(1, 0, 3, 3),
                              Compact(1, 0, 2, 2),
                              Expanded(3, 1, 2, 0)})
    {
        EXPECT_TRUE(fields != other) << other;
    }
}

/// Any two bytes: the same bits as a division of the 16-bit number gives.
RC_GTEST_PROP(CsigFields, DecodesAnyCompactDataAsANumber, (uint8_t high, uint8_t low))
{
    const uint8_t bytes[]{high, low};
    const uint32_t number = high * 256U + low;
    const auto fields = DecodeCsigData(bytes, 2);
    RC_ASSERT(fields.has_value());
    RC_ASSERT(fields->type == number / 8192);
    RC_ASSERT(fields->reserved == number / 4096 % 2);
    RC_ASSERT(fields->value == number / 128 % 32);
    RC_ASSERT(fields->locator == number % 128);
    uint8_t encoded[2];
    EncodeCsigData(*fields, encoded);
    RC_ASSERT(encoded[0] == high && encoded[1] == low);
}

/// Any six bytes: the same bits as a division of the 48-bit number gives.
RC_GTEST_PROP(CsigFields, DecodesAnyExpandedDataAsANumber, ())
{
    const auto bytes = *rc::gen::container<std::vector<uint8_t>>(6, rc::gen::arbitrary<uint8_t>());
    uint64_t number = 0;
    for (const auto byte : bytes)
    {
        number = number * 256 + byte;
    }
    const auto fields = DecodeCsigData(bytes.data(), bytes.size());
    RC_ASSERT(fields.has_value());
    RC_ASSERT(fields->locator == number / 4294967296U);
    RC_ASSERT(fields->type == number / 268435456U % 16);
    RC_ASSERT(fields->value == number / 256 % 1048576);
    RC_ASSERT(fields->reserved == number % 256);
    std::vector<uint8_t> encoded(6);
    EncodeCsigData(*fields, encoded.data());
    RC_ASSERT(encoded == bytes);
}

// SPDX-License-Identifier: GPL-2.0-only

// The header of Ethernet II frames: IEEE 802.3, section 3.2; IEEE 802.1Q, sections 9.5 and 9.6. The
// octets were written by hand.

#include "model/core/ethernet/ethernet-fields.h"
#include "test/core/core-test.h"

#include "ns3/protocol-numbers.h"

using Bytes = std::vector<uint8_t>;

/// A tag of 4 octets and one of 8, by EtherTypes for experiments (IEEE 802, section 9.2.4).
const KnownTags KNOWN{{{{0x88b5, 4}, {0x88b6, 8}}}};

const MacBytes TO{0x02, 0x00, 0x00, 0x00, 0x00, 0x0b};
const MacBytes FROM{0x02, 0x00, 0x00, 0x00, 0x00, 0x0a};

/// Both addresses and what follows them.
Bytes
Frame(const Bytes& rest)
{
    Bytes bytes(12 + rest.size());
    std::copy(TO.begin(), TO.end(), bytes.begin());
    std::copy(FROM.begin(), FROM.end(), bytes.begin() + 6);
    std::copy(rest.begin(), rest.end(), bytes.begin() + 12);
    return bytes;
}

EthernetFields
Fields(const std::vector<VlanTag>& vlans, const Bytes& tag, uint16_t etherType)
{
    EthernetFields fields;
    fields.destination = TO;
    fields.source = FROM;
    fields.nVlans = static_cast<uint8_t>(vlans.size());
    std::copy(vlans.begin(), vlans.end(), fields.vlans.begin());
    fields.tagSize = static_cast<uint8_t>(tag.size());
    std::copy(tag.begin(), tag.end(), fields.tag.begin());
    fields.etherType = etherType;
    return fields;
}

Bytes
Encode(const EthernetFields& fields)
{
    Bytes bytes(fields.GetSize());
    EncodeEthernetHeader(fields, bytes.data());
    return bytes;
}

bool
Same(const EthernetFields& a, const EthernetFields& b)
{
    return a.destination == b.destination && a.source == b.source && a.nVlans == b.nVlans &&
           std::equal(a.vlans.begin(), a.vlans.begin() + a.nVlans, b.vlans.begin()) &&
           a.tagSize == b.tagSize &&
           std::equal(a.tag.begin(), a.tag.begin() + a.tagSize, b.tag.begin()) &&
           a.etherType == b.etherType;
}

/// A header, as fields and as octets.
struct Vector
{
    std::string name;      //!< what it is
    EthernetFields fields; //!< the fields
    Bytes bytes;           //!< the octets
};

const std::vector<Vector> VECTORS{
    {"IPv4 without a tag", Fields({}, {}, 0x0800), Frame({0x08, 0x00})},
    // 802.1Q: priority 5 (101), not drop eligible (0), VLAN 0x123: 1010 0001 0010 0011.
    {"802.1Q, priority 5, VLAN 291",
     Fields({{0x8100, 5, false, 0x123}}, {}, 0x0800),
     Frame({0x81, 0x00, 0xa1, 0x23, 0x08, 0x00})},
    // Priority 0, drop eligible, VLAN 4094: 0001 1111 1111 1110.
    {"802.1Q, drop eligible, the last VLAN",
     Fields({{0x8100, 0, true, 4094}}, {}, 0x86dd),
     Frame({0x81, 0x00, 0x1f, 0xfe, 0x86, 0xdd})},
    {"a priority tag: 802.1Q with VLAN 0",
     Fields({{0x8100, 7, false, 0}}, {}, 0x0806),
     Frame({0x81, 0x00, 0xe0, 0x00, 0x08, 0x06})},
    {"802.1ad: service VLAN 100 outside, customer VLAN 200 inside",
     Fields({{0x88a8, 1, false, 100}, {0x8100, 2, true, 200}}, {}, 0x0800),
     Frame({0x88, 0xa8, 0x20, 0x64, 0x81, 0x00, 0x50, 0xc8, 0x08, 0x00})},
    {"four VLAN tags",
     Fields({{0x88a8, 0, false, 1},
             {0x88a8, 0, false, 2},
             {0x8100, 0, false, 3},
             {0x8100, 0, false, 4}},
            {},
            0x0800),
     Frame({0x88,
            0xa8,
            0x00,
            0x01,
            0x88,
            0xa8,
            0x00,
            0x02,
            0x81,
            0x00,
            0x00,
            0x03,
            0x81,
            0x00,
            0x00,
            0x04,
            0x08,
            0x00})},
    {"a known tag of 4 octets",
     Fields({}, {0x88, 0xb5, 0xde, 0xad}, 0x0800),
     Frame({0x88, 0xb5, 0xde, 0xad, 0x08, 0x00})},
    {"a VLAN tag, then a known tag of 8 octets",
     Fields({{0x8100, 0, false, 7}}, {0x88, 0xb6, 1, 2, 3, 4, 5, 6}, 0x86dd),
     Frame({0x81, 0x00, 0x00, 0x07, 0x88, 0xb6, 1, 2, 3, 4, 5, 6, 0x86, 0xdd})},
    {"four VLAN tags, then a known tag of 8 octets: the longest header",
     Fields({{0x88a8, 0, false, 1},
             {0x88a8, 0, false, 2},
             {0x8100, 0, false, 3},
             {0x8100, 0, false, 4}},
            {0x88, 0xb6, 1, 2, 3, 4, 5, 6},
            0x0800),
     Frame({0x88, 0xa8, 0x00, 0x01, 0x88, 0xa8, 0x00, 0x02, 0x81, 0x00, 0x00, 0x03, 0x81,
            0x00, 0x00, 0x04, 0x88, 0xb6, 1,    2,    3,    4,    5,    6,    0x08, 0x00})},
};

TEST(EthernetFields, TheOctetsOfEachHeader)
{
    for (const auto& vector : VECTORS)
    {
        EXPECT_EQ(vector.fields.GetSize(), vector.bytes.size()) << vector.name;
        EXPECT_EQ(Encode(vector.fields), vector.bytes) << vector.name;
        EthernetFields read;
        ASSERT_TRUE(DecodeEthernetHeader(vector.bytes.data(), vector.bytes.size(), KNOWN, read))
            << vector.name;
        EXPECT_TRUE(Same(read, vector.fields)) << vector.name;
    }
}

TEST(EthernetFields, ThePayloadIsNotTouched)
{
    for (const auto& vector : VECTORS)
    {
        Bytes bytes = vector.bytes;
        bytes.insert(bytes.end(), 100, 0x81);
        EthernetFields read;
        ASSERT_TRUE(DecodeEthernetHeader(bytes.data(), bytes.size(), KNOWN, read)) << vector.name;
        EXPECT_TRUE(Same(read, vector.fields)) << vector.name;
    }
}

TEST(EthernetFields, NoTruncatedHeaderIsWhole)
{
    for (const auto& vector : VECTORS)
    {
        for (std::size_t size = 0; size < vector.bytes.size(); ++size)
        {
            // No more than that may be read, which a sanitizer sees.
            const Bytes bytes(vector.bytes.begin(),
                              vector.bytes.begin() + static_cast<std::ptrdiff_t>(size));
            EthernetFields read;
            EXPECT_FALSE(DecodeEthernetHeader(bytes.data(), size, KNOWN, read))
                << vector.name << ", " << size;
        }
    }
}

TEST(EthernetFields, NothingAtAllIsNotAHeader)
{
    EthernetFields read;
    EXPECT_FALSE(DecodeEthernetHeader(nullptr, 0, KNOWN, read));
}

TEST(EthernetFields, AnUnknownTagIsTheEtherTypeOfThePayload)
{
    const Bytes bytes = Frame({0x81, 0x00, 0x00, 0x07, 0x88, 0xb5, 0xde, 0xad, 0x08, 0x00});
    EthernetFields read;
    ASSERT_TRUE(DecodeEthernetHeader(bytes.data(), bytes.size(), KnownTags(), read));
    EXPECT_TRUE(Same(read, Fields({{0x8100, 0, false, 7}}, {}, 0x88b5)));
}

TEST(EthernetFields, AFifthVlanTagIsTheEtherTypeOfThePayload)
{
    const Bytes bytes = Frame(
        {0x81, 0, 0, 1, 0x81, 0, 0, 2, 0x81, 0, 0, 3, 0x81, 0, 0, 4, 0x88, 0xa8, 0, 5, 0x08, 0x00});
    EthernetFields read;
    ASSERT_TRUE(DecodeEthernetHeader(bytes.data(), bytes.size(), KNOWN, read));
    EXPECT_EQ(read.nVlans, 4);
    EXPECT_EQ(read.vlans[3].id, 4);
    EXPECT_EQ(read.etherType, 0x88a8);
    EXPECT_EQ(read.GetSize(), 30U);
}

// The tag of another kind is the last one, and there is one.
TEST(EthernetFields, WhatFollowsTheKnownTagIsPayload)
{
    for (const auto& [high, low] : {std::pair{0x81, 0x00}, std::pair{0x88, 0xb5}})
    {
        const Bytes bytes = Frame({0x88,
                                   0xb5,
                                   0xde,
                                   0xad,
                                   static_cast<uint8_t>(high),
                                   static_cast<uint8_t>(low),
                                   0,
                                   7,
                                   0x08,
                                   0x00});
        EthernetFields read;
        ASSERT_TRUE(DecodeEthernetHeader(bytes.data(), bytes.size(), KNOWN, read));
        EXPECT_TRUE(
            Same(read,
                 Fields({}, {0x88, 0xb5, 0xde, 0xad}, static_cast<uint16_t>(high << 8 | low))));
    }
}

// 802.1Q, table 9-2: 0xfff is reserved, but a field of 12 bits like any other to a codec; values
// that do not fit are cut off rather than spill into other fields.
TEST(EthernetFields, VlanFieldsDoNotSpill)
{
    const Bytes bytes = Encode(Fields({{0x8100, 0xff, false, 0xf000}}, {}, 0x0800));
    EXPECT_EQ(bytes, Frame({0x81, 0x00, 0xe0, 0x00, 0x08, 0x00}));
    const Bytes reserved = Encode(Fields({{0x8100, 0, false, 0xfff}}, {}, 0x0800));
    EXPECT_EQ(reserved, Frame({0x81, 0x00, 0x0f, 0xff, 0x08, 0x00}));
}

TEST(EthernetFields, FieldsOfAFormerHeaderDoNotRemain)
{
    EthernetFields read;
    const Bytes& longest = VECTORS.back().bytes;
    ASSERT_TRUE(DecodeEthernetHeader(longest.data(), longest.size(), KNOWN, read));
    const Bytes& plain = VECTORS.front().bytes;
    ASSERT_TRUE(DecodeEthernetHeader(plain.data(), plain.size(), KNOWN, read));
    EXPECT_TRUE(Same(read, VECTORS.front().fields));
}

// Any octets: the header is whole or not, and what is read is written as the same octets. Half of
// the words where a tag may begin are TPIDs, or few would have tags.
RC_GTEST_PROP(EthernetFields, AnyOctetsAreWrittenAsTheyAreRead, ())
{
    Bytes bytes = *rc::gen::container<Bytes>(12, rc::gen::arbitrary<uint8_t>());
    const auto nWords = DrawInRange<std::size_t>(0, 16);
    for (std::size_t i = 0; i < nWords; ++i)
    {
        const auto word =
            *rc::gen::oneOf(rc::gen::arbitrary<uint16_t>(),
                            rc::gen::element<uint16_t>(0x8100, 0x88a8, 0x88b5, 0x88b6));
        bytes.push_back(static_cast<uint8_t>(word >> 8));
        bytes.push_back(static_cast<uint8_t>(word));
    }
    const auto nCut = DrawElement<std::size_t>({0, 0, 1, 2, 3, 13});
    bytes.resize(bytes.size() - std::min(nCut, bytes.size()));
    EthernetFields read;
    const bool isWhole = DecodeEthernetHeader(bytes.data(), bytes.size(), KNOWN, read);
    RC_CLASSIFY(isWhole && read.nVlans > 0, "tagged");
    RC_CLASSIFY(isWhole && read.tagSize > 0, "known tag");
    if (isWhole)
    {
        RC_ASSERT(read.GetSize() <= bytes.size());
        RC_ASSERT(read.GetSize() <= EthernetFields::MAX_SIZE);
        bytes.resize(read.GetSize());
        RC_ASSERT(Encode(read) == bytes);
    }
}

RC_GTEST_PROP(EthernetFields, AnyFieldsAreReadAsTheyAreWritten, ())
{
    EthernetFields fields;
    for (std::size_t i = 0; i < 6; ++i)
    {
        fields.destination[i] = DrawAny<uint8_t>();
        fields.source[i] = DrawAny<uint8_t>();
    }
    fields.nVlans = DrawInRange<uint8_t>(0, EthernetFields::MAX_VLANS + 1);
    for (std::size_t i = 0; i < fields.nVlans; ++i)
    {
        fields.vlans[i] = {DrawElement({TPID_C_VLAN, TPID_S_VLAN}),
                           DrawInRange<uint8_t>(0, 8),
                           DrawAny<bool>(),
                           DrawInRange<uint16_t>(0, 4096)};
    }
    const auto kind = DrawInRange<std::size_t>(0, 3);
    if (kind < 2)
    {
        fields.tagSize = KNOWN.kinds[kind].size;
        for (std::size_t i = 2; i < fields.tagSize; ++i)
        {
            fields.tag[i] = DrawAny<uint8_t>();
        }
        fields.tag[0] = static_cast<uint8_t>(KNOWN.kinds[kind].tpid >> 8);
        fields.tag[1] = static_cast<uint8_t>(KNOWN.kinds[kind].tpid);
    }
    fields.etherType = DrawElement<uint16_t>({0x0800, 0x0806, 0x86dd, 0x8808, 0x0600, 0xffff});
    const Bytes bytes = Encode(fields);
    EthernetFields read;
    RC_ASSERT(DecodeEthernetHeader(bytes.data(), bytes.size(), KNOWN, read));
    RC_ASSERT(Same(read, fields));
    RC_ASSERT(IsReadAsWritten(fields, KNOWN));
}

// Stations that know other tags, and EtherTypes that could be tags.
RC_GTEST_PROP(EthernetFields, WhetherAnyFieldsAreReadAsTheyAreWrittenIsKnown, ())
{
    const auto tpid = rc::gen::element<uint16_t>(0x88b5, 0x88b6, 0x0800);
    const auto size = rc::gen::element<uint8_t>(0, 4, 8);
    const KnownTags known{{{{*tpid, *size}, {*tpid, *size}}}};
    const auto tagSize = *size;
    const auto tagTpid = *tpid;
    Bytes tag(tagSize, 0);
    if (tagSize > 0)
    {
        tag[0] = static_cast<uint8_t>(tagTpid >> 8);
        tag[1] = static_cast<uint8_t>(tagTpid);
    }
    const auto etherType = DrawElement<uint16_t>({0x0800, 0x88b5, 0x88b6, 0x8100, 0x88a8});
    std::vector<VlanTag> vlans(DrawInRange<std::size_t>(0, 3));
    const auto fields = Fields(vlans, tag, etherType);
    Bytes bytes = Encode(fields);
    bytes.resize(60, 0);
    EthernetFields read;
    const bool isSame =
        DecodeEthernetHeader(bytes.data(), bytes.size(), known, read) && Same(read, fields);
    RC_CLASSIFY(isSame, "read as written");
    const bool isVlan = etherType == TPID_C_VLAN || etherType == TPID_S_VLAN;
    RC_ASSERT(IsReadAsWritten(fields, known) == (isSame && !isVlan));
}

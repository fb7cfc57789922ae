// SPDX-License-Identifier: GPL-2.0-only

// Options of a TCP header as bytes: RFC 9293, sections 3.1 and 3.2; RFC 6994.

#include "model/core/csig/tcp-header-bytes.h"
#include "test/core/core-test.h"

using Bytes = std::vector<uint8_t>;

constexpr TcpExperimentalOption EXPERIMENT{253, 0xC516};
const Bytes OPTION{253, 6, 0xC5, 0x16, 0x0F, 0x80};
const Bytes TIMESTAMPS{8, 10, 1, 2, 3, 4, 5, 6, 7, 8};

/// A header with options, padded by zeros.
TcpHeaderBytes
MakeHeader(Bytes options)
{
    options.resize((options.size() + 3) / 4 * 4);
    TcpHeaderBytes header;
    header.size = TCP_MIN_HEADER_SIZE + options.size();
    for (uint8_t i = 0; i < TCP_MIN_HEADER_SIZE; ++i)
    {
        header.bytes[i] = i;
    }
    header.bytes[12] = static_cast<uint8_t>(header.size / 4 << 4 | 0x1);
    std::copy(options.begin(), options.end(), header.bytes.begin() + TCP_MIN_HEADER_SIZE);
    return header;
}

/// The bytes behind the first 20.
Bytes
GetOptions(const TcpHeaderBytes& header)
{
    return {header.bytes.begin() + TCP_MIN_HEADER_SIZE, header.bytes.begin() + header.size};
}

Bytes
GetAll(const TcpHeaderBytes& header)
{
    return {header.bytes.begin(), header.bytes.begin() + header.size};
}

/// Options that are no padding and not ours, as many as fit.
rc::Gen<Bytes>
AnyOptions()
{
    return rc::gen::exec([] {
        Bytes options;
        const auto count = DrawInRange(0, 8);
        for (int i = 0; i < count; ++i)
        {
            const auto length = DrawInRange<std::size_t>(2, 20);
            if (options.size() + length > TCP_MAX_HEADER_SIZE - TCP_MIN_HEADER_SIZE)
            {
                break;
            }
            options.push_back(DrawInRange<uint8_t>(9, 253)); // no kind with a length of its own
            options.push_back(static_cast<uint8_t>(length));
            for (std::size_t j = 2; j < length; ++j)
            {
                options.push_back(DrawAny<uint8_t>());
            }
        }
        return options;
    });
}

TEST(TcpOptions, Rfc9293Section31DataOffsetIsFromFiveWordsToTheSegment)
{
    Bytes segment(64);
    for (std::size_t words = 0; words < 16; ++words)
    {
        segment[12] = static_cast<uint8_t>(words << 4);
        for (std::size_t size = 0; size <= segment.size(); ++size)
        {
            const auto expected = words >= 5 && size >= 20 && words * 4 <= size
                                      ? std::optional<std::size_t>(words * 4)
                                      : std::nullopt;
            EXPECT_EQ(DecodeTcpHeaderSize(segment.data(), size), expected) << words << " " << size;
        }
    }
}

TEST(TcpOptions, Rfc6994FindsKindWithExperimentIdentifier)
{
    // Another experiment of the same kind, the other kind, and one that is cut
    const Bytes others{253, 4, 0xC5, 0x17, 254, 4, 0xC5, 0x16, 253, 3, 0xC5, 1};
    auto options = others;
    options.insert(options.end(), OPTION.begin(), OPTION.end());
    const auto place = FindTcpOption(MakeHeader(options), EXPERIMENT);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->offset, 32U);
    EXPECT_EQ(place->length, 6U);

    const auto none = FindTcpOption(MakeHeader(others), EXPERIMENT);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->length, 0U);
}

TEST(TcpOptions, Rfc9293Section31NothingIsFoundBehindTheEnd)
{
    Bytes options{1, 0};
    options.insert(options.end(), OPTION.begin(), OPTION.end());
    const auto place = FindTcpOption(MakeHeader(options), EXPERIMENT);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->length, 0U);
}

TEST(TcpOptions, Rfc9293Section31ImpossibleLengthsAreMalformed)
{
    // Each length of an option that has 8 bytes left
    for (int length = 0; length < 256; ++length)
    {
        const auto header = MakeHeader({253, static_cast<uint8_t>(length), 1, 1, 1, 1, 1, 1});
        const bool isPossible = length >= 2 && length <= 8;
        EXPECT_EQ(FindTcpOption(header, EXPERIMENT).has_value(), isPossible) << length;
    }
    // A kind in the last byte, without a length
    EXPECT_FALSE(FindTcpOption(MakeHeader({1, 1, 1, 8}), EXPERIMENT));
}

TEST(TcpOptions, StandardKindsHaveTheirLengths)
{
    // RFC 9293 (MSS), RFC 7323 (window scale, timestamps), RFC 2018 (SACK: 1 to 4 blocks of 8)
    const std::map<uint8_t, std::set<int>> lengths{{2, {4}},
                                                   {3, {3}},
                                                   {4, {2}},
                                                   {5, {10, 18, 26, 34}},
                                                   {8, {10}}};
    for (const auto& [kind, possible] : lengths)
    {
        for (int length = 2; length <= 40; ++length)
        {
            Bytes options(40, 1);
            options[0] = kind;
            options[1] = static_cast<uint8_t>(length);
            EXPECT_EQ(FindTcpOption(MakeHeader(options), EXPERIMENT).has_value(),
                      possible.count(length) == 1)
                << int{kind} << " " << length;
        }
    }
}

TEST(TcpOptions, AppendUsesTheRoomOfPadding)
{
    auto options = TIMESTAMPS;
    options.insert(options.end(), OPTION.begin(), OPTION.end());
    auto header = MakeHeader(TIMESTAMPS); // 10 bytes and 2 of padding
    ASSERT_TRUE(AppendTcpOption(header, OPTION.data(), OPTION.size()));
    EXPECT_EQ(GetOptions(header), options);
    EXPECT_EQ(header.bytes[12], 9 << 4 | 0x1);
}

TEST(TcpOptions, AppendPadsWithNoOperations)
{
    auto header = MakeHeader({});
    ASSERT_TRUE(AppendTcpOption(header, OPTION.data(), OPTION.size()));
    EXPECT_EQ(GetOptions(header), (Bytes{253, 6, 0xC5, 0x16, 0x0F, 0x80, 1, 1}));
}

TEST(TcpOptions, AppendStopsAt40Bytes)
{
    // Timestamps with two bytes of padding, and SACK blocks
    for (const std::size_t blocks : {2, 3})
    {
        Bytes options{1, 1};
        options.insert(options.end(), TIMESTAMPS.begin(), TIMESTAMPS.end());
        options.push_back(5);
        options.push_back(static_cast<uint8_t>(2 + 8 * blocks));
        options.resize(options.size() + 8 * blocks, 7);
        auto header = MakeHeader(options);
        const auto before = GetAll(header);
        // 30 and 38 bytes of 40 are used.
        EXPECT_EQ(AppendTcpOption(header, OPTION.data(), OPTION.size()), blocks == 2);
        EXPECT_EQ(GetAll(header) == before, blocks == 3);
    }
}

TEST(TcpOptions, AppendFillsThe40BytesToTheLast)
{
    for (const std::size_t used : {34, 35})
    {
        Bytes options(used, 7);
        options[0] = 99;
        options[1] = static_cast<uint8_t>(used);
        auto header = MakeHeader(options);
        EXPECT_EQ(AppendTcpOption(header, OPTION.data(), OPTION.size()), used == 34) << used;
        EXPECT_EQ(header.size, used == 34 ? 60U : 56U) << used;
    }
}

TEST(TcpOptions, OfSeveralTheFirstIsFound)
{
    auto options = OPTION;
    options.insert(options.end(), OPTION.begin(), OPTION.end());
    auto header = MakeHeader(options);
    auto place = FindTcpOption(header, EXPERIMENT);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->offset, 20U);
    // Then the other one
    RemoveTcpOption(header, *place);
    place = FindTcpOption(header, EXPERIMENT);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->length, 6U);
    RemoveTcpOption(header, *place);
    EXPECT_EQ(header.size, 20U);
}

TEST(TcpOptions, ChecksumOfAKnownSegment)
{
    // The sum of all words by hand: pseudo header 0a00 0001 0a00 0002 0006 0015, then the segment.
    // 1403+001b = 141e; segment: 0001+0002+5000+4100 = 9103; a521 in all, inverted 5ade
    Bytes segment(21);
    segment[1] = 1;
    segment[3] = 2;
    segment[12] = 0x50;
    segment[20] = 0x41; // an odd byte counts as the upper half of a word
    EXPECT_EQ(ComputeTcpChecksum(0x0a000001, 0x0a000002, segment.data(), segment.size()), 0x5ade);
    segment[16] = 0x5a;
    segment[17] = 0xde;
    EXPECT_EQ(ComputeTcpChecksum(0x0a000001, 0x0a000002, segment.data(), segment.size()), 0);
}

// One's complement arithmetic is that modulo 65,535 (RFC 1071): carries are added until none is
// left. n bytes of 0xff count nothing, and the pseudo header has addresses of 0: the sum is 6 + n,
// and once more with the carries. Words of ffff and fff6 with the 6 + 4 of the pseudo header are
// 1ffff: the first carry makes 10000, the second one 1; the inverse is fffe.
TEST(TcpOptions, Rfc1071ChecksumAddsCarriesUntilNoneIsLeft)
{
    const Bytes twice{0xff, 0xff, 0xff, 0xf6};
    EXPECT_EQ(ComputeTcpChecksum(0, 0, twice.data(), twice.size()), 0xfffe);
    for (const std::size_t size : {2, 20, 1460, 8960, 65534})
    {
        const Bytes ones(size, 0xff);
        EXPECT_EQ(ComputeTcpChecksum(0, 0, ones.data(), size), 0xffff - (6 + size) % 0xffff)
            << size;
    }
}

RC_GTEST_PROP(TcpOptions, RemoveUndoesAppend, ())
{
    const auto original = MakeHeader(*AnyOptions());
    auto header = original;
    const bool isAppended = AppendTcpOption(header, OPTION.data(), OPTION.size());
    if (isAppended)
    {
        RC_ASSERT(header.size % 4 == 0U);
        RC_ASSERT(header.size <= TCP_MAX_HEADER_SIZE);
        RC_ASSERT(DecodeTcpHeaderSize(header.bytes.data(), header.size) == header.size);
        const auto place = FindTcpOption(header, EXPERIMENT);
        RC_ASSERT(place.has_value());
        RC_ASSERT(place->length == OPTION.size());
        RC_ASSERT(std::equal(OPTION.begin(), OPTION.end(), header.bytes.begin() + place->offset));
        RemoveTcpOption(header, *place);
    }
    RC_ASSERT(GetAll(header) == GetAll(original));
}

RC_GTEST_PROP(TcpOptions, AnyBytesAreEitherMalformedOrHaveThePlaceInside, ())
{
    TcpHeaderBytes header;
    header.size = 4 * DrawInRange<std::size_t>(5, 16);
    for (std::size_t i = TCP_MIN_HEADER_SIZE; i < header.size; ++i)
    {
        // Small numbers and our own bytes, so that lengths are often possible
        header.bytes[i] = DrawElement<uint8_t>({0, 1, 2, 3, 4, 5, 6, 10, 40, 253, 0xC5, 0x16});
    }
    const auto place = FindTcpOption(header, EXPERIMENT);
    if (place && place->length > 0)
    {
        RC_ASSERT(place->offset >= TCP_MIN_HEADER_SIZE);
        RC_ASSERT(place->offset + place->length <= header.size);
        RC_ASSERT(header.bytes[place->offset + 1] == place->length);
        const auto size = header.size;
        RemoveTcpOption(header, *place);
        RC_ASSERT(header.size < size);
        RC_ASSERT(FindTcpOption(header, EXPERIMENT).has_value());
    }
}

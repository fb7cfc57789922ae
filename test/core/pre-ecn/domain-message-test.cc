// SPDX-License-Identifier: GPL-2.0-only

// Messages to the ingress PE: notifications (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2) and
// reports of a link's load, in aidc's own format (doc/pre-ecn.rst).

#include "domain-message-samples.h"
#include "test/core/core-test.h"

using Result = DomainMessageResult;

std::vector<uint8_t>
Encode(const AnyDomainMessage& message)
{
    const auto bytes =
        std::visit([](const auto& record) { return EncodeDomainMessage(record); }, message);
    return {bytes.begin(), bytes.end()};
}

/// Decodes a copy without spare capacity, so that a sanitizer sees a read beyond the end.
Result
Decode(const std::vector<uint8_t>& bytes, AnyDomainMessage& message)
{
    const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    return DecodeDomainMessage(copy.data(), copy.size(), message);
}

/// Decodes octets of which some are changed.
Result
DecodeChanged(std::vector<uint8_t> bytes, std::size_t place, uint8_t value)
{
    AnyDomainMessage message;
    bytes[place] = value;
    return Decode(bytes, message);
}

TEST(DomainMessage, GoldenBytesAreEncodedAndDecoded)
{
    EXPECT_EQ(Encode(LIGHT), LIGHT_BYTES);
    AnyDomainMessage decoded;
    ASSERT_EQ(Decode(LIGHT_BYTES, decoded), Result::OK);
    EXPECT_TRUE(decoded == AnyDomainMessage(LIGHT));
    EXPECT_EQ(GetRecord(decoded), DomainMessageRecord::CONGESTION);

    EXPECT_EQ(Encode(REPORT), REPORT_BYTES);
    ASSERT_EQ(Decode(REPORT_BYTES, decoded), Result::OK);
    EXPECT_TRUE(decoded == AnyDomainMessage(REPORT));
    EXPECT_EQ(GetRecord(decoded), DomainMessageRecord::LINK_LOAD);
    EXPECT_NEAR(std::get<LinkLoadReport>(decoded).GetLoad(), 400e9, 1);

    // The hash is not a field: it is decoded by nobody, and encoded as zeros.
    auto unsignedBytes = SEVERE_SIGNED_BYTES;
    std::fill(unsignedBytes.begin() + 64, unsignedBytes.end(), 0);
    EXPECT_EQ(Encode(SEVERE), unsignedBytes);
    ASSERT_EQ(Decode(SEVERE_SIGNED_BYTES, decoded), Result::OK);
    EXPECT_TRUE(decoded == AnyDomainMessage(SEVERE));
}

TEST(DomainMessage, EveryOtherLengthIsRefused)
{
    for (const auto& whole : {LIGHT_BYTES, REPORT_BYTES})
    {
        for (std::size_t length = 0; length <= 160; ++length)
        {
            auto bytes = whole;
            bytes.resize(length);
            AnyDomainMessage decoded;
            EXPECT_EQ(Decode(bytes, decoded), length == 80 ? Result::OK : Result::WRONG_LENGTH)
                << length;
            EXPECT_EQ(decoded == AnyDomainMessage(), length != 80) << length;
        }
    }
    AnyDomainMessage decoded;
    EXPECT_EQ(DecodeDomainMessage(nullptr, 0, decoded), Result::WRONG_LENGTH);
}

TEST(DomainMessage, UnknownCodesAreRefused)
{
    struct Row
    {
        const std::vector<uint8_t>& bytes;
        std::size_t offset;
        uint8_t first, last; // codes that are known
        Result result;
    };

    std::vector<Row> rows{{LIGHT_BYTES, 32, 1, 2, Result::UNKNOWN_SEVERITY},
                          {LIGHT_BYTES, 33, 0, 1, Result::RESERVED_BITS}};
    for (std::size_t reserved = 56; reserved < 64; ++reserved)
    {
        rows.push_back({REPORT_BYTES, reserved, 0, 0, Result::RESERVED_BITS});
    }
    for (const auto* bytes : {&LIGHT_BYTES, &REPORT_BYTES})
    {
        rows.push_back({*bytes, 0, 4, 4, Result::UNKNOWN_VERSION});
        rows.push_back({*bytes, 2, 0, 1, Result::UNKNOWN_AUTHENTICATION});
        for (const std::size_t reserved : {3, 6, 7})
        {
            rows.push_back({*bytes, reserved, 0, 0, Result::RESERVED_BITS});
        }
    }
    for (const Row& row : rows)
    {
        for (uint32_t code = 0; code < 256; ++code)
        {
            const bool isKnown = code >= row.first && code <= row.last;
            EXPECT_EQ(DecodeChanged(row.bytes, row.offset, static_cast<uint8_t>(code)),
                      isKnown ? Result::OK : row.result)
                << row.offset << ": " << code;
        }
    }
}

/// The octets of one record do not make another record.
TEST(DomainMessage, OtherRecordsAreRefused)
{
    for (uint32_t code = 0; code < 256; ++code)
    {
        const auto octet = static_cast<uint8_t>(code);
        EXPECT_EQ(DecodeChanged(LIGHT_BYTES, 1, octet),
                  code == 1   ? Result::OK
                  : code == 2 ? Result::OUT_OF_RANGE
                              : Result::UNKNOWN_RECORD);
        EXPECT_EQ(DecodeChanged(REPORT_BYTES, 1, octet),
                  code == 2   ? Result::OK
                  : code == 1 ? Result::UNKNOWN_SEVERITY
                              : Result::UNKNOWN_RECORD);
    }
}

TEST(DomainMessage, ValuesOutOfRangeAreRefused)
{
    EXPECT_EQ(DecodeChanged(LIGHT_BYTES, 24, 0x80), Result::OUT_OF_RANGE) << "a time below 0";
    EXPECT_EQ(DecodeChanged(REPORT_BYTES, 24, 0x80), Result::OUT_OF_RANGE) << "a time below 0";
    EXPECT_EQ(DecodeChanged(REPORT_BYTES, 32, 1), Result::OUT_OF_RANGE)
        << "measured since before the beginning";
    AnyDomainMessage decoded;
    LinkLoadReport zero = REPORT;
    zero.length = 0;
    EXPECT_EQ(Decode(Encode(zero), decoded), Result::OUT_OF_RANGE);
    zero = REPORT;
    zero.capacity = 0;
    EXPECT_EQ(Decode(Encode(zero), decoded), Result::OUT_OF_RANGE);
}

TEST(DomainMessage, WithoutCongestionThereIsARate)
{
    for (std::size_t i = 51; i <= 64; ++i)
    {
        auto bytes = LIGHT_BYTES;
        bytes[32] = 0;
        bytes[i] = 1;
        AnyDomainMessage decoded;
        const bool isRate = i >= 56 && i < 64;
        const Result other = i < 64 ? Result::UNKNOWN_SEVERITY : Result::RESERVED_BITS;
        EXPECT_EQ(Decode(bytes, decoded), isRate ? Result::OK : other) << i;
        EXPECT_EQ(std::get<CongestionNotification>(decoded).rate,
                  isRate ? uint64_t{1} << (8 * (63 - i)) : 0)
            << i;
    }
}

TEST(DomainMessage, WithoutAuthenticationTheHashIsZeros)
{
    for (auto bytes : {LIGHT_BYTES, REPORT_BYTES})
    {
        for (std::size_t i = 64; i < 80; ++i)
        {
            bytes[2] = 0;
            EXPECT_EQ(DecodeChanged(bytes, i, 1), Result::RESERVED_BITS) << i;
            bytes[2] = 1;
            EXPECT_EQ(DecodeChanged(bytes, i, 1), Result::OK) << i;
        }
    }
}

RC_GTEST_PROP(DomainMessage, WhatIsEncodedIsDecodedAgain, ())
{
    const AnyDomainMessage message = DrawMessage();
    AnyDomainMessage decoded;
    RC_ASSERT(Decode(Encode(message), decoded) == Result::OK);
    RC_ASSERT(decoded == message);
    RC_ASSERT(Encode(decoded) == Encode(message));
}

RC_GTEST_PROP(DomainMessage, NoFlippedBitGoesUnseen, ())
{
    const AnyDomainMessage message = DrawMessage();
    const auto whole = Encode(message);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit)
    {
        auto bytes = whole;
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        AnyDomainMessage decoded;
        // The hash is none of its fields.
        const bool isHashed = whole[2] == 1;
        if (Decode(bytes, decoded) == Result::OK && (bit < 512 || !isHashed))
        {
            RC_ASSERT(!(decoded == message));
            RC_ASSERT(Encode(decoded) == bytes);
        }
    }
}

RC_GTEST_PROP(DomainMessage, AnyBytesAreRefusedOrEncodedAlike, (std::vector<uint8_t> bytes))
{
    if (DrawInRange(0, 4) != 0)
    {
        bytes.resize(80);
        bytes[0] = 4;
        bytes[1] = DrawInRange<uint8_t>(1, 3);
        bytes[2] = DrawInRange<uint8_t>(0, 2);
        bytes[32] = DrawInRange<uint8_t>(0, 3);
        bytes[33] = DrawInRange<uint8_t>(0, 3);
    }
    AnyDomainMessage decoded;
    if (Decode(bytes, decoded) == Result::OK)
    {
        const auto encoded = Encode(decoded);
        RC_ASSERT(std::equal(bytes.begin(), bytes.begin() + 64, encoded.begin()));
    }
    else
    {
        RC_ASSERT(decoded == AnyDomainMessage());
    }
}

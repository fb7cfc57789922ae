/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Notifications to the ingress PE: draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2, in aidc's own
// format (doc/pre-ecn.rst). The octets were written by Python's struct and hashlib, from the table.

#include "notification-samples.h"
#include "test/core/core-test.h"

using namespace aidctest;

using Result = CongestionNotificationResult;

std::vector<uint8_t>
Encode(const CongestionNotification& notification)
{
    const auto bytes = EncodeCongestionNotification(notification);
    return {bytes.begin(), bytes.end()};
}

/// Decodes a copy without spare capacity, so that a sanitizer sees a read beyond the end.
Result
Decode(const std::vector<uint8_t>& bytes, CongestionNotification& notification)
{
    const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    return DecodeCongestionNotification(copy.data(), copy.size(), notification);
}

TEST(CongestionNotification, GoldenBytesAreEncodedAndDecoded)
{
    EXPECT_EQ(Encode(LIGHT), LIGHT_BYTES);
    CongestionNotification decoded;
    ASSERT_EQ(Decode(LIGHT_BYTES, decoded), Result::OK);
    EXPECT_TRUE(decoded == LIGHT);

    // The hash is not a field: it is decoded by nobody, and encoded as zeros.
    auto unsignedBytes = SEVERE_SIGNED_BYTES;
    std::fill(unsignedBytes.begin() + 64, unsignedBytes.end(), 0);
    EXPECT_EQ(Encode(SEVERE), unsignedBytes);
    ASSERT_EQ(Decode(SEVERE_SIGNED_BYTES, decoded), Result::OK);
    EXPECT_TRUE(decoded == SEVERE);
}

TEST(CongestionNotification, EveryOtherLengthIsRefused)
{
    for (std::size_t length = 0; length <= 120; ++length)
    {
        auto bytes = LIGHT_BYTES;
        bytes.resize(length);
        CongestionNotification decoded;
        EXPECT_EQ(Decode(bytes, decoded), length == 80 ? Result::OK : Result::WRONG_LENGTH)
            << length;
        EXPECT_EQ(decoded == CongestionNotification{}, length != 80) << length;
    }
    CongestionNotification decoded;
    EXPECT_EQ(DecodeCongestionNotification(nullptr, 0, decoded), Result::WRONG_LENGTH);
}

TEST(CongestionNotification, UnknownCodesAreRefused)
{
    struct Row
    {
        std::size_t offset;
        uint8_t first, last; // codes that are known
        Result result;
    };

    for (const Row& row : {Row{0, 3, 3, Result::UNKNOWN_VERSION},
                           Row{1, 1, 2, Result::UNKNOWN_SEVERITY},
                           Row{2, 0, 1, Result::UNKNOWN_AUTHENTICATION},
                           Row{7, 0, 1, Result::RESERVED_BITS},
                           Row{60, 0, 0, Result::RESERVED_BITS},
                           Row{61, 0, 0, Result::RESERVED_BITS},
                           Row{62, 0, 0, Result::RESERVED_BITS},
                           Row{63, 0, 0, Result::RESERVED_BITS}})
    {
        for (uint32_t code = 0; code < 256; ++code)
        {
            auto bytes = LIGHT_BYTES;
            bytes[row.offset] = static_cast<uint8_t>(code);
            CongestionNotification decoded;
            const bool isKnown = code >= row.first && code <= row.last;
            EXPECT_EQ(Decode(bytes, decoded), isKnown ? Result::OK : row.result)
                << row.offset << ": " << code;
        }
    }
}

TEST(CongestionNotification, WithoutCongestionThereIsARate)
{
    for (std::size_t i = 47; i <= 56; ++i)
    {
        auto bytes = LIGHT_BYTES;
        bytes[1] = 0;
        bytes[i] = 1;
        CongestionNotification decoded;
        const bool isRate = i >= 48 && i < 56;
        EXPECT_EQ(Decode(bytes, decoded), isRate ? Result::OK : Result::UNKNOWN_SEVERITY) << i;
        EXPECT_EQ(decoded.rate, isRate ? uint64_t{1} << (8 * (55 - i)) : 0) << i;
    }
}

TEST(CongestionNotification, WithoutAuthenticationTheHashIsZeros)
{
    for (std::size_t i = 64; i < 80; ++i)
    {
        auto bytes = LIGHT_BYTES;
        bytes[i] = 1;
        CongestionNotification decoded;
        EXPECT_EQ(Decode(bytes, decoded), Result::RESERVED_BITS) << i;
        bytes[2] = 1;
        EXPECT_EQ(Decode(bytes, decoded), Result::OK) << i;
    }
}

RC_GTEST_PROP(CongestionNotification, WhatIsEncodedIsDecodedAgain, ())
{
    const CongestionNotification notification = DrawNotification();
    CongestionNotification decoded;
    RC_ASSERT(Decode(Encode(notification), decoded) == Result::OK);
    RC_ASSERT(decoded == notification);
}

RC_GTEST_PROP(CongestionNotification, NoFlippedBitGoesUnseen, ())
{
    const CongestionNotification notification = DrawNotification();
    const auto whole = Encode(notification);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit)
    {
        auto bytes = whole;
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        CongestionNotification decoded;
        // The hash is none of its fields.
        const bool isHashed = notification.authentication == MessageAuthentication::BLAKE2B;
        if (Decode(bytes, decoded) == Result::OK && (bit < 384 || !isHashed))
        {
            RC_ASSERT(!(decoded == notification));
            RC_ASSERT(Encode(decoded) == bytes);
        }
    }
}

RC_GTEST_PROP(CongestionNotification,
              AnyBytesAreRefusedOrEncodedAlike,
              (std::vector<uint8_t> bytes))
{
    if (*rc::gen::inRange(0, 4) != 0)
    {
        bytes.resize(64);
        bytes[0] = 2;
        bytes[1] = *rc::gen::inRange<uint8_t>(1, 3);
        bytes[2] = *rc::gen::inRange<uint8_t>(0, 2);
        bytes[7] = *rc::gen::inRange<uint8_t>(0, 3);
    }
    CongestionNotification decoded;
    if (Decode(bytes, decoded) == Result::OK)
    {
        const auto encoded = Encode(decoded);
        RC_ASSERT(std::equal(bytes.begin(), bytes.begin() + 48, encoded.begin()));
    }
    else
    {
        RC_ASSERT(decoded == CongestionNotification{});
    }
}

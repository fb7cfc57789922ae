/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The format of reports of a link's load. Hashes are by Python's hashlib.

#include "notification-samples.h"
#include "test/core/core-test.h"

#include "ns3/link-load-report.h"
#include "ns3/notification-key.h"

using namespace aidctest;

using Result = LinkLoadReportResult;

/// Port 0x1234 of 10.10.0.1, for 172.31.0.1: 25 MB in the 0.5 ms until 2 ms, at 400 Gbit/s.
const LinkLoadReport REPORT{{MessageAuthentication::NONE, 0, 0x0a0a0001, 0xac1f0001, 7, 2'000'000},
                            0x1234,
                            500'000,
                            400'000'000'000,
                            25'000'000};

/// Its octets before the hash, unsigned: struct.pack(">BBBBHHIIQQQQQ8x", ...).
const std::string REPORT_BYTES = "4c020000123400000a0a0001ac1f0001000000000000000700000000001e8480"
                                 "000000000007a1200000005d21dba00000000000017d78400000000000000000";

/// hashlib.blake2b(bytes, digest_size=16, key=bytes(range(16))) of the signed ones, with key 7.
const std::string SIGNED_HASH = "0ea0656877ec41f4e06e18d169d0ad88";

const std::string KEY = "7:000102030405060708090a0b0c0d0e0f";

DomainMessageBytes
Sign(const LinkLoadReport& report, const std::string& key)
{
    auto bytes = EncodeLinkLoadReport(report);
    NotificationKey::Parse(key).Sign(bytes);
    return bytes;
}

bool
Verify(const DomainMessageBytes& bytes, const std::string& key)
{
    return NotificationKey::Parse(key).Verify(bytes.data(), bytes.size());
}

bool
IsSame(const LinkLoadReport& a, const LinkLoadReport& b)
{
    return a.authentication == b.authentication && a.keyId == b.keyId && a.port == b.port &&
           a.device == b.device && a.ingress == b.ingress && a.sequence == b.sequence &&
           a.time == b.time && a.length == b.length && a.capacity == b.capacity &&
           a.octets == b.octets;
}

TEST(LinkLoadReport, HasTheseBytes)
{
    const auto bytes = EncodeLinkLoadReport(REPORT);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()),
              FromHex(REPORT_BYTES + std::string(32, '0')));
    LinkLoadReport report;
    EXPECT_EQ(DecodeLinkLoadReport(bytes.data(), bytes.size(), report), Result::OK);
    EXPECT_TRUE(IsSame(report, REPORT));
    EXPECT_NEAR(report.GetLoad(), 400e9, 1);
    EXPECT_TRUE(Verify(bytes, ""));
}

TEST(LinkLoadReport, IsSignedByTheKey)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "without libsodium";
    }
    auto bytes = Sign(REPORT, KEY);
    auto expected = FromHex(REPORT_BYTES + SIGNED_HASH);
    expected[2] = 1;
    expected[60] = 7;
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()), expected);
    LinkLoadReport report;
    EXPECT_EQ(DecodeLinkLoadReport(bytes.data(), bytes.size(), report), Result::OK);
    EXPECT_EQ(report.authentication, MessageAuthentication::BLAKE2B);
    EXPECT_EQ(report.keyId, 7);
    EXPECT_TRUE(Verify(bytes, KEY));
    EXPECT_FALSE(Verify(bytes, "")) << "signed, where nothing is expected";
    EXPECT_FALSE(Verify(EncodeLinkLoadReport(REPORT), KEY)) << "unsigned";
    EXPECT_FALSE(Verify(bytes, KEY + "00"));
    EXPECT_FALSE(Verify(bytes, "8" + KEY.substr(1))) << "a key of another number";
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
    {
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        EXPECT_FALSE(Verify(bytes, KEY)) << bit;
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    }
}

TEST(LinkLoadReport, OtherLengthsAreRefused)
{
    const std::vector<uint8_t> bytes(2 * DOMAIN_MESSAGE_SIZE, 0x4c);
    LinkLoadReport report;
    EXPECT_EQ(DecodeLinkLoadReport(nullptr, 0, report), Result::WRONG_LENGTH);
    for (std::size_t length = 0; length < bytes.size(); ++length)
    {
        if (length != DOMAIN_MESSAGE_SIZE)
        {
            EXPECT_EQ(DecodeLinkLoadReport(bytes.data(), length, report), Result::WRONG_LENGTH);
        }
    }
}

TEST(LinkLoadReport, OtherCodesAndValuesAreRefused)
{
    LinkLoadReport report;
    const auto decode = [&report](std::size_t place, uint8_t value) {
        auto bytes = EncodeLinkLoadReport(REPORT);
        bytes[place] = value;
        return DecodeLinkLoadReport(bytes.data(), bytes.size(), report);
    };
    for (uint32_t value = 0; value < 256; ++value)
    {
        const auto octet = static_cast<uint8_t>(value);
        EXPECT_EQ(decode(0, octet), value == 0x4c ? Result::OK : Result::UNKNOWN);
        EXPECT_EQ(decode(1, octet), value == 2 ? Result::OK : Result::UNKNOWN);
        EXPECT_EQ(decode(2, octet), value <= 1 ? Result::OK : Result::UNKNOWN);
        for (const std::size_t reserved : {3, 6, 7, 56, 57, 58, 59, 60, 61, 62, 63})
        {
            EXPECT_EQ(decode(reserved, octet), value == 0 ? Result::OK : Result::MALFORMED);
        }
    }
    EXPECT_EQ(decode(64, 1), Result::MALFORMED) << "a hash without authentication";
    EXPECT_EQ(decode(24, 0x80), Result::MALFORMED) << "a time below 0";
    EXPECT_EQ(decode(32, 1), Result::MALFORMED) << "measured since before the beginning";
    LinkLoadReport zero = REPORT;
    zero.length = 0;
    EXPECT_EQ(DecodeLinkLoadReport(EncodeLinkLoadReport(zero).data(), DOMAIN_MESSAGE_SIZE, report),
              Result::MALFORMED);
    zero = REPORT;
    zero.capacity = 0;
    EXPECT_EQ(DecodeLinkLoadReport(EncodeLinkLoadReport(zero).data(), DOMAIN_MESSAGE_SIZE, report),
              Result::MALFORMED);
}

TEST(LinkLoadReport, IsNoNotification)
{
    const auto bytes = EncodeLinkLoadReport(REPORT);
    CongestionNotification notification;
    EXPECT_NE(DecodeCongestionNotification(bytes.data(), bytes.size(), notification),
              CongestionNotificationResult::OK);
}

RC_GTEST_PROP(LinkLoadReport, DecodingIsTheInverseOfEncoding, ())
{
    LinkLoadReport report;
    report.authentication =
        *rc::gen::element(MessageAuthentication::NONE, MessageAuthentication::BLAKE2B);
    report.keyId =
        report.authentication == MessageAuthentication::NONE ? 0 : *rc::gen::arbitrary<uint8_t>();
    report.port = *rc::gen::arbitrary<uint16_t>();
    report.device = *rc::gen::arbitrary<uint32_t>();
    report.ingress = *rc::gen::arbitrary<uint32_t>();
    report.sequence = *rc::gen::arbitrary<uint64_t>();
    report.time = *rc::gen::inRange<uint64_t>(1, uint64_t{1} << 62);
    report.length = *rc::gen::inRange<uint64_t>(1, report.time + 1);
    report.capacity = *rc::gen::inRange<uint64_t>(1, uint64_t{1} << 62);
    report.octets = *rc::gen::arbitrary<uint64_t>();
    const auto bytes = EncodeLinkLoadReport(report);
    LinkLoadReport decoded;
    RC_ASSERT(DecodeLinkLoadReport(bytes.data(), bytes.size(), decoded) == Result::OK);
    RC_ASSERT(IsSame(decoded, report));
    RC_ASSERT(EncodeLinkLoadReport(decoded) == bytes);
}

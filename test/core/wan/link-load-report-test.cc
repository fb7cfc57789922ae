/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The format of reports of a link's load. Hashes are by Python's hashlib.

#include "notification-samples.h"

#include "ns3/congestion-notification.h"
#include "ns3/link-load-report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

using namespace ns3::aidc;
using aidctest::FromHex;

namespace
{

using Result = LinkLoadReportResult;

/// Port 0x1234 of 10.10.0.1, for 172.31.0.1: 25 MB in the 0.5 ms until 2 ms, at 400 Gbit/s.
const LinkLoadReport
    REPORT{0x1234, 0x0a0a0001, 0xac1f0001, 7, 2'000'000, 500'000, 400'000'000'000, 25'000'000};

/// Its octets before the hash, unsigned.
const std::string REPORT_BYTES = "4c010000123400000a0a0001ac1f0001000000000000000700000000001e8480"
                                 "000000000007a1200000005d21dba00000000000017d7840";

/// hashlib.blake2b(bytes, digest_size=16, key=bytes(range(16))) of the signed ones.
const std::string SIGNED_HASH = "e5035be44ee6359c750ccdc59809ae3c";

const std::string KEY = "000102030405060708090a0b0c0d0e0f";

bool
IsSame(const LinkLoadReport& a, const LinkLoadReport& b)
{
    return a.port == b.port && a.device == b.device && a.ingress == b.ingress &&
           a.sequence == b.sequence && a.time == b.time && a.length == b.length &&
           a.capacity == b.capacity && a.octets == b.octets;
}

TEST(LinkLoadReport, HasTheseBytes)
{
    const auto bytes = EncodeLinkLoadReport(REPORT, {});
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()),
              FromHex(REPORT_BYTES + std::string(32, '0')));
    LinkLoadReport report;
    EXPECT_EQ(DecodeLinkLoadReport(bytes.data(), bytes.size(), report), Result::OK);
    EXPECT_TRUE(IsSame(report, REPORT));
    EXPECT_NEAR(report.GetLoad(), 400e9, 1);
    EXPECT_TRUE(VerifyLinkLoadReport(bytes.data(), {}));
}

TEST(LinkLoadReport, IsSignedByTheKey)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "without libsodium";
    }
    const auto key = NotificationKey::Parse(KEY);
    auto bytes = EncodeLinkLoadReport(REPORT, key);
    auto expected = FromHex(REPORT_BYTES + SIGNED_HASH);
    expected[2] = 1;
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()), expected);
    EXPECT_TRUE(VerifyLinkLoadReport(bytes.data(), key));
    EXPECT_FALSE(VerifyLinkLoadReport(bytes.data(), {})) << "signed, where nothing is expected";
    EXPECT_FALSE(VerifyLinkLoadReport(EncodeLinkLoadReport(REPORT, {}).data(), key)) << "unsigned";
    EXPECT_FALSE(VerifyLinkLoadReport(bytes.data(), NotificationKey::Parse(KEY + "00")));
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
    {
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        EXPECT_FALSE(VerifyLinkLoadReport(bytes.data(), key)) << bit;
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    }
}

TEST(LinkLoadReport, OtherLengthsAreRefused)
{
    const std::vector<uint8_t> bytes(2 * LINK_LOAD_REPORT_SIZE, 0x4c);
    LinkLoadReport report;
    EXPECT_EQ(DecodeLinkLoadReport(nullptr, 0, report), Result::WRONG_LENGTH);
    for (std::size_t length = 0; length < bytes.size(); ++length)
    {
        if (length != LINK_LOAD_REPORT_SIZE)
        {
            EXPECT_EQ(DecodeLinkLoadReport(bytes.data(), length, report), Result::WRONG_LENGTH);
        }
    }
}

TEST(LinkLoadReport, OtherCodesAndValuesAreRefused)
{
    LinkLoadReport report;
    const auto decode = [&report](std::size_t place, uint8_t value) {
        auto bytes = EncodeLinkLoadReport(REPORT, {});
        bytes[place] = value;
        return DecodeLinkLoadReport(bytes.data(), bytes.size(), report);
    };
    for (uint32_t value = 0; value < 256; ++value)
    {
        const auto octet = static_cast<uint8_t>(value);
        EXPECT_EQ(decode(0, octet), value == 0x4c ? Result::OK : Result::UNKNOWN);
        EXPECT_EQ(decode(1, octet), value == 1 ? Result::OK : Result::UNKNOWN);
        EXPECT_EQ(decode(2, octet), value <= 1 ? Result::OK : Result::UNKNOWN);
        for (const std::size_t reserved : {3, 6, 7})
        {
            EXPECT_EQ(decode(reserved, octet), value == 0 ? Result::OK : Result::MALFORMED);
        }
    }
    EXPECT_EQ(decode(56, 1), Result::MALFORMED) << "a hash without authentication";
    EXPECT_EQ(decode(24, 0x80), Result::MALFORMED) << "a time below 0";
    EXPECT_EQ(decode(32, 1), Result::MALFORMED) << "measured since before the beginning";
    LinkLoadReport zero = REPORT;
    zero.length = 0;
    EXPECT_EQ(DecodeLinkLoadReport(EncodeLinkLoadReport(zero, {}).data(), 72, report),
              Result::MALFORMED);
    zero = REPORT;
    zero.capacity = 0;
    EXPECT_EQ(DecodeLinkLoadReport(EncodeLinkLoadReport(zero, {}).data(), 72, report),
              Result::MALFORMED);
}

TEST(LinkLoadReport, IsNoNotification)
{
    const auto bytes = EncodeLinkLoadReport(REPORT, {});
    CongestionNotification notification;
    EXPECT_NE(DecodeCongestionNotification(bytes.data(), bytes.size(), notification),
              CongestionNotificationResult::OK);
    EXPECT_NE(
        DecodeCongestionNotification(bytes.data(), CONGESTION_NOTIFICATION_SIZE, notification),
        CongestionNotificationResult::OK);
}

RC_GTEST_PROP(LinkLoadReport, DecodingIsTheInverseOfEncoding, ())
{
    LinkLoadReport report;
    report.port = *rc::gen::arbitrary<uint16_t>();
    report.device = *rc::gen::arbitrary<uint32_t>();
    report.ingress = *rc::gen::arbitrary<uint32_t>();
    report.sequence = *rc::gen::arbitrary<uint64_t>();
    report.time = *rc::gen::inRange<uint64_t>(1, uint64_t{1} << 62);
    report.length = *rc::gen::inRange<uint64_t>(1, report.time + 1);
    report.capacity = *rc::gen::inRange<uint64_t>(1, uint64_t{1} << 62);
    report.octets = *rc::gen::arbitrary<uint64_t>();
    const auto bytes = EncodeLinkLoadReport(report, {});
    LinkLoadReport decoded;
    RC_ASSERT(DecodeLinkLoadReport(bytes.data(), bytes.size(), decoded) == Result::OK);
    RC_ASSERT(IsSame(decoded, report));
    RC_ASSERT(EncodeLinkLoadReport(decoded, {}) == bytes);
}

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// The keyed hash of messages: BLAKE2b (RFC 7693) of 16 octets. The hashes were computed by
// Python's hashlib. Without libsodium there are no keys, and no hashes to test. Keys with numbers,
// and how a domain changes its key without losing a notification.

#include "domain-message-samples.h"
#include "test/core/core-test.h"

#include "ns3/notification-key.h"

using Verdict = NotificationKeys::Verdict;

const std::string OLD = "7:000102030405060708090a0b0c0d0e0f";
const std::string NEW = "8:101112131415161718191a1b1c1d1e1f";

/// The 64 octets 0x80 to 0xbf.
std::vector<uint8_t>
LongestKey()
{
    std::vector<uint8_t> octets(64);
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        octets[i] = static_cast<uint8_t>(0x80 + i);
    }
    return octets;
}

template <typename Message>
std::vector<uint8_t>
Sign(const NotificationKey& key, const Message& message)
{
    auto bytes = EncodeDomainMessage(message);
    key.Sign(bytes);
    return {bytes.begin(), bytes.end()};
}

bool
Verify(const NotificationKey& key, const std::vector<uint8_t>& bytes)
{
    const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    return key.Verify(copy.data(), copy.size());
}

/// Signs LIGHT with a key, and has keys verify it.
Verdict
Verify(const std::string& keys, const std::string& key)
{
    auto bytes = EncodeDomainMessage(LIGHT);
    NotificationKey::Parse(key).Sign(bytes);
    return NotificationKeys::Parse(keys).Verify(bytes.data(), bytes.size());
}

TEST(NotificationKey, WithoutAKeyNothingIsSignedAndOnlyThatIsAccepted)
{
    const NotificationKey none;
    EXPECT_FALSE(none.IsSet());
    EXPECT_FALSE(NotificationKey::Parse("").IsSet());
    EXPECT_EQ(none.Print(), "");
    EXPECT_EQ(Sign(none, LIGHT), LIGHT_BYTES);
    EXPECT_TRUE(Verify(none, LIGHT_BYTES));
    EXPECT_FALSE(Verify(none, SEVERE_SIGNED_BYTES));
    for (const std::size_t length : {0, 1, 3, 64, 79, 81, 128})
    {
        auto bytes = LIGHT_BYTES;
        bytes.resize(length);
        EXPECT_FALSE(Verify(none, bytes)) << length;
    }
    EXPECT_FALSE(none.Verify(nullptr, 0));
}

TEST(NotificationKey, WhatIsNoKeyIsRefused)
{
    const auto parse = [](const std::string& text) {
        return CatchMessage([&text]() { NotificationKey::Parse(text); });
    };
    EXPECT_NE(parse("0").find("odd number"), std::string::npos);
    EXPECT_NE(parse(SEVERE_KEY + "0").find("odd number"), std::string::npos);
    EXPECT_NE(parse("0x" + SEVERE_KEY).find("another character"), std::string::npos);
    EXPECT_NE(parse(std::string(31, '0') + " ").find("another character"), std::string::npos);
    EXPECT_NE(parse(std::string(30, '0')).find("16 to 64 octets, found 15"), std::string::npos);
    EXPECT_NE(parse(std::string(130, '0')).find("16 to 64 octets, found 65"), std::string::npos);
    EXPECT_NE(CatchMessage([]() { NotificationKey key{std::vector<uint8_t>{}}; }), "");
}

TEST(NotificationKey, WithoutLibsodiumAKeyIsRefused)
{
#if __has_include(<sodium.h>)
    EXPECT_TRUE(NotificationKey::IsAvailable()) << "what is there is used";
#endif
    if (!NotificationKey::IsAvailable())
    {
        const auto message = CatchMessage([]() { NotificationKey::Parse(SEVERE_KEY); });
        EXPECT_NE(message.find("needs libsodium"), std::string::npos);
    }
    else
    {
        EXPECT_EQ(NotificationKey::Parse(SEVERE_KEY).Print(), SEVERE_KEY);
        EXPECT_TRUE(NotificationKey::Parse(SEVERE_KEY).IsSet());
    }
}

TEST(NotificationKey, GoldenHashes)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "built without libsodium";
    }
    const NotificationKey shortest = NotificationKey::Parse(SEVERE_KEY);
    EXPECT_EQ(Sign(shortest, SEVERE), SEVERE_SIGNED_BYTES);
    EXPECT_TRUE(Verify(shortest, SEVERE_SIGNED_BYTES));
    EXPECT_FALSE(Verify(shortest, LIGHT_SIGNED_BYTES));
    // That a notification is signed, the one who signs decides.
    const NotificationKey longest(LongestKey(), 5);
    EXPECT_EQ(Sign(longest, LIGHT), LIGHT_SIGNED_BYTES);
    EXPECT_TRUE(Verify(longest, LIGHT_SIGNED_BYTES));
    EXPECT_FALSE(Verify(longest, SEVERE_SIGNED_BYTES));
}

TEST(NotificationKey, Section51WithAKeyWhatIsNotSignedIsRefused)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "built without libsodium";
    }
    const NotificationKey key = NotificationKey::Parse(SEVERE_KEY);
    EXPECT_FALSE(Verify(key, LIGHT_BYTES));

    for (std::size_t length = 0; length < SEVERE_SIGNED_BYTES.size(); ++length)
    {
        auto bytes = SEVERE_SIGNED_BYTES;
        bytes.resize(length);
        EXPECT_FALSE(Verify(key, bytes)) << length;
    }
    auto longer = SEVERE_SIGNED_BYTES;
    longer.push_back(0);
    EXPECT_FALSE(Verify(key, longer));
}

TEST(NotificationKey, ReportsAreSignedAlike)
{
    const std::string text = "7:" + SEVERE_KEY;
    EXPECT_TRUE(Verify(NotificationKey(), REPORT_BYTES));
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "without libsodium";
    }
    const auto key = NotificationKey::Parse(text);
    auto bytes = Sign(key, REPORT);
    EXPECT_EQ(bytes, REPORT_SIGNED_BYTES);
    AnyDomainMessage message;
    EXPECT_EQ(DecodeDomainMessage(bytes.data(), bytes.size(), message), DomainMessageResult::OK);
    const auto& report = std::get<LinkLoadReport>(message);
    EXPECT_EQ(report.authentication, MessageAuthentication::BLAKE2B);
    EXPECT_EQ(report.keyId, 7);
    EXPECT_TRUE(Verify(key, bytes));
    EXPECT_FALSE(Verify(NotificationKey(), bytes)) << "signed, where nothing is expected";
    EXPECT_FALSE(Verify(key, REPORT_BYTES)) << "unsigned";
    EXPECT_FALSE(Verify(NotificationKey::Parse(text + "00"), bytes));
    EXPECT_FALSE(Verify(NotificationKey::Parse("8:" + SEVERE_KEY), bytes))
        << "a key of another number";
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
    {
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        EXPECT_FALSE(Verify(key, bytes)) << bit;
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    }
}

RC_GTEST_PROP(NotificationKey, AnyFlippedBitIsSeen, ())
{
    if (!NotificationKey::IsAvailable())
    {
        return;
    }
    const auto octets = *rc::gen::container<std::vector<uint8_t>>(DrawInRange<std::size_t>(16, 65),
                                                                  rc::gen::arbitrary<uint8_t>());
    const NotificationKey key(octets);
    const auto whole = Sign(key, DrawNotification());
    RC_ASSERT(Verify(key, whole));
    RC_ASSERT(Verify(NotificationKey::Parse(key.Print()), whole));
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit)
    {
        auto bytes = whole;
        bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        RC_ASSERT(!Verify(key, bytes));
    }
    auto other = octets;
    other[DrawInRange<std::size_t>(0, other.size())] ^= 0x10;
    RC_ASSERT(!Verify(NotificationKey(other), whole));
}

TEST(NotificationKeys, ListsAreReadAndPrinted)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "built without libsodium";
    }
    for (const auto& text : {std::string(), OLD, OLD + "," + NEW, SEVERE_KEY + "," + NEW})
    {
        EXPECT_EQ(NotificationKeys::Parse(text).Print(), text);
    }
    EXPECT_EQ(NotificationKeys::Parse(NEW + "," + OLD).GetFirst().GetId(), 8);
    EXPECT_EQ(NotificationKeys::Parse("0:" + SEVERE_KEY).Print(), SEVERE_KEY);
    EXPECT_FALSE(NotificationKeys::Parse("").GetFirst().IsSet());
    const auto parse = [](const std::string& text) {
        return CatchMessage([&text] { NotificationKeys::Parse(text); });
    };
    EXPECT_NE(parse(OLD + "," + OLD).find("number 7 twice"), std::string::npos);
    EXPECT_NE(parse(OLD + ",").find("an empty one"), std::string::npos);
    EXPECT_NE(parse("," + OLD).find("an empty one"), std::string::npos);
    for (const std::string id : {"256", "-1", "x", "", "1 ", "1.5"})
    {
        EXPECT_NE(parse(id + ":" + SEVERE_KEY).find("from 0 to 255"), std::string::npos) << id;
    }
    EXPECT_NE(parse("7:00").find("16 to 64 octets"), std::string::npos);
    EXPECT_NE(parse("7:").find("16 to 64 octets"), std::string::npos);
}

/// Receivers first, then senders, then the old key is revoked.
TEST(NotificationKeys, RotationLosesNothing)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "built without libsodium";
    }
    EXPECT_EQ(Verify(OLD, OLD), Verdict::AUTHENTIC);
    EXPECT_EQ(Verify(OLD + "," + NEW, OLD), Verdict::AUTHENTIC) << "receivers have both";
    EXPECT_EQ(Verify(OLD + "," + NEW, NEW), Verdict::AUTHENTIC) << "senders have the new one";
    EXPECT_EQ(Verify(NEW, NEW), Verdict::AUTHENTIC) << "the old one is revoked";
    EXPECT_EQ(Verify(NEW, OLD), Verdict::UNKNOWN_KEY);
    EXPECT_EQ(Verify(OLD, NEW), Verdict::UNKNOWN_KEY) << "a sender came too early";
}

TEST(NotificationKeys, OtherKeysOfTheSameNumberAreForged)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "built without libsodium";
    }
    EXPECT_EQ(Verify(OLD, "7:" + NEW.substr(2)), Verdict::FORGED);
    EXPECT_EQ(Verify(OLD, ""), Verdict::FORGED) << "not signed";
    EXPECT_EQ(Verify("", ""), Verdict::AUTHENTIC);
    EXPECT_EQ(Verify("", OLD), Verdict::FORGED);
    // The number is covered by the hash: who changes it forges.
    auto bytes = EncodeDomainMessage(LIGHT);
    NotificationKey::Parse(OLD).Sign(bytes);
    bytes[DOMAIN_MESSAGE_KEY_OFFSET] = 8;
    const auto same = NotificationKeys::Parse(OLD + ",8:" + OLD.substr(2));
    EXPECT_EQ(same.Verify(bytes.data(), bytes.size()), Verdict::FORGED);
    EXPECT_EQ(same.Verify(nullptr, 0), Verdict::FORGED);
}

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Keys with numbers, and how a domain changes its key without losing a notification.

#include "notification-samples.h"
#include "test/core/core-test.h"

#include "ns3/notification-keys.h"

using namespace aidctest;

using Verdict = NotificationKeys::Verdict;

const std::string OLD = "7:000102030405060708090a0b0c0d0e0f";
const std::string NEW = "8:101112131415161718191a1b1c1d1e1f";

/// Signs LIGHT with a key, and has keys verify it.
Verdict
Verify(const std::string& keys, const std::string& key)
{
    auto bytes = EncodeCongestionNotification(LIGHT);
    NotificationKey::Parse(key).Sign(bytes);
    return NotificationKeys::Parse(keys).Verify(bytes.data(), bytes.size());
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
    auto bytes = EncodeCongestionNotification(LIGHT);
    NotificationKey::Parse(OLD).Sign(bytes);
    bytes[DOMAIN_MESSAGE_KEY_OFFSET] = 8;
    const auto same = NotificationKeys::Parse(OLD + ",8:" + OLD.substr(2));
    EXPECT_EQ(same.Verify(bytes.data(), bytes.size()), Verdict::FORGED);
    EXPECT_EQ(same.Verify(nullptr, 0), Verdict::FORGED);
}

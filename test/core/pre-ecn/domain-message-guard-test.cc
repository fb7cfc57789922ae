// SPDX-License-Identifier: GPL-2.0-only

// Which messages an ingress PE believes (draft-hu-rtgwg-pre-ecn-wan-01, section 5.1, spoofing and
// forgery), for notifications and reports alike.

#include "model/core/pre-ecn/domain-message-guard.h"
#include "test/core/core-test.h"

#include "ns3/domain-message.h"

using Guard = DomainMessageGuard;
using Verdict = std::optional<Guard::Refusal>;

/// The router 10.10.0.1, and the PE 172.31.0.1
constexpr uint32_t ROUTER = 0x0a0a0001;
constexpr uint32_t PE = 0xac1f0001;
/// The time of messages, in ns
constexpr int64_t SENT = 5'000'000;

const std::string OLD_KEY = "7:000102030405060708090a0b0c0d0e0f";
const std::string NEW_KEY = "8:101112131415161718191a1b1c1d1e1f";

/// A PE, and what comes to it.
template <typename Message>
class DomainMessageGuardTest : public testing::Test
{
  public:
    DomainMessageGuardTest()
    {
        m_guard.AddIngress(PE);
        m_settings.domain = AddressDomain::Parse("10.10.0.0/16");
        m_settings.maxAge = 1'000'000;
        m_message.device = ROUTER;
        m_message.ingress = PE;
        m_message.time = SENT;
    }

    /// Have a message come: the next one, with what was changed. now: when, in ns.
    Verdict Come(uint32_t sender = ROUTER, int64_t now = SENT)
    {
        ++m_message.sequence;
        return ComeAgain(sender, now);
    }

    /// Have the last message come again.
    Verdict ComeAgain(uint32_t sender = ROUTER, int64_t now = SENT)
    {
        auto bytes = EncodeDomainMessage(m_message);
        m_key.Sign(bytes);
        return m_guard.Check(m_settings, m_message, bytes.data(), sender, now);
    }

    Guard m_guard;
    Guard::Settings m_settings;
    Message m_message;
    NotificationKey m_key;
};

using Messages = testing::Types<CongestionNotification, LinkLoadReport>;
TYPED_TEST_SUITE(DomainMessageGuardTest, Messages);

TYPED_TEST(DomainMessageGuardTest, BelievesWhatIsOfTheSenderForThePeAndNew)
{
    EXPECT_EQ(this->Come(), std::nullopt);
    EXPECT_EQ(this->ComeAgain(), Verdict(Guard::REPLAYED));
    EXPECT_EQ(this->Come(), std::nullopt);
    EXPECT_EQ(this->Come(ROUTER + 1), Verdict(Guard::OTHER_DEVICE));
    this->m_message.ingress = PE + 1;
    EXPECT_EQ(this->Come(), Verdict(Guard::OTHER_RECEIVER));
    this->m_guard.AddIngress(PE + 1);
    EXPECT_EQ(this->Come(), std::nullopt) << "a second tunnel begins there";
    this->m_message.device = 0x0a0b0001;
    EXPECT_EQ(this->Come(0x0a0b0001), Verdict(Guard::OFF_DOMAIN));
}

TYPED_TEST(DomainMessageGuardTest, OnlyMonitorsNameOtherDevices)
{
    this->m_settings.monitors = AddressDomain::Parse("10.10.9.0/24");
    EXPECT_EQ(this->Come(0x0a0a0901), std::nullopt);
    EXPECT_EQ(this->Come(0x0a0a0801), Verdict(Guard::OTHER_DEVICE));
}

TYPED_TEST(DomainMessageGuardTest, BelievesNothingOfTheFutureOrTooOld)
{
    EXPECT_EQ(this->Come(ROUTER, SENT - 1), Verdict(Guard::EARLY));
    EXPECT_EQ(this->Come(ROUTER, SENT + 1'000'000), std::nullopt);
    EXPECT_EQ(this->Come(ROUTER, SENT + 1'000'001), Verdict(Guard::STALE));
    this->m_settings.maxAge = 0;
    EXPECT_EQ(this->Come(ROUTER, std::numeric_limits<int64_t>::max()), std::nullopt) << "any age";
}

TYPED_TEST(DomainMessageGuardTest, HasRoomForSoManyDevices)
{
    EXPECT_EQ(this->Come(), std::nullopt);
    this->m_message.device = ROUTER + 1;
    EXPECT_EQ(this->Come(ROUTER + 1), Verdict(Guard::TOO_MANY_DEVICES));
    this->m_settings.maxDevices = 2;
    EXPECT_EQ(this->Come(ROUTER + 1), std::nullopt);
}

/// RFC 4107, section 2.2: keys change without a loss, as messages name theirs.
TYPED_TEST(DomainMessageGuardTest, KeysRotateWithoutALoss)
{
    if (!NotificationKey::IsAvailable())
    {
        GTEST_SKIP() << "built without libsodium";
    }
    this->m_settings.keys = NotificationKeys::Parse(OLD_KEY);
    EXPECT_EQ(this->Come(), Verdict(Guard::UNAUTHENTIC)) << "not signed";
    this->m_key = NotificationKey::Parse(OLD_KEY);
    EXPECT_EQ(this->Come(), std::nullopt);
    this->m_settings.keys = NotificationKeys::Parse(OLD_KEY + "," + NEW_KEY);
    EXPECT_EQ(this->Come(), std::nullopt) << "receivers first";
    this->m_key = NotificationKey::Parse(NEW_KEY);
    EXPECT_EQ(this->Come(), std::nullopt) << "then senders";
    this->m_settings.keys = NotificationKeys::Parse(NEW_KEY);
    EXPECT_EQ(this->Come(), std::nullopt) << "then the old one is revoked";
    this->m_key = NotificationKey::Parse(OLD_KEY);
    EXPECT_EQ(this->Come(), Verdict(Guard::UNKNOWN_KEY));
    this->m_key = NotificationKey::Parse("8" + OLD_KEY.substr(1));
    EXPECT_EQ(this->Come(), Verdict(Guard::UNAUTHENTIC)) << "another key of this number";
    this->m_settings.keys = {};
    EXPECT_EQ(this->Come(), Verdict(Guard::UNAUTHENTIC)) << "signed, where nothing is expected";
}

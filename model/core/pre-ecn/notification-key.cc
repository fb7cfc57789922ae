// SPDX-License-Identifier: GPL-2.0-only

#include "notification-key.h"

#include "../require-argument.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

#ifdef AIDC_HAS_SODIUM
#include <sodium.h>
#endif

namespace ns3::aidc
{

namespace
{

/// The digits of a key.
const std::string DIGITS = "0123456789abcdef";

#ifdef AIDC_HAS_SODIUM

/// A hash.
using Hash = std::array<uint8_t, DOMAIN_MESSAGE_HASH_SIZE>;

/// Compute the hash of a message. bytes: a message, of which what comes before the hash is read.
Hash
ComputeHash(const std::vector<uint8_t>& secret, const uint8_t* bytes)
{
    Hash hash;
    crypto_generichash(hash.data(),
                       hash.size(),
                       bytes,
                       DOMAIN_MESSAGE_HASHED_SIZE,
                       secret.data(),
                       secret.size());
    return hash;
}

#endif

} // namespace

bool
NotificationKey::IsAvailable()
{
#ifdef AIDC_HAS_SODIUM
    return true;
#else
    return false;
#endif
}

NotificationKey
NotificationKey::Parse(const std::string& text)
{
    if (text.empty())
    {
        return {};
    }
    const auto colon = text.find(':');
    const std::size_t begin = colon == std::string::npos ? 0 : colon + 1;
    unsigned id = 0;
    if (colon != std::string::npos)
    {
        const auto [end, error] = std::from_chars(text.data(), text.data() + colon, id);
        AIDC_REQUIRE(error == std::errc() && end == text.data() + colon && id <= 255,
                     "expected the number of a key from 0 to 255 before the colon, found \"" +
                         text.substr(0, colon) + "\"");
    }
    std::vector<uint8_t> secret;
    for (std::size_t i = begin; i < text.size(); i += 2)
    {
        const auto high = DIGITS.find(text[i]);
        const auto low = i + 1 < text.size() ? DIGITS.find(text[i + 1]) : std::string::npos;
        AIDC_REQUIRE(high != std::string::npos && low != std::string::npos,
                     "expected a key in pairs of the digits 0 to 9 and a to f, found another "
                     "character or an odd number of them");
        secret.push_back(static_cast<uint8_t>(high << 4 | low));
    }
    return NotificationKey(std::move(secret), static_cast<uint8_t>(id));
}

NotificationKey::NotificationKey(std::vector<uint8_t> secret, uint8_t id)
    : m_secret(std::move(secret)),
      m_id(id)
{
    AIDC_REQUIRE(m_secret.size() >= NOTIFICATION_KEY_MIN_SIZE &&
                     m_secret.size() <= NOTIFICATION_KEY_MAX_SIZE,
                 "expected a key of 16 to 64 octets, found " + std::to_string(m_secret.size()));
    AIDC_REQUIRE(IsAvailable(),
                 "a key needs libsodium, which this build of aidc is without: install "
                 "libsodium-dev (libsodium-devel on Fedora, libsodium with Homebrew) and "
                 "configure again, or set no key, so that notifications are not authenticated");
#ifdef AIDC_HAS_SODIUM
    // Chooses the fastest way that the processor has. It may be called again.
    AIDC_REQUIRE(sodium_init() >= 0, "a key needs libsodium, which fails to start");
#endif
}

std::string
NotificationKey::Print() const
{
    std::string text = m_id == 0 ? "" : std::to_string(m_id) + ':';
    for (const uint8_t octet : m_secret)
    {
        text += DIGITS[octet >> 4];
        text += DIGITS[octet & 0xf];
    }
    return text;
}

void
NotificationKey::Label(DomainMessage& message) const
{
    message.authentication = IsSet() ? MessageAuthentication::BLAKE2B : MessageAuthentication::NONE;
    message.keyId = m_id;
}

void
NotificationKey::Sign(DomainMessageBytes& bytes) const
{
    bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET] = static_cast<uint8_t>(
        IsSet() ? MessageAuthentication::BLAKE2B : MessageAuthentication::NONE);
    bytes[DOMAIN_MESSAGE_KEY_OFFSET] = m_id;
    const auto begin = bytes.begin() + DOMAIN_MESSAGE_HASHED_SIZE;
    std::fill(begin, bytes.end(), 0);
#ifdef AIDC_HAS_SODIUM
    if (IsSet())
    {
        const Hash hash = ComputeHash(m_secret, bytes.data());
        std::copy(hash.begin(), hash.end(), begin);
    }
#endif
}

bool
NotificationKey::Verify(const uint8_t* bytes, std::size_t length) const
{
    if (length != DOMAIN_MESSAGE_SIZE)
    {
        return false;
    }
    const auto kind =
        static_cast<MessageAuthentication>(bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET]);
    if (!IsSet())
    {
        return kind == MessageAuthentication::NONE;
    }
#ifdef AIDC_HAS_SODIUM
    const Hash hash = ComputeHash(m_secret, bytes);
    return kind == MessageAuthentication::BLAKE2B && bytes[DOMAIN_MESSAGE_KEY_OFFSET] == m_id &&
           sodium_memcmp(hash.data(), bytes + DOMAIN_MESSAGE_HASHED_SIZE, hash.size()) == 0;
#else
    return false;
#endif
}

NotificationKeys
NotificationKeys::Parse(const std::string& text)
{
    NotificationKeys keys;
    std::istringstream list(text.empty() ? text : text + ',');
    for (std::string entry; std::getline(list, entry, ',');)
    {
        const auto key = NotificationKey::Parse(entry);
        AIDC_REQUIRE(key.IsSet(), "expected keys separated by commas, found an empty one");
        const bool isKnown = std::any_of(keys.m_keys.begin(), keys.m_keys.end(), [&](auto& known) {
            return known.GetId() == key.GetId();
        });
        AIDC_REQUIRE(!isKnown,
                     "expected keys of different numbers, found number " +
                         std::to_string(key.GetId()) + " twice");
        keys.m_keys.push_back(key);
    }
    return keys;
}

std::string
NotificationKeys::Print() const
{
    std::string text;
    for (const auto& key : m_keys)
    {
        text += (text.empty() ? "" : ",") + key.Print();
    }
    return text;
}

NotificationKeys::Verdict
NotificationKeys::Verify(const uint8_t* bytes, std::size_t length) const
{
    const auto verify = [bytes, length](const NotificationKey& key) {
        return key.Verify(bytes, length) ? Verdict::AUTHENTIC : Verdict::FORGED;
    };
    const bool isSigned =
        length == DOMAIN_MESSAGE_SIZE && bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET] ==
                                             static_cast<uint8_t>(MessageAuthentication::BLAKE2B);
    if (!IsSet() || !isSigned)
    {
        return m_keys.empty() ? verify(NotificationKey()) : Verdict::FORGED;
    }
    const auto key = std::find_if(m_keys.begin(), m_keys.end(), [bytes](const auto& known) {
        return known.GetId() == bytes[DOMAIN_MESSAGE_KEY_OFFSET];
    });
    return key == m_keys.end() ? Verdict::UNKNOWN_KEY : verify(*key);
}

} // namespace ns3::aidc

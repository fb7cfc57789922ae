// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NOTIFICATION_KEY_H
#define AIDC_NOTIFICATION_KEY_H

#include "domain-message.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The fewest octets of a key.
constexpr std::size_t NOTIFICATION_KEY_MIN_SIZE = 16;
/// The most octets of a key.
constexpr std::size_t NOTIFICATION_KEY_MAX_SIZE = 64;

/// A secret that a domain's routers and PEs share, by which notifications and the other
/// messages of the domain are authenticated.
///
/// The message authentication code is keyed BLAKE2b (RFC 7693, section 2.9), by libsodium's
/// crypto_generichash. Without a key, messages are neither signed nor verified: this is the
/// unauthenticated mode. The receiver decides on the mode, never the sender: with a key, it refuses
/// messages that are not signed, and without a key, signed messages.
///
/// A key has a number, which a message tells, so that receivers can hold several keys
/// (NotificationKeys) while a domain changes from one to the next.
///
/// A module that was built without libsodium only has the unauthenticated mode. Then making a key
/// is an error with this reason.
class NotificationKey
{
  public:
    /// @return whether keys are available: whether the module was built with libsodium
    static bool IsAvailable();

    /// Read a key.
    /// @param text the key in hexadecimal digits, two an octet; before it, its number from 0 to 255
    ///        and a colon, as in "7:0001..."; without them its number is 0. Empty for no key
    /// @return the key
    /// @throw std::invalid_argument if the text is something else, or if the constructor throws
    static NotificationKey Parse(const std::string& text);

    /// Make no key: the unauthenticated mode.
    NotificationKey() = default;

    /// Make a key.
    /// @param secret its octets, from NOTIFICATION_KEY_MIN_SIZE to NOTIFICATION_KEY_MAX_SIZE
    /// @param id its number
    /// @throw std::invalid_argument if they are fewer or more, or if keys are not available
    explicit NotificationKey(std::vector<uint8_t> secret, uint8_t id = 0);

    /// @return whether there is a key; false in the unauthenticated mode
    bool IsSet() const
    {
        return !m_secret.empty();
    }

    /// @return the number of the key
    uint8_t GetId() const
    {
        return m_id;
    }

    /// Print a key. @return a text that Parse() reads back
    std::string Print() const;

    /// Tell by which key a message is authenticated.
    /// @param [in,out] message takes the kind of hash and the number of the key
    void Label(DomainMessage& message) const;

    /// Authenticate a message: set the kind of hash, the number of the key, and the hash.
    /// @param [in,out] bytes the message
    void Sign(DomainMessageBytes& bytes) const;

    /// Tell whether a message is authentic, in a time that does not depend on its hash.
    /// @param bytes the payload of a datagram; may be null if length is 0
    /// @param length its length
    /// @return true if it has the length of a message, and either number and hash are of this key,
    ///         or there is neither key nor hash
    bool Verify(const uint8_t* bytes, std::size_t length) const;

  private:
    std::vector<uint8_t> m_secret; //!< its octets; empty for none
    uint8_t m_id{0};               //!< its number
};

/// The keys that a receiver of messages of the domain accepts, each with its number.
///
/// To change the key of a domain, give the receivers the new key in addition to the old key, then
/// give the senders the new key, and then take the old key from the receivers.
class NotificationKeys
{
  public:
    /// The decision on a message.
    enum class Verdict : uint8_t
    {
        AUTHENTIC,   //!< it is signed with one of the keys, or there is neither key nor hash
        UNKNOWN_KEY, //!< it is signed with a key of another number: unknown yet, or revoked
        FORGED,      //!< it is not signed with the key that it names, or not at all
    };

    /// Read keys.
    /// @param text keys as NotificationKey::Parse() reads them, separated by commas; empty for none
    /// @return the keys
    /// @throw std::invalid_argument if a key is wrong, or two of them have the same number
    static NotificationKeys Parse(const std::string& text);

    /// Print the keys. @return a text that Parse() reads back
    std::string Print() const;

    /// @return whether there is a key
    bool IsSet() const
    {
        return !m_keys.empty();
    }

    /// @return the first key, with which a sender signs; none if there is none
    NotificationKey GetFirst() const
    {
        return m_keys.empty() ? NotificationKey() : m_keys.front();
    }

    /// Decide on a message.
    /// @param bytes the payload of a datagram; may be null if length is 0
    /// @param length its length
    /// @return the decision
    Verdict Verify(const uint8_t* bytes, std::size_t length) const;

  private:
    std::vector<NotificationKey> m_keys; //!< the keys
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_KEY_H

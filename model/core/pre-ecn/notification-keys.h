/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_KEYS_H
#define AIDC_NOTIFICATION_KEYS_H

#include "notification-key.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The keys that a receiver of messages of the domain accepts, each with its number.
 *
 * To change the key of a domain, give receivers the new key beside the old one, then the senders
 * the new one, and take the old one from the receivers.
 */
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

#endif // AIDC_NOTIFICATION_KEYS_H

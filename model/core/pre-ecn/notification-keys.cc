/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notification-keys.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

NotificationKeys
NotificationKeys::Parse(const std::string& text)
{
    NotificationKeys keys;
    std::istringstream list(text.empty() ? text : text + ',');
    for (std::string entry; std::getline(list, entry, ',');)
    {
        const auto key = NotificationKey::Parse(entry);
        if (!key.IsSet())
        {
            throw std::invalid_argument("expected keys separated by commas, found an empty one");
        }
        const bool isKnown = std::any_of(keys.m_keys.begin(), keys.m_keys.end(), [&](auto& known) {
            return known.GetId() == key.GetId();
        });
        if (isKnown)
        {
            throw std::invalid_argument("expected keys of different numbers, found number " +
                                        std::to_string(key.GetId()) + " twice");
        }
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

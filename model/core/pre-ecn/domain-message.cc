/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "domain-message.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// Offset of octets that are 0, up to the hash.
constexpr std::size_t RESERVED = DOMAIN_MESSAGE_KEY_OFFSET + 1;

} // namespace

AuthenticationResult
DecodeAuthentication(const uint8_t* bytes, DomainMessage& message)
{
    const auto authentication =
        static_cast<MessageAuthentication>(bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET]);
    if (authentication != MessageAuthentication::NONE &&
        authentication != MessageAuthentication::BLAKE2B)
    {
        return AuthenticationResult::UNKNOWN;
    }
    const auto isSet = [bytes](std::size_t from, std::size_t to) {
        return std::any_of(bytes + from, bytes + to, [](uint8_t byte) { return byte != 0; });
    };
    const bool hasHash = bytes[DOMAIN_MESSAGE_KEY_OFFSET] != 0 ||
                         isSet(DOMAIN_MESSAGE_HASHED_SIZE, DOMAIN_MESSAGE_SIZE);
    if (isSet(RESERVED, DOMAIN_MESSAGE_HASHED_SIZE) ||
        (hasHash && authentication == MessageAuthentication::NONE))
    {
        return AuthenticationResult::RESERVED_BITS;
    }
    message.authentication = authentication;
    message.keyId = bytes[DOMAIN_MESSAGE_KEY_OFFSET];
    return AuthenticationResult::OK;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DOMAIN_MESSAGE_H
#define AIDC_DOMAIN_MESSAGE_H

#include <array>
#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * What all messages from routers to ingress PEs share: notifications of congestion
 * (CongestionNotification) and reports of link loads (LinkLoadReport). Each is the payload of a UDP
 * datagram, in network byte order:
 *
 *      +0   kind of message or version; no two kinds of message share a value
 *      +1   1 octet of the message
 *      +2   authentication: 0 none, 1 keyed BLAKE2b of 16 octets
 *      +3   57 octets of the message
 *      +60  number of the key, 0 without authentication
 *      +61  0, 3 octets
 *      +64  hash of octets 0 to 63, 16 octets; zeros without authentication
 */

namespace ns3::aidc
{

/// Octets of a message.
constexpr std::size_t DOMAIN_MESSAGE_SIZE = 80;
/// Offset of the kind of hash.
constexpr std::size_t DOMAIN_MESSAGE_AUTHENTICATION_OFFSET = 2;
/// Offset of the number of the key.
constexpr std::size_t DOMAIN_MESSAGE_KEY_OFFSET = 60;
/// Octets of a message before its hash. The hash is computed over them.
constexpr std::size_t DOMAIN_MESSAGE_HASHED_SIZE = 64;
/// Octets of the hash.
constexpr std::size_t DOMAIN_MESSAGE_HASH_SIZE = DOMAIN_MESSAGE_SIZE - DOMAIN_MESSAGE_HASHED_SIZE;

/// A message as bytes.
using DomainMessageBytes = std::array<uint8_t, DOMAIN_MESSAGE_SIZE>;

/// @ingroup aidc
/// How a message is authenticated.
enum class MessageAuthentication : uint8_t
{
    NONE = 0,    //!< not at all
    BLAKE2B = 1, //!< by a keyed BLAKE2b hash (RFC 7693) of 16 octets
};

/// @ingroup aidc
/// What all messages tell.
struct DomainMessage
{
    MessageAuthentication authentication{MessageAuthentication::NONE}; //!< kind of hash
    uint8_t keyId{0};     //!< number of the key, 0 without authentication
    uint32_t device{0};   //!< IPv4 address of the device that it is about, host byte order
    uint32_t ingress{0};  //!< IPv4 address of the ingress PE that it is for
    uint64_t sequence{0}; //!< counts the messages of the device, from 1
    uint64_t time{0};     //!< time of what it tells, in ns
};

/// @ingroup aidc
/// Write the kind of hash and the number of the key.
/// @param message the message
/// @param [in,out] bytes takes them
inline void
EncodeAuthentication(const DomainMessage& message, DomainMessageBytes& bytes)
{
    bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET] = static_cast<uint8_t>(message.authentication);
    bytes[DOMAIN_MESSAGE_KEY_OFFSET] = message.keyId;
}

/// @ingroup aidc
/// The result of reading how a message is authenticated.
enum class AuthenticationResult : uint8_t
{
    OK,            //!< decoded
    UNKNOWN,       //!< a kind of hash that is not known
    RESERVED_BITS, //!< not 0: a reserved octet, or a key or hash without authentication
};

/// @ingroup aidc
/// Read the kind of hash and the number of the key. The hash is not verified.
/// @param bytes DOMAIN_MESSAGE_SIZE octets
/// @param [out] message takes them, unchanged unless the result is OK
/// @return OK, or what is wrong
AuthenticationResult DecodeAuthentication(const uint8_t* bytes, DomainMessage& message);

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_H

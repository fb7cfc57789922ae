/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-notification.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::load_big_u64;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;
using boost::endian::store_big_u64;

constexpr std::size_t VERSION = 0;           //!< offset of the version
constexpr std::size_t SEVERITY = 1;          //!< offset of the severity
constexpr std::size_t QUEUE = 3;             //!< offset of the queue
constexpr std::size_t PORT = 4;              //!< offset of the port
constexpr std::size_t PROTOCOL = 6;          //!< offset of the flow's protocol
constexpr std::size_t FLAGS = 7;             //!< offset of the flags
constexpr std::size_t DEVICE = 8;            //!< offset of the device's address
constexpr std::size_t SOURCE = 12;           //!< offset of the flow's source address
constexpr std::size_t DESTINATION = 16;      //!< offset of the flow's destination address
constexpr std::size_t SOURCE_PORT = 20;      //!< offset of the flow's source port
constexpr std::size_t DESTINATION_PORT = 22; //!< offset of the flow's destination port
constexpr std::size_t SEQUENCE = 24;         //!< offset of the sequence number
constexpr std::size_t TIME = 32;             //!< offset of the time
constexpr std::size_t INGRESS = 40;          //!< offset of the ingress PE's address
constexpr std::size_t EGRESS = 44;           //!< offset of the egress PE's address
constexpr std::size_t RATE = 48;             //!< offset of the flow's rate
constexpr std::size_t VALIDITY = 56;         //!< offset of how long the rate is valid

/// The flag of a queue that is falling, the only one.
constexpr uint8_t FALLING = 1;

} // namespace

DomainMessageBytes
EncodeCongestionNotification(const CongestionNotification& notification)
{
    DomainMessageBytes bytes{};
    EncodeAuthentication(notification, bytes);
    bytes[VERSION] = CONGESTION_NOTIFICATION_VERSION;
    bytes[SEVERITY] = static_cast<uint8_t>(notification.severity);
    bytes[QUEUE] = notification.queue;
    store_big_u16(&bytes[PORT], notification.port);
    bytes[PROTOCOL] = notification.flow.protocol;
    bytes[FLAGS] = notification.isFalling ? FALLING : 0;
    store_big_u32(&bytes[DEVICE], notification.device);
    store_big_u32(&bytes[SOURCE], notification.flow.source);
    store_big_u32(&bytes[DESTINATION], notification.flow.destination);
    store_big_u16(&bytes[SOURCE_PORT], notification.flow.sourcePort);
    store_big_u16(&bytes[DESTINATION_PORT], notification.flow.destinationPort);
    store_big_u64(&bytes[SEQUENCE], notification.sequence);
    store_big_u64(&bytes[TIME], notification.time);
    store_big_u32(&bytes[INGRESS], notification.ingress);
    store_big_u32(&bytes[EGRESS], notification.egress);
    store_big_u64(&bytes[RATE], notification.rate);
    store_big_u32(&bytes[VALIDITY], notification.validity);
    return bytes;
}

CongestionNotificationResult
DecodeCongestionNotification(const uint8_t* bytes,
                             std::size_t length,
                             CongestionNotification& notification)
{
    using Result = CongestionNotificationResult;
    if (length != DOMAIN_MESSAGE_SIZE)
    {
        return Result::WRONG_LENGTH;
    }
    if (bytes[VERSION] != CONGESTION_NOTIFICATION_VERSION)
    {
        return Result::UNKNOWN_VERSION;
    }
    const auto severity = static_cast<CongestionSeverity>(bytes[SEVERITY]);
    const uint64_t rate = load_big_u64(bytes + RATE);
    const bool isTold = severity == CongestionSeverity::NONE && rate != NOTIFICATION_RATE_UNTOLD;
    if (!isTold && severity != CongestionSeverity::LIGHT && severity != CongestionSeverity::SEVERE)
    {
        return Result::UNKNOWN_SEVERITY;
    }
    DomainMessage message;
    const auto authentication = DecodeAuthentication(bytes, message);
    if (authentication == AuthenticationResult::UNKNOWN)
    {
        return Result::UNKNOWN_AUTHENTICATION;
    }
    if (authentication == AuthenticationResult::RESERVED_BITS || (bytes[FLAGS] & ~FALLING) != 0)
    {
        return Result::RESERVED_BITS;
    }
    notification.authentication = message.authentication;
    notification.keyId = message.keyId;
    notification.severity = severity;
    notification.queue = bytes[QUEUE];
    notification.port = load_big_u16(bytes + PORT);
    notification.device = load_big_u32(bytes + DEVICE);
    notification.flow.source = load_big_u32(bytes + SOURCE);
    notification.flow.destination = load_big_u32(bytes + DESTINATION);
    notification.flow.sourcePort = load_big_u16(bytes + SOURCE_PORT);
    notification.flow.destinationPort = load_big_u16(bytes + DESTINATION_PORT);
    notification.flow.protocol = bytes[PROTOCOL];
    notification.sequence = load_big_u64(bytes + SEQUENCE);
    notification.time = load_big_u64(bytes + TIME);
    notification.ingress = load_big_u32(bytes + INGRESS);
    notification.egress = load_big_u32(bytes + EGRESS);
    notification.isFalling = bytes[FLAGS] == FALLING;
    notification.rate = rate;
    notification.validity = load_big_u32(bytes + VALIDITY);
    return Result::OK;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-load-report.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <limits>

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

constexpr std::size_t KIND = 0;           //!< offset of the kind of message
constexpr std::size_t VERSION = 1;        //!< offset of the version
constexpr std::size_t AUTHENTICATION = 2; //!< offset of the kind of hash
constexpr std::size_t RESERVED = 3;       //!< offset of an octet that is 0
constexpr std::size_t PORT = 4;           //!< offset of the port
constexpr std::size_t RESERVED_2 = 6;     //!< offset of two octets that are 0
constexpr std::size_t DEVICE = 8;         //!< offset of the device's address
constexpr std::size_t INGRESS = 12;       //!< offset of the ingress PE's address
constexpr std::size_t SEQUENCE = 16;      //!< offset of the sequence number
constexpr std::size_t TIME = 24;          //!< offset of the end of the measurement
constexpr std::size_t LENGTH = 32;        //!< offset of its length
constexpr std::size_t CAPACITY = 40;      //!< offset of the link's capacity
constexpr std::size_t OCTETS = 48;        //!< offset of what has arrived

/// The kind of message, which no version of notifications has in this place.
constexpr uint8_t LINK_LOAD = 0x4c;
/// The version of the format.
constexpr uint8_t LINK_LOAD_VERSION = 1;
/// The largest time.
constexpr uint64_t MAX_TIME = std::numeric_limits<int64_t>::max();

} // namespace

LinkLoadReportBytes
EncodeLinkLoadReport(const LinkLoadReport& report, const NotificationKey& key)
{
    LinkLoadReportBytes bytes{};
    bytes[KIND] = LINK_LOAD;
    bytes[VERSION] = LINK_LOAD_VERSION;
    bytes[AUTHENTICATION] = static_cast<uint8_t>(key.IsSet() ? NotificationAuthentication::BLAKE2B
                                                             : NotificationAuthentication::NONE);
    store_big_u16(&bytes[PORT], report.port);
    store_big_u32(&bytes[DEVICE], report.device);
    store_big_u32(&bytes[INGRESS], report.ingress);
    store_big_u64(&bytes[SEQUENCE], report.sequence);
    store_big_u64(&bytes[TIME], report.time);
    store_big_u64(&bytes[LENGTH], report.length);
    store_big_u64(&bytes[CAPACITY], report.capacity);
    store_big_u64(&bytes[OCTETS], report.octets);
    const auto hash = key.ComputeMessageHash(bytes.data(), LINK_LOAD_HASHED_SIZE);
    std::copy(hash.begin(), hash.end(), bytes.begin() + LINK_LOAD_HASHED_SIZE);
    return bytes;
}

LinkLoadReportResult
DecodeLinkLoadReport(const uint8_t* bytes, std::size_t length, LinkLoadReport& report)
{
    using Result = LinkLoadReportResult;
    if (length != LINK_LOAD_REPORT_SIZE)
    {
        return Result::WRONG_LENGTH;
    }
    const auto authentication = static_cast<NotificationAuthentication>(bytes[AUTHENTICATION]);
    if (bytes[KIND] != LINK_LOAD || bytes[VERSION] != LINK_LOAD_VERSION ||
        (authentication != NotificationAuthentication::NONE &&
         authentication != NotificationAuthentication::BLAKE2B))
    {
        return Result::UNKNOWN;
    }
    const bool hasHash = std::any_of(bytes + LINK_LOAD_HASHED_SIZE,
                                     bytes + LINK_LOAD_REPORT_SIZE,
                                     [](uint8_t byte) { return byte != 0; });
    const uint64_t time = load_big_u64(bytes + TIME);
    const uint64_t span = load_big_u64(bytes + LENGTH);
    if (bytes[RESERVED] != 0 || load_big_u16(bytes + RESERVED_2) != 0 ||
        (hasHash && authentication == NotificationAuthentication::NONE) || time > MAX_TIME ||
        span == 0 || span > time || load_big_u64(bytes + CAPACITY) == 0)
    {
        return Result::MALFORMED;
    }
    report.port = load_big_u16(bytes + PORT);
    report.device = load_big_u32(bytes + DEVICE);
    report.ingress = load_big_u32(bytes + INGRESS);
    report.sequence = load_big_u64(bytes + SEQUENCE);
    report.time = time;
    report.length = span;
    report.capacity = load_big_u64(bytes + CAPACITY);
    report.octets = load_big_u64(bytes + OCTETS);
    return Result::OK;
}

bool
VerifyLinkLoadReport(const uint8_t* bytes, const NotificationKey& key)
{
    // Without a key the hash is zeros, as it is without authentication.
    const auto authentication = static_cast<NotificationAuthentication>(bytes[AUTHENTICATION]);
    NotificationKey::MessageHash hash;
    std::copy_n(bytes + LINK_LOAD_HASHED_SIZE, hash.size(), hash.begin());
    return (authentication == NotificationAuthentication::BLAKE2B) == key.IsSet() &&
           key.VerifyMessageHash(bytes, LINK_LOAD_HASHED_SIZE, hash);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-load-report.h"

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

/// The offsets of the fields.
namespace report_offset
{

constexpr std::size_t KIND = 0;        //!< offset of the kind of message
constexpr std::size_t VERSION = 1;     //!< offset of the version
constexpr std::size_t RESERVED = 3;    //!< offset of an octet that is 0
constexpr std::size_t PORT = 4;        //!< offset of the port
constexpr std::size_t RESERVED_2 = 6;  //!< offset of two octets that are 0
constexpr std::size_t DEVICE = 8;      //!< offset of the device's address
constexpr std::size_t INGRESS = 12;    //!< offset of the ingress PE's address
constexpr std::size_t SEQUENCE = 16;   //!< offset of the sequence number
constexpr std::size_t TIME = 24;       //!< offset of the end of the measurement
constexpr std::size_t LENGTH = 32;     //!< offset of its length
constexpr std::size_t CAPACITY = 40;   //!< offset of the link's capacity
constexpr std::size_t OCTETS = 48;     //!< offset of what has arrived
constexpr std::size_t RESERVED_3 = 56; //!< offset of four octets that are 0

} // namespace report_offset

/// The kind of message, which no version of notifications has in this place.
constexpr uint8_t LINK_LOAD = 0x4c;
/// The version of the format.
constexpr uint8_t LINK_LOAD_VERSION = 2;
/// The largest time.
constexpr uint64_t MAX_TIME = std::numeric_limits<int64_t>::max();

} // namespace

DomainMessageBytes
EncodeLinkLoadReport(const LinkLoadReport& report)
{
    DomainMessageBytes bytes{};
    EncodeAuthentication(report, bytes);
    bytes[report_offset::KIND] = LINK_LOAD;
    bytes[report_offset::VERSION] = LINK_LOAD_VERSION;
    store_big_u16(&bytes[report_offset::PORT], report.port);
    store_big_u32(&bytes[report_offset::DEVICE], report.device);
    store_big_u32(&bytes[report_offset::INGRESS], report.ingress);
    store_big_u64(&bytes[report_offset::SEQUENCE], report.sequence);
    store_big_u64(&bytes[report_offset::TIME], report.time);
    store_big_u64(&bytes[report_offset::LENGTH], report.length);
    store_big_u64(&bytes[report_offset::CAPACITY], report.capacity);
    store_big_u64(&bytes[report_offset::OCTETS], report.octets);
    return bytes;
}

LinkLoadReportResult
DecodeLinkLoadReport(const uint8_t* bytes, std::size_t length, LinkLoadReport& report)
{
    using Result = LinkLoadReportResult;
    if (length != DOMAIN_MESSAGE_SIZE)
    {
        return Result::WRONG_LENGTH;
    }
    DomainMessage message;
    const auto authentication = DecodeAuthentication(bytes, message);
    if (bytes[report_offset::KIND] != LINK_LOAD ||
        bytes[report_offset::VERSION] != LINK_LOAD_VERSION ||
        authentication == AuthenticationResult::UNKNOWN)
    {
        return Result::UNKNOWN;
    }
    const uint64_t time = load_big_u64(bytes + report_offset::TIME);
    const uint64_t span = load_big_u64(bytes + report_offset::LENGTH);
    if (authentication == AuthenticationResult::RESERVED_BITS ||
        bytes[report_offset::RESERVED] != 0 ||
        load_big_u16(bytes + report_offset::RESERVED_2) != 0 ||
        load_big_u32(bytes + report_offset::RESERVED_3) != 0 || time > MAX_TIME || span == 0 ||
        span > time || load_big_u64(bytes + report_offset::CAPACITY) == 0)
    {
        return Result::MALFORMED;
    }
    report.authentication = message.authentication;
    report.keyId = message.keyId;
    report.port = load_big_u16(bytes + report_offset::PORT);
    report.device = load_big_u32(bytes + report_offset::DEVICE);
    report.ingress = load_big_u32(bytes + report_offset::INGRESS);
    report.sequence = load_big_u64(bytes + report_offset::SEQUENCE);
    report.time = time;
    report.length = span;
    report.capacity = load_big_u64(bytes + report_offset::CAPACITY);
    report.octets = load_big_u64(bytes + report_offset::OCTETS);
    return Result::OK;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "domain-message.h"

#include <algorithm>
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
using Result = DomainMessageResult; //!< the results, which are many here

// The offsets in the header
constexpr std::size_t VERSION = 0;   //!< offset of the version
constexpr std::size_t RECORD = 1;    //!< offset of the kind of record
constexpr std::size_t PORT = 4;      //!< offset of the port
constexpr std::size_t RESERVED = 6;  //!< offset of two octets that are 0
constexpr std::size_t DEVICE = 8;    //!< offset of the device's address
constexpr std::size_t INGRESS = 12;  //!< offset of the ingress PE's address
constexpr std::size_t SEQUENCE = 16; //!< offset of the sequence number
constexpr std::size_t TIME = 24;     //!< offset of the time

// The offsets in a record of congestion
constexpr std::size_t SEVERITY = 32;         //!< offset of the severity
constexpr std::size_t FLAGS = 33;            //!< offset of the flags
constexpr std::size_t QUEUE = 34;            //!< offset of the queue
constexpr std::size_t PROTOCOL = 35;         //!< offset of the flow's protocol
constexpr std::size_t SOURCE = 36;           //!< offset of the flow's source address
constexpr std::size_t DESTINATION = 40;      //!< offset of the flow's destination address
constexpr std::size_t SOURCE_PORT = 44;      //!< offset of the flow's source port
constexpr std::size_t DESTINATION_PORT = 46; //!< offset of the flow's destination port
constexpr std::size_t EGRESS = 48;           //!< offset of the egress PE's address
constexpr std::size_t VALIDITY = 52;         //!< offset of how long the rate is valid
constexpr std::size_t RATE = 56;             //!< offset of the flow's rate

// The offsets in a record of the load of a link
constexpr std::size_t LENGTH = 32;        //!< offset of the measurement's length
constexpr std::size_t CAPACITY = 40;      //!< offset of the link's capacity
constexpr std::size_t OCTETS = 48;        //!< offset of what has arrived
constexpr std::size_t LOAD_RESERVED = 56; //!< offset of eight octets that are 0

/// The flag of a queue that is falling, the only one.
constexpr uint8_t FALLING = 1;
/// The largest time.
constexpr uint64_t MAX_TIME = std::numeric_limits<int64_t>::max();

/// Write the header. @return the message, whose other octets are 0
DomainMessageBytes
EncodeHeader(const DomainMessage& message, DomainMessageRecord record)
{
    DomainMessageBytes bytes{};
    bytes[VERSION] = DOMAIN_MESSAGE_VERSION;
    bytes[RECORD] = static_cast<uint8_t>(record);
    bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET] = static_cast<uint8_t>(message.authentication);
    bytes[DOMAIN_MESSAGE_KEY_OFFSET] = message.keyId;
    store_big_u16(&bytes[PORT], message.port);
    store_big_u32(&bytes[DEVICE], message.device);
    store_big_u32(&bytes[INGRESS], message.ingress);
    store_big_u64(&bytes[SEQUENCE], message.sequence);
    store_big_u64(&bytes[TIME], message.time);
    return bytes;
}

/// Read the header, with its authentication.
Result
DecodeHeader(const uint8_t* bytes, std::size_t length, DomainMessage& message)
{
    if (length != DOMAIN_MESSAGE_SIZE)
    {
        return Result::WRONG_LENGTH;
    }
    if (bytes[VERSION] != DOMAIN_MESSAGE_VERSION)
    {
        return Result::UNKNOWN_VERSION;
    }
    const auto record = static_cast<DomainMessageRecord>(bytes[RECORD]);
    if (record != DomainMessageRecord::CONGESTION && record != DomainMessageRecord::LINK_LOAD)
    {
        return Result::UNKNOWN_RECORD;
    }
    message.authentication =
        static_cast<MessageAuthentication>(bytes[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET]);
    const bool isSigned = message.authentication == MessageAuthentication::BLAKE2B;
    if (!isSigned && message.authentication != MessageAuthentication::NONE)
    {
        return Result::UNKNOWN_AUTHENTICATION;
    }
    const bool hasHash = bytes[DOMAIN_MESSAGE_KEY_OFFSET] != 0 ||
                         std::any_of(bytes + DOMAIN_MESSAGE_HASHED_SIZE,
                                     bytes + DOMAIN_MESSAGE_SIZE,
                                     [](uint8_t octet) { return octet != 0; });
    if ((hasHash && !isSigned) || load_big_u16(bytes + RESERVED) != 0)
    {
        return Result::RESERVED_BITS;
    }
    message.keyId = bytes[DOMAIN_MESSAGE_KEY_OFFSET];
    message.port = load_big_u16(bytes + PORT);
    message.device = load_big_u32(bytes + DEVICE);
    message.ingress = load_big_u32(bytes + INGRESS);
    message.sequence = load_big_u64(bytes + SEQUENCE);
    message.time = load_big_u64(bytes + TIME);
    return message.time > MAX_TIME ? Result::OUT_OF_RANGE : Result::OK;
}

/// Read the record of a notification. bytes: the message; notification: has its header.
Result
DecodeRecord(const uint8_t* bytes, CongestionNotification& notification)
{
    notification.severity = static_cast<CongestionSeverity>(bytes[SEVERITY]);
    notification.isFalling = bytes[FLAGS] == FALLING;
    notification.queue = bytes[QUEUE];
    notification.flow.protocol = bytes[PROTOCOL];
    notification.flow.source = load_big_u32(bytes + SOURCE);
    notification.flow.destination = load_big_u32(bytes + DESTINATION);
    notification.flow.sourcePort = load_big_u16(bytes + SOURCE_PORT);
    notification.flow.destinationPort = load_big_u16(bytes + DESTINATION_PORT);
    notification.egress = load_big_u32(bytes + EGRESS);
    notification.validity = load_big_u32(bytes + VALIDITY);
    notification.rate = load_big_u64(bytes + RATE);
    const bool isRate = notification.severity == CongestionSeverity::NONE &&
                        notification.rate != NOTIFICATION_RATE_NONE;
    if (!isRate && notification.severity != CongestionSeverity::LIGHT &&
        notification.severity != CongestionSeverity::SEVERE)
    {
        return Result::UNKNOWN_SEVERITY;
    }
    return (bytes[FLAGS] & ~FALLING) != 0 ? Result::RESERVED_BITS : Result::OK;
}

/// Read the record of a report. bytes: the message; report: has its header.
Result
DecodeRecord(const uint8_t* bytes, LinkLoadReport& report)
{
    report.length = load_big_u64(bytes + LENGTH);
    report.capacity = load_big_u64(bytes + CAPACITY);
    report.octets = load_big_u64(bytes + OCTETS);
    if (load_big_u64(bytes + LOAD_RESERVED) != 0)
    {
        return Result::RESERVED_BITS;
    }
    const bool isInRange = report.length > 0 && report.length <= report.time && report.capacity > 0;
    return isInRange ? Result::OK : Result::OUT_OF_RANGE;
}

/// Read the record of a message. Message: what has it; header: the header.
template <typename Message>
Result
DecodeAs(const uint8_t* bytes, const DomainMessage& header, AnyDomainMessage& message)
{
    Message decoded;
    static_cast<DomainMessage&>(decoded) = header;
    const Result result = DecodeRecord(bytes, decoded);
    if (result == Result::OK)
    {
        message = decoded;
    }
    return result;
}

} // namespace

DomainMessageBytes
EncodeDomainMessage(const CongestionNotification& notification)
{
    auto bytes = EncodeHeader(notification, DomainMessageRecord::CONGESTION);
    bytes[SEVERITY] = static_cast<uint8_t>(notification.severity);
    bytes[FLAGS] = notification.isFalling ? FALLING : 0;
    bytes[QUEUE] = notification.queue;
    bytes[PROTOCOL] = notification.flow.protocol;
    store_big_u32(&bytes[SOURCE], notification.flow.source);
    store_big_u32(&bytes[DESTINATION], notification.flow.destination);
    store_big_u16(&bytes[SOURCE_PORT], notification.flow.sourcePort);
    store_big_u16(&bytes[DESTINATION_PORT], notification.flow.destinationPort);
    store_big_u32(&bytes[EGRESS], notification.egress);
    store_big_u32(&bytes[VALIDITY], notification.validity);
    store_big_u64(&bytes[RATE], notification.rate);
    return bytes;
}

DomainMessageBytes
EncodeDomainMessage(const LinkLoadReport& report)
{
    auto bytes = EncodeHeader(report, DomainMessageRecord::LINK_LOAD);
    store_big_u64(&bytes[LENGTH], report.length);
    store_big_u64(&bytes[CAPACITY], report.capacity);
    store_big_u64(&bytes[OCTETS], report.octets);
    return bytes;
}

DomainMessageResult
DecodeDomainMessage(const uint8_t* bytes, std::size_t length, AnyDomainMessage& message)
{
    DomainMessage header;
    const Result result = DecodeHeader(bytes, length, header);
    if (result != Result::OK)
    {
        return result;
    }
    const auto record = static_cast<DomainMessageRecord>(bytes[RECORD]);
    return record == DomainMessageRecord::CONGESTION
               ? DecodeAs<CongestionNotification>(bytes, header, message)
               : DecodeAs<LinkLoadReport>(bytes, header, message);
}

} // namespace ns3::aidc

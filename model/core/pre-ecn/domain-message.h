// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DOMAIN_MESSAGE_H
#define AIDC_DOMAIN_MESSAGE_H

#include "ns3/flow-key.h"
#include "ns3/protocol-numbers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>

/// @file
/// Messages from routers to ingress PEs. A message has a header, one record and a hash:
///
///      +0   version, 4
///      +1   record: 1 congestion, 2 load of a link
///      +2   authentication: 0 none, 1 keyed BLAKE2b of 16 octets
///      +3   number of the key, 0 without authentication
///      +4   port of the device
///      +6   0, 2 octets
///      +8   IPv4 address of the device
///      +12  IPv4 address of the ingress PE, which the message is for
///      +16  sequence number of the device
///      +24  time in nanoseconds: of the mark, or of the end of the measurement
///      +32  record, 32 octets
///      +64  hash of octets 0 to 63, 16 octets; zeros without authentication
///
/// The record of congestion has the contents of the CNPs of draft-hu-rtgwg-pre-ecn-wan-01, section
/// 3.2.2: the draft asks for the flow and the severity.
///
///      +32  severity: 0 none, 1 light, 2 severe; with 0, the record only has a rate
///      +33  flags: 1 if the queue is falling; the other bits are 0
///      +34  queue (traffic class) of the port
///      +35  protocol of the flow
///      +36  source address of the flow
///      +40  destination address of the flow
///      +44  source port of the flow
///      +46  destination port of the flow
///      +48  address of the egress PE, where the flow's tunnel ends
///      +52  how long the rate is valid, in microseconds
///      +56  explicit rate of the flow in bit/s: 0 none, all ones no limit
///
/// The load of a link is what routing protocols flood as Unidirectional Utilized Bandwidth (RFC
/// 7471, section 4.7; RFC 8570, section 4.7), from the router that sends into the link.
///
///      +32  length of the measurement in nanoseconds, above 0
///      +40  capacity of the link in bit/s, above 0
///      +48  octets that have arrived for the link meanwhile, as on the wire
///      +56  0, 8 octets
///
/// The format is aidc's own, as the draft defines none: the payload of a UDP datagram, in network
/// byte order. Decoding checks the length, which is fixed, the version, that all codes are known,
/// that all reserved bits are 0, and that all values are in range. So a decoded message is encoded
/// to the same bytes again. Decoding checks neither the hash (NotificationKey) nor whether the
/// sequence number has been seen before.

namespace ns3::aidc
{

/// UDP port that notifications are sent to: one of the dynamic ports (RFC 6335).
constexpr uint16_t CONGESTION_NOTIFICATION_PORT = 50513;
/// UDP port that reports are sent to: another part of a PE reads them.
constexpr uint16_t LINK_LOAD_PORT = 50514;

/// The version of the format.
constexpr uint8_t DOMAIN_MESSAGE_VERSION = 4;
/// Octets of a message.
constexpr std::size_t DOMAIN_MESSAGE_SIZE = 80;
/// Offset of the kind of hash.
constexpr std::size_t DOMAIN_MESSAGE_AUTHENTICATION_OFFSET = 2;
/// Offset of the number of the key.
constexpr std::size_t DOMAIN_MESSAGE_KEY_OFFSET = 3;
/// Octets of a message before its hash. The hash is computed over them.
constexpr std::size_t DOMAIN_MESSAGE_HASHED_SIZE = 64;
/// Octets of the hash.
constexpr std::size_t DOMAIN_MESSAGE_HASH_SIZE = DOMAIN_MESSAGE_SIZE - DOMAIN_MESSAGE_HASHED_SIZE;

/// The rate in a notification without an explicit rate.
constexpr uint64_t NOTIFICATION_RATE_NONE = 0;
/// The rate in a notification of a flow that needs no limit.
constexpr uint64_t NOTIFICATION_RATE_UNLIMITED = std::numeric_limits<uint64_t>::max();

/// A message as bytes.
using DomainMessageBytes = std::array<uint8_t, DOMAIN_MESSAGE_SIZE>;

/// How a message is authenticated.
enum class MessageAuthentication : uint8_t
{
    NONE = 0,    //!< not at all
    BLAKE2B = 1, //!< by a keyed BLAKE2b hash (RFC 7693) of 16 octets
};

/// The contents of all messages.
struct DomainMessage
{
    MessageAuthentication authentication{MessageAuthentication::NONE}; //!< kind of hash
    uint8_t keyId{0};     //!< number of the key, 0 without authentication
    uint16_t port{0};     //!< port of the device
    uint32_t device{0};   //!< IPv4 address of the device that it is about, host byte order
    uint32_t ingress{0};  //!< IPv4 address of the ingress PE that it is for
    uint64_t sequence{0}; //!< counts the messages of the device, from 1
    uint64_t time{0};     //!< time of its contents, in ns, at most 2^63 - 1
};

/// How severe congestion is (sections 3.2.2.1 and 3.2.2.2).
enum class CongestionSeverity : uint8_t
{
    NONE = 0,   //!< there is none; there is an explicit rate
    LIGHT = 1,  //!< above T1: packets are marked ECT(1)
    SEVERE = 2, //!< above T2: packets are marked CE
};

/// A congested device's notification to the ingress PE of a flow. Its time is the time of the mark,
/// its ingress the source of the outer header.
struct CongestionNotification : DomainMessage
{
    /// Five-tuple in the innermost header, which the PE encapsulated, or MakeTunnelKey()
    FlowKey flow;
    CongestionSeverity severity{CongestionSeverity::LIGHT}; //!< the severity
    uint8_t queue{0};                                       //!< the port's queue
    uint32_t egress{0};    //!< address of the egress PE, destination of the innermost outer header
    bool isFalling{false}; //!< whether the queue is falling (QueueTrend)
    uint64_t rate{NOTIFICATION_RATE_NONE}; //!< explicit rate of the flow, bit/s
    uint32_t validity{0};                  //!< how long it is valid, us
};

/// Make the key that stands for all flows of a tunnel: protocol 4 between its ends.
/// @param ingress IPv4 address of the ingress PE, host byte order
/// @param egress IPv4 address of the egress PE
/// @return the key
inline FlowKey
MakeTunnelKey(uint32_t ingress, uint32_t egress)
{
    return {ingress, egress, 0, 0, PROTOCOL_IP_IN_IP};
}

/// A router's report of the load of a link. Its time is the end of the measurement.
struct LinkLoadReport : DomainMessage
{
    uint64_t length{1};   //!< length of the measurement in ns, > 0 and at most its end
    uint64_t capacity{1}; //!< capacity of the link in bit/s, > 0
    uint64_t octets{0};   //!< octets that have arrived for the link meanwhile, as on the wire

    /// @return the traffic that has arrived, in bit/s; above the capacity while the queue grows
    double GetLoad() const
    {
        return static_cast<double>(octets) * 8e9 / static_cast<double>(length);
    }
};

/// The records of messages, as on the wire.
enum class DomainMessageRecord : uint8_t
{
    CONGESTION = 1, //!< of a CongestionNotification
    LINK_LOAD = 2,  //!< of a LinkLoadReport
};

/// A message with its record.
using AnyDomainMessage = std::variant<CongestionNotification, LinkLoadReport>;

/// @return the kind of record that a message has
inline DomainMessageRecord
GetRecord(const AnyDomainMessage& message)
{
    return std::holds_alternative<LinkLoadReport>(message) ? DomainMessageRecord::LINK_LOAD
                                                           : DomainMessageRecord::CONGESTION;
}

/// The result of decoding a message.
enum class DomainMessageResult : uint8_t
{
    OK,                     //!< decoded
    WRONG_LENGTH,           //!< shorter or longer than a message
    UNKNOWN_VERSION,        //!< of another version
    UNKNOWN_RECORD,         //!< with a record that this version does not have
    UNKNOWN_AUTHENTICATION, //!< a kind of hash that is not known
    UNKNOWN_SEVERITY,       //!< neither light nor severe, nor none with a rate
    RESERVED_BITS, //!< not 0: a reserved flag or octet, or a key or hash without authentication
    OUT_OF_RANGE,  //!< a time, or a value of a measurement, that cannot be
};

/// Write a notification, with zeros instead of the hash.
/// @param notification the notification
/// @return its bytes
DomainMessageBytes EncodeDomainMessage(const CongestionNotification& notification);

/// Write a report, with zeros instead of the hash.
/// @param report the report
/// @return its bytes
DomainMessageBytes EncodeDomainMessage(const LinkLoadReport& report);

/// Read a message. The hash is not verified.
/// @param bytes the payload of a datagram; may be null if length is 0
/// @param length its length
/// @param [out] message the message, unchanged unless the result is OK
/// @return OK, or the first thing that is wrong, in the header and then in the record
DomainMessageResult DecodeDomainMessage(const uint8_t* bytes,
                                        std::size_t length,
                                        AnyDomainMessage& message);

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CONGESTION_NOTIFICATION_H
#define AIDC_CONGESTION_NOTIFICATION_H

#include "domain-message.h"

#include "ns3/flow-key.h"
#include "ns3/protocol-numbers.h"

#include <cstddef>
#include <cstdint>
#include <limits>

/**
 * @file
 * @ingroup aidc
 * Notifications of congestion from a router to the ingress PE, the CNPs of
 * draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2. The draft asks for the flow and the severity and
 * defines no format; this is aidc's own, with the authentication of all messages (DomainMessage),
 * the payload of a UDP datagram, in network byte order:
 *
 *      +0   version, 3
 *      +1   severity: 0 none, 1 light, 2 severe
 *      +2   authentication: 0 none, 1 keyed BLAKE2b of 16 octets
 *      +3   queue (traffic class) of the port
 *      +4   port of the device
 *      +6   protocol of the flow
 *      +7   flags: 1 if the queue is falling; the other bits are 0
 *      +8   IPv4 address of the device
 *      +12  source address of the flow
 *      +16  destination address of the flow
 *      +20  source port of the flow
 *      +22  destination port of the flow
 *      +24  sequence number of the device
 *      +32  time of the mark in nanoseconds
 *      +40  address of the ingress PE, which the notification is for
 *      +44  address of the egress PE, where the flow's tunnel ends
 *      +48  rate that the flow may have in bit/s: 0 not told, all ones no limit
 *      +56  how long the rate is valid, in microseconds
 *      +60  number of the key, 0 without authentication
 *      +61  0, 3 octets
 *      +64  hash of octets 0 to 63, 16 octets; zeros without authentication
 *
 * A notification without congestion (severity 0) only tells a rate.
 *
 * Decoding checks the length, which is fixed, the version, and that all codes are known and all
 * reserved bits 0. So a decoded notification is encoded to the same bytes again. Decoding does not
 * check the hash (NotificationKey), and whether the sequence number has been seen before.
 */

namespace ns3::aidc
{

/// UDP port that notifications are sent to: one of the dynamic ports (RFC 6335).
constexpr uint16_t CONGESTION_NOTIFICATION_PORT = 50513;
/// The version of the format.
constexpr uint8_t CONGESTION_NOTIFICATION_VERSION = 3;

/// The rate in a notification that tells none.
constexpr uint64_t NOTIFICATION_RATE_UNTOLD = 0;
/// The rate in a notification of a flow that needs no limit.
constexpr uint64_t NOTIFICATION_RATE_UNLIMITED = std::numeric_limits<uint64_t>::max();

/// @ingroup aidc
/// How severe congestion is (sections 3.2.2.1 and 3.2.2.2).
enum class CongestionSeverity : uint8_t
{
    NONE = 0,   //!< there is none; the flow is told its rate
    LIGHT = 1,  //!< above T1: packets are marked ECT(1)
    SEVERE = 2, //!< above T2: packets are marked CE
};

/// @ingroup aidc
/// A congested device's notification to the ingress PE of a flow. Its time is that of the mark, its
/// ingress the source of the outer header.
struct CongestionNotification : DomainMessage
{
    /// Five-tuple in the innermost header, which the PE encapsulated, or MakeTunnelKey()
    FlowKey flow;
    CongestionSeverity severity{CongestionSeverity::LIGHT}; //!< the severity
    uint16_t port{0};                                       //!< port of the device
    uint8_t queue{0};                                       //!< the port's queue
    uint32_t egress{0};    //!< address of the egress PE, destination of the innermost outer header
    bool isFalling{false}; //!< whether the queue is falling (QueueTrend)
    uint64_t rate{NOTIFICATION_RATE_UNTOLD}; //!< rate that the flow may have, bit/s
    uint32_t validity{0};                    //!< how long it is valid, us
};

/// @ingroup aidc
/// Make what stands for all flows of a tunnel, as a flow: protocol 4 between its ends.
/// @param ingress IPv4 address of the ingress PE, host byte order
/// @param egress IPv4 address of the egress PE
/// @return the key
inline FlowKey
MakeTunnelKey(uint32_t ingress, uint32_t egress)
{
    return {ingress, egress, 0, 0, PROTOCOL_IP_IN_IP};
}

/// @ingroup aidc
/// The result of decoding a notification.
enum class CongestionNotificationResult : uint8_t
{
    OK,                     //!< decoded
    WRONG_LENGTH,           //!< shorter or longer than a notification
    UNKNOWN_VERSION,        //!< of another version
    UNKNOWN_SEVERITY,       //!< neither light nor severe, nor none with a rate
    UNKNOWN_AUTHENTICATION, //!< a kind of hash that is not known
    RESERVED_BITS, //!< not 0: a reserved flag or octet, or a key or hash without authentication
};

/// @ingroup aidc
/// Write a notification, with zeros instead of the hash.
/// @param notification the notification
/// @return its bytes
DomainMessageBytes EncodeCongestionNotification(const CongestionNotification& notification);

/// @ingroup aidc
/// Read a notification. The hash is not verified.
/// @param bytes the payload of a datagram; may be null if length is 0
/// @param length its length
/// @param [out] notification the notification, unchanged unless the result is OK
/// @return OK, or the first thing that is wrong, in the order of the results
CongestionNotificationResult DecodeCongestionNotification(const uint8_t* bytes,
                                                          std::size_t length,
                                                          CongestionNotification& notification);

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_NOTIFICATION_H

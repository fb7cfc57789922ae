/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_NOTIFICATION_H
#define AIDC_BGP_NOTIFICATION_H

#include "bgp-bytes.h"

#include <cstdint>
#include <ostream>
#include <utility>

/// @file
/// Errors that end a session (RFC 4271, sections 4.5 and 6, and the RFCs that are named).

namespace ns3::aidc
{

/// Kinds of errors; as on the wire.
enum class BgpErrorCode : uint8_t
{
    MESSAGE_HEADER = 1,         //!< BgpHeaderError
    OPEN_MESSAGE = 2,           //!< BgpOpenError
    UPDATE_MESSAGE = 3,         //!< BgpUpdateError
    HOLD_TIMER_EXPIRED = 4,     //!< no subcodes
    FINITE_STATE_MACHINE = 5,   //!< BgpStateError
    CEASE = 6,                  //!< BgpCease
    ROUTE_REFRESH_MESSAGE = 7,  //!< RFC 7313
    SEND_HOLD_TIMER_EXPIRED = 8 //!< RFC 9687
};

/// Errors of a message's header; as on the wire.
enum class BgpHeaderError : uint8_t
{
    NOT_SYNCHRONIZED = 1,   //!< the marker is not all ones
    BAD_MESSAGE_LENGTH = 2, //!< data: the length
    BAD_MESSAGE_TYPE = 3    //!< data: the type
};

/// Errors of an OPEN; as on the wire.
enum class BgpOpenError : uint8_t
{
    UNSPECIFIC = 0,                     //!< a malformed parameter or capability
    UNSUPPORTED_VERSION = 1,            //!< data: the version that is supported
    BAD_PEER_AS = 2,                    //!< not the expected AS, or 0
    BAD_IDENTIFIER = 3,                 //!< 0, or the speaker's own from an internal peer
    UNSUPPORTED_OPTIONAL_PARAMETER = 4, //!< not a capability
    UNACCEPTABLE_HOLD_TIME = 6,         //!< one or two seconds
    UNSUPPORTED_CAPABILITY = 7,         //!< data: required capabilities (RFC 5492)
    ROLE_MISMATCH = 11                  //!< RFC 9234
};

/// Errors of an UPDATE; as on the wire.
enum class BgpUpdateError : uint8_t
{
    UNSPECIFIC = 0,               //!< RFC 4271, section 6
    MALFORMED_ATTRIBUTE_LIST = 1, //!< lengths that do not fit, or a repeated attribute
    UNRECOGNIZED_WELL_KNOWN = 2,  //!< data: the attribute
    MISSING_WELL_KNOWN = 3,       //!< data: the missing type
    ATTRIBUTE_FLAGS_ERROR = 4,    //!< data: the attribute
    ATTRIBUTE_LENGTH_ERROR = 5,   //!< data: the attribute
    INVALID_ORIGIN = 6,           //!< data: the attribute
    INVALID_NEXT_HOP = 8,         //!< data: the attribute
    OPTIONAL_ATTRIBUTE_ERROR = 9, //!< data: the attribute
    INVALID_NETWORK_FIELD = 10,   //!< prefixes that cannot be read
    MALFORMED_AS_PATH = 11        //!< segments that cannot be read
};

/// Messages that do not fit the state (RFC 6608); as on the wire.
enum class BgpStateError : uint8_t
{
    UNSPECIFIC = 0,      //!< in another state
    IN_OPEN_SENT = 1,    //!< in OpenSent; data: the type of the message
    IN_OPEN_CONFIRM = 2, //!< in OpenConfirm; data: the type of the message
    IN_ESTABLISHED = 3   //!< in Established; data: the type of the message
};

/// Reasons to end a session without an error (RFC 4486, 8538 and 9384); as on the wire.
enum class BgpCease : uint8_t
{
    UNSPECIFIC = 0,                      //!< no reason given
    MAXIMUM_PREFIXES_REACHED = 1,        //!< data may have family and limit
    ADMINISTRATIVE_SHUTDOWN = 2,         //!< data may have a text (RFC 9003)
    PEER_DECONFIGURED = 3,               //!< the peer is no longer wanted
    ADMINISTRATIVE_RESET = 4,            //!< data may have a text (RFC 9003)
    CONNECTION_REJECTED = 5,             //!< right after it was accepted
    OTHER_CONFIGURATION_CHANGE = 6,      //!< the session has to restart
    CONNECTION_COLLISION_RESOLUTION = 7, //!< the other connection is kept
    OUT_OF_RESOURCES = 8,                //!< memory, for example
    HARD_RESET = 9,                      //!< no graceful restart (RFC 8538)
    BFD_DOWN = 10                        //!< RFC 9384
};

/// The contents of a NOTIFICATION: the reason why a session ends.
struct BgpNotification
{
    uint8_t code{0};    //!< a BgpErrorCode, or any other number received
    uint8_t subcode{0}; //!< of the enumeration for the code, or any other number received
    BgpBytes data;      //!< more about the error

    /// Constructor of an empty one.
    BgpNotification() = default;

    /// Constructor.
    BgpNotification(BgpErrorCode error, uint8_t sub = 0, BgpBytes more = {})
        : code(static_cast<uint8_t>(error)),
          subcode(sub),
          data(std::move(more))
    {
    }

    /// Constructor of an error of a message's header, with data.
    BgpNotification(BgpHeaderError error, BgpBytes more = {})
        : BgpNotification(BgpErrorCode::MESSAGE_HEADER,
                          static_cast<uint8_t>(error),
                          std::move(more))
    {
    }

    /// Constructor of an error of an OPEN, with data.
    BgpNotification(BgpOpenError error, BgpBytes more = {})
        : BgpNotification(BgpErrorCode::OPEN_MESSAGE, static_cast<uint8_t>(error), std::move(more))
    {
    }

    /// Constructor of an error of an UPDATE, with data.
    BgpNotification(BgpUpdateError error, BgpBytes more = {})
        : BgpNotification(BgpErrorCode::UPDATE_MESSAGE,
                          static_cast<uint8_t>(error),
                          std::move(more))
    {
    }

    /// Constructor of a message that does not fit the state, with data.
    BgpNotification(BgpStateError error, BgpBytes more = {})
        : BgpNotification(BgpErrorCode::FINITE_STATE_MACHINE,
                          static_cast<uint8_t>(error),
                          std::move(more))
    {
    }

    /// Constructor of a reason to end a session without an error, with data.
    BgpNotification(BgpCease reason, BgpBytes more = {})
        : BgpNotification(BgpErrorCode::CEASE, static_cast<uint8_t>(reason), std::move(more))
    {
    }
};

/// @brief Tell whether two notifications are equal.
/// @param a a notification
/// @param b another one
/// @return true if code, subcode and data are
bool operator==(const BgpNotification& a, const BgpNotification& b);

/// Tell whether a notification is about the version: event 24 of RFC 4271, section 8.1.
/// @return whether it is
bool IsBgpVersionError(const BgpNotification& notification);

/// Tell whether a notification ends a session without a graceful restart.
/// @return whether it is a hard reset (RFC 8538, section 3.1)
bool IsBgpHardReset(const BgpNotification& notification);

/**
 * @brief Make the end of a session that an administrator or a limit wants a hard reset.
 *
 * The reasons are those that RFC 8538, section 5.1, suggests: too many prefixes, administrative
 * shutdown and peer de-configured; the administrative reset, which it leaves to the user and
 * FRR sends as such; and BFD Down, as packets cannot take a path that has failed.
 *
 * @param reason the reason
 * @return a hard reset with code, subcode and data of the reason as its data; any other reason as
 *         it is
 */
BgpNotification HardenBgpCease(BgpNotification reason);

/// Print a notification as in "OPEN Message Error/Bad Peer AS (2/2)". @return os
std::ostream& operator<<(std::ostream& os, const BgpNotification& notification);

} // namespace ns3::aidc

#endif // AIDC_BGP_NOTIFICATION_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-notification.h"

#include <iterator>

namespace ns3::aidc
{

namespace
{

/// The name of a code and subcode.
struct ErrorName
{
    uint8_t code;     //!< the code
    uint8_t subcode;  //!< the subcode
    const char* name; //!< its name as IANA has it
};

/// The name that a code has by itself.
constexpr const char* CODE_NAMES[] = {
    "unknown",
    "Message Header Error",
    "OPEN Message Error",
    "UPDATE Message Error",
    "Hold Timer Expired",
    "Finite State Machine Error",
    "Cease",
    "ROUTE-REFRESH Message Error",
    "Send Hold Timer Expired",
};

/// All subcodes with a name.
constexpr ErrorName SUBCODE_NAMES[] = {
    {1, 1, "Connection Not Synchronized"},
    {1, 2, "Bad Message Length"},
    {1, 3, "Bad Message Type"},
    {2, 1, "Unsupported Version Number"},
    {2, 2, "Bad Peer AS"},
    {2, 3, "Bad BGP Identifier"},
    {2, 4, "Unsupported Optional Parameter"},
    {2, 6, "Unacceptable Hold Time"},
    {2, 7, "Unsupported Capability"},
    {2, 11, "Role Mismatch"},
    {3, 1, "Malformed Attribute List"},
    {3, 2, "Unrecognized Well-known Attribute"},
    {3, 3, "Missing Well-known Attribute"},
    {3, 4, "Attribute Flags Error"},
    {3, 5, "Attribute Length Error"},
    {3, 6, "Invalid ORIGIN Attribute"},
    {3, 8, "Invalid NEXT_HOP Attribute"},
    {3, 9, "Optional Attribute Error"},
    {3, 10, "Invalid Network Field"},
    {3, 11, "Malformed AS_PATH"},
    {5, 1, "Receive Unexpected Message in OpenSent State"},
    {5, 2, "Receive Unexpected Message in OpenConfirm State"},
    {5, 3, "Receive Unexpected Message in Established State"},
    {6, 1, "Maximum Number of Prefixes Reached"},
    {6, 2, "Administrative Shutdown"},
    {6, 3, "Peer De-configured"},
    {6, 4, "Administrative Reset"},
    {6, 5, "Connection Rejected"},
    {6, 6, "Other Configuration Change"},
    {6, 7, "Connection Collision Resolution"},
    {6, 8, "Out of Resources"},
    {6, 9, "Hard Reset"},
    {6, 10, "BFD Down"},
    {7, 1, "Invalid Message Length"},
};

} // namespace

bool
operator==(const BgpNotification& a, const BgpNotification& b)
{
    return a.code == b.code && a.subcode == b.subcode && a.data == b.data;
}

bool
IsBgpVersionError(const BgpNotification& notification)
{
    return notification.code == static_cast<uint8_t>(BgpErrorCode::OPEN_MESSAGE) &&
           notification.subcode == static_cast<uint8_t>(BgpOpenError::UNSUPPORTED_VERSION);
}

bool
IsBgpHardReset(const BgpNotification& notification)
{
    return notification.code == static_cast<uint8_t>(BgpErrorCode::CEASE) &&
           notification.subcode == static_cast<uint8_t>(BgpCease::HARD_RESET);
}

BgpNotification
HardenBgpCease(BgpNotification reason)
{
    if (reason.code != static_cast<uint8_t>(BgpErrorCode::CEASE))
    {
        return reason;
    }
    switch (static_cast<BgpCease>(reason.subcode))
    {
    case BgpCease::MAXIMUM_PREFIXES_REACHED:
    case BgpCease::ADMINISTRATIVE_SHUTDOWN:
    case BgpCease::PEER_DECONFIGURED:
    case BgpCease::ADMINISTRATIVE_RESET:
    case BgpCease::BFD_DOWN:
        break;
    default:
        return reason;
    }
    BgpBytes data{reason.code, reason.subcode};
    AppendBgpBytes(data, reason.data);
    return {BgpCease::HARD_RESET, std::move(data)};
}

/// subcode: the subcode, not 0. @return its name as IANA has it, "unknown" if there is none
static const char*
GetSubcodeName(uint8_t code, uint8_t subcode)
{
    for (const ErrorName& row : SUBCODE_NAMES)
    {
        if (row.code == code && row.subcode == subcode)
        {
            return row.name;
        }
    }
    return "unknown";
}

std::ostream&
operator<<(std::ostream& os, const BgpNotification& notification)
{
    os << CODE_NAMES[notification.code < std::size(CODE_NAMES) ? notification.code : 0];
    if (notification.subcode != 0)
    {
        os << '/' << GetSubcodeName(notification.code, notification.subcode);
    }
    return os << " (" << +notification.code << '/' << +notification.subcode << ')';
}

} // namespace ns3::aidc

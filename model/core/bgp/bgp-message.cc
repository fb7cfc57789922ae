// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-message.h"

#include <algorithm>
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

/// The name of a code alone.
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

/// The bytes that a message of a type has, with its header.
struct MessageSize
{
    std::size_t least; //!< RFC 4271, section 6.1
    std::size_t most;  //!< RFC 4271, section 4
};

/// By the number of the type less 1.
static constexpr MessageSize SIZES[] = {
    {BGP_HEADER_SIZE + 10, BGP_MAX_MESSAGE_SIZE},
    {BGP_HEADER_SIZE + 4, BGP_MAX_MESSAGE_SIZE},
    {BGP_HEADER_SIZE + 2, BGP_MAX_MESSAGE_SIZE},
    {BGP_HEADER_SIZE, BGP_HEADER_SIZE},
    {BGP_HEADER_SIZE + 4, BGP_HEADER_SIZE + 4},
};

BgpBytes
BeginBgpMessage(BgpMessageType type)
{
    BgpBytes message(BGP_HEADER_SIZE, 0xff);
    message.back() = static_cast<uint8_t>(type);
    return message;
}

void
FinishBgpMessage(BgpBytes& message)
{
    StoreBgp(&message[BGP_MARKER_SIZE], static_cast<uint16_t>(message.size()));
}

BgpBytes
EncodeBgpKeepalive()
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::KEEPALIVE);
    FinishBgpMessage(message);
    return message;
}

BgpBytes
EncodeBgpNotification(const BgpNotification& notification)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::NOTIFICATION);
    message.push_back(notification.code);
    message.push_back(notification.subcode);
    AppendBgpBytes(message, notification.data);
    message.resize(std::min(message.size(), BGP_MAX_MESSAGE_SIZE));
    FinishBgpMessage(message);
    return message;
}

std::optional<BgpNotification>
DecodeBgpNotification(const uint8_t* body, std::size_t size)
{
    BgpReader reader(body, size);
    BgpNotification notification;
    notification.code = reader.Read<uint8_t>();
    notification.subcode = reader.Read<uint8_t>();
    notification.data = reader.GetBytes();
    return reader.IsWhole() ? std::make_optional(notification) : std::nullopt;
}

BgpBytes
EncodeBgpRouteRefresh(const BgpRouteRefresh& refresh)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::ROUTE_REFRESH);
    AppendBgp(message, refresh.family.afi);
    message.push_back(refresh.subtype);
    message.push_back(refresh.family.safi);
    FinishBgpMessage(message);
    return message;
}

std::optional<BgpRouteRefresh>
DecodeBgpRouteRefresh(const uint8_t* body, std::size_t size)
{
    BgpReader reader(body, size);
    BgpRouteRefresh refresh;
    refresh.family.afi = reader.Read<uint16_t>();
    refresh.subtype = reader.Read<uint8_t>();
    refresh.family.safi = reader.Read<uint8_t>();
    const bool isWhole = reader.IsWhole() && reader.GetSize() == 0;
    return isWhole ? std::make_optional(refresh) : std::nullopt;
}

void
BgpFramer::Append(const uint8_t* data, std::size_t size)
{
    if (m_hasFailed || size == 0)
    {
        return;
    }
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_next));
    m_next = 0;
    m_bytes.insert(m_bytes.end(), data, data + size);
}

BgpFrame
BgpFramer::Next()
{
    BgpFrame frame;
    const std::size_t nBytes = m_bytes.size() - m_next;
    if (m_hasFailed || nBytes < BGP_HEADER_SIZE)
    {
        return frame;
    }
    const auto fail = [this, &frame](BgpNotification notification) {
        m_hasFailed = true;
        frame.status = BgpFrame::Status::ERROR;
        frame.notification = std::move(notification);
        return frame;
    };
    const uint8_t* const header = &m_bytes[m_next];
    if (std::any_of(header, header + BGP_MARKER_SIZE, [](uint8_t byte) { return byte != 0xff; }))
    {
        return fail(BgpHeaderError::NOT_SYNCHRONIZED);
    }
    BgpReader reader(header + BGP_MARKER_SIZE, BGP_HEADER_SIZE - BGP_MARKER_SIZE);
    const auto length = reader.Read<uint16_t>();
    const auto type = reader.Read<uint8_t>();
    const BgpBytes lengthBytes(header + BGP_MARKER_SIZE, header + BGP_MARKER_SIZE + 2);
    if (length < BGP_HEADER_SIZE || length > BGP_MAX_MESSAGE_SIZE)
    {
        return fail({BgpHeaderError::BAD_MESSAGE_LENGTH, lengthBytes});
    }
    if (type < static_cast<uint8_t>(BgpMessageType::OPEN) ||
        type > static_cast<uint8_t>(BgpMessageType::ROUTE_REFRESH))
    {
        return fail({BgpHeaderError::BAD_MESSAGE_TYPE, {type}});
    }
    frame.type = static_cast<BgpMessageType>(type);
    const MessageSize& size = SIZES[type - 1];
    if (length < size.least || length > size.most)
    {
        return fail({BgpHeaderError::BAD_MESSAGE_LENGTH, lengthBytes});
    }
    if (nBytes >= length)
    {
        frame.status = BgpFrame::Status::MESSAGE;
        frame.body = header + BGP_HEADER_SIZE;
        frame.bodySize = length - BGP_HEADER_SIZE;
        m_next += length;
    }
    return frame;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_MESSAGE_H
#define AIDC_BGP_MESSAGE_H

#include "bgp-bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <tuple>
#include <utility>

/// @file
/// BGP's header (RFC 4271, section 4.1), the short messages, the errors that end a session (RFC
/// 4271, sections 4.5 and 6, and the RFCs that are named), and the terms of a session on which
/// messages depend.
///
///      +0   marker: 16 times 0xff
///      +16  length of the message with its header, 2 bytes
///      +18  type

namespace ns3::aidc
{

/// The largest message (RFC 4271, section 4.1).
constexpr std::size_t BGP_MAX_MESSAGE_SIZE = 4096;

/// An address family and a subsequent one (RFC 4760).
struct BgpAddressFamily
{
    uint16_t afi{1}; //!< address family, 1: IPv4
    uint8_t safi{1}; //!< subsequent address family, 1: unicast
};

/// The only family of routes that is supported.
constexpr BgpAddressFamily BGP_IPV4_UNICAST{1, 1};

/// Tell whether two families are equal.
constexpr bool
operator==(const BgpAddressFamily& a, const BgpAddressFamily& b)
{
    return a.afi == b.afi && a.safi == b.safi;
}

/// The types of peers.
enum class BgpPeerType : uint8_t
{
    EXTERNAL, //!< in another AS
    INTERNAL  //!< in the same AS
};

/// The terms of a session for its loss (RFC 4724; RFC 8538): IPv4 unicast only.
struct BgpRestartTerms
{
    bool isAgreed{false};            //!< both offer it: a lost session keeps the routes
    bool keepsOnNotification{false}; //!< both offer it: also after a NOTIFICATION
    bool isPeerRestarting{false};    //!< R: the peer has restarted
    bool isForwardingKept{false};    //!< F: the peer still forwards as before
    uint16_t restartTime{0};         //!< the peer's, seconds
};

/// The negotiated terms of a session, on which its messages depend.
struct BgpSessionTerms
{
    BgpPeerType peerType{BgpPeerType::EXTERNAL}; //!< the type of the peer
    bool isFourOctetAs{true};                    //!< both support four-octet ASs (RFC 6793)
    uint32_t firstAs{0};     //!< the first AS in paths of an external peer, 0: any
    BgpRestartTerms restart; //!< graceful restart

    /// @return whether the peer is in another AS
    bool IsExternal() const
    {
        return peerType == BgpPeerType::EXTERNAL;
    }
};

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

    BgpNotification() = default;

    /// Constructor of any error, with data.
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

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(code, subcode, data);
    }
};

/// @return whether a notification is about the version: event 24 of RFC 4271, section 8.1
bool IsBgpVersionError(const BgpNotification& notification);

/// @return whether it is a hard reset, which ends a session without a graceful restart (RFC 8538,
///         section 3.1)
bool IsBgpHardReset(const BgpNotification& notification);

/// Turn a reason into a hard reset if an administrator or a limit ends the session.
///
/// The reasons are the ones that RFC 8538, section 5.1, suggests: too many prefixes, administrative
/// shutdown and peer de-configured; the administrative reset, which it leaves to the user and FRR
/// sends as a hard reset; and BFD Down, as packets cannot take a path that has failed.
/// @param reason the reason
/// @return a hard reset with code, subcode and data of the reason as its data; any other reason as
///         it is
BgpNotification HardenBgpCease(BgpNotification reason);

/// Print a notification as in "OPEN Message Error/Bad Peer AS (2/2)". @return os
std::ostream& operator<<(std::ostream& os, const BgpNotification& notification);

/// The TCP port of BGP.
constexpr uint16_t BGP_PORT = 179;

/// The bytes of a header's marker, all 0xff.
constexpr std::size_t BGP_MARKER_SIZE = 16;

/// The bytes of a header.
constexpr std::size_t BGP_HEADER_SIZE = 19;

/// The types of messages; as on the wire.
enum class BgpMessageType : uint8_t
{
    OPEN = 1,         //!< first message of each side
    UPDATE = 2,       //!< announces and withdraws routes
    NOTIFICATION = 3, //!< gives the reason why the session ends
    KEEPALIVE = 4,    //!< only the header
    ROUTE_REFRESH = 5 //!< asks for all routes again (RFC 2918)
};

/// Begin a message. @return the header, whose length is set by FinishBgpMessage()
BgpBytes BeginBgpMessage(BgpMessageType type);

/// Set the length of a message that is complete, of at most BGP_MAX_MESSAGE_SIZE bytes.
void FinishBgpMessage(BgpBytes& message);

/// @return a KEEPALIVE
BgpBytes EncodeBgpKeepalive();

/// Encode a NOTIFICATION. Data beyond BGP_MAX_MESSAGE_SIZE is cut off. @return the message
BgpBytes EncodeBgpNotification(const BgpNotification& notification);

/// Decode a NOTIFICATION. Its errors cannot be reported to the peer (RFC 4271, section 6.4). body:
/// the bytes after the header; may be null if size is 0. @return the contents, none if it has no
/// code and subcode
std::optional<BgpNotification> DecodeBgpNotification(const uint8_t* body, std::size_t size);

/// The contents of a ROUTE-REFRESH.
struct BgpRouteRefresh
{
    BgpAddressFamily family{BGP_IPV4_UNICAST}; //!< the family of the requested routes
    uint8_t subtype{0};                        //!< 0: a request (others: RFC 7313)
};

/// @return a ROUTE-REFRESH
BgpBytes EncodeBgpRouteRefresh(const BgpRouteRefresh& refresh);

/// Decode a ROUTE-REFRESH. body: the bytes after the header; may be null if size is 0. @return the
/// contents, none unless it has four bytes
std::optional<BgpRouteRefresh> DecodeBgpRouteRefresh(const uint8_t* body, std::size_t size);

/// A message of a stream, or the reason why there is none.
struct BgpFrame
{
    /// The kinds of results.
    enum class Status : uint8_t
    {
        INCOMPLETE, //!< more bytes are needed
        MESSAGE,    //!< a message
        ERROR       //!< a header with an error: the session ends
    };

    Status status{Status::INCOMPLETE};              //!< the kind of result
    BgpMessageType type{BgpMessageType::KEEPALIVE}; //!< of a message
    /// Bytes after the header, which is before them; valid until the framer is used again
    const uint8_t* body{nullptr};
    std::size_t bodySize{0};      //!< how many bytes
    BgpNotification notification; //!< of an error: the one to send
};

/// Finds the messages in TCP's stream of bytes, in whatever pieces it arrives.
///
/// A header is checked as soon as it has arrived (RFC 4271, section 6.1): marker, type, and the
/// length for its type. So the framer never waits for more than one message. After an error, it
/// finds no more messages.
class BgpFramer
{
  public:
    /// Append bytes that have arrived. data: the bytes.
    void Append(const uint8_t* data, std::size_t size);

    /// Get the next message. @return the message; INCOMPLETE if not all of it has arrived
    BgpFrame Next();

  private:
    BgpBytes m_bytes;        //!< bytes from the last message that was found on
    std::size_t m_next{0};   //!< index of the next message in them
    bool m_hasFailed{false}; //!< there was an error
};

} // namespace ns3::aidc

#endif // AIDC_BGP_MESSAGE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_MESSAGE_H
#define AIDC_BGP_MESSAGE_H

#include "bgp-bytes.h"
#include "bgp-notification.h"
#include "bgp-session-terms.h"

#include <cstddef>
#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup aidc
 * @brief BGP's header (RFC 4271, section 4.1), and the short messages.
 *
 *      +0   marker: 16 times 0xff
 *      +16  length of the message with its header, 2 bytes
 *      +18  type
 */

namespace ns3::aidc
{

/// The TCP port of BGP.
constexpr uint16_t BGP_PORT = 179;

/// The bytes of a header's marker, all 0xff.
constexpr std::size_t BGP_MARKER_SIZE = 16;

/// The bytes of a header.
constexpr std::size_t BGP_HEADER_SIZE = 19;

/// @ingroup aidc
/// @brief The types of messages; as on the wire.
enum class BgpMessageType : uint8_t
{
    OPEN = 1,         //!< first message of each side
    UPDATE = 2,       //!< announces and withdraws routes
    NOTIFICATION = 3, //!< gives the reason why the session ends
    KEEPALIVE = 4,    //!< only the header
    ROUTE_REFRESH = 5 //!< asks for all routes again (RFC 2918)
};

/// @ingroup aidc
/// @brief Get the smallest message of a type (RFC 4271, section 6.1).
/// @param type the type
/// @return bytes with the header
std::size_t GetBgpMinMessageSize(BgpMessageType type);

/// @ingroup aidc
/// @brief Get the largest message of a type (RFC 4271, section 4).
/// @param type the type
/// @return bytes with the header
std::size_t GetBgpMaxMessageSize(BgpMessageType type);

/// @ingroup aidc
/// @brief Begin a message.
/// @param type its type
/// @return the header, whose length is set by FinishBgpMessage()
BgpBytes BeginBgpMessage(BgpMessageType type);

/// @ingroup aidc
/// @brief Set the length of a message that is complete.
/// @param [in,out] message header and body, at most BGP_MAX_MESSAGE_SIZE bytes
void FinishBgpMessage(BgpBytes& message);

/// @ingroup aidc
/// @brief Encode a KEEPALIVE.
/// @return the message
BgpBytes EncodeBgpKeepalive();

/// @ingroup aidc
/// @brief Encode a NOTIFICATION.
/// @param notification the contents; data beyond BGP_MAX_MESSAGE_SIZE is cut off
/// @return the message
BgpBytes EncodeBgpNotification(const BgpNotification& notification);

/**
 * @ingroup aidc
 * @brief Decode a NOTIFICATION.
 *
 * Errors of a NOTIFICATION cannot be reported to the peer (RFC 4271, section 6.4).
 *
 * @param body the bytes after the header; may be null if size is 0
 * @param size how many bytes
 * @return the contents, none if it has no code and subcode
 */
std::optional<BgpNotification> DecodeBgpNotification(const uint8_t* body, std::size_t size);

/// @ingroup aidc
/// @brief The contents of a ROUTE-REFRESH.
struct BgpRouteRefresh
{
    BgpAddressFamily family{BGP_IPV4_UNICAST}; //!< the family of the requested routes
    uint8_t subtype{0};                        //!< 0: a request (others: RFC 7313)
};

/// @ingroup aidc
/// @brief Encode a ROUTE-REFRESH.
/// @param refresh the contents
/// @return the message
BgpBytes EncodeBgpRouteRefresh(const BgpRouteRefresh& refresh);

/// @ingroup aidc
/// @brief Decode a ROUTE-REFRESH.
/// @param body the bytes after the header; may be null if size is 0
/// @param size how many bytes
/// @return the contents, none unless it has four bytes
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

/**
 * @brief Finds the messages in TCP's stream of bytes, in whatever pieces it arrives.
 *
 * A header is checked as soon as it has arrived (RFC 4271, section 6.1): marker, type, and the
 * length for its type. So the framer never waits for more than one message. After an error, it
 * finds no more messages.
 */
class BgpFramer
{
  public:
    /// Append bytes that have arrived. data: the bytes.
    void Append(const uint8_t* data, std::size_t size);

    /// Get the next message. @return the message; INCOMPLETE if not all of it has arrived
    BgpFrame Next();

    /// Forget all, for a new connection.
    void Clear();

  private:
    BgpBytes m_bytes;        //!< bytes from the last message that was found on
    std::size_t m_next{0};   //!< index of the next message in them
    bool m_hasFailed{false}; //!< there was an error
};

} // namespace ns3::aidc

#endif // AIDC_BGP_MESSAGE_H

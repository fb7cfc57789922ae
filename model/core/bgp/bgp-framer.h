/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_FRAMER_H
#define AIDC_BGP_FRAMER_H

#include "bgp-bytes.h"
#include "bgp-message.h"
#include "bgp-notification.h"
#include "bgp-session-terms.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

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
    const uint8_t* body{nullptr}; //!< bytes after the header, valid until the framer is used again
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

#endif // AIDC_BGP_FRAMER_H

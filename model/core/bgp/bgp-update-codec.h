/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_UPDATE_CODEC_H
#define AIDC_BGP_UPDATE_CODEC_H

#include "bgp-bytes.h"
#include "bgp-session-terms.h"
#include "bgp-update.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * @brief The decoder of UPDATE messages (RFC 4271, section 4.3; RFC 4760; RFC 6793; RFC 7606).
 *        PackBgpUpdates() writes them.
 *
 * After the header:
 *
 *      +0    length of the withdrawn routes, 2 bytes
 *      +2    withdrawn routes: prefixes
 *            length of the path attributes, 2 bytes
 *            path attributes: flags, type, length (1 byte, 2 with the flag EXTENDED_LENGTH), value
 *            announced routes: prefixes, up to the end
 *
 * It does not check AS paths for loops, next hops that are not on the link or are the speaker's
 * own, and prefixes that make no sense, such as multicast ones.
 */

namespace ns3::aidc
{

/**
 * @brief Decode an UPDATE.
 *
 * Any bytes have a result. Routes that are treated as withdrawn are among the withdrawn ones. If no
 * route is announced, there are no attributes. Unknown attributes are kept if they are optional and
 * transitive, and dropped otherwise.
 *
 * @param body the bytes after the header; may be null if size is 0
 * @param size how many bytes
 * @param terms the terms of the session
 * @return the contents, and the faults
 */
BgpUpdateResult DecodeBgpUpdate(const uint8_t* body,
                                std::size_t size,
                                const BgpSessionTerms& terms);

/// @brief Encode End-of-RIB of IPv4 unicast: an UPDATE without any routes (RFC 4724, section 2).
/// @return the message
BgpBytes EncodeBgpEndOfRib();

} // namespace ns3::aidc

#endif // AIDC_BGP_UPDATE_CODEC_H

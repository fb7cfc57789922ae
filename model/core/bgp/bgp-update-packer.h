/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_UPDATE_PACKER_H
#define AIDC_BGP_UPDATE_PACKER_H

#include "bgp-bytes.h"
#include "bgp-path-attributes.h"
#include "bgp-prefix.h"
#include "bgp-session-terms.h"

#include <vector>

/**
 * @file
 * @brief Encodes path attributes, and packs many routes into few UPDATE messages.
 *
 * A message has either withdrawn or announced routes, and is as full as the session
 * allows (RFC 4271, section 4.3; RFC 7606, section 5.1).
 */

namespace ns3::aidc
{

/**
 * @brief Encode path attributes, in the order of their types.
 *
 * What the peer must not get is left out: LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST for one in
 * another AS.
 *
 * @param [in,out] bytes what to append to
 * @param attributes the attributes
 * @param terms the terms of the session
 */
void EncodeBgpPathAttributes(BgpBytes& bytes,
                             const BgpPathAttributes& attributes,
                             const BgpSessionTerms& terms);

/// A route to be announced.
struct BgpOutgoingRoute
{
    BgpPrefix prefix;               //!< the route
    BgpSharedAttributes attributes; //!< its attributes, never null
};

/// Messages, and the routes that do not fit.
struct BgpPackedUpdates
{
    std::vector<BgpBytes> messages;    //!< UPDATEs, in the order of sending
    std::vector<BgpPrefix> unsendable; //!< routes whose attributes alone fill more than a message
};

/**
 * @brief Pack withdrawn and announced routes.
 *
 * Withdrawals are first. Routes with equal attributes are together, in the order of the first route
 * of each set. A route that does not fit must not be advertised (RFC 4271, section 9.2).
 *
 * @param withdrawn routes to be withdrawn
 * @param announced routes to be announced
 * @param terms the terms of the session
 * @return the messages
 */
BgpPackedUpdates PackBgpUpdates(const std::vector<BgpPrefix>& withdrawn,
                                const std::vector<BgpOutgoingRoute>& announced,
                                const BgpSessionTerms& terms);

} // namespace ns3::aidc

#endif // AIDC_BGP_UPDATE_PACKER_H

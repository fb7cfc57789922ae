/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_UPDATE_H
#define AIDC_BGP_UPDATE_H

#include "bgp-bytes.h"
#include "bgp-error-handling.h"
#include "bgp-path-attributes.h"
#include "bgp-prefix.h"
#include "bgp-session-terms.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/**
 * @file
 * @brief UPDATE messages (RFC 4271, section 4.3; RFC 4760; RFC 6793; RFC 7606): their contents,
 * their decoder, and what they change. PackBgpUpdates() writes them.
 *
 * After the header:
 *
 *      +0    length of the withdrawn routes, 2 bytes
 *      +2    withdrawn routes: prefixes
 *            length of the path attributes, 2 bytes
 *            path attributes: flags, type, length (1 byte, 2 with the flag EXTENDED_LENGTH), value
 *            announced routes: prefixes, up to the end
 *
 * The decoder does not check AS paths for loops, next hops that are not on the link or are the
 * speaker's own, and prefixes that make no sense, such as multicast ones.
 */

namespace ns3::aidc
{

/// The contents of an UPDATE.
struct BgpUpdate
{
    std::vector<BgpPrefix> withdrawn;                //!< routes that are withdrawn
    BgpPathAttributes attributes;                    //!< of all announced routes
    std::vector<BgpPrefix> announced;                //!< routes with NEXT_HOP
    std::optional<BgpMpReach> mpReach;               //!< MP_REACH_NLRI of IPv4 unicast
    std::optional<std::vector<BgpPrefix>> mpUnreach; //!< MP_UNREACH_NLRI of IPv4 unicast

    /// @return whether any route is announced
    bool Announces() const
    {
        return !announced.empty() || (mpReach && !mpReach->prefixes.empty());
    }
};

/// An error that an UPDATE has.
struct BgpUpdateFault
{
    uint8_t type{0};                             //!< the attribute, 0 if it is about none
    BgpFault fault{BgpFault::VALUE};             //!< the fault
    BgpErrorAction action{BgpErrorAction::NONE}; //!< the action of the rule
};

/// The result of decoding an UPDATE.
struct BgpUpdateResult
{
    BgpErrorAction action{BgpErrorAction::NONE}; //!< the strongest action of all faults
    BgpUpdate update;                   //!< the changes to apply, empty if the session is reset
    BgpNotification notification;       //!< the one to send if the session is reset
    std::vector<BgpUpdateFault> faults; //!< all errors up to the one that resets the session
    uint32_t nIgnoredFamilies{0};       //!< MP attributes of other families than IPv4 unicast
    bool isEndOfRib{false}; //!< it ends the initial routes of IPv4 unicast (RFC 4724, section 2)
};

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

/// Routes that are announced with the same attributes.
struct BgpAnnouncement
{
    BgpPathAttributes attributes;    //!< with the next hop
    std::vector<BgpPrefix> prefixes; //!< the routes
};

/// The changes of a peer's routes by an UPDATE.
struct BgpRouteChanges
{
    std::vector<BgpPrefix> withdrawn;       //!< withdrawn routes, none of which is announced
    std::vector<BgpAnnouncement> announced; //!< announced routes
};

/**
 * @brief Get the changes of an UPDATE, with or without MP attributes.
 *
 * A prefix that is withdrawn and announced counts as announced (RFC 4271, section 4.3). A prefix
 * that is announced with both next hops has the one of MP_REACH_NLRI, which comes later.
 *
 * @param update the UPDATE, whose parts are moved
 * @return the changes, in the order of the UPDATE
 */
BgpRouteChanges GetBgpRouteChanges(BgpUpdate update);

/// @brief Remove routes to martians: IsBgpMartian().
/// @param [in,out] changes the changes from a peer
/// @return their number
uint64_t RemoveBgpMartians(BgpRouteChanges& changes);

/// @brief Treat routes with a wrong next hop as withdrawn (RFC 4271, section 6.3): they replace
/// earlier routes.
/// @param [in,out] changes the changes from a peer
/// @param isWrong returns whether a next hop, in host byte order, is wrong
/// @return their number
uint64_t WithdrawBgpRoutes(BgpRouteChanges& changes, const std::function<bool(uint32_t)>& isWrong);

/// @brief Count bandwidths that are NaN, infinite or negative.
/// @param changes the changes from a peer
/// @param subtype the low octet of a path bandwidth's type
/// @return their number
uint64_t CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype);

} // namespace ns3::aidc

#endif // AIDC_BGP_UPDATE_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_UPDATE_H
#define AIDC_BGP_UPDATE_H

#include "bgp-attribute-table.h"
#include "bgp-bytes.h"
#include "bgp-message.h"
#include "bgp-path-attributes.h"
#include "bgp-prefix.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// @file
/// UPDATE messages (RFC 4271, section 4.3; RFC 4760; RFC 6793; RFC 7606): their contents,
/// both directions of their codec, and what they change.
///
/// After the header:
///
///      +0    length of the withdrawn routes, 2 bytes
///      +2    withdrawn routes: prefixes
///            length of the path attributes, 2 bytes
///            path attributes: flags, type, length (1 byte, 2 with the flag EXTENDED_LENGTH), value
///            announced routes: prefixes, up to the end
///
/// The decoder does not check for loops in AS paths, for next hops that are not on the link or are
/// the speaker's own, or for prefixes that make no sense, such as multicast ones.

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

/// Decode an UPDATE.
///
/// Any bytes have a result. Routes that are treated as withdrawn are among the withdrawn ones. If
/// no route is announced, there are no attributes. Unknown attributes are kept if they are optional
/// and transitive, and dropped otherwise.
/// @param body the bytes after the header; may be null if size is 0
/// @param size how many bytes
/// @param terms the terms of the session
/// @return the contents, and the faults
BgpUpdateResult DecodeBgpUpdate(const uint8_t* body,
                                std::size_t size,
                                const BgpSessionTerms& terms);

/// @return End-of-RIB of IPv4 unicast: an UPDATE without any routes (RFC 4724, section 2)
BgpBytes EncodeBgpEndOfRib();

/// Append path attributes, in the order of their types. Attributes that the peer must not get are
/// left out: LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST for a peer in another AS.
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

/// Pack withdrawn and announced routes.
///
/// A message has either withdrawn or announced routes, and is as full as the session allows (RFC
/// 4271, section 4.3; RFC 7606, section 5.1). Withdrawals are first. Routes with equal attributes
/// are together, in the order of the first route of each set. A route that does not fit must not be
/// advertised (RFC 4271, section 9.2).
BgpPackedUpdates PackBgpUpdates(const std::vector<BgpPrefix>& withdrawn,
                                const std::vector<BgpOutgoingRoute>& announced,
                                const BgpSessionTerms& terms);

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

/// Get the changes of an UPDATE, with or without MP attributes, in its order. A prefix that is
/// withdrawn and announced counts as announced (RFC 4271, section 4.3). A prefix that is announced
/// with both next hops has the one of MP_REACH_NLRI, which comes later.
BgpRouteChanges GetBgpRouteChanges(BgpUpdate update);

/// Remove routes to martians: IsBgpMartian(). @return their number
uint64_t RemoveBgpMartians(BgpRouteChanges& changes);

/// Treat routes with a wrong next hop as withdrawn (RFC 4271, section 6.3): they replace earlier
/// routes. isWrong: tells whether a next hop, in host byte order, is wrong. @return their number
uint64_t WithdrawBgpRoutes(BgpRouteChanges& changes, const std::function<bool(uint32_t)>& isWrong);

/// Count bandwidths that are NaN, infinite or negative. subtype: the low octet of a path
/// bandwidth's type. @return their number
uint64_t CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype);

} // namespace ns3::aidc

#endif // AIDC_BGP_UPDATE_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_ATTRIBUTE_TABLE_H
#define AIDC_BGP_ATTRIBUTE_TABLE_H

#include "bgp-bytes.h"
#include "bgp-message.h"
#include "bgp-path-attributes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// @file
/// The table of path attributes, in which a row describes an attribute; and the faults of an UPDATE
/// and the actions that they cause (RFC 7606).
///
/// A row does not name the member of BgpPathAttributes that has the attribute's value.

namespace ns3::aidc
{

/// The actions after an error, the strongest one last (RFC 7606, sections 2 and 3.h).
enum class BgpErrorAction : uint8_t
{
    NONE,              //!< nothing: the message is used as it was sent
    ATTRIBUTE_DISCARD, //!< the attribute is left out, the routes are kept
    TREAT_AS_WITHDRAW, //!< the routes count as withdrawn
    SESSION_RESET      //!< the session ends with a NOTIFICATION
};

/// The faults of an UPDATE.
enum class BgpFault : uint8_t
{
    FIELD_LENGTH,       //!< the lengths of withdrawn routes and attributes do not fit the message
    PREFIX,             //!< a prefix longer than 32 bits, or cut off
    OVERRUN,            //!< the list of attributes ends within an attribute
    FLAGS,              //!< optional and transitive bits do not fit the type
    LENGTH,             //!< a length that the type cannot have
    VALUE,              //!< a value that the type cannot have
    AS_ZERO,            //!< AS 0
    FIRST_AS,           //!< the path does not begin with the AS of an external peer
    UNWANTED,           //!< the peer must not send the type
    REPEATED,           //!< the type is repeated
    MISSING,            //!< the type is mandatory and is not there
    UNKNOWN_WELL_KNOWN, //!< an unknown type that is not optional
    N_FAULTS            //!< how many there are
};

/// The rule for an error.
struct BgpErrorRule
{
    BgpFault fault;         //!< the fault
    BgpErrorAction action;  //!< the action of the speaker
    BgpUpdateError subcode; //!< the subcode of the NOTIFICATION, if there has to be one
    const char* section;    //!< the section of the RFC
};

/// The peers that an attribute is sent to and taken from.
enum class BgpAttributeScope : uint8_t
{
    ANY_PEER,       //!< all
    INTERNAL_PEERS, //!< peers in the same AS
    TWO_OCTET_PEERS //!< peers that do not know AS numbers of four octets
};

/// The contents of an UPDATE's attributes, before the ones from two-octet peers are merged.
struct BgpAttributeValues
{
    BgpPathAttributes& attributes;                    //!< gets the attributes of the routes
    std::optional<BgpMpReach>& mpReach;               //!< gets MP_REACH_NLRI of IPv4 unicast
    std::optional<std::vector<BgpPrefix>>& mpUnreach; //!< gets MP_UNREACH_NLRI of IPv4 unicast
    std::optional<BgpAsPath> as4Path{};               //!< AS4_PATH
    std::optional<BgpAggregator> as4Aggregator{};     //!< AS4_AGGREGATOR
    uint32_t nIgnoredFamilies{0};                     //!< MP attributes not of IPv4 unicast
};

/// A known attribute: a row of the table.
struct BgpAttribute
{
    /// Decodes a value and returns its fault, if it has one. A value with a fault changes nothing.
    using Decode = std::optional<BgpFault> (*)(BgpReader value,
                                               const BgpSessionTerms& terms,
                                               BgpAttributeValues& values);

    /// Appends the bytes of a value and returns true, or returns false if the routes do not have
    /// the attribute
    using Encode = bool (*)(BgpBytes& bytes,
                            const BgpPathAttributes& attributes,
                            const BgpSessionTerms& terms);

    /// The most rules that an attribute has.
    static constexpr std::size_t MAX_RULES = 5;

    BgpAttributeType type;                     //!< its number
    const char* name;                          //!< as in its RFC
    uint8_t flags;                             //!< OPTIONAL and TRANSITIVE
    BgpAttributeScope scope;                   //!< the peers that it is exchanged with
    Decode decode;                             //!< reads its value
    Encode encode;                             //!< writes its value; null: it is never sent
    std::array<BgpErrorRule, MAX_RULES> rules; //!< of its errors; after the last one: no section

    /// Tell whether the attribute is exchanged with a peer.
    bool IsFor(const BgpSessionTerms& terms) const;
};

/// How many attributes are known.
constexpr std::size_t N_BGP_ATTRIBUTES = 16;

/// @return all attributes that are known, in the order of their types
const std::array<BgpAttribute, N_BGP_ATTRIBUTES>& GetBgpAttributes();

/// @return the row of an attribute, null if it is not known; type: any number received as a type
const BgpAttribute* FindBgpAttribute(uint8_t type);

/// Get the rule of an error. type: of the attribute, or any number in its place; 0: the error is
/// about none. @return the attribute's rule, or else the general one; an unspecific session reset
/// if there is none
const BgpErrorRule& GetBgpErrorRule(uint8_t type, BgpFault fault);

/// @return the name of an action in words
const char* GetBgpErrorActionName(BgpErrorAction action);

/// @return the name of a fault in words
const char* GetBgpFaultName(BgpFault fault);

} // namespace ns3::aidc

#endif // AIDC_BGP_ATTRIBUTE_TABLE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ATTRIBUTE_TABLE_H
#define AIDC_BGP_ATTRIBUTE_TABLE_H

#include "bgp-bytes.h"
#include "bgp-error-handling.h"
#include "bgp-path-attributes.h"
#include "bgp-session-terms.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @brief The table of path attributes: a row has all that is to be known of an attribute.
 *
 * What is not in a row is the member of BgpPathAttributes that has the attribute's value.
 */

namespace ns3::aidc
{

/// The peers that an attribute is sent to and taken from.
enum class BgpAttributeScope : uint8_t
{
    ANY_PEER,       //!< all
    INTERNAL_PEERS, //!< those in the same AS
    TWO_OCTET_PEERS //!< those that do not know AS numbers of four octets
};

/// What the attributes of an UPDATE say, before those of two-octet peers are merged.
struct BgpAttributeValues
{
    BgpPathAttributes& attributes;                    //!< gets those of the routes
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

/// All rows, as a range.
struct BgpAttributeRows
{
    const BgpAttribute* first; //!< the first row
    const BgpAttribute* last;  //!< after the last row

    /// @return the first row
    const BgpAttribute* begin() const
    {
        return first;
    }

    /// @return after the last row
    const BgpAttribute* end() const
    {
        return last;
    }
};

/// @return all attributes that are known, in the order of their types
BgpAttributeRows GetBgpAttributes();

/// @brief Find an attribute.
/// @param type any number received as a type
/// @return its row, null if it is not known
const BgpAttribute* FindBgpAttribute(uint8_t type);

/// @brief Get the rule of an error.
/// @param type the type of the attribute, or any number in its place; 0: the error is about none
/// @param fault the fault
/// @return the attribute's rule, or else the general one; an unspecific session reset if there is
///         none
const BgpErrorRule& GetBgpErrorRule(uint8_t type, BgpFault fault);

} // namespace ns3::aidc

#endif // AIDC_BGP_ATTRIBUTE_TABLE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-error-handling.h"

#include <iterator>

namespace ns3::aidc
{

namespace
{

// Short names, so that a row is a line where it can be
using Type = BgpAttributeType; //!< attributes
using Fault = BgpFault;        //!< what is wrong
using Error = BgpUpdateError;  //!< subcodes

constexpr auto DISCARD = BgpErrorAction::ATTRIBUTE_DISCARD;  //!< the attribute is left out
constexpr auto WITHDRAW = BgpErrorAction::TREAT_AS_WITHDRAW; //!< the routes are withdrawn
constexpr auto RESET = BgpErrorAction::SESSION_RESET;        //!< the session ends

/// The table. Rows of a type come before those of ANY.
constexpr BgpErrorRule RULES[] = {
    {Type::ORIGIN, Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.1"},
    {Type::ORIGIN, Fault::VALUE, WITHDRAW, Error::INVALID_ORIGIN, "RFC 7606, 7.1"},
    {Type::AS_PATH, Fault::VALUE, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 7606, 7.2"},
    {Type::AS_PATH, Fault::FIRST_AS, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 7606, 7.2"},
    {Type::AS_PATH, Fault::CONFEDERATION, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 5065, 5"},
    {Type::AS_PATH, Fault::AS_ZERO, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 7607, 2"},
    {Type::NEXT_HOP, Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.3"},
    {Type::NEXT_HOP, Fault::VALUE, WITHDRAW, Error::INVALID_NEXT_HOP, "RFC 7606, 3.e"},
    {Type::MULTI_EXIT_DISC,
     Fault::LENGTH,
     WITHDRAW,
     Error::ATTRIBUTE_LENGTH_ERROR,
     "RFC 7606, 7.4"},
    {Type::LOCAL_PREF, Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 7606, 7.5"},
    {Type::LOCAL_PREF, Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.5"},
    {Type::ATOMIC_AGGREGATE,
     Fault::LENGTH,
     DISCARD,
     Error::ATTRIBUTE_LENGTH_ERROR,
     "RFC 7606, 7.6"},
    {Type::AGGREGATOR, Fault::LENGTH, DISCARD, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.7"},
    {Type::AGGREGATOR, Fault::AS_ZERO, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7607, 2"},
    {Type::COMMUNITIES, Fault::LENGTH, WITHDRAW, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 7.8"},
    {Type::ORIGINATOR_ID, Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 7606, 7.9"},
    {Type::ORIGINATOR_ID, Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.9"},
    {Type::CLUSTER_LIST, Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 7606, 7.10"},
    {Type::CLUSTER_LIST, Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.10"},
    {Type::MP_REACH_NLRI, Fault::LENGTH, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 7.11"},
    {Type::MP_REACH_NLRI, Fault::VALUE, WITHDRAW, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 3.e"},
    {Type::MP_REACH_NLRI, Fault::PREFIX, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 5.3"},
    {Type::MP_REACH_NLRI, Fault::OVERRUN, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.j"},
    {Type::MP_REACH_NLRI, Fault::REPEATED, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.g"},
    {Type::MP_UNREACH_NLRI, Fault::LENGTH, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 5.3"},
    {Type::MP_UNREACH_NLRI, Fault::PREFIX, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 5.3"},
    {Type::MP_UNREACH_NLRI,
     Fault::OVERRUN,
     RESET,
     Error::MALFORMED_ATTRIBUTE_LIST,
     "RFC 7606, 3.j"},
    {Type::MP_UNREACH_NLRI,
     Fault::REPEATED,
     RESET,
     Error::MALFORMED_ATTRIBUTE_LIST,
     "RFC 7606, 3.g"},
    {Type::EXTENDED_COMMUNITIES,
     Fault::LENGTH,
     WITHDRAW,
     Error::OPTIONAL_ATTRIBUTE_ERROR,
     "RFC 7606, 7.14"},
    {Type::AS4_PATH, Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 6793, 6"},
    {Type::AS4_PATH, Fault::VALUE, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 6793, 6"},
    {Type::AS4_PATH, Fault::AS_ZERO, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7607, 2"},
    {Type::AS4_AGGREGATOR, Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 6793, 6"},
    {Type::AS4_AGGREGATOR, Fault::LENGTH, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 6793, 6"},
    {Type::AS4_AGGREGATOR, Fault::AS_ZERO, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7607, 2"},
    {Type::LARGE_COMMUNITIES,
     Fault::LENGTH,
     WITHDRAW,
     Error::OPTIONAL_ATTRIBUTE_ERROR,
     "RFC 8092, 6"},
    {Type::ANY, Fault::FIELD_LENGTH, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 4271, 6.3"},
    {Type::ANY, Fault::PREFIX, RESET, Error::INVALID_NETWORK_FIELD, "RFC 7606, 5.3"},
    {Type::ANY, Fault::OVERRUN, WITHDRAW, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 4"},
    {Type::ANY, Fault::FLAGS, WITHDRAW, Error::ATTRIBUTE_FLAGS_ERROR, "RFC 7606, 3.c"},
    {Type::ANY, Fault::REPEATED, DISCARD, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.g"},
    {Type::ANY, Fault::MISSING, WITHDRAW, Error::MISSING_WELL_KNOWN, "RFC 7606, 3.d"},
    {Type::ANY, Fault::UNKNOWN_WELL_KNOWN, RESET, Error::UNRECOGNIZED_WELL_KNOWN, "RFC 4271, 6.3"},
};

/// What holds where nothing is written.
constexpr BgpErrorRule UNWRITTEN{Type::ANY, Fault::VALUE, RESET, Error::UNSPECIFIC, "RFC 4271, 6"};

/// The names of actions.
constexpr const char* ACTION_NAMES[] = {
    "none",
    "attribute discard",
    "treat-as-withdraw",
    "session reset",
};

/// The names of faults.
constexpr const char* FAULT_NAMES[] = {
    "length of fields",
    "prefix",
    "overrun",
    "flags",
    "length",
    "value",
    "AS 0",
    "first AS",
    "confederation",
    "unwanted",
    "repeated",
    "missing",
    "unknown well-known",
};
static_assert(std::size(FAULT_NAMES) == static_cast<std::size_t>(BgpFault::N_FAULTS));

} // namespace

const BgpErrorRule&
GetBgpErrorRule(BgpAttributeType type, BgpFault fault)
{
    for (const BgpErrorRule& rule : RULES)
    {
        if (rule.fault == fault && (rule.type == type || rule.type == Type::ANY))
        {
            return rule;
        }
    }
    return UNWRITTEN;
}

const BgpErrorRule*
GetBgpErrorRules(std::size_t& nRows)
{
    nRows = std::size(RULES);
    return RULES;
}

const char*
GetBgpErrorActionName(BgpErrorAction action)
{
    return ACTION_NAMES[static_cast<std::size_t>(action)];
}

const char*
GetBgpFaultName(BgpFault fault)
{
    return FAULT_NAMES[static_cast<std::size_t>(fault)];
}

} // namespace ns3::aidc

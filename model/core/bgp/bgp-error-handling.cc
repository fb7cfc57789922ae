/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-error-handling.h"

#include <cstddef>
#include <iterator>

namespace ns3::aidc
{

namespace
{

/// What holds for errors that an attribute has no rule for, and for errors of no attribute.
constexpr BgpErrorRule GENERAL_RULES[] = {
    {BgpFault::FIELD_LENGTH,
     BgpErrorAction::SESSION_RESET,
     BgpUpdateError::MALFORMED_ATTRIBUTE_LIST,
     "RFC 4271, 6.3"},
    {BgpFault::PREFIX,
     BgpErrorAction::SESSION_RESET,
     BgpUpdateError::INVALID_NETWORK_FIELD,
     "RFC 7606, 5.3"},
    {BgpFault::OVERRUN,
     BgpErrorAction::TREAT_AS_WITHDRAW,
     BgpUpdateError::MALFORMED_ATTRIBUTE_LIST,
     "RFC 7606, 4"},
    {BgpFault::FLAGS,
     BgpErrorAction::TREAT_AS_WITHDRAW,
     BgpUpdateError::ATTRIBUTE_FLAGS_ERROR,
     "RFC 7606, 3.c"},
    {BgpFault::REPEATED,
     BgpErrorAction::ATTRIBUTE_DISCARD,
     BgpUpdateError::MALFORMED_ATTRIBUTE_LIST,
     "RFC 7606, 3.g"},
    {BgpFault::MISSING,
     BgpErrorAction::TREAT_AS_WITHDRAW,
     BgpUpdateError::MISSING_WELL_KNOWN,
     "RFC 7606, 3.d"},
    {BgpFault::UNKNOWN_WELL_KNOWN,
     BgpErrorAction::SESSION_RESET,
     BgpUpdateError::UNRECOGNIZED_WELL_KNOWN,
     "RFC 4271, 6.3"},
};

/// What holds where nothing is written.
constexpr BgpErrorRule UNWRITTEN{BgpFault::VALUE,
                                 BgpErrorAction::SESSION_RESET,
                                 BgpUpdateError::UNSPECIFIC,
                                 "RFC 4271, 6"};

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
    "unwanted",
    "repeated",
    "missing",
    "unknown well-known",
};
static_assert(std::size(FAULT_NAMES) == static_cast<std::size_t>(BgpFault::N_FAULTS));

} // namespace

const BgpErrorRule&
GetGeneralBgpErrorRule(BgpFault fault)
{
    for (const BgpErrorRule& rule : GENERAL_RULES)
    {
        if (rule.fault == fault)
        {
            return rule;
        }
    }
    return UNWRITTEN;
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

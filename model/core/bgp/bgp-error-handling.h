/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ERROR_HANDLING_H
#define AIDC_BGP_ERROR_HANDLING_H

#include "bgp-notification.h"

#include <cstdint>

/// @file
/// The faults of an UPDATE and the actions that they cause (RFC 7606). The rules of an attribute
/// are in its row (bgp-attribute-table.h).

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
    FLAGS,              //!< optional and transitive bits are not those of the type
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

/// Get the general rule of an error, for attributes without a rule of their own.
/// @return the rule; an unspecific session reset if there is none
const BgpErrorRule& GetGeneralBgpErrorRule(BgpFault fault);

/// Get the name of an action. @return its name in words
const char* GetBgpErrorActionName(BgpErrorAction action);

/// Get the name of a fault. @return its name in words
const char* GetBgpFaultName(BgpFault fault);

} // namespace ns3::aidc

#endif // AIDC_BGP_ERROR_HANDLING_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ERROR_HANDLING_H
#define AIDC_BGP_ERROR_HANDLING_H

#include "bgp-notification.h"

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * @brief What can be wrong with an UPDATE, and what is done then (RFC 7606). The rules of an
 *        attribute are in its row (bgp-attribute-table.h).
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What is done because of an error, the strongest one last (RFC 7606, sections 2 and 3.h).
enum class BgpErrorAction : uint8_t
{
    NONE,              //!< nothing: the message is as it was sent
    ATTRIBUTE_DISCARD, //!< the attribute is left out, the routes are kept
    TREAT_AS_WITHDRAW, //!< the routes count as withdrawn
    SESSION_RESET      //!< the session ends with a NOTIFICATION
};

/// @ingroup aidc
/// @brief What can be wrong with an UPDATE.
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
    REPEATED,           //!< the type has been there before
    MISSING,            //!< the type is mandatory and is not there
    UNKNOWN_WELL_KNOWN, //!< a type that is not known and not optional
    N_FAULTS            //!< how many there are
};

/// @ingroup aidc
/// @brief What becomes of an error.
struct BgpErrorRule
{
    BgpFault fault;         //!< the fault
    BgpErrorAction action;  //!< what a speaker does then
    BgpUpdateError subcode; //!< what a NOTIFICATION says, if there has to be one
    const char* section;    //!< where it is written
};

/// @ingroup aidc
/// @brief Get the rule of an error that an attribute has no rule for.
/// @param fault the fault
/// @return the rule; a session reset that is unspecific if there is none
const BgpErrorRule& GetGeneralBgpErrorRule(BgpFault fault);

/// @ingroup aidc
/// @brief Get the name of an action.
/// @param action the action
/// @return its name in words
const char* GetBgpErrorActionName(BgpErrorAction action);

/// @ingroup aidc
/// @brief Get the name of a fault.
/// @param fault the fault
/// @return its name in words
const char* GetBgpFaultName(BgpFault fault);

} // namespace ns3::aidc

#endif // AIDC_BGP_ERROR_HANDLING_H

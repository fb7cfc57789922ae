/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRY_SET_ATTRIBUTE_H
#define AIDC_TRY_SET_ATTRIBUTE_H

#include "core/require-argument.h"
#include "warning.h"

#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <stdexcept>
#include <utility>

/// @file
/// How all attributes are set that a checker alone cannot check: texts, and what has to fit other
/// attributes while the simulation runs.

namespace ns3::aidc
{

/**
 * @brief Set an attribute, or refuse its new value and tell the user why.
 *
 * ns-3 says only which attribute it was, and only if the program ends because of it.
 *
 * @tparam Take a function
 * @param object whose attribute
 * @param take takes the new value for the next packet or event on; or throws std::invalid_argument,
 *        which says why not, and leaves all as it was
 * @return whether the value was taken, as ns-3 asks an attribute's setter
 */
template <typename Take>
bool
TrySetAttribute(const ObjectBase& object, Take take)
{
    try
    {
        take();
    }
    catch (const std::invalid_argument& error)
    {
        TellUser(object.GetInstanceTypeId().GetName(), ": ", error.what());
        return false;
    }
    return true;
}

/**
 * @brief Give a member a value that has to fit other members.
 * @tparam T the member's type
 * @tparam Check a function
 * @param member the member; keeps its old value if the check throws
 * @param value its new value
 * @param check looks at the members as they are then; throws std::invalid_argument if they do not
 *        fit each other
 */
template <typename T, typename Check>
void
SetChecked(T& member, const T& value, Check check)
{
    T old = std::exchange(member, value);
    try
    {
        check();
    }
    catch (const std::invalid_argument&)
    {
        member = std::move(old);
        throw;
    }
}

/// Check what a user has configured, and refuse it with the reason if it is wrong.
/// @tparam Check a function
/// @param check throws std::invalid_argument, which says what is wrong
/// @param owner what the reason begins with, such as "CsigAgent: "
/// @throws std::runtime_error with the reason
template <typename Check>
void
CheckOrRefuse(Check check, const char* owner = "")
{
    try
    {
        check();
    }
    catch (const std::invalid_argument& error)
    {
        AIDC_REFUSE(owner << error.what());
    }
}

} // namespace ns3::aidc

#endif // AIDC_TRY_SET_ATTRIBUTE_H

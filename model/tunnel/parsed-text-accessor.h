/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PARSED_TEXT_ACCESSOR_H
#define AIDC_PARSED_TEXT_ACCESSOR_H

#include "../function-accessor.h"

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/string.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Make an accessor of a field that is parsed from a text, as NotificationKey is.
 *
 * If Parse() refuses a text, nothing changes, and the user is told the reason.
 *
 * @tparam T the class of the object
 * @tparam S the struct
 * @tparam F the type of the field, which has Parse() and Print()
 * @param settings the struct of the object
 * @param field the field of the struct
 * @return the accessor
 */
template <typename T, typename S, typename F>
Ptr<const AttributeAccessor>
MakeParsedTextAccessor(S T::* settings, F S::* field)
{
    return MakeFunctionAccessor<T, StringValue>(
        [settings, field](const T& object) { return (object.*settings.*field).Print(); },
        [settings, field](T& object, const StringValue& value) {
            object.*settings.*field = F::Parse(value.Get());
        });
}

} // namespace ns3::aidc

#endif // AIDC_PARSED_TEXT_ACCESSOR_H

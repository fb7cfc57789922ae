/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FUNCTION_ACCESSOR_H
#define AIDC_FUNCTION_ACCESSOR_H

#include "try-set-attribute.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/ptr.h"

/**
 * @file
 * @ingroup aidc
 * @brief Attributes that two functions read and set, such as several ones of the same kind.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Accesses an attribute by functions.
 * @tparam T the class of the object
 * @tparam V the type of the attribute's value, such as StringValue
 * @tparam Get a function: const T& -> what V::Set() takes
 * @tparam Set a function: T&, const V&
 */
template <typename T, typename V, typename Get, typename Set>
class FunctionAccessor : public AccessorHelper<T, V>
{
  public:
    /// Constructor. get: reads the attribute; set: sets it; or throws std::invalid_argument, which
    /// refuses the value.
    FunctionAccessor(Get get, Set set)
        : m_get(get),
          m_set(set)
    {
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    bool DoSet(T* object, const V* value) const override
    {
        return TrySetAttribute(*object, [&] { m_set(*object, *value); });
    }

    bool DoGet(const T* object, V* value) const override
    {
        value->Set(m_get(*object));
        return true;
    }

    Get m_get; //!< reads the attribute
    Set m_set; //!< sets it
};

/**
 * @ingroup aidc
 * @brief Make an accessor of functions.
 * @tparam T the class of the object
 * @tparam V the type of the attribute's value, such as StringValue
 * @param get reads the attribute: const T& -> what V::Set() takes
 * @param set sets it: T&, const V&; or throws std::invalid_argument, which refuses the value
 * @return the accessor
 */
template <typename T, typename V, typename Get, typename Set>
Ptr<const AttributeAccessor>
MakeFunctionAccessor(Get get, Set set)
{
    return Ptr<const AttributeAccessor>(new FunctionAccessor<T, V, Get, Set>(get, set), false);
}

} // namespace ns3::aidc

#endif // AIDC_FUNCTION_ACCESSOR_H

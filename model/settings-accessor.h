/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SETTINGS_ACCESSOR_H
#define AIDC_SETTINGS_ACCESSOR_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <type_traits>

/**
 * @file
 * @ingroup aidc
 * @brief Attributes that are fields of a struct of the core, so that a setting is declared once.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Accesses a field of a struct that an object has.
 *
 * A field of a TimeValue may be a number of nanoseconds, and one of a DataRateValue a number of
 * bit/s.
 *
 * @tparam V the type of the attribute's value, such as DoubleValue
 * @tparam T the class of the object
 * @tparam S the struct
 * @tparam F the type of the field
 */
template <typename V, typename T, typename S, typename F>
class SettingsAccessor : public AccessorHelper<T, V>
{
  public:
    /// Constructor. settings: the struct of the object; field: the field of the struct.
    SettingsAccessor(S T::* settings, F S::* field)
        : m_settings(settings),
          m_field(field)
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
        F& field = object->*m_settings.*m_field;
        if constexpr (std::is_same_v<V, TimeValue> && std::is_arithmetic_v<F>)
        {
            field = static_cast<F>(value->Get().GetNanoSeconds());
            return true;
        }
        else if constexpr (std::is_same_v<V, DataRateValue> && std::is_arithmetic_v<F>)
        {
            field = static_cast<F>(value->Get().GetBitRate());
            return true;
        }
        else
        {
            return value->GetAccessor(field);
        }
    }

    bool DoGet(const T* object, V* value) const override
    {
        const F& field = object->*m_settings.*m_field;
        if constexpr (std::is_same_v<V, TimeValue> && std::is_arithmetic_v<F>)
        {
            value->Set(NanoSeconds(static_cast<int64_t>(field)));
        }
        else if constexpr (std::is_same_v<V, DataRateValue> && std::is_arithmetic_v<F>)
        {
            value->Set(DataRate(static_cast<uint64_t>(field)));
        }
        else if constexpr (std::is_same_v<V, UintegerValue>)
        {
            value->Set(static_cast<uint64_t>(field)); // a field may be a double
        }
        else
        {
            value->Set(field);
        }
        return true;
    }

    S T::* m_settings; //!< the struct
    F S::* m_field;    //!< the field
};

/**
 * @ingroup aidc
 * @brief Make an accessor of a field of a struct that an object has.
 * @tparam V the type of the attribute's value, such as DoubleValue
 * @param settings the struct of the object, such as &MyControl::m_settings
 * @param field the field of the struct, such as &MySettings::gain
 * @return the accessor
 */
template <typename V, typename T, typename S, typename F>
Ptr<const AttributeAccessor>
MakeSettingsAccessor(S T::* settings, F S::* field)
{
    return Ptr<const AttributeAccessor>(new SettingsAccessor<V, T, S, F>(settings, field), false);
}

} // namespace ns3::aidc

#endif // AIDC_SETTINGS_ACCESSOR_H

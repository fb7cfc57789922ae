// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ATTRIBUTE_ACCESSORS_H
#define AIDC_ATTRIBUTE_ACCESSORS_H

#include "core/require-argument.h"
#include "value-checker.h"
#include "warning.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

/// @file
/// Accessors of attributes that two functions read and set, that a field of a struct holds, or that
/// are parsed from a text.

namespace ns3::aidc
{

/// Set an attribute, or refuse its new value and tell the user why.
///
/// ns-3 says only which attribute it was, and only if the program ends because of it.
/// @tparam Take a function
/// @param object whose attribute
/// @param take takes the new value from the next packet or event on; or throws
///        std::invalid_argument, which says why not, and leaves all as it was
/// @return whether the value was taken, as ns-3 asks an attribute's setter
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

/// Give a member a value that has to fit other members.
/// @tparam T the member's type
/// @tparam Check a function
/// @param member the member; keeps its old value if the check throws
/// @param value its new value
/// @param check looks at the members as they are then; throws std::invalid_argument if they do not
///        fit each other
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

/// Accesses an attribute by functions.
/// @tparam T the class of the object
/// @tparam V the type of the attribute's value, such as StringValue
/// @tparam Get a function: const T& -> what V::Set() takes
/// @tparam Set a function: T&, const V&, which may return whether the value was taken
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
        bool isTaken = true;
        const bool isValid = TrySetAttribute(*object, [&] {
            if constexpr (std::is_void_v<decltype(m_set(*object, *value))>)
            {
                m_set(*object, *value);
            }
            else
            {
                isTaken = m_set(*object, *value);
            }
        });
        return isValid && isTaken;
    }

    bool DoGet(const T* object, V* value) const override
    {
        value->Set(m_get(*object));
        return true;
    }

    Get m_get; //!< reads the attribute
    Set m_set; //!< sets it
};

/// Make a FunctionAccessor, whose template parameters are the same. @param get reads the attribute
/// @param set sets it; or throws std::invalid_argument, which refuses the value
/// @return the accessor
template <typename T, typename V, typename Get, typename Set>
Ptr<const AttributeAccessor>
MakeFunctionAccessor(Get get, Set set)
{
    return Ptr<const AttributeAccessor>(new FunctionAccessor<T, V, Get, Set>(get, set), false);
}

/// Get the value of an attribute that a field holds.
///
/// A field of a TimeValue may be a number of nanoseconds, one of a DataRateValue a number of bit/s,
/// and one of a QueueSizeValue a number of bytes.
/// @tparam V the type of the attribute's value
/// @param field the field
/// @return what V::Set() takes
template <typename V, typename F>
auto
FieldToValue(const F& field)
{
    if constexpr (std::is_same_v<V, TimeValue> && std::is_arithmetic_v<F>)
    {
        return NanoSeconds(static_cast<int64_t>(field));
    }
    else if constexpr (std::is_same_v<V, DataRateValue> && std::is_arithmetic_v<F>)
    {
        return DataRate(static_cast<uint64_t>(field));
    }
    else if constexpr (std::is_same_v<V, QueueSizeValue> && std::is_arithmetic_v<F>)
    {
        return ToQueueSize(field);
    }
    else if constexpr (std::is_same_v<V, UintegerValue>)
    {
        return static_cast<uint64_t>(field); // a field may be a double
    }
    else
    {
        return field;
    }
}

/// Set a field by the value of an attribute, as FieldToValue() reads it.
/// @return whether the value fits the field; false for a PointerValue of another class
/// @throws std::invalid_argument if the field is in bytes and the value in packets
template <typename V, typename F>
bool
ValueToField(const V& value, F& field)
{
    if constexpr (std::is_same_v<V, TimeValue> && std::is_arithmetic_v<F>)
    {
        field = static_cast<F>(value.Get().GetNanoSeconds());
        return true;
    }
    else if constexpr (std::is_same_v<V, DataRateValue> && std::is_arithmetic_v<F>)
    {
        field = static_cast<F>(value.Get().GetBitRate());
        return true;
    }
    else if constexpr (std::is_same_v<V, QueueSizeValue> && std::is_arithmetic_v<F>)
    {
        field = static_cast<F>(GetBytes(value.Get()));
        return true;
    }
    else
    {
        return value.GetAccessor(field);
    }
}

/// Make an accessor of a field of a struct that an object has.
/// @tparam V the type of the attribute's value, such as DoubleValue
/// @param settings the struct of the object, such as &MyControl::m_settings
/// @param field the field of the struct, such as &MySettings::gain
/// @return the accessor
template <typename V, typename T, typename S, typename F>
Ptr<const AttributeAccessor>
MakeSettingsAccessor(S T::* settings, F S::* field)
{
    return MakeFunctionAccessor<T, V>(
        [settings, field](const T& object) { return FieldToValue<V>(object.*settings.*field); },
        [settings, field](T& object, const V& value) {
            return ValueToField(value, object.*settings.*field);
        });
}

/// Make the same accessor, of a struct that the object changes as a whole.
/// @tparam V the type of the attribute's value
/// @param settings the struct of the object
/// @param field the field of the struct
/// @param change takes the struct with the new value; or throws std::invalid_argument, which
///        refuses the value
/// @return the accessor
template <typename V, typename T, typename S, typename F>
Ptr<const AttributeAccessor>
MakeSettingsAccessor(S T::* settings, F S::* field, void (T::*change)(const S&))
{
    return MakeFunctionAccessor<T, V>(
        [settings, field](const T& object) { return FieldToValue<V>(object.*settings.*field); },
        [settings, field, change](T& object, const V& value) {
            S changed = object.*settings;
            ValueToField(value, changed.*field);
            (object.*change)(changed);
        });
}

/// Make an accessor of a member that an object changes by a function.
/// @tparam V the type of the attribute's value, such as DoubleValue
/// @param member the member, such as &MyQueue::m_alpha
/// @param change gives it a value: T&, member, const F&; or throws std::invalid_argument, which
///        refuses the value
/// @return the accessor
template <typename V, typename T, typename F, typename Change>
Ptr<const AttributeAccessor>
MakeMemberAccessor(F T::* member, Change change)
{
    return MakeFunctionAccessor<T, V>(
        [member](const T& object) { return FieldToValue<V>(object.*member); },
        [member, change](T& object, const V& value) {
            F changed{};
            ValueToField(value, changed);
            change(object, member, changed);
        });
}

/// Make an accessor of a field that is parsed from a text, as NotificationKey is.
///
/// If Parse() refuses a text, nothing changes, and the user is told the reason.
/// @tparam T the class of the object
/// @tparam S the struct
/// @tparam F the type of the field, which has Parse() and Print()
/// @param settings the struct of the object
/// @param field the field of the struct
/// @return the accessor
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

#endif // AIDC_ATTRIBUTE_ACCESSORS_H

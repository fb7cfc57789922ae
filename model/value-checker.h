// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_VALUE_CHECKER_H
#define AIDC_VALUE_CHECKER_H

#include "warning.h"

#include "ns3/attribute.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Values of attributes: checkers where a type and a range do not say all, as of texts and of
///        sizes in bytes; and values in words, for traces of changes and for errors.

namespace ns3::aidc
{

/// Checks an attribute's value by a function.
///
/// ns-3 asks the checker wherever a value comes in, and ends the program where it is wrong: at
/// SetAttribute(), Config::SetDefault(), in factories, and on the command line. A setter is asked
/// too late for the last three, because an object that is being made ignores its answer.
/// @tparam V the type of the value, such as StringValue
template <typename V>
class ValueChecker : public AttributeChecker
{
  public:
    /// Throws std::invalid_argument, which says why, if a value is wrong.
    using Function = std::function<void(const V&)>;

    /// Constructor.
    /// @param type the checker of the type and its range
    /// @param check checks what the type and its range do not
    ValueChecker(Ptr<const AttributeChecker> type, Function check)
        : m_type(type),
          m_check(std::move(check))
    {
    }

    // From AttributeChecker
    bool Check(const AttributeValue& value) const override
    {
        // A text that is wrong as it is gets converted, and is reported by that.
        return m_type->Check(value) && IsRight(value, !std::is_same_v<V, StringValue>);
    }

    std::string GetValueTypeName() const override
    {
        return m_type->GetValueTypeName();
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return m_type->HasUnderlyingTypeInformation();
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return m_type->GetUnderlyingTypeInformation();
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<Converted>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return m_type->Copy(source, destination);
    }

  private:
    /// A value that is made from a text, and checked by that: factories do not check it later.
    class Converted : public V
    {
      public:
        bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override
        {
            if constexpr (std::is_same_v<V, StringValue>)
            {
                this->Set(text); // ns-3 itself would end the program where it has blanks
            }
            else if (!V::DeserializeFromString(text, checker))
            {
                return false;
            }
            const auto* const own = dynamic_cast<const ValueChecker*>(PeekPointer(checker));
            return !own || own->IsRight(*this, true);
        }
    };

    /// Ask the function. @return whether it is right
    bool IsRight(const AttributeValue& value, bool isReported) const
    {
        try
        {
            m_check(dynamic_cast<const V&>(value));
        }
        catch (const std::invalid_argument& error)
        {
            if (isReported)
            {
                TellUser(error.what());
            }
            return false;
        }
        return true;
    }

    Ptr<const AttributeChecker> m_type; //!< the checker of the type
    Function m_check;                   //!< checks what the type and its range do not
};

/// Make a checker that asks a function in addition to the checker of the type.
/// @tparam V the type of the value
/// @param type the checker of the type and its range
/// @param check throws std::invalid_argument, which says why, if a value is wrong
/// @return the checker
template <typename V>
Ptr<const AttributeChecker>
MakeValueChecker(Ptr<const AttributeChecker> type, typename ValueChecker<V>::Function check)
{
    return Create<ValueChecker<V>>(type, std::move(check));
}

/// @param parse parses a text, and throws std::invalid_argument with the reason if it is wrong
/// @return the checker of an attribute that is a text
Ptr<const AttributeChecker> MakeTextChecker(const std::function<void(const std::string&)>& parse);

/// @param least the least rate in bit/s @param most the largest rate in bit/s
/// @return the checker of an attribute that is a rate
Ptr<const AttributeChecker> MakeRateChecker(uint64_t least, uint64_t most);

/// @param size a size @return its bytes
/// @throws std::invalid_argument if it is in packets
uint64_t GetBytes(QueueSize size);

/// @param bytes a number of bytes @return a size of so many
QueueSize ToQueueSize(uint64_t bytes);

/// @param least the least size in bytes @return the checker of an attribute that is a size in bytes
Ptr<const AttributeChecker> MakeByteSizeChecker(uint64_t least = 0);

/// Print the attributes of an object.
///
/// Two values that differ differ in print, unlike in ns-3's own, which rounds to six digits: times
/// are whole nanoseconds, and numbers have as many digits as they need to be read back. Pointers to
/// objects, and lists of them, are left out.
/// @param object the object
/// @param base a class that it is derived from, or its own
/// @return names and values, as "Name value, Name value", of its class and the classes that it is
///         derived from, up to the base, which is included
std::string PrintAttributes(const ObjectBase& object, TypeId base);

/// List the attributes of an object that were set, by where they were set.
/// @return names and values: of attributes that were set on the object, by a helper or by the
/// program; and of attributes whose default was set by Config::SetDefault() or on the command line
std::string PrintSetAttributes(const ObjectBase& object);

} // namespace ns3::aidc

#endif // AIDC_VALUE_CHECKER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PARSED_TEXT_ACCESSOR_H
#define AIDC_PARSED_TEXT_ACCESSOR_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/string.h"
#include "ns3/try-set-attribute.h"

/**
 * @file
 * @ingroup aidc
 * @brief Attributes whose text is parsed into a field of a struct.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Accesses a field that is parsed from a text, as NotificationKey is.
 *
 * A text that Parse() refuses changes nothing, and the user is told why.
 *
 * @tparam T the class of the object
 * @tparam S the struct
 * @tparam F the type of the field, which has Parse() and Print()
 */
template <typename T, typename S, typename F>
class ParsedTextAccessor : public AccessorHelper<T, StringValue>
{
  public:
    /// Constructor.
    /// @param settings the struct of the object
    /// @param field the field of the struct
    ParsedTextAccessor(S T::* settings, F S::* field)
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
    bool DoSet(T* object, const StringValue* value) const override
    {
        return TrySetAttribute(*object, [this, object, value] {
            object->*m_settings.*m_field = F::Parse(value->Get());
        });
    }

    bool DoGet(const T* object, StringValue* value) const override
    {
        value->Set((object->*m_settings.*m_field).Print());
        return true;
    }

    S T::* m_settings; //!< the struct
    F S::* m_field;    //!< the field
};

/**
 * @ingroup aidc
 * @brief Make an accessor of a field that is parsed from a text.
 * @param settings the struct of the object
 * @param field the field of the struct
 * @return the accessor
 */
template <typename T, typename S, typename F>
Ptr<const AttributeAccessor>
MakeParsedTextAccessor(S T::* settings, F S::* field)
{
    return Ptr<const AttributeAccessor>(new ParsedTextAccessor<T, S, F>(settings, field), false);
}

} // namespace ns3::aidc

#endif // AIDC_PARSED_TEXT_ACCESSOR_H

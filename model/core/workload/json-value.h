// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_JSON_VALUE_H
#define AIDC_JSON_VALUE_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// @file
/// Reader of JSON that knows the line of each value. Boost.PropertyTree's forgets lines and types,
/// and Boost.JSON is not in the oldest release of Boost that is supported.

namespace ns3::aidc
{

/// Write a text as a JSON string (RFC 8259, section 7).
///
/// Control characters are escaped; bytes that are not UTF-8 become U+FFFD. Boost.JSON would do it
/// from release 1.75 on; Debian 12, which has ns-3.37, has 1.74.
/// @param text the text
/// @return the string, with its quotation marks
std::string FormatJsonString(const std::string& text);

/// A value of JSON (RFC 8259).
struct JsonValue
{
    /// What it is.
    enum class Type : uint8_t
    {
        LITERAL, //!< true, false or null
        NUMBER,  //!< a number
        STRING,  //!< a string
        ARRAY,   //!< an array
        OBJECT   //!< an object
    };

    Type type{Type::LITERAL}; //!< what it is
    uint32_t line{0};         //!< the line where it begins
    std::string text;         //!< of a string, without escapes; of a number or literal, as written
    std::vector<JsonValue> items;  //!< the items of an array, or the values of an object
    std::vector<std::string> keys; //!< the keys of an object, each once

    /// Find a member of an object. @return the value; null if there is none
    const JsonValue* Find(const std::string& key) const
    {
        const auto found = std::find(keys.begin(), keys.end(), key);
        return found == keys.end() ? nullptr : &items[found - keys.begin()];
    }

    /// @return what it is, for a message to the user: a scalar's text, or "an array"
    std::string Describe() const
    {
        switch (type)
        {
        case Type::ARRAY:
            return "an array";
        case Type::OBJECT:
            return "an object";
        default:
            return text;
        }
    }
};

/// Read a text that consists of one JSON value. It may begin with a byte-order mark.
/// @throws TextError if the text is not JSON, or a key stands twice in an object
JsonValue ParseJsonText(std::string text);

} // namespace ns3::aidc

#endif // AIDC_JSON_VALUE_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_JSON_OBJECT_READER_H
#define AIDC_JSON_OBJECT_READER_H

#include "../core/workload/json-value.h"
#include "../core/workload/text-reader.h"
#include "aidc-input-error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Read JSON from a file, as ParseJsonText() does from a text. name: the name for errors.
/// @throws AidcInputError if the text is not JSON, or a key stands twice in an object
inline JsonValue
ParseJson(std::istream& stream, const std::string& name)
{
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad())
    {
        throw AidcInputError(name, 0, "a file that can be read", "read error");
    }
    try
    {
        return ParseJsonText(std::move(text));
    }
    catch (const TextError& error)
    {
        throw AidcInputError(name, error.GetLine(), error.GetExpected(), error.GetFound());
    }
}

/// Reads the members of an object, and refuses members that nobody reads.
///
/// A member "comment" is always allowed. Each error has the line of the value.
class JsonObjectReader
{
  public:
    /// name: of the file; value: outlives the reader; what: the value, as the error names it.
    /// @throws AidcInputError if it is no object
    JsonObjectReader(std::string name, const JsonValue& value, const std::string& what)
        : m_name(std::move(name)),
          m_value(value),
          m_asked({"comment"})
    {
        if (value.type != JsonValue::Type::OBJECT)
        {
            Fail(value, what + " in braces");
        }
    }

    /// Find a member. @return the value; null if there is none
    const JsonValue* Find(const std::string& key)
    {
        m_asked.push_back(key);
        return m_value.Find(key);
    }

    /// Find a member that must be there.
    const JsonValue& Require(const std::string& key)
    {
        const JsonValue* const value = Find(key);
        if (!value)
        {
            const std::string keys = JoinTexts(m_value.keys);
            Fail(m_value, "the key \"" + key + "\"", keys.empty() ? "no key" : keys);
        }
        return *value;
    }

    /// Read a whole number from min to max, at most 2^60. It may have an exponent, as in 64e6.
    uint64_t GetUnsigned(const std::string& key, uint64_t min, uint64_t max)
    {
        return ToUnsigned(Require(key), min, max, "\"" + key + "\"");
    }

    /// Read a whole number from min to max, if it is there; otherwise: what it is if it is not.
    uint64_t GetUnsigned(const std::string& key, uint64_t min, uint64_t max, uint64_t otherwise)
    {
        const JsonValue* const value = Find(key);
        return value ? ToUnsigned(*value, min, max, "\"" + key + "\"") : otherwise;
    }

    /// Read a time in seconds, if it is there. otherwise: the nanoseconds if it is not there.
    /// @return the seconds in nanoseconds, rounded
    uint64_t GetNanoseconds(const std::string& key, uint64_t otherwise)
    {
        static constexpr double MAX_SECONDS = 1e6;
        const JsonValue* const value = Find(key);
        if (!value)
        {
            return otherwise;
        }
        const double seconds =
            ToNumber(*value, 0, MAX_SECONDS, "\"" + key + "\": seconds from 0 to 1e6");
        return static_cast<uint64_t>(std::llround(seconds * 1e9));
    }

    /// Read true or false, if it is there; otherwise: what it is if it is not.
    bool GetBoolean(const std::string& key, bool otherwise)
    {
        const JsonValue* const value = Find(key);
        if (!value)
        {
            return otherwise;
        }
        if (value->type != JsonValue::Type::LITERAL || value->text == "null")
        {
            Fail(*value, "\"" + key + "\": true or false");
        }
        return value->text == "true";
    }

    /// expected: what it should be. @return the string
    const std::string& GetString(const std::string& key, const std::string& expected)
    {
        const JsonValue& value = Require(key);
        if (value.type != JsonValue::Type::STRING)
        {
            Fail(value, "\"" + key + "\": " + expected);
        }
        return value.text;
    }

    /// expected: what it should be. @return the items
    const std::vector<JsonValue>& GetArray(const std::string& key, const std::string& expected)
    {
        const JsonValue& value = Require(key);
        if (value.type != JsonValue::Type::ARRAY)
        {
            Fail(value, "\"" + key + "\": " + expected);
        }
        return value.items;
    }

    /// Read an item of an array, or any value, as a whole number from min to max.
    uint64_t ToUnsigned(const JsonValue& value,
                        uint64_t min,
                        uint64_t max,
                        const std::string& what) const
    {
        uint64_t result = 0;
        const bool isWhole =
            value.type == JsonValue::Type::NUMBER && ParseWholeNumber(value.text, result);
        if (!isWhole || result < min || result > max)
        {
            Fail(value,
                 what + ": a whole number from " + std::to_string(min) + " to " +
                     std::to_string(max));
        }
        return result;
    }

    /// Read a value as a number from min to max. expected: what it should be.
    double ToNumber(const JsonValue& value,
                    double min,
                    double max,
                    const std::string& expected) const
    {
        double number = 0;
        if (value.type != JsonValue::Type::NUMBER || !ParseNumber(value.text, number) ||
            !(number >= min && number <= max))
        {
            Fail(value, expected);
        }
        return number;
    }

    /// Refuse members that have not been asked for.
    void Finish() const
    {
        for (std::size_t i = 0; i < m_value.keys.size(); ++i)
        {
            if (std::find(m_asked.begin(), m_asked.end(), m_value.keys[i]) == m_asked.end())
            {
                Fail(m_value.items[i], "one of the keys " + JoinTexts(m_asked), m_value.keys[i]);
            }
        }
    }

    /// Throw an error at a value.
    [[noreturn]] void Fail(const JsonValue& value, const std::string& expected) const
    {
        Fail(value, expected, value.Describe());
    }

    /// The same, where something else was found than the value.
    [[noreturn]] void Fail(const JsonValue& value,
                           const std::string& expected,
                           const std::string& found) const
    {
        throw AidcInputError(m_name, value.line, expected, found);
    }

  private:
    std::string m_name;               //!< the name of the file
    const JsonValue& m_value;         //!< the object
    std::vector<std::string> m_asked; //!< the keys that have been asked for
};

} // namespace ns3::aidc

#endif // AIDC_JSON_OBJECT_READER_H

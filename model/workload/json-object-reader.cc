/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-object-reader.h"

#include "../core/workload/text-reader.h"
#include "aidc-input-error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace ns3::aidc
{

JsonValue
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

JsonObjectReader::JsonObjectReader(std::string name,
                                   const JsonValue& value,
                                   const std::string& what)
    : m_name(std::move(name)),
      m_value(value),
      m_asked({"comment"})
{
    if (value.type != JsonValue::Type::OBJECT)
    {
        Fail(value, what + " in braces");
    }
}

const JsonValue*
JsonObjectReader::Find(const std::string& key)
{
    m_asked.push_back(key);
    return m_value.Find(key);
}

const JsonValue&
JsonObjectReader::Require(const std::string& key)
{
    const JsonValue* const value = Find(key);
    if (!value)
    {
        std::string keys;
        for (const auto& other : m_value.keys)
        {
            keys += (keys.empty() ? "" : ", ") + other;
        }
        Fail(m_value, "the key \"" + key + "\"", keys.empty() ? "no key" : keys);
    }
    return *value;
}

uint64_t
JsonObjectReader::GetUnsigned(const std::string& key, uint64_t min, uint64_t max)
{
    return ToUnsigned(Require(key), min, max, "\"" + key + "\"");
}

uint64_t
JsonObjectReader::GetUnsigned(const std::string& key,
                              uint64_t min,
                              uint64_t max,
                              uint64_t otherwise)
{
    const JsonValue* const value = Find(key);
    return value ? ToUnsigned(*value, min, max, "\"" + key + "\"") : otherwise;
}

uint64_t
JsonObjectReader::GetNanoseconds(const std::string& key, uint64_t otherwise)
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

bool
JsonObjectReader::GetBoolean(const std::string& key, bool otherwise)
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

const std::string&
JsonObjectReader::GetString(const std::string& key, const std::string& expected)
{
    const JsonValue& value = Require(key);
    if (value.type != JsonValue::Type::STRING)
    {
        Fail(value, "\"" + key + "\": " + expected);
    }
    return value.text;
}

const std::vector<JsonValue>&
JsonObjectReader::GetArray(const std::string& key, const std::string& expected)
{
    const JsonValue& value = Require(key);
    if (value.type != JsonValue::Type::ARRAY)
    {
        Fail(value, "\"" + key + "\": " + expected);
    }
    return value.items;
}

uint64_t
JsonObjectReader::ToUnsigned(const JsonValue& value,
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
             what + ": a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    }
    return result;
}

double
JsonObjectReader::ToNumber(const JsonValue& value,
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

void
JsonObjectReader::Finish() const
{
    for (std::size_t i = 0; i < m_value.keys.size(); ++i)
    {
        if (std::find(m_asked.begin(), m_asked.end(), m_value.keys[i]) == m_asked.end())
        {
            std::string known;
            for (const auto& key : m_asked)
            {
                known += (known.empty() ? "" : ", ") + key;
            }
            Fail(m_value.items[i], "one of the keys " + known, m_value.keys[i]);
        }
    }
}

void
JsonObjectReader::Fail(const JsonValue& value, const std::string& expected) const
{
    Fail(value, expected, value.Describe());
}

void
JsonObjectReader::Fail(const JsonValue& value,
                       const std::string& expected,
                       const std::string& found) const
{
    throw AidcInputError(m_name, value.line, expected, found);
}

} // namespace ns3::aidc

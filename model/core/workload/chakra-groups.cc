/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-groups.h"

#include "json-value.h"
#include "number-text.h"
#include "text-error.h"

#include <cstddef>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// Take the text out of a list with one text, as Python prints it or JSON writes it, which is what
/// converters put around the list of groups. @return the text; all if there is no such list around
/// it
std::string
GetInnerText(const std::string& values)
{
    const std::size_t begin = values.find_first_not_of(" \t\r\n");
    const std::size_t end = values.find_last_not_of(" \t\r\n");
    if (begin == std::string::npos || end < begin + 3 || values[begin] != '[' ||
        values[end] != ']' || (values[begin + 1] != '"' && values[begin + 1] != '\'') ||
        values[end - 1] != values[begin + 1])
    {
        return values;
    }
    std::string text;
    for (std::size_t i = begin + 2; i < end - 1; ++i)
    {
        const bool isEscape = values[i] == '\\' && i + 1 < end - 1;
        text += values[isEscape ? ++i : i];
    }
    return text;
}

/// @return its whole number
uint64_t
ToNumber(const JsonValue& value)
{
    constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    uint64_t number = 0;
    if (value.type != JsonValue::Type::NUMBER || !ParseWholeNumber(value.text, number) ||
        number > MAX)
    {
        throw TextError(value.line, "numbers from 0 to " + std::to_string(MAX), value.Describe());
    }
    return number;
}

const JsonValue&
Require(const JsonValue& group, const std::string& key, JsonValue::Type type)
{
    const JsonValue* const value = group.Find(key);
    if (!value || value->type != type)
    {
        throw TextError(group.line,
                        "\"" + key + "\" in each process group",
                        value ? value->Describe() : "none");
    }
    return *value;
}

ChakraGroup
ReadGroup(const JsonValue& group)
{
    ChakraGroup read;
    for (const JsonValue& rank : Require(group, "ranks", JsonValue::Type::ARRAY).items)
    {
        read.ranks.push_back(static_cast<uint32_t>(ToNumber(rank)));
    }
    if (const JsonValue* const size = group.Find("group_size"))
    {
        read.size = ToNumber(*size);
    }
    return read;
}

} // namespace

std::map<std::string, ChakraGroup>
GetChakraGroups(uint32_t rank, const ChakraTrace& trace)
{
    std::map<std::string, ChakraGroup> groups;
    for (const ChakraNode& node : trace.nodes)
    {
        if (node.inputs.find("pg_name") == std::string::npos)
        {
            continue;
        }
        try
        {
            const JsonValue list = ParseJsonText(GetInnerText(node.inputs));
            if (list.type != JsonValue::Type::ARRAY)
            {
                throw TextError(list.line, "a list of objects", list.Describe());
            }
            for (const JsonValue& group : list.items)
            {
                groups[Require(group, "pg_name", JsonValue::Type::STRING).text] = ReadGroup(group);
            }
        }
        catch (const TextError& error)
        {
            throw ChakraError(rank,
                              node,
                              "tells process groups: expected " + error.GetExpected() + ", found " +
                                  error.GetFound());
        }
    }
    return groups;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-text.h"

#include "../core/workload/text-error.h"
#include "aidc-input-error.h"

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

} // namespace ns3::aidc

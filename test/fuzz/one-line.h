/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FUZZ_ONE_LINE_H
#define AIDC_FUZZ_ONE_LINE_H

#include <algorithm>
#include <string>

namespace aidcfuzz
{

/// Tell whether a message for the user is one line that a terminal shows as it is.
inline bool
IsOneLine(const std::string& message)
{
    return !message.empty() &&
           std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace aidcfuzz

#endif // AIDC_FUZZ_ONE_LINE_H

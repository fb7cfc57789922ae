// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FUZZ_REQUIRE_H
#define AIDC_FUZZ_REQUIRE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// What all fuzz targets include.

namespace ns3::aidc
{
}

namespace aidcfuzz
{

/// Check something that must hold for any input, in every kind of build. holds: whether it does; if
/// not, the program aborts, which libFuzzer takes as a find.
inline void
Require(bool holds, const char* what)
{
    if (!holds)
    {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}

/// Tell whether a message for the user is one line that a terminal shows as it is.
inline bool
IsOneLine(const std::string& message)
{
    return !message.empty() &&
           std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace aidcfuzz

using namespace ns3::aidc; // as each target would say
using aidcfuzz::IsOneLine;
using aidcfuzz::Require;

#endif // AIDC_FUZZ_REQUIRE_H

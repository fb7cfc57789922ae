/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FUZZ_REQUIRE_H
#define AIDC_FUZZ_REQUIRE_H

#include <cstdio>
#include <cstdlib>

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

} // namespace aidcfuzz

#endif // AIDC_FUZZ_REQUIRE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_REQUIRE_ARGUMENT_H
#define AIDC_REQUIRE_ARGUMENT_H

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// Refuse what a caller gives, unless it is as it must be.
/// @param holds whether it is
/// @param what what must hold, and what was found
/// @throws std::invalid_argument if it does not hold
inline void
RequireArgument(bool holds, const std::string& what)
{
    if (!holds)
    {
        throw std::invalid_argument(what);
    }
}

} // namespace ns3::aidc

#endif // AIDC_REQUIRE_ARGUMENT_H

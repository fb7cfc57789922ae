/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "printable-name.h"

#include <cstddef>

namespace ns3::aidc
{

std::string
GetPrintableName(const std::string& name)
{
    static constexpr std::size_t LONGEST = 40;
    std::string printable = name.substr(0, LONGEST);
    for (char& c : printable)
    {
        c = c >= 0x20 && c < 0x7f ? c : '?';
    }
    return printable;
}

} // namespace ns3::aidc

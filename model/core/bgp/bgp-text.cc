/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-text.h"

namespace ns3::aidc
{

std::string
GetBgpAddressText(uint32_t address)
{
    return std::to_string(address >> 24) + '.' + std::to_string(address >> 16 & 0xff) + '.' +
           std::to_string(address >> 8 & 0xff) + '.' + std::to_string(address & 0xff);
}

} // namespace ns3::aidc

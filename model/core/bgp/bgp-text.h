/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_TEXT_H
#define AIDC_BGP_TEXT_H

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Write an address, or what is written like one, as in 10.0.0.1.
 * @param address the address in host byte order
 * @return the text
 */
std::string GetBgpAddressText(uint32_t address);

} // namespace ns3::aidc

#endif // AIDC_BGP_TEXT_H

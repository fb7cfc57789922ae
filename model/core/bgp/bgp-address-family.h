/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ADDRESS_FAMILY_H
#define AIDC_BGP_ADDRESS_FAMILY_H

#include <cstdint>

namespace ns3::aidc
{

/// An address family and a subsequent one (RFC 4760).
struct BgpAddressFamily
{
    uint16_t afi{1}; //!< address family, 1: IPv4
    uint8_t safi{1}; //!< subsequent address family, 1: unicast
};

/// The only family of routes that is supported.
constexpr BgpAddressFamily BGP_IPV4_UNICAST{1, 1};

/// @brief Tell whether two families are equal.
/// @param a a family
/// @param b another family
/// @return true if both numbers are
constexpr bool
operator==(const BgpAddressFamily& a, const BgpAddressFamily& b)
{
    return a.afi == b.afi && a.safi == b.safi;
}

} // namespace ns3::aidc

#endif // AIDC_BGP_ADDRESS_FAMILY_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PREFIX_H
#define AIDC_BGP_PREFIX_H

#include "bgp-bytes.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

/// @file
/// IPv4 prefixes in BGP (RFC 4271, section 4.3).

namespace ns3::aidc
{

/// An IPv4 prefix.
struct BgpPrefix
{
    uint32_t network{0}; //!< host byte order; bits beyond the length are zero
    uint8_t length{0};   //!< bits, at most 32
};

/// @brief Tell whether two prefixes are equal.
/// @param a a prefix
/// @param b another prefix
/// @return true if network and length are
bool operator==(const BgpPrefix& a, const BgpPrefix& b);

/// @brief Order prefixes by network, then by length.
/// @param a a prefix
/// @param b another prefix
/// @return true if a comes before b
bool operator<(const BgpPrefix& a, const BgpPrefix& b);

/// Print a prefix as in 10.1.0.0/16. @return os
std::ostream& operator<<(std::ostream& os, const BgpPrefix& prefix);

/// @brief Make a prefix of an address.
/// @param address an address of it, host byte order
/// @param length bits, at most 32
/// @return the prefix, whose bits beyond the length are zero
BgpPrefix MakeBgpPrefix(uint32_t address, uint8_t length);

/// Tell whether a prefix is within a network without routes: 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/4
/// and 240.0.0.0/4 (RFC 6890). The default route is not.
/// @return whether it is
bool IsBgpMartian(const BgpPrefix& prefix);

/// Get how many bytes a prefix takes. @return 1 to 5
constexpr std::size_t
GetBgpPrefixSize(const BgpPrefix& prefix)
{
    return 1U + (prefix.length + 7U) / 8U;
}

/// @brief Encode a prefix: its length in bits, and as many bytes as these need.
/// @param [in,out] bytes the bytes to append to
/// @param prefix the prefix
void EncodeBgpPrefix(BgpBytes& bytes, const BgpPrefix& prefix);

/**
 * @brief Decode prefixes up to the end.
 *
 * Bits beyond a prefix's length are ignored (RFC 4271), and read as zeros.
 *
 * @param bytes the prefixes
 * @param [out] prefixes gets all prefixes before the first error
 * @return false if a length is above 32 or the last prefix is cut off (RFC 7606, section 5.3)
 */
bool DecodeBgpPrefixes(BgpReader bytes, std::vector<BgpPrefix>& prefixes);

} // namespace ns3::aidc

#endif // AIDC_BGP_PREFIX_H

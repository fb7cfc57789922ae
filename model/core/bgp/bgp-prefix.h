// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_PREFIX_H
#define AIDC_BGP_PREFIX_H

#include "bgp-bytes.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <tuple>
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

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(network, length);
    }
};

/// Order prefixes by network, then by length.
inline bool
operator<(const BgpPrefix& a, const BgpPrefix& b)
{
    return a.Tie() < b.Tie();
}

/// Print a prefix as in 10.1.0.0/16. @return os
std::ostream& operator<<(std::ostream& os, const BgpPrefix& prefix);

/// @return the prefix of an address, whose bits beyond the length, at most 32, are zero
BgpPrefix MakeBgpPrefix(uint32_t address, uint8_t length);

/// @return whether a prefix is within a network without routes: 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/4
///         and 240.0.0.0/4 (RFC 6890); the default route is not
bool IsBgpMartian(const BgpPrefix& prefix);

/// @return how many bytes a prefix takes: 1 to 5
constexpr std::size_t
GetBgpPrefixSize(const BgpPrefix& prefix)
{
    return 1U + (prefix.length + 7U) / 8U;
}

/// Append a prefix: its length in bits, and as many bytes as these need.
void EncodeBgpPrefix(BgpBytes& bytes, const BgpPrefix& prefix);

/// Decode prefixes up to the end.
///
/// Bits beyond a prefix's length are ignored (RFC 4271), and read as zeros.
/// @param bytes the prefixes
/// @param [out] prefixes gets all prefixes before the first error
/// @return false if a length is above 32 or the last prefix is cut off (RFC 7606, section 5.3)
bool DecodeBgpPrefixes(BgpReader bytes, std::vector<BgpPrefix>& prefixes);

} // namespace ns3::aidc

#endif // AIDC_BGP_PREFIX_H

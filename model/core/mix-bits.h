// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MIX_BITS_H
#define AIDC_MIX_BITS_H

#include <cstdint>

namespace ns3::aidc
{

/// Mix the bits of a word: each bit of the input changes about half of the bits of the result.
///
/// A bijection of the 64-bit words that is the same on every platform: the finalizer of SplitMix64
/// (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014) with its
/// increment. Not for cryptography.
/// @param word any word
/// @return the mixed word
constexpr uint64_t
MixBits(uint64_t word)
{
    word += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

} // namespace ns3::aidc

#endif // AIDC_MIX_BITS_H

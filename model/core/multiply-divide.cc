// SPDX-License-Identifier: GPL-2.0-only

#include "multiply-divide.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

namespace ns3::aidc
{

namespace
{

using boost::multiprecision::uint128_t;

/// The largest number
constexpr uint64_t LARGEST_NUMBER = std::numeric_limits<uint64_t>::max();

/// @return (a * b + add) / c, rounded down, or the largest number if it would be more; c > 0
uint64_t
Divide(uint64_t a, uint64_t b, uint64_t add, uint64_t c)
{
    // Most products fit 64 bits, which are several times as fast: packets wait for some of them.
    if (b == 0 || a <= (LARGEST_NUMBER - add) / b)
    {
        return (a * b + add) / c;
    }
    const uint128_t quotient = (uint128_t{a} * b + add) / c;
    return static_cast<uint64_t>(std::min<uint128_t>(quotient, LARGEST_NUMBER));
}

} // namespace

uint64_t
MultiplyDivide(uint64_t a, uint64_t b, uint64_t c)
{
    return Divide(a, b, 0, c);
}

uint64_t
MultiplyDivideUp(uint64_t a, uint64_t b, uint64_t c)
{
    return Divide(a, b, c - 1, c);
}

uint64_t
ComputeShare(uint64_t amount, uint64_t whole)
{
    constexpr uint64_t MILLION = 1000000;
    if (whole == 0)
    {
        return amount == 0 ? 0 : std::numeric_limits<uint64_t>::max();
    }
    return MultiplyDivide(amount, MILLION, whole);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MULTIPLY_DIVIDE_H
#define AIDC_MULTIPLY_DIVIDE_H

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Compute a * b / c exactly, rounded up, where the product may exceed 64 bits.
 *
 * Takes one step a bit of a: for settings and control frames, not for every packet.
 *
 * @param a a factor
 * @param b a factor
 * @param c the divisor, > 0 and at most 2^62
 * @return the quotient, rounded up; the largest number if it would be more
 */
constexpr uint64_t
MultiplyDivideUp(uint64_t a, uint64_t b, uint64_t c)
{
    constexpr uint64_t MOST = std::numeric_limits<uint64_t>::max();
    const uint64_t whole = b / c;
    const uint64_t part = b % c;
    uint64_t quotient = 0;
    uint64_t remainder = 0;
    // Invariant: quotient * c + remainder = (the upper bits of a) * b, and remainder < c.
    for (int bit = 63; bit >= 0; --bit)
    {
        const uint64_t add = (a >> bit) & 1U;
        remainder = 2 * remainder + add * part;
        const uint64_t carry = remainder / c + add * whole;
        remainder %= c;
        if (quotient > (MOST - carry) / 2)
        {
            return MOST;
        }
        quotient = 2 * quotient + carry;
    }
    return quotient == MOST || remainder == 0 ? quotient : quotient + 1;
}

} // namespace ns3::aidc

#endif // AIDC_MULTIPLY_DIVIDE_H

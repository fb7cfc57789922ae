/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "binary16.h"

#include <cmath>
#include <limits>

namespace ns3::aidc
{

/// The bits of BINARY16_MAX.
static constexpr uint16_t MAX_BITS = 0x7bff;

/// Round to an integer, from the middle of two to the even one, in any rounding mode. number: a
/// number, not negative and small.
static uint16_t
RoundToEven(double number)
{
    const double below = std::floor(number);
    const double rest = number - below;
    const auto integer = static_cast<uint16_t>(below);
    const bool isUp = rest > 0.5 || (rest == 0.5 && integer % 2 != 0);
    return static_cast<uint16_t>(integer + isUp);
}

uint16_t
EncodeBinary16(double number)
{
    if (std::isnan(number))
    {
        return 0x7e00;
    }
    const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
    const double size = std::fabs(number);
    if (size >= BINARY16_MAX)
    {
        return sign | MAX_BITS;
    }
    if (size < std::ldexp(1, -14))
    {
        return sign | RoundToEven(std::ldexp(size, 24)); // subnormal, in units of 2^-24
    }
    const int exponent = std::ilogb(size);
    // From 1024 to 2048, which carries into the exponent as it has to
    const uint16_t fraction = RoundToEven(std::ldexp(size, 10 - exponent));
    return static_cast<uint16_t>(sign | (((exponent + 15) << 10) + fraction - 1024));
}

double
DecodeBinary16(uint16_t bits)
{
    const int exponent = bits >> 10 & 0x1f;
    const int fraction = bits & 0x3ff;
    double size = 0;
    if (exponent == 0x1f)
    {
        size = fraction == 0 ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    }
    else
    {
        size =
            exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -size : size;
}

} // namespace ns3::aidc

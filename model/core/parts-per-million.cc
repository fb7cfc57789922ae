/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parts-per-million.h"

#include <limits>

namespace ns3::aidc
{

namespace
{

/// The largest number
constexpr uint64_t LARGEST = std::numeric_limits<uint64_t>::max();
constexpr uint32_t ONE_PPM = 1000000; ///< millionths of a whole
constexpr uint32_t ONE_BITS = 20;     ///< bits of ONE_PPM

} // namespace

uint64_t
ComputeShare(uint64_t amount, uint64_t whole)
{
    if (whole == 0)
    {
        return amount == 0 ? 0 : LARGEST;
    }
    const uint64_t wholes = amount / whole;
    const uint64_t part = amount % whole;
    if (wholes > LARGEST / ONE_PPM)
    {
        return LARGEST;
    }
    // part * 1,000,000 / whole, a bit of the million after the other: quotient * whole + rest is
    // part times the bits so far, and no sum exceeds the whole.
    uint64_t quotient = 0;
    uint64_t rest = 0;
    const auto add = [&](uint64_t summand) {
        if (rest >= whole - summand)
        {
            ++quotient;
            rest -= whole - summand;
        }
        else
        {
            rest += summand;
        }
    };
    for (uint32_t bit = ONE_BITS; bit-- > 0;)
    {
        quotient *= 2;
        add(rest);
        if ((ONE_PPM >> bit & 1U) != 0)
        {
            add(part);
        }
    }
    return quotient > LARGEST - wholes * ONE_PPM ? LARGEST : wholes * ONE_PPM + quotient;
}

} // namespace ns3::aidc

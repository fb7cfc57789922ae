/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-timing.h"

namespace ns3::aidc
{

namespace
{

constexpr uint8_t CODE_MASK = 31;               //!< codes and exponents have five bits
constexpr uint32_t RNR_UNIT = 10;               //!< microseconds
constexpr uint32_t RNR_LONGEST = 65536;         //!< units of code 0
constexpr uint64_t ACK_TIMEOUT_UNIT = 4096;     //!< nanoseconds
constexpr uint8_t LARGEST_EXPONENT = CODE_MASK; //!< of a requester's timeout

} // namespace

uint32_t
GetRnrTimerMicroseconds(uint8_t code)
{
    code &= CODE_MASK;
    if (code == 0)
    {
        return RNR_LONGEST * RNR_UNIT;
    }
    if (code < 4)
    {
        return code * RNR_UNIT;
    }
    // From 4 on, the even codes are powers of two, and the odd ones half as much again.
    return ((code % 2 == 0 ? 2U : 3U) << (code / 2 - 1)) * RNR_UNIT;
}

uint8_t
GetRnrTimerCode(uint64_t microseconds)
{
    for (uint8_t code = 1; code <= CODE_MASK; ++code)
    {
        if (GetRnrTimerMicroseconds(code) >= microseconds)
        {
            return code;
        }
    }
    return 0;
}

uint64_t
GetAckTimeoutNanoseconds(uint8_t exponent)
{
    exponent &= CODE_MASK;
    return exponent == 0 ? 0 : ACK_TIMEOUT_UNIT << exponent;
}

uint8_t
GetAckTimeoutExponent(uint64_t nanoseconds)
{
    if (nanoseconds == 0)
    {
        return 0;
    }
    uint8_t exponent = 1;
    while (exponent < LARGEST_EXPONENT && GetAckTimeoutNanoseconds(exponent) < nanoseconds)
    {
        ++exponent;
    }
    return exponent;
}

} // namespace ns3::aidc

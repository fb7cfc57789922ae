/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-timing.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

constexpr uint8_t CODE_MASK = 31;           //!< codes and exponents have five bits
constexpr uint32_t RNR_UNIT = 10;           //!< microseconds
constexpr uint32_t RNR_LONGEST = 65536;     //!< units of code 0
constexpr uint64_t ACK_TIMEOUT_UNIT = 4096; //!< nanoseconds

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

uint64_t
GetAckTimeoutNanoseconds(uint8_t exponent)
{
    exponent &= CODE_MASK;
    return exponent == 0 ? 0 : ACK_TIMEOUT_UNIT << exponent;
}

uint32_t
GetRoceWindow(const RoceWindowPath& path, uint32_t packetSize)
{
    if (path.baseRtt <= 0)
    {
        return ROCE_MIN_WINDOW;
    }
    const double time =
        2.0 * static_cast<double>(path.baseRtt) + static_cast<double>(path.queueing);
    const double packets = std::ceil(time * static_cast<double>(path.rate) / 8e9 / packetSize);
    return static_cast<uint32_t>(std::clamp<double>(packets, ROCE_MIN_WINDOW, ROCE_MAX_WINDOW));
}

} // namespace ns3::aidc

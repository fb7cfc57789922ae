/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_TIMING_H
#define AIDC_ROCE_TIMING_H

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * @brief Times that are codes in headers and attributes of queue pairs (InfiniBand Architecture
 *        Specification, volume 1, sections 9.7.5.2.8 and 9.9.2.1).
 */

namespace ns3::aidc
{

/// The value of an ACK's syndrome that carries no credits.
constexpr uint8_t ROCE_NO_CREDITS = 31;

/// @param code the code; only its lower five bits count
/// @return how long a receiver asks to wait in microseconds, from 10 (code 1) to 655360 (code 0)
uint32_t GetRnrTimerMicroseconds(uint8_t code);

/// Get the time after which a requester takes an unacknowledged packet for lost.
/// @param exponent the attribute Local ACK Timeout; only its lower five bits count
/// @return 4.096 us * 2^exponent in nanoseconds; 0 for 0, which means no timer
uint64_t GetAckTimeoutNanoseconds(uint8_t exponent);

} // namespace ns3::aidc

#endif // AIDC_ROCE_TIMING_H

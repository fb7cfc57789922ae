/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_PSN_H
#define AIDC_ROCE_PSN_H

#include <cstdint>

/**
 * @file
 * @brief Packet sequence numbers: counters of 24 bits that wrap (InfiniBand Architecture
 *        Specification, volume 1, section 9.7.2).
 *
 * Message sequence numbers are counted in the same way.
 */

namespace ns3::aidc
{

/// The bits of a packet sequence number.
constexpr uint32_t PSN_MASK = 0xffffff;

/// Half of the packet sequence numbers. A requester has fewer packets than that outstanding.
constexpr uint32_t PSN_HALF_TURN = (PSN_MASK + 1) / 2;

/// Get the distance from one packet sequence number to another.
///
/// Of two numbers that are exactly half a turn apart, each is earlier than the other, so that no
/// receiver takes such a packet for a new one.
/// @param a a number; only its lower 24 bits count
/// @param b another number, likewise
/// @return a - b, between -2^23 and 2^23 - 1; negative if a is earlier
constexpr int32_t
SubtractPsn(uint32_t a, uint32_t b)
{
    const uint32_t distance = (a - b) & PSN_MASK;
    return static_cast<int32_t>(distance ^ PSN_HALF_TURN) - static_cast<int32_t>(PSN_HALF_TURN);
}

/// @param psn a packet sequence number
/// @return a position in units of its own, for PathSignals: the number as the upper 24 bits of 32,
///         so that both wrap around together
constexpr uint32_t
GetPsnPosition(uint32_t psn)
{
    return psn << 8;
}

} // namespace ns3::aidc

#endif // AIDC_ROCE_PSN_H

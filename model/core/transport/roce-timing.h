/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_TIMING_H
#define AIDC_ROCE_TIMING_H

#include <cstdint>

/// @file
/// Times that are codes in headers and attributes of queue pairs (InfiniBand Architecture
/// Specification, volume 1, sections 9.7.5.2.8 and 9.9.2.1).

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

/// The least and the most packets that GetRoceWindow() returns.
constexpr uint32_t ROCE_MIN_WINDOW = 4096;
constexpr uint32_t ROCE_MAX_WINDOW = 1U << 22; //!< half of what packet sequence numbers tell apart

/// The parameters of GetRoceWindow().
struct RoceWindowPath
{
    int64_t baseRtt{0};  //!< round-trip time of the idle path in ns; 0 if it is not known
    int64_t queueing{0}; //!< how long packets wait in full buffers, ns
    uint64_t rate{0};    //!< the slowest link in bit/s
};

/**
 * @brief Derive the number of packets that may be unacknowledged from the path.
 *
 * It is what the slowest link carries in two idle round-trip times and the longest wait. In one of
 * the round-trip times the path is full. In the other one a lost packet is sent again and
 * acknowledged, while new packets go on.
 *
 * @param path the path
 * @param packetSize bytes of a full packet, above 0
 * @return packets, from ROCE_MIN_WINDOW, which counts if the path is not known, to ROCE_MAX_WINDOW
 */
uint32_t GetRoceWindow(const RoceWindowPath& path, uint32_t packetSize);

} // namespace ns3::aidc

#endif // AIDC_ROCE_TIMING_H

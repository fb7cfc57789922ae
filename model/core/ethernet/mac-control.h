/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MAC_CONTROL_H
#define AIDC_MAC_CONTROL_H

#include <array>
#include <cstddef>
#include <cstdint>

/**
 * @file
 * MAC control frames: PAUSE (IEEE 802.3, Annex 31B) and priority flow control (IEEE 802.3, Annex
 * 31D, for IEEE 802.1Qbb, now IEEE 802.1Q, clause 36).
 *
 * What follows the EtherType, in network byte order:
 *
 *      PAUSE                                   PFC
 *      +0   opcode 0x0001                      +0   opcode 0x0101
 *      +2   pause_time                         +2   class-enable vector: 0, e[7] ... e[0]
 *      +4   42 zeros                           +4   time[0] ... time[7], two octets each
 *                                              +20  26 zeros
 *
 * Times are in quanta of 512 bit times of the link. Checked on receipt: that all fields are there
 * and that the opcode is known. Not checked, as the standard has it: the upper octet of the vector
 * and the padding, which are ignored, and times of classes that are not enabled.
 */

namespace ns3::aidc
{

/// Octets of a MAC control frame between its EtherType and its FCS: the least that Ethernet sends.
constexpr std::size_t MAC_CONTROL_PAYLOAD_SIZE = 46;
/// The address that MAC control frames are sent to; bridges do not forward it.
constexpr std::array<uint8_t, 6> MAC_CONTROL_ADDRESS{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
/// Bit times of a pause quantum.
constexpr uint32_t PAUSE_QUANTUM_BITS = 512;
/// Priorities of priority flow control.
constexpr uint32_t PFC_PRIORITIES = 8;

/// What a MAC control frame asks for.
enum class MacControlOpcode : uint16_t
{
    PAUSE = 0x0001, //!< stop all
    PFC = 0x0101,   //!< stop some priorities
};

/// What came of decoding a MAC control frame.
enum class MacControlResult : uint8_t
{
    OK,             //!< decoded
    TOO_SHORT,      //!< the bytes end before the last field
    UNKNOWN_OPCODE, //!< neither PAUSE nor PFC; Annex 31A: such a frame is discarded
};

/**
 * @brief A MAC control frame.
 *
 * A time of 0 lets the peer send again.
 */
struct MacControlFrame
{
    MacControlOpcode opcode{MacControlOpcode::PFC}; //!< PAUSE or PFC
    uint8_t enabled{0}; //!< PFC: the priorities whose times count, bit i for priority i
    std::array<uint16_t, PFC_PRIORITIES> quanta{}; //!< times; PAUSE has its own in the first
};

/// Write a MAC control frame, from its opcode on. @return the octets between EtherType and FCS
std::array<uint8_t, MAC_CONTROL_PAYLOAD_SIZE> EncodeMacControl(const MacControlFrame& frame);

/**
 * @brief Read a MAC control frame, from its opcode on.
 * @param bytes the octets after the EtherType; may be null if length is 0
 * @param length their number
 * @param [out] frame the frame, unchanged unless the result is OK
 * @return OK, or what is wrong
 */
MacControlResult DecodeMacControl(const uint8_t* bytes, std::size_t length, MacControlFrame& frame);

/**
 * @brief Get the time that pause quanta take.
 * @param quanta the quanta
 * @param bitsPerSecond the rate of the link, > 0 and below 2^62
 * @param ticksPerSecond the unit of the result, below 2^62: 10^9 for nanoseconds
 * @return the time in ticks, rounded up so that a pause never ends early
 */
uint64_t PauseQuantaToTicks(uint16_t quanta, uint64_t bitsPerSecond, uint64_t ticksPerSecond);

} // namespace ns3::aidc

#endif // AIDC_MAC_CONTROL_H

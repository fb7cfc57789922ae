// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INVARIANT_CRC_H
#define AIDC_INVARIANT_CRC_H

#include <cstddef>
#include <cstdint>

/// @file
/// The invariant CRC of RoCEv2 over IPv4 (InfiniBand Architecture Specification, volume 1,
///        section 7.8.1 and annex A17.3.3).
///
/// It is the CRC of Ethernet over 8 bytes of ones, the IPv4 header, the UDP header, all headers
/// after it, payload and padding. Fields that routers change count as ones: the type of service,
/// the TTL and the checksum of IPv4, the checksum of UDP, and the byte of the base transport header
/// with FECN and BECN. The CRC follows the padding, least significant byte first.

namespace ns3::aidc
{

/// Bytes of the invariant CRC.
constexpr uint32_t INVARIANT_CRC_SIZE = 4;

/// Bytes from the IPv4 header to the end of the base transport header.
constexpr std::size_t INVARIANT_CRC_MIN_HEADERS = 20 + 8 + 12;

/// @return the register of Ethernet's CRC (reflected, and before the final complement) after some
/// bytes, which may be null if there are none
uint32_t AdvanceCrc32(uint32_t crc, const uint8_t* bytes, std::size_t nBytes);

/// The same after so many zeros, a digit of their number at a time.
uint32_t AdvanceCrc32OverZeros(uint32_t crc, uint32_t nBytes);

/// @return the CRC of a packet as a number, whose least significant byte is sent first. bytes: from
/// its IPv4 header, without options, on: all headers, at least INVARIANT_CRC_MIN_HEADERS, and
/// payload and padding if known; nZeros: simulated payload or padding that follows; nLeftOut: bytes
/// after the base transport header that do not count
uint32_t ComputeInvariantCrc(const uint8_t* bytes,
                             std::size_t nBytes,
                             uint32_t nZeros,
                             std::size_t nLeftOut = 0);

} // namespace ns3::aidc

#endif // AIDC_INVARIANT_CRC_H

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

/// Advance the register of Ethernet's CRC over bytes.
/// @param crc the register: reflected, and before the final complement
/// @param bytes the bytes; may be null if there are none
/// @param nBytes their number
/// @return the register after these bytes
uint32_t AdvanceCrc32(uint32_t crc, const uint8_t* bytes, std::size_t nBytes);

/// Advance the register of Ethernet's CRC over zeros, a digit of their number at a time.
/// @param crc the register: reflected, and before the final complement
/// @param nBytes how many bytes are zeros
/// @return the register after these bytes
uint32_t AdvanceCrc32OverZeros(uint32_t crc, uint32_t nBytes);

/// @param bytes the packet from its IPv4 header, which has no options: all headers, and payload and
///        padding if their bytes are known
/// @param nBytes their number, at least INVARIANT_CRC_MIN_HEADERS
/// @param nZeros the number of zeros that follow: simulated payload, padding
/// @param nLeftOut how many bytes after the base transport header do not count
/// @return the CRC as a number, whose least significant byte is sent first
uint32_t ComputeInvariantCrc(const uint8_t* bytes,
                             std::size_t nBytes,
                             uint32_t nZeros,
                             std::size_t nLeftOut = 0);

} // namespace ns3::aidc

#endif // AIDC_INVARIANT_CRC_H

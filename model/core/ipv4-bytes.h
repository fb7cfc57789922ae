// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IPV4_BYTES_H
#define AIDC_IPV4_BYTES_H

#include <array>
#include <cstddef>
#include <cstdint>

/// @file
/// An IPv4 header without options, as bytes (RFC 791, section 3.1).

namespace ns3::aidc
{

constexpr uint32_t IPV4_HEADER_SIZE = 20; //!< bytes of an IPv4 header without options
constexpr uint8_t IPV4_PLAIN_VERSION =
    0x45; //!< the first byte of such a header: version 4, 5 words
constexpr uint16_t IPV4_DONT_FRAGMENT = 0x4000; //!< the flag DF
constexpr uint16_t IPV4_OFFSET_MASK = 0x1fff;   //!< the fragment offset, in units of 8 bytes

/// The bytes of an IPv4 header without options.
using Ipv4Bytes = std::array<uint8_t, IPV4_HEADER_SIZE>;

/// Where the fields of an IPv4 header are.
struct Ipv4Offset
{
    static constexpr std::size_t VERSION = 0;      //!< version and header length
    static constexpr std::size_t TOS = 1;          //!< DSCP and ECN codepoint
    static constexpr std::size_t LENGTH = 2;       //!< total length in bytes
    static constexpr std::size_t IDENTIFIER = 4;   //!< identification
    static constexpr std::size_t FRAGMENT = 6;     //!< flags and fragment offset
    static constexpr std::size_t TTL = 8;          //!< time to live
    static constexpr std::size_t PROTOCOL = 9;     //!< protocol
    static constexpr std::size_t CHECKSUM = 10;    //!< header checksum
    static constexpr std::size_t SOURCE = 12;      //!< source address
    static constexpr std::size_t DESTINATION = 16; //!< destination address
};

/// @param bytes a packet's header @return the packet's total length in bytes
inline uint16_t
GetIpv4Length(const Ipv4Bytes& bytes)
{
    return static_cast<uint16_t>(bytes[Ipv4Offset::LENGTH] << 8 | bytes[Ipv4Offset::LENGTH + 1]);
}

/// Add up bytes as the checksums of IPv4, ICMP and TCP do (RFC 1071).
/// @param bytes the bytes
/// @param size how many there are; an odd number counts with a zero after it
/// @param sum a sum of words to begin with
/// @return the ones' complement sum of the words
inline uint16_t
SumInternetWords(const uint8_t* bytes, std::size_t size, uint64_t sum = 0)
{
    for (std::size_t i = 0; i + 1 < size; i += 2)
    {
        sum += uint32_t{bytes[i]} << 8 | bytes[i + 1];
    }
    if (size % 2 == 1)
    {
        sum += uint32_t{bytes[size - 1]} << 8;
    }
    while (sum >> 16 != 0)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<uint16_t>(sum);
}

/// @param bytes a header
/// @return the ones' complement sum of its words (RFC 1071), 0xffff if it has its right checksum
inline uint16_t
SumIpv4Words(const Ipv4Bytes& bytes)
{
    return SumInternetWords(bytes.data(), bytes.size());
}

/// Give a header its checksum. @param [in,out] bytes the header
inline void
SetIpv4Checksum(Ipv4Bytes& bytes)
{
    bytes[Ipv4Offset::CHECKSUM] = 0;
    bytes[Ipv4Offset::CHECKSUM + 1] = 0;
    const auto checksum = static_cast<uint16_t>(~SumIpv4Words(bytes));
    bytes[Ipv4Offset::CHECKSUM] = static_cast<uint8_t>(checksum >> 8);
    bytes[Ipv4Offset::CHECKSUM + 1] = static_cast<uint8_t>(checksum);
}

} // namespace ns3::aidc

#endif // AIDC_IPV4_BYTES_H

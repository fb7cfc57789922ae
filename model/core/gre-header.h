// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_GRE_HEADER_H
#define AIDC_GRE_HEADER_H

#include "protocol-numbers.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// The header of GRE (RFC 2784, section 2): flags and version, protocol type, and by the flags a
/// checksum, a key and a sequence number (RFC 2890, section 2) of 4 bytes each.
struct GreHeader
{
    static constexpr std::size_t SIZE = 4;               //!< bytes without what flags announce
    static constexpr std::size_t FIELD_SIZE = 4;         //!< bytes of each field
    static constexpr std::size_t PROTOCOL_TYPE = 2;      //!< where the EtherType of the payload is
    static constexpr uint16_t CHECKSUM_PRESENT = 0x8000; //!< flag C: checksum
    static constexpr uint16_t KEY_PRESENT = 0x2000;      //!< flag K: key
    static constexpr uint16_t SEQUENCE_PRESENT = 0x1000; //!< flag S: sequence number
    /// What must be 0: bits 1 and 4 to 5, as only RFC 1701 has had them, and the version.
    static constexpr uint16_t MUST_BE_ZERO = 0x4c07;
};

/// Find the IPv4 packet after a header of GRE.
/// @param bytes what follows the outer IPv4 header; may be null if size is 0
/// @param size the bytes that may be read there
/// @return the bytes of the header; 0 if it is incomplete, of another version, with flags of
///         RFC 1701, or if its payload is not IPv4
inline std::size_t
GetGreHeaderSize(const uint8_t* bytes, std::size_t size)
{
    if (size < GreHeader::SIZE)
    {
        return 0;
    }
    const uint16_t flags = bytes[0] << 8 | bytes[1];
    const uint16_t type =
        bytes[GreHeader::PROTOCOL_TYPE] << 8 | bytes[GreHeader::PROTOCOL_TYPE + 1];
    if ((flags & GreHeader::MUST_BE_ZERO) != 0 || type != ETHERTYPE_IPV4)
    {
        return 0;
    }
    const auto getSize = [flags](uint16_t flag) {
        return (flags & flag) != 0 ? GreHeader::FIELD_SIZE : 0;
    };
    const std::size_t headerSize = GreHeader::SIZE + getSize(GreHeader::CHECKSUM_PRESENT) +
                                   getSize(GreHeader::KEY_PRESENT) +
                                   getSize(GreHeader::SEQUENCE_PRESENT);
    return headerSize <= size ? headerSize : 0;
}

} // namespace ns3::aidc

#endif // AIDC_GRE_HEADER_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FRAGMENTATION_NEEDED_H
#define AIDC_FRAGMENTATION_NEEDED_H

#include "ipv4-bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

/// @file
/// The ICMP message by which a router tells that a packet with DF is too long for the next link
/// (RFC 1191).

namespace ns3::aidc
{

/// The least MTU of a path (RFC 1191, section 3).
constexpr uint32_t MIN_IPV4_MTU = 68;

/// The ICMP message "fragmentation needed and DF set": type 3, code 4 (RFC 1191, section 4).
struct FragmentationNeeded
{
    /// Its bytes: ICMP's header, the header of the packet, and the 8 bytes after that.
    static constexpr std::size_t SIZE = 36;

    uint16_t mtu{0};                 //!< the MTU of the next link, 0 from routers before RFC 1191
    Ipv4Bytes quoted{};              //!< the header of the packet that is too long
    std::array<uint8_t, 8> behind{}; //!< what follows this header
};

/// Write a message, with its checksum. @return its bytes after the IPv4 header
std::array<uint8_t, FragmentationNeeded::SIZE> EncodeFragmentationNeeded(
    const FragmentationNeeded& message);

/// Read a message.
/// @param bytes what follows the IPv4 header of an ICMP packet; may be null if size is 0
/// @param size the bytes there
/// @param hasChecksum whether it has a checksum
/// @return the message; none if it is another one, is incomplete, has a wrong checksum, or quotes a
///         packet that is not IPv4 or has options
std::optional<FragmentationNeeded> DecodeFragmentationNeeded(const uint8_t* bytes,
                                                             std::size_t size,
                                                             bool hasChecksum);

/// Get the path MTU that a message tells.
///
/// If the router does not tell it, it is the next of RFC 1191's plateaus (section 7.1, table 7-1)
/// below the length of the packet.
/// @param message the message
/// @return the MTU, at least MIN_IPV4_MTU; 0 if the message tells nothing, as the MTU is not below
///         the length of the packet
uint32_t GetPathMtu(const FragmentationNeeded& message);

/// Tell whether a router may answer a packet by an ICMP message about an error (RFC 1122,
/// section 3.2.2).
/// @param header its header
/// @param behind the byte that follows the header, ICMP's type
/// @return false for a message about an error, a fragment but the first one, and a source that is
///         no host
bool MayCauseIcmpError(const Ipv4Bytes& header, uint8_t behind);

} // namespace ns3::aidc

#endif // AIDC_FRAGMENTATION_NEEDED_H

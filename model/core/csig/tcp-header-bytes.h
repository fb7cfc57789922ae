// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TCP_HEADER_BYTES_H
#define AIDC_TCP_HEADER_BYTES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

/// @file
/// Find, append and remove an option in the bytes of a TCP header (RFC 9293, sections 3.1 and 3.2),
/// as a network adapter does without TCP's knowledge.

namespace ns3::aidc
{

/// The size in bytes of a TCP header without options.
constexpr std::size_t TCP_MIN_HEADER_SIZE = 20;

/// The most bytes of a TCP header: its data offset has 4 bits.
constexpr std::size_t TCP_MAX_HEADER_SIZE = 60;

/// The bytes of a TCP header, with room for all options.
struct TcpHeaderBytes
{
    std::array<uint8_t, TCP_MAX_HEADER_SIZE> bytes{}; //!< the header
    std::size_t size{0};                              //!< how many of the bytes it has
};

/// The place of an option in a header.
struct TcpOptionPlace
{
    std::size_t offset{0}; //!< of the option's kind, from the beginning of the header
    std::size_t length{0}; //!< of the option with kind and length in bytes; 0: there is none
};

/// Identifies an option: one that shares an experimental kind with others (RFC 6994), or one with a
/// kind of its own.
struct TcpExperimentalOption
{
    uint8_t kind{253};  //!< 253 or 254, or any kind without an identifier
    uint16_t exId{0};   //!< the experiment identifier, the first two bytes after the length
    bool hasExId{true}; //!< whether there is an identifier
};

/// @return the size of a header in bytes; none if it is below 20, or there are fewer bytes. size:
/// how many bytes there are.
std::optional<std::size_t> DecodeTcpHeaderSize(const uint8_t* bytes, std::size_t size);

/// Find the first option with an identifier. header: of a size that DecodeTcpHeaderSize returned.
/// @return where it is; none if the list of options is malformed: a length is below 2, exceeds the
/// header, or is wrong for a standard kind. ns-3's TCP ends the program if it gets the last of
/// these
std::optional<TcpOptionPlace> FindTcpOption(const TcpHeaderBytes& header,
                                            const TcpExperimentalOption& option);

/// Append an option after the others, which are well-formed, and pad with no-operations to whole
/// words. It replaces padding at the end of the options. The data offset is set; the checksum is
/// left as it is. @return whether there was room: false if options would exceed 40 bytes
bool AppendTcpOption(TcpHeaderBytes& header, const uint8_t* option, std::size_t length);

/// Remove an option of well-formed ones, and pad with zeros (end of options) to whole words. The
/// data offset is set; the checksum is left as it is.
void RemoveTcpOption(TcpHeaderBytes& header, const TcpOptionPlace& place);

/// Compute the checksum of a TCP segment over IPv4 (RFC 9293, section 3.1). Addresses are in host
/// byte order; segment: header and data. @return if the checksum field of the segment is 0, the
/// value for this field; if the segment is complete, 0 if its checksum is right
uint16_t ComputeTcpChecksum(uint32_t source,
                            uint32_t destination,
                            const uint8_t* segment,
                            std::size_t size);

} // namespace ns3::aidc

#endif // AIDC_TCP_HEADER_BYTES_H

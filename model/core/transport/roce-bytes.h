// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_BYTES_H
#define AIDC_ROCE_BYTES_H

#include "roce-packet.h"

#include <cstddef>
#include <cstdint>

/// @file
/// The headers of a RoCEv2 packet as bytes (InfiniBand Architecture Specification, volume 1,
///        chapter 9 and annex A17).
///
/// All fields are in network byte order:
///
///      base transport header (BTH)             RDMA extended transport header (RETH)
///      +0   opcode                             +0   virtual address, 8 bytes
///      +1   SE, M, pad count (2), version (4)  +8   remote key, 4 bytes
///      +2   P_Key, 2 bytes                     +12  length of the message, 4 bytes
///      +4   FECN, BECN, 6 reserved bits
///      +5   destination queue pair, 3 bytes    ACK extended transport header (AETH)
///      +8   A, T, 6 reserved bits              +0   syndrome
///      +9   PSN, 3 bytes                       +1   MSN, 3 bytes
///
/// BTH comes first. RETH, immediate data (4 bytes) or AETH follow if the opcode has them, then
/// payload, padding to a multiple of four, and the invariant CRC. A congestion notification packet
/// has 16 reserved bytes.
///
/// Extensions, each at most once and in this order, may follow the AETH of an acknowledgment. They
/// are not standard. An extension is a byte of kind (upper four bits) and length (lower four), as
/// many bytes as the length says, and zeros up to a multiple of four:
///
///      kind 1   length 3         the newest PSN that has arrived out of order
///      kind 2   length 1 to 8    reflection
///
/// In-band telemetry is not standard either. If T is set, the base transport header is followed by
/// INT_HEADER_SIZE bytes (int-header.h), and then by all else. The invariant CRC leaves them out,
/// as switches change them. A congestion notification packet has none, whatever T says.
///
/// Reserved bits are sent as zeros and ignored on receipt, also in a congestion notification.

namespace ns3::aidc
{

/// Bytes of the base transport header.
constexpr std::size_t ROCE_BTH_SIZE = 12;

/// The most bytes of headers after UDP without in-band telemetry. A WRITE only with immediate data
/// has as many, and so has an acknowledgment with a PSN and the largest reflection.
constexpr std::size_t ROCE_MAX_PLAIN_HEADER_SIZE = 32;

/// The most bytes of headers after UDP.
constexpr std::size_t ROCE_MAX_HEADER_SIZE = ROCE_MAX_PLAIN_HEADER_SIZE + INT_HEADER_SIZE;

/// The result of decoding the headers of a packet.
enum class RoceResult : uint8_t
{
    OK,             //!< decoded
    TOO_SHORT,      //!< the bytes end before the headers or the invariant CRC do
    BAD_VERSION,    //!< a version of the transport other than 0
    UNKNOWN_OPCODE, //!< none of RoceOpcode
    BAD_LENGTH,     //!< payload and padding are not a multiple of four, or the opcode has none
    BAD_PAD_COUNT,  //!< padding in a packet that is not its message's last, or too much
    BAD_SYNDROME,   //!< reserved, or a refusal in an opcode that can only acknowledge
    BAD_EXTENSION,  //!< an acknowledgment is followed by no valid extension
    N_RESULTS       //!< how many results there are
};

/// @param payloadSize the bytes of payload @return how many bytes of padding follow it, 0 to 3
constexpr uint32_t
GetRocePadCount(uint32_t payloadSize)
{
    return (0 - payloadSize) & 3;
}

/// @return the size of its in-band telemetry in bytes, 0 without
uint32_t GetRoceTelemetrySize(const RocePacket& packet);

/// @param packet the packet, of a known opcode
/// @return the size of its headers in bytes, after UDP and in front of the payload
uint32_t GetRoceHeaderSize(const RocePacket& packet);

/// @param packet the packet, of a known opcode
/// @return bytes after UDP: headers, payload, padding and invariant CRC
uint32_t GetRoceSize(const RocePacket& packet);

/// Encode the headers of a packet.
///
/// Upper bits of fields that are wider than on the wire are left out. Extensions are written for
/// acknowledgments only.
/// @param packet the packet, of a known opcode
/// @param [out] bytes where to write, up to ROCE_MAX_HEADER_SIZE bytes
/// @return how many bytes were written, as GetRoceHeaderSize() says
std::size_t EncodeRoce(const RocePacket& packet, uint8_t* bytes);

/// Decode the headers of a packet.
///
/// The queue pair checks what depends on its state: sizes against the path MTU, the partition, the
/// order of opcodes and numbers. The invariant CRC is not computed.
/// @param bytes the bytes after UDP, at least all headers; may be null if there are none
/// @param nBytes the number of readable bytes
/// @param size the number of bytes after UDP: headers, payload, padding and invariant CRC
/// @param [out] packet the packet, unchanged unless the result is OK
/// @return OK, or what is wrong
RoceResult DecodeRoce(const uint8_t* bytes, std::size_t nBytes, uint32_t size, RocePacket& packet);

/// The UDP port that RoCEv2 is sent to.
constexpr uint16_t ROCE_UDP_PORT = 4791;

/// Bytes of the IPv4 header, which has no options, and the UDP header.
constexpr std::size_t ROCE_DATAGRAM_HEADER_SIZE = 20 + 8;

/// The most bytes of all headers together.
constexpr std::size_t ROCE_MAX_DATAGRAM_HEADER_SIZE =
    ROCE_DATAGRAM_HEADER_SIZE + ROCE_MAX_HEADER_SIZE;

/// The IPv4 and UDP headers of a RoCEv2 packet.
///
/// Packets must not be fragmented, and UDP has no checksum.
struct RoceDatagram
{
    uint32_t source{0};         //!< IPv4 address
    uint32_t destination{0};    //!< IPv4 address
    uint16_t sourcePort{0};     //!< UDP port
    uint16_t identification{0}; //!< of the IPv4 packet
    uint8_t dscp{0};            //!< differentiated services codepoint, 6 bits
    uint8_t ecn{0};             //!< ECN codepoint, 2 bits
    uint8_t ttl{64};            //!< time to live
};

/// Get the UDP source port of a connection. It is constant, so that a network that balances
/// load by flow does not reorder the packets of the connection.
///
/// It is the port that Linux takes for connections without a connection manager: a flow label of 20
/// bits folded from the product of both numbers (rdma_calc_flow_label() of its ib_verbs.h), and
/// from the label the port (rdma_flow_label_to_udp_sport()). The exclusive or of an earlier
/// proposal gives one port to all connections of two hosts whose queue pairs are numbered alike.
/// @param sourceQp the sender's queue pair, 24 bits
/// @param destinationQp the receiver's queue pair, 24 bits
/// @return a port from 49152 on, the same in both directions
constexpr uint16_t
GetRoceSourcePort(uint32_t sourceQp, uint32_t destinationQp)
{
    uint64_t label = uint64_t{sourceQp} * destinationQp;
    label ^= label >> 20;
    label ^= label >> 40;
    return static_cast<uint16_t>(((label & 0x3fff) ^ ((label >> 14) & 0x3f)) | 0xc000);
}

/// Encode the headers of a packet, from the UDP header on.
/// @param sourcePort the source port of UDP
/// @param packet the headers after UDP, of a known opcode; all fits into an IPv4 packet
/// @param [out] bytes where to write, up to 8 + ROCE_MAX_HEADER_SIZE bytes
/// @return how many bytes were written
std::size_t EncodeRoceUdp(uint16_t sourcePort, const RocePacket& packet, uint8_t* bytes);

/// Encode the headers of a packet, from the IPv4 header on.
/// @param datagram the IPv4 and UDP headers
/// @param packet the headers after them, of a known opcode; all fits into an IPv4 packet
/// @param [out] bytes where to write, up to ROCE_MAX_DATAGRAM_HEADER_SIZE bytes
/// @return how many bytes were written
std::size_t EncodeRoceDatagram(const RoceDatagram& datagram,
                               const RocePacket& packet,
                               uint8_t* bytes);

/// Encode the end of a packet whose payload is zeros: its invariant CRC.
/// @param headers the headers, as by EncodeRoceDatagram()
/// @param nBytes their number
/// @param packet the packet
/// @param [out] bytes where to write INVARIANT_CRC_SIZE bytes
void EncodeRoceTrailer(const uint8_t* headers,
                       std::size_t nBytes,
                       const RocePacket& packet,
                       uint8_t* bytes);

} // namespace ns3::aidc

#endif // AIDC_ROCE_BYTES_H

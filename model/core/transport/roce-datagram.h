/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_DATAGRAM_H
#define AIDC_ROCE_DATAGRAM_H

#include "roce-bytes.h"
#include "roce-packet.h"

#include <cstddef>
#include <cstdint>

/// @file
/// A RoCEv2 packet with its IPv4 and UDP headers (InfiniBand Architecture Specification, volume 1,
/// annex A17.3).

namespace ns3::aidc
{

/// The UDP port that RoCEv2 is sent to.
constexpr uint16_t ROCE_UDP_PORT = 4791;

/// Bytes of the IPv4 header, which has no options, and the UDP header.
constexpr std::size_t ROCE_DATAGRAM_HEADER_SIZE = 20 + 8;

/// The most bytes of all headers together.
constexpr std::size_t ROCE_MAX_DATAGRAM_HEADER_SIZE =
    ROCE_DATAGRAM_HEADER_SIZE + ROCE_MAX_HEADER_SIZE;

/**
 * @brief The IPv4 and UDP headers of a RoCEv2 packet.
 *
 * Packets must not be fragmented, and UDP has no checksum.
 */
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

/**
 * @brief Get the UDP source port of a connection. It is constant, so that a network that balances
 *        load by flow does not reorder the packets of the connection.
 *
 * It is that of Linux for connections without a connection manager: a flow label of 20 bits folded
 * from the product of both numbers (rdma_calc_flow_label() of its ib_verbs.h), and from it the port
 * (rdma_flow_label_to_udp_sport()). The exclusive or of an earlier proposal gives one port to all
 * connections of two hosts whose queue pairs are numbered alike.
 * @param sourceQp the sender's queue pair, 24 bits
 * @param destinationQp the receiver's queue pair, 24 bits
 * @return a port from 49152 on, the same in both directions
 */
constexpr uint16_t
GetRoceSourcePort(uint32_t sourceQp, uint32_t destinationQp)
{
    uint64_t label = uint64_t{sourceQp} * destinationQp;
    label ^= label >> 20;
    label ^= label >> 40;
    return static_cast<uint16_t>(((label & 0x3fff) ^ ((label >> 14) & 0x3f)) | 0xc000);
}

/**
 * @brief Encode the headers of a packet, from the UDP header on.
 * @param sourcePort the source port of UDP
 * @param packet the headers after UDP, of a known opcode; all fits into an IPv4 packet
 * @param [out] bytes where to write, up to 8 + ROCE_MAX_HEADER_SIZE bytes
 * @return how many bytes were written
 */
std::size_t EncodeRoceUdp(uint16_t sourcePort, const RocePacket& packet, uint8_t* bytes);

/**
 * @brief Encode the headers of a packet, from the IPv4 header on.
 * @param datagram the IPv4 and UDP headers
 * @param packet the headers after them, of a known opcode; all fits into an IPv4 packet
 * @param [out] bytes where to write, up to ROCE_MAX_DATAGRAM_HEADER_SIZE bytes
 * @return how many bytes were written
 */
std::size_t EncodeRoceDatagram(const RoceDatagram& datagram,
                               const RocePacket& packet,
                               uint8_t* bytes);

/**
 * @brief Encode the end of a packet whose payload is zeros: its invariant CRC.
 * @param headers the headers, as by EncodeRoceDatagram()
 * @param nBytes their number
 * @param packet the packet
 * @param [out] bytes where to write INVARIANT_CRC_SIZE bytes
 */
void EncodeRoceTrailer(const uint8_t* headers,
                       std::size_t nBytes,
                       const RocePacket& packet,
                       uint8_t* bytes);

} // namespace ns3::aidc

#endif // AIDC_ROCE_DATAGRAM_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-datagram.h"

#include "../ipv4-bytes.h"
#include "invariant-crc.h"

#include "ns3/protocol-numbers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

constexpr uint16_t DO_NOT_FRAGMENT = 0x4000; //!< flag of IPv4

} // namespace

std::size_t
EncodeRoceUdp(uint16_t sourcePort, const RocePacket& packet, uint8_t* bytes)
{
    store_big_u16(bytes, sourcePort);
    store_big_u16(bytes + 2, ROCE_UDP_PORT);
    store_big_u16(bytes + 4, static_cast<uint16_t>(UDP_HEADER_SIZE + GetRoceSize(packet)));
    store_big_u16(bytes + 6, 0); // no checksum
    return UDP_HEADER_SIZE + EncodeRoce(packet, bytes + UDP_HEADER_SIZE);
}

std::size_t
EncodeRoceDatagram(const RoceDatagram& datagram, const RocePacket& packet, uint8_t* bytes)
{
    const auto udpSize = static_cast<uint16_t>(UDP_HEADER_SIZE + GetRoceSize(packet));
    Ipv4Bytes ipv4;
    ipv4[Ipv4Offset::VERSION] = IPV4_PLAIN_VERSION;
    ipv4[Ipv4Offset::TOS] = static_cast<uint8_t>(datagram.dscp << 2 | (datagram.ecn & 3));
    store_big_u16(&ipv4[Ipv4Offset::LENGTH], static_cast<uint16_t>(ipv4.size() + udpSize));
    store_big_u16(&ipv4[Ipv4Offset::IDENTIFIER], datagram.identification);
    store_big_u16(&ipv4[Ipv4Offset::FRAGMENT], DO_NOT_FRAGMENT);
    ipv4[Ipv4Offset::TTL] = datagram.ttl;
    ipv4[Ipv4Offset::PROTOCOL] = PROTOCOL_UDP;
    store_big_u32(&ipv4[Ipv4Offset::SOURCE], datagram.source);
    store_big_u32(&ipv4[Ipv4Offset::DESTINATION], datagram.destination);
    SetIpv4Checksum(ipv4);
    uint8_t* next = std::copy(ipv4.begin(), ipv4.end(), bytes);
    return ipv4.size() + EncodeRoceUdp(datagram.sourcePort, packet, next);
}

void
EncodeRoceTrailer(const uint8_t* headers,
                  std::size_t nBytes,
                  const RocePacket& packet,
                  uint8_t* bytes)
{
    const uint32_t nZeros = packet.payloadSize + GetRocePadCount(packet.payloadSize);
    boost::endian::store_little_u32(
        bytes,
        ComputeInvariantCrc(headers, nBytes, nZeros, GetRoceTelemetrySize(packet)));
}

} // namespace ns3::aidc

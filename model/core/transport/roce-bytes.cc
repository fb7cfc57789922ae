// SPDX-License-Identifier: GPL-2.0-only

#include "roce-bytes.h"

#include "../ipv4-bytes.h"
#include "invariant-crc.h"

#include "ns3/protocol-numbers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u24;
using boost::endian::load_big_u32;
using boost::endian::load_big_u64;
using boost::endian::store_big_u16;
using boost::endian::store_big_u24;
using boost::endian::store_big_u32;
using boost::endian::store_big_u64;

// Offsets in the base transport header
constexpr std::size_t OPCODE = 0;         //!< opcode
constexpr std::size_t FLAGS = 1;          //!< SE, M, pad count, version
constexpr std::size_t P_KEY = 2;          //!< partition
constexpr std::size_t CONGESTION = 4;     //!< FECN, BECN
constexpr std::size_t DESTINATION_QP = 5; //!< destination queue pair
constexpr std::size_t ACK_REQUEST = 8;    //!< A
constexpr std::size_t PSN = 9;            //!< packet sequence number

// Bits of its bytes
constexpr uint32_t SOLICITED_BIT = 0x80;   //!< SE
constexpr uint32_t MIGRATED_BIT = 0x40;    //!< M
constexpr uint32_t PAD_COUNT_SHIFT = 4;    //!< what is right of the pad count
constexpr uint32_t PAD_COUNT_MASK = 3;     //!< pad count, when shifted
constexpr uint32_t VERSION_MASK = 0xf;     //!< version of the transport
constexpr uint32_t FECN_BIT = 0x80;        //!< FECN
constexpr uint32_t BECN_BIT = 0x40;        //!< BECN
constexpr uint32_t ACK_REQUEST_BIT = 0x80; //!< A
constexpr uint32_t TELEMETRY_BIT = 0x40;   //!< T, in the same byte

constexpr std::size_t RETH_SIZE = 16;         //!< bytes of the RDMA extended transport header
constexpr std::size_t AETH_SIZE = 4;          //!< bytes of the ACK extended transport header
constexpr std::size_t IMMEDIATE_SIZE = 4;     //!< bytes of immediate data
constexpr std::size_t CNP_RESERVED_SIZE = 16; //!< bytes in a congestion notification

// Extensions of acknowledgments
constexpr uint8_t SELECTIVE = 0x13;    //!< kind 1, and 3 bytes
constexpr uint8_t REFLECTION = 0x20;   //!< kind 2, without its length
constexpr uint8_t LENGTH_MASK = 0xf;   //!< the bits of the length
constexpr uint32_t SELECTIVE_SIZE = 4; //!< bytes of the selective acknowledgment

constexpr uint8_t SYNDROME_KIND_MASK = 0xe0; //!< the bits of RoceSyndrome, and a reserved one

/// @return the bytes that it takes
constexpr uint32_t
GetExtensionSize(uint32_t length)
{
    return (1 + length + 3) & ~3U;
}

/// Encode the extensions of an acknowledgment. @return how many bytes were written
std::size_t
EncodeExtensions(const RocePacket& packet, uint8_t* bytes)
{
    uint8_t* const begin = bytes;
    if (packet.hasSelective)
    {
        *bytes++ = SELECTIVE;
        store_big_u24(bytes, packet.selectivePsn & PSN_MASK);
        bytes += SELECTIVE_SIZE - 1;
    }
    if (packet.reflectionSize > 0)
    {
        uint8_t* const end = bytes + GetExtensionSize(packet.reflectionSize);
        *bytes++ = REFLECTION | packet.reflectionSize;
        bytes = std::copy_n(packet.reflection.begin(), packet.reflectionSize, bytes);
        std::fill(bytes, end, 0);
        bytes = end;
    }
    return static_cast<std::size_t>(bytes - begin);
}

/// Decode what precedes the CRC. @return whether all extensions are known, once, in order
bool
DecodeExtensions(const uint8_t* bytes, std::size_t nBytes, RocePacket& packet)
{
    const uint8_t* const end = bytes + nBytes;
    if (nBytes >= SELECTIVE_SIZE && *bytes == SELECTIVE)
    {
        packet.hasSelective = true;
        packet.selectivePsn = load_big_u24(bytes + 1);
        bytes += SELECTIVE_SIZE;
    }
    if (bytes == end)
    {
        return true;
    }
    const uint8_t length = *bytes & LENGTH_MASK;
    if ((*bytes & ~LENGTH_MASK) != REFLECTION || length == 0 || length > ROCE_MAX_REFLECTION_SIZE ||
        static_cast<std::size_t>(end - bytes) != GetExtensionSize(length))
    {
        return false;
    }
    ++bytes;
    packet.reflectionSize = length;
    std::copy_n(bytes, length, packet.reflection.begin());
    return std::all_of(bytes + length, end, [](uint8_t byte) { return byte == 0; });
}

bool
IsSyndromeValid(uint8_t syndrome, RoceOpcode opcode)
{
    switch (static_cast<RoceSyndrome>(syndrome & SYNDROME_KIND_MASK))
    {
    case RoceSyndrome::ACK:
        return true;
    case RoceSyndrome::RNR:
        return opcode == RoceOpcode::ACKNOWLEDGE;
    case RoceSyndrome::NAK:
        return opcode == RoceOpcode::ACKNOWLEDGE &&
               GetRoceSyndromeValue(syndrome) <=
                   static_cast<uint8_t>(RoceNakCode::REMOTE_OPERATIONAL_ERROR);
    }
    return false;
}

} // namespace

uint32_t
GetRoceTelemetrySize(const RocePacket& packet)
{
    return packet.hasTelemetry && packet.opcode != RoceOpcode::CNP ? INT_HEADER_SIZE : 0;
}

uint32_t
GetRoceHeaderSize(const RocePacket& packet)
{
    const uint32_t size =
        GetRoceOpcodeInfo(packet.opcode).headerSize + GetRoceTelemetrySize(packet);
    return packet.opcode != RoceOpcode::ACKNOWLEDGE
               ? size
               : size + (packet.hasSelective ? SELECTIVE_SIZE : 0) +
                     (packet.reflectionSize > 0 ? GetExtensionSize(packet.reflectionSize) : 0);
}

uint32_t
GetRoceSize(const RocePacket& packet)
{
    return GetRoceHeaderSize(packet) + packet.payloadSize + GetRocePadCount(packet.payloadSize) +
           INVARIANT_CRC_SIZE;
}

std::size_t
EncodeRoce(const RocePacket& packet, uint8_t* bytes)
{
    const RoceOpcodeInfo& info = GetRoceOpcodeInfo(packet.opcode);
    bytes[OPCODE] = static_cast<uint8_t>(packet.opcode);
    bytes[FLAGS] = static_cast<uint8_t>((packet.isSolicited ? SOLICITED_BIT : 0) |
                                        (packet.isMigrated ? MIGRATED_BIT : 0) |
                                        GetRocePadCount(packet.payloadSize) << PAD_COUNT_SHIFT);
    store_big_u16(bytes + P_KEY, packet.pKey);
    bytes[CONGESTION] =
        static_cast<uint8_t>((packet.fecn ? FECN_BIT : 0) | (packet.becn ? BECN_BIT : 0));
    store_big_u24(bytes + DESTINATION_QP, packet.destinationQp & PSN_MASK);
    const bool hasTelemetry = GetRoceTelemetrySize(packet) > 0;
    bytes[ACK_REQUEST] = static_cast<uint8_t>((packet.isAckRequested ? ACK_REQUEST_BIT : 0) |
                                              (hasTelemetry ? TELEMETRY_BIT : 0));
    store_big_u24(bytes + PSN, packet.psn & PSN_MASK);
    uint8_t* next = bytes + ROCE_BTH_SIZE;
    if (hasTelemetry)
    {
        next = std::copy(packet.telemetry.begin(), packet.telemetry.end(), next);
    }
    if (info.hasReth)
    {
        store_big_u64(next, packet.virtualAddress);
        store_big_u32(next + 8, packet.remoteKey);
        store_big_u32(next + 12, packet.dmaLength);
        next += RETH_SIZE;
    }
    if (info.hasImmediate)
    {
        store_big_u32(next, packet.immediate);
        next += IMMEDIATE_SIZE;
    }
    if (info.hasAeth)
    {
        next[0] = packet.syndrome;
        store_big_u24(next + 1, packet.msn & PSN_MASK);
        next += AETH_SIZE;
    }
    if (packet.opcode == RoceOpcode::ACKNOWLEDGE)
    {
        next += EncodeExtensions(packet, next);
    }
    else if (packet.opcode == RoceOpcode::CNP)
    {
        next = std::fill_n(next, CNP_RESERVED_SIZE, 0);
    }
    return static_cast<std::size_t>(next - bytes);
}

RoceResult
DecodeRoce(const uint8_t* bytes, std::size_t nBytes, uint32_t size, RocePacket& packet)
{
    if (nBytes < ROCE_BTH_SIZE || size < ROCE_BTH_SIZE + INVARIANT_CRC_SIZE)
    {
        return RoceResult::TOO_SHORT;
    }
    const uint8_t flags = bytes[FLAGS];
    if ((flags & VERSION_MASK) != 0)
    {
        return RoceResult::BAD_VERSION;
    }
    RocePacket decoded;
    decoded.opcode = static_cast<RoceOpcode>(bytes[OPCODE]);
    const RoceOpcodeInfo& info = GetRoceOpcodeInfo(decoded.opcode);
    if (!info.isKnown)
    {
        return RoceResult::UNKNOWN_OPCODE;
    }
    decoded.hasTelemetry =
        (bytes[ACK_REQUEST] & TELEMETRY_BIT) != 0 && decoded.opcode != RoceOpcode::CNP;
    const uint32_t headerSize = info.headerSize + GetRoceTelemetrySize(decoded);
    if (nBytes < headerSize || size < headerSize + INVARIANT_CRC_SIZE)
    {
        return RoceResult::TOO_SHORT;
    }
    const uint32_t rest = size - headerSize - INVARIANT_CRC_SIZE;
    const bool isAck = decoded.opcode == RoceOpcode::ACKNOWLEDGE;
    if (rest % 4 != 0 || (rest > 0 && !info.hasPayload && !isAck))
    {
        return RoceResult::BAD_LENGTH;
    }
    const uint32_t padCount = (flags >> PAD_COUNT_SHIFT) & PAD_COUNT_MASK;
    if (padCount > 0 && (!info.hasPayload || !info.endsMessage || padCount > rest))
    {
        return RoceResult::BAD_PAD_COUNT;
    }
    decoded.isSolicited = (flags & SOLICITED_BIT) != 0;
    decoded.isMigrated = (flags & MIGRATED_BIT) != 0;
    decoded.pKey = load_big_u16(bytes + P_KEY);
    decoded.fecn = (bytes[CONGESTION] & FECN_BIT) != 0;
    decoded.becn = (bytes[CONGESTION] & BECN_BIT) != 0;
    decoded.destinationQp = load_big_u24(bytes + DESTINATION_QP);
    decoded.isAckRequested = (bytes[ACK_REQUEST] & ACK_REQUEST_BIT) != 0;
    decoded.psn = load_big_u24(bytes + PSN);
    const uint8_t* next = bytes + ROCE_BTH_SIZE;
    if (decoded.hasTelemetry)
    {
        std::copy_n(next, INT_HEADER_SIZE, decoded.telemetry.begin());
        next += INT_HEADER_SIZE;
    }
    if (info.hasReth)
    {
        decoded.virtualAddress = load_big_u64(next);
        decoded.remoteKey = load_big_u32(next + 8);
        decoded.dmaLength = load_big_u32(next + 12);
        next += RETH_SIZE;
    }
    if (info.hasImmediate)
    {
        decoded.immediate = load_big_u32(next);
    }
    if (info.hasAeth)
    {
        decoded.syndrome = next[0];
        decoded.msn = load_big_u24(next + 1);
        if (!IsSyndromeValid(decoded.syndrome, decoded.opcode))
        {
            return RoceResult::BAD_SYNDROME;
        }
        next += AETH_SIZE;
    }
    if (isAck)
    {
        if (rest > ROCE_MAX_PLAIN_HEADER_SIZE - info.headerSize)
        {
            return RoceResult::BAD_EXTENSION;
        }
        if (nBytes - headerSize < rest)
        {
            return RoceResult::TOO_SHORT;
        }
        if (!DecodeExtensions(next, rest, decoded))
        {
            return RoceResult::BAD_EXTENSION;
        }
    }
    else
    {
        decoded.payloadSize = rest - padCount;
    }
    packet = decoded;
    return RoceResult::OK;
}

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
    store_big_u16(&ipv4[Ipv4Offset::FRAGMENT], IPV4_DONT_FRAGMENT);
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

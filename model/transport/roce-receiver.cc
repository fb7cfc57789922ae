/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-receiver.h"

#include "../core/ipv4-bytes.h"
#include "../core/transport/invariant-crc.h"
#include "../core/transport/roce-datagram.h"
#include "../ethernet/ethernet-queue-item.h"

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/protocol-numbers.h"

#include <boost/endian/conversion.hpp>
#include <vector>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceReceiver");

NS_OBJECT_ENSURE_REGISTERED(RoceReceiver);

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_little_u32;

constexpr uint8_t ECN_MASK = 3; //!< the ECN codepoint
constexpr uint8_t CE = 3;       //!< congestion experienced

/// Where UDP's header has the length.
constexpr uint32_t UDP_LENGTH = 4;

/// The partition of all adapters.
constexpr uint16_t DEFAULT_PARTITION = 0xffff;

/// The bit of a partition key that says whether its owner is a full member.
constexpr uint16_t MEMBERSHIP = 0x8000;

/// Read the headers after IPv4. size: the bytes of the payload, as the IPv4 header gives them.
RoceResult
ReadHeaders(const Packet& payload, uint32_t size, RocePacket& packet)
{
    uint8_t bytes[UDP_HEADER_SIZE + ROCE_MAX_HEADER_SIZE];
    const uint32_t nBytes = payload.CopyData(bytes, sizeof(bytes));
    if (nBytes < UDP_HEADER_SIZE || size < UDP_HEADER_SIZE)
    {
        return RoceResult::TOO_SHORT;
    }
    if (load_big_u16(bytes + UDP_LENGTH) != size)
    {
        return RoceResult::BAD_LENGTH;
    }
    return DecodeRoce(bytes + UDP_HEADER_SIZE,
                      nBytes - UDP_HEADER_SIZE,
                      size - UDP_HEADER_SIZE,
                      packet);
}

/// Verify the invariant CRC at the end of a packet. size: the bytes of the payload, as the IPv4
/// header gives them. @return whether it is right
bool
HasGoodInvariantCrc(const Packet& payload,
                    uint32_t size,
                    const Ipv4Bytes& header,
                    std::size_t nLeftOut)
{
    std::vector<uint8_t> whole(header.begin(), header.end());
    whole.resize(header.size() + size);
    payload.CopyData(whole.data() + header.size(), size);
    const std::size_t end = whole.size() - INVARIANT_CRC_SIZE;
    return load_little_u32(&whole[end]) == ComputeInvariantCrc(whole.data(), end, 0, nLeftOut);
}

} // namespace

TypeId
RoceReceiver::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RoceReceiver")
                            .SetParent<EthernetFrameHandler>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RoceReceiver>();
    return tid;
}

RoceReceiver::RoceReceiver() = default;

RoceReceiver::~RoceReceiver() = default;

void
RoceReceiver::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next = nullptr;
    EthernetFrameHandler::DoDispose();
}

void
RoceReceiver::Install(EthernetNetDevice& device,
                      uint32_t address,
                      RoceArrivals& arrivals,
                      const RoceNicSettings& settings,
                      RoceNicRecord& record)
{
    NS_LOG_FUNCTION(this << address);
    m_address = address;
    m_arrivals = &arrivals;
    m_settings = &settings;
    m_record = &record;
    m_next = device.GetFrameHandler();
    device.SetFrameHandler(this);
}

bool
RoceReceiver::Handle(EthernetNetDevice& device, EthernetFrame& frame, const FrameContext& context)
{
    // A packet that arrives as a value was never written as bytes, so that no byte can be wrong.
    const bool isVerified = m_settings->isVerified || !frame.hasTransit;
    if (frame.fields.etherType != ETHERTYPE_IPV4 || !ReadDestination(frame))
    {
        return m_next && m_next->Handle(device, frame, context);
    }
    if (!m_record->delivered.IsEmpty())
    {
        m_record->delivered(TransitHeaderReader().Read(frame.transit.bytes),
                            frame.packet,
                            device.GetIfIndex());
    }
    RoceArrival arrival;
    if (ReadPacket(frame, isVerified, arrival.packet))
    {
        const uint8_t ttl = frame.transit.bytes[Ipv4Offset::TTL];
        arrival.port = device.GetIfIndex();
        arrival.source = frame.transit.flow.source;
        arrival.isMarked = (frame.transit.bytes[Ipv4Offset::TOS] & ECN_MASK) == CE;
        arrival.nHops = m_settings->timeToLive > ttl ? m_settings->timeToLive - ttl : 0U;
        arrival.context = context;
        m_arrivals->Take(arrival);
    }
    frame.packet = nullptr;
    return true;
}

bool
RoceReceiver::ReadDestination(EthernetFrame& frame) const
{
    TransitHeader read;
    if (!frame.hasTransit && !ReadTransitHeader(*frame.packet, read))
    {
        return false;
    }
    const TransitHeader& header = frame.hasTransit ? frame.transit : read;
    // The flow of IP in IP is that of the inner packet.
    if (header.flow.destinationPort != ROCE_UDP_PORT ||
        header.bytes[Ipv4Offset::PROTOCOL] != PROTOCOL_UDP || header.flow.destination != m_address)
    {
        return false;
    }
    if (!frame.hasTransit)
    {
        frame.ReadPayload(read);
    }
    return true;
}

bool
RoceReceiver::ReadPacket(const EthernetFrame& frame, bool isVerified, RocePacket& packet) const
{
    RoceNicStatistics& counted = m_record->counted;
    const Ipv4Bytes& header = frame.transit.bytes;
    const uint32_t size = GetIpv4Length(header) - static_cast<uint32_t>(header.size());
    const RoceResult result = ReadHeaders(*frame.packet, size, packet);
    if (result != RoceResult::OK)
    {
        NS_LOG_LOGIC("drops a malformed packet");
        ++counted.malformed[static_cast<std::size_t>(result)];
        return false;
    }
    if (isVerified &&
        !HasGoodInvariantCrc(*frame.packet, size, header, GetRoceTelemetrySize(packet)))
    {
        NS_LOG_LOGIC("drops a packet with a wrong invariant CRC");
        ++counted.badInvariantCrcs;
        return false;
    }
    if (((packet.pKey ^ DEFAULT_PARTITION) & ~MEMBERSHIP) != 0)
    {
        NS_LOG_LOGIC("drops a packet of another partition");
        ++counted.badPartitions;
        return false;
    }
    return true;
}

} // namespace ns3::aidc

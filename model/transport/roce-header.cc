/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-header.h"

#include "ns3/roce-bytes.h"
#include "ns3/roce-opcode.h"

#include <algorithm>
#include <array>

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(RoceHeader);

TypeId
RoceHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RoceHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RoceHeader>();
    return tid;
}

RoceHeader::RoceHeader(const RocePacket& packet)
    : m_packet(packet)
{
}

const RocePacket&
RoceHeader::GetPacket() const
{
    return m_packet;
}

TypeId
RoceHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RoceHeader::GetSerializedSize() const
{
    return GetRoceHeaderSize(m_packet);
}

void
RoceHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, ROCE_MAX_HEADER_SIZE> bytes;
    start.Write(bytes.data(), static_cast<uint32_t>(EncodeRoce(m_packet, bytes.data())));
}

uint32_t
RoceHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, ROCE_MAX_HEADER_SIZE> bytes;
    const uint32_t size = start.GetRemainingSize();
    const uint32_t nBytes = std::min<uint32_t>(size, ROCE_MAX_HEADER_SIZE);
    start.Read(bytes.data(), nBytes);
    return DecodeRoce(bytes.data(), nBytes, size, m_packet) == RoceResult::OK
               ? GetRoceHeaderSize(m_packet)
               : 0;
}

void
RoceHeader::Print(std::ostream& os) const
{
    os << GetRoceOpcodeInfo(m_packet.opcode).name << " QP " << m_packet.destinationQp << " PSN "
       << m_packet.psn;
}

} // namespace ns3::aidc

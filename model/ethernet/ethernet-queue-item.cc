/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-queue-item.h"

#include "object-pool.h"

#include "ns3/network-bytes.h"

#include <typeinfo>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Make a header of its bytes.
 * @param bytes the bytes
 * @return the header
 */
Ipv4Header
MakeHeader(const Ipv4Bytes& bytes)
{
    Ipv4Header header;
    header.SetTos(bytes[Ipv4Offset::TOS]);
    header.SetPayloadSize(
        static_cast<uint16_t>(ReadU16(&bytes[Ipv4Offset::LENGTH]) - bytes.size()));
    header.SetIdentification(ReadU16(&bytes[Ipv4Offset::IDENTIFIER]));
    if (const uint16_t fragment = ReadU16(&bytes[Ipv4Offset::FRAGMENT]))
    {
        if ((fragment & 0x4000) != 0)
        {
            header.SetDontFragment();
        }
        if ((fragment & 0x2000) != 0)
        {
            header.SetMoreFragments();
        }
        header.SetFragmentOffset((fragment & 0x1fff) * 8);
    }
    header.SetTtl(bytes[Ipv4Offset::TTL]);
    header.SetProtocol(bytes[Ipv4Offset::PROTOCOL]);
    header.SetSource(Ipv4Address(ReadU32(&bytes[Ipv4Offset::SOURCE])));
    header.SetDestination(Ipv4Address(ReadU32(&bytes[Ipv4Offset::DESTINATION])));
    return header;
}

} // namespace

uint32_t
GetIngressPort(const QueueDiscItem& item)
{
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        return static_cast<const EthernetQueueItem&>(item).GetContext().ingressPort;
    }
    FrameContextTag tag;
    return item.GetPacket()->PeekPacketTag(tag) ? tag.GetContext().ingressPort
                                                : FrameContext::NO_PORT;
}

EthernetQueueItem::EthernetQueueItem(const Ptr<Packet>& packet,
                                     const Address& destination,
                                     uint16_t etherType,
                                     const TransitHeader& header,
                                     const FrameContext& context)
    : Ipv4QueueDiscItem(packet, destination, etherType, MakeHeader(header.bytes)),
      m_context(context),
      m_header(header)
{
}

void*
EthernetQueueItem::operator new(std::size_t)
{
    return ObjectPool<EthernetQueueItem>::Allocate();
}

void
EthernetQueueItem::operator delete(void* memory)
{
    ObjectPool<EthernetQueueItem>::Free(memory);
}

uint32_t
EthernetQueueItem::GetSize() const
{
    return ReadU16(&m_header.bytes[Ipv4Offset::LENGTH]);
}

void
EthernetQueueItem::AddHeader()
{
    // Left to the port, which has UpdateHeader().
}

const TransitHeader&
EthernetQueueItem::UpdateHeader(bool hasChecksum)
{
    m_header.bytes[Ipv4Offset::TOS] = GetHeader().GetTos();
    WriteU16(0, &m_header.bytes[Ipv4Offset::CHECKSUM]);
    if (hasChecksum)
    {
        SetIpv4Checksum(m_header.bytes);
    }
    return m_header;
}

} // namespace ns3::aidc

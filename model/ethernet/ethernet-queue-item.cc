/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-queue-item.h"

#include "../core/cache-line.h"

#include <boost/endian/conversion.hpp>
#include <typeinfo>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;

} // namespace

const Ipv4Header&
TransitHeaderReader::Read(const Ipv4Bytes& bytes)
{
    const auto differs = [this, &bytes](auto load, std::size_t offset) {
        return m_isFirst || load(&bytes[offset]) != load(&m_bytes[offset]);
    };
    const auto byte = [](const uint8_t* place) { return *place; };
    if (differs(load_big_u16, Ipv4Offset::FRAGMENT))
    {
        m_isFirst = true; // the header has no way to take a flag back
        m_header = Ipv4Header();
        const uint16_t fragment = load_big_u16(&bytes[Ipv4Offset::FRAGMENT]);
        if ((fragment & 0x4000) != 0)
        {
            m_header.SetDontFragment();
        }
        if ((fragment & 0x2000) != 0)
        {
            m_header.SetMoreFragments();
        }
        m_header.SetFragmentOffset((fragment & 0x1fff) * 8);
    }
    if (differs(byte, Ipv4Offset::TOS))
    {
        m_header.SetTos(bytes[Ipv4Offset::TOS]);
    }
    if (differs(load_big_u16, Ipv4Offset::LENGTH))
    {
        m_header.SetPayloadSize(static_cast<uint16_t>(GetIpv4Length(bytes) - bytes.size()));
    }
    if (differs(load_big_u16, Ipv4Offset::IDENTIFIER))
    {
        m_header.SetIdentification(load_big_u16(&bytes[Ipv4Offset::IDENTIFIER]));
    }
    if (differs(byte, Ipv4Offset::TTL))
    {
        m_header.SetTtl(bytes[Ipv4Offset::TTL]);
    }
    if (differs(byte, Ipv4Offset::PROTOCOL))
    {
        m_header.SetProtocol(bytes[Ipv4Offset::PROTOCOL]);
    }
    if (differs(load_big_u32, Ipv4Offset::SOURCE))
    {
        m_header.SetSource(Ipv4Address(load_big_u32(&bytes[Ipv4Offset::SOURCE])));
    }
    if (differs(load_big_u32, Ipv4Offset::DESTINATION))
    {
        m_header.SetDestination(Ipv4Address(load_big_u32(&bytes[Ipv4Offset::DESTINATION])));
    }
    m_bytes = bytes;
    m_isFirst = false;
    return m_header;
}

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

FrameContext
GetFrameContext(const QueueDiscItem& item)
{
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        return static_cast<const EthernetQueueItem&>(item).GetContext();
    }
    FrameContextTag tag;
    return item.GetPacket()->PeekPacketTag(tag) ? tag.GetContext() : FrameContext();
}

EthernetQueueItem::EthernetQueueItem(const Ptr<Packet>& packet,
                                     const Address& destination,
                                     uint16_t etherType,
                                     const Ipv4Header& header,
                                     const TransitHeader& transit,
                                     const FrameContext& context)
    : Ipv4QueueDiscItem(packet, destination, etherType, header),
      m_context(context),
      m_header(transit)
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

Ptr<EthernetQueueItem>
EthernetQueueItem::CopyWithTos(uint8_t tos) const
{
    Ipv4Header header = GetHeader();
    header.SetTos(tos);
    return Create<EthernetQueueItem>(GetPacket(),
                                     GetAddress(),
                                     GetProtocol(),
                                     header,
                                     m_header,
                                     m_context);
}

uint32_t
EthernetQueueItem::GetSize() const
{
    return GetIpv4Length(m_header.bytes);
}

void
EthernetQueueItem::AddHeader()
{
    // Left to the port, which has FinishHeader().
}

const TransitHeader&
EthernetQueueItem::FinishHeader(bool hasChecksum)
{
    m_header.bytes[Ipv4Offset::TOS] = GetHeader().GetTos(); // queues may have marked the packet
    store_big_u16(&m_header.bytes[Ipv4Offset::CHECKSUM], 0);
    if (hasChecksum)
    {
        SetIpv4Checksum(m_header.bytes);
    }
    return m_header;
}

} // namespace ns3::aidc

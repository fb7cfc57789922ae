/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-queue-item.h"

#include "object-pool.h"

#include <boost/endian/conversion.hpp>
#include <cstring>
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
    const auto differs = [this, &bytes](std::size_t offset, std::size_t size) {
        return m_isFirst || std::memcmp(&bytes[offset], &m_bytes[offset], size) != 0;
    };
    if (differs(Ipv4Offset::FRAGMENT, sizeof(uint16_t)))
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
    if (differs(Ipv4Offset::TOS, sizeof(uint8_t)))
    {
        m_header.SetTos(bytes[Ipv4Offset::TOS]);
    }
    if (differs(Ipv4Offset::LENGTH, sizeof(uint16_t)))
    {
        m_header.SetPayloadSize(
            static_cast<uint16_t>(load_big_u16(&bytes[Ipv4Offset::LENGTH]) - bytes.size()));
    }
    if (differs(Ipv4Offset::IDENTIFIER, sizeof(uint16_t)))
    {
        m_header.SetIdentification(load_big_u16(&bytes[Ipv4Offset::IDENTIFIER]));
    }
    if (differs(Ipv4Offset::TTL, sizeof(uint8_t)))
    {
        m_header.SetTtl(bytes[Ipv4Offset::TTL]);
    }
    if (differs(Ipv4Offset::PROTOCOL, sizeof(uint8_t)))
    {
        m_header.SetProtocol(bytes[Ipv4Offset::PROTOCOL]);
    }
    if (differs(Ipv4Offset::SOURCE, sizeof(uint32_t)))
    {
        m_header.SetSource(Ipv4Address(load_big_u32(&bytes[Ipv4Offset::SOURCE])));
    }
    if (differs(Ipv4Offset::DESTINATION, sizeof(uint32_t)))
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
    return load_big_u16(&m_header.bytes[Ipv4Offset::LENGTH]);
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
    store_big_u16(&m_header.bytes[Ipv4Offset::CHECKSUM], 0);
    if (hasChecksum)
    {
        SetIpv4Checksum(m_header.bytes);
    }
    return m_header;
}

} // namespace ns3::aidc

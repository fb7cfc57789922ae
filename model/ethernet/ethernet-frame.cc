// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-frame.h"

#include "../core/object-pool.h"

#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <iomanip>
#include <typeinfo>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetFrame");

NS_OBJECT_ENSURE_REGISTERED(EthernetFrameHeader);
NS_OBJECT_ENSURE_REGISTERED(FrameContextTag);

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;

} // namespace

TypeId
EthernetFrameHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::EthernetFrameHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<EthernetFrameHeader>();
    return tid;
}

EthernetFrameHeader::EthernetFrameHeader(const KnownTags& known)
    : m_known(known)
{
}

uint32_t
EthernetFrameHeader::GetSerializedSize() const
{
    return static_cast<uint32_t>(m_fields.GetSize());
}

void
EthernetFrameHeader::Serialize(Buffer::Iterator start) const
{
    uint8_t bytes[EthernetFields::MAX_SIZE];
    EncodeEthernetHeader(m_fields, bytes);
    start.Write(bytes, GetSerializedSize());
}

uint32_t
EthernetFrameHeader::Deserialize(Buffer::Iterator start)
{
    uint8_t bytes[EthernetFields::MAX_SIZE];
    const auto size =
        std::min<uint32_t>(start.GetRemainingSize(), static_cast<uint32_t>(sizeof(bytes)));
    start.Read(bytes, size);
    m_isValid = DecodeEthernetHeader(bytes, size, m_known, m_fields);
    if (!m_isValid)
    {
        NS_LOG_LOGIC("Found no whole header in " << size << " bytes");
        return 0;
    }
    return GetSerializedSize();
}

void
EthernetFrameHeader::Print(std::ostream& os) const
{
    os << ToMac48Address(m_fields.source) << " > " << ToMac48Address(m_fields.destination);
    for (std::size_t i = 0; i < m_fields.nVlans; ++i)
    {
        const VlanTag& vlan = m_fields.vlans[i];
        os << " vlan=" << vlan.id << " pcp=" << +vlan.priority;
    }
    const auto flags = os.flags();
    const auto fill = os.fill('0');
    os << std::hex;
    if (m_fields.tagSize > 0)
    {
        os << " tag=";
        for (std::size_t i = 0; i < m_fields.tagSize; ++i)
        {
            os << std::setw(2) << +m_fields.tag[i];
        }
    }
    os << " type=0x" << std::setw(4) << m_fields.etherType;
    os.fill(fill);
    os.flags(flags);
}

bool
ReadTransitHeader(const Packet& packet, TransitHeader& header)
{
    uint8_t bytes[sizeof(Ipv4Bytes) + FLOW_KEY_MAX_BYTES];
    const uint32_t nBytes = packet.CopyData(bytes, sizeof(bytes));
    const auto headerSize = static_cast<uint32_t>(header.bytes.size());
    if (nBytes < headerSize || bytes[Ipv4Offset::VERSION] != IPV4_PLAIN_VERSION)
    {
        return false;
    }
    const uint32_t size = load_big_u16(bytes + Ipv4Offset::LENGTH);
    if (size < headerSize || size > packet.GetSize())
    {
        return false;
    }
    std::copy_n(bytes, headerSize, header.bytes.begin());
    const bool isFragment = (load_big_u16(bytes + Ipv4Offset::FRAGMENT) & 0x3fff) != 0;
    header.flow = DecodeFlowKey(load_big_u32(bytes + Ipv4Offset::SOURCE),
                                load_big_u32(bytes + Ipv4Offset::DESTINATION),
                                bytes[Ipv4Offset::PROTOCOL],
                                isFragment,
                                bytes + headerSize,
                                std::min(nBytes, size) - headerSize);
    return true;
}

EthernetFrame
EthernetFrame::FromBytes(const Ptr<Packet>& bytes)
{
    EthernetFrame frame;
    frame.packet = bytes;
    frame.isWritten = true;
    return frame;
}

const Ptr<Packet>&
EthernetFrame::Write()
{
    if (isWritten)
    {
        return packet;
    }
    const uint32_t padding = GetPadding();
    WritePayload();
    MakeOwn();
    EthernetFrameHeader header;
    header.GetFields() = fields;
    packet->AddHeader(header);
    AddPadding(padding);
    isWritten = true;
    return packet;
}

const Ptr<Packet>&
EthernetFrame::WritePayload()
{
    if (hasTransit)
    {
        MakeOwn();
        packet->AddHeader(WrittenHeader<Ipv4Header>(transit.bytes.data(), transit.bytes.size()));
        hasTransit = false;
    }
    return packet;
}

void
EthernetFrame::ReadPayload(const TransitHeader& header)
{
    MakeOwn();
    const uint32_t size = GetIpv4Length(header.bytes);
    if (packet->GetSize() > size)
    {
        packet->RemoveAtEnd(packet->GetSize() - size); // padding
    }
    packet->RemoveAtStart(static_cast<uint32_t>(header.bytes.size()));
    transit = header;
    hasTransit = true;
}

bool
EthernetFrame::Read(const KnownTags& known)
{
    if (!isWritten && IsReadAsWritten(fields, known))
    {
        return true;
    }
    Write();
    // Not by RemoveHeader(): ns-3 reads headers byte by byte.
    uint8_t bytes[EthernetFields::MAX_SIZE];
    EthernetFields read;
    if (!DecodeEthernetHeader(bytes, packet->CopyData(bytes, sizeof(bytes)), known, read))
    {
        return false;
    }
    MakeOwn();
    packet->RemoveAtStart(static_cast<uint32_t>(read.GetSize()));
    fields = read;
    isWritten = false;
    return true;
}

Ptr<Packet>
EthernetFrame::TakePayload()
{
    const uint32_t padding = GetPadding();
    WritePayload();
    AddPadding(padding);
    return std::exchange(packet, nullptr);
}

uint32_t
EthernetFrame::GetPadding() const
{
    return GetSize() - static_cast<uint32_t>(fields.GetSize()) - GetPayloadSize();
}

void
EthernetFrame::AddPadding(uint32_t size)
{
    if (size > 0)
    {
        MakeOwn();
        // Not Packet::AddPaddingAtEnd(): its bytes are those that happen to be in memory, and
        // packets that are printed do not know of them.
        packet->AddAtEnd(Create<Packet>(size));
    }
}

void
EthernetFrame::MakeOwn()
{
    if (packet->GetReferenceCount() > 1)
    {
        packet = packet->Copy(); // somebody else has kept it
    }
}

TypeId
FrameContextTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::FrameContextTag")
                            .SetParent<Tag>()
                            .SetGroupName("Aidc")
                            .AddConstructor<FrameContextTag>();
    return tid;
}

FrameContextTag::FrameContextTag(const FrameContext& context)
    : m_context(context)
{
    NS_LOG_FUNCTION(this << context.ingressPort << +context.priority << +context.tagSize);
}

uint32_t
FrameContextTag::GetSerializedSize() const
{
    return 8 + EthernetFields::MAX_TAG + 1 + 1 + 2;
}

void
FrameContextTag::Serialize(TagBuffer i) const
{
    i.WriteU64(static_cast<uint64_t>(m_context.arrival));
    i.Write(m_context.tag.data(), EthernetFields::MAX_TAG);
    i.WriteU8(m_context.tagSize);
    i.WriteU8(m_context.priority);
    i.WriteU16(m_context.ingressPort);
}

void
FrameContextTag::Deserialize(TagBuffer i)
{
    m_context.arrival = static_cast<int64_t>(i.ReadU64());
    i.Read(m_context.tag.data(), EthernetFields::MAX_TAG);
    m_context.tagSize = i.ReadU8();
    m_context.priority = i.ReadU8();
    m_context.ingressPort = i.ReadU16();
}

void
FrameContextTag::Print(std::ostream& os) const
{
    os << "port=" << m_context.ingressPort << " arrival=" << TimeStep(m_context.arrival)
       << " priority=" << +m_context.priority << " tag=" << +m_context.tagSize << "B";
}

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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-queue-item.h"

#include "ns3/network-bytes.h"

#include <typeinfo>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t TOS = 1;       ///< where the DSCP and the ECN codepoint are
constexpr uint32_t TTL = 8;       ///< where the TTL is
constexpr uint32_t CHECKSUM = 10; ///< where the checksum is

/**
 * @brief Make a header of its bytes.
 * @param bytes the bytes, without options
 * @param ttl the TTL
 * @return the header
 */
Ipv4Header
MakeHeader(const EthernetQueueItem::HeaderBytes& bytes, uint8_t ttl)
{
    Ipv4Header header;
    header.SetTos(bytes[TOS]);
    header.SetPayloadSize(ReadU16(&bytes[2]) - EthernetQueueItem::HEADER_SIZE);
    header.SetIdentification(ReadU16(&bytes[4]));
    const uint16_t fragment = ReadU16(&bytes[6]);
    if ((fragment & 0x4000) != 0)
    {
        header.SetDontFragment();
    }
    if ((fragment & 0x2000) != 0)
    {
        header.SetMoreFragments();
    }
    if ((fragment & 0x1fff) != 0)
    {
        header.SetFragmentOffset((fragment & 0x1fff) * 8);
    }
    header.SetTtl(ttl);
    header.SetProtocol(bytes[9]);
    header.SetSource(Ipv4Address::Deserialize(&bytes[12]));
    header.SetDestination(Ipv4Address::Deserialize(&bytes[16]));
    return header;
}

/**
 * @brief Writes the bytes of an IPv4 header; to all who read it, it is an Ipv4Header.
 */
class Ipv4Bytes : public Header
{
  public:
    /**
     * @brief Constructor.
     * @param bytes the bytes
     */
    explicit Ipv4Bytes(const EthernetQueueItem::HeaderBytes& bytes)
        : m_bytes(bytes)
    {
    }

    TypeId GetInstanceTypeId() const override
    {
        return Ipv4Header::GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return EthernetQueueItem::HEADER_SIZE;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes.data(), EthernetQueueItem::HEADER_SIZE);
    }

    uint32_t Deserialize(Buffer::Iterator) override
    {
        return 0; // it is written only
    }

    void Print(std::ostream& os) const override
    {
        os << m_bytes.size() << " bytes";
    }

  private:
    const EthernetQueueItem::HeaderBytes& m_bytes; //!< the bytes
};

/**
 * @brief Compute the checksum of a header (RFC 791, section 3.1).
 * @param bytes the header, whose checksum is 0
 * @return the checksum
 */
uint16_t
ComputeChecksum(const EthernetQueueItem::HeaderBytes& bytes)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2)
    {
        sum += ReadU16(&bytes[i]);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>(~(sum + (sum >> 16)));
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
                                     const HeaderBytes& header,
                                     uint8_t ttl,
                                     const FrameContext& context)
    : Ipv4QueueDiscItem(packet, destination, etherType, MakeHeader(header, ttl)),
      m_context(context),
      m_bytes(header),
      m_size(packet->GetSize() + HEADER_SIZE)
{
    m_bytes[TTL] = ttl;
}

uint32_t
EthernetQueueItem::GetSize() const
{
    return m_size;
}

void
EthernetQueueItem::AddHeader()
{
    // Left to the port, by WriteHeader().
}

void
EthernetQueueItem::WriteHeader(Packet& packet, bool hasChecksum)
{
    m_bytes[TOS] = GetHeader().GetTos();
    m_bytes[CHECKSUM] = 0;
    m_bytes[CHECKSUM + 1] = 0;
    if (hasChecksum)
    {
        const uint16_t checksum = ComputeChecksum(m_bytes);
        m_bytes[CHECKSUM] = static_cast<uint8_t>(checksum >> 8);
        m_bytes[CHECKSUM + 1] = static_cast<uint8_t>(checksum);
    }
    packet.AddHeader(Ipv4Bytes(m_bytes));
}

} // namespace ns3::aidc

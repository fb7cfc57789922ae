/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-frame-header.h"

#include "mac-bytes.h"

#include "ns3/log.h"

#include <algorithm>
#include <iomanip>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetFrameHeader");

NS_OBJECT_ENSURE_REGISTERED(EthernetFrameHeader);

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

} // namespace ns3::aidc

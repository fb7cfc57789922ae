// SPDX-License-Identifier: GPL-2.0-only

#include "roce-header.h"

#include "ns3/log.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <iomanip>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceHeader");

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

void
RoceHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, UDP_HEADER_SIZE + ROCE_MAX_HEADER_SIZE> bytes;
    start.Write(bytes.data(),
                static_cast<uint32_t>(EncodeRoceUdp(m_sourcePort, m_packet, bytes.data())));
}

uint32_t
RoceHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t size = start.GetRemainingSize();
    std::array<uint8_t, UDP_HEADER_SIZE + ROCE_MAX_HEADER_SIZE> bytes;
    const uint32_t nBytes = std::min(size, static_cast<uint32_t>(bytes.size()));
    start.Read(bytes.data(), nBytes);
    if (nBytes < UDP_HEADER_SIZE)
    {
        NS_LOG_LOGIC("Expected " << UDP_HEADER_SIZE << " bytes of UDP, found " << nBytes);
        return 0;
    }
    const RoceResult result = DecodeRoce(&bytes[UDP_HEADER_SIZE],
                                         nBytes - UDP_HEADER_SIZE,
                                         size - UDP_HEADER_SIZE,
                                         m_packet);
    if (result != RoceResult::OK)
    {
        NS_LOG_LOGIC("Found no RoCEv2 in " << size << " bytes: RoceResult "
                                           << static_cast<unsigned>(result));
        return 0;
    }
    m_sourcePort = boost::endian::load_big_u16(bytes.data());
    return GetSerializedSize();
}

void
RoceHeader::Print(std::ostream& os) const
{
    os << "UDP " << m_sourcePort << " > " << ROCE_UDP_PORT << " "
       << GetRoceOpcodeInfo(m_packet.opcode).name << " QP " << m_packet.destinationQp << " PSN "
       << m_packet.psn;
}

NS_OBJECT_ENSURE_REGISTERED(RoceTrailer);

TypeId
RoceTrailer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RoceTrailer")
                            .SetParent<Trailer>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RoceTrailer>();
    return tid;
}

void
RoceTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(INVARIANT_CRC_SIZE);
    end.Write(m_bytes.data(), INVARIANT_CRC_SIZE);
}

uint32_t
RoceTrailer::Deserialize(Buffer::Iterator end)
{
    NS_LOG_FUNCTION(this);
    end.Prev(INVARIANT_CRC_SIZE);
    end.Read(m_bytes.data(), INVARIANT_CRC_SIZE);
    return INVARIANT_CRC_SIZE;
}

void
RoceTrailer::Print(std::ostream& os) const
{
    const auto flags = os.flags();
    os << "ICRC" << std::hex << std::setfill('0');
    for (const uint8_t byte : m_bytes)
    {
        os << ' ' << std::setw(2) << static_cast<unsigned>(byte);
    }
    os.flags(flags);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-trailer.h"

#include "ns3/log.h"

#include <iomanip>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceTrailer");

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

RoceTrailer::RoceTrailer(const Bytes& bytes)
    : m_bytes(bytes)
{
}

const RoceTrailer::Bytes&
RoceTrailer::GetBytes() const
{
    return m_bytes;
}

TypeId
RoceTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RoceTrailer::GetSerializedSize() const
{
    return INVARIANT_CRC_SIZE;
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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-reflection-header.h"

#include "ns3/log.h"

#include <algorithm>
#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigReflectionHeader");

NS_OBJECT_ENSURE_REGISTERED(CsigReflectionHeader);

TypeId
CsigReflectionHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigReflectionHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigReflectionHeader>();
    return tid;
}

CsigReflectionHeader::CsigReflectionHeader(const CsigReflection& reflection)
    : m_reflection(reflection),
      m_size(static_cast<uint32_t>(GetCsigReflectionSize(
          reflection.fields ? reflection.fields->format : CsigFormat::COMPACT)))
{
}

void
CsigReflectionHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, CSIG_MAX_REFLECTION_SIZE> bytes{};
    EncodeCsigReflection(m_reflection, bytes.data());
    start.Write(bytes.data(), m_size);
}

uint32_t
CsigReflectionHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, CSIG_MAX_REFLECTION_SIZE> bytes{};
    const auto size =
        std::min<uint32_t>(start.GetRemainingSize(), static_cast<uint32_t>(bytes.size()));
    start.Read(bytes.data(), size);
    m_size = static_cast<uint32_t>(DecodeCsigReflection(bytes.data(), size, m_reflection));
    if (m_size == 0)
    {
        NS_LOG_LOGIC("Found no reflection in " << size << " bytes");
    }
    return m_size;
}

void
CsigReflectionHeader::Print(std::ostream& os) const
{
    if (m_reflection.fields)
    {
        os << *m_reflection.fields;
    }
    else
    {
        os << "invalid";
    }
    os << (m_reflection.untagged ? " untagged" : "");
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-tag.h"

#include "../core/require-argument.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigTag");

NS_OBJECT_ENSURE_REGISTERED(CsigTag);

TypeId
CsigTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigTag")
                            .SetParent<Tag>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigTag>();
    return tid;
}

CsigTag::CsigTag(const CsigFields& fields)
{
    SetFields(fields);
}

void
CsigTag::SetFields(const CsigFields& fields)
{
    NS_LOG_FUNCTION(this << fields);
    AIDC_REFUSED_UNLESS(CanEncodeCsig(fields),
                        "The CSIG fields " << fields << " do not fit the bits of their format");
    m_fields = fields;
}

uint32_t
CsigTag::GetSerializedSize() const
{
    return 4 * sizeof(uint8_t) + sizeof(uint16_t) + sizeof(uint32_t);
}

void
CsigTag::Serialize(TagBuffer buffer) const
{
    // One size for both formats, so that a tag can be replaced where it is
    buffer.WriteU8(static_cast<uint8_t>(m_fields.format));
    buffer.WriteU8(m_fields.type);
    buffer.WriteU8(m_fields.reserved);
    buffer.WriteU16(m_fields.locator);
    buffer.WriteU32(m_fields.value);
    buffer.WriteU8(m_isRequest ? 1 : 0);
}

void
CsigTag::Deserialize(TagBuffer buffer)
{
    m_fields.format = static_cast<CsigFormat>(buffer.ReadU8());
    m_fields.type = buffer.ReadU8();
    m_fields.reserved = buffer.ReadU8();
    m_fields.locator = buffer.ReadU16();
    m_fields.value = buffer.ReadU32();
    m_isRequest = buffer.ReadU8() != 0;
}

} // namespace ns3::aidc

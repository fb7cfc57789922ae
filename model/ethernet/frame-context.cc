/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-context.h"

#include "ns3/log.h"
#include "ns3/nstime.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFrameContext");

NS_OBJECT_ENSURE_REGISTERED(FrameContextTag);

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

} // namespace ns3::aidc

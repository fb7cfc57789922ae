/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-port-class.h"

#include "../core/require-argument.h"
#include "shared-buffer-queue-disc.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSwitchPortClass");

NS_OBJECT_ENSURE_REGISTERED(SwitchPortClass);

TypeId
SwitchPortClass::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SwitchPortClass")
            .SetParent<QueueDiscClass>()
            .SetGroupName("Aidc")
            .AddConstructor<SwitchPortClass>()
            .AddAttribute("Quantum",
                          "Bytes that the class may send a round of deficit round robin; 0 gives "
                          "it strict priority over the classes with a quantum and over those with "
                          "a lower number. Read at initialization.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SwitchPortClass::m_quantum),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("Lossless",
                          "Whether the class's packets are charged to the ports that they came in "
                          "by, whose peers can be told to stop, and not to the class. Read at "
                          "initialization.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SwitchPortClass::m_isLossless),
                          MakeBooleanChecker())
            .AddAttribute("BufferQueue",
                          "The class's share of the shared buffer, with its limits as attributes.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SwitchPortClass::GetBufferQueue),
                          MakePointerChecker<SharedBufferQueue>());
    return tid;
}

void
SwitchPortClass::SetQueue(Ptr<Object> queue)
{
    NS_LOG_FUNCTION(this << queue);
    if (const auto own = DynamicCast<SharedBufferQueueDisc>(queue))
    {
        m_share = own->GetBufferQueue();
        m_queueDiscType = own->GetInstanceTypeId();
    }
    else if (const auto marking = DynamicCast<MarkingQueue>(queue))
    {
        m_share = marking;
    }
    else
    {
        const auto queueDisc = DynamicCast<QueueDisc>(queue);
        AIDC_REFUSED_UNLESS(queueDisc,
                            "SwitchPortClass: expected a queue disc or a ns3::aidc::MarkingQueue, "
                            "found "
                                << queue->GetInstanceTypeId().GetName());
        SetQueueDisc(queueDisc);
    }
}

Ptr<MarkingQueue>
SwitchPortClass::GetQueue() const
{
    return DynamicCast<MarkingQueue>(m_share);
}

Ptr<SharedBufferQueue>
SwitchPortClass::GetBufferQueue() const
{
    if (!m_share)
    {
        m_share = CreateObject<SharedBufferQueue>();
    }
    return m_share;
}

} // namespace ns3::aidc

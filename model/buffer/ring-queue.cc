/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-queue.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRingQueue");

NS_OBJECT_ENSURE_REGISTERED(RingQueue);

TypeId
RingQueue::GetTypeId()
{
    // The parent is not Queue<QueueDiscItem>, whose trace sources of these names only its own
    // functions can fire.
    static TypeId tid = TypeId("ns3::aidc::RingQueue")
                            .SetParent<QueueBase>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RingQueue>()
                            .AddTraceSource("Enqueue",
                                            "A packet is enqueued.",
                                            MakeTraceSourceAccessor(&RingQueue::m_enqueueTrace),
                                            "ns3::QueueDiscItem::TracedCallback")
                            .AddTraceSource("Dequeue",
                                            "A packet is dequeued.",
                                            MakeTraceSourceAccessor(&RingQueue::m_dequeueTrace),
                                            "ns3::QueueDiscItem::TracedCallback")
                            .AddTraceSource("Drop",
                                            "A packet is dropped.",
                                            MakeTraceSourceAccessor(&RingQueue::m_dropTrace),
                                            "ns3::QueueDiscItem::TracedCallback")
                            .AddTraceSource("DropBeforeEnqueue",
                                            "A packet is dropped before it is enqueued: never.",
                                            MakeTraceSourceAccessor(&RingQueue::m_dropBeforeTrace),
                                            "ns3::QueueDiscItem::TracedCallback")
                            .AddTraceSource("DropAfterDequeue",
                                            "A packet is dropped after it was dequeued.",
                                            MakeTraceSourceAccessor(&RingQueue::m_dropAfterTrace),
                                            "ns3::QueueDiscItem::TracedCallback");
    return tid;
}

RingQueue::RingQueue()
    : m_packets(1)
{
    NS_LOG_FUNCTION(this);
}

RingQueue::~RingQueue()
{
    NS_LOG_FUNCTION(this);
    Clear();
}

void
RingQueue::Clear()
{
    for (uint32_t i = 0; i < m_packets.GetNClasses(); ++i)
    {
        while (auto* item = m_packets.Pop(i))
        {
            item->Unref();
        }
    }
}

void
RingQueue::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Clear();
    Queue<QueueDiscItem>::DoDispose();
}

void
RingQueue::SetNClasses(uint32_t nClasses)
{
    NS_LOG_FUNCTION(this << nClasses);
    Clear();
    m_packets = Packets(nClasses);
}

void
RingQueue::Push(uint32_t index, const Ptr<QueueDiscItem>& item, uint32_t bytes)
{
    m_packets.Push(index, GetPointer(item));
    m_nBytes += bytes;
    m_nTotalReceivedBytes += bytes;
    m_nPackets++;
    m_nTotalReceivedPackets++;
    m_enqueueTrace(item);
}

Ptr<QueueDiscItem>
RingQueue::Pop(uint32_t index, uint32_t& bytes)
{
    Ptr<QueueDiscItem> item(m_packets.Pop(index), false);
    if (item)
    {
        bytes = item->GetSize();
        m_nBytes -= bytes;
        m_nPackets--;
        m_dequeueTrace(item);
    }
    return item;
}

bool
RingQueue::Enqueue(Ptr<QueueDiscItem> item)
{
    Push(0, item, item->GetSize());
    return true;
}

Ptr<QueueDiscItem>
RingQueue::Dequeue()
{
    uint32_t bytes = 0;
    return Pop(0, bytes);
}

Ptr<QueueDiscItem>
RingQueue::Remove()
{
    uint32_t size = 0;
    auto item = Pop(0, size);
    if (item)
    {
        NS_LOG_LOGIC("Drop " << item << ": removed");
        m_nTotalDroppedPackets++;
        m_nTotalDroppedPacketsAfterDequeue++;
        m_nTotalDroppedBytes += size;
        m_nTotalDroppedBytesAfterDequeue += size;
        // As ns-3's queues do: it is out of the queue, and then dropped.
        m_dropTrace(item);
        m_dropAfterTrace(item);
    }
    return item;
}

} // namespace ns3::aidc

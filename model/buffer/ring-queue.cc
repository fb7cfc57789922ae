/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

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

RingQueue::RingQueue() = default;

RingQueue::~RingQueue() = default;

void
RingQueue::DoDispose()
{
    m_first = nullptr;
    m_others.clear();
    Queue<QueueDiscItem>::DoDispose();
}

void
RingQueue::Push(const Ptr<QueueDiscItem>& item)
{
    if (!m_first)
    {
        m_first = item;
    }
    else
    {
        if (m_others.full())
        {
            constexpr std::size_t FIRST = 8;
            m_others.set_capacity(std::max(FIRST, 2 * m_others.capacity()));
        }
        m_others.push_back(item);
    }
    const uint32_t size = item->GetSize();
    m_nBytes += size;
    m_nTotalReceivedBytes += size;
    m_nPackets++;
    m_nTotalReceivedPackets++;
}

Ptr<QueueDiscItem>
RingQueue::Pop()
{
    auto item = std::exchange(m_first, nullptr);
    if (!item)
    {
        return nullptr;
    }
    if (m_nPackets.Get() > 1)
    {
        m_first = std::move(m_others.front());
        m_others.pop_front();
    }
    m_nBytes -= item->GetSize();
    m_nPackets--;
    return item;
}

bool
RingQueue::Enqueue(Ptr<QueueDiscItem> item)
{
    Push(item);
    m_enqueueTrace(item);
    return true;
}

Ptr<QueueDiscItem>
RingQueue::Dequeue()
{
    auto item = Pop();
    if (item)
    {
        m_dequeueTrace(item);
    }
    return item;
}

Ptr<QueueDiscItem>
RingQueue::Remove()
{
    auto item = Pop();
    if (item)
    {
        const uint32_t size = item->GetSize();
        m_nTotalDroppedPackets++;
        m_nTotalDroppedPacketsAfterDequeue++;
        m_nTotalDroppedBytes += size;
        m_nTotalDroppedBytesAfterDequeue += size;
        // As ns-3's queues do: it is out of the queue, and then dropped.
        m_dequeueTrace(item);
        m_dropTrace(item);
        m_dropAfterTrace(item);
    }
    return item;
}

Ptr<const QueueDiscItem>
RingQueue::Peek() const
{
    return m_first;
}

} // namespace ns3::aidc

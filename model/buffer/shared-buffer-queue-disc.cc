/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer-queue-disc.h"

#include "../core/require-argument.h"
#include "mirrored-attributes.h"
#include "ring-queue.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/value-checker.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBufferQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueueDisc);

TypeId
SharedBufferQueueDisc::GetTypeId()
{
    static TypeId tid = MirrorQueue(
        TypeId("ns3::aidc::SharedBufferQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Aidc")
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the queue disc makes for itself when "
                          "its node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&SharedBufferQueueDisc::m_bufferSize),
                          MakeByteSizeChecker(1))
            .AddAttribute("BufferQueue",
                          "The queue, with its policy and its share of the buffer as attributes.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SharedBufferQueueDisc::GetBufferQueue),
                          MakePointerChecker<MarkingQueue>()),
        MarkingQueue::GetTypeId(),
        SharedBufferQueue::GetTypeId());
    return tid;
}

TypeId
SharedBufferQueueDisc::MirrorQueue(TypeId tid, TypeId queue, TypeId base)
{
    return MirrorAttributes(tid, queue, base, [](ObjectBase* object) -> Object* {
        auto queueDisc = dynamic_cast<SharedBufferQueueDisc*>(object);
        return queueDisc ? PeekPointer(queueDisc->m_queue) : nullptr;
    });
}

SharedBufferQueueDisc::SharedBufferQueueDisc(Ptr<MarkingQueue> queue)
    : BufferedQueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE, QueueSizeUnit::BYTES),
      m_queue(queue)
{
    NS_LOG_FUNCTION(this << queue);
}

int64_t
SharedBufferQueueDisc::AssignStreams(int64_t stream)
{
    return m_queue->AssignStreams(stream);
}

PortBufferUse
SharedBufferQueueDisc::GetBufferUse() const
{
    return GetUse(*m_queue);
}

bool
SharedBufferQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const uint32_t bytes = item->GetSize();
    if (const char* reason = m_queue->AdmitPacket(item, bytes))
    {
        DropBeforeEnqueue(item, reason);
        return false;
    }
    m_packets->Push(0, item, bytes);
    return true;
}

Ptr<QueueDiscItem>
SharedBufferQueueDisc::DoDequeue()
{
    uint32_t bytes = 0;
    auto item = m_packets->Pop(0, bytes);
    if (item)
    {
        m_queue->ReleasePacket(item, bytes);
    }
    return item;
}

Ptr<const QueueDiscItem>
SharedBufferQueueDisc::DoPeek()
{
    return m_packets->Peek();
}

bool
SharedBufferQueueDisc::CheckConfig()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(GetNInternalQueues() > 0 || GetNQueueDiscClasses() > 0 ||
                        GetNPacketFilters() > 0,
                    GetInstanceTypeId().GetName()
                        << " takes no internal queues, no classes and no packet filters");
    RefuseMirroredDefaults(m_queue->GetInstanceTypeId(),
                           SharedBufferQueue::GetTypeId(),
                           GetInstanceTypeId());
    // What may be queued is up to the shared buffer alone.
    AddPackets(1);
    return true;
}

void
SharedBufferQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    m_queue->Open(*this, FindPort());
}

} // namespace ns3::aidc

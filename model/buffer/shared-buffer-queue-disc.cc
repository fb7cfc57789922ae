/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer-queue-disc.h"

#include "ring-queue.h"
#include "switch-port-info.h"

#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBufferQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueueDisc);

TypeId
SharedBufferQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SharedBufferQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Aidc")
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the queue disc makes for itself when "
                          "its node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&SharedBufferQueueDisc::m_bufferSize),
                          MakeQueueSizeChecker())
            .AddAttribute("BufferQueue",
                          "The queue's share of the buffer, with its limits as attributes.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SharedBufferQueueDisc::GetBufferQueue),
                          MakePointerChecker<SharedBufferQueue>());
    return tid;
}

SharedBufferQueueDisc::SharedBufferQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE, QueueSizeUnit::BYTES),
      m_queueOwner(CreateObject<SharedBufferQueue>())
{
    NS_LOG_FUNCTION(this);
    m_queue = PeekPointer(m_queueOwner);
}

SharedBufferQueueDisc::~SharedBufferQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

PortBufferUse
SharedBufferQueueDisc::GetBufferUse() const
{
    return m_queue->GetUse();
}

void
SharedBufferQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_device = nullptr;
    QueueDisc::DoDispose();
}

void
SharedBufferQueueDisc::SetSharedBuffer(Ptr<SharedBuffer> buffer)
{
    m_buffer = buffer;
}

Ptr<SharedBuffer>
SharedBufferQueueDisc::GetSharedBuffer() const
{
    return m_buffer;
}

Ptr<SharedBufferQueue>
SharedBufferQueueDisc::GetBufferQueue() const
{
    return m_queueOwner;
}

void
SharedBufferQueueDisc::SetDevice(Ptr<NetDevice> device)
{
    m_device = device;
}

Ptr<NetDevice>
SharedBufferQueueDisc::GetDevice() const
{
    return m_device;
}

bool
SharedBufferQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const Admission admission = m_queue->Admit(item->GetSize());
    if (admission != Admission::ADMITTED && admission != Admission::HEADROOM)
    {
        DropBeforeEnqueue(item, SharedBufferQueue::GetDropReason(admission));
        return false;
    }
    if (const char* reason = DoAdmit(item))
    {
        m_queue->Release(item->GetSize());
        DropBeforeEnqueue(item, reason);
        return false;
    }
    return m_packets->Enqueue(item);
}

Ptr<QueueDiscItem>
SharedBufferQueueDisc::DoDequeue()
{
    auto item = m_packets->Dequeue();
    if (item)
    {
        m_queue->Release(item->GetSize());
        DoRelease();
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
    if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0)
    {
        NS_LOG_ERROR(GetInstanceTypeId().GetName() << " takes no classes and no packet filters");
        return false;
    }
    if (GetNInternalQueues() == 0)
    {
        // What may be queued is up to the shared buffer alone.
        AddInternalQueue(CreateObject<RingQueue>());
    }
    if (GetNInternalQueues() != 1)
    {
        NS_LOG_ERROR(GetInstanceTypeId().GetName() << " needs one internal queue");
        return false;
    }
    m_packets = PeekPointer(GetInternalQueue(0));
    if (!m_device)
    {
        m_device = FindNetDevice(this);
    }
    return true;
}

void
SharedBufferQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    if (!m_buffer)
    {
        m_buffer = FindOrMakeSharedBuffer(m_device, m_bufferSize);
    }
    m_buffer->AddQueue(m_queueOwner);
}

} // namespace ns3::aidc

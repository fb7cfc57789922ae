// SPDX-License-Identifier: GPL-2.0-only

#include "buffered-queue-disc.h"

#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBufferedQueueDisc");

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

namespace
{

/// Tell whether a queue disc is the root or below the root.
bool
Contains(const QueueDisc* root, const QueueDisc* queueDisc)
{
    if (root == queueDisc)
    {
        return true;
    }
    for (std::size_t i = 0; root && i < root->GetNQueueDiscClasses(); ++i)
    {
        if (Contains(PeekPointer(root->GetQueueDiscClass(i)->GetQueueDisc()), queueDisc))
        {
            return true;
        }
    }
    return false;
}

/// Find the device that a queue disc serves. @return the device, null if there is none
Ptr<NetDevice>
FindNetDevice(const QueueDisc* queueDisc)
{
    if (auto interface = queueDisc->GetNetDeviceQueueInterface())
    {
        return interface->GetObject<NetDevice>();
    }
    const uint32_t context = Simulator::GetContext();
    if (context >= NodeList::GetNNodes())
    {
        return nullptr;
    }
    const auto node = NodeList::GetNode(context);
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; layer && i < node->GetNDevices(); ++i)
    {
        const auto root = layer->GetRootQueueDiscOnDevice(node->GetDevice(i));
        if (Contains(PeekPointer(root), queueDisc))
        {
            return node->GetDevice(i);
        }
    }
    return nullptr;
}

} // namespace

void
BufferedQueueDisc::DoDispose()
{
    m_packets = nullptr;
    QueueDisc::DoDispose();
}

void
BufferedQueueDisc::AddPackets(uint32_t nClasses)
{
    const auto packets = CreateObject<RingQueue>();
    packets->SetNClasses(nClasses);
    AddInternalQueue(packets);
    m_packets = PeekPointer(packets);
}

Ptr<NetDevice>
BufferedQueueDisc::FindPort()
{
    const auto device = FindNetDevice(this);
    if (!m_buffer && device)
    {
        m_buffer = device->GetNode()->GetObject<SharedBuffer>();
    }
    if (!m_buffer)
    {
        m_buffer = CreateObjectWithAttributes<SharedBuffer>("Size", QueueSizeValue(m_bufferSize));
    }
    return device;
}

PortBufferUse
BufferedQueueDisc::GetUse(const SharedBufferQueue& queue) const
{
    PortBufferUse use;
    use.held = queue.GetOccupancy();
    use.limit = queue.GetThreshold();
    use.share = m_buffer->GetSize() / m_buffer->GetNQueues();
    return use;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBuffer");

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);
NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueue);

namespace
{

/// What indices of devices stay below, against tables of a senseless size.
constexpr uint32_t MAX_PORTS = 65535;

/// No static bound.
constexpr uint64_t NO_CAP = std::numeric_limits<uint64_t>::max();

} // namespace

QueueSize
ToQueueSize(uint64_t bytes)
{
    return QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes));
}

bool
GetBytes(QueueSize size, uint64_t& bytes)
{
    if (size.GetUnit() != QueueSizeUnit::BYTES)
    {
        NS_LOG_ERROR("Expected a size in bytes, such as 100kB, found " << size);
        return false;
    }
    bytes = size.GetValue();
    return true;
}

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SharedBuffer")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<SharedBuffer>()
            .AddAttribute(
                "Size",
                "All memory, in bytes.",
                QueueSizeValue(QueueSize("12MB")),
                MakeQueueSizeAccessor(&SharedBuffer::SetSize, &SharedBuffer::GetSizeAttribute),
                MakeQueueSizeChecker())
            .AddAttribute(
                "PollInterval",
                "Interval at which the thresholds that marking engines see are sampled; "
                "0 lets them see the current ones.",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&SharedBuffer::SetPollInterval, &SharedBuffer::GetPollInterval),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("QueueList",
                          "The queues that draw on this buffer.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&SharedBuffer::m_queues),
                          MakeObjectVectorChecker<SharedBufferQueue>())
            .AddAttribute("IngressList",
                          "The accounts of what lossless classes hold, in the order of addition.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&SharedBuffer::m_ingresses),
                          MakeObjectVectorChecker<IngressBuffer>())
            .AddTraceSource("Used",
                            "Bytes held by all queues.",
                            MakeTraceSourceAccessor(&SharedBuffer::m_usedTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback");
    return tid;
}

SharedBuffer::SharedBuffer()
    : m_pool(0),
      m_ingressPool(m_pool)
{
    NS_LOG_FUNCTION(this);
}

SharedBuffer::~SharedBuffer()
{
    NS_LOG_FUNCTION(this);
}

void
SharedBuffer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_pollEvent.Cancel();
    m_queues.clear();
    for (const auto& ingress : m_ingresses)
    {
        ingress->SetPauseCallback(IngressBuffer::PauseCallback());
    }
    Object::DoDispose();
}

void
SharedBuffer::AddQueue(Ptr<SharedBufferQueue> queue)
{
    NS_LOG_FUNCTION(this << queue);
    NS_ABORT_MSG_IF(queue->m_buffer, "The queue belongs to a shared buffer already");
    queue->m_id = m_pool.AddQueue();
    NS_ABORT_MSG_UNLESS(m_pool.SetLimits(queue->m_id, queue->m_limits),
                        "A queue cannot have " << queue->m_limits.reserved << " bytes reserved and "
                                               << queue->m_limits.headroom
                                               << " bytes of headroom: the shared buffer of "
                                               << GetSize() << " bytes does not have them");
    queue->m_buffer = this;
    queue->m_pool = &m_pool;
    m_queues.push_back(queue);
    // The trace tells changes from here on.
    queue->m_lastThreshold = queue->GetThreshold();
    Poll();
}

void
SharedBuffer::OpenIngress(Ptr<IngressBuffer> ingress)
{
    NS_ABORT_MSG_IF(ingress->m_pool, "The ingress account belongs to a shared buffer already");
    NS_ABORT_MSG_UNLESS(ingress->Open(m_ingressPool),
                        "An ingress port cannot have "
                            << ingress->GetReserved() << " reserved and " << ingress->GetHeadroom()
                            << " of headroom: the shared buffer of " << GetSize()
                            << " bytes does not have them");
    m_ingresses.push_back(ingress);
    Poll();
}

void
SharedBuffer::AddIngress(uint32_t port, uint32_t priority, Ptr<IngressBuffer> ingress)
{
    NS_LOG_FUNCTION(this << port << priority << ingress);
    NS_ABORT_MSG_IF(priority >= PRIORITIES,
                    "There is no priority " << priority << ", expected 0 to " << PRIORITIES - 1);
    NS_ABORT_MSG_IF(port >= MAX_PORTS,
                    "There is no port " << port << ", expected less than " << MAX_PORTS);
    if (port >= m_ingressOf.size())
    {
        m_ingressOf.resize(port + 1);
    }
    NS_ABORT_MSG_IF(m_ingressOf[port][priority],
                    "Port " << port << " has an ingress account for priority " << priority
                            << " already");
    OpenIngress(ingress);
    m_ingressOf[port][priority] = PeekPointer(ingress);
}

Ptr<IngressBuffer>
SharedBuffer::GetIngress(uint32_t port, uint32_t priority)
{
    NS_ABORT_MSG_IF(priority >= PRIORITIES,
                    "There is no priority " << priority << ", expected 0 to " << PRIORITIES - 1);
    return Ptr<IngressBuffer>(FindIngress(port, priority));
}

IngressBuffer*
SharedBuffer::GetOtherIngress()
{
    if (!m_otherIngress)
    {
        const auto ingress = CreateObject<IngressBuffer>();
        OpenIngress(ingress);
        m_otherIngress = PeekPointer(ingress);
    }
    return m_otherIngress;
}

uint32_t
SharedBuffer::GetNQueues() const
{
    return static_cast<uint32_t>(m_queues.size());
}

Ptr<SharedBufferQueue>
SharedBuffer::GetQueue(uint32_t index) const
{
    return m_queues.at(index);
}

uint64_t
SharedBuffer::GetSize() const
{
    return m_pool.GetSize();
}

uint64_t
SharedBuffer::GetUsed() const
{
    return m_pool.GetUsed();
}

uint64_t
SharedBuffer::GetFree() const
{
    return m_pool.GetFree();
}

bool
SharedBuffer::SetSize(QueueSize size)
{
    uint64_t bytes = 0;
    if (!GetBytes(size, bytes) || bytes == 0 || !m_pool.SetSize(bytes))
    {
        NS_LOG_ERROR("A shared buffer cannot have the size " << size);
        return false;
    }
    Poll();
    return true;
}

QueueSize
SharedBuffer::GetSizeAttribute() const
{
    return ToQueueSize(m_pool.GetSize());
}

void
SharedBuffer::SetPollInterval(Time interval)
{
    NS_LOG_FUNCTION(this << interval);
    m_pollInterval = interval;
    m_pollEvent.Cancel();
    Poll();
}

Time
SharedBuffer::GetPollInterval() const
{
    return m_pollInterval;
}

void
SharedBuffer::WarnOnce(const std::string& kind, const std::string& text)
{
    if (std::find(m_warned.begin(), m_warned.end(), kind) == m_warned.end())
    {
        m_warned.push_back(kind);
        std::cerr << "aidc: warning: " << text << std::endl;
    }
}

void
SharedBuffer::NotifyUse()
{
    const uint64_t used = m_pool.GetUsed();
    if (used != m_lastUsed)
    {
        m_usedTrace(m_lastUsed, used);
        m_lastUsed = used;
    }
    if (IsPolled() && m_pollEvent.IsExpired())
    {
        // At the next multiple of the interval. Without an arrival or a departure thresholds do not
        // change, so the timer rests until then, and a simulation without an end still ends.
        const int64_t interval = m_pollInterval.GetTimeStep();
        const int64_t sinceLast = Simulator::Now().GetTimeStep() % interval;
        m_pollEvent =
            Simulator::Schedule(TimeStep(interval - sinceLast), &SharedBuffer::Poll, this);
    }
}

void
SharedBuffer::Poll()
{
    for (const auto& queue : m_queues)
    {
        queue->m_polledThreshold = queue->GetThreshold();
    }
}

TypeId
SharedBufferQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SharedBufferQueue")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<SharedBufferQueue>()
            .AddAttribute(
                "Alpha",
                "Factor of the dynamic threshold: the queue may occupy this many times "
                "the free shared memory.",
                DoubleValue(1.0),
                MakeDoubleAccessor(&SharedBufferQueue::SetAlpha, &SharedBufferQueue::GetAlpha),
                MakeDoubleChecker<double>(1.0 / 65536, 65536))
            .AddAttribute("Reserved",
                          "Bytes set aside for this queue alone.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&SharedBufferQueue::SetReserved,
                                                &SharedBufferQueue::GetReserved),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "Cap",
                "Static upper bound of the queue in bytes, headroom apart; 0 is none.",
                QueueSizeValue(QueueSize("0B")),
                MakeQueueSizeAccessor(&SharedBufferQueue::SetCap, &SharedBufferQueue::GetCap),
                MakeQueueSizeChecker())
            .AddAttribute("Headroom",
                          "Bytes set aside for what still arrives after a lossless queue has been "
                          "paused.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&SharedBufferQueue::SetHeadroom,
                                                &SharedBufferQueue::GetHeadroom),
                          MakeQueueSizeChecker())
            .AddTraceSource("Occupancy",
                            "Bytes held by the queue.",
                            MakeTraceSourceAccessor(&SharedBufferQueue::m_occupancyTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback")
            .AddTraceSource("Threshold",
                            "Buf_Thrd after an arrival at the queue or a departure from it; what "
                            "other queues do to it in between is told then.",
                            MakeTraceSourceAccessor(&SharedBufferQueue::m_thresholdTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback");
    return tid;
}

SharedBufferQueue::SharedBufferQueue()
{
    NS_LOG_FUNCTION(this);
}

SharedBufferQueue::~SharedBufferQueue()
{
    NS_LOG_FUNCTION(this);
}

void
SharedBufferQueue::SetChargedElsewhere(bool elsewhere)
{
    ChangeLimits([elsewhere](BufferLimits& limits) { limits.chargedElsewhere = elsewhere; });
}

Ptr<SharedBuffer>
SharedBufferQueue::GetBuffer() const
{
    return m_buffer;
}

const BufferLimits&
SharedBufferQueue::GetLimits() const
{
    return m_limits;
}

PortBufferUse
SharedBufferQueue::GetUse() const
{
    PortBufferUse use;
    use.held = GetOccupancy();
    use.limit = GetThreshold();
    use.share = m_buffer->GetSize() / m_buffer->GetNQueues();
    return use;
}

Admission
SharedBufferQueue::Admit(uint32_t bytes)
{
    const Admission admission = m_pool->Admit(m_id, bytes);
    if (admission == Admission::ADMITTED || admission == Admission::HEADROOM)
    {
        NotifyChange();
    }
    return admission;
}

void
SharedBufferQueue::Release(uint32_t bytes)
{
    m_pool->Release(m_id, bytes);
    NotifyChange();
}

void
SharedBufferQueue::Follow(uint32_t bytes)
{
    const uint64_t occupancy = GetOccupancy();
    if (bytes > occupancy)
    {
        // Into the headroom where Check has said so.
        const uint64_t more = bytes - occupancy;
        const Admission admission = m_pool->Admit(m_id, more);
        if (admission != Admission::ADMITTED && admission != Admission::HEADROOM)
        {
            m_pool->Force(m_id, more);
        }
    }
    else if (bytes < occupancy)
    {
        m_pool->Release(m_id, occupancy - bytes);
    }
    NotifyChange();
}

const char*
SharedBufferQueue::GetDropReason(Admission admission)
{
    switch (admission)
    {
    case Admission::OVER_CAP:
        return CAP_DROP;
    case Admission::BUFFER_EXHAUSTED:
        return EXHAUSTED_DROP;
    default:
        return THRESHOLD_DROP;
    }
}

void
SharedBufferQueue::NotifyChange()
{
    const uint64_t occupancy = GetOccupancy();
    if (occupancy != m_lastOccupancy)
    {
        m_occupancyTrace(m_lastOccupancy, occupancy);
        m_lastOccupancy = occupancy;
    }
    if (!m_thresholdTrace.IsEmpty())
    {
        const uint64_t threshold = GetThreshold();
        if (threshold != m_lastThreshold)
        {
            m_thresholdTrace(m_lastThreshold, threshold);
            m_lastThreshold = threshold;
        }
    }
    m_buffer->NotifyUse();
}

template <typename Change>
bool
SharedBufferQueue::ChangeLimits(Change change)
{
    BufferLimits limits = m_limits;
    change(limits);
    if (m_pool && !m_pool->SetLimits(m_id, limits))
    {
        NS_LOG_ERROR("The shared buffer does not have " << limits.reserved << " bytes reserved and "
                                                        << limits.headroom
                                                        << " bytes of headroom for the queue");
        return false;
    }
    m_limits = limits;
    if (m_buffer)
    {
        NS_LOG_INFO("Reconfigured at " << Simulator::Now().As(Time::S) << ": alpha " << limits.alpha
                                       << ", reserved " << limits.reserved << " B, cap " << GetCap()
                                       << ", headroom " << limits.headroom << " B");
        m_buffer->Poll();
    }
    return true;
}

bool
SharedBufferQueue::SetAlpha(double alpha)
{
    return ChangeLimits([alpha](BufferLimits& limits) { limits.alpha = alpha; });
}

double
SharedBufferQueue::GetAlpha() const
{
    return m_limits.alpha;
}

bool
SharedBufferQueue::SetReserved(QueueSize bytes)
{
    uint64_t value = 0;
    return GetBytes(bytes, value) &&
           ChangeLimits([value](BufferLimits& limits) { limits.reserved = value; });
}

QueueSize
SharedBufferQueue::GetReserved() const
{
    return ToQueueSize(m_limits.reserved);
}

bool
SharedBufferQueue::SetCap(QueueSize bytes)
{
    uint64_t value = 0;
    return GetBytes(bytes, value) && ChangeLimits([value](BufferLimits& limits) {
               limits.cap = value == 0 ? NO_CAP : value;
           });
}

QueueSize
SharedBufferQueue::GetCap() const
{
    return ToQueueSize(m_limits.cap == NO_CAP ? 0 : m_limits.cap);
}

bool
SharedBufferQueue::SetHeadroom(QueueSize bytes)
{
    uint64_t value = 0;
    return GetBytes(bytes, value) &&
           ChangeLimits([value](BufferLimits& limits) { limits.headroom = value; });
}

QueueSize
SharedBufferQueue::GetHeadroom() const
{
    return ToQueueSize(m_limits.headroom);
}

} // namespace ns3::aidc

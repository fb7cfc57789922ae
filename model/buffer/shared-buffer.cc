/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer.h"

#include "../attribute-report.h"
#include "../core/require-argument.h"
#include "../try-set-attribute.h"
#include "queue-size-bytes.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBuffer");

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

namespace
{

/// What indices of devices stay below, against tables of a senseless size.
constexpr uint32_t MAX_PORTS = 65535;

} // namespace

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
                MakeByteSizeChecker(1))
            .AddAttribute(
                "PollInterval",
                "Interval at which the thresholds that marking engines see are sampled; "
                "0 lets them see the current ones.",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&SharedBuffer::SetPollInterval, &SharedBuffer::GetPollInterval),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute(
                "DecreaseAtOnce",
                "Whether marking engines see a threshold that decreases between two polls "
                "at once, and only an increase at the next poll (section 6.1 of the draft "
                "on dynamic ECN thresholds: err on the low side).",
                BooleanValue(false),
                MakeBooleanAccessor(&SharedBuffer::SetDecreaseAtOnce,
                                    &SharedBuffer::GetDecreaseAtOnce),
                MakeBooleanChecker())
            .AddAttribute("QueueList",
                          "The queues that draw on this buffer.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&SharedBuffer::m_queues),
                          MakeObjectVectorChecker<SharedBufferQueue>())
            .AddAttribute("IngressList",
                          "The accounts of the bytes that lossless classes hold, in the order of "
                          "addition.",
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
    queue->Join(*this, m_pool);
    m_queues.push_back(queue);
    SetPolling(*queue);
    queue->Poll();
    NotifyLimits();
}

void
SharedBuffer::OpenIngress(Ptr<IngressBuffer> ingress)
{
    if (!ingress->Open(m_ingressPool))
    {
        std::ostringstream text;
        text << "An ingress port cannot have " << ToQueueSize(ingress->GetLimits().reserved)
             << " reserved and " << ToQueueSize(ingress->GetLimits().headroom)
             << " of headroom: the shared buffer of " << GetSize() << " bytes does not have them ("
             << PrintSetAttributes(*ingress) << ")";
        throw std::invalid_argument(text.str());
    }
    m_ingresses.push_back(ingress);
    NotifyLimits();
}

void
SharedBuffer::AddIngress(uint32_t port, uint32_t priority, Ptr<IngressBuffer> ingress)
{
    NS_LOG_FUNCTION(this << port << priority << ingress);
    AIDC_REFUSED_IF(priority >= PRIORITIES,
                    "There is no priority " << priority << ", expected 0 to " << PRIORITIES - 1);
    AIDC_REFUSED_IF(port >= MAX_PORTS,
                    "There is no port " << port << ", expected less than " << MAX_PORTS);
    if (port >= m_ingressOf.size())
    {
        m_ingressOf.resize(port + 1);
    }
    AIDC_REFUSED_IF(m_ingressOf[port][priority],
                    "Port " << port << " has an ingress account for priority " << priority
                            << " already");
    OpenIngress(ingress);
    m_ingressOf[port][priority] = PeekPointer(ingress);
}

Ptr<IngressBuffer>
SharedBuffer::GetIngress(uint32_t port, uint32_t priority)
{
    AIDC_REFUSED_IF(priority >= PRIORITIES,
                    "There is no priority " << priority << ", expected 0 to " << PRIORITIES - 1);
    return Ptr<IngressBuffer>(FindIngress(port, priority));
}

std::vector<IngressLimits>
SharedBuffer::GetIngressLimits(uint32_t priority) const
{
    std::vector<IngressLimits> limits;
    for (const auto& port : m_ingressOf)
    {
        const auto ingress = port[priority];
        if (ingress && ingress->GetLimits().headroom > 0)
        {
            limits.push_back(ingress->GetLimits());
        }
    }
    return limits;
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

bool
SharedBuffer::SetSize(QueueSize size)
{
    return TrySetAttribute(*this, [this, size] {
        const uint64_t bytes = GetBytes(size);
        if (bytes == 0 || !m_pool.SetSize(bytes))
        {
            throw std::invalid_argument(
                "Size: a shared buffer cannot have " + std::to_string(bytes) +
                " bytes; expected more than 0, and at least what is set aside");
        }
        NotifyLimits();
        for (const auto& queue : m_queues)
        {
            queue->NotifyLimits();
        }
    });
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
    for (const auto& queue : m_queues)
    {
        SetPolling(*queue);
    }
    Poll();
}

void
SharedBuffer::SetDecreaseAtOnce(bool atOnce)
{
    NS_LOG_FUNCTION(this << atOnce);
    m_decreaseAtOnce = atOnce;
    for (const auto& queue : m_queues)
    {
        SetPolling(*queue);
    }
}

void
SharedBuffer::NotifyPolledUse()
{
    m_leastFree = std::min(m_leastFree, m_pool.GetFree());
    SchedulePoll();
}

void
SharedBuffer::NotifyLimits()
{
    if (!IsPolled())
    {
        return;
    }
    if (GetTimeSincePoll() == 0)
    {
        Poll();
        return;
    }
    m_leastFree = std::min(m_leastFree, m_pool.GetFree());
    SchedulePoll();
}

int64_t
SharedBuffer::GetTimeSincePoll() const
{
    return Simulator::Now().GetTimeStep() % m_pollInterval.GetTimeStep();
}

void
SharedBuffer::SchedulePoll()
{
    if (m_pollEvent.IsExpired())
    {
        // At the next multiple of the interval. Without an arrival, a departure or new limits,
        // thresholds do not change, so the timer rests until then, and a simulation without an end
        // still ends.
        m_pollEvent = Simulator::Schedule(m_pollInterval - TimeStep(GetTimeSincePoll()),
                                          &SharedBuffer::Poll,
                                          this);
    }
}

void
SharedBuffer::SetPolling(SharedBufferQueue& queue) const
{
    queue.SetPolling(IsPolled(), m_decreaseAtOnce ? &m_leastFree : nullptr);
}

void
SharedBuffer::Poll()
{
    m_leastFree = m_pool.GetFree();
    for (const auto& queue : m_queues)
    {
        queue->Poll();
    }
}

} // namespace ns3::aidc

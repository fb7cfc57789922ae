/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer-queue.h"

#include "../attribute-accessors.h"
#include "../attribute-report.h"
#include "../core/require-argument.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBufferQueue");

NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueue);

namespace
{

/// No static bound.
constexpr uint64_t NO_CAP = std::numeric_limits<uint64_t>::max();

/// @throws std::invalid_argument if a queue of a pool may not have a factor
void
CheckAlpha(const BufferPool& pool, double alpha)
{
    if (!pool.IsAlpha(alpha))
    {
        throw std::invalid_argument("Alpha: expected a power of two "
                                    "(ns3::aidc::SharedBuffer::PowerOfTwoAlphas), found " +
                                    std::to_string(alpha));
    }
}

/// Get the attribute Cap. @return the static bound in bytes, 0 for none
QueueSize
GetCap(const BufferLimits& limits)
{
    return ToQueueSize(limits.cap == NO_CAP ? 0 : limits.cap);
}

} // namespace

TypeId
SharedBufferQueue::GetTypeId()
{
    using C = SharedBufferQueue;
    using Limits = BufferLimits;
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
                MakeSettingsAccessor<DoubleValue>(&C::m_limits, &Limits::alpha, &C::ChangeLimits),
                MakeDoubleChecker<double>(1.0 / 65536, 65536))
            .AddAttribute("Reserved",
                          "Bytes set aside for this queue alone.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                               &Limits::reserved,
                                                               &C::ChangeLimits),
                          MakeByteSizeChecker())
            .AddAttribute("Cap",
                          "Static upper bound of the queue in bytes, headroom apart; 0 is none.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeFunctionAccessor<C, QueueSizeValue>(
                              [](const C& queue) { return GetCap(queue.m_limits); },
                              [](C& queue, const QueueSizeValue& value) {
                                  const uint64_t bytes = GetBytes(value.Get());
                                  BufferLimits limits = queue.m_limits;
                                  limits.cap = bytes == 0 ? NO_CAP : bytes;
                                  queue.ChangeLimits(limits);
                              }),
                          MakeByteSizeChecker())
            .AddAttribute("Headroom",
                          "Bytes set aside for the packets that still arrive after a lossless "
                          "queue has been paused.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                               &Limits::headroom,
                                                               &C::ChangeLimits),
                          MakeByteSizeChecker())
            .AddTraceSource("Occupancy",
                            "Bytes held by the queue.",
                            MakeTraceSourceAccessor(&C::m_occupancyTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback")
            .AddTraceSource("Threshold",
                            "Buf_Thrd after an arrival at the queue or a departure from it. "
                            "Changes by other queues in between are told then.",
                            MakeTraceSourceAccessor(&C::m_thresholdTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback");
    return tid;
}

void
SharedBufferQueue::Join(SharedBufferOwner& buffer, BufferPool& pool, BufferPool::GroupId group)
{
    AIDC_REFUSED_IF(m_buffer, "The queue belongs to a shared buffer already");
    CheckAlpha(pool, m_limits.alpha);
    m_id = pool.AddQueue();
    pool.SetGroup(m_id, group);
    if (!pool.SetLimits(m_id, m_limits))
    {
        throw std::invalid_argument("A queue cannot have " + std::to_string(m_limits.reserved) +
                                    " bytes reserved and " + std::to_string(m_limits.headroom) +
                                    " bytes of headroom: the shared buffer of " +
                                    std::to_string(pool.GetSize()) + " bytes does not have them (" +
                                    PrintSetAttributes(*this) + ")");
    }
    m_buffer = &buffer;
    m_pool = &pool;
    // The trace tells changes from here on.
    m_lastThreshold = GetThreshold();
}

void
SharedBufferQueue::SetPolling(bool isPolled, const uint64_t* leastFree)
{
    m_isPolled = isPolled;
    m_leastFree = leastFree;
}

void
SharedBufferQueue::Poll()
{
    m_polledThreshold = GetThreshold();
}

uint64_t
SharedBufferQueue::GetPolledThreshold() const
{
    if (!m_leastFree)
    {
        return m_polledThreshold;
    }
    // Buf_Thrd falls with the free memory, so this value cannot exceed the current threshold. The
    // present free memory counts, too: limits of other queues change without a packet.
    const uint64_t free = std::min(*m_leastFree, m_pool->GetFree());
    return std::min(m_polledThreshold, m_pool->GetThreshold(m_id, free));
}

void
SharedBufferQueue::NotifyLimits()
{
}

void
SharedBufferQueue::SetChargedElsewhere(bool elsewhere, uint32_t priority)
{
    m_priority = priority;
    BufferLimits limits = m_limits;
    limits.chargedElsewhere = elsewhere;
    ChangeLimits(limits);
}

Admission
SharedBufferQueue::Admit(uint32_t size)
{
    const uint32_t bytes = m_pool->GetCharge(size);
    const Admission admission = m_pool->Admit(m_id, bytes);
    if (!GetDropReason(admission))
    {
        NotifyChange(GetOccupancy() - bytes);
    }
    return admission;
}

void
SharedBufferQueue::Release(uint32_t size)
{
    const uint32_t bytes = m_pool->GetCharge(size);
    m_pool->Release(m_id, bytes);
    NotifyChange(GetOccupancy() + bytes);
}

void
SharedBufferQueue::Follow(uint64_t bytes)
{
    const uint64_t occupancy = GetOccupancy();
    if (bytes > occupancy)
    {
        // Into the headroom where Check has said so.
        const uint64_t more = bytes - occupancy;
        if (GetDropReason(m_pool->Admit(m_id, more)))
        {
            m_pool->Force(m_id, more);
        }
    }
    else if (bytes < occupancy)
    {
        m_pool->Release(m_id, occupancy - bytes);
    }
    NotifyChange(occupancy);
}

void
SharedBufferQueue::NotifyChange(uint64_t before)
{
    if (!m_occupancyTrace.IsEmpty() && GetOccupancy() != before)
    {
        m_occupancyTrace(before, GetOccupancy());
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
    if (!m_limits.chargedElsewhere)
    {
        m_buffer->NotifyUse();
    }
}

void
SharedBufferQueue::ChangeLimits(const BufferLimits& limits)
{
    if (m_pool)
    {
        CheckAlpha(*m_pool, limits.alpha);
        if (!m_pool->SetLimits(m_id, limits))
        {
            throw std::invalid_argument("Reserved and Headroom: the shared buffer does not have " +
                                        std::to_string(limits.reserved) + " and " +
                                        std::to_string(limits.headroom) + " bytes for the queue");
        }
    }
    m_limits = limits;
    if (m_buffer)
    {
        NS_LOG_INFO("Reconfigured at " << Simulator::Now().As(Time::S) << ": alpha " << limits.alpha
                                       << ", reserved " << limits.reserved << " B, cap "
                                       << GetCap(limits) << ", headroom " << limits.headroom
                                       << " B");
        m_buffer->NotifyLimits();
        NotifyLimits();
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "buffer-pool.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aidc
{

BufferPool::BufferPool(uint64_t size)
    : m_size(size)
{
}

bool
BufferPool::SetSize(uint64_t size)
{
    if (m_setAside > size)
    {
        return false;
    }
    m_size = size;
    return true;
}

uint64_t
BufferPool::GetSize() const
{
    return m_size;
}

BufferPool::QueueId
BufferPool::AddQueue()
{
    m_queues.emplace_back();
    return static_cast<QueueId>(m_queues.size() - 1);
}

bool
BufferPool::SetLimits(QueueId queue, const BufferLimits& limits)
{
    auto& q = m_queues[queue];
    const uint64_t others = m_setAside - q.limits.reserved - q.limits.headroom;
    const uint64_t available = m_size > others ? m_size - others : 0;
    if (!std::isfinite(limits.alpha) || limits.alpha <= 0 || limits.reserved > available ||
        limits.headroom > available - limits.reserved)
    {
        return false;
    }
    m_sharedUsed -= SharedUse(q);
    q.limits = limits;
    m_sharedUsed += SharedUse(q);
    m_setAside = others + limits.reserved + limits.headroom;
    return true;
}

const BufferLimits&
BufferPool::GetLimits(QueueId queue) const
{
    return m_queues[queue].limits;
}

uint32_t
BufferPool::GetNQueues() const
{
    return static_cast<uint32_t>(m_queues.size());
}

uint64_t
BufferPool::GetThreshold(QueueId queue) const
{
    return Threshold(m_queues[queue]);
}

uint64_t
BufferPool::GetOccupancy(QueueId queue) const
{
    return m_queues[queue].used + m_queues[queue].headroomUsed;
}

uint64_t
BufferPool::GetUsed() const
{
    return m_used;
}

uint64_t
BufferPool::GetFree() const
{
    const uint64_t shared = m_size - m_setAside;
    return shared > m_sharedUsed ? shared - m_sharedUsed : 0;
}

Admission
BufferPool::Check(QueueId queue, uint64_t bytes) const
{
    const auto& q = m_queues[queue];
    // Compared without a sum that could overflow.
    const uint64_t threshold = Threshold(q);
    if (threshold >= q.used && bytes <= threshold - q.used)
    {
        return Admission::ADMITTED;
    }
    // The headroom may have been made smaller than what it holds.
    if (q.limits.headroom >= q.headroomUsed && bytes <= q.limits.headroom - q.headroomUsed)
    {
        return Admission::HEADROOM;
    }
    if (q.limits.cap < q.used || bytes > q.limits.cap - q.used)
    {
        return Admission::OVER_CAP;
    }
    const uint64_t unusedReserve = q.limits.reserved > q.used ? q.limits.reserved - q.used : 0;
    return bytes > GetFree() + unusedReserve ? Admission::BUFFER_EXHAUSTED
                                             : Admission::OVER_THRESHOLD;
}

Admission
BufferPool::Admit(QueueId queue, uint64_t bytes)
{
    const Admission admission = Check(queue, bytes);
    if (admission == Admission::ADMITTED)
    {
        Force(queue, bytes);
    }
    else if (admission == Admission::HEADROOM)
    {
        m_queues[queue].headroomUsed += bytes;
        m_used += bytes;
    }
    return admission;
}

void
BufferPool::Force(QueueId queue, uint64_t bytes)
{
    SetUsed(m_queues[queue], m_queues[queue].used + bytes);
}

void
BufferPool::Release(QueueId queue, uint64_t bytes)
{
    auto& q = m_queues[queue];
    const uint64_t fromHeadroom = std::min(bytes, q.headroomUsed);
    q.headroomUsed -= fromHeadroom;
    m_used -= fromHeadroom;
    SetUsed(q, q.used - std::min(bytes - fromHeadroom, q.used));
}

uint64_t
BufferPool::SharedUse(const Queue& q)
{
    return q.used > q.limits.reserved ? q.used - q.limits.reserved : 0;
}

uint64_t
BufferPool::Threshold(const Queue& q) const
{
    const uint64_t free = GetFree();
    const uint64_t physical = SharedUse(q) + free;
    const double dynamic = q.limits.alpha * static_cast<double>(free);
    // The comparison also keeps the conversion to an integer in range.
    const uint64_t shared = dynamic < static_cast<double>(physical)
                                ? static_cast<uint64_t>(dynamic)
                                : physical;
    return std::min(q.limits.cap, q.limits.reserved + shared);
}

void
BufferPool::SetUsed(Queue& q, uint64_t used)
{
    m_sharedUsed -= SharedUse(q);
    m_used -= q.used;
    q.used = used;
    m_sharedUsed += SharedUse(q);
    m_used += used;
}

} // namespace aidc
} // namespace ns3

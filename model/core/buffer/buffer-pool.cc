/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "buffer-pool.h"

#include <cmath>

namespace ns3::aidc
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
    const uint64_t available = m_size - others; // what is set aside never exceeds the size
    if (!std::isfinite(limits.alpha) || limits.alpha <= 0 || limits.reserved > available ||
        limits.headroom > available - limits.reserved)
    {
        return false;
    }
    const uint64_t used = q.used;
    const uint64_t headroomUsed = q.headroomUsed;
    Release(queue, used + headroomUsed);
    q.limits = limits;
    Force(queue, used);
    if (limits.chargedElsewhere)
    {
        q.used += headroomUsed; // charged elsewhere, it is not in the headroom of anyone here
    }
    else
    {
        q.headroomUsed = headroomUsed;
        m_used += headroomUsed;
    }
    m_setAside = others + limits.reserved + limits.headroom;
    return true;
}

uint32_t
BufferPool::GetNQueues() const
{
    return static_cast<uint32_t>(m_queues.size());
}

Admission
BufferPool::CheckBeyond(const Queue& q, uint64_t bytes) const
{
    if (q.limits.chargedElsewhere)
    {
        return q.limits.cap >= q.used && bytes <= q.limits.cap - q.used ? Admission::ADMITTED
                                                                        : Admission::OVER_CAP;
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

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "buffer-pool.h"

#include <cmath>

namespace ns3::aidc
{

BufferPool::BufferPool(uint64_t size)
    : m_shared(size),
      m_size(size)
{
}

bool
BufferPool::Divide(uint64_t reserved, uint64_t headroom, uint64_t pooledHeadroom)
{
    // What is set aside never exceeds the size.
    const uint64_t forHeadroom = pooledHeadroom > 0 ? pooledHeadroom : headroom;
    if (m_isSharedSet)
    {
        m_size = m_shared + reserved + forHeadroom;
    }
    else if (reserved > m_size || forHeadroom > m_size - reserved)
    {
        return false;
    }
    m_reserved = reserved;
    m_headroom = headroom;
    m_headroomPool = pooledHeadroom;
    m_shared = m_size - reserved - forHeadroom;
    return true;
}

bool
BufferPool::SetSize(uint64_t size)
{
    const uint64_t before = m_size;
    m_size = size;
    if (!Divide(m_reserved, m_headroom, m_headroomPool))
    {
        m_size = before;
        return false;
    }
    return true;
}

bool
BufferPool::SetShared(uint64_t shared)
{
    if (shared > 0)
    {
        m_shared = shared;
    }
    m_isSharedSet = shared > 0;
    return Divide(m_reserved, m_headroom, m_headroomPool);
}

bool
BufferPool::SetHeadroomPool(uint64_t bytes)
{
    return Divide(m_reserved, m_headroom, bytes);
}

BufferPool::QueueId
BufferPool::AddQueue()
{
    m_queues.emplace_back();
    return static_cast<QueueId>(m_queues.size() - 1);
}

bool
BufferPool::IsAlpha(double alpha) const
{
    int exponent = 0;
    return std::isfinite(alpha) && alpha > 0 &&
           (!m_isPowersOfTwo || std::frexp(alpha, &exponent) == 0.5);
}

bool
BufferPool::SetLimits(QueueId queue, const BufferLimits& limits)
{
    auto& q = m_queues[queue];
    constexpr uint64_t MOST = std::numeric_limits<uint64_t>::max() / 4; // sums do not overflow
    if (!IsAlpha(limits.alpha) || limits.reserved > MOST || limits.headroom > MOST ||
        !Divide(m_reserved - q.limits.reserved + limits.reserved,
                m_headroom - q.limits.headroom + limits.headroom,
                m_headroomPool))
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
        m_headroomUsed += headroomUsed;
        m_used += headroomUsed;
    }
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
    const bool isPooled = m_headroomPool > 0;
    if (q.limits.headroom >= q.headroomUsed && bytes <= q.limits.headroom - q.headroomUsed &&
        (!isPooled ||
         (m_headroomPool >= m_headroomUsed && bytes <= m_headroomPool - m_headroomUsed)))
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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARED_BUFFER_QUEUE_H
#define AIDC_SHARED_BUFFER_QUEUE_H

#include "../core/buffer/buffer-pool.h"
#include "../core/cache-line.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// The interface of the SharedBuffer to its queues.
class SharedBufferOwner : public Object
{
  public:
    /// Note that a queue has taken memory or given it back.
    virtual void NotifyUse() = 0;

    /// Note that thresholds have changed without a packet: a queue has new limits.
    virtual void NotifyLimits() = 0;
};

/**
 * @ingroup aidc
 * @brief One queue's share of a SharedBuffer: its limits and its occupancy.
 *        Its attributes may change while the simulation runs.
 */
class alignas(CACHE_LINE) SharedBufferQueue : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Join a buffer; SharedBuffer::AddQueue() calls this. It is an error if the queue has joined
    /// one already, or if its reserved bytes and headroom do not fit.
    /// @param buffer the buffer, which owns this queue
    /// @param pool its arithmetic
    /// @param group the group of its port in the pool, which limits it, too
    void Join(SharedBufferOwner& buffer, BufferPool& pool, BufferPool::GroupId group);

    /// Get the memory on which the queue draws, a partition of the buffer.
    const BufferPool& GetPool() const
    {
        return *m_pool;
    }

    /// Set how marking engines see Buf_Thrd.
    /// @param isPolled whether they see the sample of the last poll; otherwise they see Buf_Thrd
    /// @param leastFree the buffer's least free memory since the last poll, if marking engines see
    ///        decreases at once; else null
    void SetPolling(bool isPolled, const uint64_t* leastFree);

    /// Sample Buf_Thrd for the marking engines.
    void Poll();

    /// Note that the limits of the queue or the size of the buffer have changed.
    virtual void NotifyLimits();

    /// Charge the queue's packets to their ingress ports, or to the queue. If they are charged to
    /// the ingress, the queue has no limit but its cap; its Buf_Thrd remains, for marking.
    /// @param elsewhere true to charge packets to the ingress: SharedBuffer::AdmitIngress()
    /// @param priority the priority whose accounts are charged then
    void SetChargedElsewhere(bool elsewhere, uint32_t priority = 0);

    /// Get the priority whose accounts are charged for the queue's packets.
    /// @return the priority; meaningless unless they are charged elsewhere
    uint32_t GetPriority() const
    {
        return m_priority;
    }

    /// @return the buffer, null until the queue has been added to one
    Ptr<SharedBufferOwner> GetBuffer() const
    {
        return m_buffer;
    }

    /// @return the limits
    const BufferLimits& GetLimits() const
    {
        return m_limits;
    }

    /// Get the most that the queue may occupy now, without its headroom. @return Buf_Thrd in bytes
    uint64_t GetThreshold() const
    {
        return m_pool->GetThreshold(m_id);
    }

    /// Get Buf_Thrd as a marking engine sees it.
    /// @return GetThreshold(), or its value at the last poll; or less, if decreases are seen at
    ///         once; in bytes
    uint64_t GetVisibleThreshold() const
    {
        return m_isPolled ? GetPolledThreshold() : GetThreshold();
    }

    /// Tell whether marking engines see polled thresholds. @return true if they do
    bool IsPolled() const
    {
        return m_isPolled;
    }

    /// Get the occupancy. @return bytes
    uint64_t GetOccupancy() const
    {
        return m_pool->GetOccupancy(m_id);
    }

    /// Get what Admit() would return. @param bytes the size of the arriving packet
    /// @return the outcome
    Admission Check(uint32_t bytes) const
    {
        return m_pool->Check(m_id, m_pool->GetCharge(bytes));
    }

    /// Take memory for an arriving packet, if the limits allow.
    /// @param size the size of the packet
    /// @return the outcome; nothing is taken when it is a refusal
    Admission Admit(uint32_t size);

    /// Give a packet's memory back. @param size the size of the packet
    void Release(uint32_t size);

    /// Set the occupancy to that of a queue disc of another kind.
    /// @param bytes the memory that the queue disc's packets take
    void Follow(uint64_t bytes);

    /// Get the reason for the drop of a packet. @param admission what Admit() has returned
    /// @return one of the constants below; null if the packet was not refused
    static const char* GetDropReason(Admission admission)
    {
        switch (admission)
        {
        case Admission::ADMITTED:
        case Admission::HEADROOM:
            return nullptr;
        case Admission::OVER_CAP:
            return CAP_DROP;
        case Admission::BUFFER_EXHAUSTED:
            return EXHAUSTED_DROP;
        default:
            return THRESHOLD_DROP;
        }
    }

    /// Reason of a drop: the packet would have taken the queue beyond Buf_Thrd.
    static constexpr const char* THRESHOLD_DROP = "Beyond the dynamic buffer threshold";
    /// Reason of a drop: the packet would have taken the queue beyond its static cap.
    static constexpr const char* CAP_DROP = "Beyond the queue's static cap";
    /// Reason of a drop: there was no free memory.
    static constexpr const char* EXHAUSTED_DROP = "Shared buffer exhausted";

  private:
    /// Change the limits. @throws std::invalid_argument if they are impossible; nothing changes
    /// then
    void ChangeLimits(const BufferLimits& limits);

    /// Get Buf_Thrd for marking engines if thresholds are polled. @return the bytes
    uint64_t GetPolledThreshold() const;

    /// Call the trace sources of changed values. @param before the occupancy before, in bytes
    void NotifyChange(uint64_t before);

    // What each packet touches comes first.
    SharedBufferOwner* m_buffer{nullptr}; //!< the buffer, which owns this queue
    BufferPool* m_pool{nullptr};          //!< the buffer's pool
    BufferPool::QueueId m_id{0};          //!< the queue in the pool
    bool m_isPolled{false};               //!< whether marking engines see m_polledThreshold
    TracedCallback<uint64_t, uint64_t> m_occupancyTrace; //!< trace of the occupancy
    TracedCallback<uint64_t, uint64_t> m_thresholdTrace; //!< trace of Buf_Thrd
    uint64_t m_lastThreshold{0};                         //!< the threshold that was traced last
    uint64_t m_polledThreshold{0};                       //!< Buf_Thrd at the last poll
    /// the least free memory since then; null unless decreases are seen at once
    const uint64_t* m_leastFree{nullptr};
    BufferLimits m_limits;  //!< the limits
    uint32_t m_priority{0}; //!< the priority of the accounts charged elsewhere
};

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_QUEUE_H

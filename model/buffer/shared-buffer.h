/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARED_BUFFER_H
#define AIDC_SHARED_BUFFER_H

#include "ingress-buffer.h"

#include "ns3/buffer-pool.h"
#include "ns3/cache-line.h"
#include "ns3/event-id.h"
#include "ns3/ingress-pool.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/port-buffer.h"
#include "ns3/queue-size.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3::aidc
{

class SharedBufferQueue;

/**
 * @ingroup aidc
 * @brief The packet memory of a switch, on which the queues of all its ports draw.
 *
 * Aggregate one to a node to make the ports' queue discs share it. Its arithmetic, the Dynamic
 * Threshold with reserved bytes, static caps and headroom, is that of BufferPool.
 *
 * Thresholds are computed when they are used, which equals recomputing all of them at each arrival
 * and departure of any queue. To study what staleness costs, PollInterval makes the marking engines
 * see thresholds that are sampled periodically instead; what is admitted always follows the current
 * ones.
 *
 * It counts the bytes of network-layer packets as the queue discs do, without link-layer headers.
 *
 * What a lossy class holds is charged to its egress queue. What a lossless class holds is charged
 * to the port and priority that it came in by (IngressBuffer), whose peer can be told to stop.
 */
class alignas(CACHE_LINE) SharedBuffer : public Object
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    SharedBuffer();
    ~SharedBuffer() override;

    /**
     * @brief Add a queue to those that draw on this buffer.
     *
     * It is an error if what the queue has reserved does not fit.
     *
     * @param queue the queue, which belongs to no buffer yet
     */
    void AddQueue(Ptr<SharedBufferQueue> queue);

    /**
     * @brief Get the number of queues.
     * @return the number of queues
     */
    uint32_t GetNQueues() const;

    /**
     * @brief Get a queue.
     * @param index its position in the order of addition
     * @return the queue
     */
    Ptr<SharedBufferQueue> GetQueue(uint32_t index) const;

    /// The ingress port of what no port has brought: the switch's own packets.
    static constexpr uint32_t NO_PORT = std::numeric_limits<uint32_t>::max();
    /// The number of priorities.
    static constexpr uint32_t PRIORITIES = 8;

    /**
     * @brief Account for what comes in by a port with a priority.
     *
     * It is an error if there is an account already, or if what it sets aside does not fit. To be
     * done before the port brings packets of lossless classes.
     *
     * @param port the index of the port's device in its node
     * @param priority the priority, 0 to 7
     * @param ingress the account, which belongs to no buffer yet
     */
    void AddIngress(uint32_t port, uint32_t priority, Ptr<IngressBuffer> ingress);

    /**
     * @brief Get the account that a port and priority is charged to.
     * @param port the index of the port's device in its node, or NO_PORT
     * @param priority the priority, 0 to 7
     * @return the account; one for all others if they have none of their own
     */
    Ptr<IngressBuffer> GetIngress(uint32_t port, uint32_t priority);

    /**
     * @brief Charge for an arriving packet of a lossless class, if its ingress may have it.
     * @param port the port that it came in by, or NO_PORT
     * @param priority its priority, 0 to 7
     * @param bytes its size
     * @return the outcome; nothing is charged when it is a refusal
     */
    Admission AdmitIngress(uint32_t port, uint32_t priority, uint32_t bytes)
    {
        const Admission admission = FindIngress(port, priority)->Admit(bytes);
        NotifyUse();
        return admission;
    }

    /**
     * @brief Credit for a packet of a lossless class that leaves.
     * @param port the port that it came in by, or NO_PORT
     * @param priority its priority, 0 to 7
     * @param bytes its size
     */
    void ReleaseIngress(uint32_t port, uint32_t priority, uint32_t bytes)
    {
        FindIngress(port, priority)->Release(bytes);
        NotifyUse();
    }

    /**
     * @brief Get the size.
     * @return all memory, in bytes
     */
    uint64_t GetSize() const;

    /**
     * @brief Get what all queues hold.
     * @return bytes
     */
    uint64_t GetUsed() const;

    /**
     * @brief Get the shared memory that no queue holds.
     * @return bytes
     */
    uint64_t GetFree() const;

    /**
     * @brief Tell whether the marking engines see polled thresholds.
     * @return true if PollInterval is not zero
     */
    bool IsPolled() const
    {
        return !m_pollInterval.IsZero();
    }

    /**
     * @brief Print a warning unless this buffer has already printed one of its kind.
     *
     * A switch has hundreds of queues that are configured alike; one warning for all of them is
     * enough.
     *
     * @param kind identifies the warning
     * @param text the warning
     */
    void WarnOnce(const std::string& kind, const std::string& text);

    /**
     * @brief TracedCallback signature for a number of bytes that has changed.
     * @param [in] oldValue bytes before
     * @param [in] newValue bytes after
     */
    typedef void (*BytesTracedCallback)(uint64_t oldValue, uint64_t newValue);

  protected:
    void DoDispose() override;

  private:
    friend class SharedBufferQueue;

    /**
     * @brief Set the size.
     * @param size the size, in bytes and not zero
     * @return false if the size cannot be
     */
    bool SetSize(QueueSize size);

    /**
     * @brief Get the size as the attribute has it.
     * @return the size
     */
    QueueSize GetSizeAttribute() const;

    /**
     * @brief Set the interval of polling.
     * @param interval the interval, 0 for none
     */
    void SetPollInterval(Time interval);

    /**
     * @brief Get the interval of polling.
     * @return the interval
     */
    Time GetPollInterval() const;

    /// Fire the trace of the use, and have the thresholds polled after it.
    void NotifyUse();

    /// Sample the thresholds of all queues.
    void Poll();

    /**
     * @brief Find the account that a port and priority is charged to.
     * @param port the index of the port's device in its node, or NO_PORT
     * @param priority the priority, 0 to 7
     * @return the account
     */
    IngressBuffer* FindIngress(uint32_t port, uint32_t priority)
    {
        IngressBuffer* own = port < m_ingressOf.size() ? m_ingressOf[port][priority] : nullptr;
        return own ? own : GetOtherIngress();
    }

    /**
     * @brief Get the account of all that has none of its own, which is made when it is needed.
     * @return the account
     */
    IngressBuffer* GetOtherIngress();

    /**
     * @brief Open an account.
     * @param ingress the account
     */
    void OpenIngress(Ptr<IngressBuffer> ingress);

    // What each packet touches comes first.
    BufferPool m_pool;                              ///< the arithmetic
    uint64_t m_lastUsed{0};                         ///< the use that the trace has told last
    Time m_pollInterval;                            ///< interval of polling, 0 for none
    TracedCallback<uint64_t, uint64_t> m_usedTrace; ///< trace of the use
    IngressPool m_ingressPool;                      ///< that of the accounts
    std::vector<Ptr<IngressBuffer>> m_ingresses;    ///< all accounts
    IngressBuffer* m_otherIngress{nullptr};         ///< that of what has none of its own
    /// The accounts by port and priority, null where there is none.
    std::vector<std::array<IngressBuffer*, PRIORITIES>> m_ingressOf;
    std::vector<Ptr<SharedBufferQueue>> m_queues; ///< the queues, by their id in the pool
    EventId m_pollEvent;                          ///< the next poll
    std::vector<std::string> m_warned;            ///< kinds of warnings that were given
};

/**
 * @ingroup aidc
 * @brief One queue's share of a SharedBuffer: its limits, and what it holds.
 *
 * A queue disc that draws on a buffer has one; its attributes may change while the simulation runs.
 */
class alignas(CACHE_LINE) SharedBufferQueue : public Object
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    SharedBufferQueue();
    ~SharedBufferQueue() override;

    /**
     * @brief Have the queue's packets charged to those who brought them, or to the queue.
     *
     * Then the queue has no limit but its cap; its Buf_Thrd remains, for marking.
     *
     * @param elsewhere true if its packets are charged by SharedBuffer::AdmitIngress
     */
    void SetChargedElsewhere(bool elsewhere);

    /**
     * @brief Get the buffer.
     * @return the buffer, null until the queue has been added to one
     */
    Ptr<SharedBuffer> GetBuffer() const;

    /**
     * @brief Get the limits.
     * @return the limits
     */
    const BufferLimits& GetLimits() const;

    /**
     * @brief Get what the queue may occupy now, its headroom apart.
     * @return Buf_Thrd in bytes
     */
    uint64_t GetThreshold() const
    {
        return m_pool->GetThreshold(m_id);
    }

    /**
     * @brief Get Buf_Thrd as a marking engine sees it.
     * @return GetThreshold, or what it was at the last poll, in bytes
     */
    uint64_t GetVisibleThreshold() const
    {
        return m_buffer->IsPolled() ? m_polledThreshold : GetThreshold();
    }

    /**
     * @brief Tell whether marking engines see polled thresholds.
     * @return true if they do
     */
    bool IsPolled() const
    {
        return m_buffer->IsPolled();
    }

    /**
     * @brief Get what the queue holds.
     * @return bytes
     */
    uint64_t GetOccupancy() const
    {
        return m_pool->GetOccupancy(m_id);
    }

    /**
     * @brief Get what the queue has of the buffer.
     * @return what it holds, its threshold and its part if all queues had equal ones, in bytes
     */
    PortBufferUse GetUse() const;

    /**
     * @brief Say what Admit would answer.
     * @param bytes the size of the arriving packet
     * @return the outcome
     */
    Admission Check(uint32_t bytes) const
    {
        return m_pool->Check(m_id, bytes);
    }

    /**
     * @brief Take memory for an arriving packet, if the queue may have it.
     * @param bytes the size of the packet
     * @return the outcome; nothing is taken when it is a refusal
     */
    Admission Admit(uint32_t bytes);

    /**
     * @brief Give a packet's memory back.
     * @param bytes the size of the packet
     */
    void Release(uint32_t bytes);

    /**
     * @brief Make the queue hold what a queue disc of another kind says that it holds.
     * @param bytes the queue disc's size
     */
    void Follow(uint32_t bytes);

    /**
     * @brief Get the reason to give for the drop of a packet that was refused.
     * @param admission the refusal
     * @return one of the constants below
     */
    static const char* GetDropReason(Admission admission);

    /// Reason of a drop: the packet would have taken the queue beyond Buf_Thrd.
    static constexpr const char* THRESHOLD_DROP = "Beyond the dynamic buffer threshold";
    /// Reason of a drop: the packet would have taken the queue beyond its static cap.
    static constexpr const char* CAP_DROP = "Beyond the queue's static cap";
    /// Reason of a drop: there was no free memory.
    static constexpr const char* EXHAUSTED_DROP = "Shared buffer exhausted";

  private:
    friend class SharedBuffer;

    /**
     * @brief Change one of the limits.
     * @param change sets the new value
     * @return false if the limits would be impossible
     */
    template <typename Change>
    bool ChangeLimits(Change change);

    /**
     * @brief Set the factor of the dynamic threshold.
     * @param alpha the factor
     * @return false if it cannot be
     */
    bool SetAlpha(double alpha);

    /**
     * @brief Get the factor of the dynamic threshold.
     * @return the factor
     */
    double GetAlpha() const;

    /**
     * @brief Set the bytes set aside for this queue alone.
     * @param bytes the bytes
     * @return false if they cannot be had
     */
    bool SetReserved(QueueSize bytes);

    /**
     * @brief Get the bytes set aside for this queue alone.
     * @return the bytes
     */
    QueueSize GetReserved() const;

    /**
     * @brief Set the static bound.
     * @param bytes the bound, 0 for none
     * @return false if it cannot be
     */
    bool SetCap(QueueSize bytes);

    /**
     * @brief Get the static bound.
     * @return the bound, 0 for none
     */
    QueueSize GetCap() const;

    /**
     * @brief Set the headroom.
     * @param bytes the bytes
     * @return false if they cannot be had
     */
    bool SetHeadroom(QueueSize bytes);

    /**
     * @brief Get the headroom.
     * @return the bytes
     */
    QueueSize GetHeadroom() const;

    /// Fire the traces of what has changed.
    void NotifyChange();

    // What each packet touches comes first.
    SharedBuffer* m_buffer{nullptr}; ///< the buffer, which owns this queue
    BufferPool* m_pool{nullptr};     ///< the buffer's pool
    uint64_t m_lastOccupancy{0};     ///< the occupancy that the trace has told last
    BufferPool::QueueId m_id{0};     ///< the queue in the pool
    TracedCallback<uint64_t, uint64_t> m_occupancyTrace; ///< trace of the occupancy
    TracedCallback<uint64_t, uint64_t> m_thresholdTrace; ///< trace of Buf_Thrd
    uint64_t m_lastThreshold{0};   ///< the threshold that the trace has told last
    uint64_t m_polledThreshold{0}; ///< Buf_Thrd at the last poll
    BufferLimits m_limits;         ///< the limits
};

/**
 * @ingroup aidc
 * @brief Get a size in bytes from an attribute that also could be in packets.
 * @param size the size
 * @param [out] bytes the bytes, unchanged on failure
 * @return false if the size is in packets
 */
bool GetBytes(QueueSize size, uint64_t& bytes);

/**
 * @ingroup aidc
 * @brief Make a size in bytes.
 * @param bytes the bytes
 * @return the size
 */
QueueSize ToQueueSize(uint64_t bytes);

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_H

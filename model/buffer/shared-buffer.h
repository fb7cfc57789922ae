/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARED_BUFFER_H
#define AIDC_SHARED_BUFFER_H

#include "../core/buffer/buffer-pool.h"
#include "../core/buffer/ingress-pool.h"
#include "../core/cache-line.h"
#include "ingress-buffer.h"
#include "shared-buffer-queue.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The packet memory of a switch, on which the queues of all its ports draw.
 *
 * Aggregate one to a node to make the ports' queue discs share it. Its arithmetic, the Dynamic
 * Threshold with reserved bytes, static caps and headroom, is BufferPool's.
 *
 * Thresholds are computed when they are used. This equals computing all of them at each arrival and
 * departure of any queue. To study the cost of stale thresholds, PollInterval makes the marking
 * engines see samples of the thresholds; admission always uses current ones. With DecreaseAtOnce,
 * only increases wait for the next poll.
 *
 * It counts the bytes of network-layer packets as the queue discs do, without link-layer headers.
 * With CellSize, it counts as switch chips do: a packet takes the cells of its frame, with Ethernet
 * header and frame check sequence. All that is counted in memory is counted so: queues and their
 * thresholds, accounts of ingress ports, reserved bytes, caps, headroom, and what marking engines
 * compare with their thresholds. Sizes remain in bytes, of cells.
 *
 * Chips divide their memory: a port belongs to one of Partitions equal parts, on which its egress
 * queues and its accounts draw. SharedSize sets what is shared in each, as configurations of
 * chips do, and HeadroomPool limits what headroom is in use in each.
 *
 * Packets of a lossy class are charged to their egress queue. Packets of a lossless class are
 * charged to their ingress port and priority (IngressBuffer), whose peer can be paused.
 */
class alignas(CACHE_LINE) SharedBuffer : public SharedBufferOwner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    SharedBuffer();

    /// The ingress port of the switch's own packets.
    static constexpr uint32_t NO_PORT = std::numeric_limits<uint32_t>::max();
    /// The number of priorities.
    static constexpr uint32_t PRIORITIES = 8;

    /**
     * @brief Add a queue to those that draw on this buffer.
     * @param queue the queue, which belongs to no buffer yet
     * @param port the index of its port's device in its node, or NO_PORT
     * @throws std::invalid_argument if the queue's reserved bytes and headroom do not fit
     */
    void AddQueue(Ptr<SharedBufferQueue> queue, uint32_t port = NO_PORT);

    /// Get the part of the memory to which a port belongs.
    /// @param port the index of the port's device in its node; NO_PORT belongs to part 0
    /// @return 0, 1, 2...
    uint32_t GetPartition(uint32_t port) const;

    /// Get a queue. @param index its position in the order of addition
    Ptr<SharedBufferQueue> GetQueue(uint32_t index) const
    {
        return m_queues.at(index);
    }

    /**
     * @brief Add the account of an ingress port and priority.
     *
     * It is an error if there is an account already. Call this before packets of lossless classes
     * arrive at the port.
     *
     * @param port the index of the port's device in its node
     * @param priority the priority, 0 to 7
     * @param ingress the account, which belongs to no buffer yet
     * @throws std::invalid_argument if its reserved bytes and headroom do not fit
     */
    void AddIngress(uint32_t port, uint32_t priority, Ptr<IngressBuffer> ingress);

    /**
     * @brief Get the account that is charged for a port and priority.
     * @param port the index of the port's device in its node, or NO_PORT
     * @param priority the priority, 0 to 7
     * @return the account; the common one if the port and priority have none of their own
     */
    Ptr<IngressBuffer> GetIngress(uint32_t port, uint32_t priority);

    /**
     * @brief Get the limits of all accounts of a priority whose peers can be paused.
     * @param priority the priority, 0 to 7
     * @return the limits of the accounts that have headroom, by port
     */
    std::vector<IngressLimits> GetIngressLimits(uint32_t priority) const;

    /**
     * @brief Charge for an arriving packet of a lossless class, if its account's limits allow.
     * @param port its ingress port, or NO_PORT
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
     * @param port its ingress port, or NO_PORT
     * @param priority its priority, 0 to 7
     * @param bytes its size
     */
    void ReleaseIngress(uint32_t port, uint32_t priority, uint32_t bytes)
    {
        FindIngress(port, priority)->Release(bytes);
        NotifyUse();
    }

    /// Get the bytes of a cell. @return the bytes, 0 if memory is not in cells
    uint32_t GetCellSize() const
    {
        return m_cellSize;
    }

    /// Get the size. @return all memory, in bytes
    uint64_t GetSize() const
    {
        return Sum([](const BufferPool& pool) { return pool.GetSize(); });
    }

    /// Get the shared memory of all parts: the size without reserved bytes and headroom.
    /// @return bytes
    uint64_t GetShared() const
    {
        return Sum([](const BufferPool& pool) { return pool.GetShared(); });
    }

    /// Get the occupancy of all queues together. @return bytes
    uint64_t GetUsed() const
    {
        return Sum([](const BufferPool& pool) { return pool.GetUsed(); });
    }

    /// Get the free shared memory of all parts. @return bytes
    uint64_t GetFree() const
    {
        return Sum([](const BufferPool& pool) { return pool.GetFree(); });
    }

    /// Tell whether the marking engines see polled thresholds.
    /// @return true if PollInterval is not zero
    bool IsPolled() const
    {
        return !m_pollInterval.IsZero();
    }

    /// TracedCallback signature for a number of bytes that has changed.
    /// @param [in] oldValue bytes before
    /// @param [in] newValue bytes after
    typedef void (*BytesTracedCallback)(uint64_t oldValue, uint64_t newValue);

    /// @return the number of queues
    uint32_t GetNQueues() const;

    // From SharedBufferOwner
    void NotifyUse() override
    {
        const uint64_t used = GetUsed();
        if (used != m_lastUsed)
        {
            m_usedTrace(m_lastUsed, used);
            m_lastUsed = used;
        }
        if (IsPolled())
        {
            NotifyPolledUse();
        }
    }

    void NotifyLimits() override;

  protected:
    void DoDispose() override;

  private:
    /// Set the size. @throws std::invalid_argument if it is not allowed
    void SetSize(uint64_t bytes);

    /// Set the interval of polling. @param interval the interval, 0 for none
    void SetPollInterval(Time interval);

    /// Set whether marking engines see decreases at once. @param atOnce whether they do
    void SetDecreaseAtOnce(bool atOnce);

    /// A part of the memory.
    struct Partition
    {
        BufferPool pool{0};          //!< the arithmetic
        IngressPool ingresses{pool}; //!< the arithmetic of the accounts
        uint64_t leastFree{0};       //!< the least free memory since the last poll
        /// The group of what is charged to egress queues
        BufferPool::GroupId lossy{BufferPool::NO_GROUP};
        /// The groups of the egress queues of ports, by their device's index
        std::map<uint32_t, BufferPool::GroupId> egressPorts;
        std::map<uint32_t, BufferPool::GroupId> ingressPorts; //!< likewise of the accounts
    };

    /// Add what all parts have. @tparam Get a callable: const BufferPool& -> uint64_t
    template <typename Get>
    uint64_t Sum(Get get) const
    {
        uint64_t sum = get(m_first.pool);
        for (const auto& other : m_others)
        {
            sum += get(other->pool);
        }
        return sum;
    }

    /// @return the part of this index
    Partition& GetPart(uint32_t index)
    {
        return index == 0 ? m_first : *m_others[index - 1];
    }

    /// Divide the memory as the attributes say. @throws std::invalid_argument if it cannot be done
    void Divide();

    /// Change an attribute that divides the memory, before queues join. member: the attribute.
    /// @throws std::invalid_argument if it is too late, or the value is not allowed
    template <typename T>
    void ChangeDivision(T SharedBuffer::* member, T value);

    /// Find the group of an egress port's queues, or make it. @return NO_GROUP for none
    BufferPool::GroupId FindEgressGroup(Partition& part, uint32_t port) const;

    /// Find the group of an ingress port's accounts, or make it. @return NO_GROUP for none
    BufferPool::GroupId FindIngressGroup(Partition& part, uint32_t port) const;

    /// Set how marking engines see the threshold of a queue. @param index the queue
    void SetPolling(std::size_t index);

    /// Sample the thresholds of all queues.
    void Poll();

    /// Note the free memory while thresholds are polled.
    void NotifyPolledUse();

    /// Schedule the next sample, at the next multiple of the interval.
    void SchedulePoll();

    /// Get the time since the last multiple of PollInterval, which is not 0. @return time steps
    int64_t GetTimeSincePoll() const;

    /// Find the account that is charged for a port and priority. priority: the priority, 0 to 7.
    IngressBuffer* FindIngress(uint32_t port, uint32_t priority)
    {
        IngressBuffer* own = port < m_ingressOf.size() ? m_ingressOf[port][priority] : nullptr;
        return own ? own : GetOtherIngress();
    }

    /// @return the common account of ports and priorities without their own; made when needed
    IngressBuffer* GetOtherIngress();

    /// Open an account of a port. @throws std::invalid_argument if its reserved bytes and headroom
    /// do not fit
    void OpenIngress(Ptr<IngressBuffer> ingress, uint32_t port);

    // What each packet touches comes first.
    Partition m_first;                                //!< the first part, often all
    std::vector<std::unique_ptr<Partition>> m_others; //!< the other parts
    uint64_t m_lastUsed{0};                           //!< the use that was traced last
    Time m_pollInterval;                              //!< interval of polling, 0 for none
    TracedCallback<uint64_t, uint64_t> m_usedTrace;   //!< trace of the use
    std::vector<Ptr<IngressBuffer>> m_ingresses;      //!< all accounts
    IngressBuffer* m_otherIngress{nullptr};           //!< the common account
    /// The accounts by port and priority, null where there is none.
    std::vector<std::array<IngressBuffer*, PRIORITIES>> m_ingressOf;
    std::vector<Ptr<SharedBufferQueue>> m_queues; //!< the queues
    std::vector<uint32_t> m_partOf;               //!< the parts of the queues
    EventId m_pollEvent;                          //!< the next poll
    bool m_decreaseAtOnce{false};                 //!< attribute DecreaseAtOnce
    uint64_t m_size{0};                           //!< attribute Size in bytes
    uint32_t m_cellSize{0};                       //!< attribute CellSize
    uint32_t m_partitions{1};                     //!< attribute Partitions
    uint32_t m_portsPerPartition{0};              //!< attribute PortsPerPartition
    uint64_t m_sharedSize{0};                     //!< attribute SharedSize in bytes
    uint64_t m_headroomPool{0};                   //!< attribute HeadroomPool in bytes
    uint64_t m_lossySize{0};                      //!< attribute LossySize in bytes
    bool m_isPowersOfTwo{false};                  //!< attribute PowerOfTwoAlphas
    double m_portAlpha{0};                        //!< attribute PortAlpha
    double m_ingressPortAlpha{0};                 //!< attribute IngressPortAlpha
};

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_H

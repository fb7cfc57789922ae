// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SHARED_BUFFER_H
#define AIDC_SHARED_BUFFER_H

#include "../core/buffer/buffer-pool.h"
#include "../core/buffer/ingress-pool.h"
#include "../core/cache-line.h"
#include "ingress-buffer.h"

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

class SharedBuffer;

/// One queue's share of a SharedBuffer: its limits and its occupancy.
/// Its attributes may change while the simulation runs.
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
    void Join(SharedBuffer& buffer, BufferPool& pool, BufferPool::GroupId group);

    /// Get the memory on which the queue draws, a partition of the buffer.
    const BufferPool& GetPool() const
    {
        return *m_pool;
    }

    /// Set how marking engines see Buf_Thrd.
    /// @param isPolled whether they see the sample of the last poll; otherwise they see Buf_Thrd
    /// @param leastFree the buffer's least free memory since the last poll, if marking engines see
    ///        decreases at once; else null
    void SetPolling(bool isPolled, const uint64_t* leastFree)
    {
        m_isPolled = isPolled;
        m_leastFree = leastFree;
    }

    /// Sample Buf_Thrd for the marking engines.
    void Poll()
    {
        m_polledThreshold = GetThreshold();
    }

    /// Note that the limits of the queue or the size of the buffer have changed.
    virtual void NotifyLimits()
    {
    }

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

    /// Take over the occupancy of a queue disc of another kind.
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
    SharedBuffer* m_buffer{nullptr}; //!< the buffer, which owns this queue
    BufferPool* m_pool{nullptr};     //!< the buffer's pool
    BufferPool::QueueId m_id{0};     //!< the queue in the pool
    bool m_isPolled{false};          //!< whether marking engines see m_polledThreshold
    TracedCallback<uint64_t, uint64_t> m_occupancyTrace; //!< trace of the occupancy
    TracedCallback<uint64_t, uint64_t> m_thresholdTrace; //!< trace of Buf_Thrd
    uint64_t m_lastThreshold{0};                         //!< the threshold that was traced last
    uint64_t m_polledThreshold{0};                       //!< Buf_Thrd at the last poll
    /// the least free memory since then; null unless decreases are seen at once
    const uint64_t* m_leastFree{nullptr};
    BufferLimits m_limits;  //!< the limits
    uint32_t m_priority{0}; //!< the priority of the accounts charged elsewhere
};

/// The packet memory of a switch, on which the queues of all its ports draw.
///
/// Aggregate one to a node to make the ports' queue discs share it. Its arithmetic, the Dynamic
/// Threshold with reserved bytes, static caps and headroom, is BufferPool's.
///
/// Thresholds are computed when they are used. This equals computing all of them at each arrival
/// and departure of any queue. To study the cost of stale thresholds, PollInterval makes the
/// marking engines see samples of the thresholds; admission always uses current ones. With
/// DecreaseAtOnce, only increases wait for the next poll.
///
/// It counts the bytes of network-layer packets as the queue discs do, without link-layer headers.
/// With CellSize, it counts as switch chips do: a packet takes the cells of its frame, with
/// Ethernet header and frame check sequence. All that is counted in memory is counted so: queues
/// and their thresholds, accounts of ingress ports, reserved bytes, caps, headroom, and what
/// marking engines compare with their thresholds. Sizes remain in bytes, of cells.
///
/// Chips divide their memory: a port belongs to one of Partitions equal parts, on which its egress
/// queues and its accounts draw. SharedSize sets what is shared in each, as configurations of
/// chips do, and HeadroomPool limits what headroom is in use in each.
///
/// Packets of a lossy class are charged to their egress queue. Packets of a lossless class are
/// charged to their ingress port and priority (IngressBuffer), whose peer can be paused.
class alignas(CACHE_LINE) SharedBuffer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// The ingress port of the switch's own packets.
    static constexpr uint32_t NO_PORT = std::numeric_limits<uint32_t>::max();
    /// The number of priorities.
    static constexpr uint32_t PRIORITIES = 8;

    /// Add a queue that draws on this buffer. queue: belongs to no buffer yet; port: the index of
    /// its port's device in its node, or NO_PORT.
    /// @throws std::invalid_argument if the queue's reserved bytes and headroom do not fit
    void AddQueue(Ptr<SharedBufferQueue> queue, uint32_t port = NO_PORT);

    /// Get the part of the memory to which a port belongs.
    /// @param port the index of the port's device in its node; NO_PORT belongs to part 0
    /// @return 0, 1, 2...
    uint32_t GetPartition(uint32_t port) const;

    /// Get a queue. @param index its position in the order of ports, and at a port of addition
    Ptr<SharedBufferQueue> GetQueue(uint32_t index) const
    {
        return m_queues.at(index);
    }

    /// Add the account of an ingress port and priority.
    ///
    /// It is an error if there is an account already. Call this before packets of lossless classes
    /// arrive at the port.
    /// @param port the index of the port's device in its node
    /// @param priority the priority, 0 to 7
    /// @param ingress the account, which belongs to no buffer yet
    /// @throws std::invalid_argument if its reserved bytes and headroom do not fit
    void AddIngress(uint32_t port, uint32_t priority, Ptr<IngressBuffer> ingress);

    /// Get the account that is charged for a port and priority. port: the index of the port's
    /// device in its node, or NO_PORT; priority: 0 to 7.
    /// @return the account; the common one if the port and priority have none of their own
    Ptr<IngressBuffer> GetIngress(uint32_t port, uint32_t priority);

    /// Get the limits of all accounts of a priority, 0 to 7, whose peers can be paused.
    /// @return the limits of the accounts that have headroom, by port
    std::vector<IngressLimits> GetIngressLimits(uint32_t priority) const;

    /// Charge for an arriving packet of a lossless class, if its account's limits allow. port: its
    /// ingress port, or NO_PORT; priority: its priority, 0 to 7; bytes: its size.
    /// @return the outcome; nothing is charged when it is a refusal
    Admission AdmitIngress(uint32_t port, uint32_t priority, uint32_t bytes)
    {
        const Admission admission = FindIngress(port, priority)->Admit(bytes);
        NotifyUse();
        return admission;
    }

    /// Credit for a packet of a lossless class that leaves, as AdmitIngress() has charged for it.
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
    uint32_t GetNQueues() const
    {
        return static_cast<uint32_t>(m_queues.size());
    }

    /// Note that a queue has taken memory or given it back.
    void NotifyUse()
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

    /// Note that thresholds have changed without a packet: a queue has new limits.
    void NotifyLimits();

  protected:
    void DoDispose() override;

  private:
    /// Set the size. @throws std::invalid_argument if it is not allowed
    void SetSize(uint64_t bytes);

    /// Set how marking engines see thresholds. interval: of polling, 0 for none; atOnce: whether
    /// they see decreases at once.
    void SetPolling(Time interval, bool atOnce);

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

    /// Find the group of a port of a part, or make it. ports: the ports that have a group; alpha:
    /// its factor, 0 for no such groups. @return the parent for none
    static BufferPool::GroupId FindGroup(BufferPool& pool,
                                         std::map<uint32_t, BufferPool::GroupId>& ports,
                                         uint32_t port,
                                         double alpha,
                                         BufferPool::GroupId parent);

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
    std::vector<uint32_t> m_ports;                //!< the ports of the queues
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

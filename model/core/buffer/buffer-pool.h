// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BUFFER_POOL_H
#define AIDC_BUFFER_POOL_H

#include "../cache-line.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/// The limits of one queue in a BufferPool.
struct BufferLimits
{
    /// Factor of the dynamic threshold, > 0.
    double alpha{1.0};
    /// Bytes set aside for this queue alone.
    uint64_t reserved{0};
    /// Static upper bound of the queue in bytes, without its headroom.
    uint64_t cap{std::numeric_limits<uint64_t>::max()};
    /// Bytes set aside for packets that still arrive after the peer of a lossless queue was paused.
    uint64_t headroom{0};
    /// Whether another queue of the pool is charged for the packets, such as the account of their
    /// ingress port (IngressPool). Then the occupancy of this queue is not part of any sum, and
    /// only its cap refuses packets. Its Buf_Thrd is still computed, for marking.
    bool chargedElsewhere{false};
};

/// The unit in which a switch chip counts its memory: cells that packets do not share.
struct BufferCells
{
    /// Octets of the Ethernet header and the frame check sequence, which chips store, too.
    static constexpr uint32_t FRAME_OVERHEAD = 14 + 4;
    /// Octets of the smallest frame.
    static constexpr uint32_t MIN_FRAME = 64;

    /// Bytes of a cell; 0 if packets take the bytes of their network layer.
    uint32_t size{0};

    /// Get the memory that a packet takes. @param bytes its bytes at the network layer
    /// @return these bytes, or the bytes of the cells of its frame, without tags
    uint32_t GetCharge(uint32_t bytes) const
    {
        return size == 0 ? bytes : RoundUp(std::max(bytes + FRAME_OVERHEAD, MIN_FRAME));
    }

    /// Round the bytes of a frame up to cells, whose size is not 0. @return the bytes
    uint32_t RoundUp(uint32_t bytes) const
    {
        return (bytes + size - 1) / size * size;
    }
};

/// Where an arriving packet goes, or which limit refuses it.
enum class Admission : uint8_t
{
    ADMITTED,         //!< within Buf_Thrd
    HEADROOM,         //!< beyond Buf_Thrd, into the queue's headroom
    OVER_THRESHOLD,   //!< refused: beyond the dynamic threshold
    OVER_CAP,         //!< refused: beyond the queue's static cap
    BUFFER_EXHAUSTED, //!< refused: no free memory in the pool
};

/// The memory of a switch, shared by its queues under a dynamic threshold.
///
/// The pool of `size` bytes is divided into what queues have reserved, their headroom, and a shared
/// part on which all of them draw. The shared part of a queue is limited by the Dynamic Threshold
/// of Choudhury and Hahne ("Dynamic queue length thresholds for shared-memory packet switches",
/// IEEE/ACM Transactions on Networking 6(2), 1998): alpha times the shared memory that is free.
///
///     Buf_Thrd = min(cap, reserved + min(alpha * free, shared use of the queue + free))
///
/// The inner minimum is the physical limit: with alpha > 1 the dynamic threshold alone could exceed
/// the memory. Queues may be in a group, such as the queues of a port in chips of two levels, or
/// the lossy queues where a chip bounds what these share. For them, free is what the group leaves:
///
///     groupAlpha * free - shared use of the group, or
///     min(free, groupSize - shared use of the group)
///
/// Headroom may be each queue's own, or limited in sum (SetHeadroomPool()). A packet is refused if
/// it would take the queue beyond Buf_Thrd and its headroom. The cost of each operation does not
/// depend on the number of queues. Operations that every packet needs are defined here, so that
/// they can be inlined.
///
/// Invariants: no queue's use changes but by Admit, Force and Release; the sum of all use is at
/// most the size, unless Force or a reconfiguration took it beyond; Buf_Thrd <= cap.
class BufferPool
{
  public:
    /// Identifies a queue of the pool.
    using QueueId = uint32_t;
    /// Identifies a group of queues with a limit of their own.
    using GroupId = uint32_t;
    /// No group.
    static constexpr GroupId NO_GROUP = std::numeric_limits<GroupId>::max();

    /// Constructor. @param size bytes of memory, below 2^63
    explicit BufferPool(uint64_t size);

    BufferPool(const BufferPool&) = delete; // its queues know its groups
    BufferPool& operator=(const BufferPool&) = delete;
    /// Move constructor.
    BufferPool(BufferPool&&) = default;
    /// Move assignment. @return this
    BufferPool& operator=(BufferPool&&) = default;

    /// Set the cells in which packets are counted. @param bytes bytes of a cell, 0 for none
    void SetCellSize(uint32_t bytes)
    {
        m_cells.size = bytes;
    }

    /// Get the memory that a packet takes: what Admit(), Check() and Release() are told of it.
    /// @param bytes its bytes at the network layer
    uint32_t GetCharge(uint32_t bytes) const
    {
        return m_cells.GetCharge(bytes);
    }

    /// Have alphas be powers of two only. @param only whether they have to be
    void SetPowersOfTwo(bool only)
    {
        m_isPowersOfTwo = only;
    }

    /// @return whether a queue may have a factor: a positive number, a power of two if they have to
    /// be
    bool IsAlpha(double alpha) const;

    /// Change the size. Occupancies do not change. @param size bytes of memory, below 2^63
    /// @return false, and nothing changed, when reserved bytes and headroom exceed it
    bool SetSize(uint64_t size);

    /// Get the size. @return bytes of memory
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// Set the shared memory, so that what is set aside comes on top of it and the size is both.
    /// @param shared bytes; 0 shares what of the size is not set aside
    /// @return false, and nothing changed, when the size does not have what is set aside
    bool SetShared(uint64_t shared);

    /// Have all queues use their headroom from one memory. @param bytes its size; 0 gives each
    /// queue its own
    /// @return false, and nothing changed, when the size does not have it
    bool SetHeadroomPool(uint64_t bytes);

    /// Add a queue with default limits. @return its identifier: 0, 1, 2...
    QueueId AddQueue();

    /// Add a group whose queues share a factor of what is free.
    /// @param alpha the factor, > 0
    /// @param parent the group to which this one belongs, NO_GROUP for none
    /// @return its identifier: 0, 1, 2...
    GroupId AddPort(double alpha, GroupId parent = NO_GROUP)
    {
        return AddGroup({alpha, 0, 0, FindGroup(parent)});
    }

    /// Add a group whose queues share at most so much of the shared memory.
    /// @param size bytes, > 0
    /// @return its identifier
    GroupId AddBound(uint64_t size)
    {
        return AddGroup({0, size, 0, nullptr});
    }

    /// Put an empty queue into a group. @param queue the queue @param group the group, or NO_GROUP
    void SetGroup(QueueId queue, GroupId group)
    {
        m_queues[queue].group = FindGroup(group);
    }

    /// Change a queue's limits. Its occupancy does not change.
    /// @param queue the queue
    /// @param limits the new limits
    /// @return false, and nothing changed, when IsAlpha() refuses alpha or the sum of all
    ///         reserved bytes and headroom would exceed the size, unless the shared memory is set
    bool SetLimits(QueueId queue, const BufferLimits& limits);

    /// Get the limits of a queue.
    const BufferLimits& GetLimits(QueueId queue) const
    {
        return m_queues[queue].limits;
    }

    /// @return the number of queues
    uint32_t GetNQueues() const;

    /// Get the most that a queue may occupy now, without its headroom. @return Buf_Thrd in bytes
    uint64_t GetThreshold(QueueId queue) const
    {
        return Threshold(m_queues[queue], GetFree());
    }

    /// Get the most that a queue might occupy now if there were less or more free memory.
    ///
    /// It grows with the free memory.
    /// @param queue the queue
    /// @param free the shared memory taken as free, in bytes
    /// @return Buf_Thrd in bytes
    uint64_t GetThreshold(QueueId queue, uint64_t free) const
    {
        return Threshold(m_queues[queue], free);
    }

    /// @return the occupancy of a queue, including its headroom, in bytes
    uint64_t GetOccupancy(QueueId queue) const
    {
        return m_queues[queue].used + m_queues[queue].headroomUsed;
    }

    /// @return the occupancy of a queue's headroom in bytes
    uint64_t GetHeadroomUsed(QueueId queue) const
    {
        return m_queues[queue].headroomUsed;
    }

    /// Get the occupancy of all queues together. @return bytes
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /// Get the shared memory: the size without reserved bytes and headroom. @return bytes
    uint64_t GetShared() const
    {
        return m_shared;
    }

    /// Get the free shared memory. @return bytes
    uint64_t GetFree() const
    {
        return m_shared > m_sharedUsed ? m_shared - m_sharedUsed : 0;
    }

    /// @return what Admit() would return for the same queue and size, without a change
    Admission Check(QueueId queue, uint64_t bytes) const
    {
        const auto& q = m_queues[queue];
        // Compared without a sum that could overflow.
        const uint64_t threshold = Threshold(q, GetFree());
        return threshold >= q.used && bytes <= threshold - q.used ? Admission::ADMITTED
                                                                  : CheckBeyond(q, bytes);
    }

    /// Take memory for an arriving packet, if the limits of its queue allow. bytes: the size of the
    /// packet. @return the outcome; nothing is taken when it is a refusal
    Admission Admit(QueueId queue, uint64_t bytes)
    {
        const Admission admission = Check(queue, bytes);
        if (admission == Admission::ADMITTED)
        {
            Force(queue, bytes);
        }
        else if (admission == Admission::HEADROOM)
        {
            m_queues[queue].headroomUsed += bytes;
            m_headroomUsed += bytes;
            m_used += bytes;
        }
        return admission;
    }

    /// Take memory for bytes that are already in the queue, whatever its limits.
    void Force(QueueId queue, uint64_t bytes)
    {
        SetUsed(m_queues[queue], m_queues[queue].used + bytes);
    }

    /// Give memory back; the headroom is given back first. @param queue the queue
    /// @param bytes the number of bytes; bytes beyond the queue's occupancy are ignored
    void Release(QueueId queue, uint64_t bytes)
    {
        auto& q = m_queues[queue];
        const uint64_t fromHeadroom = std::min(bytes, q.headroomUsed);
        q.headroomUsed -= fromHeadroom;
        m_headroomUsed -= fromHeadroom;
        m_used -= fromHeadroom;
        SetUsed(q, q.used - std::min(bytes - fromHeadroom, q.used));
    }

  private:
    /// Queues with a limit of their own.
    struct Group
    {
        double alpha{0};        //!< factor of their dynamic threshold; 0 if they have a bound
        uint64_t size{0};       //!< the bound in bytes
        uint64_t sharedUsed{0}; //!< the sum of their SharedUse
        Group* parent{nullptr}; //!< the group to which this one belongs; null for none
    };

    /// A queue's limits and use, in one line of the cache because an arrival reads them all.
    struct alignas(CACHE_LINE) Queue
    {
        BufferLimits limits;      //!< the limits
        uint64_t used{0};         //!< bytes held, without the headroom
        uint64_t headroomUsed{0}; //!< bytes held in the headroom
        Group* group{nullptr};    //!< the group that limits it, too; null for none
    };

    /// Get the part of a queue's use that is drawn from the shared memory. @return bytes
    static uint64_t SharedUse(const Queue& q)
    {
        return q.used > q.limits.reserved ? q.used - q.limits.reserved : 0;
    }

    /// @return Buf_Thrd, the most that a queue may occupy, with so many bytes of free shared memory
    static uint64_t Threshold(const Queue& q, uint64_t free)
    {
        const uint64_t physical = SharedUse(q) + free;
        const double dynamic =
            q.limits.alpha * (q.group ? GetLeft(*q.group, free) : ToDouble(free));
        // The comparison also keeps the conversion to an integer in range.
        const uint64_t shared = dynamic < ToDouble(physical)
                                    ? static_cast<uint64_t>(static_cast<int64_t>(dynamic))
                                    : physical;
        return std::min(q.limits.cap, q.limits.reserved + shared);
    }

    /// Get what a group leaves its queues. free: the free shared memory in bytes. @return bytes
    static double GetLeft(const Group& group, uint64_t free)
    {
        const double above = group.parent ? GetLeft(*group.parent, free) : ToDouble(free);
        const double left = (group.alpha > 0 ? group.alpha * above : ToDouble(group.size)) -
                            ToDouble(group.sharedUsed);
        return std::max(0.0, left);
    }

    Group* FindGroup(GroupId group)
    {
        return group == NO_GROUP ? nullptr : &m_groups[group];
    }

    GroupId AddGroup(const Group& group)
    {
        m_groups.push_back(group);
        return static_cast<GroupId>(m_groups.size() - 1);
    }

    /// Convert by way of a signed integer, which takes one instruction. @return the number of bytes
    static double ToDouble(uint64_t bytes)
    {
        return static_cast<double>(static_cast<int64_t>(bytes));
    }

    /// Decide on a packet beyond Buf_Thrd. @return ADMITTED only if another queue is charged
    Admission CheckBeyond(const Queue& q, uint64_t bytes) const;

    /// Change a queue's use and the sums with it.
    void SetUsed(Queue& q, uint64_t used)
    {
        if (q.limits.chargedElsewhere)
        {
            q.used = used;
            return;
        }
        const uint64_t before = SharedUse(q);
        m_used -= q.used;
        q.used = used;
        m_used += used;
        const uint64_t more = SharedUse(q) - before; // wraps round if it is less
        m_sharedUsed += more;
        for (Group* group = q.group; group; group = group->parent)
        {
            group->sharedUsed += more;
        }
    }

    /// Set other bytes aside. @return false, and nothing changed, if there are not so many
    bool Divide(uint64_t reserved, uint64_t headroom, uint64_t pooledHeadroom);

    BufferCells m_cells;         //!< the cells
    bool m_isPowersOfTwo{false}; //!< whether alphas have to be powers of two
    std::vector<Queue> m_queues; //!< the queues, by identifier
    uint64_t m_shared;           //!< memory that is shared
    uint64_t m_sharedUsed{0};    //!< the sum of SharedUse
    uint64_t m_used{0};          //!< the sum of all occupancies
    uint64_t m_headroomUsed{0};  //!< the sum of the use of headroom
    uint64_t m_headroomPool{0};  //!< the most of it; 0 if each queue has its own
    uint64_t m_reserved{0};      //!< the sum of reserved bytes
    uint64_t m_headroom{0};      //!< the sum of headroom of queues
    uint64_t m_size;             //!< all memory
    bool m_isSharedSet{false};   //!< whether the size follows from the shared memory
    std::deque<Group> m_groups;  //!< the groups, by identifier, which stay where they are
};

} // namespace ns3::aidc

#endif // AIDC_BUFFER_POOL_H

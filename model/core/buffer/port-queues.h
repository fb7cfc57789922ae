// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PORT_QUEUES_H
#define AIDC_PORT_QUEUES_H

#include <algorithm>
#include <array>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Chooses which of a port's traffic classes sends next.
///
/// Classes with a quantum of 0 have strict priority: they go before the others, the highest number
/// first. The others share the rest of the link by deficit weighted round robin, in the
/// proportion of their quanta (Shreedhar and Varghese, "Efficient Fair Queueing
/// Using Deficit Round-Robin", IEEE/ACM Transactions on Networking 4(3), 1996).
class TrafficClassScheduler
{
  public:
    /// The largest number of classes.
    static constexpr uint32_t MAX_CLASSES = 8;
    /// The result of Next() if no class may send.
    static constexpr uint32_t NONE = MAX_CLASSES;

    /// Set a class's quantum. quantum: bytes a round; 0 gives the class strict priority.
    void SetQuantum(uint32_t index, uint32_t quantum)
    {
        m_quantum[index] = quantum;
        m_deficit[index] = 0;
        const uint32_t bit = 1U << index;
        m_strict = quantum == 0 ? (m_strict | bit) : (m_strict & ~bit);
    }

    /// Choose the class that sends next, and charge it for its packet.
    /// @tparam HeadSize a callable: uint32_t index -> uint32_t bytes of the class's first packet
    /// @param ready the classes that have a packet and may send, a bit each
    /// @param waiting the classes that have a packet, paused ones too, a bit each; a class that has
    ///                none loses its deficit
    /// @param headSize gives the size of a class's first packet; asked of ready classes only
    /// @return the class, or NONE
    template <typename HeadSize>
    uint32_t Next(uint32_t ready, uint32_t waiting, HeadSize headSize)
    {
        if (const uint32_t strict = ready & m_strict; strict != 0)
        {
            return HighestBit(strict);
        }
        if (ready == 0)
        {
            return NONE;
        }
        while (true)
        {
            if (IsSet(ready, m_turn))
            {
                const uint32_t size = headSize(m_turn);
                if (size <= m_deficit[m_turn])
                {
                    m_deficit[m_turn] -= size;
                    return m_turn;
                }
            }
            else if (!IsSet(waiting, m_turn))
            {
                m_deficit[m_turn] = 0;
            }
            m_turn = (m_turn + 1) % MAX_CLASSES;
            if (IsSet(ready, m_turn))
            {
                m_deficit[m_turn] += m_quantum[m_turn];
            }
        }
    }

  private:
    static bool IsSet(uint32_t bits, uint32_t position)
    {
        return ((bits >> position) & 1U) != 0;
    }

    /// Get the position of the highest bit. @param bits the bits, not 0
    static uint32_t HighestBit(uint32_t bits)
    {
        uint32_t position = 0;
        while (bits >>= 1)
        {
            ++position;
        }
        return position;
    }

    std::array<uint32_t, MAX_CLASSES> m_quantum{}; //!< bytes a round
    std::array<uint64_t, MAX_CLASSES> m_deficit{}; //!< bytes that a class may still send
    uint32_t m_strict{(1U << MAX_CLASSES) - 1};    //!< the classes of strict priority, a bit each
    uint32_t m_turn{0};                            //!< the class whose turn it is
};

/// The packets of an egress port: a first-in-first-out queue for each traffic class, which
/// may be paused or emptied, and the scheduler that chooses the next packet.
///
/// The packets of a class may also be elsewhere. Then the caller tells whether there are any.
/// @tparam Item a pointer to a packet, false for none; the class does not look into packets
template <typename Item>
class PortQueues
{
  public:
    /// The largest number of classes.
    static constexpr uint32_t MAX_CLASSES = TrafficClassScheduler::MAX_CLASSES;
    /// The result of Next() if no class may send.
    static constexpr uint32_t NONE = TrafficClassScheduler::NONE;

    /// Constructor. @param nClasses the number of classes
    explicit PortQueues(uint32_t nClasses)
        : m_fifos(nClasses)
    {
    }

    /// @return the number of classes
    uint32_t GetNClasses() const
    {
        return static_cast<uint32_t>(m_fifos.size());
    }

    /// Set a class's quantum. @param index the class
    /// @param quantum bytes a round of deficit round robin; 0 gives the class strict priority
    void SetQuantum(uint32_t index, uint32_t quantum)
    {
        m_scheduler.SetQuantum(index, quantum);
    }

    /// Put a packet after the others of its class.
    void Push(uint32_t index, const Item& item)
    {
        auto& fifo = m_fifos[index];
        if (!fifo.first)
        {
            fifo.first = item;
            m_waiting |= 1U << index;
            return;
        }
        if (fifo.others.full())
        {
            constexpr std::size_t FIRST = 8;
            fifo.others.set_capacity(std::max(FIRST, 2 * fifo.others.capacity()));
        }
        fifo.others.push_back(item);
    }

    /// Remove the first packet of a class. @return the packet, or none
    Item Pop(uint32_t index)
    {
        auto& fifo = m_fifos[index];
        Item item = std::exchange(fifo.first, Item());
        if (!fifo.others.empty())
        {
            fifo.first = std::move(fifo.others.front());
            fifo.others.pop_front();
        }
        else if (item)
        {
            m_waiting &= ~(1U << index);
        }
        return item;
    }

    /// Get the first packet of a class. @return the packet, or none
    const Item& GetFront(uint32_t index) const
    {
        return m_fifos[index].first;
    }

    /// Tell whether a class has packets elsewhere. waits: whether it does.
    void SetWaiting(uint32_t index, bool waits)
    {
        SetBit(m_waiting, index, waits);
    }

    /// Ask whether a class has packets. @return true if it has, even if it is paused
    bool IsWaiting(uint32_t index) const
    {
        return GetBit(m_waiting, index);
    }

    /// @return whether a class has packets and is not paused
    bool IsReady() const
    {
        return (m_waiting & ~m_paused) != 0;
    }

    /// Pause or resume a class.
    void SetPaused(uint32_t index, bool paused)
    {
        SetBit(m_paused, index, paused);
    }

    /// @return whether a class is paused
    bool IsPaused(uint32_t index) const
    {
        return GetBit(m_paused, index);
    }

    /// Have a class refuse packets, or accept them again.
    void SetDiscarding(uint32_t index, bool discarding)
    {
        SetBit(m_discarding, index, discarding);
    }

    /// @return whether a class refuses packets
    bool IsDiscarding(uint32_t index) const
    {
        return GetBit(m_discarding, index);
    }

    /// Choose the class that sends next, and charge it for its first packet, as
    /// TrafficClassScheduler::Next() does. @return the class, or NONE
    template <typename HeadSize>
    uint32_t Next(HeadSize headSize)
    {
        return m_scheduler.Next(m_waiting & ~m_paused, m_waiting, headSize);
    }

  private:
    /// The packets of a class. Most queues never hold more than one packet.
    struct Fifo
    {
        Item first{};                        //!< the first packet
        boost::circular_buffer<Item> others; //!< the packets after it
    };

    static void SetBit(uint32_t& bits, uint32_t position, bool value)
    {
        const uint32_t bit = 1U << position;
        bits = value ? (bits | bit) : (bits & ~bit);
    }

    static bool GetBit(uint32_t bits, uint32_t position)
    {
        return ((bits >> position) & 1U) != 0;
    }

    uint32_t m_waiting{0};             //!< the classes that have packets, a bit each
    uint32_t m_paused{0};              //!< the classes that are paused, a bit each
    uint32_t m_discarding{0};          //!< the classes that refuse packets, a bit each
    std::vector<Fifo> m_fifos;         //!< the packets, by class
    TrafficClassScheduler m_scheduler; //!< chooses the class that sends
};

/// How much of the switch's memory a port uses.
struct PortBufferUse
{
    uint64_t held{0};  //!< occupancy of the port's fullest queue in bytes
    uint64_t limit{0}; //!< the most that this queue may occupy now, in bytes
    uint64_t share{0}; //!< part of a queue if all queues of the switch had equal parts, in bytes
};

/// The buffer of an egress port, as forwarding sees it.
class PortBuffer
{
  public:
    virtual ~PortBuffer() = default;

    /// @return the port's present use of the memory; its fullest queue is the one whose occupancy
    ///         is the largest part of its limit
    virtual PortBufferUse GetBufferUse() const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PORT_QUEUES_H

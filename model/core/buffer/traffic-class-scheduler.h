/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAFFIC_CLASS_SCHEDULER_H
#define AIDC_TRAFFIC_CLASS_SCHEDULER_H

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Chooses which of a port's traffic classes sends next.
 *
 * Classes with a quantum of 0 have strict priority: they go before the others, the highest number
 * first. The others share the rest of the link by deficit weighted round robin, in the
 * proportion of their quanta (Shreedhar and Varghese, "Efficient Fair Queueing
 * Using Deficit Round-Robin", IEEE/ACM Transactions on Networking 4(3), 1996).
 */
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

    /**
     * @brief Choose the class that sends next, and charge it for its packet.
     * @tparam HeadSize a callable: uint32_t index -> uint32_t bytes of the class's first packet
     * @param ready the classes that have a packet and may send, a bit each
     * @param waiting the classes that have a packet, paused ones too, a bit each; a class that has
     *                none loses its deficit
     * @param headSize gives the size of a class's first packet; asked of ready classes only
     * @return the class, or NONE
     */
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
    /// @return whether the bit at a position is set
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

} // namespace ns3::aidc

#endif // AIDC_TRAFFIC_CLASS_SCHEDULER_H

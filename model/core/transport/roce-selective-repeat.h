/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_SELECTIVE_REPEAT_H
#define AIDC_ROCE_SELECTIVE_REPEAT_H

#include "roce-work.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Decides which packets of a RoceRequester are repeated: the missing packets below one that
 *        has arrived (IRN, SIGCOMM 2018).
 *
 * The requester gives the range of packets in flight, from the oldest packet that is not
 * acknowledged to the newest one that was ever sent.
 */
class RoceSelectiveRepeat
{
  public:
    /// The packets in flight.
    struct Range
    {
        uint64_t oldest; //!< the oldest one that is not acknowledged
        uint64_t end;    //!< after the newest one that was ever sent
    };

    /// The effects of the arrival of a packet.
    struct Arrival
    {
        bool isNew{false};  //!< it was not known to have arrived
        bool isLoss{false}; //!< it says that packets were lost
    };

    /// @param settings the settings
    explicit RoceSelectiveRepeat(const RoceSettings& settings)
        : m_maxPackets(settings.maxPackets),
          m_reorderWindow(settings.reorderWindow)
    {
    }

    /// @return whether missing packets are being repeated
    bool IsRecovering() const
    {
        return m_isRecovering;
    }

    /// @param range the packets in flight
    /// @return the next packet to be repeated; the end of the range if there is none
    uint64_t GetNext(const Range& range) const
    {
        const uint64_t missing = m_isRecovering ? FindMissing(range) : range.end;
        return missing == range.end && m_hasProbe ? m_recoveryEnd : missing;
    }

    /// @param sequence a packet that was repeated
    /// @param behind the number behind it, or behind the responses that it asks for
    void NotifyRepeated(uint64_t sequence, uint64_t behind)
    {
        m_hasProbe = m_hasProbe && sequence < m_recoveryEnd;
        if (sequence < m_end)
        {
            m_next = behind;
        }
    }

    /// Note a packet that the receiver has got out of order. range: the packets in flight.
    /// @return the effects of this arrival
    Arrival NotifyArrival(uint64_t sequence, const Range& range)
    {
        Arrival arrival;
        if (sequence <= range.oldest || sequence >= range.end ||
            sequence - range.oldest >= m_maxPackets)
        {
            return arrival;
        }
        if (m_hasArrived.empty())
        {
            m_hasArrived.resize(m_maxPackets);
        }
        arrival.isNew = !m_hasArrived[sequence % m_maxPackets];
        m_hasArrived[sequence % m_maxPackets] = true;
        m_hasNews = m_hasNews || arrival.isNew;
        m_hasProbe = m_hasProbe && sequence < m_recoveryEnd;
        if (sequence - range.oldest <= m_reorderWindow)
        {
            return arrival; // what is missing may still come
        }
        const uint64_t end = sequence - m_reorderWindow;
        if (!m_isRecovering)
        {
            arrival.isLoss = true;
            Begin(range);
        }
        else
        {
            // What is missing of the packets that were first sent meanwhile is repeated now, too:
            // the recovery is over when these repeats have arrived, so that nothing is repeated
            // twice.
            uint64_t i = std::max(m_end, m_recoveryEnd + 1);
            while (i < end && m_hasArrived[i % m_maxPackets])
            {
                ++i;
            }
            if (i < end)
            {
                arrival.isLoss = true;
                m_recoveryEnd = range.end - 1;
            }
        }
        m_end = std::max(m_end, end);
        return arrival;
    }

    /**
     * @brief Repeat what a timeout says is lost: packets that are not known to have arrived,
     *        beginning with the oldest one.
     *
     * They are all packets if nothing has arrived since the timer was started. Otherwise only the
     * repeat of an old packet is lost, and those after the newest arrival may be under way: of
     * these only the newest one is repeated, as a probe (RFC 8985, section 7). When it arrives, the
     * others that are missing are known, without another timeout.
     *
     * @param range the packets in flight
     */
    void HandleTimeout(const Range& range)
    {
        if (!m_hasNews)
        {
            m_end = range.end;
        }
        Begin(range);
        m_hasProbe = m_recoveryEnd >= m_end;
    }

    /// Repeat the newest packet as a probe, unless packets are being repeated already.
    /// @param range the packets in flight
    void Probe(const Range& range)
    {
        if (!m_isRecovering)
        {
            m_hasProbe = true;
            m_recoveryEnd = range.end - 1;
        }
    }

    /// Note packets that are acknowledged, which starts the timer again. oldest: the oldest
    /// one of them; end: the number after the newest one.
    void NotifyAcknowledged(uint64_t oldest, uint64_t end)
    {
        if (!m_hasArrived.empty())
        {
            for (uint64_t i = oldest; i < end; ++i)
            {
                m_hasArrived[i % m_maxPackets] = false;
            }
        }
        m_isRecovering = m_isRecovering && end <= m_recoveryEnd;
        m_hasProbe = m_hasProbe && end <= m_recoveryEnd;
        m_hasNews = false;
    }

    /// Forget which packets have arrived, and repeat none.
    void Forget()
    {
        m_isRecovering = false;
        m_hasNews = false;
        m_hasProbe = false;
        m_gap = 0;
        m_end = 0;
        m_hasArrived.assign(m_hasArrived.size(), false);
    }

  private:
    /// @return the next packet that is missing; the end of the range if there is none
    uint64_t FindMissing(const Range& range) const
    {
        const uint64_t first = std::max(m_next, range.oldest);
        // The oldest packet counts as missing, even if it has arrived before: its receiver may not
        // have been ready for it.
        if (first < m_end && (first == range.oldest || m_hasArrived.empty()))
        {
            return first;
        }
        for (m_gap = std::max(m_gap, first); m_gap < m_end; ++m_gap)
        {
            if (!m_hasArrived[m_gap % m_maxPackets])
            {
                return m_gap;
            }
        }
        return range.end;
    }

    /// Begin to repeat, with the oldest packet.
    void Begin(const Range& range)
    {
        m_isRecovering = true;
        m_hasNews = false;
        m_hasProbe = false;
        m_recoveryEnd = range.end - 1;
        m_next = range.oldest;
        m_gap = range.oldest;
        m_end = std::max(m_end, range.oldest + 1);
    }

    uint32_t m_maxPackets;          //!< packets that may be in flight
    uint32_t m_reorderWindow;       //!< packets that may overtake another one
    bool m_isRecovering{false};     //!< IsRecovering()
    bool m_hasNews{false};          //!< packets have arrived since the timer was started
    bool m_hasProbe{false};         //!< m_recoveryEnd is to be repeated after those missing
    uint64_t m_next{0};             //!< the first packet that may be repeated
    mutable uint64_t m_gap{0};      //!< the others before this one, from m_next on, have arrived
    uint64_t m_end{0};              //!< after the last packet that may be repeated
    uint64_t m_recoveryEnd{0};      //!< recovery is over when this packet is acknowledged
    std::vector<bool> m_hasArrived; //!< packets, by their number modulo maxPackets; none so far
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_SELECTIVE_REPEAT_H

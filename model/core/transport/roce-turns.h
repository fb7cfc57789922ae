// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_TURNS_H
#define AIDC_ROCE_TURNS_H

#include "../never.h"

#include <algorithm>
#include <array>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <utility>

namespace ns3::aidc
{

/// Something that takes turns with others in a RoceTurns: a queue pair.
class RoceTurn : public boost::intrusive::set_base_hook<
                     boost::intrusive::link_mode<boost::intrusive::normal_link>>
{
  public:
    /// @param trafficClass the class of its packets, below RoceTurns::N_CLASSES
    explicit RoceTurn(uint8_t trafficClass)
        : m_class(trafficClass)
    {
    }

    /// @return the class of its packets
    uint8_t GetClass() const
    {
        return m_class;
    }

    /// @return whether it waits for its turn or for its time
    bool IsWaiting() const
    {
        return m_isWaiting;
    }

    /// @return for how long its class was paused while it waited for its turn, in ns
    double GetPausedTime() const
    {
        return m_pausedTime;
    }

  private:
    friend class RoceTurns;

    RoceTurn* m_next{nullptr};          //!< the next one of its class that waits for its turn
    std::pair<double, uint64_t> m_time; //!< the time that it waits for, ns; the order of arrival
    double m_readySince{0};  //!< paused time of the class when it began to wait for its turn, ns
    double m_pausedTime{0};  //!< GetPausedTime()
    uint8_t m_class;         //!< the class of its packets
    bool m_isWaiting{false}; //!< whether it waits for its turn or for its time
    bool m_isPaced{false};   //!< whether it waits for its time
};

/// Decides which queue pair of a port sends next.
///
/// The traffic classes that are not paused take turns. Within a class, the queue pairs that may
/// send take turns. A queue pair that has to wait for its time (for the pace of its congestion
/// control) is in a tree until then, and may be taken out again. A queue pair is here at most once,
/// and it leaves with its turn: to send more, it has to be pushed again.
class RoceTurns
{
  public:
    /// The number of traffic classes.
    static constexpr uint32_t N_CLASSES = 8;

    /// Have a queue pair wait for its turn. turn: the queue pair, which does not wait yet; now: the
    /// time in ns.
    void Push(RoceTurn& turn, double now)
    {
        Class& trafficClass = m_classes[turn.m_class];
        turn.m_isWaiting = true;
        turn.m_next = nullptr;
        turn.m_readySince = trafficClass.GetPausedTime(now);
        (trafficClass.first ? trafficClass.last->m_next : trafficClass.first) = &turn;
        trafficClass.last = &turn;
        m_ready |= 1U << turn.m_class;
    }

    /// Have a queue pair wait for its time, and then for its turn. turn: the queue pair, which does
    /// not wait yet; time: its time in ns.
    void PushPaced(RoceTurn& turn, double time)
    {
        turn.m_isWaiting = turn.m_isPaced = true;
        turn.m_time = {time, m_order++};
        m_paced.insert(turn);
    }

    /// Have a queue pair no longer wait for its time, if it does.
    void WithdrawPaced(RoceTurn& turn)
    {
        if (turn.m_isPaced)
        {
            turn.m_isWaiting = turn.m_isPaced = false;
            m_paced.erase(m_paced.iterator_to(turn));
        }
    }

    /// Have the queue pairs whose time has come wait for their turn. @param now the time in ns
    void MovePaced(double now)
    {
        while (GetNextTime() <= now)
        {
            RoceTurn& turn = *m_paced.begin();
            WithdrawPaced(turn);
            Push(turn, now);
        }
    }

    /// @return when the time of the next queue pair comes, in ns; NEVER_DOUBLE if none waits for
    /// its time
    double GetNextTime() const
    {
        return m_paced.empty() ? NEVER_DOUBLE : m_paced.begin()->m_time.first;
    }

    /// Give the next queue pair its turn. @param now the time in ns @return the queue pair, which
    /// does not wait any more; null if there is none
    RoceTurn* Take(double now)
    {
        const uint32_t classes = m_ready & ~m_paused;
        if (classes == 0)
        {
            return nullptr;
        }
        do
        {
            m_lastClass = (m_lastClass + 1) % N_CLASSES;
        } while (((classes >> m_lastClass) & 1U) == 0);
        Class& trafficClass = m_classes[m_lastClass];
        RoceTurn* turn = trafficClass.first;
        trafficClass.first = turn->m_next;
        if (!trafficClass.first)
        {
            m_ready &= ~(1U << m_lastClass);
        }
        turn->m_isWaiting = false;
        turn->m_pausedTime += trafficClass.GetPausedTime(now) - turn->m_readySince;
        return turn;
    }

    /// Pause or resume a class. now: the time in ns. @return false if it was so before
    bool SetPaused(uint32_t index, bool isPaused, double now)
    {
        Class& trafficClass = m_classes[index];
        if (isPaused == (trafficClass.pausedSince < NEVER_DOUBLE))
        {
            return false;
        }
        trafficClass.paused = trafficClass.GetPausedTime(now);
        trafficClass.pausedSince = isPaused ? now : NEVER_DOUBLE;
        m_paused ^= 1U << index;
        return true;
    }

    /// @return the classes with queue pairs that wait for their turn, a bit each
    uint32_t GetReady() const
    {
        return m_ready;
    }

    /// @return the classes that are paused, a bit each
    uint32_t GetPaused() const
    {
        return m_paused;
    }

    /// Forget all queue pairs.
    void Clear()
    {
        m_ready = 0;
        for (auto& trafficClass : m_classes)
        {
            trafficClass.first = trafficClass.last = nullptr;
        }
        m_paced.clear();
    }

  private:
    /// A traffic class.
    struct Class
    {
        RoceTurn* first{nullptr}; //!< the queue pairs that wait for their turn, in order
        RoceTurn* last{nullptr};  //!< the last one of them
        double paused{0};         //!< time that it was paused before pausedSince, ns
        double pausedSince{
            NEVER_DOUBLE}; //!< since when it is paused, ns; NEVER_DOUBLE if it is not

        /// @param now the time in ns @return for how long it was paused so far, in ns
        double GetPausedTime(double now) const
        {
            return pausedSince < NEVER_DOUBLE ? paused + (now - pausedSince) : paused;
        }
    };

    /// Gives the key by which a tree orders queue pairs.
    struct TimeOf
    {
        using type = std::pair<double, uint64_t>; //!< NOLINT: Boost asks for this name

        const type& operator()(const RoceTurn& turn) const
        {
            return turn.m_time;
        }
    };

    /// Queue pairs that wait for their time.
    boost::intrusive::set<RoceTurn, boost::intrusive::key_of_value<TimeOf>> m_paced;

    std::array<Class, N_CLASSES> m_classes; //!< the classes
    uint64_t m_order{0};                    //!< counts the queue pairs put into m_paced
    uint32_t m_ready{0};                    //!< GetReady()
    uint32_t m_paused{0};                   //!< GetPaused()
    uint32_t m_lastClass{0};                //!< the class whose turn was last
};

/// Decides when a queue pair may send its next packet at the rate of its congestion control.
///
/// The gap after a packet follows the rate of the moment: a rate that rises while a packet waits
/// lets it leave earlier, and one that falls lets it leave later.
///
/// If other queue pairs on the port have delayed a packet, the next one may leave earlier, by at
/// most the gap of one packet. At the line rate, packets do not wait.
class RocePace
{
  public:
    /// @param lineRate the rate of the port, bit/s
    explicit RocePace(uint64_t lineRate)
        : m_lineRate(lineRate)
    {
    }

    /// @param rate the rate now, bit/s
    /// @return when the next packet may be sent at this rate, in ns, fractions included
    double GetNextTime(uint64_t rate) const
    {
        return rate >= m_lineRate ? m_start : m_start + m_bits / static_cast<double>(rate);
    }

    /// @return the time during which the rate has kept the line idle before the last packet, in ns
    double GetWait() const
    {
        return m_wait;
    }

    /// Note a packet. now: the time at which its transmission begins, in ns; wireBytes: its
    /// bytes on the wire; rate: the rate, bit/s.
    void NotifySent(double now, uint32_t wireBytes, uint64_t rate)
    {
        const double due = GetNextTime(rate);
        const double lineTime = m_bits / static_cast<double>(m_lineRate);
        m_wait += std::max(0.0, std::min(due, now) - m_sent - lineTime);
        m_sent = now;
        m_bits = 8e9 * wireBytes;
        const double gap = m_bits / static_cast<double>(rate);
        m_start = rate >= m_lineRate ? now : std::clamp(due, now - gap, now);
    }

  private:
    uint64_t m_lineRate; //!< the rate of the port, bit/s
    double m_start{0};   //!< when the gap after the last packet began, ns
    double m_bits{0};    //!< the last packet, in bit/s times ns
    double m_sent{0};    //!< when the transmission of the last packet began, ns
    double m_wait{0};    //!< GetWait()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TURNS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_HPCC_WINDOW_H
#define AIDC_HPCC_WINDOW_H

#include "int-header.h"
#include "utilization-window.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief HPCC's window by in-band telemetry: Li et al., "HPCC: High Precision Congestion Control",
 *        SIGCOMM 2019, algorithm 1.
 *
 * Each acknowledgment brings the header that the packet has collected. Two headers of the same path
 * tell the utilization of each hop between them:
 *
 *      u = min(queue', queue) / (rate * T) + (bytes' - bytes) / ((time' - time) * rate)
 *
 * The largest one, and the time between its two readings, go to UtilizationWindow. The reference
 * window Wc becomes W if the acknowledgment is of data that was sent after the last time it did.
 *
 * A header without a predecessor of the same path is only remembered. So is one whose predecessor
 * is older than half the time in which the hop's time or its bytes can wrap around: what has passed
 * between them is then not known.
 */
class HpccWindow
{
  public:
    /// What an acknowledgment brings.
    struct Report
    {
        int64_t now{0};           //!< the time in ns, which never goes back
        uint64_t acknowledged{0}; //!< the position up to which the receiver has everything
        uint64_t next{0};         //!< the position of what is sent next, in the same unit
        IntHeader header;         //!< what the acknowledged packet has collected
    };

    /// What came of a report.
    enum class Outcome : uint8_t
    {
        USED,          //!< the window follows it
        FIRST,         //!< remembered: there was none before
        PATH_CHANGED,  //!< remembered: the one before is of another path
        TOO_OLD,       //!< remembered: the one before is too old
        NOT_NEWER,     //!< ignored: its readings are those of the one before, or older
        NO_HOP,        //!< ignored: no switch has written
        TOO_MANY_HOPS, //!< ignored: the path has more hops than there is room for
        UNKNOWN_RATE,  //!< ignored: the code of a rate stands for none
        N_OUTCOMES     //!< how many outcomes there are
    };

    /// Start, or start over. @param settings the parameters
    void Start(const UtilizationWindow::Settings& settings)
    {
        *this = HpccWindow();
        m_windows.Start(settings, settings.maxWindow);
        m_baseRtt = settings.baseRtt;
    }

    /// Note an acknowledgment. @param report what it brings @return what came of it
    Outcome NotifyReport(const Report& report)
    {
        const IntHeader& header = report.header;
        if (header.nHops == 0)
        {
            return Outcome::NO_HOP;
        }
        if (header.nHops > INT_MAX_HOPS)
        {
            return Outcome::TOO_MANY_HOPS;
        }
        if (std::any_of(header.hops.begin(),
                        header.hops.begin() + header.nHops,
                        [](const IntHop& hop) { return GetIntRate(hop.rateCode) == 0; }))
        {
            return Outcome::UNKNOWN_RATE;
        }
        auto outcome = Outcome::USED;
        if (m_last.nHops == 0)
        {
            outcome = Outcome::FIRST;
            m_lastUpdate = report.next;
        }
        else if (!IsSamePath(header))
        {
            outcome = Outcome::PATH_CHANGED;
        }
        else if (report.now - m_lastTime > GetLongestTime(header))
        {
            outcome = Outcome::TOO_OLD;
        }
        else
        {
            const auto busiest = FindBusiest(header);
            if (busiest.utilization < 0)
            {
                return Outcome::NOT_NEWER;
            }
            const bool isRound = report.acknowledged > m_lastUpdate;
            m_windows.Update(busiest.utilization, busiest.time, isRound);
            m_lastUpdate = isRound ? std::max(report.next, m_lastUpdate) : m_lastUpdate;
        }
        m_last = header;
        m_lastTime = report.now;
        return outcome;
    }

    /// @return the windows W and Wc, U and the stage
    const UtilizationWindow& GetWindows() const
    {
        return m_windows;
    }

  private:
    /// The utilization of the busiest hop.
    struct Busiest
    {
        double utilization{-1}; //!< u, below 0 if there is none
        int64_t time{0};        //!< between its two readings, ns
    };

    /// @return the busiest hop since the last header
    Busiest FindBusiest(const IntHeader& header) const
    {
        Busiest busiest;
        for (std::size_t i = 0; i < header.nHops; ++i)
        {
            const IntHop& hop = header.hops[i];
            const IntHop& last = m_last.hops[i];
            const int64_t time = GetIntTimeBetween(hop, last);
            if (time == 0 || time > INT_TIME_WRAP / 2)
            {
                continue; // the same reading, or one that a later acknowledgment has overtaken
            }
            const double bytesPerNs = static_cast<double>(GetIntRate(hop.rateCode)) / 8e9;
            const auto queue = static_cast<double>(std::min(GetIntQueue(hop), GetIntQueue(last)));
            const auto sent = static_cast<double>(GetIntBytesBetween(hop, last));
            const double utilization = queue / (bytesPerNs * static_cast<double>(m_baseRtt)) +
                                       sent / (static_cast<double>(time) * bytesPerNs);
            if (utilization > busiest.utilization)
            {
                busiest = {utilization, time};
            }
        }
        return busiest;
    }

    /// @return whether the last header is of the same path
    bool IsSamePath(const IntHeader& header) const
    {
        return header.nHops == m_last.nHops && header.pathId == m_last.pathId &&
               std::equal(
                   header.hops.begin(),
                   header.hops.begin() + header.nHops,
                   m_last.hops.begin(),
                   [](const IntHop& a, const IntHop& b) { return a.rateCode == b.rateCode; });
    }

    /// @return the longest time in ns between two readings of which it is known what has passed
    static int64_t GetLongestTime(const IntHeader& header)
    {
        int64_t wrap = INT_TIME_WRAP;
        for (std::size_t i = 0; i < header.nHops; ++i)
        {
            const auto rate = static_cast<double>(GetIntRate(header.hops[i].rateCode));
            wrap = std::min(wrap, static_cast<int64_t>(INT_BYTES_WRAP * 8e9 / rate));
        }
        return wrap / 2;
    }

    UtilizationWindow m_windows; //!< W, Wc, U and the stage
    int64_t m_baseRtt{1};        //!< T in ns
    IntHeader m_last;            //!< the last header, without hops if there was none
    int64_t m_lastTime{0};       //!< when it came
    uint64_t m_lastUpdate{0};    //!< what was sent next when Wc became W
};

} // namespace ns3::aidc

#endif // AIDC_HPCC_WINDOW_H

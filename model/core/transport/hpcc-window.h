// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_HPCC_WINDOW_H
#define AIDC_HPCC_WINDOW_H

#include "int-header.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The window of HPCC: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
/// algorithm 1.
///
/// Let U be the utilization of the busiest link, smoothed over a round trip, and eta its target.
/// Then W = Wc / (U / eta) + W_AI if U is at least eta, or after maxStage round trips in which U
/// was less; else W = Wc + W_AI. Each report of U computes W from the reference window Wc. Wc
/// becomes W only once in a round trip, so that no report counts twice.
class UtilizationWindow
{
  public:
    /// The parameters. Windows are in bytes.
    struct Settings
    {
        double eta{0.95};           //!< the target of the utilization, > 0
        uint32_t maxStage{5};       //!< additive steps before one by U
        double additiveIncrease{0}; //!< W_AI, at least 0
        double minWindow{1};        //!< least W, > 0
        double maxWindow{0};        //!< largest W, >= minWindow
        int64_t baseRtt{1};         //!< T, the round-trip time of the idle path in ns, > 0
    };

    /// Derive the parameters of a connection: W is from the least rate times T to the line's
    /// bandwidth-delay product, and W_AI is (1 - eta) / N of that.
    /// @param settings eta, maxStage and W_AI; a W_AI of 0 is derived
    /// @param lineRate rate of the port in bit/s, > 0
    /// @param minRate least rate in bit/s; at least 1 bit/s counts
    /// @param baseRtt T in ns, > 0
    /// @param nFlows N of the paper's W_AI: the flows that share a link, > 0
    /// @return all parameters
    static Settings Derive(Settings settings,
                           uint64_t lineRate,
                           uint64_t minRate,
                           int64_t baseRtt,
                           double nFlows)
    {
        const double bytesAtOne = static_cast<double>(baseRtt) / 8e9; // of one bit/s
        const double product = static_cast<double>(lineRate) * bytesAtOne;
        if (settings.additiveIncrease == 0)
        {
            settings.additiveIncrease = product * (1 - settings.eta) / nFlows;
        }
        const uint64_t least = std::min(lineRate, std::max<uint64_t>(1, minRate));
        settings.minWindow = static_cast<double>(least) * bytesAtOne;
        settings.maxWindow = product;
        settings.baseRtt = baseRtt;
        return settings;
    }

    /// Start, or start over. settings: the parameters; window: the window in bytes.
    void Start(const Settings& settings, double window)
    {
        m_settings = settings;
        m_window = std::clamp(window, settings.minWindow, settings.maxWindow);
        m_reference = m_window;
        m_utilization = 0;
        m_lastReport.reset();
        m_lastUpdate = 0;
        m_stage = 0;
    }

    /// Raise W and Wc to at least a size. @param size bytes; it is bounded by the largest window
    void Raise(double size)
    {
        const double bounded = std::min(size, m_settings.maxWindow);
        m_window = std::max(m_window, bounded);
        m_reference = std::max(m_reference, bounded);
    }

    /// Lower W and Wc to at most a size. @param size bytes; it is bounded by the least window
    void Lower(double size)
    {
        const double bounded = std::max(size, m_settings.minWindow);
        m_window = std::min(m_window, bounded);
        m_reference = std::min(m_reference, bounded);
    }

    /// Note the utilization of the busiest link, with the time as the measure of both
    /// smoothing and round trips.
    /// @param now the time in ns
    /// @param utilization 1 if it is busy and has no queue; a queue that takes a round trip to
    ///        drain adds 1
    /// @param rtt the round-trip time in ns, the least time between changes of Wc
    void NotifyUtilization(int64_t now, double utilization, int64_t rtt)
    {
        const bool isFirst = !m_lastReport;
        const int64_t elapsed = isFirst ? m_settings.baseRtt : now - *m_lastReport;
        m_lastReport = now;
        const bool isRound = isFirst || now - m_lastUpdate >= rtt;
        Update(utilization, elapsed, isRound);
        m_lastUpdate = isRound ? now : m_lastUpdate;
    }

    /// Note the utilization of the busiest link.
    /// @param utilization as above
    /// @param elapsed the time that it is the average of, in ns, at least 0; T at most counts
    /// @param isRound whether a round trip is over, so that Wc becomes W
    void Update(double utilization, int64_t elapsed, bool isRound)
    {
        const double weight = static_cast<double>(std::min(elapsed, m_settings.baseRtt)) /
                              static_cast<double>(m_settings.baseRtt);
        m_utilization += weight * (utilization - m_utilization);
        const bool isByUtilization =
            m_utilization >= m_settings.eta || m_stage >= m_settings.maxStage;
        double window = m_settings.maxWindow;
        if (!isByUtilization)
        {
            window = m_reference + m_settings.additiveIncrease;
        }
        else if (m_utilization > 0)
        {
            window = m_reference * m_settings.eta / m_utilization + m_settings.additiveIncrease;
        }
        m_window = std::clamp(window, m_settings.minWindow, m_settings.maxWindow);
        if (isRound)
        {
            m_stage = isByUtilization ? 0 : m_stage + 1;
            m_reference = m_window;
        }
    }

    /// @return the window W in bytes
    double GetWindow() const
    {
        return m_window;
    }

    /// @return the reference window Wc in bytes
    double GetReference() const
    {
        return m_reference;
    }

    /// @return the smoothed utilization U
    double GetUtilization() const
    {
        return m_utilization;
    }

    /// @return incStage: the additive steps since the last one by U
    uint32_t GetStage() const
    {
        return m_stage;
    }

  private:
    Settings m_settings;                 //!< the parameters
    double m_window{0};                  //!< W
    double m_reference{0};               //!< Wc
    double m_utilization{0};             //!< U
    std::optional<int64_t> m_lastReport; //!< when U was last reported
    int64_t m_lastUpdate{0};             //!< when Wc was last changed
    uint32_t m_stage{0};                 //!< incStage
};

/// HPCC's window by in-band telemetry: Li et al., "HPCC: High Precision Congestion Control",
/// SIGCOMM 2019, algorithm 1.
///
/// Each acknowledgment brings the header that the packet has collected. Two headers of the same
/// path tell the utilization of each hop between them:
///
///      u = min(queue', queue) / (rate * T) + (bytes' - bytes) / ((time' - time) * rate)
///
/// The largest one, and the time between its two readings, go to UtilizationWindow. The reference
/// window Wc becomes W if the acknowledgment is of data that was sent after the last time it did.
///
/// A header is only remembered if it has no predecessor of the same path, or if its predecessor is
/// older than half the time in which the hop's time or its bytes can wrap around: what has passed
/// between them is then not known.
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
        NOT_NEWER,     //!< ignored: its readings are no newer than the ones before
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

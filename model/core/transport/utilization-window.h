/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_UTILIZATION_WINDOW_H
#define AIDC_UTILIZATION_WINDOW_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/**
 * @brief The window of HPCC: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
 * algorithm 1.
 *
 * Let U be the utilization of the busiest link, smoothed over a round trip, and eta its target.
 * Then W = Wc / (U / eta) + W_AI if U is at least eta, or after maxStage round trips in which U was
 * less; else W = Wc + W_AI. Each report of U computes W from the reference window Wc. Wc becomes W
 * only once in a round trip, so that no report counts twice.
 */
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

    /// What the windows of a connection depend on.
    struct Line
    {
        double rate{0};     //!< of the port in bit/s, > 0
        double minRate{0};  //!< least rate in bit/s; at least 1 bit/s counts
        int64_t baseRtt{1}; //!< T in ns, > 0
        double nFlows{1};   //!< N of the paper's W_AI: the flows that share a link, > 0
    };

    /// Derive the parameters of a connection: W is from the least rate times T to the line's
    /// bandwidth-delay product, and W_AI is (1 - eta) / N of that.
    /// @param settings eta, maxStage and W_AI; a W_AI of 0 is derived
    /// @param line the line
    /// @return all parameters
    static Settings Derive(Settings settings, const Line& line)
    {
        const double bytesAtOne = static_cast<double>(line.baseRtt) / 8e9; // of one bit/s
        const double product = line.rate * bytesAtOne;
        if (settings.additiveIncrease == 0)
        {
            settings.additiveIncrease = product * (1 - settings.eta) / line.nFlows;
        }
        settings.minWindow = std::min(line.rate, std::max(1.0, line.minRate)) * bytesAtOne;
        settings.maxWindow = product;
        settings.baseRtt = line.baseRtt;
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

} // namespace ns3::aidc

#endif // AIDC_UTILIZATION_WINDOW_H

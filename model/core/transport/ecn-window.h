// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ECN_WINDOW_H
#define AIDC_ECN_WINDOW_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/// The window of DCTCP (RFC 8257), with slow start and additive increase (RFC 5681).
///
/// As in the RFC, windows of observation and of reaction end with the first acknowledgment of data
/// that was sent after they began. Instead of sequence numbers, bytes are counted: such data is
/// acknowledged once more bytes are acknowledged than were in flight when the window began.
class EcnWindow
{
  public:
    /// The parameters. Windows are in bytes.
    struct Settings
    {
        double gain{1.0 / 16};       //!< g, from 0 to 1
        double initialAlpha{1};      //!< alpha in the beginning, from 0 to 1
        double packetSize{1000};     //!< bytes by which the window grows in a round trip, > 0
        double initialWindow{10000}; //!< window in the beginning
        double minWindow{2000};      //!< least window, > 0
    };

    /// Start, or start over. @param settings the parameters
    void Start(const Settings& settings)
    {
        *this = EcnWindow();
        m_settings = settings;
        m_window = std::max(settings.initialWindow, settings.minWindow);
        m_threshold = std::numeric_limits<double>::infinity();
        m_alpha = settings.initialAlpha;
    }

    /// @param nBytes bytes on the wire that an acknowledgment acknowledges
    /// @param nInFlight bytes that are still to be acknowledged
    /// @param isMarked whether it echoes a congestion mark
    void NotifyAcknowledgment(uint64_t nBytes, uint64_t nInFlight, bool isMarked)
    {
        const auto inFlightBefore = static_cast<double>(nInFlight + nBytes);
        m_nInFlight = nInFlight;
        m_nSinceCut += nBytes;
        m_isCut = m_isCut && m_nSinceCut <= m_nToReact;

        // RFC 8257, section 3.3
        m_nAcked += nBytes;
        m_nMarked += isMarked ? nBytes : 0;
        if (m_nAcked > m_nToObserve)
        {
            const double share = static_cast<double>(m_nMarked) / static_cast<double>(m_nAcked);
            m_alpha = m_alpha * (1 - m_settings.gain) + m_settings.gain * share;
            m_nToObserve = m_nInFlight;
            m_nAcked = 0;
            m_nMarked = 0;
        }
        if (isMarked)
        {
            Cut(1 - m_alpha / 2);
        }
        else if (!m_isCut)
        {
            // A window that is not used does not grow (RFC 7661). In slow start half of it will do,
            // as in Linux: where its own line is the limit, an adapter can only send a packet for
            // each that is acknowledged.
            const bool isSlowStart = m_window < m_threshold;
            const double used =
                isSlowStart ? 2 * inFlightBefore : inFlightBefore + m_settings.packetSize;
            const auto increase = static_cast<double>(nBytes);
            if (used > m_window)
            {
                m_window += isSlowStart ? std::min(increase, m_threshold - m_window)
                                        : m_settings.packetSize * increase / m_window;
            }
        }
    }

    /// @param isTimeout true if the retransmission timer has expired, false if the receiver asked
    void NotifyLoss(bool isTimeout)
    {
        if (isTimeout)
        {
            // RFC 5681, section 3.1
            m_threshold = std::max(m_window / 2, m_settings.minWindow);
            m_window = m_settings.minWindow;
            m_isCut = false;
            return;
        }
        Cut(0.5);
    }

    /// @return the window in bytes
    double GetWindow() const
    {
        return m_window;
    }

    /// @return alpha, the estimate of congestion, from 0 to 1
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return the threshold of slow start in bytes
    double GetThreshold() const
    {
        return m_threshold;
    }

  private:
    /// Cut the window, unless it was cut within a window of data.
    void Cut(double factor)
    {
        if (m_isCut)
        {
            return;
        }
        m_window = std::max(m_window * factor, m_settings.minWindow);
        m_threshold = m_window;
        m_isCut = true;
        m_nSinceCut = 0;
        m_nToReact = m_nInFlight;
    }

    Settings m_settings;      //!< the parameters
    double m_window{0};       //!< cwnd
    double m_threshold{0};    //!< ssthresh
    double m_alpha{1};        //!< alpha
    uint64_t m_nInFlight{0};  //!< in flight after the last acknowledgment
    uint64_t m_nAcked{0};     //!< bytes acknowledged in this window of observation
    uint64_t m_nMarked{0};    //!< of these, bytes whose acknowledgment echoes a mark
    uint64_t m_nToObserve{0}; //!< in flight when this window of observation began
    uint64_t m_nSinceCut{0};  //!< bytes acknowledged since the last cut
    uint64_t m_nToReact{0};   //!< in flight at the last cut
    bool m_isCut{false};      //!< whether no data sent after the last cut is acknowledged
};

} // namespace ns3::aidc

#endif // AIDC_ECN_WINDOW_H

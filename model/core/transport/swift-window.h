// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SWIFT_WINDOW_H
#define AIDC_SWIFT_WINDOW_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// Rounds a window to whole packets, so that their average over round trips is the window.
///
/// The result is the window's whole part, or one packet more in a part of round trips that equals
/// the window's fraction. If windows were always rounded down, windows of 1.1 and 1.9 packets would
/// send the same, and a window of 2 packets twice as much.
class WindowRounding
{
  public:
    /// Note an acknowledgment. A round trip is over when as many packets are acknowledged
    /// as may be in flight. window: the window in packets, at least 0.
    void NotifyAcknowledgment(double nPackets, double window)
    {
        const double whole = std::floor(window);
        m_nAcknowledged += nPackets;
        if (m_nAcknowledged >= whole + m_extra)
        {
            m_nAcknowledged = 0;
            m_fraction += window - whole;
            m_extra = m_fraction >= 1 ? 1 : 0;
            m_fraction -= m_extra;
        }
    }

    /// @param window the window in packets, at least 0 @return its whole part, or one packet more
    double Round(double window) const
    {
        return std::floor(window) + m_extra;
    }

  private:
    double m_nAcknowledged{0}; //!< packets acknowledged in this round trip
    double m_fraction{0};      //!< the sum of fractions rounded off, below 1
    double m_extra{0};         //!< packets more in this round trip, 0 or 1
};

/// The windows of Swift: Kumar et al., "Swift: Delay is Simple and Effective for Congestion
/// Control in the Datacenter", SIGCOMM 2020.
///
/// There are two windows, real numbers of packets: one for the delay of the fabric, one for the
/// delay of the end hosts. The smaller one counts. Below its target delay, a window grows by
/// additiveIncrease packets in a round trip. At or above the target, it is cut once in a round
/// trip, in proportion to the excess. The fabric's target grows with the number of routers on the
/// path and shrinks with the window, so that many flows make room for more of them.
///
/// The fabric's delay is the round-trip time without the part of the end hosts. With usesHopDelay,
/// as long as there are max(PD)s, it is the largest delay in one router: max(PD) of section 8.1.1
/// of draft-ravi-ippm-csig-01, which has its own target. Each max(PD) changes the window once, by
/// all packets acknowledged since the one before: acknowledgments without one, or with another
/// signal, say nothing new. The target does not depend on the window; therefore two rules differ.
/// With leastIncrease below 1, a window grows more slowly the closer the delay is to its target, so
/// that the sum of many flows' increases does not exceed the target by far. And the bytes in flight
/// are whole packets, rounded up or down by turns, so that the fractions of small windows count.
class SwiftWindow
{
  public:
    /// The parameters. Delays are in ns, windows in packets.
    struct Settings
    {
        double baseTarget{20000};      //!< base target delay of the fabric
        double hopTarget{3000};        //!< added for each router
        double scalingRange{100000};   //!< fs_range: the most added for a small window, >= 0
        double scalingMin{0.1};        //!< fs_min: windows below get all of it, > 0
        double scalingMax{100};        //!< fs_max: windows above get none, > scalingMin
        double additiveIncrease{1};    //!< ai, packets in a round trip
        double beta{0.8};              //!< part of the excess by which a window is cut
        double maxDecrease{0.5};       //!< max_mdf: largest part of a window that is cut, below 1
        double minWindow{0.001};       //!< least window, > 0
        double maxWindow{256};         //!< largest window, >= minWindow
        double endpointTarget{100000}; //!< target delay of the end hosts
        double endpointGain{1};        //!< weight of a new endpoint delay in its average, to 1
        bool usesHopDelay{false};      //!< whether max(PD) governs the fabric's window
        double hopDelayTarget{10000};  //!< target of max(PD)
        double leastIncrease{1};       //!< part of additiveIncrease near that target, to 1
        uint32_t retransmitLimit{5};   //!< timeouts in a row that lead to the least window
        int64_t initialRtt{0};         //!< round-trip time in ns until one is measured
    };

    /// An acknowledgment. Delays are in ns.
    struct Acknowledgment
    {
        int64_t rtt{0};           //!< round-trip time, 0 if it was not measured
        int64_t endpointDelay{0}; //!< the end hosts' part of rtt
        double nPackets{0};       //!< how many packets it acknowledges
        uint32_t nHops{0};        //!< routers on the way
    };

    /// Start, or start over. settings: the parameters; endpointWindow: the end hosts' window.
    void Start(const Settings& settings, double fabricWindow, double endpointWindow)
    {
        *this = SwiftWindow();
        m_settings = settings;
        m_rtt = settings.initialRtt;
        const double atMin = 1 / std::sqrt(settings.scalingMin);
        const double atMax = 1 / std::sqrt(settings.scalingMax);
        m_scalingSlope = settings.scalingRange / (atMin - atMax);
        m_scalingOffset = -m_scalingSlope * atMax;
        m_fabric.size = std::clamp(fabricWindow, settings.minWindow, settings.maxWindow);
        m_endpoint.size = std::clamp(endpointWindow, settings.minWindow, settings.maxWindow);
    }

    /// Raise both windows to at least a size.
    /// @param size packets; it is bounded by the least and the largest window
    void Raise(double size)
    {
        const double bounded = std::clamp(size, m_settings.minWindow, m_settings.maxWindow);
        m_fabric.size = std::max(m_fabric.size, bounded);
        m_endpoint.size = std::max(m_endpoint.size, bounded);
    }

    /// Lower both windows to at most a size.
    /// @param size packets; it is bounded by the least and the largest window
    void Lower(double size)
    {
        const double bounded = std::clamp(size, m_settings.minWindow, m_settings.maxWindow);
        m_fabric.size = std::min(m_fabric.size, bounded);
        m_endpoint.size = std::min(m_endpoint.size, bounded);
    }

    /// @param now the time in ns
    /// @param acknowledgment the acknowledgment
    void NotifyAcknowledgment(int64_t now, const Acknowledgment& acknowledgment)
    {
        m_nTimeouts = 0;
        if (acknowledgment.rtt > 0)
        {
            m_rtt = acknowledgment.rtt;
        }
        const double nPackets = acknowledgment.nPackets;
        m_nUnjudged += nPackets;
        if (m_settings.usesHopDelay && m_hopDelay)
        {
            const auto delay = static_cast<double>(*m_hopDelay);
            const double target = m_settings.hopDelayTarget;
            const double part = std::clamp(1 - delay / target, m_settings.leastIncrease, 1.0);
            Update(m_fabric, now, part * m_nUnjudged, delay, target);
            m_hopDelay.reset();
            m_nUnjudged = 0;
            m_patience = PATIENCE * std::max(1.0, m_fabric.size);
        }
        else if (acknowledgment.rtt > 0 && m_nUnjudged >= m_patience)
        {
            m_patience = 0;
            m_nUnjudged = 0;
            const auto delay =
                static_cast<double>(acknowledgment.rtt - acknowledgment.endpointDelay);
            Update(m_fabric, now, nPackets, delay, GetTarget(acknowledgment.nHops));
        }
        const auto delay = static_cast<double>(acknowledgment.endpointDelay);
        const double before = m_endpointDelay.value_or(delay);
        m_endpointDelay = before + m_settings.endpointGain * (delay - before);
        Update(m_endpoint, now, nPackets, *m_endpointDelay, m_settings.endpointTarget);
        m_rounding.NotifyAcknowledgment(nPackets, GetWindow());
    }

    /// Note max(PD), the delay that the next acknowledgment uses.
    /// @param delay the delay in ns
    void NotifyHopDelay(int64_t delay)
    {
        m_hopDelay = delay;
    }

    /// @param now the time in ns
    /// @param isTimeout true if the retransmission timer has expired, false if the receiver asked
    void NotifyLoss(int64_t now, bool isTimeout)
    {
        if (isTimeout && ++m_nTimeouts >= m_settings.retransmitLimit)
        {
            Change(m_fabric, now, m_settings.minWindow);
            Change(m_endpoint, now, m_settings.minWindow);
            return;
        }
        for (auto* window : {&m_fabric, &m_endpoint})
        {
            if (CanDecrease(*window, now))
            {
                Change(*window, now, window->size * (1 - m_settings.maxDecrease));
            }
        }
    }

    /// @param nHops routers on the way
    /// @return the target of the fabric's delay in ns, for the window as it is now
    double GetTarget(uint32_t nHops) const
    {
        const double scaling = m_scalingSlope / std::sqrt(m_fabric.size) + m_scalingOffset;
        return m_settings.baseTarget + nHops * m_settings.hopTarget +
               std::clamp(scaling, 0.0, m_settings.scalingRange);
    }

    /// @return the window in packets: the smaller one of the two
    double GetWindow() const
    {
        return std::min(m_fabric.size, m_endpoint.size);
    }

    /// @return the packets that may be in flight, at least 1; whole ones with usesHopDelay
    double GetInFlight() const
    {
        const double window = GetWindow();
        return std::max(1.0, m_settings.usesHopDelay ? m_rounding.Round(window) : window);
    }

    /// @return the fabric's window in packets
    double GetFabricWindow() const
    {
        return m_fabric.size;
    }

    /// @return the end hosts' window in packets
    double GetEndpointWindow() const
    {
        return m_endpoint.size;
    }

    /// @return the last round-trip time that was measured, in ns; initialRtt for none so far
    int64_t GetRtt() const
    {
        return m_rtt;
    }

    /// @return the time from one packet to the next in ns; 0 if the window is a packet or more
    double GetPacingDelay() const
    {
        const double window = GetWindow();
        return window < 1 ? static_cast<double>(m_rtt) / window : 0;
    }

  private:
    /// After the acknowledgment of so many windows without a max(PD), the round-trip time governs.
    /// Of signals that take turns at random, so many others in a row are one case in 65,536.
    static constexpr double PATIENCE = 16;

    /// A window.
    struct Window
    {
        double size{0};                      //!< packets
        std::optional<int64_t> lastDecrease; //!< when it was cut
    };

    /// Change a window after an acknowledgment.
    void Update(Window& window, int64_t now, double nPackets, double delay, double target) const
    {
        if (delay < target)
        {
            const double increase = m_settings.additiveIncrease * nPackets;
            Change(window, now, window.size + increase / std::max(1.0, window.size));
        }
        else if (CanDecrease(window, now))
        {
            // A delay of 0 is at its target of 0: nothing in excess.
            const double excess = delay > 0 ? (delay - target) / delay : 0;
            const double decrease = std::min(m_settings.beta * excess, m_settings.maxDecrease);
            Change(window, now, window.size * (1 - decrease));
        }
    }

    /// Set a window, within bounds, and note whether it fell.
    void Change(Window& window, int64_t now, double size) const
    {
        const double bounded = std::clamp(size, m_settings.minWindow, m_settings.maxWindow);
        if (bounded < window.size)
        {
            window.lastDecrease = now;
        }
        window.size = bounded;
    }

    /// @return whether the last cut is a round trip ago
    bool CanDecrease(const Window& window, int64_t now) const
    {
        return !window.lastDecrease || now - *window.lastDecrease >= m_rtt;
    }

    Settings m_settings;                   //!< the parameters
    double m_scalingSlope{0};              //!< a of the target's scaling, ns
    double m_scalingOffset{0};             //!< b of the target's scaling, ns
    Window m_fabric;                       //!< fcwnd
    Window m_endpoint;                     //!< ecwnd
    int64_t m_rtt{0};                      //!< last round-trip time
    std::optional<double> m_endpointDelay; //!< average endpoint delay
    std::optional<int64_t> m_hopDelay;     //!< max(PD) since the last acknowledgment
    double m_nUnjudged{0};     //!< packets acknowledged since the fabric's window changed
    double m_patience{0};      //!< of these, how many wait for a max(PD)
    WindowRounding m_rounding; //!< rounds the packets in flight
    uint32_t m_nTimeouts{0};   //!< timeouts since the last acknowledgment
};

} // namespace ns3::aidc

#endif // AIDC_SWIFT_WINDOW_H

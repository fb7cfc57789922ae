/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWIFT_WINDOW_H
#define AIDC_SWIFT_WINDOW_H

#include "window-rounding.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/**
 * @brief The windows of Swift: Kumar et al., "Swift: Delay is Simple and Effective for Congestion
 * Control in the Datacenter", SIGCOMM 2020.
 *
 * There are two windows, real numbers of packets: one for the delay of the fabric, one for the
 * delay of the end hosts. The smaller one counts. Below its target delay, a window grows by
 * additiveIncrease packets in a round trip. At or above the target, it is cut once in a round trip,
 * in proportion to the excess. The fabric's target grows with the number of routers on the path and
 * shrinks with the window, so that many flows make room for more of them.
 *
 * The fabric's delay is the round-trip time without the part of the end hosts. With usesHopDelay,
 * as long as there are max(PD)s, it is the largest delay in one router: max(PD) of section 8.1.1 of
 * draft-ravi-ippm-csig-01, which has its own target. Each max(PD) changes the window once, by all
 * packets acknowledged since the one before: acknowledgments without one, or with another signal,
 * say nothing new. The target does not depend on the window;
 * therefore two rules differ. With leastIncrease below 1, a window grows more slowly the closer
 * the delay is to its target, so that the sum of many flows' increases does not exceed the target
 * by far. And the bytes in flight are whole packets, rounded up or down by turns, so that the
 * fractions of small windows count.
 */
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
    void Start(const Settings& settings, double fabricWindow, double endpointWindow);

    /// Raise both windows to at least a size.
    /// @param size packets; it is bounded by the least and the largest window
    void Raise(double size);

    /// Lower both windows to at most a size.
    /// @param size packets; it is bounded by the least and the largest window
    void Lower(double size);

    /// @param now the time in ns
    /// @param acknowledgment the acknowledgment
    void NotifyAcknowledgment(int64_t now, const Acknowledgment& acknowledgment);

    /// Note max(PD), the delay that the next acknowledgment uses.
    /// @param delay the delay in ns
    void NotifyHopDelay(int64_t delay)
    {
        m_hopDelay = delay;
    }

    /// @param now the time in ns
    /// @param isTimeout true if the retransmission timer has expired, false if the receiver asked
    void NotifyLoss(int64_t now, bool isTimeout);

    /// @param nHops routers on the way
    /// @return the target of the fabric's delay in ns, for the window as it is now
    double GetTarget(uint32_t nHops) const;

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
    /// A window.
    struct Window
    {
        double size{0};                      //!< packets
        std::optional<int64_t> lastDecrease; //!< when it was cut
    };

    /// Change a window after an acknowledgment.
    void Update(Window& window, int64_t now, double nPackets, double delay, double target) const;

    /// Set a window, within bounds, and note whether it fell.
    void Change(Window& window, int64_t now, double size) const;

    /// @return whether the last cut is a round trip ago
    bool CanDecrease(const Window& window, int64_t now) const;

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

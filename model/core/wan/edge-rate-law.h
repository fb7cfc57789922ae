/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_RATE_LAW_H
#define AIDC_EDGE_RATE_LAW_H

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The rate that the edge of a WAN allows a flow which the WAN's routers notify of.
 *
 * The local rate adjustment of draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1, which has no
 * numbers: "Slightly reducing the transmission rate for the identified flow into the tunnel".
 *
 * - A notification lowers the rate by a step: to 1 - step times the smaller one of the rate and
 *   what is measured of the flow, but not below the floor. The first one limits the flow. A flow
 *   that sends no more than the floor is not what fills the queue: it is left alone.
 * - Steps are an interval apart, at least. It is not shorter than the feedback delay, the time
 *   from a packet's leaving the edge until a notification of it is back: before that, nobody knows
 *   what the last step has done. Only a larger step comes at once, if congestion turns severe: in
 *   place of the last one, so that the rate is lowered by no more than the larger step in all.
 * - There is no step either while the queue is falling (the caller's step is 0 then): what is still
 *   in it has been sent before the last step.
 * - After a quiet time without notifications (again not shorter than the feedback delay), the rate
 *   rises by equal amounts at intervals (again so), each a fraction of the highest rate measured
 *   since the flow has been limited: a flow that comes to send more rises faster.
 * - When it has reached that, and nothing waits for its turn, the flow is no longer limited.
 *
 * There are no events: each call gives the time, which never runs backwards.
 */
class EdgeRateLaw
{
  public:
    /// The rate of a flow that is not limited.
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /// What it depends on. Times are in ns, rates in bit/s.
    struct Settings
    {
        int64_t measureTime{50'000};       //!< how long a flow's rate is measured, > 0
        int64_t stepInterval{100'000};     //!< least time between steps, at least 0
        int64_t quietTime{500'000};        //!< time without notifications before a rise, >= 0
        int64_t recoveryInterval{200'000}; //!< least time between rises, > 0
        double recoveryStep{0.02};         //!< a rise, as a part of what is measured, > 0
        uint64_t floor{100'000'000};       //!< least rate, > 0
        uint64_t lineRate{UNLIMITED};      //!< largest rate of a limited flow, >= floor
    };

    /**
     * @brief Take note of a notification.
     * @param settings what it depends on
     * @param now the time
     * @param step by which part the rate is lowered, from 0 for none to less than 1; none keeps
     *        the rate from rising
     * @param measured the rate of the flow, 0 if it is not known: then there is no step
     * @param feedback the feedback delay
     * @return whether the rate was lowered
     */
    bool Notify(const Settings& settings,
                int64_t now,
                double step,
                uint64_t measured,
                int64_t feedback);

    /**
     * @brief Let the rate recover.
     *
     * It does not matter how often this is called.
     *
     * @param settings what it depends on
     * @param now the time
     * @param measured the rate of the flow, 0 if it is not known
     * @param isWaiting whether packets of the flow wait for their turn
     * @return whether the rate has changed
     */
    bool Update(const Settings& settings, int64_t now, uint64_t measured, bool isWaiting);

    /// @return the rate in bit/s as of the last call, or UNLIMITED
    uint64_t GetRate() const
    {
        return m_rate;
    }

    /// @return whether the flow is limited
    bool IsLimited() const
    {
        return m_rate != UNLIMITED;
    }

  private:
    /// Do the increases that are due.
    void Raise(const Settings& settings, int64_t now);

    uint64_t m_rate{UNLIMITED}; //!< the rate
    uint64_t m_base{0};         //!< what the last step has lowered
    double m_step{0};           //!< the last step
    uint64_t m_ceiling{0};      //!< the most that was measured since the flow is limited
    int64_t m_lastStep{0};      //!< time of the last step, if there was one
    int64_t m_quietEnd{0};      //!< end of the quiet time
    int64_t m_nextRise{0};      //!< time of the next rise
    int64_t m_feedback{0};      //!< the feedback delay
    bool m_hasStepped{false};   //!< whether there was a step
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_RATE_LAW_H

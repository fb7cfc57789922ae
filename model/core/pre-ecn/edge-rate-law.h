// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EDGE_RATE_LAW_H
#define AIDC_EDGE_RATE_LAW_H

#include <array>
#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/// The rate that the edge of a WAN allows a flow after notifications from routers.
///
/// This is the local rate adjustment of draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1, which has
/// no numbers: "Slightly reducing the transmission rate for the identified flow into the tunnel".
///
/// - A notification lowers the rate by a step: to (1 - step) times the smaller of the allowed and
///   the measured rate, but not below the floor. The first step limits the flow. A flow that sends
///   no more than the floor does not cause the congestion: it is left alone.
/// - The least interval between steps is not shorter than the feedback delay, the time from a
///   packet's departure at the edge until a notification of it arrives: before that, the effect of
///   the last step is not known. Only if congestion turns severe, a larger step comes at once. It
///   replaces the last one, so that the rate is lowered by the larger step in all.
/// - There is no step while the queue is falling (the caller's step is 0 then): the packets in the
///   queue were sent before the last step.
/// - After a quiet time without notifications, the rate rises by equal amounts at intervals.
///   Neither time is shorter than the feedback delay. A rise is a fraction of the highest rate
///   measured since the flow has been limited, so that a flow that sends more rises faster.
/// - When the rate has reached this highest rate, and no packet of the flow waits, the flow is no
///   longer limited.
///
/// A router may send the flow's rate instead (SetExplicitRate()). The flow has this rate at once,
/// and keeps it as long as it is confirmed. If there are several routers, the lowest rate counts as
/// long as it is valid, and then the next one. Two rates are remembered.
///
/// A router confirms its rate as long as flows need a limit. So if it no longer does, either no
/// limit is needed any more, or the router no longer sees the flow, which may have got another
/// route. The rate doubles then, and again each time when the new rate has held as long as an
/// explicit one. This is long enough for any router to send another rate, even if notifications are
/// lost. So flows that double at once exceed a link for a feedback delay only, and no more than
/// twofold.
///
/// There are no events: each call gives the time, which never goes back.
class EdgeRateLaw
{
  public:
    /// The rate of a flow that is not limited.
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /// The settings. Times are in ns, rates in bit/s.
    struct Settings
    {
        int64_t measureTime{50'000};       //!< how long a flow's rate is measured, > 0
        int64_t stepInterval{100'000};     //!< least time between steps, at least 0
        int64_t quietTime{500'000};        //!< time without notifications before a rise, >= 0
        int64_t recoveryInterval{200'000}; //!< least time between rises, > 0
        double recoveryStep{0.02};    //!< a rise after steps, as a part of the highest measured
                                      //!< rate, > 0
        uint64_t floor{100'000'000};  //!< least rate, > 0
        uint64_t lineRate{UNLIMITED}; //!< largest rate of a limited flow, >= floor
    };

    /// Note a notification.
    /// @param settings the settings
    /// @param now the time
    /// @param step the part by which the rate is lowered, from 0 to less than 1; 0 is no step, but
    ///        starts the quiet time anew
    /// @param measured the rate of the flow, 0 if it is not known: then there is no step
    /// @param feedback the feedback delay
    /// @return whether the rate was lowered
    bool Notify(const Settings& settings,
                int64_t now,
                double step,
                uint64_t measured,
                int64_t feedback);

    /// The rate that a router has sent.
    struct ExplicitRate
    {
        uint64_t rate{0};    //!< bit/s, at least 1, or UNLIMITED
        int64_t validity{0}; //!< how long it is valid, ns
        uint64_t source{0};  //!< who has sent it
        int64_t time{0};     //!< when it was sent, ns
        int64_t feedback{0}; //!< the feedback delay, ns
    };

    /// Take the rate of a router. It may be below the floor. measured: the rate of the flow, 0 if
    /// it is not known. @return whether the rate was lowered
    bool SetExplicitRate(const Settings& settings,
                         int64_t now,
                         const ExplicitRate& given,
                         uint64_t measured);

    /// Let the rate recover.
    ///
    /// The result does not depend on how often this is called.
    /// @param settings the settings
    /// @param now the time
    /// @param measured the rate of the flow, 0 if it is not known
    /// @param isWaiting whether packets of the flow wait for their turn
    /// @return whether the rate has changed
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
    /// The rate of a router.
    struct Share
    {
        uint64_t source{0}; //!< who has sent it
        uint64_t rate{0};   //!< bit/s
        int64_t time{0};    //!< when it was sent
        int64_t end{0};     //!< until when it is valid
    };

    /// @return the least explicit rate that is valid, or UNLIMITED
    uint64_t GetExplicitRate(int64_t now) const;

    void Raise(const Settings& settings, int64_t now);

    uint64_t m_rate{UNLIMITED};        //!< the rate
    uint64_t m_base{0};                //!< the rate that the last step has lowered
    double m_step{0};                  //!< the last step
    uint64_t m_ceiling{0};             //!< the highest rate measured since the flow is limited
    int64_t m_lastStep{0};             //!< time of the last step, if there was one
    int64_t m_quietEnd{0};             //!< end of the quiet time
    int64_t m_nextRise{0};             //!< time of the next rise
    int64_t m_feedback{0};             //!< the feedback delay
    int64_t m_validity{0};             //!< how long the last explicit rate is valid
    bool m_hasStepped{false};          //!< whether there was a step
    std::array<Share, 2> m_explicit{}; //!< rates of routers, the tightest ones
    bool m_isExplicit{false};          //!< whether the rate is explicit, and not lowered by a step
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_RATE_LAW_H

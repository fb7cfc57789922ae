// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PORT_SHARES_H
#define AIDC_PORT_SHARES_H

#include "domain-message.h"
#include "notification-gate.h"

#include "ns3/flow-key.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

namespace ns3::aidc
{

/// The settings of ComputeExplicitRate().
struct ExplicitRateSettings
{
    double capacity{0};      //!< rate of the link, bit/s
    double utilization{1};   //!< the part of it that flows may have, above 0, at most 1
    double gain{0.25};       //!< the part of the queue that leaves in a feedback delay, above 0
    double queue{0};         //!< the queue that is aimed at, bytes
    int64_t feedback{1'000}; //!< the feedback delay D in ns, above 0
    double least{0.05}; //!< least rate, a part of the capacity: no queue, however long, stops flows
};

/// Compute the rate at which flows may arrive at a congested link.
///
/// R = utilization * C - gain * (q - q0) / D: what the link sends, less what brings the queue q to
/// q0. D is the feedback delay: from the computation until packets arrive at the computed rate. Let
/// the rate be computed once per D. The queue then settles for a gain below 2, and without
/// overshoot for a gain of at most 1. If the effect comes another D later, these bounds are 1 and
/// 1/4, and after two more 0.618 and 4/27 (roots of z^(n+1) - z^n + gain). If the rate is computed
/// all the time, they are pi/2 and 1/e (roots of s + gain / D * exp(-s D)). So a gain of 1/4 is
/// without overshoot in each case of a delay that is at most D.
/// @param settings the settings
/// @param queue the queue in bytes
/// @return the rate in bit/s
inline double
ComputeExplicitRate(const ExplicitRateSettings& settings, double queue)
{
    const double excess = 8e9 * (queue - settings.queue) / static_cast<double>(settings.feedback);
    return std::max(settings.utilization * settings.capacity - settings.gain * excess,
                    settings.least * settings.capacity);
}

/// The shares of a router's port: the rate that each flow through a congested queue may have.
///
/// The rates of flows are measured as they arrive. As soon as the average queue is above T1, flows
/// share the rate of ComputeExplicitRate() max-min fairly. That is before the first mark, which
/// comes by chance and may be late if T2 is far above T1. A flow that arrives with its share
/// may have more to send, so it counts with an unlimited demand; all others count with what they
/// send. Congestion is over when no flow needs a limit.
///
/// A flow's share is notified of at the beginning of congestion, again after each refresh time as
/// long as congestion lasts, and earlier if the share has changed by more than 5 %, or congestion
/// has become more severe. It is valid for some refresh times, so that lost notifications do not
/// matter. Notifications follow packets of the flow, so if packets at the rate of the share come
/// less often than refreshes, the share is valid for the time of some packets. There is no
/// notification of flows that send less than half of the share: they need no limit. There is one of
/// a flow that begins before its rate is known.
///
/// Rates count the packets inside of the tunnels, as the ingress PE does. The part of the link that
/// outer headers and frames take is measured, too.
///
/// The first measurement waits for two packets of each flow that it has seen, on average, for at
/// most a feedback delay. If it were over before all flows have sent, the share would be computed
/// for fewer flows.
///
/// There are no events: each call gives the time, which never goes back.
class PortShares
{
  public:
    /// The settings. Times are in ns.
    struct Settings
    {
        ExplicitRateSettings law;  //!< the rate that the flows share
        int64_t interval{100'000}; //!< least time of a measurement, and between notifications, > 0
        int64_t timeOfNotification{0}; //!< least time between any two notifications, on average
        std::size_t maxFlows{4096};    //!< the most flows that are measured
    };

    /// A packet that arrives.
    struct Arrival
    {
        int64_t time{0};        //!< when, in ns
        uint32_t innerBytes{0}; //!< its bytes inside of the tunnel
        uint32_t linkBytes{0};  //!< the bytes that it takes on the link
        double queue{0};        //!< the queue, bytes
        CongestionSeverity severity{CongestionSeverity::NONE}; //!< its mark
        bool isCongested{false}; //!< whether the average queue is above T1, if it has no mark
    };

    /// The explicit rate of a flow.
    struct Share
    {
        uint64_t rate;    //!< bit/s, or NOTIFICATION_RATE_UNLIMITED
        int64_t validity; //!< how long it is valid from now on, ns
    };

    /// Count a packet. @return whether its flow is to be notified of its share; FULL if there is no
    /// room for the flow
    NotificationVerdict Count(const Settings& settings,
                              const FlowKey& flow,
                              const Arrival& arrival);

    /// @return the share of the flow of the last packet, which is notified of it now
    Share TakeShare(const Settings& settings);

    /// @return the share of a flow that could send more, in bit/s; infinite without congestion
    double GetShare() const
    {
        return m_share;
    }

    /// @return the number of flows that are measured
    std::size_t GetNFlows() const
    {
        return m_flows.size();
    }

  private:
    /// A flow.
    struct Flow
    {
        uint64_t bytes{0};                                     //!< in the measurement that goes on
        bool isLarge{true};                                    //!< whether it is notified of
        std::optional<int64_t> notified;                       //!< when it was notified of last
        double share{0};                                       //!< its share then
        CongestionSeverity severity{CongestionSeverity::NONE}; //!< and the severity
    };

    /// The share at a time.
    struct Past
    {
        int64_t time; //!< from when on, in ns
        double share; //!< bit/s, or infinite
    };

    /// @return whether the measurement is long enough
    bool IsDone(const Settings& settings, int64_t now) const;

    /// Finish a measurement and compute the share.
    void Finish(const Settings& settings, int64_t now, double queue);

    /// @return the smallest share from then on, including the one that was in force then
    double GetLeastShare(int64_t time);

    int64_t GetRefreshTime(const Settings& settings) const;

    /// @return its explicit rate, bit/s or infinite
    double GetShareOf(const Flow& flow) const
    {
        return flow.isLarge ? m_share : std::numeric_limits<double>::infinity();
    }

    std::unordered_map<FlowKey, Flow, FlowKeyHash> m_flows;  //!< the flows
    Flow* m_current{nullptr};                                //!< the flow of the last packet
    Arrival m_arrival;                                       //!< the last packet
    int64_t m_start{0};                                      //!< begin of the measurement
    uint64_t m_innerBytes{0};                                //!< of all flows, since then
    uint64_t m_linkBytes{0};                                 //!< of all flows, since then
    uint64_t m_otherBytes{0};                                //!< of flows without room
    std::size_t m_nPackets{0};                               //!< of flows with room, since then
    std::size_t m_nActive{0};                                //!< flows that have sent since then
    uint32_t m_largest{0};                                   //!< the largest packet so far
    bool m_isCongested{false};                               //!< whether it was above T1, or marked
    int64_t m_begin{0};                                      //!< when congestion has begun
    double m_share{std::numeric_limits<double>::infinity()}; //!< the share in force
    std::deque<Past> m_past;                                 //!< shares of a feedback delay
};

} // namespace ns3::aidc

#endif // AIDC_PORT_SHARES_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CONGESTION_NOTIFIER_H
#define AIDC_CONGESTION_NOTIFIER_H

#include "../core/pre-ecn/notification-gate.h"
#include "../core/pre-ecn/port-shares.h"
#include "notification-sender.h"
#include "pre-ecn-queue-disc.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3::aidc
{

/// A router's notifications of congestion to ingress PEs (section 3.2.2 of
/// draft-hu-rtgwg-pre-ecn-wan-01).
///
/// It listens to the marks of the router's PreEcnQueues. The source of a marked tunnel packet's
/// outermost header is the ingress PE. Its innermost header, below up to MAX_TUNNEL_HEADERS
/// headers, has the flow. A notification by UDP tells the PE the flow, the severity, the port and
/// the queue, and whether the queue is falling. The first notification of a flow is sent at once,
/// then one in each interval, and one at once if light congestion turns severe (NotificationGate).
/// A mark by ECT(1) is light congestion, a mark by CE is severe.
///
/// If it knows the feedback delay, from a packet's departure at the ingress PE until a notification
/// of it has taken effect here, a notification also tells the rate that the flow may have
/// (PortShares), and notifications go on as long as flows need a limit, with or without marks.
///
/// All of its notifications together do not exceed MaxRate (NotificationBudget).
///
/// Packets that are not tunneled, that cannot be read or whose PE is outside the domain are only
/// counted.
class CongestionNotifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionNotifier();

    /// Notify of the marks of a router; aggregates this to the node.
    ///
    /// Call this before the simulation begins. The notifier uses the queue discs and addresses that
    /// the router has when it is initialized.
    /// @param node the router
    void Install(Ptr<Node> node);

    /// Set the feedback delay of a port, instead of the attribute FeedbackDelay. Call this before
    /// the simulation begins.
    /// @param port the index of the port's device
    /// @param delay the delay; 0 to tell no rates
    void SetFeedbackDelay(uint32_t port, Time delay)
    {
        m_feedbackDelays[port] = delay;
    }

    /// @return the sender of notifications, with its attributes and its trace source Sent
    Ptr<NotificationSender> GetSender() const
    {
        return m_sender;
    }

    /// @return the statistics
    const CongestionNotifierStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A queue of the router.
    struct Queue : PlacedPreEcnQueue
    {
        QueueTrend trend;              //!< its trend
        PortShares shares;             //!< the shares of its flows
        PortShares::Settings settings; //!< how the shares are computed
    };

    /// The subject of notifications.
    enum Granularity
    {
        FLOW,   //!< flows
        TUNNEL, //!< all packets of a tunnel together
    };

    /// @return whether somebody is to be notified of a packet, and of what; innerBytes: may be null
    bool FindReceiver(const QueueDiscItem& item,
                      CongestionNotification& notification,
                      CongestionNotifierStatistics& statistics,
                      uint32_t* innerBytes = nullptr) const;

    /// Note a mark. average: the average queue in bytes.
    void NotifyMark(Queue& queue,
                    const QueueDiscItem& item,
                    CongestionSeverity severity,
                    double average);

    /// Note a packet of a queue of explicit rates, its mark, and the average queue in bytes.
    void NotifyArrival(Queue& queue,
                       const QueueDiscItem& item,
                       CongestionSeverity severity,
                       double average);

    /// Set how the shares of a queue's flows are computed.
    void ConfigureShares(Queue& queue, Time feedback) const;

    /// Count marks without notification, and notifications beyond MaxRate. @return whether to
    /// notify now
    bool IsDue(NotificationVerdict verdict,
               CongestionSeverity severity,
               CongestionNotifierStatistics& statistics);

    void Send(const Queue& queue, CongestionNotification& notification);

    Ptr<NotificationSender> m_sender;          //!< sends
    Ptr<Node> m_node;                          //!< the router
    NotificationGate m_gate;                   //!< decides which marks are notified
    std::deque<Queue> m_queues;                //!< the queues, at fixed addresses
    std::map<uint32_t, Time> m_feedbackDelays; //!< SetFeedbackDelay()
    NotificationBudget m_budget;               //!< bounds the notifications
    NotificationBudget::Settings m_bounds;     //!< by how much
    Time m_interval;                           //!< attribute Interval
    uint32_t m_maxFlows{0};                    //!< attribute MaxFlows
    DataRate m_maxRate;                        //!< attribute MaxRate
    Time m_feedbackDelay;                      //!< attribute FeedbackDelay
    double m_targetUtilization{0};             //!< attribute TargetUtilization
    QueueSize m_targetQueue;                   //!< attribute TargetQueue
    double m_gain{0};                          //!< attribute Gain
    uint32_t m_frameOverhead{0};               //!< attribute FrameOverhead
    Granularity m_granularity{FLOW};           //!< attribute Granularity
    uint64_t m_sequence{0};                    //!< the last sequence number
    CongestionNotifierStatistics m_statistics; //!< the statistics
};

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_NOTIFIER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CONGESTION_NOTIFIER_H
#define AIDC_CONGESTION_NOTIFIER_H

#include "../core/wan/notification-gate.h"
#include "../core/wan/queue-trend.h"
#include "notification-sender.h"
#include "pre-ecn-queue-disc.h"

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <deque>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A router's notifications of congestion to ingress PEs (section 3.2.2 of
 *        draft-hu-rtgwg-pre-ecn-wan-01).
 *
 * It listens to the marks of the router's PreEcnQueues. A marked packet of a tunnel has the
 * ingress PE as the source of its outermost header, and the flow in its innermost one, below any
 * number of headers up to MAX_TUNNEL_HEADERS. The PE is told by UDP of the flow, the severity, the
 * port and the queue, and whether that is falling: at once, and then once in an interval unless a
 * light congestion turns severe (NotificationGate). A mark by ECT(1) is light congestion, one by CE
 * is severe.
 *
 * Packets that are not tunneled, that cannot be read or whose PE is not of the domain are only
 * counted.
 */
class CongestionNotifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionNotifier();

    /**
     * @brief Notify of the marks of a router; aggregates this to the node.
     *
     * To be done before the simulation begins. The queue discs and addresses that count are those
     * that the router has when it is initialized.
     *
     * @param node the router
     */
    void Install(Ptr<Node> node);

    /// @return the sender of notifications, with its attributes and its trace source Sent
    Ptr<NotificationSender> GetSender() const
    {
        return m_sender;
    }

    /// @return what has been counted
    const CongestionNotifierStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Take note of a mark.
    /// @param port the port
    /// @param queue the queue
    /// @param item the packet
    /// @param severity its mark
    /// @param isFalling whether the queue is falling
    void NotifyMark(uint16_t port,
                    uint8_t queue,
                    const QueueDiscItem& item,
                    CongestionSeverity severity,
                    bool isFalling);

    Ptr<NotificationSender> m_sender;          //!< sends
    Ptr<Node> m_node;                          //!< the router
    NotificationGate m_gate;                   //!< decides which marks are told
    std::deque<QueueTrend> m_trends;           //!< of the queues; they stay where they are
    Time m_interval;                           //!< attribute Interval
    uint32_t m_maxFlows{0};                    //!< attribute MaxFlows
    uint64_t m_sequence{0};                    //!< the last sequence number
    CongestionNotifierStatistics m_statistics; //!< what has been counted
};

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_NOTIFIER_H

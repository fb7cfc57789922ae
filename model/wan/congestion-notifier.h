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
 * It listens to the marks of the router's PreEcnQueues. The source of a marked tunnel packet's
 * outermost header is the ingress PE. Its innermost header, below up to MAX_TUNNEL_HEADERS headers,
 * has the flow. A notification by UDP tells the PE the flow, the severity, the port and the queue,
 * and whether the queue is falling. The first notification of a flow is sent at once, then one in
 * each interval, and one at once if light congestion turns severe (NotificationGate). A mark by
 * ECT(1) is light congestion, a mark by CE is severe.
 *
 * Packets that are not tunneled, that cannot be read or whose PE is outside the domain are only
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
     * Call this before the simulation begins. The notifier uses the queue discs and addresses that
     * the router has when it is initialized.
     *
     * @param node the router
     */
    void Install(Ptr<Node> node);

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
    NotificationGate m_gate;                   //!< decides which marks are notified
    std::deque<QueueTrend> m_trends;           //!< trends of the queues, at fixed addresses
    Time m_interval;                           //!< attribute Interval
    uint32_t m_maxFlows{0};                    //!< attribute MaxFlows
    uint64_t m_sequence{0};                    //!< the last sequence number
    CongestionNotifierStatistics m_statistics; //!< the statistics
};

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_NOTIFIER_H

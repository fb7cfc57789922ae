/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-notifier.h"

#include "pre-ecn-queues.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCongestionNotifier");

NS_OBJECT_ENSURE_REGISTERED(CongestionNotifier);

TypeId
CongestionNotifier::GetTypeId()
{
    using C = CongestionNotifier;
    static TypeId tid =
        TypeId("ns3::aidc::CongestionNotifier")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<CongestionNotifier>()
            .AddAttribute("Interval",
                          "The least time from one notification of a flow to the next, unless it "
                          "is more severe.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&C::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxFlows",
                          "The most flows that are notified of in an interval.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&C::m_maxFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Sender",
                          "The notifier that sends the notifications.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&C::GetSender),
                          MakePointerChecker<NotificationSender>());
    return tid;
}

CongestionNotifier::CongestionNotifier()
    : m_sender(CreateObject<NotificationSender>())
{
    NS_LOG_FUNCTION(this);
}

void
CongestionNotifier::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_sender->Dispose();
    m_node = nullptr;
    Object::DoDispose();
}

void
CongestionNotifier::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_IF(m_node, "CongestionNotifier serves one node");
    m_node = node;
    node->AggregateObject(this);
}

void
CongestionNotifier::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    Object::DoInitialize();
    NS_ABORT_MSG_UNLESS(m_node, "CongestionNotifier: Install() comes first");
    m_sender->Open(m_node);
    for (const auto& queue : FindPreEcnQueues(m_node))
    {
        m_trends.emplace_back();
        using Mark = Callback<void, Ptr<const QueueDiscItem>, CongestionSeverity, double>;
        queue.queue->TraceConnectWithoutContext(
            "CongestionMark",
            Mark([this, port = queue.port, index = queue.index, trend = &m_trends.back()](
                     Ptr<const QueueDiscItem> item,
                     CongestionSeverity severity,
                     double average) {
                const bool isFalling = trend->IsFalling(Simulator::Now().GetNanoSeconds(),
                                                        average,
                                                        m_interval.GetNanoSeconds());
                NotifyMark(port, index, *item, severity, isFalling);
            }));
    }
}

void
CongestionNotifier::NotifyMark(uint16_t port,
                               uint8_t queue,
                               const QueueDiscItem& item,
                               CongestionSeverity severity,
                               bool isFalling)
{
    CongestionNotification notification;
    if (!m_sender->FindReceiver(item, notification, m_statistics))
    {
        return;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    switch (m_gate.Pass(notification.flow, severity, now, m_interval.GetNanoSeconds(), m_maxFlows))
    {
    case NotificationGate::Result::SUPPRESSED:
        ++m_statistics.suppressed;
        return;
    case NotificationGate::Result::FULL:
        NS_LOG_LOGIC("No room for another flow in the interval");
        ++m_statistics.full;
        return;
    case NotificationGate::Result::PASS:
        break;
    }
    notification.severity = severity;
    notification.isFalling = isFalling;
    notification.device = m_sender->GetAddress().Get();
    notification.port = port;
    notification.queue = queue;
    notification.sequence = ++m_sequence;
    notification.time = static_cast<uint64_t>(now);
    // Not at once: the queue disc is in the middle of the packet, and the notification may have to
    // go through the same one.
    Simulator::ScheduleWithContext(m_node->GetId(), Time(0), [this, notification] {
        m_sender->Send(notification, m_statistics);
    });
}

} // namespace ns3::aidc

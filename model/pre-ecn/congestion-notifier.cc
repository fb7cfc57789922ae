// SPDX-License-Identifier: GPL-2.0-only

#include "congestion-notifier.h"

#include "../aidc-compat.h"
#include "../core/require-argument.h"
#include "../device-link-properties.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCongestionNotifier");

NS_OBJECT_ENSURE_REGISTERED(CongestionNotifier);

namespace
{

/// How many notifications of a flow may be lost before a PE lets its rate recover
constexpr int64_t REFRESHES = 4;

/// Convert a time. @param ns the time in ns @return us, rounded up, as notifications have it
uint32_t
ToValidity(int64_t ns)
{
    return static_cast<uint32_t>(
        std::min<int64_t>((ns + 999) / 1000, std::numeric_limits<uint32_t>::max()));
}

} // namespace

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
            .AddAttribute("MaxRate",
                          "The largest rate of all notifications together on the link, on average; "
                          "0 for any. With more flows each one is notified of less often. "
                          "MaxFlows decides how many notifications may be sent at once.",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&C::m_maxRate),
                          MakeDataRateChecker())
            .AddAttribute("FeedbackDelay",
                          "The longest time from a packet's departure here until packets arrive "
                          "here that an ingress PE has sent after the notification of it. With it, "
                          "flows get explicit rates. 0 for no explicit rates.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&C::m_feedbackDelay),
                          MakeTimeChecker(Time(0), Seconds(100)))
            .AddAttribute("TargetUtilization",
                          "The part of the link that flows with explicit rates use together.",
                          DoubleValue(0.99),
                          MakeDoubleAccessor(&C::m_targetUtilization),
                          MakeDoubleChecker<double>(0.1, 1))
            .AddAttribute("TargetQueue",
                          "The queue in bytes that explicit rates leave.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&C::m_targetQueue),
                          MakeByteSizeChecker())
            .AddAttribute("Gain",
                          "The part of a queue beyond TargetQueue that leaves in a feedback delay. "
                          "Above 0.25 the queue may overshoot.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&C::m_gain),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute(
                "Granularity",
                "What is notified of, and what shares a link with explicit rates: flows, or "
                "tunnels. It has to be the same as in the IngressEdgeControllers.",
                EnumValue(FLOW),
                MakeEnumAccessorFor<Granularity>(&C::m_granularity),
                MakeEnumChecker(FLOW, "Flow", TUNNEL, "Tunnel"))
            .AddAttribute("FrameOverhead",
                          "Bytes that a frame adds to the IPv4 packet, which count for the link: "
                          "by default Ethernet's, with check sequence, preamble and gap.",
                          UintegerValue(38),
                          MakeUintegerAccessor(&C::m_frameOverhead),
                          MakeUintegerChecker<uint32_t>(0, 1000))
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
    AIDC_REFUSED_IF(m_node, "CongestionNotifier serves one node");
    m_node = node;
    node->AggregateObject(this);
}

void
CongestionNotifier::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    Object::DoInitialize();
    AIDC_REFUSED_UNLESS(m_node, "CongestionNotifier: Install() comes first");
    m_sender->Open(m_node);
    m_bounds = {m_maxRate.GetBitRate(), m_maxFlows};
    for (const auto& placed : FindPreEcnQueues(m_node))
    {
        auto& queue = m_queues.emplace_back();
        static_cast<PlacedPreEcnQueue&>(queue) = placed;
        const auto found = m_feedbackDelays.find(placed.port);
        const Time feedback = found == m_feedbackDelays.end() ? m_feedbackDelay : found->second;
        using Packet = Callback<void, Ptr<const QueueDiscItem>, CongestionSeverity, double>;
        const auto call = [this, &queue](auto method) {
            return Packet([this, &queue, method](Ptr<const QueueDiscItem> item,
                                                 CongestionSeverity severity,
                                                 double average) {
                (this->*method)(queue, *item, severity, average);
            });
        };
        if (feedback.IsZero())
        {
            placed.queue->TraceConnectWithoutContext("CongestionMark",
                                                     call(&CongestionNotifier::NotifyMark));
            continue;
        }
        ConfigureShares(queue, feedback);
        placed.queue->TraceConnectWithoutContext("Arrival",
                                                 call(&CongestionNotifier::NotifyArrival));
    }
}

void
CongestionNotifier::ConfigureShares(Queue& queue, Time feedback) const
{
    const uint64_t rate = GetLinkRate(queue.queue->GetDevice()).GetBitRate();
    AIDC_REFUSED_IF(rate == 0,
                    "CongestionNotifier: expected device "
                        << queue.port << " of node " << m_node->GetId()
                        << " to have a rate, as FeedbackDelay is set");
    auto& settings = queue.settings;
    settings.law.capacity = static_cast<double>(rate);
    settings.law.utilization = m_targetUtilization;
    settings.law.gain = m_gain;
    settings.law.queue = m_targetQueue.GetValue();
    settings.law.feedback = feedback.GetNanoSeconds();
    settings.interval = m_interval.GetNanoSeconds();
    settings.timeOfNotification = NotificationBudget::GetTime(m_bounds);
    settings.maxFlows = m_maxFlows;
}

void
CongestionNotifier::NotifyMark(Queue& queue,
                               const QueueDiscItem& item,
                               CongestionSeverity severity,
                               double average)
{
    CongestionNotification notification;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    notification.isFalling = queue.trend.IsFalling(now, average, m_interval.GetNanoSeconds());
    if (!FindReceiver(item, notification, m_statistics))
    {
        return;
    }
    const int64_t least =
        static_cast<int64_t>(m_gate.GetNFlows()) * NotificationBudget::GetTime(m_bounds);
    const int64_t interval = std::max(m_interval.GetNanoSeconds(), least);
    const auto verdict = m_gate.Pass(notification.flow, severity, now, interval, m_maxFlows);
    if (!IsDue(verdict, severity, m_statistics))
    {
        return;
    }
    notification.severity = severity;
    // With as many flows, the next notification comes later than a PE expects.
    notification.validity = least > m_interval.GetNanoSeconds() ? ToValidity(REFRESHES * least) : 0;
    Send(queue, notification);
}

void
CongestionNotifier::NotifyArrival(Queue& queue,
                                  const QueueDiscItem& item,
                                  CongestionSeverity severity,
                                  double average)
{
    CongestionNotification notification;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    if (severity != CongestionSeverity::NONE)
    {
        notification.isFalling = queue.trend.IsFalling(now, average, m_interval.GetNanoSeconds());
    }
    uint32_t innerBytes = 0;
    CongestionNotifierStatistics ignored;
    auto& statistics = severity == CongestionSeverity::NONE ? ignored : m_statistics;
    if (!FindReceiver(item, notification, statistics, &innerBytes))
    {
        return;
    }
    const PortShares::Arrival arrival{now,
                                      innerBytes,
                                      item.GetSize() + m_frameOverhead,
                                      static_cast<double>(queue.queue->GetOccupancy()),
                                      severity,
                                      queue.queue->GetRegion() != PreEcnRegion::NORMAL};
    const auto verdict = queue.shares.Count(queue.settings, notification.flow, arrival);
    if (!IsDue(verdict, severity, statistics))
    {
        return;
    }
    const auto share = queue.shares.TakeShare(queue.settings);
    notification.severity = severity;
    notification.rate = share.rate;
    notification.validity = ToValidity(share.validity);
    Send(queue, notification);
}

bool
CongestionNotifier::FindReceiver(const QueueDiscItem& item,
                                 CongestionNotification& notification,
                                 CongestionNotifierStatistics& statistics,
                                 uint32_t* innerBytes) const
{
    const bool isFound = m_sender->FindReceiver(item, notification, statistics, innerBytes);
    if (isFound && m_granularity == TUNNEL)
    {
        notification.flow = MakeTunnelKey(notification.ingress, notification.egress);
    }
    return isFound;
}

bool
CongestionNotifier::IsDue(NotificationVerdict verdict,
                          CongestionSeverity severity,
                          CongestionNotifierStatistics& statistics)
{
    switch (verdict)
    {
    case NotificationVerdict::SUPPRESSED:
        ++statistics.suppressed;
        return false;
    case NotificationVerdict::FULL:
        NS_LOG_LOGIC("No room for another flow");
        ++statistics.full;
        return false;
    case NotificationVerdict::SEND:
        break;
    }
    if (!m_budget.Pass(m_bounds, Simulator::Now().GetNanoSeconds(), severity))
    {
        NS_LOG_LOGIC("No notification beyond " << m_maxRate);
        ++m_statistics.overBudget;
        return false;
    }
    return true;
}

void
CongestionNotifier::Send(const Queue& queue, CongestionNotification& notification)
{
    notification.device = m_sender->GetAddress().Get();
    notification.port = queue.port;
    notification.queue = queue.index;
    notification.sequence = ++m_sequence;
    notification.time = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    // Not at once: the queue disc is in the middle of the packet, and the notification may have to
    // go through the same one.
    Simulator::ScheduleWithContext(m_node->GetId(), Time(0), [this, notification] {
        m_sender->Send(notification, m_statistics);
    });
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "congestion-monitor.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCongestionMonitor");

NS_OBJECT_ENSURE_REGISTERED(CongestionMonitor);

TypeId
CongestionMonitor::GetTypeId()
{
    using C = CongestionMonitor;
    static TypeId tid =
        TypeId("ns3::aidc::CongestionMonitor")
            .SetParent<Application>()
            .SetGroupName("Aidc")
            .AddConstructor<CongestionMonitor>()
            .AddAttribute("Interval",
                          "Routers report at multiples of this time, if there is something to "
                          "report.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&C::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TelemetryDelay",
                          "How long a report takes from a router to the monitor.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&C::m_telemetryDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxFlows",
                          "The most flows of a router in a report.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&C::m_maxFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Sender",
                          "The notifier that sends the notifications.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&C::GetSender),
                          MakePointerChecker<NotificationSender>())
            .AddTraceSource("Reading",
                            "The average queue of a queue that has marked packets, when the "
                            "report comes.",
                            MakeTraceSourceAccessor(&C::m_readingTrace),
                            "ns3::aidc::CongestionMonitor::ReadingTracedCallback");
    return tid;
}

CongestionMonitor::CongestionMonitor()
    : m_sender(CreateObject<NotificationSender>())
{
    NS_LOG_FUNCTION(this);
}

void
CongestionMonitor::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_sender->Dispose();
    for (const auto& router : m_routers)
    {
        router->node = nullptr;
        router->queues.clear();
    }
    Application::DoDispose();
}

void
CongestionMonitor::Watch(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_routers.push_back(std::make_unique<Router>());
    Router* router = m_routers.back().get();
    router->node = node;
    for (const auto& placed : FindPreEcnQueues(node))
    {
        router->queues.push_back({placed, {}});
    }
    for (std::size_t i = 0; i < router->queues.size(); ++i)
    {
        using Mark = Callback<void, Ptr<const QueueDiscItem>, CongestionSeverity, double>;
        router->queues[i].queue->TraceConnectWithoutContext(
            "CongestionMark",
            Mark([this, router, i](Ptr<const QueueDiscItem> item,
                                   CongestionSeverity severity,
                                   double) { SampleMark(*router, i, *item, severity); }));
    }
}

bool
CongestionMonitor::IsRunning(Time time) const
{
    // Not by the state that StartApplication() sets: routers may be ahead of the monitor's node.
    return time >= m_startTime && (m_stopTime.IsZero() || time < m_stopTime);
}

void
CongestionMonitor::SampleMark(Router& router,
                              std::size_t queue,
                              const QueueDiscItem& item,
                              CongestionSeverity severity)
{
    const Time now = Simulator::Now();
    const int64_t interval = m_interval.GetTimeStep();
    const Time reading = TimeStep((now.GetTimeStep() / interval + 1) * interval);
    CongestionNotification found;
    if (!IsRunning(now) || !IsRunning(reading + m_telemetryDelay) ||
        !m_sender->FindReceiver(item, found, m_statistics))
    {
        return;
    }
    const Sample sample{severity, now.GetNanoSeconds(), found.ingress, found.egress};
    const auto known = router.samples.find({queue, found.flow});
    if (known != router.samples.end())
    {
        ++m_statistics.suppressed;
        if (severity > known->second.severity)
        {
            known->second = sample;
        }
        return;
    }
    if (router.samples.size() >= m_maxFlows)
    {
        ++m_statistics.full;
        return;
    }
    if (router.samples.empty())
    {
        Simulator::ScheduleWithContext(router.node->GetId(), reading - now, [this, &router] {
            Read(router);
        });
    }
    router.samples.emplace(SampleKey{queue, found.flow}, sample);
}

void
CongestionMonitor::Read(Router& router)
{
    const Ipv4Address device = FindOwnAddress(router.node);
    Report report;
    std::size_t last = router.queues.size();
    bool isFalling = false;
    for (const auto& [key, sample] : router.samples)
    {
        const auto& [index, flow] = key;
        auto& queue = router.queues[index];
        if (index != last)
        {
            last = index;
            const double average = queue.queue->GetAverage();
            report.readings.push_back({device, queue.port, queue.index, average});
            isFalling = queue.trend.IsFalling(Simulator::Now().GetNanoSeconds(),
                                              average,
                                              m_interval.GetNanoSeconds());
        }
        CongestionNotification notification;
        notification.flow = flow;
        notification.severity = sample.severity;
        notification.device = device.Get();
        notification.port = queue.port;
        notification.queue = queue.index;
        notification.sequence = ++router.sequence;
        notification.time = static_cast<uint64_t>(sample.time);
        notification.ingress = sample.ingress;
        notification.egress = sample.egress;
        notification.isFalling = isFalling;
        report.notifications.push_back(notification);
    }
    router.samples.clear();
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   m_telemetryDelay,
                                   [this, report = std::move(report)] { Take(report); });
}

void
CongestionMonitor::Take(const Report& report)
{
    for (const auto& reading : report.readings)
    {
        m_readingTrace(reading.device, reading.port, reading.queue, reading.average);
    }
    for (const auto& notification : report.notifications)
    {
        m_sender->Send(notification, m_statistics);
    }
}

} // namespace ns3::aidc

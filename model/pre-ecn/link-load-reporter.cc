// SPDX-License-Identifier: GPL-2.0-only

#include "link-load-reporter.h"

#include "../core/require-argument.h"
#include "../device-link-properties.h"

#include "ns3/log.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcLinkLoadReporter");

NS_OBJECT_ENSURE_REGISTERED(LinkLoadReporter);

namespace
{

/// Preamble, start delimiter and gap of a frame (IEEE 802.3, 4.4.2), in octets.
constexpr uint64_t FRAME_GAP = 20;

} // namespace

TypeId
LinkLoadReporter::GetTypeId()
{
    using C = LinkLoadReporter;
    static TypeId tid =
        AddAttributes<C>(
            TypeId("ns3::aidc::LinkLoadReporter")
                .SetParent<Object>()
                .SetGroupName("Aidc")
                .AddConstructor<C>()
                .AddAttribute("Interval",
                              "Time between reports, which are sent at multiples of it.",
                              TimeValue(MilliSeconds(1)),
                              MakeTimeAccessor(&C::m_interval),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute(
                    "MeasureTime",
                    "How long a load is measured before it is reported, at most Interval. "
                    "What PEs decide by the last report should take effect before.",
                    TimeValue(MicroSeconds(500)),
                    MakeTimeAccessor(&C::m_measureTime),
                    MakeTimeChecker(NanoSeconds(1))),
            "reports",
            LINK_LOAD_PORT)
            .AddTraceSource("Sent",
                            "A report has been sent.",
                            MakeTraceSourceAccessor(&C::m_sentTrace),
                            "ns3::aidc::LinkLoadReporter::SentTracedCallback");
    return tid;
}

LinkLoadReporter::LinkLoadReporter()
{
    NS_LOG_FUNCTION(this);
}

void
LinkLoadReporter::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(m_node, "LinkLoadReporter serves one node");
    m_node = node;
    node->AggregateObject(this);
}

void
LinkLoadReporter::Add(Ptr<EthernetNetDevice> port, Ipv4Address ingress)
{
    NS_LOG_FUNCTION(this << port << ingress);
    AIDC_REFUSED_UNLESS(m_node && port->GetNode() == m_node,
                        "LinkLoadReporter: expected a port of its node");
    auto link = std::find_if(m_links.begin(), m_links.end(), [&port](const Link& known) {
        return known.port == port;
    });
    if (link == m_links.end())
    {
        m_links.push_back({port, {}, 0});
        link = std::prev(m_links.end());
    }
    auto& ingresses = link->ingresses;
    if (std::find(ingresses.begin(), ingresses.end(), ingress) == ingresses.end())
    {
        ingresses.push_back(ingress);
    }
}

void
LinkLoadReporter::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    Object::DoInitialize();
    AIDC_REFUSED_UNLESS(m_node, "LinkLoadReporter: Install() comes first");
    AIDC_REFUSED_IF(m_measureTime > m_interval,
                    "LinkLoadReporter: expected MeasureTime to be at most Interval, "
                        << m_interval.As(Time::US) << "; found " << m_measureTime.As(Time::US));
    Open(m_node, "LinkLoadReporter");
    Schedule();
}

void
LinkLoadReporter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    Close();
    m_links.clear();
    m_node = nullptr;
    Object::DoDispose();
}

void
LinkLoadReporter::Schedule()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    const int64_t interval = m_interval.GetTimeStep();
    const int64_t measure = std::min(m_measureTime, m_interval).GetTimeStep();
    // The next multiple before which there is time to measure.
    const int64_t end = ((now + measure + interval - 1) / interval) * interval;
    m_event = Simulator::Schedule(TimeStep(static_cast<uint64_t>(end - measure - now)),
                                  &LinkLoadReporter::Begin,
                                  this);
}

void
LinkLoadReporter::Begin()
{
    NoteEndlessTimer();
    m_begin = Simulator::Now();
    for (auto& link : m_links)
    {
        link.octets = CountArrived(*link.port);
    }
    m_event =
        Simulator::Schedule(std::min(m_measureTime, m_interval), &LinkLoadReporter::End, this);
}

void
LinkLoadReporter::End()
{
    LinkLoadReport report;
    report.device = GetAddress().Get();
    report.time = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    report.length = static_cast<uint64_t>((Simulator::Now() - m_begin).GetNanoSeconds());
    for (const auto& link : m_links)
    {
        report.port = static_cast<uint16_t>(link.port->GetIfIndex());
        report.capacity = GetLinkRate(link.port).GetBitRate();
        // Waiting packets may have been dropped with the queue.
        report.octets = std::max(CountArrived(*link.port), link.octets) - link.octets;
        for (const auto& ingress : link.ingresses)
        {
            report.ingress = ingress.Get();
            report.sequence = ++m_sequence;
            if (Send(report))
            {
                ++m_statistics.sent;
                m_sentTrace(report);
            }
            else
            {
                ++m_statistics.failed;
            }
        }
    }
    Schedule();
}

uint64_t
LinkLoadReporter::CountArrived(EthernetNetDevice& port)
{
    const auto queueDisc = port.GetQueueDisc();
    const uint64_t waiting =
        queueDisc ? queueDisc->GetNBytes() + queueDisc->GetStats().nTotalDroppedBytes : 0;
    return port.GetStatistics().GetWireOctets(FRAME_GAP) + waiting;
}

} // namespace ns3::aidc

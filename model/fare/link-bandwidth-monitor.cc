// SPDX-License-Identifier: GPL-2.0-only

#include "link-bandwidth-monitor.h"

#include "../core/require-argument.h"
#include "../device-link-properties.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcLinkBandwidthMonitor");

NS_OBJECT_ENSURE_REGISTERED(LinkBandwidthMonitor);

/// Hops of BGP from a link to the switches that weigh it: from a spine up, over and down again.
static constexpr int64_t MAX_HOPS = 4;

TypeId
LinkBandwidthMonitor::GetTypeId()
{
    using C = LinkBandwidthMonitor;
    static TypeId tid =
        TypeId("ns3::aidc::LinkBandwidthMonitor")
            .SetParent<Application>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Interval",
                          "The time between two looks at what ports have sent.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&C::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TimeConstant",
                          "The time constant of the average load: after it, 63 % of a step have "
                          "arrived in the average.",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&C::m_timeConstant),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Hysteresis",
                          "The speaker is told of changes that are larger than this share of what "
                          "it was told last, 0 to 1.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&C::m_hysteresis),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UpdateInterval",
                          "The least time between two updates of a link: its inverse is the most "
                          "updates a second.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&C::m_updateInterval),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Update",
                            "The speaker is given the bandwidth of a link.",
                            MakeTraceSourceAccessor(&C::m_updateTrace),
                            "ns3::aidc::LinkBandwidthMonitor::UpdateTracedCallback");
    return tid;
}

void
LinkBandwidthMonitor::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_links.clear();
    m_speaker = nullptr;
    Application::DoDispose();
}

void
LinkBandwidthMonitor::SetSpeaker(Ptr<BgpSpeaker> speaker)
{
    NS_LOG_FUNCTION(this << speaker);
    m_speaker = speaker;
}

void
LinkBandwidthMonitor::Watch(uint32_t peer, Ptr<EthernetNetDevice> port)
{
    NS_LOG_FUNCTION(this << peer << port);
    AIDC_REFUSED_UNLESS(port, "LinkBandwidthMonitor: expected an EthernetNetDevice, found none");
    m_links.push_back({peer, port, 0, std::nullopt});
}

double
LinkBandwidthMonitor::GetUtilization(uint32_t peer) const
{
    const auto link = std::find_if(m_links.begin(), m_links.end(), [peer](const Link& known) {
        return known.peer == peer;
    });
    return link != m_links.end() && link->bandwidth ? link->bandwidth->GetUtilization() : 0;
}

uint64_t
LinkBandwidthMonitor::Link::CountSent()
{
    const uint64_t sent = port->GetStatistics().GetWireOctets(port->GetOverhead());
    return sent - std::exchange(sentBytes, sent);
}

double
LinkBandwidthMonitor::Link::GetRate() const
{
    constexpr double BITS = 8;
    return static_cast<double>(port->GetDataRate().GetBitRate()) / BITS;
}

void
LinkBandwidthMonitor::StartApplication()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_UNLESS(m_speaker, "LinkBandwidthMonitor: expected a speaker, by SetSpeaker()");
    TimeValue advertisement;
    m_speaker->GetAttribute("AdvertisementInterval", advertisement);
    TimeValue decision;
    m_speaker->GetAttribute("DecisionDelay", decision);
    Time link;
    for (const auto& watched : m_links)
    {
        link = std::max(link, GetLinkDelay(watched.port));
    }
    // How long an update takes until all traffic that it moves is seen here: it goes one way, and
    // the traffic comes the other way.
    const Time delay = m_interval + MAX_HOPS * (advertisement.Get() + decision.Get() + 2 * link);
    const AvailableBandwidthSettings settings{m_timeConstant.GetNanoSeconds(),
                                              m_hysteresis,
                                              m_updateInterval.GetNanoSeconds(),
                                              delay.GetNanoSeconds()};
    for (auto& watched : m_links)
    {
        watched.CountSent();
        watched.bandwidth.emplace(settings, watched.GetRate(), Simulator::Now().GetNanoSeconds());
        m_speaker->SetLinkBandwidth(watched.peer, watched.GetRate());
    }
    m_event = Simulator::Schedule(m_interval, &LinkBandwidthMonitor::Look, this);
}

void
LinkBandwidthMonitor::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
}

void
LinkBandwidthMonitor::Look()
{
    NS_LOG_FUNCTION(this);
    NoteEndlessTimer();
    const int64_t now = Simulator::Now().GetNanoSeconds();
    for (auto& link : m_links)
    {
        if (const auto told = link.bandwidth->Update(now, link.CountSent(), link.GetRate()))
        {
            m_speaker->SetLinkBandwidth(link.peer, *told);
            m_updateTrace(link.peer, *told);
        }
    }
    m_event = Simulator::Schedule(m_interval, &LinkBandwidthMonitor::Look, this);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-bandwidth-monitor.h"

#include "ns3/abort.h"
#include "ns3/device-link-properties.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcLinkBandwidthMonitor");

NS_OBJECT_ENSURE_REGISTERED(LinkBandwidthMonitor);

namespace
{

/// Hops of BGP from a link to the switches that weigh it: from a spine up, over and down again.
constexpr int64_t MAX_HOPS = 4;

/// Get the rate of a link.
/// @param device the port
/// @return bytes a second
double
GetCapacity(Ptr<NetDevice> device)
{
    constexpr double BITS = 8;
    return static_cast<double>(GetLinkRate(device).GetBitRate()) / BITS;
}

} // namespace

TypeId
LinkBandwidthMonitor::GetTypeId()
{
    using C = LinkBandwidthMonitor;
    static TypeId tid =
        TypeId("ns3::aidc::LinkBandwidthMonitor")
            .SetParent<Application>()
            .SetGroupName("Aidc")
            .AddConstructor<LinkBandwidthMonitor>()
            .AddAttribute("Interval",
                          "The time between two looks at what ports have sent.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&C::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TimeConstant",
                          "The time constant of the average load: after it, 63 % of a step have "
                          "arrived in the average.",
                          TimeValue(Seconds(1)),
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

LinkBandwidthMonitor::LinkBandwidthMonitor()
{
    NS_LOG_FUNCTION(this);
}

LinkBandwidthMonitor::~LinkBandwidthMonitor()
{
    NS_LOG_FUNCTION(this);
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
LinkBandwidthMonitor::Watch(uint32_t peer, Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << peer << device);
    NS_ABORT_MSG_IF(GetCapacity(device) == 0,
                    "LinkBandwidthMonitor: expected a device with a DataRate");
    Link link;
    link.peer = peer;
    link.device = device;
    link.ethernet = DynamicCast<const EthernetNetDevice>(device);
    m_links.push_back(link);
}

double
LinkBandwidthMonitor::GetLoad(uint32_t peer) const
{
    for (const auto& link : m_links)
    {
        if (link.peer == peer && link.bandwidth)
        {
            return link.bandwidth->GetLoad();
        }
    }
    return 0;
}

uint64_t
LinkBandwidthMonitor::GetNUpdates() const
{
    return m_nUpdates;
}

uint64_t
LinkBandwidthMonitor::Link::GetSentBytes() const
{
    if (!ethernet)
    {
        return queueDisc->GetStats().nTotalSentBytes;
    }
    const auto& statistics = ethernet->GetStatistics();
    return statistics.outOctets + statistics.outFrames * ethernet->GetOverhead();
}

void
LinkBandwidthMonitor::StartApplication()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(!m_speaker, "LinkBandwidthMonitor: expected a speaker, by SetSpeaker()");
    const AvailableBandwidthSettings settings{m_timeConstant.GetNanoSeconds(),
                                              m_hysteresis,
                                              m_updateInterval.GetNanoSeconds(),
                                              GetDelay().GetNanoSeconds()};
    const auto layer = GetNode()->GetObject<TrafficControlLayer>();
    for (auto& link : m_links)
    {
        if (!link.ethernet)
        {
            link.queueDisc = layer ? layer->GetRootQueueDiscOnDevice(link.device) : nullptr;
            NS_ABORT_MSG_IF(!link.queueDisc,
                            "LinkBandwidthMonitor: expected an EthernetNetDevice or a root queue "
                            "disc to peer "
                                << link.peer);
        }
        const double capacity = GetCapacity(link.device);
        link.sentBytes = link.GetSentBytes();
        link.bandwidth.emplace(settings, capacity, Simulator::Now().GetNanoSeconds());
        m_speaker->SetLinkBandwidth(link.peer, capacity);
    }
    m_event = Simulator::Schedule(m_interval, &LinkBandwidthMonitor::Sample, this);
}

Time
LinkBandwidthMonitor::GetDelay() const
{
    Time link;
    Time advertisement;
    for (const auto& watched : m_links)
    {
        link = std::max(link, GetLinkDelay(watched.device));
    }
    for (uint32_t peer = 0; peer < m_speaker->GetNPeers(); ++peer)
    {
        advertisement = std::max(advertisement, m_speaker->GetAdvertisementInterval(peer));
    }
    TimeValue decision;
    m_speaker->GetAttribute("DecisionDelay", decision);
    // An update goes one way, and the traffic that it moves comes the other way
    return m_interval + MAX_HOPS * (advertisement + decision.Get() + 2 * link);
}

double
LinkBandwidthMonitor::GetSteepness(uint32_t peer) const
{
    for (const auto& link : m_links)
    {
        if (link.peer == peer && link.bandwidth)
        {
            return link.bandwidth->GetSteepness();
        }
    }
    return 0;
}

void
LinkBandwidthMonitor::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
}

void
LinkBandwidthMonitor::Sample()
{
    NS_LOG_FUNCTION(this);
    const int64_t now = Simulator::Now().GetNanoSeconds();
    for (auto& link : m_links)
    {
        const uint64_t sentBytes = link.GetSentBytes();
        link.bandwidth->SetCapacity(GetCapacity(link.device));
        link.bandwidth->Count(now, sentBytes - link.sentBytes);
        link.sentBytes = sentBytes;
        if (link.bandwidth->Update(now))
        {
            // Not the value of the optional: GCC 12 warns that it may be uninitialized
            const double told = link.bandwidth->GetTold();
            ++m_nUpdates;
            m_speaker->SetLinkBandwidth(link.peer, told);
            m_updateTrace(link.peer, told);
        }
    }
    m_event = Simulator::Schedule(m_interval, &LinkBandwidthMonitor::Sample, this);
}

} // namespace ns3::aidc

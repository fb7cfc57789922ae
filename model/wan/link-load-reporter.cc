/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-load-reporter.h"

#include "../device-link-properties.h"
#include "../endless-timer.h"
#include "parsed-text-accessor.h"
#include "path-share-controller.h"
#include "pre-ecn-queues.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

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
    // Class selector 6, network control (RFC 4594, section 3.1)
    constexpr uint8_t NETWORK_CONTROL = 48;
    static TypeId tid =
        TypeId("ns3::aidc::LinkLoadReporter")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<LinkLoadReporter>()
            .AddAttribute("Interval",
                          "Time between reports, which are sent at multiples of it.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&C::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MeasureTime",
                          "How long a load is measured before it is reported, at most Interval. "
                          "What PEs decide by the last report should take effect before.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&C::m_measureTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Address",
                          "Address that reports come from; 0.0.0.0 for the node's first one that "
                          "is no loopback address.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_address),
                          MakeIpv4AddressChecker())
            .AddAttribute("Port",
                          "UDP port that reports are sent to.",
                          UintegerValue(LINK_LOAD_PORT),
                          MakeUintegerAccessor(&C::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Dscp",
                          "DSCP of reports; they are Not-ECT.",
                          UintegerValue(NETWORK_CONTROL),
                          MakeUintegerAccessor(&C::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("Key",
                          "Key that reports are signed with, 16 to 64 octets in hexadecimal "
                          "digits; empty to sign nothing.",
                          StringValue(""),
                          MakeParsedTextAccessor(&C::m_settings, &Settings::key),
                          MakeTextChecker(&NotificationKey::Parse))
            .AddTraceSource("Sent",
                            "A report has been sent.",
                            MakeTraceSourceAccessor(&C::m_sentTrace),
                            "ns3::aidc::LinkLoadReporter::SentTracedCallback");
    return tid;
}

void
LinkLoadReporter::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_IF(m_node, "LinkLoadReporter serves one node");
    m_node = node;
    node->AggregateObject(this);
}

void
LinkLoadReporter::Add(Ptr<EthernetNetDevice> port, Ipv4Address ingress)
{
    NS_LOG_FUNCTION(this << port << ingress);
    NS_ABORT_MSG_UNLESS(m_node && port->GetNode() == m_node,
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
    NS_ABORT_MSG_UNLESS(m_node, "LinkLoadReporter: Install() comes first");
    NS_ABORT_MSG_IF(m_measureTime > m_interval,
                    "LinkLoadReporter: expected MeasureTime to be at most Interval, "
                        << m_interval.As(Time::US) << "; found " << m_measureTime.As(Time::US));
    if (m_address == Ipv4Address::GetAny())
    {
        m_address = FindOwnAddress(m_node);
    }
    m_socket = Socket::CreateSocket(m_node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(
        m_address == Ipv4Address::GetAny() || m_socket->Bind(InetSocketAddress(m_address, 0)) != 0,
        "LinkLoadReporter: node " << m_node->GetId() << " cannot send from " << m_address);
    m_socket->ShutdownRecv();
    Schedule();
}

void
LinkLoadReporter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_socket = nullptr;
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
    report.device = m_address.Get();
    report.time = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    report.length = static_cast<uint64_t>((Simulator::Now() - m_begin).GetNanoSeconds());
    for (const auto& link : m_links)
    {
        report.port = static_cast<uint16_t>(link.port->GetIfIndex());
        report.capacity = GetLinkRate(link.port).GetBitRate();
        // What waited may have been dropped with the queue.
        report.octets = std::max(CountArrived(*link.port), link.octets) - link.octets;
        for (const auto& ingress : link.ingresses)
        {
            report.ingress = ingress.Get();
            report.sequence = ++m_sequence;
            Send(report);
        }
    }
    Schedule();
}

uint64_t
LinkLoadReporter::CountArrived(EthernetNetDevice& port)
{
    const auto& statistics = port.GetStatistics();
    const auto queueDisc = port.GetQueueDisc();
    const uint64_t waiting =
        queueDisc ? queueDisc->GetNBytes() + queueDisc->GetStats().nTotalDroppedBytes : 0;
    return statistics.outOctets + FRAME_GAP * statistics.outFrames + waiting;
}

void
LinkLoadReporter::Send(const LinkLoadReport& report)
{
    const auto bytes = EncodeLinkLoadReport(report, m_settings.key);
    const Ipv4Address ingress(report.ingress);
    if (m_node->GetObject<Ipv4>()->GetInterfaceForAddress(ingress) >= 0)
    {
        const auto controller = m_node->GetObject<PathShareController>();
        m_statistics.failed += controller ? 0 : 1;
        if (controller)
        {
            ++m_statistics.sent;
            m_sentTrace(report);
            controller->GetReceiver().Receive(bytes.data(),
                                              bytes.size(),
                                              InetSocketAddress(m_address, m_port));
        }
        return;
    }
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    // By a tag: up to ns-3.41, SendTo() does not know of the socket's type of service.
    SocketIpTosTag tos;
    tos.SetTos(static_cast<uint8_t>(m_dscp << 2));
    packet->AddPacketTag(tos);
    if (m_socket->SendTo(packet, 0, InetSocketAddress(ingress, m_port)) < 0)
    {
        ++m_statistics.failed;
        return;
    }
    ++m_statistics.sent;
    m_sentTrace(report);
}

} // namespace ns3::aidc

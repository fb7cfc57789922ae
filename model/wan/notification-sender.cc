/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notification-sender.h"

#include "parsed-text-accessor.h"
#include "pre-ecn-queues.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/string.h"
#include "ns3/udp-header.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNotificationSender");

NS_OBJECT_ENSURE_REGISTERED(NotificationSender);

TypeId
NotificationSender::GetTypeId()
{
    using C = NotificationSender;
    // Class selector 6, network control (RFC 4594, section 3.1)
    constexpr uint8_t NETWORK_CONTROL = 48;
    static TypeId tid =
        TypeId("ns3::aidc::NotificationSender")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<NotificationSender>()
            .AddAttribute("Address",
                          "Address that notifications come from; 0.0.0.0 for the node's first one "
                          "that is no loopback address.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_address),
                          MakeIpv4AddressChecker())
            .AddAttribute("Port",
                          "UDP port that notifications are sent to.",
                          UintegerValue(CONGESTION_NOTIFICATION_PORT),
                          MakeUintegerAccessor(&C::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Dscp",
                          "DSCP of notifications; they are Not-ECT.",
                          UintegerValue(NETWORK_CONTROL),
                          MakeUintegerAccessor(&C::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("Key",
                          "Key that notifications are signed with, 16 to 64 octets in hexadecimal "
                          "digits, and before them its number and a colon unless it is 0, as in "
                          "7:0001... Empty to sign nothing.",
                          StringValue(""),
                          MakeParsedTextAccessor(&C::m_settings, &Settings::key),
                          MakeTextChecker(&NotificationKey::Parse))
            .AddAttribute("Domain",
                          "Prefixes, as 10.0.0.0/8, separated by commas: ingress PEs there are "
                          "notified. Empty for all addresses.",
                          StringValue(""),
                          MakeParsedTextAccessor(&C::m_settings, &Settings::domain),
                          MakeTextChecker(&AddressDomain::Parse))
            .AddTraceSource("Sent",
                            "A notification has been sent.",
                            MakeTraceSourceAccessor(&C::m_sentTrace),
                            "ns3::aidc::NotificationSender::SentTracedCallback");
    return tid;
}

void
NotificationSender::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Close();
    Object::DoDispose();
}

void
NotificationSender::Open(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    if (m_address == Ipv4Address::GetAny())
    {
        m_address = FindOwnAddress(node);
    }
    m_ipv4 = node->GetObject<Ipv4>();
    NS_ABORT_MSG_IF(m_address == Ipv4Address::GetAny(),
                    "NotificationSender: expected node "
                        << node->GetId() << " to have an address that is no loopback address");
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(m_socket->Bind(InetSocketAddress(m_address, 0)) != 0,
                    "NotificationSender: node " << node->GetId() << " cannot send from "
                                                << m_address);
    m_socket->ShutdownRecv();
}

void
NotificationSender::Close()
{
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
        m_ipv4 = nullptr;
    }
}

bool
NotificationSender::FindReceiver(const QueueDiscItem& item,
                                 CongestionNotification& notification,
                                 CongestionNotifierStatistics& statistics,
                                 uint32_t* innerBytes) const
{
    switch (FindTunneledFlow(item, notification, innerBytes))
    {
    case TunneledFlowResult::NOT_TUNNELED:
        ++statistics.notTunneled;
        return false;
    case TunneledFlowResult::MALFORMED:
    case TunneledFlowResult::TOO_DEEP:
        ++statistics.malformed;
        return false;
    case TunneledFlowResult::OK:
        break;
    }
    if (!m_settings.domain.Contains(notification.ingress))
    {
        ++statistics.offDomain;
        return false;
    }
    return true;
}

void
NotificationSender::Send(CongestionNotification notification,
                         CongestionNotifierStatistics& statistics)
{
    const Ipv4Address ingress(notification.ingress);
    NS_LOG_FUNCTION(this << ingress);
    if (!m_socket)
    {
        return; // closed since
    }
    notification.authentication = m_settings.key.IsSet() ? NotificationAuthentication::BLAKE2B
                                                         : NotificationAuthentication::NONE;
    notification.keyId = m_settings.key.GetId();
    auto bytes = EncodeCongestionNotification(notification);
    m_settings.key.Sign(bytes);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    // By a tag: up to ns-3.41, SendTo() does not know of the socket's type of service.
    SocketIpTosTag tos;
    tos.SetTos(static_cast<uint8_t>(m_dscp << 2));
    packet->AddPacketTag(tos);
    if (!SendDatagram(packet, ingress))
    {
        ++statistics.failed;
        return;
    }
    ++(notification.severity == CongestionSeverity::NONE    ? statistics.rates
       : notification.severity == CongestionSeverity::LIGHT ? statistics.light
                                                            : statistics.severe);
    m_sentTrace(notification, ingress);
}

bool
NotificationSender::SendDatagram(const Ptr<Packet>& packet, Ipv4Address ingress)
{
    if (m_ipv4->GetInterfaceForAddress(ingress) < 0)
    {
        return m_socket->SendTo(packet, 0, InetSocketAddress(ingress, m_port)) >= 0;
    }
    // A PE whose own port is congested. Routes lead to other nodes, so it gets one that leads
    // through the loopback device, which ns-3 has as the first interface.
    Address local;
    m_socket->GetSockName(local);
    UdpHeader header;
    header.SetSourcePort(InetSocketAddress::ConvertFrom(local).GetPort());
    header.SetDestinationPort(m_port);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksums();
        header.InitializeChecksum(m_address, ingress, PROTOCOL_UDP);
    }
    packet->AddHeader(header);
    const auto route = Create<Ipv4Route>();
    route->SetSource(m_address);
    route->SetDestination(ingress);
    route->SetGateway(Ipv4Address::GetAny());
    route->SetOutputDevice(m_ipv4->GetNetDevice(0));
    m_ipv4->Send(packet, m_address, ingress, PROTOCOL_UDP, route);
    return true;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "domain-message-sender.h"

#include "../core/require-argument.h"
#include "pre-ecn-queues.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/udp-header.h"
#include "ns3/udp-socket-factory.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcDomainMessageSender");

DomainMessageSender::DomainMessageSender(const Settings& settings)
    : m_settings(settings)
{
}

void
DomainMessageSender::Open(Ptr<Node> node, const char* name)
{
    NS_LOG_FUNCTION(this << node << name);
    m_address =
        m_settings.address == Ipv4Address::GetAny() ? FindOwnAddress(node) : m_settings.address;
    m_ipv4 = node->GetObject<Ipv4>();
    AIDC_REFUSED_IF(m_address == Ipv4Address::GetAny(),
                    name << ": expected node " << node->GetId()
                         << " to have an address that is no loopback address");
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(m_address, 0)) != 0,
                    name << ": node " << node->GetId() << " cannot send from " << m_address);
    m_socket->ShutdownRecv();
}

void
DomainMessageSender::Close()
{
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
        m_ipv4 = nullptr;
    }
}

bool
DomainMessageSender::Send(DomainMessageBytes bytes, Ipv4Address ingress)
{
    NS_LOG_FUNCTION(this << ingress);
    m_settings.key.Sign(bytes);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    // By a tag: up to ns-3.41, SendTo() does not know of the socket's type of service.
    SocketIpTosTag tos;
    tos.SetTos(static_cast<uint8_t>(m_settings.dscp << 2));
    packet->AddPacketTag(tos);
    if (m_ipv4->GetInterfaceForAddress(ingress) < 0)
    {
        return m_socket->SendTo(packet, 0, InetSocketAddress(ingress, m_settings.port)) >= 0;
    }
    SendToItself(packet, ingress);
    return true;
}

void
DomainMessageSender::SendToItself(const Ptr<Packet>& packet, Ipv4Address ingress)
{
    // A PE whose own port is meant. Routes lead to other nodes, so it gets one that leads through
    // the loopback device, which ns-3 has as the first interface.
    Address local;
    m_socket->GetSockName(local);
    UdpHeader header;
    header.SetSourcePort(InetSocketAddress::ConvertFrom(local).GetPort());
    header.SetDestinationPort(m_settings.port);
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
}

} // namespace ns3::aidc

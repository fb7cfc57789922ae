/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-l4-protocol.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/packet.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigL4Protocol");

NS_OBJECT_ENSURE_REGISTERED(CsigL4Protocol);

TypeId
CsigL4Protocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigL4Protocol")
                            .SetParent<TransportShim>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigL4Protocol>();
    return tid;
}

void
CsigL4Protocol::Insert(Ptr<Ipv4> ipv4,
                       Ptr<IpL4Protocol> transport,
                       SendHook send,
                       ReceiveHook receive)
{
    NS_LOG_FUNCTION(this << ipv4 << transport);
    SetTransport(transport);
    m_send = send;
    m_receive = receive;
    m_down = transport->GetDownTarget();
    transport->SetDownTarget(MakeCallback(&CsigL4Protocol::Send, this));
    ipv4->Insert(this); // replaces the transport, which has the same number
}

void
CsigL4Protocol::Send(Ptr<Packet> packet,
                     Ipv4Address source,
                     Ipv4Address destination,
                     uint8_t protocol,
                     Ptr<Ipv4Route> route)
{
    m_send(packet, source, destination, route);
    m_down(packet, source, destination, protocol, route);
}

IpL4Protocol::RxStatus
CsigL4Protocol::Receive(Ptr<Packet> p,
                        const Ipv4Header& header,
                        Ptr<Ipv4Interface> incomingInterface)
{
    // A checksum that fails is the one reason for IPv4 to drop a packet without an answer.
    return m_receive(p, header) ? TransportShim::Receive(p, header, incomingInterface)
                                : RX_CSUM_FAILED;
}

void
CsigL4Protocol::DoDispose()
{
    m_down.Nullify();
    m_send.Nullify();
    m_receive.Nullify();
    TransportShim::DoDispose();
}

} // namespace ns3::aidc

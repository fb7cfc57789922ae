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
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-interface.h"
#include "ns3/packet.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(CsigL4Protocol);

TypeId
CsigL4Protocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigL4Protocol")
                            .SetParent<IpL4Protocol>()
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
    m_transport = transport;
    m_send = send;
    m_receive = receive;
    m_down = transport->GetDownTarget();
    transport->SetDownTarget(MakeCallback(&CsigL4Protocol::Send, this));
    ipv4->Insert(this); // replaces the transport, which has the same number
}

void
CsigL4Protocol::SetTransport(Ptr<IpL4Protocol> transport)
{
    m_transport = transport;
}

Ptr<IpL4Protocol>
CsigL4Protocol::GetTransport() const
{
    return m_transport;
}

int
CsigL4Protocol::GetProtocolNumber() const
{
    return m_transport->GetProtocolNumber();
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
    return m_receive(p, header) ? m_transport->Receive(p, header, incomingInterface)
                                : RX_CSUM_FAILED;
}

IpL4Protocol::RxStatus
CsigL4Protocol::Receive(Ptr<Packet> p,
                        const Ipv6Header& header,
                        Ptr<Ipv6Interface> incomingInterface)
{
    return m_transport->Receive(p, header, incomingInterface);
}

void
CsigL4Protocol::ReceiveIcmp(Ipv4Address icmpSource,
                            uint8_t icmpTtl,
                            uint8_t icmpType,
                            uint8_t icmpCode,
                            uint32_t icmpInfo,
                            Ipv4Address payloadSource,
                            Ipv4Address payloadDestination,
                            const uint8_t payload[8])
{
    m_transport->ReceiveIcmp(icmpSource,
                             icmpTtl,
                             icmpType,
                             icmpCode,
                             icmpInfo,
                             payloadSource,
                             payloadDestination,
                             payload);
}

void
CsigL4Protocol::ReceiveIcmp(Ipv6Address icmpSource,
                            uint8_t icmpTtl,
                            uint8_t icmpType,
                            uint8_t icmpCode,
                            uint32_t icmpInfo,
                            Ipv6Address payloadSource,
                            Ipv6Address payloadDestination,
                            const uint8_t payload[8])
{
    m_transport->ReceiveIcmp(icmpSource,
                             icmpTtl,
                             icmpType,
                             icmpCode,
                             icmpInfo,
                             payloadSource,
                             payloadDestination,
                             payload);
}

void
CsigL4Protocol::SetDownTarget(DownTargetCallback cb)
{
    m_down = cb;
}

void
CsigL4Protocol::SetDownTarget6(DownTargetCallback6 cb)
{
    m_transport->SetDownTarget6(cb);
}

IpL4Protocol::DownTargetCallback
CsigL4Protocol::GetDownTarget() const
{
    return m_down;
}

IpL4Protocol::DownTargetCallback6
CsigL4Protocol::GetDownTarget6() const
{
    return m_transport->GetDownTarget6();
}

void
CsigL4Protocol::DoDispose()
{
    m_transport = nullptr;
    m_down.Nullify();
    m_send.Nullify();
    m_receive.Nullify();
    IpL4Protocol::DoDispose();
}

} // namespace ns3::aidc

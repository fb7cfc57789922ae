/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-shim.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-interface.h"
#include "ns3/log.h"
#include "ns3/packet.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTransportShim");

NS_OBJECT_ENSURE_REGISTERED(TransportShim);

TypeId
TransportShim::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TransportShim").SetParent<IpL4Protocol>().SetGroupName("Aidc");
    return tid;
}

void
TransportShim::SetTransport(Ptr<IpL4Protocol> transport)
{
    NS_LOG_FUNCTION(this << transport);
    m_transport = transport;
}

Ptr<IpL4Protocol>
TransportShim::GetTransport() const
{
    return m_transport;
}

int
TransportShim::GetProtocolNumber() const
{
    return m_transport->GetProtocolNumber();
}

IpL4Protocol::RxStatus
TransportShim::Receive(Ptr<Packet> p,
                       const Ipv4Header& header,
                       Ptr<Ipv4Interface> incomingInterface)
{
    return m_transport->Receive(p, header, incomingInterface);
}

IpL4Protocol::RxStatus
TransportShim::Receive(Ptr<Packet> p,
                       const Ipv6Header& header,
                       Ptr<Ipv6Interface> incomingInterface)
{
    return m_transport->Receive(p, header, incomingInterface);
}

void
TransportShim::ReceiveIcmp(Ipv4Address icmpSource,
                           uint8_t icmpTtl,
                           uint8_t icmpType,
                           uint8_t icmpCode,
                           uint32_t icmpInfo,
                           Ipv4Address payloadSource,
                           Ipv4Address payloadDestination,
                           const uint8_t payload[8])
{
    NS_LOG_FUNCTION(this << icmpSource << +icmpTtl << +icmpType << +icmpCode << icmpInfo
                         << payloadSource << payloadDestination);
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
TransportShim::ReceiveIcmp(Ipv6Address icmpSource,
                           uint8_t icmpTtl,
                           uint8_t icmpType,
                           uint8_t icmpCode,
                           uint32_t icmpInfo,
                           Ipv6Address payloadSource,
                           Ipv6Address payloadDestination,
                           const uint8_t payload[8])
{
    NS_LOG_FUNCTION(this << icmpSource << +icmpTtl << +icmpType << +icmpCode << icmpInfo
                         << payloadSource << payloadDestination);
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
TransportShim::SetDownTarget(DownTargetCallback cb)
{
    NS_LOG_FUNCTION(this);
    m_transport->SetDownTarget(cb);
}

void
TransportShim::SetDownTarget6(DownTargetCallback6 cb)
{
    NS_LOG_FUNCTION(this);
    m_transport->SetDownTarget6(cb);
}

IpL4Protocol::DownTargetCallback
TransportShim::GetDownTarget() const
{
    return m_transport->GetDownTarget();
}

IpL4Protocol::DownTargetCallback6
TransportShim::GetDownTarget6() const
{
    return m_transport->GetDownTarget6();
}

void
TransportShim::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_transport = nullptr;
    IpL4Protocol::DoDispose();
}

} // namespace ns3::aidc

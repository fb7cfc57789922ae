/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-l4-protocol.h"

#include "ns3/ipv4-interface.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelL4Protocol");

NS_OBJECT_ENSURE_REGISTERED(IpTunnelL4Protocol);

TypeId
IpTunnelL4Protocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::IpTunnelL4Protocol")
                            .SetParent<IpL4Protocol>()
                            .SetGroupName("Aidc")
                            .AddConstructor<IpTunnelL4Protocol>();
    return tid;
}

void
IpTunnelL4Protocol::Insert(Ipv4& ipv4, uint8_t protocol, Taker taker)
{
    const auto present = ipv4.GetProtocol(protocol);
    if (DynamicCast<IpTunnelL4Protocol>(present))
    {
        return;
    }
    auto inserted = CreateObject<IpTunnelL4Protocol>();
    inserted->m_protocol = protocol;
    inserted->m_taker = taker;
    if (protocol == PROTOCOL_UDP)
    {
        // A socket would drop VXLAN's packets, as ns-3 takes a checksum of 0 for a wrong one.
        inserted->m_udp = present;
    }
    ipv4.Insert(inserted);
}

IpL4Protocol::RxStatus
IpTunnelL4Protocol::Receive(Ptr<Packet> p,
                            const Ipv4Header& header,
                            Ptr<Ipv4Interface> incomingInterface)
{
    if (!IsTaken(*p))
    {
        return m_udp->Receive(p, header, incomingInterface);
    }
    if (!m_taker.IsNull())
    {
        m_taker(p, header);
    }
    return RX_OK;
}

bool
IpTunnelL4Protocol::IsTaken(const Packet& packet) const
{
    uint8_t ports[4];
    // What is too short for a header of UDP is not passed on, as ns-3 would read beyond its end.
    return !m_udp || packet.GetSize() < UDP_HEADER_SIZE ||
           (packet.CopyData(ports, sizeof(ports)) == sizeof(ports) &&
            boost::endian::load_big_u16(ports + 2) == VXLAN_PORT);
}

void
IpTunnelL4Protocol::ReceiveIcmp(Ipv4Address source,
                                uint8_t ttl,
                                uint8_t type,
                                uint8_t code,
                                uint32_t info,
                                Ipv4Address quotedSource,
                                Ipv4Address quotedDestination,
                                const uint8_t quoted[8])
{
    if (m_udp)
    {
        m_udp->ReceiveIcmp(source, ttl, type, code, info, quotedSource, quotedDestination, quoted);
    }
}

void
IpTunnelL4Protocol::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_udp = nullptr;
    m_taker.Nullify();
    IpL4Protocol::DoDispose();
}

} // namespace ns3::aidc

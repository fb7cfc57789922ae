/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-ttl-security.h"

#include "../core/require-argument.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"

#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpTtlSecurity");
NS_OBJECT_ENSURE_REGISTERED(BgpTtlSecurity);

TypeId
BgpTtlSecurity::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::BgpTtlSecurity")
                            .SetParent<TransportShim>()
                            .SetGroupName("Aidc")
                            .AddConstructor<BgpTtlSecurity>();
    return tid;
}

BgpTtlSecurity::BgpTtlSecurity() = default;

BgpTtlSecurity::~BgpTtlSecurity() = default;

void
BgpTtlSecurity::Insert(Ptr<Node> node, uint16_t port, DropCallback drop)
{
    NS_LOG_FUNCTION(this << node->GetId() << port);
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto tcp = node->GetObject<TcpL4Protocol>();
    AIDC_REFUSED_UNLESS(ipv4 && tcp, "expected node " << node->GetId() << " to have IPv4 and TCP");
    m_port = port;
    m_drop = drop;
    SetTransport(ipv4->GetProtocol(tcp->GetProtocolNumber()));
    ipv4->Insert(this); // replaces what was first, which has the same number
}

void
BgpTtlSecurity::SetMinTtl(Ipv4Address peer, uint8_t minTtl)
{
    NS_LOG_FUNCTION(this << peer << +minTtl);
    m_minTtls[peer.Get()] = minTtl;
}

IpL4Protocol::RxStatus
BgpTtlSecurity::Receive(Ptr<Packet> p,
                        const Ipv4Header& header,
                        Ptr<Ipv4Interface> incomingInterface)
{
    const auto known = m_minTtls.find(header.GetSource().Get());
    if (known != m_minTtls.end() && header.GetTtl() < known->second)
    {
        std::array<uint8_t, 4> ports{}; // RFC 9293, section 3.1: source, destination
        p->CopyData(ports.data(), ports.size());
        if ((ports[0] << 8 | ports[1]) == m_port || (ports[2] << 8 | ports[3]) == m_port)
        {
            NS_LOG_LOGIC("drop a segment of " << header.GetSource() << " with time to live "
                                              << +header.GetTtl());
            m_drop(header.GetSource(), header.GetTtl());
            return RX_OK;
        }
    }
    return TransportShim::Receive(p, header, incomingInterface);
}

void
BgpTtlSecurity::DoDispose()
{
    m_drop.Nullify();
    TransportShim::DoDispose();
}

} // namespace ns3::aidc

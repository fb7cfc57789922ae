/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-l4-protocol.h"

#include "ns3/log.h"

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
IpTunnelL4Protocol::SetTaker(uint8_t protocol, Taker taker)
{
    NS_LOG_FUNCTION(this << protocol);
    m_protocol = protocol;
    m_taker = taker;
}

IpL4Protocol::RxStatus
IpTunnelL4Protocol::Receive(Ptr<Packet> p, const Ipv4Header& header, Ptr<Ipv4Interface>)
{
    if (!m_taker.IsNull())
    {
        m_taker(p, header);
    }
    return RX_OK;
}

void
IpTunnelL4Protocol::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_taker.Nullify();
    IpL4Protocol::DoDispose();
}

} // namespace ns3::aidc

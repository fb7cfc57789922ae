/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-flow-protocol.h"

#include "../csig/csig-l4-protocol.h"

#include "ns3/abort.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"

#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowProtocol");

NS_OBJECT_ENSURE_REGISTERED(TcpFlowProtocol);

TypeId
TcpFlowProtocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::TcpFlowProtocol")
                            .SetParent<TransportShim>()
                            .SetGroupName("Aidc")
                            .AddConstructor<TcpFlowProtocol>();
    return tid;
}

TcpFlowProtocol::TcpFlowProtocol() = default;

TcpFlowProtocol::~TcpFlowProtocol() = default;

void
TcpFlowProtocol::Insert(Ptr<Node> node, PortHook hook)
{
    NS_LOG_FUNCTION(this << node);
    m_hook = hook;
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_UNLESS(ipv4 && tcp, "expected node " << node->GetId() << " to have IPv4 and TCP");
    const auto first = ipv4->GetProtocol(tcp->GetProtocolNumber());
    if (const auto csig = DynamicCast<CsigL4Protocol>(first))
    {
        SetTransport(csig->GetTransport());
        csig->SetTransport(this);
        return;
    }
    SetTransport(first);
    ipv4->Insert(this); // replaces what was first, which has the same number
}

IpL4Protocol::RxStatus
TcpFlowProtocol::Receive(Ptr<Packet> p,
                         const Ipv4Header& header,
                         Ptr<Ipv4Interface> incomingInterface)
{
    std::array<uint8_t, 4> ports{}; // RFC 9293, section 3.1: source, destination
    p->CopyData(ports.data(), ports.size());
    const auto port = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
    return m_hook(port, p, header, incomingInterface)
               ? RX_OK
               : TransportShim::Receive(p, header, incomingInterface);
}

void
TcpFlowProtocol::DoDispose()
{
    m_hook.Nullify();
    TransportShim::DoDispose();
}

} // namespace ns3::aidc

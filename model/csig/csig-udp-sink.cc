/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-udp-sink.h"

#include "../core/require-argument.h"
#include "csig-answer-header.h"

#include "ns3/flow-key.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigUdpSink");
NS_OBJECT_ENSURE_REGISTERED(CsigUdpSink);

TypeId
CsigUdpSink::GetTypeId()
{
    using C = CsigUdpSink;
    static TypeId tid =
        TypeId("ns3::aidc::CsigUdpSink")
            .SetParent<Application>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Local",
                          "The address of this node",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_local),
                          MakeIpv4AddressChecker())
            .AddAttribute("Port",
                          "The port",
                          UintegerValue(7),
                          MakeUintegerAccessor(&C::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Period",
                          "One of this many datagrams is answered, and the datagram that "
                          "completes Size",
                          UintegerValue(1),
                          MakeUintegerAccessor(&C::m_period),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Size",
                          "Bytes of payload that are expected; each datagram after them is "
                          "answered. 0: no end",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_size),
                          MakeUintegerChecker<uint64_t>())
            .AddTraceSource("Done",
                            "All bytes that are expected have arrived; with the time",
                            MakeTraceSourceAccessor(&C::m_doneTrace),
                            "ns3::Time::TracedCallback");
    return tid;
}

void
CsigUdpSink::DoDispose()
{
    m_socket = nullptr;
    m_host = nullptr;
    Application::DoDispose();
}

void
CsigUdpSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_host = GetNode()->GetObject<CsigHost>();
    m_socket = Socket::CreateSocket(GetNode(), TypeId::LookupByName("ns3::UdpSocketFactory"));
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(m_local, m_port)) != 0,
                    "expected port " << m_port << " of " << m_local << " to be free");
    m_socket->SetRecvCallback(MakeCallback(&CsigUdpSink::Receive, this));
}

void
CsigUdpSink::StopApplication()
{
    if (m_socket)
    {
        m_socket->Close();
    }
}

void
CsigUdpSink::Receive(Ptr<Socket> socket)
{
    Address from;
    while (auto packet = socket->RecvFrom(from))
    {
        const bool wasDone = IsDone();
        m_receivedBytes += packet->GetSize();
        ++m_nReceived;
        if (!wasDone && IsDone())
        {
            m_finish = Simulator::Now();
            m_doneTrace(m_finish);
        }
        if (IsDone() || m_nReceived % m_period == 0)
        {
            Answer(from);
        }
    }
}

void
CsigUdpSink::Answer(const Address& from)
{
    auto packet = Create<Packet>();
    packet->AddHeader(CsigAnswerHeader(m_receivedBytes));
    if (m_host)
    {
        const auto remote = InetSocketAddress::ConvertFrom(from);
        const FlowKey flow{m_local.Get(),
                           remote.GetIpv4().Get(),
                           m_port,
                           remote.GetPort(),
                           PROTOCOL_UDP};
        m_host->AddReflection(packet, flow);
    }
    m_socket->SendTo(packet, 0, from);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-udp-source.h"

#include "../core/require-argument.h"
#include "csig-answer-header.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/socket-factory.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigUdpSource");
NS_OBJECT_ENSURE_REGISTERED(CsigUdpSource);

TypeId
CsigUdpSource::GetTypeId()
{
    using C = CsigUdpSource;
    static TypeId tid =
        TypeId("ns3::aidc::CsigUdpSource")
            .SetParent<Application>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Local",
                          "The address of this node",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_local),
                          MakeIpv4AddressChecker())
            .AddAttribute("Remote",
                          "The address of the sink",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_remote),
                          MakeIpv4AddressChecker())
            .AddAttribute("RemotePort",
                          "The port of the sink",
                          UintegerValue(7),
                          MakeUintegerAccessor(&C::m_remotePort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("FirstPort",
                          "The first source port; the others follow it",
                          UintegerValue(50000),
                          MakeUintegerAccessor(&C::m_firstPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Ports",
                          "Number of source ports",
                          UintegerValue(1),
                          MakeUintegerAccessor(&C::m_nPorts),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Rate",
                          "Rate of the payload, headers not counted",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&C::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("PacketSize",
                          "Bytes of payload of a datagram",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&C::m_packetSize),
                          MakeUintegerChecker<uint32_t>(1, 65507))
            .AddAttribute("Size",
                          "Bytes of payload that are to arrive at the sink; 0: no end",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_size),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Rotate",
                          "Whether source ports are taken in turn, a datagram each",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_rotates),
                          MakeBooleanChecker())
            .AddTraceSource("Signal",
                            "A signal of one of the source ports has come back",
                            MakeTraceSourceAccessor(&C::m_signalTrace),
                            "ns3::aidc::CsigUdpSource::SignalTracedCallback");
    return tid;
}

void
CsigUdpSource::DoDispose()
{
    m_event.Cancel();
    m_sockets.clear();
    m_host = nullptr;
    Application::DoDispose();
}

void
CsigUdpSource::Rehash()
{
    NS_LOG_FUNCTION(this);
    m_current = (m_current + 1) % m_nPorts;
    ++m_nRehashes;
}

FlowKey
CsigUdpSource::GetFlowOf(std::size_t index) const
{
    return {m_local.Get(),
            m_remote.Get(),
            static_cast<uint16_t>(m_firstPort + index),
            m_remotePort,
            PROTOCOL_UDP};
}

void
CsigUdpSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(m_firstPort + m_nPorts > 65536,
                    "expected at most " << 65536 - m_firstPort << " ports from " << m_firstPort
                                        << " on, not " << m_nPorts);
    AIDC_REFUSED_IF(m_rate.GetBitRate() == 0, "expected a rate above 0");
    m_host = GetNode()->GetObject<CsigHost>();
    const auto factory = TypeId::LookupByName("ns3::UdpSocketFactory");
    for (std::size_t i = m_sockets.size(); i < m_nPorts; ++i)
    {
        auto socket = Socket::CreateSocket(GetNode(), factory);
        const auto flow = GetFlowOf(i);
        AIDC_REFUSED_IF(socket->Bind(InetSocketAddress(m_local, flow.sourcePort)) != 0,
                        "expected port " << flow.sourcePort << " of " << m_local << " to be free");
        socket->Connect(InetSocketAddress(m_remote, m_remotePort));
        socket->SetRecvCallback(MakeCallback(&CsigUdpSource::Receive, this));
        m_sockets.push_back(socket);
        if (m_host)
        {
            m_host->SetSink(flow, MakeCallback(&CsigUdpSource::TakeSignal, this));
        }
    }
    Send();
}

void
CsigUdpSource::Send()
{
    if (m_sockets[m_current]->Send(Create<Packet>(m_packetSize)) >= 0)
    {
        m_sentBytes += m_packetSize;
    }
    if (m_rotates)
    {
        m_current = (m_current + 1) % m_nPorts;
    }
    m_event =
        Simulator::Schedule(m_rate.CalculateBytesTxTime(m_packetSize), &CsigUdpSource::Send, this);
}

void
CsigUdpSource::Receive(Ptr<Socket> socket)
{
    Address local;
    socket->GetSockName(local);
    const std::size_t index = InetSocketAddress::ConvertFrom(local).GetPort() - m_firstPort;
    while (auto packet = socket->Recv())
    {
        CsigAnswerHeader answer;
        const bool isWhole = !m_host || m_host->RemoveReflection(packet, GetFlowOf(index));
        if (!isWhole || packet->PeekHeader(answer) == 0)
        {
            NS_LOG_LOGIC("An answer is too short to be one");
        }
        else if (m_size > 0 && answer.GetReceivedBytes() >= m_size)
        {
            m_event.Cancel();
        }
    }
}

} // namespace ns3::aidc

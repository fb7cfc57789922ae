// SPDX-License-Identifier: GPL-2.0-only

#include "csig-udp-applications.h"

#include "../core/require-argument.h"

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

NS_LOG_COMPONENT_DEFINE("AidcCsigUdpApplications");
NS_OBJECT_ENSURE_REGISTERED(CsigUdpSink);
NS_OBJECT_ENSURE_REGISTERED(CsigAnswerHeader);

TypeId
CsigAnswerHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigAnswerHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigAnswerHeader>();
    return tid;
}

uint32_t
CsigAnswerHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < 8)
    {
        NS_LOG_LOGIC("Expected 8 bytes, found " << start.GetRemainingSize());
        return 0;
    }
    m_receivedBytes = start.ReadNtohU64();
    return 8;
}

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
                            "ns3::Time::TracedCallback")
            .AddTraceSource("Rx",
                            "A datagram has arrived; with its payload",
                            MakeTraceSourceAccessor(&C::m_rxTrace),
                            "ns3::Packet::TracedCallback");
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
        m_rxTrace(packet);
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
            m_host->SetSink(
                flow,
                CsigHost::SignalSink([this](const FlowKey& of, const CsigFields& fields) {
                    m_signalTrace(of, fields);
                }));
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

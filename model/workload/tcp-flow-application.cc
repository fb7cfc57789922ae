// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-flow-application.h"

#include "../core/require-argument.h"
#include "../csig/csig-l4-protocol.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowApplication");
NS_OBJECT_ENSURE_REGISTERED(TcpFlowApplication);
NS_OBJECT_ENSURE_REGISTERED(TcpFlowProtocol);

namespace
{

/// @return the port, 0 if it has left
uint16_t
GetLocalPort(const Ptr<Socket>& socket)
{
    Address address;
    socket->GetSockName(address);
    return InetSocketAddress::ConvertFrom(address).GetPort();
}

} // namespace

TypeId
TcpFlowProtocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::TcpFlowProtocol")
                            .SetParent<TransportShim>()
                            .SetGroupName("Aidc")
                            .AddConstructor<TcpFlowProtocol>();
    return tid;
}

void
TcpFlowProtocol::Install(Ptr<Node> node, uint32_t segmentSize)
{
    NS_LOG_FUNCTION(this << node << segmentSize);
    const auto ipv4 = node->GetObject<Ipv4>();
    m_node = node;
    m_nodeTcp = node->GetObject<TcpL4Protocol>();
    AIDC_REFUSED_UNLESS(ipv4 && m_nodeTcp,
                        "expected node " << node->GetId() << " to have IPv4 and TCP");
    const auto first = ipv4->GetProtocol(m_nodeTcp->GetProtocolNumber());
    if (const auto csig = DynamicCast<CsigL4Protocol>(first))
    {
        SetTransport(csig->GetTransport());
        csig->SetTransport(this);
    }
    else
    {
        SetTransport(first);
        ipv4->Insert(this); // replaces what was first, which has the same number
    }

    m_isKnown.resize(65536);
    m_model = DynamicCast<TcpSocketBase>(Socket::CreateSocket(node, TcpSocketFactory::GetTypeId()));
    AIDC_REFUSED_UNLESS(m_model, "expected the sockets of ns-3's TCP");
    m_model->SetAttribute("MaxSegLifetime", DoubleValue(0));
    if (segmentSize != 0)
    {
        m_model->SetAttribute("SegmentSize", UintegerValue(segmentSize));
    }
    m_nodeTcp->RemoveSocket(m_model);
}

Ptr<Socket>
TcpFlowProtocol::OpenSocket(std::size_t flow)
{
    Sweep();
    constexpr uint32_t PORTS = 65536 - 49152; // ports that ns-3 takes
    for (uint32_t i = 0; i < PORTS; ++i)
    {
        Ipv4EndPoint* endPoint = m_nodeTcp->Allocate();
        AIDC_REFUSED_UNLESS(endPoint, "expected one more port of node " << m_node->GetId());
        const uint16_t port = endPoint->GetLocalPort();
        m_nodeTcp->DeAllocate(endPoint);
        if (m_ports.count(port) == 0)
        {
            return MakeSocket(port, flow);
        }
    }
    AIDC_REFUSE("expected fewer flows from node " << m_node->GetId());
    return nullptr;
}

Ptr<Socket>
TcpFlowProtocol::OpenSocket(std::size_t flow, uint16_t port)
{
    Sweep();
    Ipv4EndPoint* endPoint = m_nodeTcp->Allocate(Ptr<NetDevice>(), port);
    AIDC_REFUSED_UNLESS(endPoint && m_ports.count(port) == 0,
                        "expected port " << port << " of node " << m_node->GetId()
                                         << " to be free");
    m_nodeTcp->DeAllocate(endPoint);
    return MakeSocket(port, flow);
}

Ptr<Socket>
TcpFlowProtocol::MakeSocket(uint16_t port, std::size_t flow)
{
    NS_LOG_FUNCTION(this << port << flow);
    if (m_free.empty())
    {
        m_free.push_back(CreateObject<TcpL4Protocol>());
        m_free.back()->SetNode(m_node);
        m_free.back()->SetDownTarget(m_nodeTcp->GetDownTarget());
    }
    const auto socket = CopyObject<TcpSocketBase>(m_model);
    socket->SetTcp(m_free.back());
    m_ports[port] = {m_free.back(), socket, flow};
    m_isKnown[port] = true;
    m_free.pop_back();
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    return socket;
}

void
TcpFlowProtocol::NotifyAccepted(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Sweep();
    auto& port = m_ports.at(GetLocalPort(socket));
    const auto listening = std::exchange(port.socket, socket);
    listening->Close();
}

void
TcpFlowProtocol::NotifyLeaving(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Sweep();
    if (const uint16_t port = GetLocalPort(socket))
    {
        m_leaving.emplace_back(port, Simulator::Now());
    }
}

std::optional<std::size_t>
TcpFlowProtocol::FindFlow(const Ptr<Socket>& socket) const
{
    const uint16_t number = GetLocalPort(socket);
    const auto port =
        number != 0 ? m_ports.find(number)
                    : std::find_if(m_ports.begin(), m_ports.end(), [&socket](const auto& item) {
                          return item.second.socket == socket;
                      });
    return port == m_ports.end() ? std::nullopt : std::optional(port->second.flow);
}

std::size_t
TcpFlowProtocol::GetNSockets() const
{
    return std::count_if(m_ports.begin(), m_ports.end(), [](const auto& port) {
        return GetLocalPort(port.second.socket) != 0;
    });
}

void
TcpFlowProtocol::Sweep()
{
    // A look at two for each one that comes keeps the queue short. TCP may still have an event of
    // this instant for a socket that has just left.
    for (int i = 0; i < 2 && !m_leaving.empty(); ++i)
    {
        const auto leaving = m_leaving.front();
        m_leaving.pop_front();
        const auto port = m_ports.find(leaving.first);
        if (port == m_ports.end())
        {
            continue; // it was told of twice
        }
        if (leaving.second < Simulator::Now() && GetLocalPort(port->second.socket) == 0)
        {
            m_free.push_back(port->second.tcp);
            m_ports.erase(port);
        }
        else
        {
            m_leaving.push_back(leaving);
        }
    }
}

IpL4Protocol::RxStatus
TcpFlowProtocol::Receive(Ptr<Packet> p,
                         const Ipv4Header& header,
                         Ptr<Ipv4Interface> incomingInterface)
{
    std::array<uint8_t, 4> ports{}; // RFC 9293, section 3.1: source, destination
    p->CopyData(ports.data(), ports.size());
    const auto number = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
    const auto port = m_ports.find(number);
    if (port == m_ports.end() && !m_isKnown[number])
    {
        return TransportShim::Receive(p, header, incomingInterface);
    }
    if (port != m_ports.end() && GetLocalPort(port->second.socket) != 0)
    {
        const Ptr<TcpL4Protocol> tcp = port->second.tcp; // the table may change meanwhile
        tcp->Receive(p, header, incomingInterface);
    }
    return RX_OK; // what arrives late is ignored
}

void
TcpFlowProtocol::DoDispose()
{
    for (auto& port : m_ports)
    {
        m_free.push_back(port.second.tcp);
    }
    m_ports.clear();
    for (const auto& tcp : m_free)
    {
        tcp->Dispose(); // lets go of its sockets
    }
    m_free.clear();
    m_model = nullptr;
    m_nodeTcp = nullptr;
    m_node = nullptr;
    TransportShim::DoDispose();
}

TypeId
TcpFlowApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TcpFlowApplication")
            .SetParent<Application>()
            .SetGroupName("Aidc")
            .AddConstructor<TcpFlowApplication>()
            .AddAttribute("SendSize",
                          "Bytes that a socket is given at once; best whole "
                          "segments, which it need neither split nor join",
                          UintegerValue(8960),
                          MakeUintegerAccessor(&TcpFlowApplication::m_sendSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("OwnSegments",
                          "Whether a segment carries SendSize bytes, whatever "
                          "ns3::TcpSocket::SegmentSize is",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpFlowApplication::m_hasOwnSegments),
                          MakeBooleanChecker());
    return tid;
}

void
TcpFlowApplication::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_protocol = CreateObject<TcpFlowProtocol>();
    m_protocol->Install(GetNode(), m_hasOwnSegments ? m_sendSize : 0);

    for (std::size_t i = 0; i < m_outgoing.size(); ++i)
    {
        Simulator::Schedule(m_outgoing[i].start, &TcpFlowApplication::Start, this, i);
    }
    std::stable_sort(m_incoming.begin(), m_incoming.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    });
    if (!m_incoming.empty())
    {
        Simulator::Schedule(m_incoming.front().start, &TcpFlowApplication::Listen, this);
    }
    Application::DoInitialize();
}

void
TcpFlowApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_protocol)
    {
        m_protocol->Dispose();
    }
    m_protocol = nullptr;
    m_receive.Nullify();
    m_failed.Nullify();
    Application::DoDispose();
}

void
TcpFlowApplication::Start(std::size_t index)
{
    NS_LOG_FUNCTION(this << index);
    const auto& flow = m_outgoing[index];
    const auto socket = m_protocol->OpenSocket(index);
    const int error = socket->Connect(InetSocketAddress(flow.destination, flow.port));
    socket->ShutdownRecv();
    socket->SetConnectCallback(MakeCallback(&TcpFlowApplication::HandleConnected, this),
                               MakeCallback(&TcpFlowApplication::HandleFailure, this));
    socket->SetCloseCallbacks(
        MakeCallback(&TcpFlowProtocol::NotifyLeaving, PeekPointer(m_protocol)),
        MakeCallback(&TcpFlowApplication::HandleFailure, this));
    if (error != 0)
    {
        HandleFailure(socket); // no route
    }
}

void
TcpFlowApplication::Listen()
{
    NS_LOG_FUNCTION(this);
    for (; m_next < m_incoming.size() && m_incoming[m_next].start <= Simulator::Now(); ++m_next)
    {
        const auto socket = m_protocol->OpenSocket(m_next, m_incoming[m_next].port);
        socket->Listen();
        socket->ShutdownSend(); // so that a connection ends when its source ends it
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&TcpFlowApplication::HandleAccept, this));
    }
    if (m_next < m_incoming.size())
    {
        Simulator::Schedule(m_incoming[m_next].start - Simulator::Now(),
                            &TcpFlowApplication::Listen,
                            this);
    }
}

void
TcpFlowApplication::HandleConnected(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    socket->SetSendCallback(MakeCallback(&TcpFlowApplication::HandleSend, this));
    HandleSend(socket, 0);
}

void
TcpFlowApplication::HandleSend(Ptr<Socket> socket, uint32_t)
{
    const auto index = m_protocol->FindFlow(socket);
    if (!index)
    {
        return;
    }
    auto& flow = m_outgoing[*index];
    if (flow.bytes > 0 && flow.given == flow.bytes)
    {
        return;
    }
    while (flow.bytes == 0 || flow.given < flow.bytes)
    {
        const uint64_t left = flow.bytes == 0 ? m_sendSize : flow.bytes - flow.given;
        const auto size = static_cast<uint32_t>(std::min<uint64_t>(m_sendSize, left));
        if (socket->Send(Create<Packet>(size)) < 0)
        {
            return; // until there is room again
        }
        flow.given += size;
    }
    socket->Close();
}

void
TcpFlowApplication::HandleAccept(Ptr<Socket> socket, const Address&)
{
    NS_LOG_FUNCTION(this << socket);
    m_protocol->NotifyAccepted(socket);
    socket->SetRecvCallback(MakeCallback(&TcpFlowApplication::HandleData, this));
    const auto leave = MakeCallback(&TcpFlowProtocol::NotifyLeaving, PeekPointer(m_protocol));
    socket->SetCloseCallbacks(leave, leave);
}

void
TcpFlowApplication::HandleData(Ptr<Socket> socket)
{
    const uint32_t flow = m_incoming[m_protocol->FindFlow(socket).value()].flow;
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        if (packet->GetSize() == 0)
        {
            return; // the end
        }
        m_receive(flow, packet, from);
    }
}

void
TcpFlowApplication::HandleFailure(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const auto index = m_protocol->FindFlow(socket);
    if (index && !m_failed.IsNull())
    {
        const auto& flow = m_outgoing[*index];
        m_failed(flow.flow,
                 flow.given == 0 ? "no connection was made" : "the connection was given up");
    }
    m_protocol->NotifyLeaving(socket);
}

} // namespace ns3::aidc

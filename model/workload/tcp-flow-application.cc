/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-flow-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowApplication");
NS_OBJECT_ENSURE_REGISTERED(TcpFlowApplication);

namespace
{

/// @param socket the socket
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

TcpFlowApplication::TcpFlowApplication() = default;

TcpFlowApplication::~TcpFlowApplication() = default;

void
TcpFlowApplication::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
TcpFlowApplication::SetFailureCallback(FailureCallback callback)
{
    m_failed = callback;
}

void
TcpFlowApplication::AddOutgoing(Time start,
                                Ipv4Address destination,
                                uint16_t port,
                                uint64_t bytes,
                                uint32_t flow)
{
    m_outgoing.push_back({start, destination, port, bytes, 0, flow});
}

void
TcpFlowApplication::AddIncoming(Time start, uint16_t port, uint32_t flow)
{
    m_incoming.push_back({start, port, flow});
}

std::size_t
TcpFlowApplication::GetNSockets() const
{
    return std::count_if(m_ports.begin(), m_ports.end(), [](const auto& port) {
        return GetLocalPort(port.second.socket) != 0;
    });
}

void
TcpFlowApplication::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_protocol = CreateObject<TcpFlowProtocol>();
    m_protocol->Insert(GetNode(), MakeCallback(&TcpFlowApplication::TakePacket, this));
    m_nodeTcp = GetNode()->GetObject<TcpL4Protocol>();
    m_isKnown.resize(65536);
    m_model =
        DynamicCast<TcpSocketBase>(Socket::CreateSocket(GetNode(), TcpSocketFactory::GetTypeId()));
    NS_ABORT_MSG_UNLESS(m_model, "expected the sockets of TCP to be those of ns-3");
    m_model->SetAttribute("MaxSegLifetime", DoubleValue(0));
    if (m_hasOwnSegments)
    {
        m_model->SetAttribute("SegmentSize", UintegerValue(m_sendSize));
    }
    m_nodeTcp->RemoveSocket(m_model);

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
    if (m_protocol)
    {
        m_protocol->Dispose();
    }
    m_protocol = nullptr;
    m_nodeTcp = nullptr;
    m_model = nullptr;
    m_receive.Nullify();
    m_failed.Nullify();
    Application::DoDispose();
}

Ptr<Socket>
TcpFlowApplication::MakeSocket(uint16_t port, std::size_t index)
{
    if (m_free.empty())
    {
        m_free.push_back(CreateObject<TcpL4Protocol>());
        m_free.back()->SetNode(GetNode());
        m_free.back()->SetDownTarget(m_nodeTcp->GetDownTarget());
    }
    const auto socket = CopyObject<TcpSocketBase>(m_model);
    socket->SetTcp(m_free.back());
    m_ports[port] = {m_free.back(), socket, index};
    m_isKnown[port] = true;
    m_free.pop_back();
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    return socket;
}

uint16_t
TcpFlowApplication::TakePort()
{
    constexpr uint32_t PORTS = 65536 - 49152; // those that ns-3 takes
    for (uint32_t i = 0; i < PORTS; ++i)
    {
        Ipv4EndPoint* endPoint = m_nodeTcp->Allocate();
        NS_ABORT_MSG_UNLESS(endPoint, "expected one more port of node " << GetNode()->GetId());
        const uint16_t port = endPoint->GetLocalPort();
        m_nodeTcp->DeAllocate(endPoint);
        if (m_ports.count(port) == 0)
        {
            return port;
        }
    }
    NS_ABORT_MSG("expected fewer flows from node " << GetNode()->GetId());
    return 0;
}

void
TcpFlowApplication::Start(std::size_t index)
{
    NS_LOG_FUNCTION(this << index);
    Sweep();
    const auto& flow = m_outgoing[index];
    const auto socket = MakeSocket(TakePort(), index);
    const int error = socket->Connect(InetSocketAddress(flow.destination, flow.port));
    socket->ShutdownRecv();
    socket->SetConnectCallback(MakeCallback(&TcpFlowApplication::HandleConnected, this),
                               MakeCallback(&TcpFlowApplication::HandleFailure, this));
    socket->SetCloseCallbacks(MakeCallback(&TcpFlowApplication::HandleClose, this),
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
    Sweep();
    for (; m_next < m_incoming.size() && m_incoming[m_next].start <= Simulator::Now(); ++m_next)
    {
        const uint16_t port = m_incoming[m_next].port;
        Ipv4EndPoint* endPoint = m_nodeTcp->Allocate(Ptr<NetDevice>(), port);
        NS_ABORT_MSG_UNLESS(endPoint && m_ports.count(port) == 0,
                            "expected port " << port << " of node " << GetNode()->GetId()
                                             << " to be free");
        m_nodeTcp->DeAllocate(endPoint);
        const auto socket = MakeSocket(port, m_next);
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
    GiveData(socket);
}

void
TcpFlowApplication::HandleSend(Ptr<Socket> socket, uint32_t)
{
    GiveData(socket);
}

void
TcpFlowApplication::GiveData(Ptr<Socket> socket)
{
    const auto port = m_ports.find(GetLocalPort(socket));
    if (port == m_ports.end())
    {
        return;
    }
    auto& flow = m_outgoing[port->second.index];
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
    Sweep();
    auto& port = m_ports.at(GetLocalPort(socket));
    const auto listening = port.socket;
    port.socket = socket;
    listening->Close();
    socket->SetRecvCallback(MakeCallback(&TcpFlowApplication::HandleData, this));
    socket->SetCloseCallbacks(MakeCallback(&TcpFlowApplication::HandleClose, this),
                              MakeCallback(&TcpFlowApplication::HandleClose, this));
}

void
TcpFlowApplication::HandleData(Ptr<Socket> socket)
{
    const uint32_t flow = m_incoming[m_ports.at(GetLocalPort(socket)).index].flow;
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
TcpFlowApplication::HandleClose(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Sweep();
    if (const uint16_t port = GetLocalPort(socket))
    {
        m_leaving.emplace_back(port, Simulator::Now());
    }
}

void
TcpFlowApplication::HandleFailure(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    // By now the socket may have no port any more
    const auto port = std::find_if(m_ports.begin(), m_ports.end(), [&socket](const auto& item) {
        return item.second.socket == socket;
    });
    if (port != m_ports.end() && !m_failed.IsNull())
    {
        const auto& flow = m_outgoing[port->second.index];
        m_failed(flow.flow,
                 flow.given == 0 ? "no connection was made" : "the connection was given up");
    }
    HandleClose(socket);
}

void
TcpFlowApplication::Sweep()
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

bool
TcpFlowApplication::TakePacket(uint16_t localPort,
                               Ptr<Packet> packet,
                               const Ipv4Header& header,
                               Ptr<Ipv4Interface> incomingInterface)
{
    const auto port = m_ports.find(localPort);
    if (port == m_ports.end())
    {
        return m_isKnown[localPort];
    }
    if (GetLocalPort(port->second.socket) != 0)
    {
        const Ptr<TcpL4Protocol> tcp = port->second.tcp; // the table may change meanwhile
        tcp->Receive(packet, header, incomingInterface);
    }
    return true;
}

} // namespace ns3::aidc

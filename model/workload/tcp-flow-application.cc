/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-flow-application.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowApplication");
NS_OBJECT_ENSURE_REGISTERED(TcpFlowApplication);

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
    return m_protocol ? m_protocol->GetNSockets() : 0;
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

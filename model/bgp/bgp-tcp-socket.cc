/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-tcp-socket.h"

#include "ns3/callback.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

namespace
{

/// How long TCP may still send what a closed connection has left, in seconds: as in Linux.
constexpr double LINGER = 60;

/// Drop what has come: TCP resets a connection that is closed with something unread, and what it
/// still has to send is lost.
void
Drain(Ptr<Socket> socket)
{
    for (auto packet = socket->Recv(); packet && packet->GetSize() > 0; packet = socket->Recv())
    {
    }
}

/// Reaches what ns-3 keeps from all but derived sockets.
class AbortableSocket : public TcpSocketBase
{
  public:
    /// Have a socket that listens take the window of its peers for open. Else ns-3 probes the
    /// window when a reset comes, as of a connection that is no more, with nothing to send; this
    /// ends the program.
    static void OpenWindow(Ptr<Socket> socket)
    {
        if (const auto known = DynamicCast<TcpSocketBase>(socket))
        {
            ((*known).*(&AbortableSocket::m_rWnd)) = 1;
        }
    }

    /// Take a socket away from TCP, be it in whatever state. @param socket the socket
    static void Abort(Ptr<Socket> socket)
    {
        if (const auto known = DynamicCast<TcpSocketBase>(socket))
        {
            ((*known).*(&AbortableSocket::CancelAllTimers))();
            ((*known).*(&AbortableSocket::DeallocateEndPoint))();
        }
    }
};

} // namespace

Ptr<Socket>
BgpTcpSocket::Make(Ptr<Node> node, const BgpTcpSettings& settings)
{
    const auto socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(settings.segmentSize));
    socket->SetAttribute("SndBufSize", UintegerValue(settings.bufferSize));
    socket->SetAttribute("RcvBufSize", UintegerValue(settings.bufferSize));
    // Ports are used in turn, so no old segment is mistaken; and sockets do not pile up.
    socket->SetAttributeFailSafe("MaxSegLifetime", DoubleValue(1));
    socket->SetIpTos(settings.typeOfService);
    if (settings.ttl > 0)
    {
        socket->SetIpTtl(settings.ttl);
    }
    return socket;
}

Ptr<Socket>
BgpTcpSocket::MakeListener(Ptr<Node> node, const BgpTcpSettings& settings)
{
    const auto socket = Make(node, settings);
    AbortableSocket::OpenWindow(socket);
    return socket;
}

void
BgpTcpSocket::Silence(Ptr<Socket> socket)
{
    using None = Ptr<Socket>;
    socket->SetConnectCallback(MakeNullCallback<void, None>(), MakeNullCallback<void, None>());
    socket->SetCloseCallbacks(MakeNullCallback<void, None>(), MakeNullCallback<void, None>());
    socket->SetSendCallback(MakeNullCallback<void, None, uint32_t>());
    socket->SetRecvCallback(MakeCallback(&Drain));
}

void
BgpTcpSocket::Close(Ptr<Socket> socket)
{
    Silence(socket);
    Drain(socket);
    // A last segment may have a window of 0, as Linux resets a connection. ns-3 then probes the
    // window, also with nothing to send, which ends the program.
    socket->SetAttribute("PersistTimeout", TimeValue(Seconds(2 * LINGER)));
    socket->Close();
    // If its last segments or the peer's are lost, ns-3 waits for them without an end.
    Simulator::Schedule(Seconds(LINGER), &AbortableSocket::Abort, socket);
}

} // namespace ns3::aidc

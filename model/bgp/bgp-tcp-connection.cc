// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-tcp-connection.h"

#include "ns3/callback.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpTcpConnection");

namespace
{

/// How long TCP may still send what a closed connection has left, in seconds: as in Linux.
constexpr double LINGER = 60;

/// Read all received bytes: TCP resets a connection closed with unread bytes, and drops the rest.
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
    /// Have a socket that listens take the window of its peers for open. Otherwise ns-3 probes the
    /// window with nothing to send when a reset comes, as for a connection that no longer exists;
    /// this ends the program.
    static void OpenWindow(Ptr<Socket> socket)
    {
        if (const auto known = DynamicCast<TcpSocketBase>(socket))
        {
            ((*known).*(&AbortableSocket::m_rWnd)) = 1;
        }
    }

    /// Take a socket away from TCP, whatever its state. @param socket the socket
    static void Abort(Ptr<Socket> socket)
    {
        if (const auto known = DynamicCast<TcpSocketBase>(socket))
        {
            ((*known).*(&AbortableSocket::CancelAllTimers))();
            ((*known).*(&AbortableSocket::DeallocateEndPoint))();
        }
    }
};

/// Set up a socket that can connect.
Ptr<Socket>
MakeSocket(Ptr<Node> node, const BgpTcpSettings& settings)
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

} // namespace

Ptr<Socket>
BgpTcpConnection::MakeListener(Ptr<Node> node, const BgpTcpSettings& settings)
{
    const auto socket = MakeSocket(node, settings);
    AbortableSocket::OpenWindow(socket);
    return socket;
}

void
BgpTcpConnection::Silence(Ptr<Socket> socket)
{
    using None = Ptr<Socket>;
    socket->SetConnectCallback(MakeNullCallback<void, None>(), MakeNullCallback<void, None>());
    socket->SetCloseCallbacks(MakeNullCallback<void, None>(), MakeNullCallback<void, None>());
    socket->SetSendCallback(MakeNullCallback<void, None, uint32_t>());
    socket->SetRecvCallback(MakeCallback(&Drain));
}

void
BgpTcpConnection::CloseSocket(Ptr<Socket> socket)
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

BgpTcpConnection::BgpTcpConnection(EventHandler notify, FrameHandler take)
    : m_notify(std::move(notify)),
      m_take(std::move(take))
{
}

BgpTcpConnection::~BgpTcpConnection()
{
    Abandon();
}

void
BgpTcpConnection::Abandon()
{
    m_failure.Cancel();
    if (m_socket)
    {
        Silence(m_socket);
        m_socket = nullptr;
    }
}

void
BgpTcpConnection::Connect(Ptr<Node> node,
                          Ipv4Address local,
                          Ipv4Address remote,
                          const BgpTcpSettings& settings)
{
    NS_LOG_FUNCTION(this << local << remote << settings.port);
    Close();
    m_socket = MakeSocket(node, settings);
    Listen();
    if (m_socket->Bind(InetSocketAddress(local, 0)) != 0 ||
        m_socket->Connect(InetSocketAddress(remote, settings.port)) != 0)
    {
        NS_LOG_LOGIC("no way to " << remote);
        m_failure = Simulator::ScheduleNow(&BgpTcpConnection::Fail, this);
        return;
    }
    m_socket->SetIpTos(settings.typeOfService); // up to ns-3.41, Connect() takes the address's
}

void
BgpTcpConnection::Accept(Ptr<Socket> socket, const BgpTcpSettings& settings)
{
    NS_LOG_FUNCTION(this << socket);
    Close();
    socket->SetIpTos(settings.typeOfService); // up to ns-3.41, Bind() takes the address's
    m_socket = socket;
    if (settings.ttl > 0)
    {
        m_socket->SetIpTtl(settings.ttl);
    }
    Listen();
}

void
BgpTcpConnection::Listen()
{
    m_socket->SetConnectCallback(MakeCallback(&BgpTcpConnection::TakeConnected, this),
                                 MakeCallback(&BgpTcpConnection::TakeFailed, this));
    m_socket->SetCloseCallbacks(MakeCallback(&BgpTcpConnection::TakeFailed, this),
                                MakeCallback(&BgpTcpConnection::TakeFailed, this));
    m_socket->SetRecvCallback(MakeCallback(&BgpTcpConnection::TakeData, this));
    m_socket->SetSendCallback(MakeCallback(&BgpTcpConnection::TakeRoom, this));
}

void
BgpTcpConnection::Send(const BgpBytes& message)
{
    if (!m_socket)
    {
        return;
    }
    m_waiting.insert(m_waiting.end(), message.begin(), message.end());
    m_ends.push_back(m_waiting.size());
    Flush();
}

void
BgpTcpConnection::Flush()
{
    while (m_given < m_waiting.size())
    {
        const auto size = static_cast<uint32_t>(
            std::min<std::size_t>(m_socket->GetTxAvailable(), m_waiting.size() - m_given));
        if (size == 0 || m_socket->Send(Create<Packet>(&m_waiting[m_given], size)) <= 0)
        {
            return;
        }
        m_given += size;
    }
    m_waiting = BgpBytes(); // most sessions are silent: they keep no memory
    m_given = 0;
    m_ends = {};
}

void
BgpTcpConnection::Read()
{
    const uint32_t epoch = m_epoch;
    while (m_socket)
    {
        const auto packet = m_socket->Recv();
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        BgpBytes bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        m_framer.Append(bytes.data(), bytes.size());
        for (auto frame = m_framer.Next(); frame.status != BgpFrame::Status::INCOMPLETE;
             frame = m_framer.Next())
        {
            m_take(frame);
            if (epoch != m_epoch)
            {
                return;
            }
            if (frame.status == BgpFrame::Status::ERROR)
            {
                break;
            }
        }
    }
}

void
BgpTcpConnection::Close()
{
    m_failure.Cancel();
    if (!m_socket)
    {
        return;
    }
    ++m_epoch;
    CloseSocket(m_socket);
    m_socket = nullptr;
    m_framer = {};
    m_waiting = BgpBytes();
    m_given = 0;
    m_ends = {};
}

void
BgpTcpConnection::TakeConnected(Ptr<Socket> /* socket */)
{
    m_notify(BgpTcpEvent::CONNECTED);
}

void
BgpTcpConnection::TakeFailed(Ptr<Socket> /* socket */)
{
    const uint32_t epoch = m_epoch;
    Read(); // what came before the end
    if (epoch == m_epoch)
    {
        Fail();
    }
}

void
BgpTcpConnection::TakeData(Ptr<Socket> /* socket */)
{
    Read();
}

void
BgpTcpConnection::TakeRoom(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    if (m_waiting.empty())
    {
        return;
    }
    Flush();
    const auto taken = std::upper_bound(m_ends.begin(), m_ends.end(), m_given);
    const bool isTaken = m_waiting.empty() || taken != m_ends.begin();
    m_ends.erase(m_ends.begin(), taken);
    if (isTaken)
    {
        m_notify(BgpTcpEvent::TAKEN);
    }
    if (m_waiting.empty())
    {
        m_notify(BgpTcpEvent::DRAINED);
    }
}

void
BgpTcpConnection::Fail()
{
    Close();
    m_notify(BgpTcpEvent::FAILED);
}

} // namespace ns3::aidc

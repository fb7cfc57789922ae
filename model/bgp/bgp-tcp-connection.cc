/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-tcp-connection.h"

#include "ns3/callback.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpTcpConnection");

BgpTcpConnection::BgpTcpConnection(BgpTcpConnectionUser& user, uint32_t id)
    : m_user(user),
      m_id(id)
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
        BgpTcpSocket::Silence(m_socket);
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
    m_socket = BgpTcpSocket::Make(node, settings);
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
    m_whole = 0;
}

bool
BgpTcpConnection::TakeWhole()
{
    const std::size_t before = m_whole;
    constexpr std::size_t LENGTH = BGP_HEADER_SIZE - 3; // where it stands, after the marker
    while (m_whole + BGP_HEADER_SIZE <= m_given)
    {
        const std::size_t end =
            m_whole + (m_waiting[m_whole + LENGTH] << 8 | m_waiting[m_whole + LENGTH + 1]);
        if (end > m_given)
        {
            break;
        }
        m_whole = end;
    }
    return m_whole != before;
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
            m_user.NotifyFrame(*this, frame);
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
    BgpTcpSocket::Close(m_socket);
    m_socket = nullptr;
    m_framer.Clear();
    m_waiting = BgpBytes();
    m_given = 0;
    m_whole = 0;
}

void
BgpTcpConnection::TakeConnected(Ptr<Socket> /* socket */)
{
    m_user.NotifyConnected(*this);
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
    if (!m_waiting.empty())
    {
        Flush();
        if (m_waiting.empty() || TakeWhole())
        {
            m_user.NotifyTaken(*this);
        }
        if (m_waiting.empty())
        {
            m_user.NotifyDrained(*this);
        }
    }
}

void
BgpTcpConnection::Fail()
{
    Close();
    m_user.NotifyFailed(*this);
}

} // namespace ns3::aidc

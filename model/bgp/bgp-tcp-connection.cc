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
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpTcpConnection");

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
    BgpTcpSocket::Close(m_socket);
    m_socket = nullptr;
    m_framer.Clear();
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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-second-connection.h"

#include "bgp-tcp-socket.h"

#include "ns3/bgp-message.h"
#include "ns3/callback.h"

#include <cstdint>
#include <utility>

namespace ns3::aidc
{

/// The octets of the shortest OPEN (RFC 4271, section 4.2).
constexpr uint32_t SHORTEST_OPEN = BGP_HEADER_SIZE + 10;

BgpSecondConnection::BgpSecondConnection(Take take)
    : m_take(std::move(take))
{
}

void
BgpSecondConnection::Hold(Ptr<Socket> socket)
{
    Drop();
    m_socket = socket;
    socket->SetRecvCallback(MakeCallback(&BgpSecondConnection::Read, this));
    socket->SetCloseCallbacks(MakeCallback(&BgpSecondConnection::Close, this),
                              MakeCallback(&BgpSecondConnection::Close, this));
    Read(socket);
}

void
BgpSecondConnection::Drop()
{
    if (const auto socket = Release())
    {
        BgpTcpSocket::Close(socket);
    }
}

void
BgpSecondConnection::Abandon()
{
    Release();
}

Ptr<Socket>
BgpSecondConnection::Release()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                    MakeNullCallback<void, Ptr<Socket>>());
    }
    return std::exchange(m_socket, nullptr);
}

void
BgpSecondConnection::Read(Ptr<Socket> socket)
{
    if (socket == m_socket && socket->GetRxAvailable() >= SHORTEST_OPEN)
    {
        m_take(Release());
    }
}

void
BgpSecondConnection::Close(Ptr<Socket> socket)
{
    if (socket == m_socket)
    {
        Drop();
    }
}

} // namespace ns3::aidc

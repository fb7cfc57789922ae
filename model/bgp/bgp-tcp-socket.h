/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_TCP_SOCKET_H
#define AIDC_BGP_TCP_SOCKET_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::aidc
{

/// How the sockets of BGP are set up.
struct BgpTcpSettings
{
    uint16_t port{179};         //!< where the peer listens
    uint8_t typeOfService{0};   //!< of IPv4's header, with the DSCP
    uint8_t ttl{0};             //!< time to live of segments sent, 0: IPv4's default
    uint32_t segmentSize{1420}; //!< the largest segment's bytes of data
    uint32_t bufferSize{65535}; //!< the most bytes that TCP has, for either direction
};

/// How ns-3's sockets of TCP begin and end for BGP.
class BgpTcpSocket
{
  public:
    /// Set up a socket that can connect.
    static Ptr<Socket> Make(Ptr<Node> node, const BgpTcpSettings& settings);

    /// Set up a socket that listens.
    static Ptr<Socket> MakeListener(Ptr<Node> node, const BgpTcpSettings& settings);

    /// Have a socket tell nothing any more. @param socket the socket
    static void Silence(Ptr<Socket> socket);

    /// Close a socket. It lives on in TCP for at most a minute, until all is sent.
    /// @param socket the socket, which has no owner any more
    static void Close(Ptr<Socket> socket);
};

} // namespace ns3::aidc

#endif // AIDC_BGP_TCP_SOCKET_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SECOND_CONNECTION_H
#define AIDC_BGP_SECOND_CONNECTION_H

#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <functional>

namespace ns3::aidc
{

/**
 * @brief A connection that a peer makes while its session is up: the peer may have restarted
 *        unnoticed.
 *
 * It is held until an OPEN has come, which shows that the peer is not just connecting (RFC 4724,
 * section 5). The newest one is held.
 */
class BgpSecondConnection
{
  public:
    /// Takes the socket of a connection on which an OPEN has come.
    using Take = std::function<void(Ptr<Socket>)>;

    /// Constructor. @param take the callback
    explicit BgpSecondConnection(Take take);

    BgpSecondConnection(const BgpSecondConnection&) = delete;
    BgpSecondConnection& operator=(const BgpSecondConnection&) = delete;

    /// Hold a connection; a former one is closed. @param socket its socket
    void Hold(Ptr<Socket> socket);

    /// Close the connection, if there is one.
    void Drop();

    /// Forget the connection without notice to the peer, at the end of the simulation.
    void Abandon();

  private:
    /// Bytes have come. @param socket the socket
    void Read(Ptr<Socket> socket);

    /// The peer has closed the connection. @param socket the socket
    void Close(Ptr<Socket> socket);

    /// Stop to listen to the socket. @return the socket, null if there is none
    Ptr<Socket> Release();

    Take m_take;          //!< the callback
    Ptr<Socket> m_socket; //!< the one that is held
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SECOND_CONNECTION_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TCP_FLOW_PROTOCOL_H
#define AIDC_TCP_FLOW_PROTOCOL_H

#include "../transport-shim.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @brief Owns the TCP sockets of a host's flows that are under way, and takes their packets before
 *        the node's TCP would.
 *
 * It has the place of TCP in IPv4's list of protocols, or after CSIG's layer if there is one. What
 * TCP sends does not pass it.
 *
 * - A socket is a copy of one that the node has made: ns-3 copies a listening socket for each
 *   connection, and to copy one costs less than to set all of its attributes anew.
 * - Each flow has a TcpL4Protocol of its own while it is under way. ns-3's searches all sockets of
 *   a node for each packet, and keeps those of senders for four minutes of simulated time (RFC
 *   9293, TIME-WAIT), where they ignore what arrives late. Here a socket that is done leaves at
 *   once, and packets that arrive late are ignored, as their port is known. So the sockets are not
 *   among those that the attribute SocketList of the node's TcpL4Protocol has.
 */
class TcpFlowProtocol : public TransportShim
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    TcpFlowProtocol();
    ~TcpFlowProtocol() override;

    /// Step between IPv4 and TCP of a node. segmentSize: the bytes of a segment; 0 for what
    /// ns3::TcpSocket::SegmentSize is.
    void Install(Ptr<Node> node, uint32_t segmentSize);

    /// Open the socket of a flow's source, at the next port that ns-3 would take for a socket that
    /// is bound to none. @param flow the number of the flow among those from here
    Ptr<Socket> OpenSocket(std::size_t flow);

    /// Open the socket of a flow's destination. flow: the number of the flow among those to here;
    /// port: the port, which nobody else has.
    Ptr<Socket> OpenSocket(std::size_t flow, uint16_t port);

    /// A connection has been made. The listening socket, of the same port, is closed.
    void NotifyAccepted(Ptr<Socket> socket);

    /// A socket has begun to leave, or failed. @param socket the socket
    void NotifyLeaving(Ptr<Socket> socket);

    /// @param socket a socket of a flow; one without a port any more takes longer to find
    /// @return the number of the flow; none if the socket has been let go of
    std::optional<std::size_t> FindFlow(const Ptr<Socket>& socket) const;

    /// @return how many sockets of flows have an end point
    std::size_t GetNSockets() const;

    // From IpL4Protocol
    using TransportShim::Receive; // of IPv6
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;

  protected:
    void DoDispose() override;

  private:
    /// The local port of a flow that is under way.
    struct Port
    {
        Ptr<TcpL4Protocol> tcp; //!< has the socket
        Ptr<Socket> socket;     //!< the socket
        std::size_t flow{0};    //!< the number of the flow
    };

    Ptr<Socket> MakeSocket(uint16_t port, std::size_t flow);

    /// Let go of sockets that have left.
    void Sweep();

    Ptr<Node> m_node;                                //!< the node
    Ptr<TcpL4Protocol> m_nodeTcp;                    //!< the node's TCP
    Ptr<TcpSocketBase> m_model;                      //!< what sockets are copies of
    std::unordered_map<uint16_t, Port> m_ports;      //!< flows that are under way, by local port
    std::vector<bool> m_isKnown;                     //!< whether a local port has had a flow
    std::deque<std::pair<uint16_t, Time>> m_leaving; //!< ports whose sockets leave, since when
    std::vector<Ptr<TcpL4Protocol>> m_free;          //!< that no flow has at present
};

} // namespace ns3::aidc

#endif // AIDC_TCP_FLOW_PROTOCOL_H

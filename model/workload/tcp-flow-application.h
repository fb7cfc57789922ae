/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TCP_FLOW_APPLICATION_H
#define AIDC_TCP_FLOW_APPLICATION_H

#include "tcp-flow-protocol.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Sends and receives the TCP flows of a host.
 *
 * It does what a BulkSendApplication and a PacketSink a flow do, packet by packet, at the cost of a
 * flow that is under way, not of all that there are:
 *
 * - A socket is made when its flow starts, the listening one of the receiver, too. It is a copy of
 *   one that the node has made: ns-3 copies a listening socket for each connection, and to copy one
 *   costs less than to set all of its attributes anew.
 * - A listening socket is closed when its flow is connected.
 * - Each flow has a TcpL4Protocol of its own while it is under way. ns-3's searches all sockets of
 *   a node for each packet, and keeps those of senders for four minutes of simulated time (RFC
 *   9293, TIME-WAIT), where they ignore what arrives late. Here a socket that is done leaves at
 *   once, and the application ignores what arrives late, as it knows the port. So the sockets are
 *   not among those that the attribute SocketList of the node's TcpL4Protocol has.
 *
 * Start and stop times of the application are not used.
 */
class TcpFlowApplication : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    TcpFlowApplication();
    ~TcpFlowApplication() override;

    /// Is told of data that arrived: the number of the flow, the data, and who sent it.
    using ReceiveCallback = Callback<void, uint32_t, Ptr<const Packet>, const Address&>;

    /// @param callback who is told of data that arrived
    void SetReceiveCallback(ReceiveCallback callback);

    /// Is told of a flow whose source has given up: the number of the flow, and why.
    using FailureCallback = Callback<void, uint32_t, const std::string&>;

    /// @param callback who is told of flows whose source has given up
    void SetFailureCallback(FailureCallback callback);

    /// Add a flow of which the node is the source, before the simulation begins.
    /// @param start when it starts; flows that start together do so in the order of the calls
    /// @param destination the address of the destination
    /// @param port the port of the destination
    /// @param bytes the size; 0 for a flow that never ends
    /// @param flow the number of the flow, for the callback
    void AddOutgoing(Time start,
                     Ipv4Address destination,
                     uint16_t port,
                     uint64_t bytes,
                     uint32_t flow = 0);

    /// Add a flow of which the node is the destination, before the simulation begins.
    /// @param start when it starts, from when on the node listens
    /// @param port the port, which no other flow has
    /// @param flow the number of the flow, for the callback
    void AddIncoming(Time start, uint16_t port, uint32_t flow);

    /// @return how many sockets with an end point TCP has for flows of this application
    std::size_t GetNSockets() const;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A flow of which the node is the source.
    struct Outgoing
    {
        Time start;              //!< when it starts
        Ipv4Address destination; //!< where it goes
        uint16_t port;           //!< the port of the destination
        uint64_t bytes;          //!< its size, or 0
        uint64_t given;          //!< bytes that its socket was given
        uint32_t flow;           //!< its number
    };

    /// A flow of which the node is the destination.
    struct Incoming
    {
        Time start;    //!< when it starts
        uint16_t port; //!< its port
        uint32_t flow; //!< its number
    };

    /// The local port of a flow that is under way.
    struct Port
    {
        Ptr<TcpL4Protocol> tcp; //!< has the socket
        Ptr<Socket> socket;     //!< the socket
        std::size_t index{0};   //!< which of the outgoing or incoming flows
    };

    /// @param port its local port
    /// @param index which of the outgoing or incoming flows it is for
    /// @return the socket
    Ptr<Socket> MakeSocket(uint16_t port, std::size_t index);

    /// Take the next port that ns-3 would take for a socket that is bound to none.
    /// @return the port
    uint16_t TakePort();

    /// @param index which flow
    void Start(std::size_t index);

    /// Listen to the flows that start now, and schedule the next ones.
    void Listen();

    /// @param socket the socket of a flow's source, which is connected
    void HandleConnected(Ptr<Socket> socket);

    /// @param socket a socket that takes more data
    /// @param available the bytes that it takes
    void HandleSend(Ptr<Socket> socket, uint32_t available);

    /// Give a socket what it takes of its flow, and close it after that.
    /// @param socket the socket
    void GiveData(Ptr<Socket> socket);

    /// @param socket the socket of a flow's destination, which is connected
    /// @param from where it comes from
    void HandleAccept(Ptr<Socket> socket, const Address& from);

    /// @param socket the socket at which data has arrived
    void HandleData(Ptr<Socket> socket);

    /// @param socket a socket that has begun to leave, or failed
    void HandleClose(Ptr<Socket> socket);

    /// @param socket the socket of a source without a connection, or whose connection has failed
    void HandleFailure(Ptr<Socket> socket);

    /// Let go of sockets that have left.
    void Sweep();

    /// Take a packet that has arrived, if it is one of a flow.
    /// @param localPort its destination port
    /// @param packet the packet
    /// @param header its IPv4 header
    /// @param incomingInterface where it came in
    /// @return whether it is one of a flow
    bool TakePacket(uint16_t localPort,
                    Ptr<Packet> packet,
                    const Ipv4Header& header,
                    Ptr<Ipv4Interface> incomingInterface);

    ReceiveCallback m_receive;                       //!< is told of data
    std::vector<Outgoing> m_outgoing;                //!< flows from here
    std::vector<Incoming> m_incoming;                //!< flows to here, by start once initialized
    std::size_t m_next{0};                           //!< the incoming flow to listen to next
    std::unordered_map<uint16_t, Port> m_ports;      //!< flows that are under way, by local port
    std::vector<bool> m_isKnown;                     //!< whether a local port has had a flow
    std::deque<std::pair<uint16_t, Time>> m_leaving; //!< ports whose sockets leave, since when
    Ptr<TcpSocketBase> m_model;                      //!< what sockets are copies of
    FailureCallback m_failed;                        //!< is told of flows that were given up
    uint32_t m_sendSize{0};                          //!< bytes that a socket is given at once
    bool m_hasOwnSegments{false};                    //!< whether segments have these bytes
    Ptr<TcpFlowProtocol> m_protocol;                 //!< gets the packets of flows
    Ptr<TcpL4Protocol> m_nodeTcp;                    //!< the node's TCP
    std::vector<Ptr<TcpL4Protocol>> m_free;          //!< that no flow has at present
};

} // namespace ns3::aidc

#endif // AIDC_TCP_FLOW_APPLICATION_H

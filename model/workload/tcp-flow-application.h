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

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Sends and receives the TCP flows of a host.
 *
 * It sends the packets that a BulkSendApplication and a PacketSink for each flow would send. Its
 * cost depends on the flows that are under way, not on all flows there are: a socket is made when
 * its flow starts, and so is the listening one of the receiver, which is closed when its flow is
 * connected. The sockets are in a TcpFlowProtocol.
 *
 * Start and stop times of the application are not used.
 */
class TcpFlowApplication : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Is told of data that arrived: the number of the flow, the data, and who sent it.
    using ReceiveCallback = Callback<void, uint32_t, Ptr<const Packet>, const Address&>;

    /// @param callback who is told of data that arrived
    void SetReceiveCallback(ReceiveCallback callback)
    {
        m_receive = callback;
    }

    /// Is told of a flow whose source has given up: the number of the flow, and why.
    using FailureCallback = Callback<void, uint32_t, const std::string&>;

    /// @param callback who is told of flows whose source has given up
    void SetFailureCallback(FailureCallback callback)
    {
        m_failed = callback;
    }

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

    /// @param index which flow
    void Start(std::size_t index);

    /// Listen to the flows that start now, and schedule the next ones.
    void Listen();

    /// @param socket the socket of a flow's source, which is connected
    void HandleConnected(Ptr<Socket> socket);

    /// Give a socket as much of its flow as it takes, and close it after the last byte. socket: the
    /// socket, which takes more data.
    void HandleSend(Ptr<Socket> socket, uint32_t available);

    /// socket: the socket of a flow's destination, which is connected; from: where it comes from.
    void HandleAccept(Ptr<Socket> socket, const Address& from);

    /// @param socket the socket at which data has arrived
    void HandleData(Ptr<Socket> socket);

    /// @param socket the socket of a source without a connection, or whose connection has failed
    void HandleFailure(Ptr<Socket> socket);

    ReceiveCallback m_receive;        //!< is told of data
    FailureCallback m_failed;         //!< is told of flows that were given up
    std::vector<Outgoing> m_outgoing; //!< flows from here
    std::vector<Incoming> m_incoming; //!< flows to here, by start once initialized
    std::size_t m_next{0};            //!< the incoming flow to listen to next
    uint32_t m_sendSize{0};           //!< attribute SendSize
    bool m_hasOwnSegments{false};     //!< attribute OwnSegments
    Ptr<TcpFlowProtocol> m_protocol;  //!< has the sockets
};

} // namespace ns3::aidc

#endif // AIDC_TCP_FLOW_APPLICATION_H

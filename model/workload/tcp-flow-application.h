// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TCP_FLOW_APPLICATION_H
#define AIDC_TCP_FLOW_APPLICATION_H

#include "../transport-shim.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Owns the TCP sockets of a host's flows that are under way, and takes their packets before
/// the node's TCP would.
///
/// It has the place of TCP in IPv4's list of protocols, or after CSIG's layer if there is one. What
/// TCP sends does not pass it.
///
/// - A socket is a copy of one that the node has made: ns-3 copies a listening socket for each
///   connection, and to copy one costs less than to set all of its attributes anew.
/// - Each flow has a TcpL4Protocol of its own while it is under way. ns-3's searches all sockets of
///   a node for each packet, and keeps the sockets of senders for four minutes of simulated time
///   (RFC 9293, TIME-WAIT), where they ignore what arrives late. Here a socket that is done leaves
///   at once, and packets that arrive late are ignored, as their port is known. So the attribute
///   SocketList of the node's TcpL4Protocol does not have these sockets.
class TcpFlowProtocol : public TransportShim
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Step between IPv4 and TCP of a node. segmentSize: the bytes of a segment; 0 for what
    /// ns3::TcpSocket::SegmentSize is.
    void Install(Ptr<Node> node, uint32_t segmentSize);

    /// Open the socket of a flow's source, at the next port that ns-3 would take for a socket that
    /// is bound to none. @param flow the number of the flow among the flows from here
    Ptr<Socket> OpenSocket(std::size_t flow);

    /// Open the socket of a flow's destination. flow: the number of the flow among the flows to
    /// here; port: the port, which nobody else has.
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

/// Sends and receives the TCP flows of a host.
///
/// It sends the packets that a BulkSendApplication and a PacketSink for each flow would send. Its
/// cost depends on the flows that are under way, not on all flows there are: sockets are made when
/// their flow starts, and the listening socket of the receiver is closed when the flow is
/// connected. The sockets are in a TcpFlowProtocol.
///
/// Start and stop times of the application are not used.
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
                     uint32_t flow = 0)
    {
        m_outgoing.push_back({start, destination, port, bytes, 0, flow});
    }

    /// Add a flow of which the node is the destination, before the simulation begins.
    /// @param start when it starts, from when on the node listens
    /// @param port the port, which no other flow has
    /// @param flow the number of the flow, for the callback
    void AddIncoming(Time start, uint16_t port, uint32_t flow)
    {
        m_incoming.push_back({start, port, flow});
    }

    /// @return how many sockets with an end point TCP has for flows of this application
    std::size_t GetNSockets() const
    {
        return m_protocol ? m_protocol->GetNSockets() : 0;
    }

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

    void Start(std::size_t index);

    /// Listen to the flows that start now, and schedule the next ones.
    void Listen();

    /// @param socket the socket of a flow's source, which is connected
    void HandleConnected(Ptr<Socket> socket);

    /// Give a socket as much of its flow as it takes, and close it after the last byte.
    void HandleSend(Ptr<Socket> socket, uint32_t available);

    /// socket: the socket of a flow's destination, which is connected; from: where it comes from.
    void HandleAccept(Ptr<Socket> socket, const Address& from);

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

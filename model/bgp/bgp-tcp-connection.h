// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_TCP_CONNECTION_H
#define AIDC_BGP_TCP_CONNECTION_H

#include "../core/bgp/bgp-bytes.h"

#include "ns3/bgp-message.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

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

/// The events of a BgpTcpConnection.
enum class BgpTcpEvent : uint8_t
{
    CONNECTED, //!< the attempt has made a connection
    FAILED,    //!< the attempt has failed, or the peer has closed the connection, or it is broken
    TAKEN,     //!< TCP has taken a whole message that waited for room
    DRAINED    //!< TCP has taken all bytes that waited for room
};

/// A TCP connection that carries BGP messages; one connection after another.
///
/// It never blocks: bytes for which TCP has no room are kept until there is room. After it is
/// closed, TCP still has a minute to send the bytes that it has, so that a NOTIFICATION arrives.
/// Within a notification, the user may close the connection or begin another one.
class BgpTcpConnection
{
  public:
    /// Gets events. After FAILED, the connection is closed.
    using EventHandler = std::function<void(BgpTcpEvent)>;
    /// Gets a message, or a header with an error; it is valid until the connection is closed.
    using FrameHandler = std::function<void(const BgpFrame&)>;

    /// Constructor of a closed connection.
    BgpTcpConnection(EventHandler notify, FrameHandler take);

    ~BgpTcpConnection();

    BgpTcpConnection(const BgpTcpConnection&) = delete;
    BgpTcpConnection& operator=(const BgpTcpConnection&) = delete;

    /// Begin to make a connection; a previous one is closed. The user is notified of the result
    /// later, even if there is no route. local: GetAny() for the address that routing chooses.
    void Connect(Ptr<Node> node,
                 Ipv4Address local,
                 Ipv4Address remote,
                 const BgpTcpSettings& settings);

    /// Use a connection that the peer has made; a previous one is closed. Read() notifies the user
    /// of messages that have arrived before.
    void Accept(Ptr<Socket> socket, const BgpTcpSettings& settings);

    /// Send a message, which is lost if there is no connection.
    void Send(const BgpBytes& message);

    /// Notify the user of all messages that have arrived.
    void Read();

    /// Close the connection, or give up the attempt. There are no more notifications of it.
    void Close();

    /// Forget the connection without notice to the peer, at the end of the simulation.
    void Abandon();

    /// @return whether bytes wait for room in TCP
    bool IsWaiting() const
    {
        return !m_waiting.empty();
    }

    /// @return whether there is a connection or an attempt
    bool IsOpen() const
    {
        return static_cast<bool>(m_socket);
    }

    /// @return a socket that listens
    static Ptr<Socket> MakeListener(Ptr<Node> node, const BgpTcpSettings& settings);

    /// Have a socket report nothing any more.
    static void Silence(Ptr<Socket> socket);

    /// Close a socket that has no owner any more. It lives on in TCP for at most a minute, until
    /// all is sent.
    static void CloseSocket(Ptr<Socket> socket);

  private:
    /// Listen to the socket's events.
    void Listen();

    /// The attempt has made a connection.
    void TakeConnected(Ptr<Socket> socket);

    /// The attempt has failed, or the connection is gone.
    void TakeFailed(Ptr<Socket> socket);

    /// There are bytes to read.
    void TakeData(Ptr<Socket> socket);

    /// TCP has room.
    void TakeRoom(Ptr<Socket> socket, uint32_t available);

    /// There is no route, or no port.
    void Fail();

    /// Give TCP as many of the waiting bytes as it has room for.
    void Flush();

    EventHandler m_notify;           //!< gets events
    FrameHandler m_take;             //!< gets messages
    Ptr<Socket> m_socket;            //!< null if there is no connection
    BgpFramer m_framer;              //!< finds messages in received bytes
    BgpBytes m_waiting;              //!< bytes for which TCP had no room
    std::size_t m_given{0};          //!< how many of these bytes TCP has taken since
    std::vector<std::size_t> m_ends; //!< ends, in these bytes, of messages that TCP may lack
    uint32_t m_epoch{0};             //!< counts connections, to detect a close in between
    EventId m_failure;               //!< reports an attempt that has failed at once
};

} // namespace ns3::aidc

#endif // AIDC_BGP_TCP_CONNECTION_H

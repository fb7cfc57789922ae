/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SPEAKER_PEER_H
#define AIDC_BGP_SPEAKER_PEER_H

#include "../core/bgp/bgp-peer-session.h"
#include "ns3/bgp-message.h"
#include "../deadline-timer.h"
#include "bgp-peer-link.h"
#include "bgp-peer-restart.h"
#include "bgp-peer-settings.h"
#include "bgp-speaker-context.h"
#include "bgp-speaker-settings.h"
#include "bgp-speaker-statistics.h"
#include "bgp-tcp-connection.h"

#include "ns3/bgp-rib.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

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

/// The timers of both connections of a session (RFC 4271, section 8.1.3).
class BgpPeerTimers
{
  public:
    /// Constructor.
    explicit BgpPeerTimers(const std::function<void(BgpConnection, BgpSessionEvent)>& expire)
    {
        for (const auto connection : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
        {
            for (uint32_t timer = 0; timer < N_TIMERS; ++timer)
            {
                const auto event = GetBgpExpiryEvent(static_cast<BgpSessionTimer>(timer));
                m_timers.emplace_back([expire, connection, event] { expire(connection, event); });
            }
        }
    }

    /// @return the timer
    DeadlineTimer& Get(BgpConnection which, BgpSessionTimer timer)
    {
        return m_timers[static_cast<uint32_t>(which) * N_TIMERS + static_cast<uint32_t>(timer)];
    }

    /// Stop all timers, and cancel their events.
    void Cancel()
    {
        for (DeadlineTimer& timer : m_timers)
        {
            timer.Cancel();
        }
    }

  private:
    /// The number of timers of a connection.
    static constexpr auto N_TIMERS = static_cast<uint32_t>(BgpSessionTimer::N_TIMERS);

    std::deque<DeadlineTimer> m_timers; //!< by connection and timer; they stay where they are
};

/**
 * @brief A peer of a BgpSpeaker: the sockets, timers and messages of its session.
 *
 * It carries out the actions of BgpPeerSession. Routes that arrive go into the speaker's BgpRib, by
 * the peer's number. Changes that the BgpRib has for the peer are sent when the peer can take them.
 */
class BgpSpeakerPeer
{
  public:
    /// Constructor of a peer without a session. context: shared by all peers, outlives the peer.
    BgpSpeakerPeer(const BgpSpeakerContext& context,
                   uint32_t number,
                   const BgpPeerSettings& settings);

    /// Make the session, and add the peer to the routes. node: the speaker's node; rib: the
    /// speaker's routes, which outlive the peer.
    void Open(Ptr<Node> node, BgpRib& rib);

    /// Release sockets, timers and the node at the end of the simulation.
    void Dispose();

    /// Start the session, if it is not started.
    void Start();

    /// Stop the session, if there is one, until it is started again. @param reason what is sent
    void Stop(BgpCease reason = BgpCease::ADMINISTRATIVE_SHUTDOWN);

    /// End the session, which restarts after the idle hold time. @param reason what is sent
    void Reset(BgpCease reason = BgpCease::ADMINISTRATIVE_RESET);

    /// Lose the session without a NOTIFICATION, and all routes of the peer, until Start().
    void Crash();

    /// Begin or end the graceful shutdown of the session. @param isLeaving whether it begins
    void SetLeaving(bool isLeaving);

    /// @return whether a restarted speaker waits for the peer's routes: the session is wanted, and
    ///         its link is up
    bool IsAwaited() const
    {
        return m_isWanted && m_link.IsUp() && m_restart.IsAwaited();
    }

    /// Ask the peer for all of its routes again (RFC 2918), if it can and the session is up.
    void RequestRefresh();

    /// Accept a connection that the peer has made, or refuse it. isWelcome: whether the speaker
    /// accepts connections.
    void Accept(Ptr<Socket> socket, bool isWelcome);

    /// Check whether the link has gone down or up, and end or start the session.
    void CheckLink();

    /// End the session at once, because BFD has found that the path to the peer has failed; or
    /// start it, because the path works again. @param hasFailed whether it has failed
    void NotifyBfd(bool hasFailed);

    /// Send the pending changes to the peer, unless it has to wait.
    void Advertise();

    /// Set the bandwidth of the link to the peer. @param bytesPerSecond the bandwidth, not negative
    void SetLinkBandwidth(double bytesPerSecond)
    {
        m_settings.linkBandwidth = bytesPerSecond;
    }

    /// Set whether the session is to be up. @param isWanted whether it is
    void SetWanted(bool isWanted)
    {
        m_isWanted = isWanted;
    }

    /// @return whether the session is to be up
    bool IsWanted() const
    {
        return m_isWanted;
    }

    /// @return the peer's settings
    const BgpPeerSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @return the sessions of both connections, once opened
    const BgpPeerSession& GetSession() const
    {
        return *m_session;
    }

    /// @return the state of the session, as it was traced last
    BgpSessionState GetState() const
    {
        return m_state;
    }

    /// @return the link to the peer
    const BgpPeerLink& GetLink() const
    {
        return m_link;
    }

    /// @return the bytes of data of the largest segment
    uint32_t GetSegmentSize() const
    {
        return m_tcp.segmentSize;
    }

    /// Count a segment that was dropped for its time to live.
    void CountSmallTtl();

    /// @return the counters of the session
    const BgpSpeakerStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    /// Make a connection whose events and messages are handled.
    BgpTcpConnection MakeConnection(BgpConnection which);

    void TakeEvent(BgpConnection which, BgpTcpEvent event);

    void TakeFrame(BgpConnection connection, const BgpFrame& frame);

    /// @return its object
    BgpTcpConnection& Get(BgpConnection which)
    {
        return m_connections[static_cast<uint32_t>(which)];
    }

    /// Close all connections, as if the peer had.
    void CloseConnections();

    /// Use a connection that the peer has made, or refuse it. @param socket its socket
    void UseConnection(Ptr<Socket> socket);

    /// Pass an event to the session, and perform the actions that it returns.
    void Handle(BgpConnection connection, const BgpSessionInput& input);

    /// Perform actions of the session. @param actions the actions
    void Perform(const BgpPeerActions& actions);

    void Perform(BgpConnection connection, const BgpSessionAction& action);

    void Send(BgpConnection connection, BgpMessageType type, const BgpBytes& message);

    void StartJittered(DeadlineTimer& timer, const Time& delay);

    /// Restart the send hold timer, because the peer has taken bytes (RFC 9687).
    void RestartSendHold(BgpConnection connection);

    /// End the session, because the peer has taken no bytes for too long.
    void ExpireSendHold();

    /// If the session waits to start or connect, end the waiting.
    void StartNow();

    /// Handle an OPEN.
    void TakeOpen(BgpConnection connection, const BgpFrame& frame);

    /// Handle an UPDATE.
    void TakeUpdate(BgpConnection connection, const BgpFrame& frame);

    /// Decode an UPDATE. Its errors are logged, and counted unless they end the session. @return
    /// the contents, and the faults
    BgpUpdateResult DecodeUpdate(const BgpFrame& frame, const BgpSessionTerms& terms);

    /// Get the changes of routes by an UPDATE, without those that no speaker may use. @return the
    /// changes, without martians; routes with wrong next hops are withdrawn
    BgpRouteChanges GetChanges(BgpUpdate update, const BgpSessionTerms& terms);

    /// Handle a ROUTE-REFRESH.
    void TakeRefresh(BgpConnection connection, const BgpFrame& frame);

    const BgpSpeakerContext& m_context;             //!< shared by all peers
    uint32_t m_number;                              //!< the peer's number
    BgpPeerSettings m_settings;                     //!< the peer's settings
    Ptr<Node> m_node;                               //!< the speaker's node, once opened
    BgpRib* m_rib{nullptr};                         //!< the speaker's routes, once opened
    std::unique_ptr<BgpPeerSession> m_session;      //!< once opened
    std::array<BgpTcpConnection, 2> m_connections;  //!< by BgpConnection
    BgpPeerTimers m_timers;                         //!< of both connections
    DeadlineTimer m_advertisement;                  //!< until the next UPDATE
    DeadlineTimer m_sendHold;                       //!< until the session ends: RFC 9687
    BgpSessionState m_state{BgpSessionState::IDLE}; //!< as it was traced last
    bool m_isWanted{true};                          //!< the session is to be up
    bool m_canRefresh{false};                       //!< the peer knows ROUTE-REFRESH
    BgpPeerLink m_link;                             //!< to the peer
    Ipv4Address m_localAddress;                     //!< the speaker's, for this peer
    BgpTcpSettings m_tcp;                           //!< how sockets are set up
    BgpSpeakerStatistics m_statistics;              //!< counters of the session
    BgpPeerRestart m_restart;                       //!< of the peer
    BgpSecondConnection m_second;                   //!< of the peer, beside the established one
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_PEER_H

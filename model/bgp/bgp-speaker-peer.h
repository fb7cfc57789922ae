// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_SPEAKER_PEER_H
#define AIDC_BGP_SPEAKER_PEER_H

#include "../core/bgp/bgp-open.h"
#include "../core/bgp/bgp-peer-session.h"
#include "../deadline-timer.h"
#include "bgp-link.h"
#include "bgp-peer-settings.h"
#include "bgp-speaker-settings.h"
#include "bgp-speaker-statistics.h"
#include "bgp-tcp-connection.h"

#include "ns3/bgp-message.h"
#include "ns3/bgp-rib.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace ns3::aidc
{

/// The things that all peers of a BgpSpeaker share: its settings, and its callbacks and traces.
struct BgpSpeakerContext
{
    const BgpSpeakerSettings& settings;       //!< of the speaker
    std::function<double(double)> drawJitter; //!< draws a factor, between the argument and 1
    std::function<void()> scheduleDecision;   //!< schedules a decision on routes
    /// The state of a session has changed
    TracedCallback<uint32_t, BgpSessionState, BgpSessionState>& stateTrace;
    TracedCallback<uint32_t, BgpMessageType, const BgpBytes&>& sentTrace;      //!< messages
    TracedCallback<uint32_t, BgpMessageType, const BgpBytes&>& receivedTrace;  //!< messages
    TracedCallback<uint32_t, bool, const BgpNotification&>& notificationTrace; //!< why sessions end
    std::function<void()> checkRestart{}; //!< a peer that is waited for after a restart may be up
    bool isDeferring{false}; //!< after a restart, routes are not chosen yet (RFC 4724, section 4.1)
};

/// A peer of a BgpSpeaker: the sockets, timers and messages of its session.
///
/// It carries out the actions of BgpPeerSession. Routes that arrive go into the speaker's BgpRib,
/// by the peer's number. Changes that the BgpRib has for the peer are sent when the peer can take
/// them.
///
/// Routes whose session is lost become stale, if the session has agreed on it (RFC 4724,
/// section 4.2; RFC 8538). They go when they are replaced or withdrawn, at End-of-RIB, when the
/// peer's restart time or the speaker's stale time is over, when the new OPEN says that the peer
/// has not kept its forwarding table, at the next loss, or when the link goes down.
///
/// A connection that the peer makes while its session is up is held until an OPEN has come, which
/// shows that the peer is not just connecting but has restarted (RFC 4724, section 5). The newest
/// one is held.
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

    /// @return whether a restarted speaker waits for the peer's routes (RFC 4724, section 4.1): the
    ///         session is wanted and its link is up, and End-of-RIB has not come but will, as the
    ///         peer has agreed and is not restarting, too
    bool IsAwaited() const;

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

    /// Set the bandwidth of the link to the peer, not negative.
    void SetLinkBandwidth(double bytesPerSecond)
    {
        m_settings.linkBandwidth = bytesPerSecond;
    }

    /// Set whether the session is to be up.
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
    /// The number of timers of a connection.
    static constexpr auto N_TIMERS = static_cast<std::size_t>(BgpSessionTimer::N_TIMERS);

    /// Make a connection whose events and messages are handled.
    BgpTcpConnection MakeConnection(BgpConnection which);

    void TakeEvent(BgpConnection which, BgpTcpEvent event);

    void TakeFrame(BgpConnection connection, const BgpFrame& frame);

    BgpTcpConnection& Get(BgpConnection which)
    {
        return m_connections[static_cast<uint32_t>(which)];
    }

    DeadlineTimer& GetTimer(BgpConnection which, BgpSessionTimer timer)
    {
        return m_timers[static_cast<std::size_t>(which) * N_TIMERS +
                        static_cast<std::size_t>(timer)];
    }

    /// Hold a connection that the peer makes while its session is up.
    void Hold(Ptr<Socket> socket);

    /// Bytes have come on the held connection.
    void ReadHeld(Ptr<Socket> socket);

    /// Close the held connection, if the socket belongs to it.
    void CloseHeld(Ptr<Socket> socket);

    /// The session has come up. @param terms its terms
    void SetUp(const BgpRestartTerms& terms);

    /// The session has gone down: remove its routes, or make them stale.
    void SetDown(const BgpRestartTerms& terms, bool retains);

    void RemoveStale();

    /// Get the OPEN to the peer. @return it, with the bits R and F of graceful restart
    BgpOpen MakeOpen(const BgpSessionFsm& machine) const;

    void CloseConnections();

    /// Use a connection that the peer has made, or refuse it. @param socket its socket
    void UseConnection(Ptr<Socket> socket);

    /// Pass an event to the session, and perform the actions that it returns.
    void Handle(BgpConnection connection, const BgpSessionInput& input);

    void Perform(const BgpPeerActions& actions);

    void Perform(BgpConnection connection, const BgpSessionAction& action);

    void Send(BgpConnection connection, BgpMessageType type, const BgpBytes& message);

    void StartJittered(DeadlineTimer& timer, const Time& delay);

    /// Restart the send hold timer, because the peer has taken bytes (RFC 9687).
    void RestartSendHold(BgpConnection connection);

    /// End the session, because the peer has taken no bytes for too long.
    void ExpireSendHold();

    /// If the session waits to start or connect, end the wait.
    void StartNow();

    void TakeUpdate(BgpConnection connection, const BgpFrame& frame);

    /// Decode an UPDATE. Its errors are logged, and counted unless they end the session.
    BgpUpdateResult DecodeUpdate(const BgpFrame& frame, const BgpSessionTerms& terms);

    /// @return the changes by an UPDATE, no martians; routes with wrong next hops are withdrawn
    BgpRouteChanges GetChanges(BgpUpdate update, const BgpSessionTerms& terms);

    const BgpSpeakerContext& m_context;             //!< shared by all peers
    uint32_t m_number;                              //!< the peer's number
    BgpPeerSettings m_settings;                     //!< the peer's settings
    Ptr<Node> m_node;                               //!< the speaker's node, once opened
    Ptr<Ipv4> m_ipv4;                               //!< the node's
    BgpRib* m_rib{nullptr};                         //!< the speaker's routes, once opened
    std::unique_ptr<BgpPeerSession> m_session;      //!< once opened
    std::array<BgpTcpConnection, 2> m_connections;  //!< by BgpConnection
    std::deque<DeadlineTimer> m_timers;             //!< by connection and BgpSessionTimer
    DeadlineTimer m_advertisement;                  //!< until the next UPDATE
    DeadlineTimer m_sendHold;                       //!< until the session ends: RFC 9687
    BgpSessionState m_state{BgpSessionState::IDLE}; //!< as it was traced last
    bool m_isWanted{true};                          //!< the session is to be up
    bool m_canRefresh{false};                       //!< the peer knows ROUTE-REFRESH
    BgpPeerLink m_link;                             //!< to the peer
    Ipv4Address m_localAddress;                     //!< the speaker's, for this peer
    BgpTcpSettings m_tcp;                           //!< how sockets are set up
    BgpSpeakerStatistics m_statistics;              //!< counters of the session
    DeadlineTimer m_restart;                        //!< the peer's restart time
    DeadlineTimer m_stale;                          //!< the speaker's bound of stale routes
    bool m_owesEndOfRib{false};                     //!< it has to be sent
    bool m_hasEndOfRib{false};                      //!< it has come in this session
    Ptr<Socket> m_held;                             //!< made in addition to the established one
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_PEER_H

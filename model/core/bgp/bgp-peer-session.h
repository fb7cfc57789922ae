// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_PEER_SESSION_H
#define AIDC_BGP_PEER_SESSION_H

#include "bgp-session-fsm.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/// @file
/// The two connections with a peer. One of them is kept (RFC 4271, sections 6.8 and 8.2.1).

namespace ns3::aidc
{

/// The two connections that there may be between two speakers.
enum class BgpConnection : uint8_t
{
    OUTGOING, //!< made by this speaker
    INCOMING  //!< made by the peer
};

/// An action to perform on a connection.
struct BgpPeerAction
{
    BgpConnection connection{BgpConnection::OUTGOING}; //!< the connection, and the owner of timers
    BgpSessionAction action;                           //!< the action
};

/// Actions, in the order in which they are done.
using BgpPeerActions = std::vector<BgpPeerAction>;

/// The session with a peer: a state machine for each of two connections, and the resolution
/// of their collision.
///
/// As soon as an OPEN has arrived on both connections, the one made by the speaker with the larger
/// BGP identifier is kept (section 6.8), or with the larger AS if the identifiers are equal (RFC
/// 6286, section 2.3). But an established connection is always kept, and no other is accepted then.
///
/// The state machine of the outgoing connection is the one that starts and restarts. While it waits
/// to restart, connections of the peer are accepted. By RFC 4271, a speaker in Idle refuses them,
/// so that two speakers that restart would refuse each other.
class BgpPeerSession
{
  public:
    /// Constructor. @param settings the settings; sessions may share it
    /// @throws std::invalid_argument if the hold time is 1 or 2 s
    explicit BgpPeerSession(const std::shared_ptr<const BgpSessionSettings>& settings);

    /// Start the session, if it is not started. @param [in,out] actions actions are appended
    void Start(BgpPeerActions& actions);

    /// Stop the session until it is started again. notification: sent to the peer; without code:
    /// administrative shutdown; actions: the actions to perform are appended.
    void Stop(const BgpNotification& notification, BgpPeerActions& actions);

    /// Reset the session, which restarts after the idle hold time. notification: sent to the peer;
    /// without code: unspecific cease; actions: the actions to perform are appended.
    void Reset(const BgpNotification& notification, BgpPeerActions& actions);

    /// Tell whether an established connection gives way to another one of the peer, once an OPEN
    /// has arrived on it: the peer has restarted (RFC 4724, section 5).
    /// @return whether it does, because graceful restart is agreed on
    bool GivesWay() const;

    /// Make room for a connection that the peer has made.
    ///
    /// If it is accepted and the actions are done, TCP_CONFIRMED is the first event of the new
    /// incoming connection. If GivesWay(), this is to be called when the OPEN has arrived; it ends
    /// the established connection without a NOTIFICATION.
    /// @param [in,out] actions the actions to perform before, on an older connection of the peer
    /// @return false if it must be closed
    bool Accept(BgpPeerActions& actions);

    /// Handle an event of a connection or of its timers. input: the event, which neither starts nor
    /// stops the session; actions: the actions to perform are appended.
    void Handle(BgpConnection connection, const BgpSessionInput& input, BgpPeerActions& actions);

    /// Get the state of a connection. @return its machine
    const BgpSessionFsm& Get(BgpConnection connection) const
    {
        return m_machines[static_cast<std::size_t>(connection)];
    }

    /// @return the state of the most advanced connection
    BgpSessionState GetState() const;

    /// @return the connection on which routes are exchanged, if the session is up
    std::optional<BgpConnection> GetEstablished() const;

  private:
    /// Give an event to one machine only. actions: the actions to perform are appended.
    void Pass(BgpConnection connection, const BgpSessionInput& input, BgpPeerActions& actions);

    /// Resolve the collision that an OPEN may cause. @return whether the connection is kept
    bool Resolve(BgpConnection connection, const BgpOpen& open, BgpPeerActions& actions);

    /// After an event, end connections that are not needed, and let the session restart.
    void TidyUp(BgpPeerActions& actions);

    std::array<BgpSessionFsm, 2> m_machines; //!< by BgpConnection
    bool m_isStarted{false};                 //!< the user wants the session
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_SESSION_H

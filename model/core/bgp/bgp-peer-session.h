/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PEER_SESSION_H
#define AIDC_BGP_PEER_SESSION_H

#include "bgp-session-fsm.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief The connections to a peer, of which one is kept (RFC 4271, sections 6.8 and 8.2.1).
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The two connections that there may be between two speakers.
enum class BgpConnection : uint8_t
{
    OUTGOING, //!< made by this speaker
    INCOMING  //!< made by the peer
};

/// @ingroup aidc
/// @brief What is to be done with a connection.
struct BgpPeerAction
{
    BgpConnection connection{BgpConnection::OUTGOING}; //!< which one, and whose timers
    BgpSessionAction action;                           //!< what
};

/// Actions, in the order in which they are done.
using BgpPeerActions = std::vector<BgpPeerAction>;

/**
 * @ingroup aidc
 * @brief The session with a peer: a state machine for each of both connections, and what becomes
 *        of them when they collide.
 *
 * The connection that the speaker of the larger BGP identifier has made is kept (section 6.8), or
 * that of the larger AS if both are equal (RFC 6286, section 2.3), as soon as an OPEN has come on
 * both; but one that is established stays. With an established one, no other is accepted.
 *
 * The state machine of the outgoing connection is the one that starts and restarts. While it waits
 * to restart, connections of the peer are taken: in Idle, RFC 4271 has two speakers that restart
 * refuse each other.
 */
class BgpPeerSession
{
  public:
    /// Constructor.
    /// @param settings the settings; sessions may share it
    /// @throws std::invalid_argument if the hold time is 1 or 2 s
    explicit BgpPeerSession(const std::shared_ptr<const BgpSessionSettings>& settings);

    /// Start the session, if it is not. @param [in,out] actions the actions to take are appended
    void Start(BgpPeerActions& actions);

    /// Stop the session until it is started again.
    /// @param notification what the peer is told; without code: administrative shutdown
    /// @param [in,out] actions the actions to take are appended
    void Stop(const BgpNotification& notification, BgpPeerActions& actions);

    /// Reset the session, which starts again after the idle hold time.
    /// @param notification what the peer is told; without code: unspecific cease
    /// @param [in,out] actions the actions to take are appended
    void Reset(const BgpNotification& notification, BgpPeerActions& actions);

    /**
     * @brief Make room for a connection that the peer has made.
     *
     * If it is accepted and the actions are done, TCP_CONFIRMED is the first event of the new
     * incoming connection.
     *
     * @param [in,out] actions what is to be done before, with an older one of the peer
     * @return false if it must be closed
     */
    bool Accept(BgpPeerActions& actions);

    /// Take an event of a connection or of its timers.
    /// @param connection which one
    /// @param input the event; none that starts or stops
    /// @param [in,out] actions the actions to take are appended
    void Handle(BgpConnection connection, const BgpSessionInput& input, BgpPeerActions& actions);

    /// Get the state of a connection.
    /// @param connection which one
    /// @return its machine
    const BgpSessionFsm& Get(BgpConnection connection) const
    {
        return m_machines[static_cast<std::size_t>(connection)];
    }

    /// @return the state of the connection that is further
    BgpSessionState GetState() const;

    /// @return the connection that routes are exchanged on, if the session is up
    std::optional<BgpConnection> GetEstablished() const;

  private:
    /// Give an event to a machine, whatever it does to the other one.
    /// @param connection which one
    /// @param input the event
    /// @param [in,out] actions the actions to take are appended
    void Pass(BgpConnection connection, const BgpSessionInput& input, BgpPeerActions& actions);

    /// Resolve the collision that an OPEN brings about, if it does.
    /// @param connection where it has come
    /// @param open the OPEN
    /// @param [in,out] actions the actions to take are appended
    /// @return whether the connection is kept
    bool Resolve(BgpConnection connection, const BgpOpen& open, BgpPeerActions& actions);

    /// After an event: end what is not needed, and see to it that the session starts again.
    /// @param [in,out] actions the actions to take are appended
    void TidyUp(BgpPeerActions& actions);

    std::array<BgpSessionFsm, 2> m_machines; //!< by BgpConnection
    bool m_isStarted{false};                 //!< the user wants the session
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_SESSION_H

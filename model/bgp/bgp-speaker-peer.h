/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SPEAKER_PEER_H
#define AIDC_BGP_SPEAKER_PEER_H

#include "bgp-peer-settings.h"
#include "bgp-speaker-statistics.h"
#include "bgp-tcp-connection.h"

#include "ns3/bgp-peer-session.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What a BgpSpeaker has of a peer.
 */
struct BgpSpeakerPeer
{
    /// A timer that is started again far more often than it expires: its event is left where it
    /// is, and goes on to the deadline when it comes up.
    struct Timer
    {
        int64_t deadline{-1}; //!< time steps, -1: does not run
        EventId event;        //!< at the deadline or before
    };

    /// The number of timers of a connection.
    static constexpr uint32_t N_TIMERS = static_cast<uint32_t>(BgpSessionTimer::N_TIMERS);

    /// The number of the timer until the next UPDATE, behind those of both connections.
    static constexpr uint32_t ADVERTISEMENT = 2 * N_TIMERS;

    /// The number of the timer until the established connection ends, as the peer takes nothing.
    static constexpr uint32_t SEND_HOLD = ADVERTISEMENT + 1;

    /**
     * @brief Constructor.
     * @param user who is told of connections
     * @param number the peer's number
     * @param known what is known of it
     */
    BgpSpeakerPeer(BgpTcpConnectionUser& user, uint32_t number, const BgpPeerSettings& known)
        : settings(known),
          connections{BgpTcpConnection(user, 2 * number), BgpTcpConnection(user, 2 * number + 1)}
    {
    }

    /**
     * @brief Get a connection.
     * @param which which one
     * @return the connection
     */
    BgpTcpConnection& Get(BgpConnection which)
    {
        return connections[static_cast<std::size_t>(which)];
    }

    BgpPeerSettings settings;                     //!< what is known of it
    std::unique_ptr<BgpPeerSession> session;      //!< from initialization on
    std::array<BgpTcpConnection, 2> connections;  //!< by BgpConnection
    std::array<Timer, SEND_HOLD + 1> timers;      //!< by BgpConnection and BgpSessionTimer
    BgpSessionState state{BgpSessionState::IDLE}; //!< as it was traced last
    int32_t interface{-1};           //!< of the network that it is on, -1 if there is none
    bool isWanted{true};             //!< its session is to be up
    bool isLinkUp{true};             //!< that interface and its link are up
    bool canRefresh{false};          //!< it knows ROUTE-REFRESH
    Ipv4Address localAddress;        //!< the speaker's, for this peer
    BgpTcpSettings tcp;              //!< how its sockets are set up
    BgpSpeakerStatistics statistics; //!< what has happened
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_PEER_H

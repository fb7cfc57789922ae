// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_SPEAKER_SETTINGS_H
#define AIDC_BGP_SPEAKER_SETTINGS_H

#include "../core/bgp/bgp-session-fsm.h"
#include "bgp-peer-settings.h"
#include "bgp-tcp-connection.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// How a BGP speaker restarts, and lets others restart and shut down.
struct BgpGracefulSettings
{
    bool offersRestart{false};  //!< graceful restart is offered (RFC 4724, RFC 8538)
    Time restartTime;           //!< offered: until sessions are back
    Time staleTime;             //!< the longest time that a peer's stale routes stay
    Time deferralTime;          //!< the longest wait for End-of-RIB after a restart of the speaker
    bool acceptsShutdown{true}; //!< routes with its community are the last choice (RFC 8326)
};

/// The attributes of a BgpSpeaker that hold for all of its sessions.
struct BgpSpeakerSettings
{
    uint32_t as{0};                  //!< the speaker's AS
    Ipv4Address routerId;            //!< its BGP identifier
    Time holdTime;                   //!< offered in OPEN
    Time sendHoldTime;               //!< the longest time in which a peer takes no bytes
    Time keepaliveTime;              //!< the longest time between KEEPALIVEs
    Time connectRetryTime;           //!< between attempts
    Time idleHoldTime;               //!< between an error and the next start
    Time advertisementInterval;      //!< between UPDATEs to a peer
    uint8_t pathBandwidthSubtype{0}; //!< low octet of the type of path bandwidths
    uint8_t dscp{0};                 //!< of all segments
    uint16_t port{0};                //!< of all speakers
    uint32_t tcpBufferSize{0};       //!< of sockets, bytes
    BgpGracefulSettings graceful;    //!< of restarts and shutdowns

    /// Check a hold time. @throws std::invalid_argument if a speaker may not offer it
    static void CheckHoldTime(const Time& time);

    /// Check the settings, and find the largest address of a node if no BGP identifier is set. The
    /// program ends if they are wrong.
    void Complete(Ptr<Ipv4> ipv4);

    /// Get the longest time in which a peer may take no bytes (RFC 9687, section 4.2).
    /// @param agreed the hold time that both sides have agreed on, in seconds
    /// @return the time, 0: forever
    Time GetSendHoldTime(int64_t agreed) const;

    /// Get the settings of the state machines of a session.
    std::shared_ptr<const BgpSessionSettings> MakeSession(const BgpPeerSettings& peer) const;

    /// Get the settings of listening sockets. @return the settings, with the largest segments
    BgpTcpSettings MakeTcp() const;

    /// Get the settings of the sockets of a session. mtu: of the interface to the peer, 0: not
    /// known.
    BgpTcpSettings MakeTcp(const BgpPeerSettings& peer, uint32_t mtu) const;
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_SETTINGS_H

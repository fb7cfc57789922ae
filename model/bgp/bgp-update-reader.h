/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_UPDATE_READER_H
#define AIDC_BGP_UPDATE_READER_H

#include "../core/bgp/bgp-framer.h"
#include "../core/bgp/bgp-session-terms.h"
#include "bgp-peer-link.h"
#include "bgp-peer-settings.h"
#include "bgp-speaker-settings.h"
#include "bgp-speaker-statistics.h"

#include "ns3/bgp-rib.h"
#include "ns3/ipv4.h"
#include "ns3/ptr.h"

namespace ns3::aidc
{

/// Reads the UPDATEs of a peer: it logs and counts their errors, and leaves out routes that no
/// speaker may use.
class BgpUpdateReader
{
  public:
    /// Constructor. All arguments outlive it. statistics: the counters of the session.
    BgpUpdateReader(const BgpPeerSettings& peer,
                    const BgpPeerLink& link,
                    const BgpSpeakerSettings& settings,
                    BgpSpeakerStatistics& statistics);

    /// Set the node. isOnLink: whether the peer has to be on the link.
    void Open(Ptr<Ipv4> ipv4, bool isOnLink);

    /// Release the node at the end of the simulation.
    void Dispose();

    /// Decode an UPDATE. Its errors are logged, and counted unless they end the session. frame: the
    /// message. @return the contents, and the faults
    BgpUpdateResult Decode(const BgpFrame& frame, const BgpSessionTerms& terms);

    /// Get the changes of routes. result: what Decode() has returned. @return the changes, without
    /// martians; routes with wrong next hops are withdrawn
    BgpRouteChanges GetChanges(BgpUpdateResult result, const BgpSessionTerms& terms);

  private:
    /// Treat a route as withdrawn if its next hop is an address of this node, or if it is from an
    /// external peer on the link and its next hop is not on the link (RFC 4271, section 6.3).
    void WithdrawWrongNextHops(BgpRouteChanges& changes, bool isExternal);

    const BgpPeerSettings& m_peer;        //!< the peer's settings
    const BgpPeerLink& m_link;            //!< the link to the peer
    const BgpSpeakerSettings& m_settings; //!< the speaker's settings
    BgpSpeakerStatistics& m_statistics;   //!< counters of the session
    Ptr<Ipv4> m_ipv4;                     //!< the node's IPv4, once opened
    bool m_isOnLink{false};               //!< the peer has to be on the link
};

} // namespace ns3::aidc

#endif // AIDC_BGP_UPDATE_READER_H

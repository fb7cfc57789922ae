/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PEER_RESTART_H
#define AIDC_BGP_PEER_RESTART_H

#include "../core/bgp/bgp-open.h"
#include "ns3/bgp-message.h"
#include "../deadline-timer.h"
#include "bgp-speaker-context.h"
#include "bgp-speaker-statistics.h"

#include "ns3/bgp-rib.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The restart of a peer as its neighbor sees it (RFC 4724, section 4.2; RFC 8538), and
 *        End-of-RIB in both directions.
 *
 * Routes whose session is lost become stale, if the session has agreed on it. They go when they are
 * replaced or withdrawn, at End-of-RIB, when the peer's restart time or the own stale time is over,
 * when the new OPEN says that the peer has not kept its forwarding table, at the next loss, or when
 * the link goes down.
 */
class BgpPeerRestart
{
  public:
    /// Constructor. context: shared by all peers, outlives it; statistics: the counters of the
    /// session, which outlive it.
    BgpPeerRestart(const BgpSpeakerContext& context,
                   uint32_t peer,
                   BgpSpeakerStatistics& statistics);

    /// Set the routes. @param rib the speaker's routes, which outlive it
    void Open(BgpRib& rib)
    {
        m_rib = &rib;
    }

    /// Stop the timers, and cancel their events.
    void Dispose();

    /// Set the bits R and F of an OPEN to the peer. @param [in,out] open the OPEN
    void Mark(BgpOpen& open) const;

    /// The session has come up. @param terms its terms
    void SetUp(const BgpRestartTerms& terms);

    /// The session has gone down: remove its routes, or make them stale. retains: whether routes
    /// are kept.
    void SetDown(const BgpRestartTerms& terms, bool retains);

    /// Remove the routes that are stale.
    void RemoveStale();

    /// End-of-RIB has come from the peer.
    void TakeEndOfRib();

    /// Tell whether End-of-RIB has to be sent, once the peer has been sent all routes.
    /// @return whether it has, and if so, not again
    bool TakeOwedEndOfRib();

    /// @return whether TakeOwedEndOfRib() says so
    bool OwesEndOfRib() const
    {
        return m_owesEndOfRib;
    }

    /// Tell whether a restarted speaker waits for the routes of the peer (section 4.1).
    /// @return false if End-of-RIB has come, or will not: the peer restarts, too, or has not agreed
    bool IsAwaited() const;

  private:
    const BgpSpeakerContext& m_context; //!< shared by all peers
    uint32_t m_peer;                    //!< the peer's number
    BgpSpeakerStatistics& m_statistics; //!< counters of the session
    BgpRib* m_rib{nullptr};             //!< the speaker's routes, once opened
    DeadlineTimer m_restart;            //!< the peer's restart time, until the session is up
    DeadlineTimer m_stale;              //!< the own bound
    BgpRestartTerms m_terms;            //!< of the session that is up
    bool m_isUp{false};                 //!< the session is up
    bool m_wasUp{false};                //!< it has been up before
    bool m_owesEndOfRib{false};         //!< it has to be sent
    bool m_hasEndOfRib{false};          //!< it has come in this session
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_RESTART_H

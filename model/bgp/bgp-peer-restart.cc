/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-peer-restart.h"

#include "ns3/log.h"
#include "ns3/nstime.h"

#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpPeerRestart");

BgpPeerRestart::BgpPeerRestart(const BgpSpeakerContext& context,
                               uint32_t peer,
                               BgpSpeakerStatistics& statistics)
    : m_context(context),
      m_peer(peer),
      m_statistics(statistics),
      m_restart([this] { RemoveStale(); }),
      m_stale([this] { RemoveStale(); })
{
}

void
BgpPeerRestart::Dispose()
{
    m_restart.Cancel();
    m_stale.Cancel();
}

void
BgpPeerRestart::Mark(BgpOpen& open) const
{
    auto& restart = open.capabilities.gracefulRestart;
    if (!restart)
    {
        return;
    }
    restart->isRestarting = m_context.isDeferring;
    for (BgpRestartFamily& entry : restart->families)
    {
        // The node's table has not been lost since.
        entry.isForwardingKept = restart->isRestarting || m_wasUp;
    }
}

void
BgpPeerRestart::SetUp(const BgpRestartTerms& terms)
{
    m_terms = terms;
    m_isUp = true;
    m_wasUp = true;
    m_hasEndOfRib = false;
    m_owesEndOfRib = m_context.settings.graceful.offersRestart;
    m_restart.Stop();
    if (!terms.isAgreed || !terms.isForwardingKept)
    {
        RemoveStale();
    }
    m_context.checkRestart();
}

void
BgpPeerRestart::SetDown(const BgpRestartTerms& terms, bool retains)
{
    m_isUp = false;
    m_owesEndOfRib = false;
    m_rib->SetDown(m_peer, retains);
    m_restart.Stop();
    m_stale.Stop();
    const uint32_t nStale = m_rib->CountStale(m_peer);
    if (nStale > 0)
    {
        NS_LOG_INFO("peer " << m_peer << ": " << nStale << " routes are stale");
        m_statistics.staleRoutes += nStale;
        m_restart.Start(Seconds(terms.restartTime));
        m_stale.Start(m_context.settings.graceful.staleTime);
    }
}

void
BgpPeerRestart::RemoveStale()
{
    m_restart.Stop();
    m_stale.Stop();
    const uint32_t nStale = m_rib->CountStale(m_peer);
    if (nStale > 0)
    {
        NS_LOG_INFO("peer " << m_peer << ": " << nStale << " stale routes are removed");
        m_statistics.staleRemoved += nStale;
        m_rib->RemoveStale(m_peer);
        m_context.scheduleDecision();
    }
}

void
BgpPeerRestart::TakeEndOfRib()
{
    ++m_statistics.endsOfRib;
    m_hasEndOfRib = true;
    RemoveStale();
    m_context.checkRestart();
}

bool
BgpPeerRestart::TakeOwedEndOfRib()
{
    return std::exchange(m_owesEndOfRib, false);
}

bool
BgpPeerRestart::IsAwaited() const
{
    return !m_isUp || (m_terms.isAgreed && !m_terms.isPeerRestarting && !m_hasEndOfRib);
}

} // namespace ns3::aidc

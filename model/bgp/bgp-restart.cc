/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-restart.h"

#include "bgp-decision-process.h"
#include "bgp-peer-table.h"
#include "bgp-speaker-context.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpRestart");

BgpRestart::BgpRestart(BgpSpeakerContext& context,
                       const BgpPeerTable& peers,
                       BgpDecisionProcess& process,
                       std::function<void(bool)> setRunning)
    : m_context(context),
      m_peers(peers),
      m_process(process),
      m_setRunning(std::move(setRunning)),
      m_deferral([this] { Select(); })
{
}

void
BgpRestart::Begin(const Time& outage)
{
    NS_LOG_FUNCTION(this << outage);
    m_return.Cancel();
    m_deferral.Stop();
    m_setRunning(false);
    m_context.isDeferring = m_context.settings.graceful.offersRestart;
    m_process.SetHeld(m_context.isDeferring);
    for (const auto& peer : m_peers.GetAll())
    {
        peer->Crash();
    }
    m_return = Simulator::Schedule(outage, &BgpRestart::Return, this);
}

void
BgpRestart::Return()
{
    NS_LOG_FUNCTION(this);
    m_setRunning(true);
    if (m_context.isDeferring)
    {
        m_deferral.Start(m_context.settings.graceful.deferralTime);
        Check();
    }
}

void
BgpRestart::Check()
{
    const auto& peers = m_peers.GetAll();
    if (m_context.isDeferring && m_deferral.IsRunning() &&
        std::none_of(peers.begin(), peers.end(), [](const auto& peer) {
            return peer->IsAwaited();
        }))
    {
        Select();
    }
}

void
BgpRestart::Select()
{
    NS_LOG_INFO("after its restart, the speaker chooses routes");
    m_deferral.Stop();
    m_context.isDeferring = false;
    m_process.SetHeld(false);
}

void
BgpRestart::Cancel()
{
    m_return.Cancel();
    m_deferral.Cancel();
    m_context.isDeferring = false;
    m_process.SetHeld(false);
}

} // namespace ns3::aidc

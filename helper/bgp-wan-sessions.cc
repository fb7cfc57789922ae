/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-wan-sessions.h"

#include "../model/core/require-argument.h"
#include "bgp-speaker-factory.h"

#include "ns3/bgp-peer-settings.h"
#include "ns3/bgp-rib.h"
#include "ns3/ipv4.h"
#include "ns3/rank-gather.h"

#include <algorithm>

namespace ns3::aidc
{

void
BgpWanSessions::Connect(End a, End b, bool exchangesNonTransitive)
{
    const uint32_t first = m_first + 2 * static_cast<uint32_t>(m_sessions.size());
    AIDC_REFUSED_IF(first >= m_end,
                    "BgpWanHelper: expected at most " << (m_end - m_first) / 2
                                                      << " border links and tunnels");
    const auto add = [&](End& end, const End& other, uint32_t own, uint32_t peer) {
        if (!end.speaker)
        {
            return;
        }
        BgpSpeakerFactory::AddLinkAddress(end.node->GetObject<Ipv4>(),
                                          end.interface,
                                          Ipv4Address(own));
        BgpPeerSettings settings;
        settings.address = Ipv4Address(peer);
        settings.localAddress = Ipv4Address(own);
        settings.as = other.as;
        settings.tier = other.tier;
        settings.linkBandwidth = end.bandwidth;
        settings.exchangesNonTransitive = exchangesNonTransitive;
        settings.isPassive = &end == &b;
        settings.importPolicy = end.importPolicy;
        settings.exportPolicy = end.exportPolicy;
        end.peer = end.speaker->AddPeer(settings);
    };
    add(a, b, first, first + 1);
    add(b, a, first + 1, first);
    m_sessions.push_back({a, b});
}

std::vector<BgpWanSessions::EndState>
BgpWanSessions::GatherStates() const
{
    std::vector<EndState> own;
    for (uint32_t session = 0; session < m_sessions.size(); ++session)
    {
        for (const End& end : m_sessions[session])
        {
            if (!end.speaker)
            {
                continue;
            }
            const auto ipv4 = end.node->GetObject<Ipv4>();
            own.push_back(
                {session,
                 ipv4->IsUp(end.interface) && ipv4->GetNetDevice(end.interface)->IsLinkUp(),
                 end.speaker->GetSessionState(end.peer) == BgpSessionState::ESTABLISHED,
                 !end.speaker->GetRib().HasChanges(end.peer)});
        }
    }
    return GatherItems(own);
}

bool
BgpWanSessions::AreSettled() const
{
    const auto states = GatherStates();
    std::vector<bool> areUp(m_sessions.size(), true);
    for (const auto& state : states)
    {
        areUp[state.session] = areUp[state.session] && state.isUp;
    }
    return std::all_of(states.begin(), states.end(), [&areUp](const EndState& state) {
        return areUp[state.session] ? state.isEstablished && state.isDone : !state.isEstablished;
    });
}

} // namespace ns3::aidc

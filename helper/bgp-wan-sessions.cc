/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-wan-sessions.h"

#include "bgp-speaker-factory.h"

#include "ns3/abort.h"
#include "ns3/bgp-peer-settings.h"
#include "ns3/bgp-rib.h"
#include "ns3/ipv4.h"

#include <algorithm>

namespace ns3::aidc
{

void
BgpWanSessions::Connect(End a, End b, bool exchangesNonTransitive)
{
    const uint32_t first = m_first + 2 * static_cast<uint32_t>(m_sessions.size());
    NS_ABORT_MSG_IF(first >= m_end,
                    "BgpWanHelper: expected at most " << (m_end - m_first) / 2
                                                      << " border links and tunnels");
    const auto add = [&](End& end, const End& other, uint32_t own, uint32_t peer) {
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

bool
BgpWanSessions::AreSettled() const
{
    const auto isSettled = [](const std::array<End, 2>& ends) {
        const bool isUp = std::all_of(ends.begin(), ends.end(), [](const End& end) {
            const auto ipv4 = end.node->GetObject<Ipv4>();
            return ipv4->IsUp(end.interface) && ipv4->GetNetDevice(end.interface)->IsLinkUp();
        });
        return std::all_of(ends.begin(), ends.end(), [isUp](const End& end) {
            const auto state = end.speaker->GetSessionState(end.peer);
            return isUp ? state == BgpSessionState::ESTABLISHED &&
                              !end.speaker->GetRib().HasChanges(end.peer)
                        : state != BgpSessionState::ESTABLISHED;
        });
    };
    return std::all_of(m_sessions.begin(), m_sessions.end(), isSettled);
}

} // namespace ns3::aidc

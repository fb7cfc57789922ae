/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-peer.h"
#include "bgp-speaker.h"

#include "ns3/abort.h"
#include "ns3/bgp-update-packer.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Routes: decisions, the node's routing, what peers are told.

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeakerRoutes");

void
BgpSpeaker::SetLinkBandwidth(uint32_t peer, double bytesPerSecond)
{
    NS_ABORT_MSG_UNLESS(std::isfinite(bytesPerSecond) && bytesPerSecond >= 0,
                        "BgpSpeaker: expected a bandwidth that is not negative, found "
                            << bytesPerSecond);
    m_peers.at(peer)->settings.linkBandwidth = bytesPerSecond;
    if (m_rib)
    {
        RunAtNode([this, peer, bytesPerSecond] {
            m_rib->SetLinkBandwidth(peer, bytesPerSecond);
            ScheduleDecision();
        });
    }
}

void
BgpSpeaker::Originate(Ipv4Address network, Ipv4Mask mask)
{
    Originate(network, mask, BgpPathAttributes());
}

/**
 * @brief Make a prefix of a network.
 * @param network the network
 * @param mask its mask
 * @return the prefix
 */
static BgpPrefix
MakePrefix(Ipv4Address network, Ipv4Mask mask)
{
    NS_ABORT_MSG_IF((network.Get() & ~mask.Get()) != 0,
                    "BgpSpeaker: " << network << " has bits beyond its mask " << mask);
    return MakeBgpPrefix(network.Get(), static_cast<uint8_t>(mask.GetPrefixLength()));
}

void
BgpSpeaker::Originate(Ipv4Address network, Ipv4Mask mask, const BgpPathAttributes& attributes)
{
    const BgpPrefix prefix = MakePrefix(network, mask);
    if (!m_rib)
    {
        m_origins[prefix] = attributes;
        return;
    }
    RunAtNode([this, prefix, attributes] {
        m_rib->Originate(prefix, attributes);
        ScheduleDecision();
    });
}

void
BgpSpeaker::Withdraw(Ipv4Address network, Ipv4Mask mask)
{
    const BgpPrefix prefix = MakePrefix(network, mask);
    if (!m_rib)
    {
        m_origins.erase(prefix);
        return;
    }
    RunAtNode([this, prefix] {
        m_rib->Withdraw(prefix);
        ScheduleDecision();
    });
}

void
BgpSpeaker::ScheduleDecision()
{
    if (m_decision.IsExpired())
    {
        m_decision = Simulator::Schedule(m_decisionDelay, &BgpSpeaker::Decide, this);
    }
}

void
BgpSpeaker::Decide()
{
    m_rib->Decide();
    InstallRoutes(m_rib->TakeUsedChanges());
    for (uint32_t number = 0; number < m_peers.size(); ++number)
    {
        Advertise(number);
    }
}

void
BgpSpeaker::InstallRoutes(const std::vector<BgpPrefix>& prefixes)
{
    std::vector<RouteUpdate> updates;
    m_isInstalling = true;
    for (const BgpPrefix& prefix : prefixes)
    {
        const std::vector<BgpRibPath>& paths = m_rib->GetPaths(prefix);
        m_routeTrace(prefix, paths);
        if (!m_installRoutes)
        {
            continue;
        }
        const Ipv4Address network(prefix.network);
        const Ipv4Mask mask(prefix.length == 0 ? 0 : 0xffffffffU << (32 - prefix.length));
        std::vector<NextHop> nextHops = GetNextHops(paths);
        if (!nextHops.empty())
        {
            updates.push_back({network, mask, std::move(nextHops), true});
            m_installed.insert(prefix);
        }
        else if (m_installed.erase(prefix) > 0)
        {
            m_routing->RemoveLearned(network, mask);
        }
    }
    if (!updates.empty())
    {
        m_routing->UpdateRoutes(updates);
    }
    m_isInstalling = false;
}

std::vector<NextHop>
BgpSpeaker::GetNextHops(const std::vector<BgpRibPath>& paths) const
{
    std::vector<NextHop> nextHops;
    const bool isWeighted = std::any_of(paths.begin(), paths.end(), [](const BgpRibPath& path) {
        return path.weight > 0;
    });
    for (const BgpRibPath& path : paths)
    {
        if (path.peer == BGP_NO_PEER)
        {
            return {}; // the node has its own routes
        }
        const Ipv4Address gateway(path.nextHop);
        const double weight = isWeighted ? path.weight : 1;
        if (IsOnLink(*m_peers[path.peer], gateway))
        {
            const auto interface = static_cast<uint32_t>(m_peers[path.peer]->interface);
            nextHops.emplace_back(interface, gateway, weight);
            continue;
        }
        Ipv4Header header;
        header.SetDestination(gateway);
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        const auto route =
            m_ipv4->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        if (route)
        {
            const Ipv4Address next = route->GetGateway();
            nextHops.emplace_back(m_ipv4->GetInterfaceForDevice(route->GetOutputDevice()),
                                  next == Ipv4Address::GetAny() ? gateway : next,
                                  weight);
        }
    }
    return nextHops;
}

Time
BgpSpeaker::GetAdvertisementInterval(uint32_t peer) const
{
    return m_peers.at(peer)->settings.advertisementInterval.value_or(m_advertisementInterval);
}

void
BgpSpeaker::Advertise(uint32_t number)
{
    Peer& peer = *m_peers[number];
    if (!m_rib->HasChanges(number) || peer.timers[Peer::ADVERTISEMENT].deadline >= 0)
    {
        return;
    }
    const auto established = peer.session->GetEstablished();
    if (!established || peer.Get(*established).IsWaiting())
    {
        return; // what drains the connection calls again
    }
    const BgpPeerChanges changes = m_rib->TakeChanges(number);
    const BgpPackedUpdates packed = PackBgpUpdates(changes.withdrawn,
                                                   changes.announced,
                                                   peer.session->Get(*established).GetOptions());
    for (const BgpBytes& message : packed.messages)
    {
        Send(number, *established, BgpMessageType::UPDATE, message);
    }
    peer.statistics.tooLarge += packed.unsendable.size();
    if (packed.messages.empty())
    {
        return;
    }
    Handle(number, *established, {BgpSessionEvent::UPDATE_SENT, nullptr, {}});
    const Time interval = GetAdvertisementInterval(number);
    if (interval > Time(0))
    {
        StartTimer(number, Peer::ADVERTISEMENT, interval, true);
    }
}

} // namespace ns3::aidc

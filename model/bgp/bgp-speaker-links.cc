/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-peer.h"
#include "bgp-speaker.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

// Links: where peers are, and what becomes of sessions with their links.

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeakerLinks");

/**
 * @brief Find an interface on whose network an address is.
 * @param stack the node's IPv4
 * @param address the address
 * @param [out] local the node's address there
 * @return the index of the interface, -1 if there is none
 */
static int32_t
FindInterface(const Ptr<Ipv4>& stack, Ipv4Address address, Ipv4Address& local)
{
    for (uint32_t i = 0; i < stack->GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < stack->GetNAddresses(i); ++j)
        {
            const Ipv4InterfaceAddress own = stack->GetAddress(i, j);
            if (own.GetMask().IsMatch(own.GetLocal(), address))
            {
                local = own.GetLocal();
                return static_cast<int32_t>(i);
            }
        }
    }
    return -1;
}

/**
 * @brief Say whether the link to a peer is up.
 * @param stack the node's IPv4
 * @param peer the peer
 * @return whether its interface and device are
 */
static bool
IsLinkUp(const Ptr<Ipv4>& stack, const BgpSpeakerPeer& peer)
{
    return peer.interface < 0 || (stack->IsUp(static_cast<uint32_t>(peer.interface)) &&
                                  stack->GetNetDevice(peer.interface)->IsLinkUp());
}

void
BgpSpeaker::FindLink(Peer& peer) const
{
    peer.interface = FindInterface(m_ipv4, peer.settings.address, peer.localAddress);
    if (peer.settings.localAddress != Ipv4Address::GetAny())
    {
        peer.localAddress = peer.settings.localAddress;
    }
    NS_ABORT_MSG_IF(peer.localAddress == Ipv4Address::GetAny(),
                    "BgpSpeaker: node "
                        << GetNode()->GetId() << " has no interface to the network of peer "
                        << peer.settings.address << ": expected a localAddress for it");
    peer.isLinkUp = IsLinkUp(m_ipv4, peer);
}

bool
BgpSpeaker::IsOnLink(const Peer& peer, Ipv4Address address) const
{
    for (uint32_t i = 0; peer.interface >= 0 && i < m_ipv4->GetNAddresses(peer.interface); ++i)
    {
        const Ipv4InterfaceAddress own = m_ipv4->GetAddress(peer.interface, i);
        if (own.GetMask().IsMatch(own.GetLocal(), address))
        {
            return true;
        }
    }
    return false;
}

void
BgpSpeaker::NotifyLinks()
{
    if (m_isCheckDue || m_isInstalling || !m_isRunning)
    {
        return;
    }
    m_isCheckDue = true;
    // Not here: who tells may be in the middle of a change.
    Simulator::ScheduleWithContext(GetNode()->GetId(), Time(0), [self = Ptr<BgpSpeaker>(this)] {
        if (self->m_isRunning)
        {
            self->CheckLinks();
        }
        self->m_isCheckDue = false;
    });
}

void
BgpSpeaker::CheckLinks()
{
    for (uint32_t number = 0; number < m_peers.size(); ++number)
    {
        Peer& peer = *m_peers[number];
        if (peer.isLinkUp == IsLinkUp(m_ipv4, peer))
        {
            continue;
        }
        peer.isLinkUp = !peer.isLinkUp;
        NS_LOG_INFO("AS " << m_as << ", peer " << peer.settings.address << ": link is "
                          << (peer.isLinkUp ? "up" : "down"));
        if (!peer.isLinkUp)
        {
            for (BgpTcpConnection& connection : peer.connections)
            {
                if (connection.IsOpen())
                {
                    connection.Close();
                    HandleFailed(connection);
                }
            }
            continue;
        }
        const BgpSessionFsm& machine = peer.session->Get(BgpConnection::OUTGOING);
        for (const auto timer : {BgpSessionTimer::IDLE_HOLD, BgpSessionTimer::CONNECT_RETRY})
        {
            if (peer.session->GetState() < BgpSessionState::OPEN_SENT && machine.IsRunning(timer))
            {
                peer.timers[static_cast<uint32_t>(timer)].deadline = Simulator::Now().GetTimeStep();
                Expire(number, static_cast<uint32_t>(timer));
                break;
            }
        }
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-peer-table.h"

#include "../core/require-argument.h"
#include "bgp-bfd.h"
#include "bgp-tcp-socket.h"

#include "ns3/bgp-policy.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpPeerTable");

BgpPeerTable::BgpPeerTable(const BgpSpeakerContext& context)
    : m_context(context)
{
}

uint32_t
BgpPeerTable::Add(const BgpPeerSettings& settings)
{
    NS_LOG_FUNCTION(this << settings.address);
    AIDC_REFUSED_IF(settings.address == Ipv4Address::GetAny(),
                    "BgpSpeaker: expected a peer with an address");
    AIDC_REFUSED_UNLESS(std::isfinite(settings.linkBandwidth) && settings.linkBandwidth >= 0,
                        "BgpSpeaker: expected a linkBandwidth that is not negative, found "
                            << settings.linkBandwidth);
    for (const auto& policy : {settings.importPolicy, settings.exportPolicy})
    {
        if (policy)
        {
            try
            {
                CheckBgpPolicy(*policy);
            }
            catch (const std::invalid_argument& error)
            {
                AIDC_REFUSE("BgpSpeaker: peer " << settings.address << ": " << error.what());
            }
        }
    }
    const auto number = static_cast<uint32_t>(m_peers.size());
    AIDC_REFUSED_UNLESS(m_numbers.emplace(settings.address.Get(), number).second,
                        "BgpSpeaker: expected one peer with address " << settings.address);
    m_peers.push_back(std::make_unique<BgpSpeakerPeer>(m_context, number, settings));
    return number;
}

uint32_t
BgpPeerTable::Find(Ipv4Address address) const
{
    const auto known = m_numbers.find(address.Get());
    return known == m_numbers.end() ? BGP_NO_PEER : known->second;
}

void
BgpPeerTable::Open(uint32_t number, Ptr<Node> node, BgpRib& rib)
{
    m_peers[number]->Open(node, rib);
    const BgpPeerSettings& peer = m_peers[number]->GetSettings();
    if (peer.usesBfd)
    {
        FollowBfd(node, *m_peers[number]);
    }
    if (peer.minTtl == 0)
    {
        return;
    }
    if (!m_ttlSecurity)
    {
        m_ttlSecurity = CreateObject<BgpTtlSecurity>();
        m_ttlSecurity->Insert(node,
                              m_context.settings.port,
                              BgpTtlSecurity::DropCallback([this](Ipv4Address from, uint8_t) {
                                  m_peers[Find(from)]->CountSmallTtl();
                              }));
    }
    m_ttlSecurity->SetMinTtl(peer.address, peer.minTtl);
}

void
BgpPeerTable::Listen(Ptr<Node> node)
{
    BgpTcpSettings tcp = m_context.settings.MakeTcp();
    for (const auto& peer : m_peers)
    {
        tcp.segmentSize = std::min(tcp.segmentSize, peer->GetSegmentSize());
    }
    m_listener = BgpTcpSocket::MakeListener(node, tcp);
    AIDC_REFUSED_IF(
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_context.settings.port)) != 0 ||
            m_listener->Listen() != 0,
        "BgpSpeaker: node " << node->GetId() << " has TCP port " << m_context.settings.port
                            << " in use");
    m_listener->SetAcceptCallback(MakeCallback(&BgpPeerTable::AskForConnection, this),
                                  MakeCallback(&BgpPeerTable::TakeConnection, this));
}

void
BgpPeerTable::StopListening()
{
    if (m_listener)
    {
        m_listener->Close();
        m_listener = nullptr;
    }
}

bool
BgpPeerTable::AskForConnection(Ptr<Socket> /* socket */, const Address& from)
{
    return m_listener && Find(InetSocketAddress::ConvertFrom(from).GetIpv4()) != BGP_NO_PEER;
}

void
BgpPeerTable::TakeConnection(Ptr<Socket> socket, const Address& from)
{
    const uint32_t number = Find(InetSocketAddress::ConvertFrom(from).GetIpv4());
    m_peers[number]->Accept(socket, m_listener != nullptr);
}

void
BgpPeerTable::Dispose()
{
    for (const auto& peer : m_peers)
    {
        peer->Dispose();
    }
    m_listener = nullptr;
    if (m_ttlSecurity)
    {
        m_ttlSecurity->Dispose();
    }
    m_ttlSecurity = nullptr;
}

BgpSpeakerStatistics
BgpPeerTable::GetStatistics() const
{
    BgpSpeakerStatistics sum;
    for (const auto& peer : m_peers)
    {
        sum += peer->GetStatistics();
    }
    return sum;
}

void
BgpPeerTable::Print(std::ostream& os) const
{
    for (const auto& peer : m_peers)
    {
        const BgpPeerSettings& settings = peer->GetSettings();
        os << "peer " << settings.address << ", AS " << settings.as << ", "
           << GetBgpSessionStateName(peer->GetState()) << '\n';
    }
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-peer-table.h"

#include "../core/require-argument.h"

#include "ns3/bfd-speaker.h"
#include "ns3/bgp-policy.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpPeerTable");

NS_OBJECT_ENSURE_REGISTERED(BgpTtlSecurity);

TypeId
BgpTtlSecurity::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::BgpTtlSecurity")
                            .SetParent<TransportShim>()
                            .SetGroupName("Aidc")
                            .AddConstructor<BgpTtlSecurity>();
    return tid;
}

void
BgpTtlSecurity::Insert(Ptr<Node> node, uint16_t port, DropCallback drop)
{
    NS_LOG_FUNCTION(this << node->GetId() << port);
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto tcp = node->GetObject<TcpL4Protocol>();
    AIDC_REFUSED_UNLESS(ipv4 && tcp, "expected node " << node->GetId() << " to have IPv4 and TCP");
    m_port = port;
    m_drop = drop;
    SetTransport(ipv4->GetProtocol(tcp->GetProtocolNumber()));
    ipv4->Insert(this); // replaces what was first, which has the same number
}

void
BgpTtlSecurity::SetMinTtl(Ipv4Address peer, uint8_t minTtl)
{
    NS_LOG_FUNCTION(this << peer << +minTtl);
    m_minTtls[peer.Get()] = minTtl;
}

IpL4Protocol::RxStatus
BgpTtlSecurity::Receive(Ptr<Packet> p,
                        const Ipv4Header& header,
                        Ptr<Ipv4Interface> incomingInterface)
{
    const auto known = m_minTtls.find(header.GetSource().Get());
    if (known != m_minTtls.end() && header.GetTtl() < known->second)
    {
        std::array<uint8_t, 4> ports{}; // RFC 9293, section 3.1: source, destination
        p->CopyData(ports.data(), ports.size());
        if ((ports[0] << 8 | ports[1]) == m_port || (ports[2] << 8 | ports[3]) == m_port)
        {
            NS_LOG_LOGIC("drop a segment of " << header.GetSource() << " with time to live "
                                              << +header.GetTtl());
            m_drop(header.GetSource(), header.GetTtl());
            return RX_OK;
        }
    }
    return TransportShim::Receive(p, header, incomingInterface);
}

void
BgpTtlSecurity::DoDispose()
{
    m_drop.Nullify();
    TransportShim::DoDispose();
}

namespace
{

/// Have the session of a peer, opened, follow the node's BFD session with it (RFC 5882, section 4).
void
FollowBfd(Ptr<Node> node, BgpSpeakerPeer& peer)
{
    const auto speaker = BfdSpeaker::Find(node);
    const auto address = peer.GetSettings().address;
    AIDC_REFUSED_UNLESS(speaker,
                        "BgpSpeaker: peer " << address << " uses BFD: expected node "
                                            << node->GetId() << " to have a BfdSpeaker");
    const int32_t interface = peer.GetLink().GetInterface();
    AIDC_REFUSED_IF(interface < 0,
                    "BgpSpeaker: peer " << address << " uses BFD: expected an address on a link");
    const uint32_t session = speaker->AddSession(static_cast<uint32_t>(interface), address);
    speaker->Follow(session, [&peer](bool hasFailed) { peer.NotifyBfd(hasFailed); });
}

} // namespace

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
    m_listener = BgpTcpConnection::MakeListener(node, tcp);
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

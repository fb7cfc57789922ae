// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wan-helper.h"

#include "../model/core/bgp/bgp-path-attributes.h"
#include "../model/core/bgp/bgp-prefix.h"
#include "../model/core/require-argument.h"
#include "../model/device-link-properties.h"
#include "fabric-path-bandwidths.h"
#include "link-address.h"

#include "ns3/bgp-policy.h"
#include "ns3/bgp-rib.h"
#include "ns3/fabric-bgp-plan.h"
#include "ns3/log.h"
#include "ns3/multipath-routing.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/wan-plan.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpWanHelper");

namespace
{

/// From the first AS number of a data center to the first of the next one: as many data centers as
/// a WAN may have share the 94,967,295 private AS numbers (RFC 6996).
constexpr uint32_t AS_RANGE = 6000000;

/// @return the AS of a data center's PEs
uint32_t
GetEdgeAs(uint32_t site)
{
    return FIRST_PRIVATE_AS + site * AS_RANGE;
}

/// @return the prefix of a data center's hosts
BgpPrefix
GetSiteNetwork(uint32_t site)
{
    const FabricPrefix network = WanPlan::GetNetworks(site).leaves;
    return MakeBgpPrefix(network.network, network.length);
}

/// Make a policy that accepts some data centers only: their whole networks, or the prefixes within.
std::shared_ptr<const BgpPolicy>
MakeBorderPolicy(const std::vector<uint32_t>& sites, bool isWhole)
{
    auto policy = std::make_shared<BgpPolicy>();
    for (const uint32_t site : sites)
    {
        BgpPolicyRule rule;
        rule.prefix = GetSiteNetwork(site);
        if (!isWhole)
        {
            rule.le = 32;
        }
        policy->rules.push_back(rule);
    }
    policy->acceptsOthers = false;
    return policy;
}

/// The network of the links of the first data center's switches, 100.64.0.0/14.
constexpr uint32_t LINK_NETWORK = 0x64400000;
/// From the network of a data center's links to the next data center's.
constexpr uint32_t NEXT_LINK_NETWORK = 0x00040000;
/// The first address of border links and tunnels, 100.120.0.0, after all data centers' networks.
constexpr uint32_t FIRST_ADDRESS = LINK_NETWORK + MAX_WAN_SITES * NEXT_LINK_NETWORK;
/// The first address after these, 100.128.0.0 (RFC 6598).
constexpr uint32_t END_ADDRESS = 0x64800000;

} // namespace

BgpWanHelper::BgpWanHelper()
{
    for (uint32_t site = 0; site < MAX_WAN_SITES; ++site)
    {
        m_aidcs[site].SetFirstAs(GetEdgeAs(site) + 1);
        m_aidcs[site].SetLinkNetwork(Ipv4Address(LINK_NETWORK + site * NEXT_LINK_NETWORK),
                                     Ipv4Mask(~(NEXT_LINK_NETWORK - 1)));
    }
}

void
BgpWanHelper::SetSpeakerAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
    for (auto& aidc : m_aidcs)
    {
        aidc.SetSpeakerAttribute(name, value);
    }
}

void
BgpWanHelper::Connect(End a, End b)
{
    const uint32_t first = FIRST_ADDRESS + 2 * static_cast<uint32_t>(m_sessions.size());
    AIDC_REFUSED_IF(first >= END_ADDRESS,
                    "BgpWanHelper: expected at most " << (END_ADDRESS - FIRST_ADDRESS) / 2
                                                      << " border links and tunnels");
    const auto add = [&](End& end, uint32_t own, uint32_t peer) {
        if (!end.speaker)
        {
            return;
        }
        end.settings.address = Ipv4Address(peer);
        end.settings.localAddress = Ipv4Address(own);
        end.settings.isPassive = &end == &b;
        BgpSpeakerFactory::AddLinkAddress(end.node->GetObject<Ipv4>(),
                                          end.interface,
                                          end.settings.localAddress);
        end.peer = end.speaker->AddPeer(end.settings);
    };
    add(a, first, first + 1);
    add(b, first + 1, first);
    m_sessions.push_back({a, b});
}

bool
BgpWanHelper::AreSessionsSettled() const
{
    // What one end of a session knows about it.
    struct EndState
    {
        uint32_t session;   // its number
        bool isUp;          // whether its interface and its link are up
        bool isEstablished; // whether the session is
        bool isDone;        // whether it has sent all changes
    };

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
    const auto states = GatherItems(own);
    std::vector<bool> areUp(m_sessions.size(), true);
    for (const auto& state : states)
    {
        areUp[state.session] = areUp[state.session] && state.isUp;
    }
    return std::all_of(states.begin(), states.end(), [&areUp](const EndState& state) {
        return areUp[state.session] ? state.isEstablished && state.isDone : !state.isEstablished;
    });
}

void
BgpWanHelper::Install(WanHelper& network)
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(m_network, "BgpWanHelper::Install() is called once");
    network.GetRoutes(); // which are there once addresses are assigned
    m_network = &network;
    m_factory.Prepare("BgpWanHelper");
    for (uint32_t site = 0; site < network.GetPlan().GetNSites(); ++site)
    {
        InstallSite(site);
    }
}

void
BgpWanHelper::Install(WanHelper& network, const WanTunnelHelper& tunnels)
{
    AIDC_REFUSED_IF(tunnels.HasWeights(),
                    "BgpWanHelper: expected WanTunnelHelper without weights that differ, as BGP "
                    "weighs the tunnels");
    Install(network);
    const WanPlan& plan = network.GetPlan();
    for (uint32_t site = 0; site < plan.GetNSites(); ++site)
    {
        for (uint32_t other = site + 1; other < plan.GetNSites(); ++other)
        {
            for (const NodeIndex a : plan.GetEdges(site))
            {
                for (const NodeIndex b : plan.GetEdges(other))
                {
                    ConnectEdges(a, b, tunnels);
                }
            }
        }
    }
}

void
BgpWanHelper::InstallSite(uint32_t site)
{
    FabricHelper& aidc = m_network->GetAidc(site);
    m_aidcs[site].Install(aidc);
    const auto pool = std::make_shared<BgpAttributePool>();
    for (const NodeIndex edge : m_network->GetPlan().GetEdges(site))
    {
        if (!m_network->IsLocal(edge))
        {
            continue;
        }
        const auto node = m_network->GetRouter(edge);
        Edge& known = m_edges[edge];
        known.speaker =
            m_factory.Create(GetEdgeAs(site), WanHelper::GetAddress(edge), PathBandwidthTier::EDGE);
        known.speaker->SetAttributePool(pool);
        known.speaker->TraceConnectWithoutContext(
            "RouteChange",
            Callback<void, const BgpPrefix&, const std::vector<BgpRibPath>&>(
                [this](const BgpPrefix&, const std::vector<BgpRibPath>&) {
                    m_lastChange = std::max(m_lastChange, Simulator::Now());
                }));
        node->AddApplication(known.speaker);
        known.watcher = Create<BgpLinkWatcher>(node->GetId(), [this, edge] { Announce(edge); });
        // When the simulation starts, all interfaces are there, the tunnels' included.
        Simulator::ScheduleWithContext(node->GetId(), Time(0), [this, edge, node] {
            const auto watcher = m_edges.at(edge).watcher;
            watcher->Watch(node->GetObject<Ipv4>(), MultipathRoutingHelper::GetRouting(node));
            watcher->SetActive(true);
            Announce(edge);
        });
    }
    ConnectBorder(site);
}

void
BgpWanHelper::ConnectBorder(uint32_t site)
{
    const FabricHelper& aidc = m_network->GetAidc(site);
    const auto fromAidc = MakeBorderPolicy({site}, false);
    const auto toAidc = MakeBorderPolicy(GetOtherSites(site), true);
    for (const WanBorderLink& link : m_network->GetBorder(site).GetLinks())
    {
        End edge;
        edge.speaker = m_network->IsLocal(link.edge) ? GetSpeaker(link.edge) : nullptr;
        edge.node = m_network->GetRouter(link.edge);
        edge.interface = link.GetEdgeInterface();
        edge.settings.as = m_aidcs[site].GetAs(link.border);
        edge.settings.tier = GetPathBandwidthTier(aidc.GetFabric().GetNode(link.border).tier);
        edge.settings.exchangesNonTransitive = edge.settings.tier == PathBandwidthTier::SUPER_SPINE;
        edge.settings.importPolicy = fromAidc;
        edge.settings.exportPolicy = toAidc;
        End border;
        border.speaker =
            aidc.IsLocal(link.border) ? m_aidcs[site].GetSpeaker(link.border) : nullptr;
        border.node = aidc.GetNode(link.border);
        border.interface = link.GetBorderInterface();
        border.settings.as = GetEdgeAs(site);
        border.settings.tier = PathBandwidthTier::EDGE;
        border.settings.exchangesNonTransitive = edge.settings.exchangesNonTransitive;
        if (edge.speaker || border.speaker)
        {
            const auto& known = edge.speaker ? edge : border;
            const auto port = known.node->GetObject<Ipv4>()->GetNetDevice(known.interface);
            edge.settings.linkBandwidth = static_cast<double>(GetLinkRate(port).GetBitRate()) / 8;
            border.settings.linkBandwidth = edge.settings.linkBandwidth;
        }
        Connect(edge, border);
    }
}

void
BgpWanHelper::ConnectEdges(NodeIndex a, NodeIndex b, const WanTunnelHelper& tunnels)
{
    const auto& routers = m_network->GetPlan().GetRouters();
    const auto makeEnd = [&](NodeIndex from, NodeIndex to, std::size_t i) {
        End end;
        end.node = m_network->GetRouter(from);
        if (m_network->IsLocal(from))
        {
            end.speaker = GetSpeaker(from);
            end.interface = static_cast<uint32_t>(
                end.node->GetObject<Ipv4>()->GetInterfaceForDevice(tunnels.GetTunnel(from, to, i)));
        }
        for (const auto& path : tunnels.GetPaths(from, to, i))
        {
            end.settings.linkBandwidth += static_cast<double>(path.rate) / 8;
            if (!m_isSumOfPaths)
            {
                break; // the primary path
            }
        }
        end.settings.as = GetEdgeAs(routers[to].site);
        end.settings.tier = PathBandwidthTier::EDGE;
        end.settings.importPolicy = MakeBorderPolicy({routers[to].site}, false);
        end.settings.exportPolicy = MakeBorderPolicy({routers[from].site}, false);
        return end;
    };
    for (std::size_t i = 0; i < tunnels.GetNTunnels(a, b); ++i)
    {
        Connect(makeEnd(a, b, i), makeEnd(b, a, i));
    }
}

uint32_t
BgpWanHelper::GetNSites() const
{
    AIDC_REFUSED_UNLESS(m_network, "BgpWanHelper::Install() comes first");
    return m_network->GetPlan().GetNSites();
}

std::vector<uint32_t>
BgpWanHelper::GetOtherSites(uint32_t site) const
{
    std::vector<uint32_t> others;
    for (uint32_t other = 0; other < GetNSites(); ++other)
    {
        if (other != site)
        {
            others.push_back(other);
        }
    }
    return others;
}

void
BgpWanHelper::Announce(NodeIndex edge)
{
    Edge& known = m_edges.at(edge);
    const auto node = m_network->GetRouter(edge);
    const auto ipv4 = node->GetObject<Ipv4>();
    for (const uint32_t site : GetOtherSites(m_network->GetPlan().GetRouters()[edge].site))
    {
        const BgpPrefix other = GetSiteNetwork(site);
        const Ipv4Address network(other.network);
        // The last address: no host has it, unless the data center has as many as it can.
        const NextHopGroup* group = MultipathRoutingHelper::GetRouting(node)->FindTransit(
            other.network | ~MakeMask(other.length).Get());
        const bool hasRoute =
            group && std::any_of(group->usable.begin(), group->usable.end(), [&](uint32_t i) {
                return ipv4->GetNetDevice(group->members[i].nextHop.interface)->IsLinkUp();
            });
        const bool isAnnouncing = known.announced.count(site) > 0;
        if (hasRoute == isAnnouncing)
        {
            continue;
        }
        if (isAnnouncing)
        {
            known.announced.erase(site);
            known.speaker->Withdraw(network, MakeMask(other.length));
        }
        else
        {
            known.announced.insert(site);
            known.speaker->Originate(network, MakeMask(other.length));
        }
    }
}

int64_t
BgpWanHelper::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (uint32_t site = 0; site < GetNSites(); ++site)
    {
        next += m_aidcs[site].AssignStreams(next);
    }
    const WanPlan& plan = m_network->GetPlan();
    for (NodeIndex router; router < plan.GetRouters().GetEnd(); ++router)
    {
        if (!plan.IsEdge(router))
        {
            continue;
        }
        if (m_network->IsLocal(router))
        {
            GetSpeaker(router)->AssignStreams(next);
        }
        ++next;
    }
    return next - stream;
}

Ptr<BgpSpeaker>
BgpWanHelper::GetSpeaker(NodeIndex edge) const
{
    const auto found = m_edges.find(edge);
    AIDC_REFUSED_IF(found == m_edges.end(),
                    "BgpWanHelper: expected the number of a PE of this process, found "
                        << edge.value);
    return found->second.speaker;
}

void
BgpWanHelper::TraceConnect(const std::string& source, const CallbackBase& sink) const
{
    for (uint32_t site = 0; site < GetNSites(); ++site)
    {
        m_aidcs[site].TraceConnect(source, sink, WanPlan::GetSiteName(site) + "-");
    }
    for (const auto& [edge, known] : m_edges)
    {
        AIDC_REFUSED_UNLESS(
            known.speaker->TraceConnect(source, m_network->GetPlan().GetRouters()[edge].name, sink),
            "BgpWanHelper: expected a trace source of BgpSpeaker and its sink, found " << source);
    }
}

bool
BgpWanHelper::IsSettled() const
{
    return std::all_of(m_aidcs.begin(),
                       m_aidcs.begin() + GetNSites(),
                       [](const auto& aidc) { return aidc.IsSettled(); }) &&
           AreSessionsSettled();
}

Time
BgpWanHelper::GetLastRouteChange() const
{
    Time last = GetLatestOverProcesses(m_lastChange);
    for (uint32_t site = 0; site < GetNSites(); ++site)
    {
        last = std::max(last, m_aidcs[site].GetLastRouteChange());
    }
    return last;
}

BgpSpeakerStatistics
BgpWanHelper::GetStatistics() const
{
    BgpSpeakerStatistics own;
    for (const auto& [edge, known] : m_edges)
    {
        own += known.speaker->GetStatistics();
    }
    BgpSpeakerStatistics sum = SumOverProcesses(own);
    for (uint32_t site = 0; site < GetNSites(); ++site)
    {
        sum += m_aidcs[site].GetStatistics();
    }
    return sum;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "wan-border.h"

#include "ethernet-helper.h"
#include "fabric-interface.h"
#include "link-address.h"
#include "local-node.h"
#include "multipath-routing-helper.h"

#include "ns3/aidc-input-error.h"
#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <string>

namespace ns3::aidc
{

namespace
{

/// The distance of nodes that are not on the way to a PE.
constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

/// Set a route to a data center.
void
AddRouteToAidc(Ptr<Node> node, uint32_t site, const std::vector<NextHop>& nextHops)
{
    const FabricPrefix prefix = WanPlan::GetNetworks(site).leaves;
    MultipathRoutingHelper::GetRouting(node)->AddRoute(Ipv4Address(prefix.network),
                                                       MakeMask(prefix.length),
                                                       nextHops);
}

/// @return the IPv4 interface of a port; 0 if it is of another process
uint32_t
GetInterfaceOf(const Ptr<NetDevice>& port)
{
    if (!port || !IsLocalNode(port->GetNode()))
    {
        return 0;
    }
    return static_cast<uint32_t>(port->GetNode()->GetObject<Ipv4>()->GetInterfaceForDevice(port));
}

} // namespace

Ptr<NetDevice>
GetOtherEnd(const Ptr<NetDevice>& device)
{
    if (!device)
    {
        return nullptr;
    }
    const auto channel = device->GetChannel();
    return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
}

uint32_t
WanBorderLink::GetEdgeInterface() const
{
    return GetInterfaceOf(port);
}

uint32_t
WanBorderLink::GetBorderInterface() const
{
    return GetInterfaceOf(GetOtherEnd(port));
}

WanRouteInstaller::WanRouteInstaller(const WanPlan& plan,
                                     const NodeContainer& routers,
                                     bool coreKnowsAidcs)
    : m_plan(plan),
      m_routers(routers),
      m_coreKnowsAidcs(coreKnowsAidcs),
      m_installed(plan.GetRouters().size())
{
}

IndexedVector<NodeIndex, uint32_t>
WanRouteInstaller::GetDistances(const FabricPlan& fabric, const std::vector<WanBorderLink>& links)
{
    IndexedVector<NodeIndex, uint32_t> distances(fabric.GetNNodes(), NONE);
    std::deque<NodeIndex> open;
    for (const auto& link : links)
    {
        if (distances[link.border] == NONE)
        {
            distances[link.border] = 1;
            open.push_back(link.border);
        }
    }
    for (; !open.empty(); open.pop_front())
    {
        for (const auto& port : fabric.GetPorts(open.front()))
        {
            if (fabric.IsSwitch(port.peer) && distances[port.peer] == NONE)
            {
                distances[port.peer] = distances[open.front()] + 1;
                open.push_back(port.peer);
            }
        }
    }
    return distances;
}

void
WanRouteInstaller::InstallAidc(uint32_t site,
                               const FabricPlan& fabric,
                               const NodeContainer& nodes,
                               const std::vector<WanBorderLink>& links)
{
    const uint32_t nSites = m_plan.GetNSites();
    const auto distances = GetDistances(fabric, links);
    for (const NodeIndex id : fabric.GetSwitches())
    {
        if (!IsLocalNode(nodes.Get(id.value)))
        {
            continue;
        }
        std::vector<NextHop> nextHops;
        for (const auto& link : links)
        {
            if (link.border == id)
            {
                nextHops.emplace_back(link.GetBorderInterface(),
                                      Ipv4Address(WanPlan::GetAddress(link.edge)));
            }
        }
        const auto& ports = fabric.GetPorts(id);
        for (PortIndex port; nextHops.empty() && port < ports.GetEnd(); ++port)
        {
            const NodeIndex peer = ports[port].peer;
            if (distances[peer] != NONE && distances[peer] + 1 == distances[id])
            {
                nextHops.emplace_back(GetInterfaceOfPort(port),
                                      Ipv4Address(fabric.GetAddress(peer)));
            }
        }
        for (uint32_t other = 0; other < nSites && !nextHops.empty(); ++other)
        {
            if (other != site)
            {
                AddRouteToAidc(nodes.Get(id.value), other, nextHops);
            }
        }
    }
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        if (!IsLocalNode(m_routers.Get(edge.value)))
        {
            continue;
        }
        std::vector<NextHop> nextHops;
        for (const auto& link : links)
        {
            if (link.edge == edge)
            {
                nextHops.emplace_back(link.GetEdgeInterface(),
                                      Ipv4Address(fabric.GetAddress(link.border)));
            }
        }
        AddRouteToAidc(m_routers.Get(edge.value), site, nextHops);
    }
}

std::vector<PortIndex>
WanRouteInstaller::GetPortsToAidc(const WanRoutes& routes, NodeIndex router, uint32_t site) const
{
    // By the drained links on the way, then by delay.
    std::optional<std::pair<uint32_t, int64_t>> least;
    std::vector<PortIndex> ports;
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        const auto delay = routes.GetDelay(router, edge);
        const auto port = routes.GetPort(router, edge);
        const std::pair cost(routes.GetNDrained(router, edge), delay.value_or(0));
        if (!delay || !port || (least && cost > *least))
        {
            continue;
        }
        if (!least || cost < *least)
        {
            least = cost;
            ports.clear();
        }
        if (std::find(ports.begin(), ports.end(), *port) == ports.end())
        {
            ports.push_back(*port);
        }
    }
    return ports;
}

std::map<WanRouteInstaller::Prefix, std::vector<PortIndex>>
WanRouteInstaller::GetRoutesOf(const WanRoutes& routes, NodeIndex router) const
{
    std::map<Prefix, std::vector<PortIndex>> ports;
    for (NodeIndex destination; destination < m_plan.GetRouters().GetEnd(); ++destination)
    {
        const auto port = routes.GetPort(router, destination);
        const bool isEdge = m_plan.IsEdge(destination);
        if (!port ||
            (!isEdge && m_plan.IsEdge(router) && routes.GetNDrained(router, destination) > 0))
        {
            continue;
        }
        for (uint32_t i = 0; i < (isEdge ? m_nEdgeAddresses : 1); ++i)
        {
            ports[{WanPlan::GetAddress(destination, i), 32}] = {*port};
        }
    }
    const uint32_t nSites = m_coreKnowsAidcs ? m_plan.GetNSites() : 0;
    for (uint32_t site = 0; site < nSites; ++site)
    {
        const FabricPrefix prefix = WanPlan::GetNetworks(site).leaves;
        const auto toAidc = GetPortsToAidc(routes, router, site);
        if (m_plan.GetRouters()[router].site != site && !toAidc.empty())
        {
            ports[{prefix.network, prefix.length}] = toAidc;
        }
    }
    return ports;
}

void
WanRouteInstaller::Update(const WanRoutes& routes)
{
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        if (!IsLocalNode(m_routers.Get(router.value)))
        {
            continue;
        }
        auto current = GetRoutesOf(routes, router);
        const auto routing = MultipathRoutingHelper::GetRouting(m_routers.Get(router.value));
        auto& installed = m_installed[router.value];
        // New routes come first, so that a group that goes on to be used is never without a route.
        for (const auto& [prefix, ports] : current)
        {
            const auto found = installed.find(prefix);
            if (found != installed.end() && found->second == ports)
            {
                continue;
            }
            std::vector<NextHop> nextHops;
            for (const PortIndex port : ports)
            {
                const NodeIndex peer = m_plan.GetPorts(router)[port].peer;
                nextHops.emplace_back(GetInterfaceOfPort(port),
                                      Ipv4Address(WanPlan::GetAddress(peer)));
            }
            routing->AddRoute(Ipv4Address(prefix.first), MakeMask(prefix.second), nextHops);
        }
        for (const auto& [prefix, ports] : installed)
        {
            if (current.find(prefix) == current.end())
            {
                routing->RemoveRoute(Ipv4Address(prefix.first), MakeMask(prefix.second));
            }
        }
        installed = std::move(current);
    }
}

namespace
{

/// Find the switches of the top tier.
std::vector<NodeIndex>
GetTopTier(const FabricPlan& fabric)
{
    FabricTier top = FabricTier::LEAF;
    for (const NodeIndex id : fabric.GetSwitches())
    {
        top = std::max(top, fabric.GetNode(id).tier);
    }
    std::vector<NodeIndex> switches;
    for (const NodeIndex id : fabric.GetSwitches())
    {
        if (fabric.GetNode(id).tier == top)
        {
            switches.push_back(id);
        }
    }
    return switches;
}

} // namespace

void
AddWanLink(std::vector<Ptr<NetDevice>>& devices,
           const std::array<Ptr<Node>, 2>& nodes,
           const std::array<uint32_t, 2>& indices,
           uint32_t mtu,
           const FabricLink& link,
           uint8_t kind)
{
    if (!IsLocalNode(nodes[0]) && !IsLocalNode(nodes[1]))
    {
        devices.insert(devices.end(), 2, nullptr);
        return;
    }
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("Mtu", UintegerValue(mtu));
    ethernet.SetDeviceAttribute("DataRate", DataRateValue(DataRate(link.rate)));
    ethernet.SetChannelAttribute("Delay", TimeValue(NanoSeconds(link.delay)));
    const auto ends = ethernet.Install(nodes[0], nodes[1]);
    for (uint32_t end = 0; end < 2; ++end)
    {
        const auto device = ends.Get(end);
        device->SetAddress(MakeLinkAddress(kind, static_cast<uint32_t>(devices.size())));
        device->SetIfIndex(indices[end]);
        devices.push_back(device);
    }
}

WanBorder::WanBorder()
    : m_failures(m_plan, m_ends, m_devices, [](LinkIndex, bool) {})
{
}

void
WanBorder::Build(const FabricHelper& aidc,
                 const WanPlan& wan,
                 uint32_t site,
                 const NodeContainer& routers,
                 uint64_t rate,
                 Time delay)
{
    m_aidc = &aidc;
    m_link.rate = rate;
    m_link.delay = delay.GetNanoSeconds();
    const auto switches = GetTopTier(aidc.GetFabric());
    const auto edges = wan.GetEdges(site);
    for (uint32_t i = 0; i < edges.size(); ++i)
    {
        for (uint32_t j = 0; j < switches.size(); ++j)
        {
            const NodeIndex edge = edges[i];
            const NodeIndex border = switches[j];
            m_links.push_back({edge, border, nullptr});
            m_ends.Add(routers.Get(edge.value));
            m_ends.Add(aidc.GetNode(border));
            // After the ports of the plan and the loopback device
            AddWanLink(m_devices,
                       {routers.Get(edge.value), aidc.GetNode(border)},
                       {static_cast<uint32_t>(wan.GetPorts(edge).size() + 1 + j),
                        static_cast<uint32_t>(aidc.GetFabric().GetPorts(border).size() + 1 + i)},
                       aidc.GetMtu(),
                       m_link,
                       static_cast<uint8_t>(BORDER_LINKS + site));
            m_links.back().port = m_devices[m_devices.size() - 2];
        }
    }
}

NetDeviceContainer
WanBorder::GetPorts(NodeIndex edge) const
{
    NetDeviceContainer ports;
    for (const auto& link : m_links)
    {
        if (link.edge == edge && link.port)
        {
            ports.Add(link.port);
        }
    }
    return ports;
}

LinkIndex
WanBorder::FindLink(NodeIndex edge, NodeIndex border)
{
    // The ends have their interfaces by now.
    for (auto i = static_cast<uint32_t>(m_plan.size()); i < m_links.size(); ++i)
    {
        FabricLink link = m_link;
        link.a = NodeIndex(2 * i);
        link.b = NodeIndex(2 * i + 1);
        link.aPort = PortIndex(m_links[i].GetEdgeInterface() - 1);
        link.bPort = PortIndex(m_links[i].GetBorderInterface() - 1);
        m_plan.Add(link);
    }
    const auto found = std::find_if(m_links.begin(), m_links.end(), [&](const WanBorderLink& link) {
        return link.edge == edge && link.border == border;
    });
    if (found == m_links.end())
    {
        throw AidcInputError("links",
                             0,
                             "a PE and a border switch of one data center",
                             "router " + std::to_string(edge.value) + " and node " +
                                 std::to_string(border.value));
    }
    return LinkIndex(static_cast<uint32_t>(found - m_links.begin()));
}

void
WanBorder::ScheduleFailure(NodeIndex edge, NodeIndex border, Time failure, Time restoration)
{
    FindLink(edge, border);
    FabricLinkFailures::CheckTimes(failure, restoration);
    Simulator::Schedule(failure, &WanBorder::FailLink, this, edge, border);
    Simulator::Schedule(restoration, &WanBorder::RestoreLink, this, edge, border);
}

NetworkPath
WanBorder::GetPathToEdge(NodeIndex host) const
{
    const FabricPlan& fabric = m_aidc->GetFabric();
    const auto distances = WanRouteInstaller::GetDistances(fabric, m_links);
    NetworkPath path;
    NodeIndex node = host;
    const auto goOn = [&](PortIndex port) {
        path.links.push_back(fabric.GetLinks()[fabric.GetPorts(node)[port].link]);
        path.arrivals.push_back(GetOtherEnd(m_aidc->GetPort(node, port)));
        node = fabric.GetPorts(node)[port].peer;
    };
    goOn(PortIndex(0));
    while (distances[node] > 1)
    {
        PortIndex port;
        while (distances[fabric.GetPorts(node)[port].peer] >= distances[node])
        {
            ++port;
        }
        goOn(port);
    }
    path.links.push_back(m_link);
    // The links of the first PE come first.
    const auto found =
        std::find_if(m_links.begin(), m_links.end(), [node](const WanBorderLink& link) {
            return link.border == node;
        });
    path.arrivals.push_back(found->port);
    return path;
}

NetworkPath
WanBorder::GetPathFromEdge(NodeIndex host) const
{
    NetworkPath path = GetPathToEdge(host);
    std::reverse(path.links.begin(), path.links.end());
    std::reverse(path.arrivals.begin(), path.arrivals.end());
    std::transform(path.arrivals.begin(), path.arrivals.end(), path.arrivals.begin(), &GetOtherEnd);
    return path;
}

} // namespace ns3::aidc

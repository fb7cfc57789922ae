// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_WAN_NETWORK_H
#define AIDC_BGP_WAN_NETWORK_H

#include "test/test-case.h"

#include "ns3/bgp-wan-helper.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-tunnel-helper.h"

// What a WAN with BGP is asked for in tests.

namespace aidctest
{

/// The longest time that sessions within a data center, and through the tunnels, take.
inline const Time SETTLED = MilliSeconds(50);

/// Choose the routes and routings that BgpWanHelper needs, before the network is built.
inline void
PrepareBgp(WanHelper& wan, uint32_t nSites = 2)
{
    const MultipathRoutingHelper routing("ns3::aidc::PathBandwidthRouting");
    wan.SetRouterRouting(routing);
    for (uint32_t site = 0; site < nSites; ++site)
    {
        wan.GetAidc(site).SetSwitchRouting(routing);
        wan.GetAidc(site).SetSwitchRoutes(FabricHelper::OWN_HOSTS);
    }
}

/// Returns the node; one beyond the last if there is none.
inline NodeIndex
FindNode(const FabricPlan& plan, const std::string& name)
{
    NodeIndex node;
    while (node < NodeIndex(plan.GetNNodes()) && plan.GetNodeName(node) != name)
    {
        ++node;
    }
    return node;
}

/// Find a port of a plan by the names of its ends. Returns the port; one beyond the last if there
/// is none.
inline PortIndex
FindPort(const FabricPlan& plan, const std::string& name, const std::string& peer)
{
    const auto& ports = plan.GetPorts(FindNode(plan, name));
    PortIndex port;
    while (port < ports.GetEnd() && plan.GetNodeName(ports[port].peer) != peer)
    {
        ++port;
    }
    return port;
}

inline LinkIndex
FindLink(const FabricPlan& plan, const std::string& name, const std::string& peer)
{
    return plan.GetPorts(FindNode(plan, name))[FindPort(plan, name, peer)].link;
}

/// interface: its IPv4 interface. Returns the name of the switch or router, or of the router at the
/// end of the tunnel.
inline std::string
GetNeighborName(WanHelper& wan, Ptr<Node> node, uint32_t interface)
{
    const auto device = node->GetObject<Ipv4>()->GetNetDevice(interface);
    if (const auto tunnel = DynamicCast<IpTunnelNetDevice>(device))
    {
        const auto& routers = wan.GetPlan().GetRouters();
        for (NodeIndex router; router < routers.GetEnd(); ++router)
        {
            if (WanHelper::GetAddress(router) == tunnel->GetRemote())
            {
                return routers[router].name;
            }
        }
    }
    const auto channel = device->GetChannel();
    const auto other = channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0)->GetNode();
    const auto& routers = wan.GetPlan().GetRouters();
    for (NodeIndex router; router < routers.GetEnd(); ++router)
    {
        if (wan.GetRouter(router) == other)
        {
            return routers[router].name;
        }
    }
    for (uint32_t site = 0; site < wan.GetPlan().GetNSites(); ++site)
    {
        const FabricPlan& plan = wan.GetAidc(site).GetFabric();
        for (const NodeIndex id : plan.GetSwitches())
        {
            if (wan.GetAidc(site).GetNode(id) == other)
            {
                return plan.GetNodeName(id);
            }
        }
    }
    return "unknown";
}

/// Get where a switch or router sends what is for a host, by its forwarding table. Returns the
/// neighbors and their weights, such as spine-0:12.5 spine-1:25 (in GB/s); empty if there is no
/// route.
inline std::string
GetWeights(WanHelper& wan, Ptr<Node> node, uint32_t site, const std::string& host)
{
    const FabricHelper& aidc = wan.GetAidc(site);
    const Ipv4Address address = aidc.GetAddress(FindNode(aidc.GetFabric(), host));
    const auto* group = MultipathRoutingHelper::GetRouting(node)->FindTransit(address.Get());
    std::map<std::string, double> weights;
    for (std::size_t i = 0; group && i < group->usable.size(); ++i)
    {
        const NextHop& nextHop = group->members[group->usable[i]].nextHop;
        weights[GetNeighborName(wan, node, nextHop.interface)] = nextHop.weight;
    }
    std::ostringstream text;
    for (const auto& [name, weight] : weights)
    {
        text << (text.tellp() > 0 ? " " : "") << name << ':' << weight / 1e9;
    }
    return text.str();
}

/// Fail or restore a border link.
inline void
ChangeBorder(WanHelper& wan,
             uint32_t site,
             const std::string& edge,
             const std::string& border,
             bool isFailed)
{
    const NodeIndex a = wan.GetPlan().Find(edge);
    const NodeIndex b = FindNode(wan.GetAidc(site).GetFabric(), border);
    auto& links = wan.GetBorder(site);
    isFailed ? links.FailLink(a, b) : links.RestoreLink(a, b);
}

} // namespace aidctest

#endif // AIDC_BGP_WAN_NETWORK_H

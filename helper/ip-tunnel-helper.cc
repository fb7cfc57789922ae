// SPDX-License-Identifier: GPL-2.0-only

#include "ip-tunnel-helper.h"

#include "../model/core/require-argument.h"
#include "../model/pre-ecn/domain-message-socket.h"
#include "multipath-routing-helper.h"
#include "user-default.h"

#include "ns3/ip-tunnel-endpoint.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/protocol-numbers.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

namespace
{

/// Add a tunnel to a router.
void
AddTo(const Ptr<IpTunnelNetDevice>& tunnel, const Ptr<Node>& node)
{
    const uint32_t interface = tunnel->Install(node);
    if (!MultipathRoutingHelper::GetRouting(node))
    {
        // ns-3's own routing asks each interface for an address.
        node->GetObject<Ipv4>()->AddAddress(
            interface,
            Ipv4InterfaceAddress(tunnel->GetLocal(), Ipv4Mask::GetOnes()));
    }
}

} // namespace

IpTunnelHelper::IpTunnelHelper()
{
    m_factory.SetTypeId(IpTunnelNetDevice::GetTypeId());
}

IpTunnelHelper::Pair
IpTunnelHelper::Install(Ptr<Node> a, Ptr<Node> b) const
{
    RefuseUserDefaults("ns3::aidc::IpTunnelNetDevice",
                       {"Local", "Remote"},
                       "IpTunnelHelper, which takes the addresses of nodes");
    const auto there = Make(GetAddress(a), GetAddress(b));
    AddTo(there, a);
    const auto back = Make(GetAddress(b), GetAddress(a));
    AddTo(back, b);
    return {there, back};
}

Ptr<IpTunnelNetDevice>
IpTunnelHelper::Make(Ipv4Address local, Ipv4Address remote) const
{
    const auto tunnel = m_factory.Create<IpTunnelNetDevice>();
    tunnel->SetAttribute("Local", Ipv4AddressValue(local));
    tunnel->SetAttribute("Remote", Ipv4AddressValue(remote));
    return tunnel;
}

std::vector<Ptr<IpTunnelNetDevice>>
IpTunnelHelper::InstallAnycast(const NodeContainer& site,
                               Ipv4Address siteExit,
                               const NodeContainer& other,
                               Ipv4Address otherExit) const
{
    RefuseUserDefaults("ns3::aidc::IpTunnelNetDevice",
                       {"Local", "Remote"},
                       "IpTunnelHelper, which takes the addresses of nodes");
    std::vector<Ptr<IpTunnelNetDevice>> tunnels;
    for (auto node = site.Begin(); node != site.End(); ++node)
    {
        const Ipv4Address own = GetAddress(*node);
        const auto ipv4 = (*node)->GetObject<Ipv4>();
        AIDC_REFUSED_IF(ipv4->GetInterfaceForAddress(own) != 0 || own == siteExit,
                        "IpTunnelHelper: node " << (*node)->GetId()
                                                << " has no address of its own at its loopback "
                                                   "interface; SetAddress() gives it one");
        if (ipv4->GetInterfaceForAddress(siteExit) < 0)
        {
            SetAddress(*node, siteExit);
        }
        const auto tunnel = Make(own, otherExit);
        AddTo(tunnel, *node);
        for (auto peer = other.Begin(); peer != other.End(); ++peer)
        {
            tunnel->AddArrivals(siteExit, GetAddress(*peer));
        }
        tunnels.push_back(tunnel);
    }
    return tunnels;
}

void
IpTunnelHelper::SetPaths(Ptr<IpTunnelNetDevice> tunnel, const std::vector<Waypoints>& paths) const
{
    std::vector<std::vector<Ipv4Address>> addresses;
    for (const auto& waypoints : paths)
    {
        addresses.emplace_back();
        for (const auto& node : waypoints)
        {
            addresses.back().push_back(GetAddress(node));
            InstallWaypoint(node);
        }
    }
    tunnel->SetPaths(addresses);
}

Ptr<IpTunnelNetDevice>
IpTunnelHelper::InstallWaypoint(Ptr<Node> node) const
{
    const Ipv4Address address = GetAddress(node);
    if (IpTunnelEndpoint::GetOrMake(node)->Has(address, Ipv4Address::GetAny(), PROTOCOL_IP_IN_IP))
    {
        return nullptr;
    }
    const auto waypoint = Make(address, Ipv4Address::GetAny());
    waypoint->SetAttribute("EgressMode", StringValue("Rfc6040"));
    waypoint->SetAttribute("Encapsulation", StringValue("IpInIp"));
    waypoint->SetAttribute("GreKey", UintegerValue(0));
    waypoint->SetAttribute("Vni", UintegerValue(0));
    AddTo(waypoint, node);
    return waypoint;
}

void
IpTunnelHelper::SetAddress(Ptr<Node> node, Ipv4Address address)
{
    node->GetObject<Ipv4>()->AddAddress(0, Ipv4InterfaceAddress(address, Ipv4Mask::GetOnes()));
}

Ipv4Address
IpTunnelHelper::GetAddress(Ptr<Node> node)
{
    const Ipv4Address address = FindOwnAddress(node);
    AIDC_REFUSED_IF(address == Ipv4Address::GetAny(),
                    "IpTunnelHelper: node " << node->GetId()
                                            << " has no address; SetAddress() gives it one");
    return address;
}

void
IpTunnelHelper::AddRoute(Ptr<IpTunnelNetDevice> tunnel, Ipv4Address network, Ipv4Mask mask)
{
    const auto node = tunnel->GetNode();
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto interface = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(tunnel));
    if (const auto routing = MultipathRoutingHelper::GetRouting(node))
    {
        routing->AddRoute(network, mask, {NextHop(interface)});
        return;
    }
    const auto routing = Ipv4StaticRoutingHelper().GetStaticRouting(ipv4);
    AIDC_REFUSED_UNLESS(routing,
                        "IpTunnelHelper: node " << node->GetId()
                                                << " has neither MultipathRouting nor static "
                                                   "routing");
    routing->AddNetworkRouteTo(network, mask, interface);
}

} // namespace ns3::aidc

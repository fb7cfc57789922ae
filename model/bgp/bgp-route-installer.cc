/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-route-installer.h"

#include "../routing/find-multipath-routing.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/socket.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpRouteInstaller");

BgpRouteInstaller::BgpRouteInstaller(Ptr<Ipv4> ipv4,
                                     Ptr<MultipathRouting> routing,
                                     FindLink findLink)
    : m_ipv4(std::move(ipv4)),
      m_routing(std::move(routing)),
      m_findLink(std::move(findLink))
{
}

Ptr<MultipathRouting>
BgpRouteInstaller::FindRouting(Ptr<Ipv4> ipv4)
{
    return FindMultipathRouting(ipv4);
}

void
BgpRouteInstaller::Install(const BgpRib& rib, const std::vector<BgpPrefix>& prefixes)
{
    NS_LOG_FUNCTION(this << prefixes.size());
    std::vector<RouteUpdate> updates;
    for (const BgpPrefix& prefix : prefixes)
    {
        const Ipv4Address network(prefix.network);
        const Ipv4Mask mask(prefix.length == 0 ? 0 : 0xffffffffU << (32 - prefix.length));
        std::vector<NextHop> nextHops = GetNextHops(rib.GetPaths(prefix));
        NS_LOG_LOGIC(prefix << " has " << nextHops.size() << " next hops");
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
}

std::vector<NextHop>
BgpRouteInstaller::GetNextHops(const std::vector<BgpRibPath>& paths) const
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
        const BgpPeerLink& link = m_findLink(path.peer);
        if (link.HasAddress(gateway))
        {
            nextHops.emplace_back(static_cast<uint32_t>(link.GetInterface()), gateway, weight);
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
        else
        {
            NS_LOG_WARN("no route to next hop " << gateway << ", which is left out");
        }
    }
    return nextHops;
}

} // namespace ns3::aidc

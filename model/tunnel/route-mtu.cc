/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "route-mtu.h"

#include "../switching/transit-tunnel.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/multipath-routing.h"
#include "ns3/net-device.h"
#include "ns3/protocol-numbers.h"
#include "ns3/socket.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// Get the longest packet that a device sends. @return bytes, 0 if its link is down or it is a
/// tunnel
uint32_t
GetUsableMtu(const Ptr<NetDevice>& device)
{
    return device && device->IsLinkUp() && !dynamic_cast<TransitTunnel*>(PeekPointer(device))
               ? device->GetMtu()
               : 0;
}

} // namespace

uint32_t
FindRouteMtu(const Ptr<Ipv4>& ipv4, const Ptr<MultipathRouting>& routing, Ipv4Address destination)
{
    if (!ipv4 || destination == Ipv4Address::GetAny())
    {
        return 0;
    }
    if (!routing)
    {
        Ipv4Header header;
        header.SetDestination(destination);
        header.SetProtocol(PROTOCOL_IP_IN_IP);
        Socket::SocketErrno error;
        const auto route = ipv4->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        return route ? GetUsableMtu(route->GetOutputDevice()) : 0;
    }
    const NextHopGroup* group = routing->FindTransit(destination.Get());
    uint32_t least = 0;
    if (group)
    {
        for (const auto& member : group->members)
        {
            const uint32_t mtu =
                member.IsUsable() ? GetUsableMtu(ipv4->GetNetDevice(member.nextHop.interface)) : 0;
            least = mtu > 0 && least > 0 ? std::min(least, mtu) : std::max(least, mtu);
        }
    }
    return least;
}

} // namespace ns3::aidc

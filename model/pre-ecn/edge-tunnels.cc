/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-tunnels.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/protocol-numbers.h"
#include "ns3/socket.h"

#include <algorithm>

namespace ns3::aidc
{

bool
EdgeTunnel::UpdatePaths()
{
    const std::size_t before = paths.size();
    paths.resize(device->GetPaths().GetN());
    for (uint32_t i = 0; i < paths.size(); ++i)
    {
        paths[i].isUp = device->GetPaths().IsUp(i);
    }
    return paths.size() != before;
}

FlowKey
EdgeTunnels::GetKey(const IpTunnelNetDevice& device)
{
    return MakeTunnelKey(device.GetLocal().Get(), device.GetRemote().Get());
}

EdgeTunnel*
EdgeTunnels::Find(const IpTunnelNetDevice& device)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&device](const EdgeTunnel& tunnel) {
            return PeekPointer(tunnel.device) == &device;
        });
    return found == m_tunnels.end() ? nullptr : &*found;
}

EdgeTunnel*
EdgeTunnels::Find(const CongestionNotification& notification, const Ipv4& ipv4)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&notification](const EdgeTunnel& tunnel) {
            return tunnel.device->GetLocal().Get() == notification.ingress &&
                   tunnel.device->GetRemote().Get() == notification.egress;
        });
    if (found != m_tunnels.end() && notification.flow == GetKey(*found->device))
    {
        return &*found;
    }
    const bool isHere = found != m_tunnels.end() &&
                        IsBehindTunnel(notification.flow.destination, ipv4) == true &&
                        IsBehindTunnel(notification.flow.source, ipv4) == false;
    return isHere ? &*found : nullptr;
}

std::optional<bool>
EdgeTunnels::IsBehindTunnel(uint32_t address, const Ipv4& ipv4) const
{
    Ipv4Header header;
    header.SetDestination(Ipv4Address(address));
    auto error = Socket::ERROR_NOTERROR;
    const auto route = ipv4.GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
    if (!route)
    {
        return std::nullopt;
    }
    return std::any_of(m_tunnels.begin(), m_tunnels.end(), [&route](const EdgeTunnel& tunnel) {
        return route->GetOutputDevice() == tunnel.device;
    });
}

} // namespace ns3::aidc

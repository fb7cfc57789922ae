/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connected-networks.h"

#include <algorithm>

namespace ns3::aidc
{

bool
operator==(const ConnectedNetworks::Network& a, const ConnectedNetworks::Network& b)
{
    return a.network == b.network && a.mask == b.mask;
}

std::optional<ConnectedNetworks::Network>
ConnectedNetworks::GetNetwork(const Ipv4InterfaceAddress& address)
{
    const Ipv4Mask mask = address.GetMask();
    const Ipv4Address network = address.GetLocal().CombineMask(mask);
    if (mask == Ipv4Mask::GetOnes() || network == Ipv4Address::GetAny())
    {
        return std::nullopt;
    }
    return Network{network, mask};
}

void
ConnectedNetworks::Add(uint32_t interface, const Network& network)
{
    const auto isIt = [&](const Connection& connection) {
        return connection.interface == interface && connection.network == network;
    };
    if (std::none_of(m_connections.begin(), m_connections.end(), isIt))
    {
        m_connections.push_back({network, interface});
    }
}

bool
ConnectedNetworks::Remove(uint32_t interface, const Network& network)
{
    const auto isIt = [&](const Connection& connection) {
        return connection.interface == interface && connection.network == network;
    };
    const auto found = std::find_if(m_connections.begin(), m_connections.end(), isIt);
    if (found == m_connections.end())
    {
        return false;
    }
    m_connections.erase(found);
    return true;
}

std::optional<uint32_t>
ConnectedNetworks::Find(const Network& network) const
{
    const auto isIt = [&](const Connection& connection) { return connection.network == network; };
    const auto found = std::find_if(m_connections.begin(), m_connections.end(), isIt);
    return found == m_connections.end() ? std::nullopt : std::optional(found->interface);
}

} // namespace ns3::aidc

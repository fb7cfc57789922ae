/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multipath-table.h"

#include "../core/require-argument.h"

#include "ns3/names.h"
#include "ns3/net-device.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

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

void
MultipathRoute::Print(std::ostream& os, const std::string& prefix, Ptr<Ipv4> ipv4) const
{
    os << std::setw(20) << prefix;
    if (!group)
    {
        os << "discard\n";
        return;
    }
    bool isFirst = true;
    for (const auto& member : group->members)
    {
        const NextHop& nextHop = member.nextHop;
        std::ostringstream gateway;
        gateway << nextHop.gateway;
        const std::string name = Names::FindName(ipv4->GetNetDevice(nextHop.interface));
        os << std::setw(isFirst ? 0 : 20) << "" << std::setw(16) << gateway.str() << std::setw(8)
           << nextHop.weight << std::setw(6)
           << (member.isHeld ? "held"
               : member.isUp ? "up"
                             : "down")
           << (name.empty() ? std::to_string(nextHop.interface) : name) << '\n';
        isFirst = false;
    }
}

/// Get the length of a mask as a PrefixTable takes it. @return the number of bits
static uint8_t
GetLength(Ipv4Mask mask)
{
    return static_cast<uint8_t>(mask.GetPrefixLength());
}

void
MultipathTable::AddRoute(Ipv4Address network, Ipv4Mask mask, const std::vector<NextHop>& nextHops)
{
    AIDC_REFUSED_IF(nextHops.empty(),
                    "MultipathRouting: the route to "
                        << network
                        << " has no next hop; "
                           "AddDiscardRoute() is for routes that drop");
    MultipathRoute route;
    route.group = m_groups.Get(nextHops);
    SetRoute(network, mask, route);
}

bool
MultipathTable::RemoveRoute(Ipv4Address network, Ipv4Mask mask)
{
    const MultipathRoute* found = Find(network, mask);
    if (!found)
    {
        return false;
    }
    const MultipathRoute removed = *found;
    m_routes.Remove(network.Get(), GetLength(mask));
    UseConnected({network, mask});
    if (removed.learned)
    {
        SetLearned(network, mask, removed.learned);
    }
    m_groups.Release(removed.group);
    m_groups.Release(removed.standIn);
    m_groups.Release(removed.learned);
    return true;
}

void
MultipathTable::RemoveLearned(Ipv4Address network, Ipv4Mask mask)
{
    const MultipathRoute* found = Find(network, mask);
    if (found && found->isLearned)
    {
        RemoveRoute(network, mask);
    }
    else if (found && found->learned)
    {
        MultipathRoute route = *found;
        m_groups.Release(std::exchange(route.learned, nullptr));
        m_routes.Insert(network.Get(), GetLength(mask), route);
    }
}

void
MultipathTable::SetLearned(Ipv4Address network, Ipv4Mask mask, NextHopGroup* group)
{
    const MultipathRoute* found = Find(network, mask);
    MultipathRoute route;
    if (!found || found->isLearned)
    {
        route.group = group;
        route.isLearned = true;
        SetRoute(network, mask, route);
        return;
    }
    route = *found;
    m_groups.Hold(group);
    m_groups.Release(std::exchange(route.learned, group));
    m_routes.Insert(network.Get(), GetLength(mask), route);
}

bool
MultipathTable::SetWeights(Ipv4Address network, Ipv4Mask mask, const std::vector<double>& weights)
{
    const MultipathRoute* found = Find(network, mask);
    if (!found || !found->group || found->group->members.size() != weights.size())
    {
        return false;
    }
    SetWeights(*found->group, network, weights);
    return true;
}

void
MultipathTable::SetWeights(NextHopGroup& group,
                           Ipv4Address network,
                           const std::vector<double>& weights)
{
    for (const double weight : weights)
    {
        AIDC_REFUSED_IF(!std::isfinite(weight) || weight < 0,
                        "MultipathRouting: expected a weight that is finite and not negative for "
                        "the route to "
                            << network << ", found " << weight);
    }
    m_groups.SetWeights(group, weights);
}

NextHopGroup*
MultipathTable::FindGroup(const RouteUpdate& update) const
{
    const MultipathRoute* found = Find(update.network, update.mask);
    if (!found)
    {
        return nullptr;
    }
    if (update.isLearned)
    {
        return found->GetLearned();
    }
    return found->isConnected || found->isLearned ? nullptr : found->group;
}

void
MultipathTable::Add(const RouteUpdate& update)
{
    update.isLearned ? SetLearned(update.network, update.mask, m_groups.Get(update.nextHops))
                     : AddRoute(update.network, update.mask, update.nextHops);
}

void
MultipathTable::UpdateRoutes(const std::vector<RouteUpdate>& updates)
{
    // Routes that only get other weights, by their groups, in the order of the first one.
    std::vector<std::vector<const RouteUpdate*>> reweighed;
    std::unordered_map<const NextHopGroup*, std::size_t> places;
    for (const RouteUpdate& update : updates)
    {
        const NextHopGroup* group = FindGroup(update);
        if (!group || !m_groups.IsSame(*group, update.nextHops, false))
        {
            Add(update);
        }
        else if (!m_groups.IsSame(*group, update.nextHops, true))
        {
            const auto [place, isNew] = places.try_emplace(group, reweighed.size());
            if (isNew)
            {
                reweighed.emplace_back();
            }
            reweighed[place->second].push_back(&update);
        }
    }
    for (const auto& routes : reweighed)
    {
        const RouteUpdate& first = *routes.front();
        NextHopGroup& group = *FindGroup(first);
        const auto differs = [&first](const RouteUpdate* other) {
            return !std::equal(
                first.nextHops.begin(),
                first.nextHops.end(),
                other->nextHops.begin(),
                [](const NextHop& a, const NextHop& b) { return a.weight == b.weight; });
        };
        if (group.nRoutes != routes.size() || std::any_of(routes.begin(), routes.end(), differs))
        {
            for (const RouteUpdate* update : routes)
            {
                Add(*update);
            }
            continue;
        }
        std::vector<double> weights;
        for (const NextHop& nextHop : first.nextHops)
        {
            weights.push_back(nextHop.weight);
        }
        SetWeights(group, first.network, weights);
    }
}

void
MultipathTable::SetRoute(Ipv4Address network, Ipv4Mask mask, MultipathRoute route)
{
    AIDC_REFUSED_IF((network.Get() & ~mask.Get()) != 0,
                    "MultipathRouting: " << network << " has bits beyond its mask " << mask);
    const bool isOverridable = route.group && !route.isConnected && !route.isLearned;
    route.standIn = isOverridable ? FindConnected({network, mask}) : nullptr;
    const MultipathRoute* found = Find(network, mask);
    const MultipathRoute former = found ? *found : MultipathRoute();
    route.learned = route.isLearned ? nullptr : former.GetLearned();
    m_groups.Hold(route.group);
    m_groups.Hold(route.standIn);
    m_groups.Hold(route.learned);
    m_routes.Insert(network.Get(), GetLength(mask), route);
    m_groups.Release(former.group);
    m_groups.Release(former.standIn);
    m_groups.Release(former.learned);
}

void
MultipathTable::AddConnected(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    if (const auto network = ConnectedNetworks::GetNetwork(address))
    {
        m_connected.Add(interface, *network);
        UseConnected(*network);
    }
}

void
MultipathTable::RemoveConnected(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    const auto network = ConnectedNetworks::GetNetwork(address);
    if (!network || !m_connected.Remove(interface, *network))
    {
        return;
    }
    const MultipathRoute* route = Find(network->network, network->mask);
    if (route && route->isConnected)
    {
        RemoveRoute(network->network, network->mask); // and use what else is connected
    }
    else
    {
        UseConnected(*network);
    }
}

NextHopGroup*
MultipathTable::FindConnected(const ConnectedNetworks::Network& network)
{
    const auto interface = m_connected.Find(network);
    return interface ? m_groups.Get({NextHop(*interface)}) : nullptr;
}

void
MultipathTable::UseConnected(const ConnectedNetworks::Network& network)
{
    const MultipathRoute* found = Find(network.network, network.mask);
    if (found && found->isConnected)
    {
        return;
    }
    if (found && !found->isLearned)
    {
        SetRoute(network.network, network.mask, *found); // which finds what stands in for it
        return;
    }
    MultipathRoute route;
    route.group = FindConnected(network);
    route.isConnected = true;
    if (route.group)
    {
        SetRoute(network.network, network.mask, route);
    }
}

void
MultipathTable::Print(std::ostream& os) const
{
    os << std::left << std::setw(20) << "Destination" << std::setw(16) << "Gateway" << std::setw(8)
       << "Weight" << std::setw(6) << "State" << "Iface\n";
    m_routes.ForEach([this, &os](uint32_t network, uint8_t length, const MultipathRoute& route) {
        std::ostringstream prefix;
        prefix << Ipv4Address(network) << '/' << static_cast<uint32_t>(length);
        route.Print(os, prefix.str(), m_ipv4);
    });
}

} // namespace ns3::aidc

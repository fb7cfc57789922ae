// SPDX-License-Identifier: GPL-2.0-only

#include "multipath-table.h"

#include "../core/require-argument.h"

#include "ns3/names.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/virtual-net-device.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

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

/// Compare a group's next hops with others. @return whether they are the same, in the same order
static bool
HasNextHops(const NextHopGroup& group, const std::vector<NextHop>& nextHops, bool withWeights)
{
    return std::equal(group.members.begin(),
                      group.members.end(),
                      nextHops.begin(),
                      nextHops.end(),
                      [withWeights](const NextHopGroup::Member& member, const NextHop& nextHop) {
                          const NextHop& own = member.nextHop;
                          return own.interface == nextHop.interface &&
                                 own.gateway == nextHop.gateway &&
                                 (!withWeights || own.weight == nextHop.weight);
                      });
}

/// Leave out tunnels without a path, unless all next hops are such tunnels.
static void
LeaveOutDeadTunnels(Ipv4& ipv4, NextHopGroup& group)
{
    // The last ones stay: a tunnel without a path counts what it drops.
    const auto isDead = [&ipv4, &group](uint32_t index) {
        const auto device = ipv4.GetNetDevice(group.members[index].nextHop.interface);
        return DynamicCast<VirtualNetDevice>(device) && !device->IsLinkUp();
    };
    auto& usable = group.usable;
    const auto nDead = std::count_if(usable.begin(), usable.end(), isDead);
    if (nDead == 0 || static_cast<std::size_t>(nDead) == usable.size())
    {
        return;
    }
    for (const uint32_t index : usable)
    {
        group.members[index].isUp = !isDead(index);
    }
    usable.erase(std::remove_if(usable.begin(), usable.end(), isDead), usable.end());
}

/// Get the length of a mask as a PrefixTable takes it. @return the number of bits
static uint8_t
GetLength(Ipv4Mask mask)
{
    return static_cast<uint8_t>(mask.GetPrefixLength());
}

void
MultipathTable::SetSelector(Ptr<NextHopSelector> selector)
{
    for (const auto& group : m_groups)
    {
        group->state.reset(); // it may be of the previous selector
    }
    m_selector = selector;
    if (m_selector && m_ipv4)
    {
        m_selector->SetIpv4(m_ipv4);
        for (const auto& group : m_groups)
        {
            m_selector->NotifyGroup(*group);
        }
    }
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
    route.group = GetGroup(nextHops);
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
    Release(removed);
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
        Release(std::exchange(route.learned, nullptr));
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
    ++group->nRoutes;
    Release(std::exchange(route.learned, group));
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
    const auto quantized = Quantize(weights);
    for (std::size_t i = 0; i < quantized.size(); ++i)
    {
        group.members[i].nextHop.weight = quantized[i];
    }
    Update(group);
    ShareTables();
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
    update.isLearned ? SetLearned(update.network, update.mask, GetGroup(update.nextHops))
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
        if (!group || !HasNextHops(*group, update.nextHops, false))
        {
            Add(update);
        }
        else if (m_limits.KeepsWeights() ? !HasNextHops(*group, update.nextHops, true)
                                         : !HasNextHops(*group, Quantize(update.nextHops), true))
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
    Hold(route);
    m_routes.Insert(network.Get(), GetLength(mask), route);
    Release(former);
}

std::optional<MultipathTable::Network>
MultipathTable::GetNetwork(const Ipv4InterfaceAddress& address)
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
MultipathTable::AddConnected(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    if (const auto network = GetNetwork(address))
    {
        const std::pair connection(*network, interface);
        if (std::find(m_connected.begin(), m_connected.end(), connection) == m_connected.end())
        {
            m_connected.push_back(connection);
        }
        UseConnected(*network);
    }
}

void
MultipathTable::RemoveConnected(uint32_t interface, const Ipv4InterfaceAddress& address)
{
    const auto network = GetNetwork(address);
    if (!network)
    {
        return;
    }
    const auto found =
        std::find(m_connected.begin(), m_connected.end(), std::pair(*network, interface));
    if (found == m_connected.end())
    {
        return;
    }
    m_connected.erase(found);
    const auto& [base, mask] = *network;
    const MultipathRoute* route = Find(base, mask);
    if (route && route->isConnected)
    {
        RemoveRoute(base, mask); // and use what else is connected
    }
    else
    {
        UseConnected(*network);
    }
}

NextHopGroup*
MultipathTable::FindConnected(const Network& network)
{
    const auto found = std::find_if(m_connected.begin(), m_connected.end(), [&](const auto& other) {
        return other.first == network;
    });
    return found == m_connected.end() ? nullptr : GetGroup({NextHop(found->second)});
}

void
MultipathTable::UseConnected(const Network& network)
{
    const MultipathRoute* found = Find(network.first, network.second);
    if (found && found->isConnected)
    {
        return;
    }
    if (found && !found->isLearned)
    {
        SetRoute(network.first, network.second, *found); // which finds what stands in for it
        return;
    }
    MultipathRoute route;
    route.group = FindConnected(network);
    route.isConnected = true;
    if (route.group)
    {
        SetRoute(network.first, network.second, route);
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

// The groups of next hops

NextHopGroup*
MultipathTable::GetGroup(const std::vector<NextHop>& nextHops)
{
    AIDC_REFUSED_IF(!m_ipv4, "MultipathRouting: routes are added after the stack is installed");
    for (const auto& nextHop : nextHops)
    {
        AIDC_REFUSED_IF(nextHop.interface >= m_ipv4->GetNInterfaces(),
                        "MultipathRouting: node "
                            << m_ipv4->GetObject<Node>()->GetId() << " has interfaces 0 to "
                            << m_ipv4->GetNInterfaces() - 1 << ", found " << nextHop.interface);
        AIDC_REFUSED_IF(!std::isfinite(nextHop.weight) || nextHop.weight < 0,
                        "MultipathRouting: expected a weight that is finite and not negative, "
                        "found "
                            << nextHop.weight);
    }
    const std::vector<NextHop> quantized = Quantize(nextHops);
    for (const auto& group : m_groups)
    {
        if (HasNextHops(*group, quantized, true))
        {
            return group.get();
        }
    }
    auto group = std::make_unique<NextHopGroup>();
    for (const NextHop& nextHop : quantized)
    {
        group->members.emplace_back().nextHop = nextHop;
    }
    Update(*group);
    m_groups.push_back(std::move(group));
    NextHopGroup* made = m_groups.back().get();
    ShareTables();
    return made;
}

std::vector<double>
MultipathTable::Quantize(const std::vector<double>& weights) const
{
    try
    {
        return m_limits.KeepsWeights() ? weights : QuantizeWeights(weights, m_limits);
    }
    catch (const std::invalid_argument& error)
    {
        AIDC_REFUSE("MultipathRouting: node " << m_ipv4->GetObject<Node>()->GetId() << ": "
                                              << error.what());
    }
}

std::vector<NextHop>
MultipathTable::Quantize(std::vector<NextHop> nextHops) const
{
    if (m_limits.KeepsWeights())
    {
        return nextHops;
    }
    std::vector<double> weights;
    for (const NextHop& nextHop : nextHops)
    {
        weights.push_back(nextHop.weight);
    }
    weights = Quantize(weights);
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        nextHops[i].weight = weights[i];
    }
    return nextHops;
}

void
MultipathTable::Hold(const MultipathRoute& route)
{
    for (NextHopGroup* group : route.GetWays())
    {
        if (group)
        {
            ++group->nRoutes;
        }
    }
}

void
MultipathTable::Release(const MultipathRoute& route)
{
    for (NextHopGroup* group : route.GetWays())
    {
        Release(group);
    }
}

void
MultipathTable::Release(NextHopGroup* group)
{
    if (!group || --group->nRoutes > 0)
    {
        return;
    }
    const auto isGroup = [group](const auto& other) { return other.get() == group; };
    m_groups.erase(std::find_if(m_groups.begin(), m_groups.end(), isGroup));
    ShareTables();
}

void
MultipathTable::ShareTables()
{
    if (m_limits.maxGroups == 0)
    {
        return;
    }
    std::vector<NextHopGroup*> groups;
    for (const auto& group : m_groups)
    {
        groups.push_back(group.get());
    }
    std::stable_partition(groups.begin(), groups.end(), [](const NextHopGroup* group) {
        return !group->isHeld;
    });
    // Who has a table, by next hops and weights
    std::set<std::vector<std::tuple<uint32_t, uint32_t, double>>> tables;
    for (NextHopGroup* group : groups)
    {
        std::vector<std::tuple<uint32_t, uint32_t, double>> content;
        for (const auto& member : group->members)
        {
            const NextHop& nextHop = member.nextHop;
            if (nextHop.weight > 0)
            {
                content.emplace_back(nextHop.interface, nextHop.gateway.Get(), nextHop.weight);
            }
        }
        const bool needsTable = content.size() > 1 && tables.count(content) == 0;
        const bool isHeld = needsTable && tables.size() >= m_limits.maxGroups;
        if (needsTable && !isHeld)
        {
            tables.insert(content);
        }
        if (isHeld != group->isHeld)
        {
            group->isHeld = isHeld;
            group->turn = isHeld ? m_turn++ : 0;
            Update(*group);
        }
        if (isHeld)
        {
            WarnOnce("a switch has more groups of next hops than MaxGroups = " +
                     std::to_string(m_limits.maxGroups) +
                     "; until there is room, a group beyond them uses one of its next hops");
        }
    }
}

std::size_t
MultipathTable::GetNHeldGroups() const
{
    return std::count_if(m_groups.begin(), m_groups.end(), [](const auto& group) {
        return group->isHeld;
    });
}

void
MultipathTable::Update(NextHopGroup& group)
{
    group.usable.clear();
    for (uint32_t i = 0; i < group.members.size(); ++i)
    {
        auto& member = group.members[i];
        member.isUp = IsUsable(member.nextHop.interface);
        member.isHeld = false;
        if (member.IsUsable())
        {
            group.usable.push_back(i);
        }
    }
    LeaveOutDeadTunnels(*m_ipv4, group);
    if (group.isHeld && !group.usable.empty())
    {
        const uint32_t kept = group.usable[group.turn % group.usable.size()];
        for (const uint32_t i : group.usable)
        {
            group.members[i].isHeld = i != kept;
        }
        group.usable.assign(1, kept);
    }
    if (m_selector)
    {
        m_selector->NotifyGroup(group);
    }
}

bool
MultipathTable::SetBlocked(uint32_t interface, bool isBlocked)
{
    return isBlocked ? m_blocked.insert(interface).second : m_blocked.erase(interface) > 0;
}

void
MultipathTable::UpdateInterface(uint32_t interface)
{
    for (const auto& group : m_groups)
    {
        const auto isOn = [interface](const NextHopGroup::Member& member) {
            return member.nextHop.interface == interface;
        };
        if (std::any_of(group->members.begin(), group->members.end(), isOn))
        {
            Update(*group);
        }
    }
}

void
MultipathTable::Clear()
{
    m_groups.clear();
    m_routes.Clear();
    m_selector = nullptr;
    m_ipv4 = nullptr;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MULTIPATH_TABLE_H
#define AIDC_MULTIPATH_TABLE_H

#include "../core/routing/prefix-table.h"
#include "next-hop-selector.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/next-hop-weights.h"
#include "ns3/ptr.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Where a prefix of a MultipathTable leads.
struct MultipathRoute
{
    NextHopGroup* group{nullptr};   //!< the next hops, null to discard
    NextHopGroup* standIn{nullptr}; //!< the connected network of the same prefix, if there is one
    NextHopGroup* learned{nullptr}; //!< learned by a protocol, used after group and standIn
    bool isConnected{false};        //!< the network of an interface's address
    bool isLearned{false};          //!< group was learned by a protocol, and is the only one

    /// Tell whether the route can be used. @return whether it discards or leads somewhere now
    bool IsUsable() const
    {
        return !group || !group->usable.empty() || (standIn && !standIn->usable.empty()) ||
               (learned && !learned->usable.empty());
    }

    /// Get the next hops of a route that can be used.
    /// @return the next hops of the route; if these cannot be used, the connected network's, or
    ///         else the ones learned by a protocol; null to discard
    NextHopGroup* GetUsable() const
    {
        if (!group || !group->usable.empty())
        {
            return group;
        }
        return standIn && !standIn->usable.empty() ? standIn : learned;
    }

    /// @return all groups of next hops, by preference; null for a group that is not there
    std::array<NextHopGroup*, 3> GetWays() const
    {
        return {group, standIn, learned};
    }

    /// Get the next hops learned by a protocol. @return null if there are none
    NextHopGroup* GetLearned() const
    {
        return isLearned ? group : learned;
    }

    /// Print the route, a line a next hop. os: where to; prefix: the prefix as text; ipv4: the
    /// protocol stack, which has the names of the interfaces' devices.
    void Print(std::ostream& os, const std::string& prefix, Ptr<Ipv4> ipv4) const;
};

/// A route to add or replace.
struct RouteUpdate
{
    Ipv4Address network;           //!< the network
    Ipv4Mask mask;                 //!< its mask
    std::vector<NextHop> nextHops; //!< its next hops, at least one

    /// A routing protocol has learned it. Connected networks and static routes to the same network
    /// are preferred, as by administrative distances of 0, 1, and more.
    bool isLearned{false};
};

/// The unicast routes of a MultipathRouting: prefixes, their groups of next hops, and the
/// connected networks that stand in for them.
///
/// There is one group for all routes that have the same next hops. With NextHopTableSettings,
/// weights are numbers of entries of a table, and the number of tables is limited. Groups with the
/// same next hops and weights share a table, and a single next hop needs none. A group for which
/// there is no room is held: until there is room, it sends everything to one of its next hops, and
/// held groups take their next hops in turn. SONiC does the same (RouteOrch::addTempRoute() of
/// sonic-swss), but draws the next hop at random.
///
/// MultipathRouting documents the requirements on parameters.
class MultipathTable
{
  public:
    /// Set the protocol stack, to whose interfaces routes lead.
    void SetIpv4(Ptr<Ipv4> ipv4)
    {
        m_ipv4 = ipv4;
    }

    /// Set the selector of next hops, which is notified of each group that changes: groups forget
    /// the state of another selector. @param selector the selector, may be null
    void SetSelector(Ptr<NextHopSelector> selector);

    /// Set the limits of the hardware's table. @param limits the limits, of groups from now on
    void SetLimits(const NextHopTableSettings& limits)
    {
        m_limits = limits;
    }

    /// Add a route, or replace the one to the same network. nextHops: the next hops, at least one.
    void AddRoute(Ipv4Address network, Ipv4Mask mask, const std::vector<NextHop>& nextHops);

    /// Add a route by which packets are dropped, or replace the one to the same network.
    void AddDiscardRoute(Ipv4Address network, Ipv4Mask mask)
    {
        SetRoute(network, mask, MultipathRoute());
    }

    /// Remove a route. @return whether there was one
    bool RemoveRoute(Ipv4Address network, Ipv4Mask mask);

    /// Remove a route that a protocol has learned, and leave others to the network alone.
    void RemoveLearned(Ipv4Address network, Ipv4Mask mask);

    /// As MultipathRouting::SetWeights().
    bool SetWeights(Ipv4Address network, Ipv4Mask mask, const std::vector<double>& weights);

    /// Add or replace routes, in place where all routes of a group change alike.
    void UpdateRoutes(const std::vector<RouteUpdate>& updates);

    /// Add the network of an address. interface: the index of the interface.
    void AddConnected(uint32_t interface, const Ipv4InterfaceAddress& address);

    /// Remove the network of an address. interface: the index of the interface.
    void RemoveConnected(uint32_t interface, const Ipv4InterfaceAddress& address);

    /// Update the groups with a member at an interface that has come up or gone down.
    void UpdateInterface(uint32_t interface);

    /// Block the next hops over an interface, or use them again from UpdateInterface() on.
    /// @return whether this has changed
    bool SetBlocked(uint32_t interface, bool isBlocked);

    /// @param interface the index of an interface @return whether it is up and not blocked
    bool IsUsable(uint32_t interface) const
    {
        return m_ipv4->IsUp(interface) && m_blocked.count(interface) == 0;
    }

    /// @return the routes, including the routes of connected networks
    const PrefixTable<MultipathRoute>& GetRoutes() const
    {
        return m_routes;
    }

    /// @return the number of groups of next hops
    std::size_t GetNGroups() const
    {
        return m_groups.size();
    }

    /// @return the number of groups that are held
    std::size_t GetNHeldGroups() const;

    /// Print the routes, a line a next hop, below a line of headings. @param os where to
    void Print(std::ostream& os) const;

    /// Forget all routes, the stack and the selector.
    void Clear();

  private:
    /// A network and its mask.
    using Network = std::pair<Ipv4Address, Ipv4Mask>;

    /// @return the network of an interface's address; none if the network has only this address
    static std::optional<Network> GetNetwork(const Ipv4InterfaceAddress& address);

    /// @return the route to just this network, null if there is none
    const MultipathRoute* Find(Ipv4Address network, Ipv4Mask mask) const
    {
        return m_routes.FindExact(network.Get(), static_cast<uint8_t>(mask.GetPrefixLength()));
    }

    /// Set a route. route: where it leads; its groups are counted, and its stand-in is found here.
    void SetRoute(Ipv4Address network, Ipv4Mask mask, MultipathRoute route);

    /// Set the next hops learned by a protocol, as the only ones or after another route.
    void SetLearned(Ipv4Address network, Ipv4Mask mask, NextHopGroup* group);

    /// Find the group of an update that changes weights only. @return the group that it may set
    /// weights of, null if there is none
    NextHopGroup* FindGroup(const RouteUpdate& update) const;

    /// Add or replace a route. @param update the route
    void Add(const RouteUpdate& update);

    /// Set the weights of a group. network: of one of its routes, for messages.
    void SetWeights(NextHopGroup& group, Ipv4Address network, const std::vector<double>& weights);

    /// Find or make the group of next hops.
    NextHopGroup* GetGroup(const std::vector<NextHop>& nextHops);

    /// Count a route as a user of its groups.
    static void Hold(const MultipathRoute& route);

    /// Release a group, which ends with its last route. @param group the group, may be null
    void Release(NextHopGroup* group);

    /// Release the groups of a route.
    void Release(const MultipathRoute& route);

    /// Get weights as the node has them. @return the weights that are used
    std::vector<double> Quantize(const std::vector<double>& weights) const;

    /// Get next hops with weights as the node has them.
    std::vector<NextHop> Quantize(std::vector<NextHop> nextHops) const;

    /// Find out which members of a group can be used, and tell the selector. @param group the group
    void Update(NextHopGroup& group);

    /// Give tables to groups: first to groups that have one, then to others as long as there is
    /// room.
    void ShareTables();

    /// Find the group of a connected network. @return the next hop over the first interface that is
    /// up and has an address of the network, null if there is none
    NextHopGroup* FindConnected(const Network& network);

    /// Reach a network over the first interface that has an address of it, if there is one. If a
    /// route to the network was added, this applies only while that route cannot be used.
    void UseConnected(const Network& network);

    PrefixTable<MultipathRoute> m_routes;                //!< the routes
    std::vector<std::unique_ptr<NextHopGroup>> m_groups; //!< their next hops
    /// The networks of the addresses of the interfaces that are up, in the order of addition
    std::vector<std::pair<Network, uint32_t>> m_connected;
    Ptr<Ipv4> m_ipv4;                //!< the protocol stack
    Ptr<NextHopSelector> m_selector; //!< chooses among next hops
    std::set<uint32_t> m_blocked;    //!< interfaces that are not used
    NextHopTableSettings m_limits;   //!< the limits of the node
    uint32_t m_turn{0};              //!< whose turn it is in held groups
};

} // namespace ns3::aidc

#endif // AIDC_MULTIPATH_TABLE_H

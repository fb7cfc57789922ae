/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MULTIPATH_TABLE_H
#define AIDC_MULTIPATH_TABLE_H

#include "connected-networks.h"
#include "next-hop-groups.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/prefix-table.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Where a prefix of a MultipathTable leads.
struct MultipathRoute
{
    NextHopGroup* group{nullptr};   //!< the next hops, null to discard
    NextHopGroup* standIn{nullptr}; //!< the connected network of the same prefix, if there is one
    NextHopGroup* learned{nullptr}; //!< what a protocol has learned, behind group and standIn
    bool isConnected{false};        //!< the network of an interface's address
    bool isLearned{false};          //!< group is what a protocol has learned: there is nothing else

    /// Tell whether the route can be used. @return whether it discards or leads somewhere now
    bool IsUsable() const
    {
        return !group || !group->usable.empty() || (standIn && !standIn->usable.empty()) ||
               (learned && !learned->usable.empty());
    }

    /// Get the next hops of a route that can be used.
    /// @return those of the route, or if these cannot be used, of the connected network or else of
    ///         what is learned; null to discard
    NextHopGroup* GetUsable() const
    {
        if (!group || !group->usable.empty())
        {
            return group;
        }
        return standIn && !standIn->usable.empty() ? standIn : learned;
    }

    /// Get what a protocol has learned. @return its next hops, null if there are none
    NextHopGroup* GetLearned() const
    {
        return isLearned ? group : learned;
    }
};

/// @ingroup aidc
/// @brief A route as it is to be.
struct RouteUpdate
{
    Ipv4Address network;           //!< the network
    Ipv4Mask mask;                 //!< its mask
    std::vector<NextHop> nextHops; //!< its next hops, at least one

    /// A routing protocol has learned it: connected networks and routes set by hand to the same
    /// network are used before it, as by administrative distances of 0, 1, and more
    bool isLearned{false};
};

/**
 * @ingroup aidc
 * @brief The unicast routes of a MultipathRouting: prefixes, their groups of next hops, and the
 *        connected networks that stand in for them.
 *
 * What the parameters of its functions must be is said at the ones of MultipathRouting.
 */
class MultipathTable
{
  public:
    /// Set the protocol stack, to whose interfaces routes lead. @param ipv4 the stack
    void SetIpv4(Ptr<Ipv4> ipv4);

    /// Set what chooses among next hops, which is told of each group that changes.
    /// @param selector the selector, may be null
    void SetSelector(Ptr<NextHopSelector> selector);

    /// Add a route, or replace the one to the same network.
    /// @param network the network
    /// @param mask its mask
    /// @param nextHops the next hops, at least one
    void AddRoute(Ipv4Address network, Ipv4Mask mask, const std::vector<NextHop>& nextHops);

    /// Add a route by which packets are dropped, or replace the one to the same network.
    /// @param network the network
    /// @param mask its mask
    void AddDiscardRoute(Ipv4Address network, Ipv4Mask mask);

    /// Remove a route.
    /// @param network the network
    /// @param mask its mask
    /// @return whether there was one
    bool RemoveRoute(Ipv4Address network, Ipv4Mask mask);

    /// Remove a route that a protocol has learned, and leave others to the network alone.
    /// @param network the network
    /// @param mask its mask
    void RemoveLearned(Ipv4Address network, Ipv4Mask mask);

    /// Set the weights of a route's next hops, and of those of all routes that share them.
    /// @param network the network
    /// @param mask its mask
    /// @param weights a weight for each next hop, in the order in which AddRoute had them
    /// @return false if there is no such route or it has another number of next hops
    bool SetWeights(Ipv4Address network, Ipv4Mask mask, const std::vector<double>& weights);

    /// Add or replace routes, in place where all routes of a group change alike.
    /// @param updates the routes
    void UpdateRoutes(const std::vector<RouteUpdate>& updates);

    /// Add the network of an address.
    /// @param interface the index of the interface
    /// @param address its address
    void AddConnected(uint32_t interface, const Ipv4InterfaceAddress& address);

    /// Remove the network of an address.
    /// @param interface the index of the interface
    /// @param address its address
    void RemoveConnected(uint32_t interface, const Ipv4InterfaceAddress& address);

    /// Update the groups of an interface that has come up or gone down.
    /// @param interface the index of the interface
    void UpdateInterface(uint32_t interface);

    /// @return the routes, those of connected networks included
    const PrefixTable<MultipathRoute>& GetRoutes() const
    {
        return m_routes;
    }

    /// @return the number of groups of next hops
    std::size_t GetNGroups() const;

    /// Print the routes, a line a next hop, below a line of headings. @param os where to
    void Print(std::ostream& os) const;

    /// Forget all routes, the stack and the selector.
    void Clear();

  private:
    /// Set a route.
    /// @param network the network
    /// @param mask its mask
    /// @param route where it leads; its groups are counted, and what stands in for it is found
    void SetRoute(Ipv4Address network, Ipv4Mask mask, MultipathRoute route);

    /// Set what a protocol has learned, in front of nothing or behind another route.
    /// @param network the network
    /// @param mask its mask
    /// @param group the next hops
    void SetLearned(Ipv4Address network, Ipv4Mask mask, NextHopGroup* group);

    /// Find the group that an update is about.
    /// @param update the update
    /// @return the group that it may set weights of, null if there is none
    NextHopGroup* FindGroup(const RouteUpdate& update) const;

    /// Add or replace a route. @param update the route
    void Add(const RouteUpdate& update);

    /// Set the weights of a group.
    /// @param group the group
    /// @param network a network that it leads to
    /// @param weights a weight for each member
    void SetWeights(NextHopGroup& group, Ipv4Address network, const std::vector<double>& weights);

    /// Find the group of a connected network.
    /// @param network the network
    /// @return the next hop over the first interface that is up and has an address of the network,
    ///         null if there is none
    NextHopGroup* FindConnected(const ConnectedNetworks::Network& network);

    /// Reach a network over the first interface that has an address of it, if there is one; if
    /// somebody has set a route to it, only while that cannot be used.
    /// @param network the network
    void UseConnected(const ConnectedNetworks::Network& network);

    PrefixTable<MultipathRoute> m_routes; //!< the routes
    NextHopGroups m_groups;               //!< their next hops
    ConnectedNetworks m_connected;        //!< the networks of the interfaces
    Ptr<Ipv4> m_ipv4;                     //!< the protocol stack
};

} // namespace ns3::aidc

#endif // AIDC_MULTIPATH_TABLE_H

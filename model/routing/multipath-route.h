/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MULTIPATH_ROUTE_H
#define AIDC_MULTIPATH_ROUTE_H

#include "next-hop-group.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/ptr.h"

#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * A route of a MultipathTable, and an update of one.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Where a prefix of a MultipathTable leads.
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
    /// @return the next hops of the route; if these cannot be used, those of the connected network,
    ///         or else those learned by a protocol; null to discard
    NextHopGroup* GetUsable() const
    {
        if (!group || !group->usable.empty())
        {
            return group;
        }
        return standIn && !standIn->usable.empty() ? standIn : learned;
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

/// @ingroup aidc
/// @brief A route to add or replace.
struct RouteUpdate
{
    Ipv4Address network;           //!< the network
    Ipv4Mask mask;                 //!< its mask
    std::vector<NextHop> nextHops; //!< its next hops, at least one

    /// A routing protocol has learned it. Connected networks and static routes to the same network
    /// are preferred, as by administrative distances of 0, 1, and more.
    bool isLearned{false};
};

} // namespace ns3::aidc

#endif // AIDC_MULTIPATH_ROUTE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ROUTE_INSTALLER_H
#define AIDC_BGP_ROUTE_INSTALLER_H

#include "bgp-peer-link.h"

#include "ns3/bgp-rib.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Writes the routes that a speaker uses into the MultipathRouting of its node.
 *
 * Routes that are used together become one route with several next hops. The speaker's own networks
 * are not written. A next hop that is not on the link to its peer is resolved by the node's routing
 * once, when the route is written.
 */
class BgpRouteInstaller
{
  public:
    /// Gets the link to a peer by the peer's number.
    using FindLink = std::function<const BgpPeerLink&(uint32_t)>;

    /// Find the routing to which routes are written. @param ipv4 a node's IPv4 @return its
    /// MultipathRouting, alone or within an Ipv4ListRouting; null if there is none
    static Ptr<MultipathRouting> FindRouting(Ptr<Ipv4> ipv4);

    /// Constructor. ipv4: the node's IPv4; routing: where routes are written; findLink: gets the
    /// link to a peer.
    BgpRouteInstaller(Ptr<Ipv4> ipv4, Ptr<MultipathRouting> routing, FindLink findLink);

    /// Write routes that have changed. rib: the speaker's routes; prefixes: the prefixes whose
    /// routes have changed.
    void Install(const BgpRib& rib, const std::vector<BgpPrefix>& prefixes);

  private:
    /// @return the next hops; empty if there is nothing to be written
    std::vector<NextHop> GetNextHops(const std::vector<BgpRibPath>& paths) const;

    Ptr<Ipv4> m_ipv4;                //!< the node's IPv4
    Ptr<MultipathRouting> m_routing; //!< where routes are written
    FindLink m_findLink;             //!< gets the link to a peer
    std::set<BgpPrefix> m_installed; //!< routes that have been written
};

} // namespace ns3::aidc

#endif // AIDC_BGP_ROUTE_INSTALLER_H

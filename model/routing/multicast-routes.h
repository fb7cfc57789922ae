/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MULTICAST_ROUTES_H
#define AIDC_MULTICAST_ROUTES_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The multicast routes of a node.
class MulticastRoutes
{
  public:
    /// Add a route.
    /// @param origin the source, or Ipv4Address::GetAny() for all
    /// @param group the multicast group
    /// @param inputInterface the interface on which packets arrive, or Ipv4::IF_ANY
    /// @param outputInterfaces the interfaces to which they are copied
    void Add(Ipv4Address origin,
             Ipv4Address group,
             uint32_t inputInterface,
             const std::vector<uint32_t>& outputInterfaces)
    {
        m_routes.push_back({origin, group, inputInterface, outputInterfaces});
    }

    /// @param ipv4 the node's interfaces
    /// @param origin the source of the packet
    /// @param group the multicast group
    /// @param interface where it has arrived
    /// @return the first route that matches, to the outgoing interfaces that are up, without the
    ///         one of arrival; null if there is none
    Ptr<Ipv4MulticastRoute> Find(const Ipv4& ipv4,
                                 Ipv4Address origin,
                                 Ipv4Address group,
                                 uint32_t interface) const;

  private:
    /// A multicast route.
    struct Route
    {
        Ipv4Address origin;            //!< the source, or any
        Ipv4Address group;             //!< the group
        uint32_t inputInterface;       //!< where packets arrive, or Ipv4::IF_ANY
        std::vector<uint32_t> outputs; //!< where they go
    };

    std::vector<Route> m_routes; //!< the routes, in the order of addition
};

} // namespace ns3::aidc

#endif // AIDC_MULTICAST_ROUTES_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROUTE_MTU_H
#define AIDC_ROUTE_MTU_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

class MultipathRouting;

/**
 * @ingroup aidc
 * @brief Get the longest packet that the route to an address carries.
 * @param ipv4 the stack, may be null
 * @param routing its routing, null if it is not MultipathRouting alone
 * @param destination the address
 * @return bytes, the least of equal next hops; 0 if there is no route over a link that is up, or
 *         only into a tunnel
 */
uint32_t FindRouteMtu(const Ptr<Ipv4>& ipv4,
                      const Ptr<MultipathRouting>& routing,
                      Ipv4Address destination);

} // namespace ns3::aidc

#endif // AIDC_ROUTE_MTU_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FIND_MULTIPATH_ROUTING_H
#define AIDC_FIND_MULTIPATH_ROUTING_H

#include "multipath-routing.h"

#include "ns3/ipv4.h"
#include "ns3/ptr.h"

namespace ns3::aidc
{

/// @brief Find the MultipathRouting of a protocol stack.
/// @param ipv4 the stack
/// @return the routing, alone or in an Ipv4ListRouting; null if there is none
Ptr<MultipathRouting> FindMultipathRouting(Ptr<Ipv4> ipv4);

} // namespace ns3::aidc

#endif // AIDC_FIND_MULTIPATH_ROUTING_H

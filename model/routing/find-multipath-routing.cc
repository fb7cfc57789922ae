/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "find-multipath-routing.h"

#include "ns3/ipv4-list-routing.h"

#include <cstdint>

namespace ns3::aidc
{

Ptr<MultipathRouting>
FindMultipathRouting(Ptr<Ipv4> ipv4)
{
    const auto protocol = ipv4->GetRoutingProtocol();
    auto routing = DynamicCast<MultipathRouting>(protocol);
    if (const auto list = DynamicCast<Ipv4ListRouting>(protocol))
    {
        for (uint32_t i = 0; !routing && i < list->GetNRoutingProtocols(); ++i)
        {
            int16_t priority = 0;
            routing = DynamicCast<MultipathRouting>(list->GetRoutingProtocol(i, priority));
        }
    }
    return routing;
}

} // namespace ns3::aidc

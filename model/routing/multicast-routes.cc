/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multicast-routes.h"

namespace ns3::aidc
{

Ptr<Ipv4MulticastRoute>
MulticastRoutes::Find(const Ipv4& ipv4,
                      Ipv4Address origin,
                      Ipv4Address group,
                      uint32_t interface) const
{
    for (const auto& candidate : m_routes)
    {
        if (candidate.group == group &&
            (candidate.origin == Ipv4Address::GetAny() || candidate.origin == origin) &&
            (candidate.inputInterface == Ipv4::IF_ANY || candidate.inputInterface == interface))
        {
            auto route = Create<Ipv4MulticastRoute>();
            route->SetOrigin(candidate.origin);
            route->SetGroup(group);
            route->SetParent(interface);
            for (const uint32_t output : candidate.outputs)
            {
                if (output != interface && ipv4.IsUp(output))
                {
                    route->SetOutputTtl(output, Ipv4MulticastRoute::MAX_TTL - 1);
                }
            }
            return route;
        }
    }
    return nullptr;
}

} // namespace ns3::aidc

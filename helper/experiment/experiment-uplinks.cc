/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-uplinks.h"

namespace ns3::aidc
{

std::vector<uint32_t>
GetUplinks(const FabricPlan& fabric, uint32_t id)
{
    std::vector<uint32_t> ports;
    const auto& all = fabric.GetPorts(id);
    for (uint32_t port = 0; port < all.size(); ++port)
    {
        if (fabric.GetNode(all[port].peer).tier > fabric.GetNode(id).tier)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

} // namespace ns3::aidc

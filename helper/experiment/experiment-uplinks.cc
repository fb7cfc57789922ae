/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-uplinks.h"

namespace ns3::aidc
{

std::vector<PortIndex>
GetUplinks(const FabricPlan& fabric, NodeIndex id)
{
    std::vector<PortIndex> ports;
    const auto& all = fabric.GetPorts(id);
    for (PortIndex port; port < all.GetEnd(); ++port)
    {
        if (fabric.GetNode(all[port].peer).tier > fabric.GetNode(id).tier)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

} // namespace ns3::aidc

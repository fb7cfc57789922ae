/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multipath-route.h"

#include "ns3/names.h"
#include "ns3/net-device.h"

#include <iomanip>
#include <sstream>

namespace ns3::aidc
{

void
MultipathRoute::Print(std::ostream& os, const std::string& prefix, Ptr<Ipv4> ipv4) const
{
    os << std::setw(20) << prefix;
    if (!group)
    {
        os << "discard\n";
        return;
    }
    bool isFirst = true;
    for (const auto& member : group->members)
    {
        const NextHop& nextHop = member.nextHop;
        std::ostringstream gateway;
        gateway << nextHop.gateway;
        const std::string name = Names::FindName(ipv4->GetNetDevice(nextHop.interface));
        os << std::setw(isFirst ? 0 : 20) << "" << std::setw(16) << gateway.str() << std::setw(8)
           << nextHop.weight << std::setw(6)
           << (member.isHeld ? "held"
               : member.isUp ? "up"
                             : "down")
           << (name.empty() ? std::to_string(nextHop.interface) : name) << '\n';
        isFirst = false;
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "busiest-port.h"

#include "frame-overhead.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The load of a port, as processes exchange it.
struct Item
{
    uint32_t node; //!< the number of its node in the plan
    uint32_t port; //!< its number there
    double load;   //!< the share of the time in which it has sent
};

} // namespace

BusiestPort
FindBusiestPort(const FabricNetwork& network)
{
    const FabricPlan& plan = network.GetFabric();
    const double time = Simulator::Now().GetSeconds();
    std::vector<Item> items;
    // Each process reports the busiest one of its own ports
    Item own{0, 0, 0};
    for (NodeIndex node; node < NodeIndex(plan.GetNNodes()); ++node)
    {
        for (PortIndex port; network.IsLocal(node) && port < plan.GetPorts(node).GetEnd(); ++port)
        {
            const auto device = DynamicCast<EthernetNetDevice>(network.GetPort(node, port));
            if (!device || time <= 0)
            {
                continue;
            }
            const uint64_t octets = device->GetStatistics().GetWireOctets(PREAMBLE_AND_GAP);
            const uint64_t rate = plan.GetLinks()[plan.GetPorts(node)[port].link].rate;
            const double load =
                8 * static_cast<double>(octets) / (static_cast<double>(rate) * time);
            if (load > own.load)
            {
                own = {node.value, port.value, load};
            }
        }
    }
    items.push_back(own);
    Item busiest{0, 0, 0};
    for (const auto& item : GatherItems(items))
    {
        if (std::tie(busiest.load, item.node, item.port) <
            std::tie(item.load, busiest.node, busiest.port))
        {
            busiest = item;
        }
    }
    if (busiest.load <= 0)
    {
        return {};
    }
    return {plan.GetPortName(NodeIndex(busiest.node), PortIndex(busiest.port)), busiest.load};
}

} // namespace ns3::aidc

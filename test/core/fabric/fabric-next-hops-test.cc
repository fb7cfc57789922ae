// SPDX-License-Identifier: GPL-2.0-only

// Tables of switches that have their next hops, and weights, from a routing protocol.

#include "random-fabrics.h"
#include "test/core/core-test.h"

/// The next hops of an address by the longest prefix, with weights; none if it is discarded.
FabricNextHops::Group
LookUpGroup(const FabricTable& table, uint32_t address)
{
    const FabricRoute* longest = nullptr;
    for (const auto& route : table.routes)
    {
        const uint32_t mask = route.length == 0 ? 0 : 0xffffffffU << (32 - route.length);
        if ((address & mask) == route.network && (!longest || route.length > longest->length))
        {
            longest = &route;
        }
    }
    if (!longest || longest->group == DISCARD)
    {
        return {};
    }
    return {table.groups.at(longest->group),
            table.weights.empty() ? std::vector<double>() : table.weights.at(longest->group)};
}

/// Draw next hops: some groups, ways to all attachments but a leaf's own, and to detached hosts.
FabricNextHops
DrawNextHops(const FabricPlan& fabric, const FabricRoutes& routes, NodeIndex node, Draw& draw)
{
    FabricNextHops drawn;
    std::vector<PortIndex> ports;
    for (PortIndex port; port < fabric.GetPorts(node).GetEnd(); ++port)
    {
        if (fabric.IsSwitch(fabric.GetPorts(node)[port].peer))
        {
            ports.push_back(port);
        }
    }
    for (uint32_t i = draw(1, 5); !ports.empty() && i > 0; --i)
    {
        FabricNextHops::Group group;
        for (const PortIndex port : ports)
        {
            if (group.ports.empty() || draw(0, 3) > 0)
            {
                group.ports.push_back(port);
            }
        }
        for (uint32_t k = draw(0, 2) * static_cast<uint32_t>(group.ports.size()); k > 0; --k)
        {
            group.weights.push_back(draw(0, 3) + i);
        }
        drawn.groups.push_back(group);
    }
    const auto drawWay = [&](bool isOwn) {
        FabricNextHops::Way way;
        if (isOwn)
        {
            way.distance = 0;
        }
        else if (!drawn.groups.empty() && draw(0, 5) > 0)
        {
            way.distance = static_cast<uint8_t>(draw(1, 5));
            // Mostly the first one, so that there is something to aggregate
            const auto n = static_cast<uint32_t>(drawn.groups.size());
            way.group = draw(0, 2) == 0 ? 0 : draw(0, n);
        }
        return way;
    };
    const auto isOneOf = [node](const std::vector<NodeIndex>& leaves) {
        for (const NodeIndex leaf : leaves)
        {
            if (leaf == node)
            {
                return true;
            }
        }
        return false;
    };
    for (const auto& attachment : fabric.GetAttachments())
    {
        drawn.attachments.push_back(drawWay(isOneOf(attachment.leaves)));
    }
    for (const NodeIndex host : routes.GetDetachedHosts())
    {
        drawn.hosts[host] = drawWay(isOneOf(routes.GetLiveLeaves(host)));
    }
    return drawn;
}

RC_GTEST_PROP(FabricNextHops, AggregatedTablesLeadToAllHostsByThemWithTheirWeights, ())
{
    Draw draw;
    const FabricPlan fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    for (const NodeIndex node : fabric.GetSwitches())
    {
        const auto drawn = DrawNextHops(fabric, routes, node, draw);
        const auto table = routes.GetTable(node, drawn);
        for (const NodeIndex host : fabric.GetHosts())
        {
            const auto detached = drawn.hosts.find(host);
            const bool isKnown = detached != drawn.hosts.end() &&
                                 detached->second.distance != FabricNextHops::UNREACHABLE;
            const auto& way =
                isKnown ? detached->second : drawn.attachments[fabric.GetAttachment(host)];
            const bool isLost = detached != drawn.hosts.end() && !isKnown;
            FabricNextHops::Group expected;
            if (way.distance == 0 && isLost)
            {
                // A leaf that it has left discards.
            }
            else if (way.distance == 0)
            {
                for (PortIndex port; port < fabric.GetPorts(node).GetEnd(); ++port)
                {
                    if (fabric.GetPorts(node)[port].peer == host)
                    {
                        expected.ports.push_back(port);
                    }
                }
            }
            else if (way.distance != FabricNextHops::UNREACHABLE)
            {
                expected = drawn.groups[way.group];
            }
            RC_ASSERT(LookUpGroup(table, fabric.GetAddress(host)) == expected);
        }
    }
}

RC_GTEST_PROP(FabricNextHops, AnOwnTableHasThePrefixesAndHostsOfALeaf, ())
{
    Draw draw;
    const FabricPlan fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    for (const NodeIndex node : fabric.GetSwitches())
    {
        const auto all = routes.GetTable(node);
        const auto own = routes.GetOwnTable(node);
        std::vector<Route> expected;
        for (const auto& attachment : fabric.GetAttachments())
        {
            const auto column = static_cast<uint32_t>(&attachment - fabric.GetAttachments().data());
            for (const NodeIndex leaf : attachment.leaves)
            {
                if (leaf != node)
                {
                    continue;
                }
                const auto prefix = fabric.GetAttachmentPrefix(column);
                expected.emplace_back(prefix.network, prefix.length, std::vector<PortIndex>());
                for (const NodeIndex host : fabric.GetHosts())
                {
                    const auto ports = LookUp(all, fabric.GetAddress(host));
                    if (fabric.GetAttachment(host) == column && !ports.empty() &&
                        fabric.GetPorts(node)[ports.front()].peer == host)
                    {
                        expected.emplace_back(fabric.GetAddress(host), 32, ports);
                    }
                }
            }
        }
        auto found = GetRoutes(own);
        std::sort(found.begin(), found.end());
        std::sort(expected.begin(), expected.end());
        RC_ASSERT(found == expected);
    }
}

TEST(FabricNextHops, WithEqualWeightsALeafOfAFatTreeHasADefaultRoute)
{
    const FabricPlan fabric = MakeFatTree(4, RATE, 1000);
    const FabricRoutes routes(fabric);
    const NodeIndex leaf = fabric.GetLeaves()[0];
    FabricNextHops nextHops;
    nextHops.groups = {{Ports({2, 3}), {1, 1}}, {Ports({2, 3}), {1, 2}}};
    for (uint32_t i = 0; i < 8; ++i)
    {
        nextHops.attachments.push_back({static_cast<uint8_t>(i == 0 ? 0 : 4), 0});
    }
    // 0.0.0.0/0, the prefix of the own leaf, its two hosts
    EXPECT_EQ(routes.GetTable(leaf, nextHops).routes.size(), 4U);
    // A leaf with other weights
    nextHops.attachments[7].group = 1;
    const auto table = routes.GetTable(leaf, nextHops);
    EXPECT_EQ(LookUpGroup(table, fabric.GetAddress(fabric.GetHosts()[14])), nextHops.groups[1]);
    EXPECT_EQ(LookUpGroup(table, fabric.GetAddress(fabric.GetHosts()[13])), nextHops.groups[0]);
}

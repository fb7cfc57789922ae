// SPDX-License-Identifier: GPL-2.0-only

// GPUs in servers, and their hosts.

#include "test/core/core-test.h"

#include "ns3/clos-fabric.h"
#include "ns3/server-plan.h"

TEST(ServerPlan, HasConsecutiveHostsOfAnyFabric)
{
    auto fabric = MakeFatTree(4, 100000000000, 1000);
    const auto servers = MakeServers(fabric, 4, {1000, 7});
    EXPECT_EQ(servers.GetNGpus(), 16U);
    EXPECT_EQ(servers.GetNServers(), 4U);
    EXPECT_EQ(servers.GetGpusPerServer(), 4U);
    EXPECT_EQ(servers.GetHost(9), NodeIndex(9));
    EXPECT_EQ(servers.GetServer(9), 2U);
    EXPECT_EQ(servers.GetRail(9), 1U);
    EXPECT_EQ(servers.GetScaleUpLink(9).latency, 7);
    EXPECT_EQ(fabric.GetNode(NodeIndex(9)).server, 2U);
    EXPECT_EQ(fabric.GetNode(NodeIndex(16)).server, NO_SERVER); // a leaf
    fabric.AssignProcesses(8);                                  // a server has two leaves
    EXPECT_EQ(fabric.GetProcess(NodeIndex(8)), fabric.GetProcess(NodeIndex(11)));
}

TEST(ServerPlan, MayHaveAHostForSeveralGpus)
{
    const NodeIndex a(5);
    const NodeIndex b(3);
    const ServerPlan servers(4, {a, a, b, b}, {{8, 1}, {8, 2}, {8, 3}, {8, 4}});
    EXPECT_EQ(servers.GetNServers(), 1U);
    EXPECT_EQ(servers.GetHost(1), a);
    EXPECT_EQ(servers.GetHost(2), b);
    EXPECT_EQ(servers.GetScaleUpLink(2).latency, 3);
}

TEST(ServerPlan, IsEmptyByDefault)
{
    EXPECT_EQ(ServerPlan().GetNGpus(), 0U);
    EXPECT_EQ(ServerPlan().GetNServers(), 0U);
}

TEST(ServerPlan, RefusesPartsOfServers)
{
    const NodeIndex a(5);
    EXPECT_EQ(CatchMessage([a] { ServerPlan(2, {a, a, NodeIndex(1)}); }),
              "expected a number of GPUs that is a multiple of the 2 GPUs of a server, found 3");
    EXPECT_EQ(CatchMessage([a] { ServerPlan(0, {a}); }),
              "expected a number of GPUs that is a multiple of the 0 GPUs of a server, found 1");
    EXPECT_EQ(CatchMessage([a] { ServerPlan(1, {a, a}); }),
              "expected hosts with GPUs of one server, found host 5 of servers 0 and 1");
    EXPECT_EQ(CatchMessage([a] { ServerPlan(3, {a, a, a}, {{1, 1}, {1, 1}}); }),
              "expected a scale-up link for each of 3 GPUs, found 2");
    EXPECT_EQ(CatchMessage([a] { ServerPlan(1, {a}, {{1, 0}}); }),
              "expected a scale-up link with a rate above 0 and a latency of at least 1 ns, found "
              "1 bit/s and 0 ns");
}

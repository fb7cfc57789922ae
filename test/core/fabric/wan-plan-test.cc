// SPDX-License-Identifier: GPL-2.0-only

// The plan of a WAN and the routes among its routers.

#include "model/core/fabric/wan-routes.h"
#include "test/core/core-test.h"

#include "ns3/wan-plan.h"

constexpr uint64_t RATE = 400000000000;

std::vector<std::string>
ToNames(const WanPlan& plan, const std::vector<NodeIndex>& routers)
{
    std::vector<std::string> names;
    for (const NodeIndex router : routers)
    {
        names.push_back(plan.GetRouters()[router].name);
    }
    return names;
}

using Names = std::vector<std::string>;

/// Two PEs at either side and three paths, of 10, 25 and 15 ms.
WanPlan
MakePaths()
{
    TwoSiteWanSettings settings;
    settings.edges = 2;
    settings.paths = {{10000000, RATE, 2}, {25000000, RATE, 3}, {15000000, RATE / 4, 2}};
    return MakeTwoSiteWan(settings);
}

TEST(WanPlan, HasDisjointPathsBetweenThePesOfTwoDataCenters)
{
    const WanPlan plan = MakePaths();
    EXPECT_EQ(ToNames(plan, plan.GetEdges(0)), Names({"pe-a-0", "pe-a-1"}));
    EXPECT_EQ(ToNames(plan, plan.GetEdges(1)), Names({"pe-b-0", "pe-b-1"}));
    EXPECT_EQ(
        ToNames(plan, plan.GetCores()),
        Names(
            {"core-0-0", "core-0-1", "core-1-0", "core-1-1", "core-1-2", "core-2-0", "core-2-1"}));
    const WanRoutes routes(plan);
    const auto paths = routes.FindDisjointPaths(plan.Find("pe-a-1"), plan.Find("pe-b-0"), 10);
    ASSERT_EQ(paths.size(), 3U);
    EXPECT_EQ(ToNames(plan, paths[0]), Names({"pe-a-1", "core-0-0", "core-0-1", "pe-b-0"}));
    EXPECT_EQ(ToNames(plan, paths[1]), Names({"pe-a-1", "core-2-0", "core-2-1", "pe-b-0"}));
    EXPECT_EQ(ToNames(plan, paths[2]),
              Names({"pe-a-1", "core-1-0", "core-1-1", "core-1-2", "pe-b-0"}));
    // 0.1 ms of each PE's link, and the rest in equal shares.
    const std::vector<int64_t> delays{100000, 12400000, 12400000, 100000};
    const auto links = routes.GetLinks(paths[2]);
    ASSERT_EQ(links.size(), delays.size());
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        EXPECT_EQ(links[i].delay, delays[i]);
    }
    EXPECT_EQ(routes.GetLinks(paths[1])[1].rate, RATE / 4);
    EXPECT_EQ(routes.GetDelay(plan.Find("pe-a-0"), plan.Find("pe-b-1")), 10000000);
}

TEST(WanPlan, FindsRoutersLinksAndPortsByName)
{
    const WanPlan plan = MakePaths();
    const auto& link = plan.GetLinks()[plan.FindLink("core-2-1", "core-2-0")];
    EXPECT_EQ(link.a, plan.Find("core-2-0"));
    EXPECT_EQ(link.b, plan.Find("core-2-1"));
    const PortIndex port = plan.FindPort("core-2-0", "core-2-1");
    EXPECT_EQ(plan.GetPorts(link.a)[port].peer, link.b);
    EXPECT_THROW(plan.Find("core-3-0"), std::invalid_argument);
    EXPECT_THROW(plan.FindLink("core-0-0", "core-1-0"), std::invalid_argument);
}

TEST(WanPlan, RefusesWhatIsNoWan)
{
    WanPlan plan;
    plan.AddEdge(0);
    const NodeIndex core = plan.AddCore("core");
    EXPECT_THROW(plan.AddEdge(MAX_WAN_SITES), std::invalid_argument);
    EXPECT_THROW(plan.AddCore("core"), std::invalid_argument);
    EXPECT_THROW(plan.AddLink(core, core, RATE, 1), std::invalid_argument);
    EXPECT_THROW(plan.AddLink(core, NodeIndex(2), RATE, 1), std::invalid_argument);
    EXPECT_THROW(plan.AddLink(core, NodeIndex(0), 0, 1), std::invalid_argument);
    EXPECT_THROW(plan.AddLink(core, NodeIndex(0), RATE, -1), std::invalid_argument);
    TwoSiteWanSettings settings;
    settings.edges = 0;
    EXPECT_THROW(MakeTwoSiteWan(settings), std::invalid_argument);
    settings = {};
    settings.paths = {};
    EXPECT_THROW(MakeTwoSiteWan(settings), std::invalid_argument);
    settings.paths = {{199999, RATE, 2}}; // two links of PEs take 200 us
    EXPECT_THROW(MakeTwoSiteWan(settings), std::invalid_argument);
    settings.paths = {{200000, RATE, 1}};
    EXPECT_THROW(MakeTwoSiteWan(settings), std::invalid_argument);
    settings.paths = {{200000, RATE, 2}};
    EXPECT_NO_THROW(MakeTwoSiteWan(settings));
}

TEST(WanPlan, DataCentersAndRoutersHaveNetworksOfTheirOwn)
{
    EXPECT_EQ(WanPlan::GetAddress(NodeIndex(0)), 0xac1f0001U); // 172.31.0.1
    const auto a = WanPlan::GetNetworks(0);
    const auto b = WanPlan::GetNetworks(1);
    EXPECT_EQ(a.leaves.network, 0x0a010000U); // 10.1.0.0
    EXPECT_EQ(b.leaves.network, 0x0a020000U); // 10.2.0.0
    EXPECT_EQ(a.spines.network, 0xac110000U); // 172.17.0.0
    EXPECT_EQ(b.spines.network, 0xac120000U); // 172.18.0.0
    EXPECT_EQ(b.spines.length, 16);
    // All data centers, and all addresses of all routers, keep apart.
    std::set<uint32_t> networks{WanPlan::GetAddress(NodeIndex(0)) >> 16};
    for (uint32_t site = 0; site < MAX_WAN_SITES; ++site)
    {
        EXPECT_TRUE(networks.insert(WanPlan::GetNetworks(site).leaves.network >> 16).second);
        EXPECT_TRUE(networks.insert(WanPlan::GetNetworks(site).spines.network >> 16).second);
    }
    EXPECT_EQ(WanPlan::GetSiteName(MAX_WAN_SITES - 1), "n");
    EXPECT_EQ(WanPlan::GetNetworks(MAX_WAN_SITES - 1).spines.network, 0xac1e0000U); // 172.30.0.0
    EXPECT_THROW(WanPlan::GetNetworks(MAX_WAN_SITES), std::invalid_argument);
    WanPlan plan;
    std::set<uint32_t> addresses;
    for (uint32_t i = 0; i < 4094; ++i)
    {
        const NodeIndex router = i == 0 ? plan.AddEdge(0) : NodeIndex(i);
        for (uint32_t j = 0; j < WanPlan::MAX_ADDRESSES; ++j)
        {
            const uint32_t address = WanPlan::GetAddress(router, j);
            EXPECT_EQ(address >> 16, 0xac1fU); // 172.31.0.0/16
            EXPECT_TRUE(addresses.insert(address).second);
        }
    }
}

/// Three data centers: 10 ms from a to b, twice, and 12 ms the second time; 20 ms from b to c, and
/// 25 ms from a to c.
WanSettings
MakeTriangle()
{
    WanSettings settings;
    settings.pairs.resize(3);
    settings.pairs[0] = {0, 1, {{10000000, RATE, 2}, {12000000, RATE / 2, 3}}};
    settings.pairs[1] = {2, 1, {{20000000, RATE, 2}}};
    settings.pairs[2] = {0, 2, {{25000000, RATE, 4}}};
    return settings;
}

TEST(WanPlan, JoinsAnyNumberOfDataCentersByPathsOfPairs)
{
    auto settings = MakeTriangle();
    settings.edges = 2;
    const WanPlan plan = MakeWan(settings);
    EXPECT_EQ(plan.GetNSites(), 3U);
    EXPECT_EQ(ToNames(plan, plan.GetEdges(2)), Names({"pe-c-0", "pe-c-1"}));
    EXPECT_EQ(ToNames(plan, plan.GetCores()),
              Names({"core-a-0",
                     "core-a-1",
                     "core-b-0",
                     "core-b-1",
                     "core-c-0",
                     "core-ab-1-1",
                     "core-ac-0-1",
                     "core-ac-0-2"}));
    // Two links of PEs to each core router of their data center: 10; and 1, 2, 1 and 3 of paths.
    EXPECT_EQ(plan.GetLinks().size(), 17U);
    const WanRoutes routes(plan);
    const auto delay = [&](const std::string& a, const std::string& b) {
        return routes.GetDelay(plan.Find(a), plan.Find(b));
    };
    EXPECT_EQ(delay("pe-a-0", "pe-b-1"), 10000000);
    EXPECT_EQ(delay("pe-b-0", "pe-c-0"), 20000000);
    EXPECT_EQ(delay("pe-c-1", "pe-a-1"), 25000000);
    const auto paths = routes.FindDisjointPaths(plan.Find("pe-a-0"), plan.Find("pe-b-0"), 10);
    ASSERT_EQ(paths.size(), 2U);
    EXPECT_EQ(ToNames(plan, paths[1]),
              Names({"pe-a-0", "core-a-1", "core-ab-1-1", "core-b-1", "pe-b-0"}));
    EXPECT_EQ(routes.GetLinks(paths[1])[1].rate, RATE / 2);
    EXPECT_EQ(routes.GetLinks(paths[1])[1].delay, 5900000); // half of 12 ms without 0.2 ms
}

TEST(WanPlan, GoesByWayOfAnotherDataCentersCoreRouter)
{
    const WanPlan plan = MakeWan(MakeTriangle());
    WanRoutes routes(plan);
    routes.SetLinkUp(plan.FindLink("core-ac-0-1", "core-ac-0-2"), false);
    EXPECT_EQ(ToNames(plan, routes.GetPath(plan.Find("pe-a-0"), plan.Find("pe-c-0"))),
              Names({"pe-a-0", "core-a-0", "core-b-0", "core-c-0", "pe-c-0"}));
    // 10 and 20 ms without two links of PEs of 0.1 ms.
    EXPECT_EQ(routes.GetDelay(plan.Find("pe-a-0"), plan.Find("pe-c-0")), 29800000);
}

TEST(WanPlan, RefusesPairsThatMakeNoWan)
{
    const auto make = [](const std::vector<WanPairSettings>& pairs, uint32_t edges = 2) {
        WanSettings settings;
        settings.pairs = pairs;
        settings.edges = edges;
        return CatchMessage([&settings] { MakeWan(settings); });
    };
    const std::string pairs = "expected pairs of two data centers below 14, found ";
    const std::string once = "expected each pair of data centers once, and with paths, found ";
    const std::string paths = "expected paths of at least 2 core routers and a delay of at least "
                              "200000 ns, which the PEs' links have; found ";
    const std::string joined = "expected paths that join all data centers, found none from a to ";
    const std::string any = "expected a WAN with PEs and pairs of data centers, found ";
    EXPECT_EQ(make({}), any + "2 PEs and 0 pairs");
    EXPECT_EQ(make({{0, 1}, {1, 2}}, 0), any + "0 PEs and 2 pairs");
    EXPECT_EQ(make({{0, 0}}), pairs + "0 and 0");
    EXPECT_EQ(make({{0, MAX_WAN_SITES}}), pairs + "0 and 14");
    EXPECT_EQ(make({{MAX_WAN_SITES, 0}}), pairs + "14 and 0");
    EXPECT_EQ(make({{0, 1}, {1, 0}}), once + "1 and 0 twice");
    EXPECT_EQ(make({{0, 1, {}}}), once + "0 and 1 without paths");
    EXPECT_EQ(make({{0, 1, {{199999, RATE, 2}}}}), paths + "2 and 199999 ns");
    EXPECT_EQ(make({{0, 1, {{1000000, RATE, 1}}}}), paths + "1 and 1000000 ns");
    EXPECT_EQ(make({{0, 1}, {2, 3}}), joined + "c");
    EXPECT_EQ(make({{1, 2}}), joined + "b"); // a has no path
    WanSettings settings;
    // As many data centers as there are networks, in a star.
    for (uint32_t site = 1; site < MAX_WAN_SITES; ++site)
    {
        settings.pairs.push_back({site, 0});
    }
    EXPECT_EQ(MakeWan(settings).GetNSites(), MAX_WAN_SITES);
}

TEST(WanRoutes, AvoidDrainedLinksWhereThereIsAnotherWay)
{
    const WanPlan plan = MakeWan(MakeTriangle());
    WanRoutes routes(plan);
    const NodeIndex a = plan.Find("pe-a-0");
    const NodeIndex b = plan.Find("pe-b-0");
    const NodeIndex c = plan.Find("pe-c-0");
    const LinkIndex direct = plan.FindLink("core-a-0", "core-b-0");
    routes.SetDrained(direct, true);
    EXPECT_EQ(routes.GetDelay(a, b), 12000000);
    EXPECT_EQ(routes.GetNDrained(a, b), 0U);
    // core-a-0 has core-b-0 behind c, and no other way.
    EXPECT_EQ(routes.GetDelay(plan.Find("core-a-0"), plan.Find("core-b-0")), 24800000 + 19800000);
    // The last resort: b has one way to c left, and a has the way by b.
    const LinkIndex last = plan.FindLink("core-b-0", "core-c-0");
    routes.SetDrained(direct, false);
    routes.SetDrained(last, true);
    routes.SetLinkUp(plan.FindLink("core-a-0", "core-ac-0-1"), false);
    EXPECT_EQ(routes.GetDelay(b, c), 20000000);
    EXPECT_EQ(routes.GetNDrained(b, c), 1U);
    EXPECT_EQ(routes.GetNDrained(a, c), 1U);
    EXPECT_TRUE(routes.IsLinkUp(last));
    routes.SetLinkUp(last, false);
    EXPECT_EQ(routes.GetDelay(b, c), std::nullopt);
}

TEST(WanRoutes, FollowTheLinksThatAreUp)
{
    const WanPlan plan = MakePaths();
    WanRoutes routes(plan);
    const NodeIndex a = plan.Find("pe-a-0");
    const NodeIndex b = plan.Find("pe-b-0");
    const LinkIndex first = plan.FindLink("core-0-0", "core-0-1");
    routes.SetLinkUp(first, false);
    EXPECT_FALSE(routes.IsLinkUp(first));
    EXPECT_EQ(routes.GetDelay(a, b), 15000000);
    // No way round by a PE.
    EXPECT_EQ(routes.GetPort(plan.Find("core-0-0"), b), std::nullopt);
    EXPECT_EQ(routes.GetDelay(plan.Find("core-0-0"), plan.Find("core-0-1")), std::nullopt);
    EXPECT_TRUE(routes.GetPath(plan.Find("core-0-0"), b).empty());
    EXPECT_THROW(routes.GetLinks({plan.Find("core-0-0"), plan.Find("core-0-1")}),
                 std::invalid_argument);
    routes.SetLinkUp(first, true);
    EXPECT_EQ(routes.GetDelay(a, b), 10000000);
}

TEST(WanRoutes, WaypointsSteerPacketsAlongAPath)
{
    const WanPlan plan = MakePaths();
    const WanRoutes routes(plan);
    const auto paths = routes.FindDisjointPaths(plan.Find("pe-a-0"), plan.Find("pe-b-0"), 3);
    EXPECT_TRUE(routes.FindWaypoints(paths[0]).empty());
    // The last core router of a path: PEs pass nothing on, so that there is no other way to it.
    EXPECT_EQ(ToNames(plan, routes.FindWaypoints(paths[1])), Names({"core-2-1"}));
    EXPECT_EQ(ToNames(plan, routes.FindWaypoints(paths[2])), Names({"core-1-2"}));
    // A link that no route takes cannot be steered to.
    WanPlan triangle;
    const NodeIndex x = triangle.AddCore("x");
    const NodeIndex y = triangle.AddCore("y");
    const NodeIndex z = triangle.AddCore("z");
    triangle.AddLink(x, y, RATE, 10);
    triangle.AddLink(x, z, RATE, 1);
    triangle.AddLink(z, y, RATE, 1);
    const WanRoutes around(triangle);
    EXPECT_THROW(around.FindWaypoints({x, y}), std::invalid_argument);
    EXPECT_TRUE(around.FindWaypoints({x, z, y}).empty());
}

RC_GTEST_PROP(WanRoutes, AreTheShortestPathsWithoutPesInside, ())
{
    WanPlan plan;
    const auto n = DrawInRange<uint32_t>(2, 8);
    for (uint32_t i = 0; i < n; ++i)
    {
        DrawAny<bool>() ? plan.AddEdge(i % 2) : plan.AddCore("c" + std::to_string(i));
    }
    const auto nLinks = DrawInRange<uint32_t>(1, 16);
    for (uint32_t i = 0; i < nLinks; ++i)
    {
        const auto a = DrawInRange<uint32_t>(0, n);
        const auto b = DrawInRange<uint32_t>(0, n - 1);
        plan.AddLink(NodeIndex(a), NodeIndex(b < a ? b : b + 1), 1, DrawInRange<int64_t>(0, 5));
    }
    WanRoutes routes(plan);
    std::vector<bool> isDrained(nLinks);
    for (LinkIndex link; link < plan.GetLinks().GetEnd(); ++link)
    {
        routes.SetLinkUp(link, DrawAny<bool>());
        isDrained[link.value] = DrawAny<bool>();
        routes.SetDrained(link, isDrained[link.value]);
    }
    // Bellman and Ford's algorithm, as an independent computation. A drained link costs more than
    // all others.
    constexpr int64_t NONE = 1000000;
    constexpr int64_t DRAINED = 1000;
    for (NodeIndex destination; destination < NodeIndex(n); ++destination)
    {
        std::vector<int64_t> delays(n, NONE);
        delays[destination.value] = 0;
        for (uint32_t round = 0; round < n; ++round)
        {
            for (LinkIndex link; link < plan.GetLinks().GetEnd(); ++link)
            {
                const FabricLink& ends = plan.GetLinks()[link];
                const int64_t cost = ends.delay + (isDrained[link.value] ? DRAINED : 0);
                const auto relax = [&](NodeIndex from, NodeIndex to) {
                    const bool passesOn = to == destination || !plan.IsEdge(to);
                    if (routes.IsLinkUp(link) && passesOn && delays[to.value] < NONE)
                    {
                        delays[from.value] = std::min(delays[from.value], delays[to.value] + cost);
                    }
                };
                relax(ends.a, ends.b);
                relax(ends.b, ends.a);
            }
        }
        for (NodeIndex router; router < NodeIndex(n); ++router)
        {
            const int64_t cost = delays[router.value];
            const int64_t delay = routes.GetDelay(router, destination).value_or(NONE);
            RC_ASSERT(delay + DRAINED * routes.GetNDrained(router, destination) == cost);
            // Each path ends, by way of core routers, after its delay.
            const auto path = routes.GetPath(router, destination);
            RC_ASSERT(path.empty() == (cost == NONE));
            if (path.empty())
            {
                continue;
            }
            int64_t sum = 0;
            for (const auto& link : routes.GetLinks(path))
            {
                sum += link.delay;
            }
            RC_ASSERT(path.front() == router);
            RC_ASSERT(path.back() == destination);
            RC_ASSERT(sum == delay);
            for (std::size_t i = 1; i + 1 < path.size(); ++i)
            {
                RC_ASSERT(!plan.IsEdge(path[i]));
            }
        }
    }
}

/// The processes of routers, by name.
std::string
DescribeProcesses(const WanPlan& plan, uint32_t nProcesses)
{
    const WanProcesses processes(plan, nProcesses);
    std::string text;
    for (NodeIndex router; router < plan.GetRouters().GetEnd(); ++router)
    {
        text += plan.GetRouters()[router].name + ":" +
                std::to_string(processes.GetProcess(router)) + " ";
    }
    return text;
}

TEST(WanProcesses, RoutersAreWithTheClosestDataCenter)
{
    const auto plan = MakeTwoSiteWan(TwoSiteWanSettings());
    EXPECT_EQ(DescribeProcesses(plan, 1),
              "pe-a-0:0 pe-b-0:0 core-0-0:0 core-0-1:0 core-1-0:0 core-1-1:0 ");
    EXPECT_EQ(DescribeProcesses(plan, 2),
              "pe-a-0:0 pe-b-0:1 core-0-0:0 core-0-1:1 core-1-0:0 core-1-1:1 ");
    EXPECT_EQ(DescribeProcesses(plan, 4),
              "pe-a-0:0 pe-b-0:2 core-0-0:0 core-0-1:2 core-1-0:0 core-1-1:2 ");
    EXPECT_THROW(WanProcesses(plan, 0), std::invalid_argument);
    EXPECT_THROW(WanProcesses(WanPlan(), 1), std::invalid_argument);
}

RC_GTEST_PROP(WanProcesses, EachProcessHasItsShare, ())
{
    const auto nSites = DrawInRange<uint32_t>(1, MAX_WAN_SITES + 1);
    const auto nProcesses = DrawInRange<uint32_t>(1, 40);
    WanPlan plan;
    for (uint32_t site = 0; site < nSites; ++site)
    {
        plan.AddEdge(site);
    }
    const WanProcesses processes(plan, nProcesses);
    // How many data centers a process has, and how many processes a data center: they differ by 1
    // at most.
    std::vector<uint32_t> nOfProcess(nProcesses);
    std::set<uint32_t> sizes;
    for (uint32_t site = 0; site < nSites; ++site)
    {
        sizes.insert(processes.GetN(site));
        RC_ASSERT(processes.GetProcess(plan.GetEdges(site).front()) == processes.GetFirst(site));
        for (uint32_t i = 0; i < processes.GetN(site); ++i)
        {
            ++nOfProcess.at(processes.GetFirst(site) + i);
        }
    }
    RC_ASSERT(*sizes.rbegin() - *sizes.begin() <= 1);
    const auto [least, most] = std::minmax_element(nOfProcess.begin(), nOfProcess.end());
    RC_ASSERT(*least >= 1);
    RC_ASSERT(*most - *least <= 1);
}

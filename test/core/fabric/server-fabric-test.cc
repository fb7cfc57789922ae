// SPDX-License-Identifier: GPL-2.0-only

// Fabrics of servers, by the rules of SimAI's generator of topologies.

#include "test/core/core-test.h"

#include "ns3/server-plan.h"

/// The first line of a file of SimAI's generator, with an NVSwitch a server: nodes, GPUs of a
/// server, NVSwitches, switches, links.
std::string
GetFirstLine(const ServerFabric& made)
{
    const auto nGpus = made.servers.GetNGpus();
    const auto nServers = made.servers.GetNServers();
    return std::to_string(made.fabric.GetNNodes() + nServers) + " " +
           std::to_string(made.servers.GetGpusPerServer()) + " " + std::to_string(nServers) + " " +
           std::to_string(made.fabric.GetSwitches().size()) + " " +
           std::to_string(made.fabric.GetLinks().size() + nGpus);
}

/// The ends of links, in their order.
std::vector<std::tuple<uint32_t, uint32_t>>
GetEnds(const FabricPlan& fabric)
{
    std::vector<std::tuple<uint32_t, uint32_t>> ends;
    for (const FabricLink& link : fabric.GetLinks())
    {
        ends.emplace_back(link.a.value, link.b.value);
    }
    return ends;
}

using Ends = std::vector<std::tuple<uint32_t, uint32_t>>;

TEST(ServerFabric, HasTheCountsOfSimAisTemplates)
{
    // First lines of the files that gen_Topo_Template.py writes (aliyun/SimAI, commit cef83f9) with
    // -topo Spectrum-X; AlibabaHPN; AlibabaHPN --dp; DCN+; DCN+ --dt
    const auto get = [](const char* name) {
        return GetFirstLine(MakeServerFabric(GetServerFabricTemplate(name)));
    };
    EXPECT_EQ(get("spectrum-x"), "4736 8 512 128 12288");
    EXPECT_EQ(get("hpn"), "17640 8 1920 360 74880");
    EXPECT_EQ(get("hpn-dual-plane"), "17640 8 1920 360 60480");
    EXPECT_EQ(get("dcn+"), "592 8 64 16 1088");
    EXPECT_EQ(get("dcn+-dual-homed"), "592 8 64 16 1600");
    // -topo Spectrum-X -g 128 -psn 8
    auto settings = GetServerFabricTemplate("spectrum-x");
    settings.gpus = 128;
    settings.spines = 8;
    EXPECT_EQ(GetFirstLine(MakeServerFabric(settings)), "160 8 16 16 320");
}

/// Two servers of two GPUs, two rails, a spine.
ServerFabricSettings
GetTinySettings()
{
    ServerFabricSettings settings;
    settings.gpus = 4;
    settings.gpusPerServer = 2;
    settings.spines = 1;
    return settings;
}

TEST(ServerFabric, HasTheLinksOfASmallOneOnRails)
{
    // The generator's, whose nodes 4 and 5 are NVSwitches: 0 6, 1 7, 2 6, 3 7, 6 8, 7 8
    const auto made = MakeServerFabric(GetTinySettings());
    EXPECT_EQ(GetEnds(made.fabric), (Ends{{0, 4}, {1, 5}, {2, 4}, {3, 5}, {4, 6}, {5, 6}}));
    for (const FabricLink& link : made.fabric.GetLinks())
    {
        EXPECT_EQ(link.rate, 400000000000U);
        EXPECT_EQ(link.delay, 500);
    }
    EXPECT_EQ(made.servers.GetNServers(), 2U);
    EXPECT_EQ(made.servers.GetServer(1), 0U);
    EXPECT_EQ(made.servers.GetServer(2), 1U);
    EXPECT_EQ(made.servers.GetRail(2), 0U);
    EXPECT_EQ(made.servers.GetRail(3), 1U);
    EXPECT_EQ(made.servers.GetGpu(1, 1), 3U);
    EXPECT_EQ(made.servers.GetHost(3), NodeIndex(3));
    EXPECT_EQ(made.fabric.GetNode(NodeIndex(3)).server, 1U);
    EXPECT_EQ(made.servers.GetScaleUpLink(3).rate, 2880000000000U);
    EXPECT_EQ(made.servers.GetScaleUpLink(3).latency, 50);
}

TEST(ServerFabric, HasTheLinksOfSmallOnesWithTwoHomes)
{
    auto settings = GetTinySettings();
    settings.isDualHomed = true;
    settings.spines = 2;
    // First leaves 4, 5; second ones 6, 7; spines 8, 9
    EXPECT_EQ(GetEnds(MakeServerFabric(settings).fabric),
              (Ends{{0, 4},
                    {0, 6},
                    {1, 5},
                    {1, 7},
                    {2, 4},
                    {2, 6},
                    {3, 5},
                    {3, 7},
                    {4, 8},
                    {4, 9},
                    {5, 8},
                    {5, 9},
                    {6, 8},
                    {6, 9},
                    {7, 8},
                    {7, 9}}));
    settings.isDualPlane = true;
    const auto made = MakeServerFabric(settings);
    EXPECT_EQ(GetEnds(made.fabric),
              (Ends{{0, 4},
                    {0, 6},
                    {1, 5},
                    {1, 7},
                    {2, 4},
                    {2, 6},
                    {3, 5},
                    {3, 7},
                    {4, 8},
                    {5, 8},
                    {6, 9},
                    {7, 9}}));
    EXPECT_EQ(made.fabric.GetPlane(NodeIndex(5)), made.fabric.GetPlane(NodeIndex(8)));
    EXPECT_NE(made.fabric.GetPlane(NodeIndex(5)), made.fabric.GetPlane(NodeIndex(7)));
}

TEST(ServerFabric, HasSegmentsOfRails)
{
    auto settings = GetTinySettings();
    settings.gpusPerLeaf = 1; // a segment is a server
    EXPECT_EQ(GetEnds(MakeServerFabric(settings).fabric),
              (Ends{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 8}, {5, 8}, {6, 8}, {7, 8}}));
}

TEST(ServerFabric, HasConsecutiveGpusAtLeavesWithoutRails)
{
    auto settings = GetTinySettings();
    settings.isRailOptimized = false;
    settings.gpusPerLeaf = 2;
    EXPECT_EQ(GetEnds(MakeServerFabric(settings).fabric),
              (Ends{{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 6}}));
    settings.isDualHomed = true;
    EXPECT_EQ(GetEnds(MakeServerFabric(settings).fabric),
              (Ends{{0, 4},
                    {0, 6},
                    {1, 4},
                    {1, 6},
                    {2, 5},
                    {2, 7},
                    {3, 5},
                    {3, 7},
                    {4, 8},
                    {5, 8},
                    {6, 8},
                    {7, 8}}));
}

TEST(ServerFabric, RefusesWrongSettings)
{
    const auto get = [](void (*change)(ServerFabricSettings&)) {
        auto settings = GetTinySettings();
        change(settings);
        return CatchMessage([&settings] { MakeServerFabric(settings); });
    };
    EXPECT_EQ(get([](auto& s) { s.gpus = 5; }),
              "expected gpus that are a multiple of gpusPerServer 2, found 5");
    EXPECT_EQ(get([](auto& s) { s.gpus = 0; }), "expected gpus from 1 to 16777216, found 0");
    EXPECT_EQ(get([](auto& s) { s.gpusPerServer = 0; }),
              "expected gpusPerServer from 1 to 16777216, found 0");
    EXPECT_EQ(get([](auto& s) { s.gpusPerLeaf = 0; }),
              "expected gpusPerLeaf from 1 to 16777216, found 0");
    EXPECT_EQ(get([](auto& s) { s.spines = 0; }), "expected spines from 1 to 1048576, found 0");
    EXPECT_EQ(get([](auto& s) { s.leavesPerSpine = 1; }),
              "expected at most 1 leaves at a spine (leavesPerSpine), found 2 for 4 GPUs");
    EXPECT_EQ(get([](auto& s) { s.isDualPlane = true; }),
              "expected isDualPlane with isRailOptimized and isDualHomed only, found it without");
    EXPECT_EQ(get([](auto& s) { s.isDualPlane = s.isDualHomed = true; }),
              "expected an even number of spines of two planes, found 1");
    EXPECT_EQ(get([](auto& s) { s.scaleUp.rate = 0; }),
              "expected a scale-up link with a rate above 0 and a latency of at least 1 ns, found "
              "0 bit/s and 50 ns");
    EXPECT_EQ(get([](auto& s) {
                  s.gpus = 1U << 20;
                  s.gpusPerLeaf = 1;
                  s.leavesPerSpine = UINT32_MAX;
                  s.spines = 65;
              }),
              "expected at most 67108864 links of leaves and spines, found more");
    EXPECT_EQ(CatchMessage([] { GetServerFabricTemplate("dcn"); }),
              "expected a template of server fabrics, one of dcn+, dcn+-dual-homed, hpn, "
              "hpn-dual-plane, spectrum-x; found dcn");
}

TEST(ServerFabric, HasProcessesOfWholeServers)
{
    // A segment of 8 leaves and 64 servers, all of which have the same first leaf
    auto settings = GetServerFabricTemplate("spectrum-x");
    settings.gpus = 512;
    auto made = MakeServerFabric(settings);
    for (const uint32_t nProcesses : {2, 3, 8})
    {
        made.fabric.AssignProcesses(nProcesses);
        std::vector<double> loads(nProcesses);
        for (const FabricLink& link : made.fabric.GetLinks())
        {
            loads[made.fabric.GetProcess(link.a)] += 1;
            loads[made.fabric.GetProcess(link.b)] += 1;
        }
        const double mean = 2.0 * static_cast<double>(made.fabric.GetLinks().size()) / nProcesses;
        for (const double load : loads)
        {
            EXPECT_NEAR(load / mean, 1, nProcesses == 3 ? 0.2 : 0.07) << nProcesses;
        }
    }
}

RC_GTEST_PROP(ServerFabric, HasWholeServersAtProcessesAndRailsAtLeaves, ())
{
    Draw draw;
    ServerFabricSettings settings;
    settings.gpusPerServer = draw(1, 9);
    settings.gpus = settings.gpusPerServer * draw(1, 20);
    settings.isRailOptimized = draw(0, 2) == 0;
    settings.isDualHomed = draw(0, 2) == 0;
    settings.isDualPlane = settings.isRailOptimized && settings.isDualHomed && draw(0, 2) == 0;
    settings.gpusPerLeaf = draw(1, 20);
    settings.spines = 2 * draw(1, 5);
    settings.leavesPerSpine = 10000;
    auto [fabric, servers] = MakeServerFabric(settings);
    const auto nProcesses = draw(1, static_cast<uint32_t>(fabric.GetLeaves().size()) + 1);
    fabric.AssignProcesses(nProcesses);
    std::vector<std::set<uint32_t>> processes(servers.GetNServers());
    std::set<uint32_t> used;
    for (uint32_t gpu = 0; gpu < servers.GetNGpus(); ++gpu)
    {
        processes[servers.GetServer(gpu)].insert(fabric.GetProcess(servers.GetHost(gpu)));
        RC_ASSERT(servers.GetGpu(servers.GetServer(gpu), servers.GetRail(gpu)) == gpu);
        RC_ASSERT(fabric.GetPorts(NodeIndex(gpu)).size() == (settings.isDualHomed ? 2U : 1U));
        const uint32_t nRails = settings.isRailOptimized ? settings.gpusPerServer : 1;
        const uint32_t first = gpu - gpu % (settings.gpusPerLeaf * nRails);
        const uint32_t other = first + gpu % nRails; // on the same rail of the segment
        RC_ASSERT(fabric.GetLeaf(NodeIndex(gpu)) == fabric.GetLeaf(NodeIndex(other)));
    }
    for (const auto& some : processes)
    {
        RC_ASSERT(some.size() == 1U);
    }
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        used.insert(fabric.GetProcess(node));
    }
    RC_ASSERT(used.size() == nProcesses);
}

// SPDX-License-Identifier: GPL-2.0-only

// Steering by share, with real tunnels, reports and packets: the loop of reports, decisions and
// loads (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).

#include "test/helper/wan-network.h"
#include "test/test-case.h"

#include "ns3/domain-message.h"
#include "ns3/notification-key.h"
#include "ns3/path-share-wan-helper.h"
#include "ns3/wan-tunnel-helper.h"

// Steering by share, as a closed loop
AIDC_TEST_SUITE("aidc-path-share-loop", SYSTEM);

/// Time between reports.
const Time INTERVAL = MilliSeconds(1);
/// When flows start: within an interval.
const Time START = MicroSeconds(5300);

/// What a loop is like.
struct LoopSettings
{
    std::string name;     //!< its name
    uint32_t edges;       //!< provider edge routers of a data center
    uint32_t flowsOfHost; //!< flows of each of the 4 hosts
    Time edgeDelay;       //!< from a provider edge router to the core
};

// The load of a congested path is halved within two intervals, and does not swing. Four hosts of
// 20 Gbit/s send as much as they can, 80 Gbit/s, by the primary path of 100 Gbit/s, and the second
// path is idle. Expected results: the level is 0.4, half of the load. Two intervals after the one
// in which the load has come, and a round trip between edge and router, it is half. For 20
// intervals more, it stays within the dead band of 0.1: half of it above or below the level. No
// packet is lost.
AIDC_TEST_CASES(LoopSettings,
                row,
                "the load is halved, and does not swing: " + row.name,
                ({{"one edge", 1, 16, MicroSeconds(100)},
                  {"two edges", 2, 16, MicroSeconds(100)},
                  {"far from the core", 2, 16, MicroSeconds(2300)}}))
{
    WanNetwork network;
    network.hostRate = 20'000'000'000;
    network.settings.edges = row.edges;
    network.settings.edgeRate = 2 * WanNetwork::RATE;
    network.settings.edgeDelay = row.edgeDelay.GetNanoSeconds();
    const int64_t delay = 1'000'000 + 2 * row.edgeDelay.GetNanoSeconds();
    network.settings.paths = {{delay, WanNetwork::RATE, 2},
                              {delay + 1'000'000, WanNetwork::RATE, 2}};
    network.wan.SetCoreKnowsAidcs(false);
    network.Build();
    WanTunnelHelper tunnels;
    tunnels.Install(network.wan);
    PathShareWanHelper shares;
    shares.SetKey(NotificationKey::IsAvailable() ? "000102030405060708090a0b0c0d0e0f" : "");
    shares.SetReporterAttribute("Interval", TimeValue(INTERVAL));
    shares.SetReporterAttribute("MeasureTime", TimeValue(INTERVAL / 2));
    shares.Install(network.wan, tunnels);
    for (uint32_t host = 0; host < WanNetwork::HOSTS; ++host)
    {
        for (uint32_t i = 0; i < row.flowsOfHost; ++i)
        {
            network.Send(0, host, 1, host, 1'000'000'000, START);
        }
    }
    // A set of flows moves as a whole, so that flows of one five-tuple are one.
    NS_TEST_ASSERT_MSG_EQ(network.flows.size(),
                          WanNetwork::HOSTS * row.flowsOfHost,
                          "flows with five-tuples of their own");
    double mostReported = 0; // the highest utilization
    for (const auto& [edge, controller] : shares.GetControllers())
    {
        ConnectTrace(controller, "Report", [&mostReported](const LinkLoadReport& report) {
            mostReported =
                std::max(mostReported, report.GetLoad() / static_cast<double>(report.capacity));
        });
    }
    const auto port = network.wan.GetPort("core-0-0", "core-0-1");
    std::vector<double> loads; // of the first path, by interval
    uint64_t octets = 0;       // at the last sample
    const std::function<void()> sample = [&] {
        const uint64_t now = port->GetStatistics().outOctets;
        loads.push_back(8.0 * static_cast<double>(now - octets) / INTERVAL.GetSeconds() /
                        WanNetwork::RATE);
        octets = now;
        Simulator::Schedule(INTERVAL, sample);
    };
    Simulator::Schedule(INTERVAL, sample);
    // The way of the load to the router, of the report, and of the reaction
    const Time feedback = 3 * row.edgeDelay;
    const auto settled = static_cast<std::size_t>((START + feedback).GetMilliSeconds() + 1 +
                                                  2); // begin, and two intervals
    RunFor(MilliSeconds(static_cast<uint64_t>(settled) + 22));

    uint64_t moves = 0;
    for (const auto& [edge, controller] : shares.GetControllers())
    {
        moves += controller->GetStatistics().moves;
        NS_TEST_EXPECT_MSG_EQ(controller->GetStatistics().forcedMoves, 0, "in pauses");
    }
    NS_TEST_EXPECT_MSG_GT(moves, 0, "something has moved");
    NS_TEST_ASSERT_MSG_GT(loads.size(), settled + 20, "sampled");
    NS_TEST_EXPECT_MSG_EQ_TOL(mostReported, 0.8, 0.03, "all was on the first path");
    for (std::size_t i = settled; i < settled + 20; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(loads[i], 0.4, 0.05, "interval " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "nothing is lost");
}

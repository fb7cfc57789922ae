// SPDX-License-Identifier: GPL-2.0-only

#include "simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/fabric-recorder.h"
#include "ns3/flow-set-monitor.h"
#include "ns3/flow-set-selector.h"
#include "ns3/graph-fabric.h"
#include "ns3/link-load-monitor.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/reorder-monitor.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/tcp-flow-helper.h"

AIDC_TEST_SUITE("aidc-time-window-network", UNIT);

/// A network drawn at random: topology, delays, rates, losses, routing, flows, failures.
class RandomNetwork
{
  public:
    RandomNetwork(uint32_t seed, FabricHelper::DeviceKind devices)
        : m_random(seed),
          m_plan(DrawPlan()),
          m_selector(Pick({"ns3::aidc::HashSelector",
                           "ns3::aidc::FlowletSelector",
                           "ns3::aidc::SpraySelector",
                           "ns3::aidc::FlowSetSelector"})),
          m_devices(devices)
    {
        const auto& hosts = m_plan.GetHosts();
        const uint32_t nFlows = Draw(10, 40);
        for (uint32_t i = 0; i < nFlows; ++i)
        {
            FlowSpec flow;
            const uint32_t from = Draw(0, static_cast<uint32_t>(hosts.size()) - 1);
            flow.source = hosts[from];
            flow.destination = hosts[(from + Draw(1, 3)) % hosts.size()];
            flow.bytes = Draw(1, 300000);
            // Many begin at the same time.
            flow.start = MicroSeconds(10 * Draw(0, 20));
            m_flows.push_back(flow);
        }
        for (uint32_t i = Draw(0, 3); i > 0; --i)
        {
            const auto nLinks = static_cast<uint32_t>(m_plan.GetLinks().size());
            m_failures.emplace_back(
                LinkIndex(Draw(static_cast<uint32_t>(hosts.size()), nLinks - 1)),
                MicroSeconds(Draw(1, 300)));
        }
        m_detection = NanoSeconds(Draw(0, 3) * 700);
        m_interval = MicroSeconds(Draw(1, 40));
    }

    void Run(std::ostream& log, const std::string& path) const
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        DctcpSettings dctcp;
        dctcp.useSack = false; // acknowledgments may overtake each other
        ConfigureDctcp(dctcp);
        FabricHelper network;
        network.SetDeviceKind(m_devices);
        network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::MultipathRouting", m_selector));
        network.SetDetectionDelay(m_detection);
        network.SetConvergenceDelay(MicroSeconds(20));
        network.Build(m_plan);
        SharedBufferSwitchHelper switches;
        switches.SetBufferAttribute("Size", StringValue("300kB"));
        switches.Install(network.GetSwitches());
        network.AssignAddresses();
        network.AssignStreams(100);
        TcpFlowHelper tcp;
        tcp.StopWhenDone();
        tcp.Install(network, m_flows);
        ReorderMonitor reordering;
        reordering.Add(network.GetHosts());
        LinkLoadMonitor load(m_interval);
        FlowSetMonitor flowSets;
        for (const NodeIndex id : m_plan.GetSwitches())
        {
            std::vector<Ptr<NetDevice>> ports;
            std::vector<std::string> names{""};
            for (PortIndex port; port < m_plan.GetPorts(id).GetEnd(); ++port)
            {
                ports.push_back(network.GetPort(id, port));
                names.push_back(m_plan.GetPortName(id, port));
            }
            load.AddGroup(ports);
            const auto routing = MultipathRoutingHelper::GetRouting(network.GetNode(id));
            if (const auto selector = DynamicCast<FlowSetSelector>(routing->GetSelector()))
            {
                flowSets.Add(selector, names);
            }
        }
        for (const auto& [link, time] : m_failures)
        {
            network.ScheduleFailure(link, time, time + MicroSeconds(100));
        }
        load.Start();
        FabricRecorder recorder(m_interval);
        recorder.Add(network);
        recorder.Start();
        RunFor(MilliSeconds(20));
        load.Stop();
        recorder.Stop();
        log.precision(17);
        for (const auto& record : tcp.GetRecords())
        {
            log << record.receivedBytes << ' ' << record.finish.GetTimeStep() << '\n';
        }
        const auto counts = network.GetPacketCounts();
        log << counts.sent << ' ' << counts.dropped << ' ' << counts.marked << ' '
            << network.GetLostPackets() << ' ' << reordering.GetPackets() << ' '
            << reordering.GetReorderedPackets() << ' ' << load.GetSpread() << ' ' << load.GetMean()
            << ' ' << flowSets.GetMigrations() << ' ' << flowSets.GetReroutes() << ' '
            << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetEventCount() << '\n';
        flowSets.WriteSeries(path);
        log << ReadFile(path);
        recorder.Write(path);
        log << ReadFile(path);
    }

  private:
    uint32_t Draw(uint32_t first, uint32_t last)
    {
        return first + static_cast<uint32_t>(m_random() % (last - first + 1));
    }

    std::string Pick(const std::vector<std::string>& choices)
    {
        return choices[Draw(0, static_cast<uint32_t>(choices.size()) - 1)];
    }

    /// Draw leaves and spines, links between most of them, and two to four hosts a leaf, which may
    /// have links to another leaf, too.
    FabricPlan DrawPlan()
    {
        const uint32_t nLeaves = Draw(2, 4);
        const uint32_t nSpines = Draw(1, 3);
        const uint32_t perLeaf = Draw(2, 4);
        const uint32_t nHosts = nLeaves * perLeaf;
        // Equal delays make many things happen at once; others are odd.
        const bool isRegular = Draw(0, 1) == 0;
        const auto addLink = [&](FabricLinks& links, uint32_t a, uint32_t b) {
            FabricLink link{};
            link.a = NodeIndex(a);
            link.b = NodeIndex(b);
            link.rate = isRegular ? 10'000'000'000 : 1'000'000'000 * uint64_t{Draw(5, 40)};
            link.delay = isRegular ? 1000 : Draw(100, 3000);
            link.errorRate = Draw(0, 9) == 0 ? 0.001 : 0;
            links.Add(link);
        };
        FabricLinks links;
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            addLink(links, host, nHosts + host / perLeaf);
        }
        if (Draw(0, 2) == 0) // hosts are dual-homed, and these links may fail, too
        {
            for (uint32_t host = 0; host < nHosts; ++host)
            {
                addLink(links, host, nHosts + (host / perLeaf + 1) % nLeaves);
            }
        }
        for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
        {
            for (uint32_t spine = 0; spine < nSpines; ++spine)
            {
                if (spine == 0 || leaf == 0 || Draw(0, 3) > 0) // none is left alone
                {
                    addLink(links, nHosts + leaf, nHosts + nLeaves + spine);
                }
            }
        }
        std::vector<NodeIndex> switches;
        uint32_t nNodes = nHosts + nLeaves;
        for (const auto& link : links)
        {
            nNodes = std::max(nNodes, link.b.value + 1);
        }
        for (uint32_t id = nHosts; id < nNodes; ++id)
        {
            switches.emplace_back(id);
        }
        return MakeFabric("random", nNodes, switches, links);
    }

    std::mt19937 m_random;                              //!< what draws it all
    FabricPlan m_plan;                                  //!< the network
    std::string m_selector;                             //!< what chooses among next hops
    FabricHelper::DeviceKind m_devices;                 //!< the devices of links
    std::vector<FlowSpec> m_flows;                      //!< the flows
    std::vector<std::pair<LinkIndex, Time>> m_failures; //!< links that fail, and when
    Time m_detection;                                   //!< until the ends notice
    Time m_interval;                                    //!< between samples
};

struct RandomNetworkRow
{
    uint32_t seed;                    //!< the seed
    FabricHelper::DeviceKind devices; //!< the devices
};

// Networks have the results that they have by ns-3's default simulator.
AIDC_TEST_CASE_P(RandomNetworkTestCase,
                 RandomNetworkRow,
                 row,
                 "A network has the same results by both simulators: random network " +
                     std::to_string(row.seed))
{
    const RandomNetwork network(row.seed, row.devices);
    const auto run = [&](Simulation simulation) {
        return RunWith(simulation, [&](std::ostream& log) {
            network.Run(log, CreateTempDirFilename("series.csv"));
        });
    };
    const auto expected = run(Simulation::DEFAULT);
    NS_TEST_EXPECT_MSG_GT(expected.size(), 200, "much happens");
    AIDC_EXPECT(run(Simulation::WINDOWS) == expected, "by windows");
}

AIDC_ADD_TEST_CASES()
{
    for (uint32_t seed = 1; seed <= 24; ++seed)
    {
        AddTestCase(new RandomNetworkTestCase(
            {seed, seed % 4 == 0 ? FabricHelper::POINT_TO_POINT : FabricHelper::ETHERNET}));
    }
}

// SPDX-License-Identifier: GPL-2.0-only

#include "simulator-scripts.h"
#include "test/test-case.h"
#include "test/transport/roce-network.h"

#include "ns3/graph-fabric.h"
#include "ns3/priority-flow-control.h"
#include "ns3/rng-seed-manager.h"

// RoCEv2 in time windows.
AIDC_TEST_SUITE("aidc-time-window-roce", UNIT);

/// Hosts with RoCEv2 in a network drawn at random: topology, delays, rates, losses, recovery,
/// congestion control, flow control, delays of adapters, messages, failures, a restart.
class RandomRoceNetwork
{
  public:
    explicit RandomRoceNetwork(uint32_t seed)
        : m_seed(seed)
    {
    }

    void Run(std::ostream& log)
    {
        m_random.seed(m_seed);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        const FabricPlan plan = DrawPlan();
        const auto nHosts = static_cast<uint32_t>(plan.GetHosts().size());
        RoceNetwork network(plan);
        network.isLossless = Draw(0, 2) > 0;
        network.firstPsn = Draw(0, 1) * 0xfffff0;
        network.switches.SetBufferAttribute("Size", StringValue(Pick({"1MB", "4MB"})));
        network.switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                               "Kmin",
                                               StringValue("20kB"));
        network.switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                               "Mode",
                                               StringValue("StaticRed"));
        network.roce.SetAttribute("Recovery", StringValue(Pick({"GoBackN", "SelectiveRepeat"})));
        network.roce.SetAttribute("CnpDelay", StringValue(Pick({"0us", "5us"})));
        network.roce.SetAttribute("AckDelay", StringValue(Pick({"0us", "300ns"})));
        network.roce.SetAttribute("MessageDelay", StringValue(Pick({"0us", "1us"})));
        network.roce.SetCongestionControl(Pick({"ns3::aidc::CongestionControl",
                                                "ns3::aidc::DcqcnControl",
                                                "ns3::aidc::SwiftControl",
                                                "ns3::aidc::EcnWindowControl"}));
        network.Start();
        // A host may restart when all has been posted, and is told nothing of it then.
        const uint32_t restarting = Draw(0, 2 * nHosts);
        if (restarting < nHosts)
        {
            Simulator::ScheduleWithContext(network.network.GetHosts().Get(restarting)->GetId(),
                                           MicroSeconds(Draw(102, 150)),
                                           &RoceNic::Restart,
                                           network.GetNic(restarting));
        }
        m_nPosted = 0;
        uint64_t id = 0;
        for (uint32_t i = Draw(20, 60); i > 0; --i)
        {
            const uint32_t from = Draw(0, nHosts - 1);
            const uint32_t to = (from + Draw(1, nHosts - 1)) % nHosts;
            RoceWork work;
            work.id = id++;
            work.nBytes = Draw(0, 1) * Draw(0, 5000) + Draw(0, 1) * Draw(0, 200000);
            work.operation = static_cast<RoceOperation>(Draw(0, 2));
            m_nPosted += from != restarting ? 1 : 0;
            const auto nic = network.GetNic(from);
            const uint32_t qp = network.GetQp(from, to);
            // Many begin at the same time.
            Simulator::ScheduleWithContext(network.network.GetHosts().Get(from)->GetId(),
                                           MicroSeconds(5 * Draw(0, 20)),
                                           [nic, qp, work] { nic->Post(qp, work); });
        }
        for (uint32_t i = Draw(0, 2); i > 0; --i)
        {
            const LinkIndex link(Draw(0, static_cast<uint32_t>(plan.GetLinks().size()) - 1));
            const Time failure = MicroSeconds(Draw(1, 100));
            network.network.ScheduleFailure(link, failure, failure + MicroSeconds(Draw(1, 300)));
        }
        Simulator::Run();
        m_nEnded = static_cast<uint64_t>(
            std::count_if(network.completions.begin(),
                          network.completions.end(),
                          [&](const auto& ended) { return ended.host != restarting; }));
        Write(network, nHosts, log);
    }

    /// Tell whether each work request of the last run has ended, except for requests of a host that
    /// has restarted.
    bool HasEnded() const
    {
        return m_nEnded == m_nPosted;
    }

  private:
    /// Write down what has happened. Nodes take their turns in another order in windows, so that
    /// what they tell is put in order.
    static void Write(RoceNetwork& network, uint32_t nHosts, std::ostream& log)
    {
        const auto before = [](const auto& a, const auto& b) {
            return std::tie(a.time, a.host, a.qp) < std::tie(b.time, b.host, b.qp);
        };
        std::stable_sort(network.completions.begin(), network.completions.end(), before);
        std::stable_sort(network.deliveries.begin(), network.deliveries.end(), before);
        for (const auto& ended : network.completions)
        {
            log << ended.time.GetTimeStep() << ' ' << ended.host << ' ' << ended.qp << ' '
                << ended.completion.id << ' ' << GetRoceStatusName(ended.completion.status) << '\n';
        }
        for (const auto& arrived : network.deliveries)
        {
            log << arrived.time.GetTimeStep() << ' ' << arrived.host << ' ' << arrived.qp << ' '
                << arrived.delivery.nBytes << '\n';
        }
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            const auto& s = network.GetNic(host)->GetStatistics();
            log << s.sentPackets << ' ' << s.sentBytes << ' ' << s.receivedPackets << ' '
                << s.retransmittedPackets << ' ' << s.timeouts << ' ' << s.sentAcks << ' '
                << s.receivedAcks << ' ' << s.sentNaks << ' ' << s.receivedNaks << ' '
                << s.ceReceived << ' ' << s.sentCnps << ' ' << s.receivedCnps << ' ' << s.errors
                << ' ' << s.GetDropped();
            const auto& port = network.GetHostPort(host)->GetStatistics();
            log << ' ' << port.inOctets << ' ' << port.outOctets << ' ' << port.inErrors << ' '
                << port.inLost;
            if (network.isLossless)
            {
                const auto control = network.GetHostPort(host)->GetObject<PriorityFlowControl>();
                log << ' ' << control->GetStatistics().priorities[3].pauses;
            }
            log << '\n';
        }
        const auto counts = network.network.GetPacketCounts();
        log << counts.sent << ' ' << counts.dropped << ' ' << counts.marked << ' '
            << network.network.GetLostPackets() << ' ' << Simulator::GetEventCount() << '\n';
    }

    uint32_t Draw(uint32_t first, uint32_t last)
    {
        return first + static_cast<uint32_t>(m_random() % (last - first + 1));
    }

    std::string Pick(const std::vector<std::string>& choices)
    {
        return choices[Draw(0, static_cast<uint32_t>(choices.size()) - 1)];
    }

    /// Draw leaves and spines, all of them linked, and two to four hosts a leaf.
    FabricPlan DrawPlan()
    {
        const uint32_t nLeaves = Draw(1, 3);
        const uint32_t nSpines = nLeaves > 1 ? Draw(1, 3) : 0;
        const uint32_t perLeaf = Draw(2, 4);
        const uint32_t nHosts = nLeaves * perLeaf;
        const bool isRegular = Draw(0, 1) == 0;
        FabricLinks links;
        const auto addLink = [&](uint32_t a, uint32_t b) {
            FabricLink link{};
            link.a = NodeIndex(a);
            link.b = NodeIndex(b);
            link.rate = isRegular ? 100'000'000'000 : 1'000'000'000 * uint64_t{Draw(20, 200)};
            link.delay = isRegular ? 1000 : Draw(100, 3000);
            link.errorRate = Draw(0, 4) == 0 ? 0.005 : 0;
            links.Add(link);
        };
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            addLink(host, nHosts + host / perLeaf);
        }
        std::vector<NodeIndex> switches;
        for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
        {
            switches.emplace_back(nHosts + leaf);
            for (uint32_t spine = 0; spine < nSpines; ++spine)
            {
                addLink(nHosts + leaf, nHosts + nLeaves + spine);
            }
        }
        for (uint32_t spine = 0; spine < nSpines; ++spine)
        {
            switches.emplace_back(nHosts + nLeaves + spine);
        }
        return MakeFabric("random", nHosts + nLeaves + nSpines, switches, links);
    }

    uint64_t m_nPosted{0}; //!< work requests of hosts that do not restart
    uint64_t m_nEnded{0};  //!< work requests that have ended
    uint32_t m_seed;       //!< draws it all
    std::mt19937 m_random; //!< what draws it all
};

// Networks with RoCEv2 have the results that they have by ns-3's default simulator.
AIDC_TEST_CASE_P(RandomRoceTestCase,
                 uint32_t,
                 seed,
                 "RoCEv2 has the same results by both simulators: random network " +
                     std::to_string(seed))
{
    RandomRoceNetwork network(seed);
    const auto run = [&network](std::ostream& log) { network.Run(log); };
    const auto expected = RunWith(Simulation::DEFAULT, run);
    NS_TEST_EXPECT_MSG_GT(expected.size(), 200, "much happens");
    AIDC_EXPECT(network.HasEnded(), "each work request ends");
    AIDC_EXPECT(RunWith(Simulation::WINDOWS, run) == expected, "by windows");
}

AIDC_ADD_TEST_CASES()
{
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        AddTestCase(new RandomRoceTestCase(seed));
    }
}

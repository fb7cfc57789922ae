// SPDX-License-Identifier: GPL-2.0-only

#include "test/bgp/bgp-fabric-network.h"
#include "test/bgp/bgp-network.h"
#include "test/test-case.h"

#include "ns3/link-bandwidth-monitor.h"

AIDC_TEST_SUITE("aidc-link-bandwidth", UNIT);

/// Where data goes.
constexpr uint16_t PORT = 9;

/// What a packet of data has, of a frame that takes 1250 bytes on the wire.
constexpr uint32_t FRAME = 1250;
constexpr uint32_t PAYLOAD = FRAME - 66;

/// Three speakers in a row: 0 announces a prefix, 1 loads its link to 0, whose bandwidth it
/// watches, and 2 is told what is available of it.
class LoadedLine
{
  public:
    /// 100 Mbit/s in bytes a second
    static constexpr double CAPACITY = 12.5e6;

    /// Constructor: sessions are up.
    explicit LoadedLine(const Attributes& attributes)
        : network(3, {{"AdvertisementInterval", "0s"}})
    {
        BgpPeerSettings settings;
        settings.linkBandwidth = 100 * CAPACITY;
        peer = network.Peer(0, 1, settings, settings)[1];
        network.Peer(1, 2, settings, settings);
        SetRate("100Mbps");
        network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
        monitor->SetSpeaker(network.speakers[1]);
        monitor->Watch(peer, DynamicCast<EthernetNetDevice>(network.links[0].Get(1)));
        SetAll(monitor, attributes);
        network.nodes.Get(1)->AddApplication(monitor);
        ConnectTrace(monitor, "Update", [this](uint32_t, double) {
            updates.push_back(Simulator::Now().GetSeconds());
        });
        const auto sink = MakeSocket(network.nodes.Get(0), PORT);
        m_socket = Socket::CreateSocket(network.nodes.Get(1), UdpSocketFactory::GetTypeId());
        m_socket->Connect(InetSocketAddress(BgpNetwork::GetAddress(0, 0), PORT));
        BgpNetwork::RunUntil(5);
    }

    /// Set the rate of the link that is loaded, which BGP is not told of.
    void SetRate(const std::string& rate)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            network.links[0].Get(end)->SetAttribute("DataRate", StringValue(rate));
        }
    }

    /// Load the link of 1 from now on and run on. tenths: the load in tenths of 100 Mbit/s, 0 to
    /// 10.
    void Load(uint32_t tenths, double seconds)
    {
        // Every ms, there would be 10 frames.
        const double end = Simulator::Now().GetSeconds() + seconds;
        for (Time delay; delay < Seconds(seconds); delay += MilliSeconds(1))
        {
            Simulator::Schedule(delay, [this, tenths] {
                for (uint32_t i = 0; i < tenths; ++i)
                {
                    m_socket->Send(Create<Packet>(PAYLOAD));
                }
            });
        }
        BgpNetwork::RunUntil(end);
    }

    /// Get the weight of the route. Returns bytes a second, -1 without route.
    double GetWeight(uint32_t speaker) const
    {
        const auto& paths = network.GetPaths(speaker, MakeBgpPrefix(0xc0000200, 24));
        return paths.empty() ? -1 : paths[0].weight;
    }

    /// Get the number of UPDATEs that 2 has got.
    uint64_t CountUpdates() const
    {
        return network.speakers[2]->GetStatistics().received.Get(BgpMessageType::UPDATE).messages;
    }

    BgpNetwork network;                                                      //!< the routers
    uint32_t peer;                                                           //!< 0 at 1
    Ptr<LinkBandwidthMonitor> monitor{CreateObject<LinkBandwidthMonitor>()}; //!< of 1
    std::vector<double> updates; //!< the times of the monitor's updates

  private:
    Ptr<Socket> m_socket; //!< of 1
};

constexpr double HYSTERESIS = 0.02; //!< of the monitor

/// Expect a bandwidth at both speakers. expected: bytes a second.
void
Expect(const LoadedLine& line, double expected)
{
    const double own = line.GetWeight(1);
    NS_TEST_EXPECT_MSG_EQ_TOL(own, expected, 1.1 * HYSTERESIS * expected, "weight at 1");
    // binary16 has 11 bits: it is off by half of the last one at most.
    NS_TEST_EXPECT_MSG_EQ_TOL(line.GetWeight(2), own, own / 2048, "weight at 2");
}

// What is available of a link is the weight of its routes, and what others are told.
AIDC_TEST_CASE("the bandwidth that is advertised follows the load and the rate")
{
    LoadedLine line({{"TimeConstant", "100ms"},
                     {"UpdateInterval", "200ms"},
                     {"Hysteresis", std::to_string(HYSTERESIS)}});
    const double capacity = LoadedLine::CAPACITY;
    NS_TEST_EXPECT_MSG_EQ(line.GetWeight(1), capacity, "without load");
    for (const uint32_t tenths : {0U, 5U, 9U, 7U, 2U, 0U})
    {
        line.Load(tenths, 3);
        // The time constant is shorter than the interval: E = 1/2
        Expect(line, tenths <= 5 ? capacity : capacity * std::sqrt(5.0 / tenths));
        NS_TEST_EXPECT_MSG_EQ_TOL(line.monitor->GetUtilization(line.peer),
                                  tenths / 10.0,
                                  0.01,
                                  "KEEPALIVEs are the rest");
    }
    for (std::size_t i = 1; i < line.updates.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(line.updates[i] - line.updates[i - 1],
                                    0.2 - 1e-9,
                                    "between two updates");
    }
    line.SetRate("40Mbps");
    line.Load(2, 3);
    Expect(line, 0.4 * capacity);
    NS_TEST_EXPECT_MSG_EQ(line.monitor->GetUtilization(line.peer + 1), 0, "not watched");
}

/// Load a link in pulses, and count UPDATEs. Returns the number that the third speaker has got
/// in 6 s.
uint64_t
CountUpdates(Attributes attributes)
{
    attributes.emplace_back("TimeConstant", "20ms");
    LoadedLine line(attributes);
    const uint64_t before = line.CountUpdates();
    for (uint32_t i = 0; i < 20; ++i)
    {
        line.Load(8, 0.15);
        line.Load(0, 0.15);
    }
    return line.CountUpdates() - before;
}

// A load that comes and goes does not flood BGP.
AIDC_TEST_CASE("a load that comes and goes does not flood BGP")
{
    // 40 edges in 6 s, each of which passes the band of the hysteresis several times. With an
    // update each 0.5 s, there are 13 in 6 s at most, as one may come at its beginning.
    const uint64_t unlimited = CountUpdates({{"UpdateInterval", "0s"}});
    NS_TEST_EXPECT_MSG_GT_OR_EQ(unlimited, 40, "without a limit");
    const uint64_t limited = CountUpdates({{"UpdateInterval", "500ms"}});
    NS_TEST_EXPECT_MSG_LT_OR_EQ(limited, 13, "the limit");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(limited, 6, "but it is told");
    // The average load stays below 0.8, which is told as no less than 0.79 of the rate.
    const uint64_t damped = CountUpdates({{"UpdateInterval", "20ms"}, {"Hysteresis", "0.3"}});
    NS_TEST_EXPECT_MSG_EQ(damped, 0, "all is within the hysteresis");
}

/// Leaves and spines with speakers, whose hosts send UDP at a constant rate.
class LoadedFabric
{
  public:
    /// 20 Mbit/s in bytes a second
    static constexpr double RATE = 2.5e6;

    /// Constructor: sessions are up.
    LoadedFabric(uint32_t nLeaves, bool usesAvailable)
        : m_network(MakePlan(nLeaves), [usesAvailable](BgpFabricHelper& bgp) {
              if (usesAvailable)
              {
                  bgp.UseAvailableBandwidth();
              }
          })
    {
        for (const NodeIndex host : m_network.network.GetFabric().GetHosts())
        {
            const auto sink = MakeSocket(m_network.network.GetNode(host), PORT);
            sink->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
                while (socket->Recv())
                {
                    ++m_nReceived;
                }
            }));
        }
        RunFor(Seconds(1));
    }

    /// Send from each host to the host of the next leaf from now on. load: as a share of the leaf's
    /// links to spines.
    void SendAll(double load)
    {
        const auto& hosts = m_network.network.GetFabric().GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            auto& sockets = m_sockets.emplace_back();
            const Ipv4Address to = m_network.network.GetAddress(hosts[(i + 1) % hosts.size()]);
            for (uint32_t flow = 0; flow < N_FLOWS; ++flow)
            {
                sockets.push_back(Socket::CreateSocket(m_network.network.GetNode(hosts[i]),
                                                       UdpSocketFactory::GetTypeId()));
                sockets.back()->Connect(InetSocketAddress(to, PORT));
            }
            Send(sockets, 0, Seconds(FRAME / (load * N_SPINES * RATE)));
        }
    }

    /// Have all links of the first spine go on at half of their rate, which BGP is not told.
    void SlowDown()
    {
        const auto& fabric = m_network.network.GetFabric();
        for (const NodeIndex node : fabric.GetSwitches())
        {
            const bool isLeaf = fabric.GetNode(node).tier == FabricTier::LEAF;
            const uint32_t nHosts = 1;
            for (uint32_t port = 0; port < fabric.GetPorts(node).size(); ++port)
            {
                if (isLeaf ? port == nHosts : fabric.GetNode(node).index == 0)
                {
                    m_network.network.GetPort(node, PortIndex(port))
                        ->SetAttribute("DataRate", StringValue("10Mbps"));
                }
            }
        }
    }

    /// Returns the share of packets that has arrived.
    double Run(double seconds)
    {
        m_nSent = 0;
        m_nReceived = 0;
        RunFor(Seconds(seconds));
        return static_cast<double>(m_nReceived) / static_cast<double>(m_nSent);
    }

    /// Get how many updates others were sent since the sessions came up.
    uint64_t CountUpdates() const
    {
        return m_network.bgp.GetStatistics().sent.Get(BgpMessageType::UPDATE).messages;
    }

  private:
    static constexpr uint32_t N_SPINES = 2;  //!< the spines
    static constexpr uint32_t N_FLOWS = 100; //!< of a host

    static FabricPlan MakePlan(uint32_t nLeaves)
    {
        LeafSpineSettings shape{nLeaves, N_SPINES, 1};
        shape.hostRate = 100000000;
        shape.leafSpineRate = static_cast<uint64_t>(8 * RATE);
        shape.hostDelay = shape.leafSpineDelay = 10000;
        return MakeLeafSpine(shape);
    }

    /// Send a packet of one of the flows, and the next one later. sockets: what stays in place.
    void Send(const std::vector<Ptr<Socket>>& sockets, std::size_t next, Time interval)
    {
        sockets[next % sockets.size()]->Send(Create<Packet>(PAYLOAD));
        ++m_nSent;
        Simulator::Schedule(interval, [this, &sockets, next, interval] {
            Send(sockets, next + 1, interval);
        });
    }

    BgpFabricNetwork m_network;                     //!< switches and hosts
    std::deque<std::vector<Ptr<Socket>>> m_sockets; //!< of the flows of each host
    uint64_t m_nSent{0};                            //!< packets since Run()
    uint64_t m_nReceived{0};                        //!< packets since Run()
};

/// The share that arrives in the whole time.
double
RunDefaults(uint32_t nLeaves, uint32_t percent, bool usesAvailable)
{
    LoadedFabric fabric(nLeaves, usesAvailable);
    fabric.SendAll(percent / 100.0);
    return fabric.Run(nLeaves > 4 ? 2 : 8);
}

/// A number of leaves, and the load of their links in percent.
using Load = std::pair<uint32_t, uint32_t>;

// With the defaults, available bandwidth delivers what weights by rates deliver.
AIDC_TEST_CASES(Load,
                load,
                std::to_string(load.first) + " leaves at " + std::to_string(load.second) +
                    " % lose nothing to the loop",
                ({{2, 70}, {2, 80}, {2, 90}, {2, 95}, {16, 90}}))
{
    const double byRates = RunDefaults(load.first, load.second, false);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(RunDefaults(load.first, load.second, true),
                                0.99 * byRates,
                                "of what rates deliver: " << byRates);
}

/// The share that arrives once weights have settled.
double
RunSlowSpine(bool usesAvailable)
{
    LoadedFabric fabric(4, usesAvailable);
    fabric.SlowDown();
    fabric.SendAll(0.65);
    fabric.Run(3);
    return fabric.Run(3);
}

// Available bandwidth delivers more if a spine has less than its speakers know.
AIDC_TEST_CASE("where links are slow without BGP's knowledge, available bandwidth delivers more")
{
    // A leaf sends 1.3 of a link. By rates, half of it, 0.65, goes over links of 0.5: 0.15 of
    // 1.3 is lost. By load, a third fits into 0.5 and two thirds into 1. The number of flows on
    // a link has a standard deviation of 4.7 of 100, 0.06 of a link, which of 0.5 is 0.07 more.
    NS_TEST_EXPECT_MSG_LT(RunSlowSpine(false),
                          0.92,
                          "by rates 0.885 arrive, but for how flows hash");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(RunSlowSpine(true), 0.96, "by load nearly all fits");
}

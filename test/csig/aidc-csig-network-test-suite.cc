/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../death-test.h"
#include "../helper/test-fabrics.h"
#include "csig-port-pair.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"
#include "ns3/double.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// min(ABW) of an idle leaf's uplink: the code of 40 Gb/s, and its place in the speeds, leaf, up.
const CsigFields LEAF_UP = MakeTag(0, 17, 3 << 4 | 1 << 2 | 1);

/**
 * @ingroup aidc-test
 * @brief Two leaves with two hosts each at 100 Gb/s, and two spines at 40 Gb/s; UDP packets with
 *        random pauses between them from each host to one at the other leaf.
 */
class SmallFabric
{
  public:
    /**
     * @brief Constructor.
     * @param kind the devices
     * @param datapath how packets get through the switches
     */
    explicit SmallFabric(FabricHelper::DeviceKind kind = FabricHelper::ETHERNET,
                         SwitchDatapath::Mode datapath = SwitchDatapath::FAST)
    {
        LeafSpineOptions options;
        options.leaves = 2;
        options.spines = 2;
        options.hostsPerLeaf = 2;
        options.leafSpineRate = 40000000000;
        network.SetDeviceKind(kind);
        network.SetDatapath(datapath);
        network.Build(MakeLeafSpine(options));
        FinishNetwork(network);
        csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(1);
    }

    ~SmallFabric()
    {
        Simulator::Destroy();
    }

    SmallFabric(const SmallFabric&) = delete;
    SmallFabric& operator=(const SmallFabric&) = delete;

    /// Note the tags that hosts receive.
    void Watch()
    {
        using Sink = Callback<void, const FlowKey&, const CsigFields&>;
        for (const uint32_t host : network.GetFabric().GetHosts())
        {
            network.GetNode(host)->GetObject<CsigHost>()->TraceConnectWithoutContext(
                "Tag",
                Sink([this, host](const FlowKey&, const CsigFields& fields) {
                    tags.push_back({host, Simulator::Now().GetNanoSeconds(), fields});
                }));
        }
    }

    /**
     * @brief Let each host send.
     * @param packets how many packets
     * @param pause the mean time from one to the next, in ns
     */
    void Send(int packets, double pause)
    {
        const auto& hosts = network.GetFabric().GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            auto socket = MakeSocket(network.GetNode(hosts[i]), SINK_PORT);
            m_sockets.push_back(socket);
            const auto to = network.GetAddress(hosts[(i + 2) % hosts.size()]);
            double time = 1000;
            for (int n = 0; n < packets; ++n)
            {
                time += m_random->GetValue(0.5 * pause, 1.5 * pause);
                Simulator::Schedule(NanoSeconds(static_cast<uint64_t>(time)), [socket, to] {
                    while (socket->Recv())
                    {
                    }
                    socket->SendTo(Create<Packet>(1400), 0, InetSocketAddress(to, SINK_PORT));
                });
            }
        }
    }

    /// A tag that has arrived.
    struct Arrival
    {
        uint32_t host;     ///< where
        int64_t time;      ///< when, in ns
        CsigFields fields; ///< what it says
    };

    FabricHelper network;      ///< the network
    CsigHelper csig;           ///< makes the CSIG domain
    std::vector<Arrival> tags; ///< tags that have arrived

  private:
    Ptr<UniformRandomVariable> m_random; ///< the pauses
    std::vector<Ptr<Socket>> m_sockets;  ///< of the hosts
};

/**
 * @ingroup aidc-test
 * @brief Both datapaths of switches give the same tags, of all signals, in both formats.
 */
class DatapathsTestCase : public TestCase
{
  public:
    DatapathsTestCase()
        : TestCase("6.3.2: compact and expanded together; the same tags by stack and fast path")
    {
    }

  private:
    /**
     * @brief Simulate.
     * @param datapath how packets get through the switches
     * @return the tags that have arrived
     */
    std::vector<SmallFabric::Arrival> Simulate(SwitchDatapath::Mode datapath)
    {
        SmallFabric small(FabricHelper::ETHERNET, datapath);
        const auto& fabric = small.network.GetFabric();
        small.csig.SetDomainAttribute("QueueDepth", BooleanValue(true));
        small.csig.SetAgentAttribute("Interval", TimeValue(MicroSeconds(20)));
        auto& hosts = small.csig.GetHostHelper();
        hosts.SetAttribute("Signals", StringValue("min(ABW),min(ABW/C),max(PD),max(nQD)"));
        small.csig.Install(small.network, fabric.GetSwitches());
        for (const uint32_t host : fabric.GetHosts())
        {
            hosts.SetAttribute("Format", StringValue(host % 2 == 0 ? "Compact" : "Expanded"));
            small.csig.Install(small.network, {host});
        }
        small.Watch();
        small.Send(1000, 400);
        Simulator::Run();
        return small.tags;
    }

    void DoRun() override
    {
        const auto fast = Simulate(SwitchDatapath::FAST);
        const auto stack = Simulate(SwitchDatapath::STACK);
        NS_TEST_ASSERT_MSG_EQ(fast.size(), 4000, "all arrive");
        NS_TEST_ASSERT_MSG_EQ(stack.size(), 4000, "all arrive");
        std::map<std::pair<CsigFormat, uint8_t>, std::set<uint32_t>> values;
        for (std::size_t i = 0; i < fast.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(fast[i].host, stack[i].host, "tag " << i);
            NS_TEST_ASSERT_MSG_EQ(fast[i].time, stack[i].time, "tag " << i);
            NS_TEST_ASSERT_MSG_EQ(fast[i].fields, stack[i].fields, "tag " << i);
            values[{fast[i].fields.format, fast[i].fields.type}].insert(fast[i].fields.value);
        }
        NS_TEST_ASSERT_MSG_EQ(values.size(), 8, "four signals in two formats");
        for (const auto& [kind, found] : values)
        {
            NS_TEST_EXPECT_MSG_GT(found.size(), 2, "type " << +kind.second << " varies");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief min(ABW) is the truth, by a count of its own of what each port begins to send.
 *
 * The truth of a hop is what the port has not sent in the 100 us before the packet; that of a path
 * is the smallest of its hops. The agents' intervals begin at other moments, so that values differ
 * by what the load varies in 100 us.
 */
class AccuracyTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param estimation how agents estimate the rate
     */
    explicit AccuracyTestCase(const std::string& estimation)
        : TestCase("5.1.1: min(ABW) is within a bucket of the truth at a steady load, " +
                   estimation),
          m_estimation(estimation)
    {
    }

  private:
    /// What a port has begun to send.
    struct Sent
    {
        std::deque<std::pair<int64_t, uint64_t>> frames; ///< when in ns, and bytes on the wire
        uint64_t bytes{0};                               ///< the sum of their bytes
    };

    /**
     * @brief Find the default bucket of a bandwidth.
     * @param mbps the bandwidth in Mb/s
     * @return its code
     */
    static int GetBucket(int64_t mbps)
    {
        constexpr std::array<int, 32> lows{
            0,      100,    200,    500,    1000,   2000,   3000,   4000,   5000,   6000,  8000,
            10000,  12500,  15000,  20000,  25000,  30000,  40000,  50000,  60000,  75000, 90000,
            100000, 125000, 150000, 175000, 200000, 250000, 300000, 350000, 400000, 600000};
        const auto* end = std::upper_bound(lows.begin(), lows.end(), mbps);
        return static_cast<int>(end - lows.begin()) - 1;
    }

    void DoRun() override
    {
        constexpr int64_t WINDOW = 100000;
        constexpr int64_t WARM_UP = 1000000;
        SmallFabric small;
        small.csig.SetAgentAttribute("Estimation", StringValue(m_estimation));
        small.csig.SetAgentAttribute("Weight", DoubleValue(1.0 / 128));
        small.csig.Install(small.network);
        small.Send(4000, 1000);
        std::map<std::pair<uint32_t, uint32_t>, Sent> ports;
        std::map<uint64_t, int64_t> truths; // by packet, in Mb/s
        int n = 0;
        int nNear = 0;
        const auto& fabric = small.network.GetFabric();
        for (const uint32_t node : fabric.GetSwitches())
        {
            for (uint32_t port = 0; port < fabric.GetPorts(node).size(); ++port)
            {
                const auto& [link, peer] = fabric.GetPorts(node)[port];
                const auto capacity = static_cast<int64_t>(fabric.GetLinks()[link].rate / 1000000);
                const bool isLast = fabric.IsHost(peer);
                Sent& sent = ports[{node, port}];
                using Sink = Callback<void, Ptr<const Packet>>;
                small.network.GetPort(node, port)
                    ->TraceConnectWithoutContext(
                        "PhyTxBegin",
                        Sink([&, capacity, isLast](Ptr<const Packet> frame) {
                            const int64_t now = Simulator::Now().GetNanoSeconds();
                            while (!sent.frames.empty() && sent.frames.front().first < now - WINDOW)
                            {
                                sent.bytes -= sent.frames.front().second;
                                sent.frames.pop_front();
                            }
                            const int64_t truth =
                                capacity - static_cast<int64_t>(sent.bytes) * 8000 / WINDOW;
                            auto& path = truths.try_emplace(frame->GetUid(), truth).first->second;
                            path = std::min(path, truth);
                            const auto tag = ReadFrameTag(GetBytes(frame));
                            NS_TEST_EXPECT_MSG_EQ(tag.has_value(), true, "every frame");
                            if (isLast && now > WARM_UP)
                            {
                                ++n;
                                const int difference =
                                    static_cast<int>(tag->value) - GetBucket(path);
                                nNear += std::abs(difference) <= 1 ? 1 : 0;
                            }
                            const uint64_t bytes = frame->GetSize() + 4 + 20;
                            sent.frames.emplace_back(now, bytes);
                            sent.bytes += bytes;
                        }));
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(n, 10000, "packets after the start");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(nNear, 0.99 * n, "of " << n);
    }

    std::string m_estimation; ///< how agents estimate the rate
};

/**
 * @ingroup aidc-test
 * @brief max(nQD) behind the first hop is what a count of its own says of the queue disc.
 *
 * The queue of an uplink of 40 Gb/s: a byte takes 0.2 ns, a step is 128 ns, 640 bytes.
 */
class DepthTestCase : public TestCase
{
  public:
    DepthTestCase()
        : TestCase("max(nQD) is the depth of the egress queue, at the speed of the port")
    {
    }

  private:
    void DoRun() override
    {
        SmallFabric small;
        small.csig.SetDomainAttribute("QueueDepth", BooleanValue(true));
        small.csig.GetHostHelper().SetAttribute("Signals", StringValue("max(nQD)"));
        small.csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded"));
        small.csig.Install(small.network);
        small.Send(300, 200); // 56 Gb/s a host, 112 Gb/s over two uplinks
        std::map<uint32_t, int64_t> depths;
        std::set<uint32_t> values;
        const auto& fabric = small.network.GetFabric();
        const uint32_t leaf = fabric.GetLeaves()[0];
        for (uint32_t port = 0; port < fabric.GetPorts(leaf).size(); ++port)
        {
            if (fabric.IsHost(fabric.GetPorts(leaf)[port].peer))
            {
                continue;
            }
            const auto device = small.network.GetPort(leaf, port);
            const auto queue = small.network.GetNode(leaf)
                                   ->GetObject<TrafficControlLayer>()
                                   ->GetRootQueueDiscOnDevice(device);
            int64_t& depth = depths[port];
            const auto count = [&depth](int sign) {
                return Callback<void, Ptr<const QueueDiscItem>>(
                    [&depth, sign](Ptr<const QueueDiscItem> item) {
                        depth += sign * static_cast<int64_t>(item->GetSize());
                    });
            };
            queue->TraceConnectWithoutContext("Enqueue", count(1));
            queue->TraceConnectWithoutContext("Dequeue", count(-1));
            device->TraceConnectWithoutContext(
                "PhyTxBegin",
                Callback<void, Ptr<const Packet>>([&](Ptr<const Packet> frame) {
                    const auto tag = ReadFrameTag(GetBytes(frame));
                    NS_TEST_ASSERT_MSG_EQ(tag.has_value(), true, "");
                    NS_TEST_EXPECT_MSG_EQ(tag->value, depth / 640, "");
                    values.insert(tag->value);
                }));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(values.size(), 10, "the queue grows");
    }
};

/**
 * @ingroup aidc-test
 * @brief Each kind of device and datapath says of an idle network that its uplinks are the least.
 *
 * 40 Gb/s have the code 17 in the compact format and 5,000 in the expanded one. The first of the
 * two hops with 40 Gb/s stays: the leaf's, up.
 */
class KindsTestCase : public TestCase
{
  public:
    KindsTestCase()
        : TestCase("One call makes a CSIG domain of a fabric, of each kind of device")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto kind : {FabricHelper::ETHERNET, FabricHelper::POINT_TO_POINT})
        {
            for (const std::string format : {"Compact", "Expanded"})
            {
                SmallFabric small(kind);
                small.csig.GetHostHelper().SetAttribute("Format", StringValue(format));
                small.csig.Install(small.network);
                small.Watch();
                small.Send(1, 10000);
                Simulator::Run();
                NS_TEST_ASSERT_MSG_EQ(small.tags.size(), 4, "");
                const auto& fabric = small.network.GetFabric();
                for (const auto& [host, time, fields] : small.tags)
                {
                    // The sender is at the other leaf.
                    const auto leaf = fabric.GetLeaf(host) == fabric.GetLeaves()[0]
                                          ? fabric.GetLeaves()[1]
                                          : fabric.GetLeaves()[0];
                    if (format == "Compact")
                    {
                        NS_TEST_EXPECT_MSG_EQ(fields, LEAF_UP, "");
                        continue;
                    }
                    NS_TEST_EXPECT_MSG_EQ(fields.value, 5000, "");
                    NS_TEST_EXPECT_MSG_EQ((fields.locator >> 6),
                                          CsigHelper::GetDeviceNumber(fabric, leaf),
                                          "the leaf");
                    const uint32_t port = fields.locator & 63;
                    NS_TEST_ASSERT_MSG_LT(port, fabric.GetPorts(leaf).size(), "");
                    NS_TEST_EXPECT_MSG_EQ(fabric.IsSwitch(fabric.GetPorts(leaf)[port].peer),
                                          true,
                                          "an uplink");
                }
            }
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief A TCP sender gets what switches have written.
 */
class TcpTestCase : public TestCase
{
  public:
    TcpTestCase()
        : TestCase("4.3: a TCP sender learns the signals of its path by reflection")
    {
    }

  private:
    void DoRun() override
    {
        SmallFabric small;
        small.csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(false));
        small.csig.Install(small.network);
        small.Watch();
        const auto& hosts = small.network.GetFabric().GetHosts();
        std::vector<CsigFields> learned;
        using Sink = Callback<void, const FlowKey&, const CsigFields&>;
        small.network.GetNode(hosts[0])->GetObject<CsigHost>()->TraceConnectWithoutContext(
            "Signal",
            Sink([&](const FlowKey&, const CsigFields& fields) { learned.push_back(fields); }));
        auto listener = Socket::CreateSocket(small.network.GetNode(hosts[2]),
                                             TypeId::LookupByName("ns3::TcpSocketFactory"));
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), SINK_PORT));
        listener->Listen();
        auto sender = Socket::CreateSocket(small.network.GetNode(hosts[0]),
                                           TypeId::LookupByName("ns3::TcpSocketFactory"));
        Simulator::Schedule(MicroSeconds(1), [&] {
            sender->Connect(InetSocketAddress(small.network.GetAddress(hosts[2]), SINK_PORT));
            sender->Send(Create<Packet>(100000));
        });
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_GT(learned.size(), 10, "signals");
        std::vector<CsigFields> written;
        for (const auto& tag : small.tags)
        {
            if (tag.host == hosts[2])
            {
                written.push_back(tag.fields);
            }
        }
        // Each is one of those that have arrived, and they come in the same order.
        auto next = written.begin();
        for (const auto& fields : learned)
        {
            next = std::find(next, written.end(), fields);
            NS_TEST_ASSERT_MSG_EQ((next != written.end()), true, fields);
        }
        NS_TEST_EXPECT_MSG_EQ(learned[0], LEAF_UP, "idle: 40 Gb/s");
    }
};

/**
 * @ingroup aidc-test
 * @brief The domain fits the fabric.
 */
class FitTestCase : public TestCase
{
  public:
    FitTestCase()
        : TestCase("5.5.1, 5.5.2: locators and speeds that fit the fabric; mistakes are refused")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(1023, 64), "device:10,port:6", "default");
        NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(1024, 64), "orientation:2,device:14", "");
        NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(1024, 32), "device:11,port:5", "");
        NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(10, 128), "device:9,port:7", "");
        NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(16383, 64), "orientation:2,device:14", "");
        NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(16384, 64), "device:16", "");
        {
            SmallFabric small;
            small.csig.Install(small.network);
            const auto domain = small.csig.GetDomain();
            NS_TEST_EXPECT_MSG_EQ(domain->GetSpeeds().Encode(800000000000), 7, "the default");
        }
        FabricHelper network;
        LeafSpineOptions options;
        options.leaves = 2;
        options.spines = 1;
        options.hostsPerLeaf = 1;
        options.hostRate = 50000000000;
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.Build(MakeLeafSpine(options));
        FinishNetwork(network);
        CsigHelper helper;
        helper.Install(network);
        NS_TEST_EXPECT_MSG_EQ(helper.GetDomain()->GetSpeeds().Encode(50000000000), 1, "its own");
        NS_TEST_EXPECT_MSG_EQ(helper.GetDomain()->GetSpeeds().Encode(400000000000), 2, "");

        const auto dies = [&](const std::function<void(CsigHelper&)>& call) {
            return RunInChild([&] {
                CsigHelper another;
                call(another);
            });
        };
        NS_TEST_EXPECT_MSG_EQ(dies([](auto& h) {
                                  h.SetPortAttribute("Nonsense", BooleanValue(true));
                              }).Says("no attribute Nonsense"),
                              true,
                              "");
        NS_TEST_EXPECT_MSG_EQ(dies([&](auto& h) {
                                  h.Exclude(0);
                                  h.Install(network, {0});
                              }).Says("host-0 is excluded"),
                              true,
                              "");
        NS_TEST_EXPECT_MSG_EQ(dies([&](auto& h) { h.Install(network); }).Says("already"),
                              true,
                              "a second time");
        NS_TEST_EXPECT_MSG_EQ(dies([&](auto&) {
                                  helper.SetDomainAttribute("QueueDepth", BooleanValue(true));
                              }).Says("made already"),
                              true,
                              "");
        NS_TEST_EXPECT_MSG_EQ(dies([&](auto&) {
                                  helper.SetDomain(CreateObject<CsigDomain>());
                              }).Says("another CsigDomain"),
                              true,
                              "");
        NS_TEST_EXPECT_MSG_EQ(dies([&](auto&) {
                                  CsigHelper::GetDeviceNumber(network.GetFabric(), 0);
                              }).Says("no switch"),
                              true,
                              "a host");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief CSIG in whole networks, against counts of their own.
 */
class AidcCsigNetworkTestSuite : public TestSuite
{
  public:
    AidcCsigNetworkTestSuite()
        : TestSuite("aidc-csig-network", TestSuite::Type::UNIT)
    {
        AddTestCase(new KindsTestCase);
        AddTestCase(new DatapathsTestCase);
        AddTestCase(new AccuracyTestCase("Interval"));
        AddTestCase(new AccuracyTestCase("Discounting"));
        AddTestCase(new DepthTestCase);
        AddTestCase(new TcpTestCase);
        AddTestCase(new FitTestCase);
    }
};

/// The instance that registers the suite
const AidcCsigNetworkTestSuite g_aidcCsigNetworkTestSuite;

} // namespace

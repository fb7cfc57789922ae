/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-port-pair.h"
#include "csig-small-fabric.h"

#include "ns3/boolean.h"
#include "ns3/csig-host.h"
#include "ns3/double.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

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
        std::deque<std::pair<int64_t, uint64_t>> frames; //!< when in ns, and bytes on the wire
        uint64_t bytes{0};                               //!< the sum of their bytes
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
        std::map<std::pair<NodeIndex, PortIndex>, Sent> ports;
        std::map<uint64_t, int64_t> truths; // by packet, in Mb/s
        int n = 0;
        int nNear = 0;
        const auto& fabric = small.network.GetFabric();
        for (const NodeIndex node : fabric.GetSwitches())
        {
            for (PortIndex port; port < fabric.GetPorts(node).GetEnd(); ++port)
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

    std::string m_estimation; //!< how agents estimate the rate
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
        std::map<PortIndex, int64_t> depths;
        std::set<uint32_t> values;
        const auto& fabric = small.network.GetFabric();
        const NodeIndex leaf = fabric.GetLeaves()[0];
        for (PortIndex port; port < fabric.GetPorts(leaf).GetEnd(); ++port)
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
 * @brief The signals of whole networks, against counts of their own.
 */
class AidcCsigAccuracyTestSuite : public TestSuite
{
  public:
    AidcCsigAccuracyTestSuite()
        : TestSuite("aidc-csig-accuracy", TestSuite::Type::UNIT)
    {
        AddTestCase(new AccuracyTestCase("Interval"));
        AddTestCase(new AccuracyTestCase("Discounting"));
        AddTestCase(new DepthTestCase);
    }
};

/// The instance that registers the suite
const AidcCsigAccuracyTestSuite g_aidcCsigAccuracyTestSuite;

} // namespace

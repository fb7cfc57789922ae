// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "csig-small-fabric.h"
#include "test/test-case.h"

// The signals of whole networks, against counts of their own.
AIDC_TEST_SUITE("aidc-csig-accuracy", UNIT);

/// An estimation, and what its definition makes of a steady load.
struct Estimation
{
    std::string name;      //!< the attribute Estimation of the agents
    Attributes parameters; //!< their other attributes
    double shortfall;      //!< by which part of itself the rate is underestimated on average
};

constexpr int64_t WINDOW = 250000; //!< of the truth, in ns

constexpr int64_t CHANGE = 5000000; //!< when the load doubles, in ns

constexpr int64_t SETTLING = 500000; //!< after the start and the change, in ns

/// What a port has put on the wire.
struct Wire
{
    /// When frames begin and end, in ns.
    std::deque<std::pair<double, double>> frames;

    /// Get the share of a window in which the port has sent nothing.
    double GetFree(double now)
    {
        const double begin = now - WINDOW;
        while (!frames.empty() && frames.front().second <= begin)
        {
            frames.pop_front();
        }
        double busy = 0;
        for (const auto& [from, to] : frames)
        {
            busy += std::min(to, now) - std::max(from, begin);
        }
        return 1 - busy / WINDOW;
    }
};

/// Of a path, as a packet goes along.
struct Bottleneck
{
    double available; //!< bandwidth in bit/s
    double capacity;  //!< in bit/s
};

// min(ABW) is the truth, within 2 % of the capacity of the bottleneck. The truth is none of the
// estimators' definitions: what each port on the path did not put on the wire, bit by bit, in the
// 250 us before the packet, at any phase. Estimators look at about 100 us. Halfway the load
// doubles; from 500 us later on (two intervals and the truth's window, and 5 times any other
// estimator's time constant) the new load has to be known.
AIDC_TEST_CASES(
    Estimation,
    estimation,
    "5.1.1, 5.3.2: min(ABW) is within 2 % of the truth of another window, " + estimation.name,
    ({{"Interval", {{"Interval", "100us"}}, 0},
      // At 40 Gb/s 1,538 bytes take 308 ns, and 1/256 is the weight of that: 79 us.
      {"Ewma", {{"Weight", "0.00390625"}}, 0},
      // X goes from 98 to 100 % of what the rate makes of it, and tau is 100 us.
      {"Discounting", {{"DiscountInterval", "2us"}, {"DiscountFactor", "0.02"}}, 0.01}}))
{
    SmallFabric small;
    small.csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded"));
    small.csig.SetAgentAttribute("Estimation", StringValue(estimation.name));
    for (const auto& [name, value] : estimation.parameters)
    {
        small.csig.SetAgentAttribute(name, StringValue(value));
    }
    small.csig.Install(small.network);
    small.Send(2500, 2000, 1000, 0.1);
    small.Send(5000, 1000, CHANGE, 0.1);
    std::map<std::pair<NodeIndex, PortIndex>, Wire> wires;
    std::map<uint64_t, Bottleneck> paths; // by packet
    int n = 0;
    int nNear = 0;
    double sum = 0;
    double loads = 0;
    const auto& fabric = small.network.GetFabric();
    for (const NodeIndex node : fabric.GetSwitches())
    {
        for (PortIndex port; port < fabric.GetPorts(node).GetEnd(); ++port)
        {
            const auto& [link, peer] = fabric.GetPorts(node)[port];
            const auto capacity = static_cast<double>(fabric.GetLinks()[link].rate);
            const bool isLast = fabric.IsHost(peer);
            Wire& wire = wires[{node, port}];
            const auto note = [&, capacity, isLast](Ptr<const Packet> frame) {
                const int64_t now = Simulator::Now().GetNanoSeconds();
                const double free = wire.GetFree(static_cast<double>(now)) * capacity;
                auto& path =
                    paths.try_emplace(frame->GetUid(), Bottleneck{free, capacity}).first->second;
                if (free < path.available)
                {
                    path = {free, capacity};
                }
                const auto tag = ReadFrameTag(GetBytes(frame));
                AIDC_EXPECT(tag.has_value(), "every frame");
                const int64_t since = now < CHANGE ? now : now - CHANGE;
                if (isLast && since > SETTLING)
                {
                    ++n;
                    const double reported = (tag->value + 0.5) * 8e6;
                    const double error = (reported - path.available) / path.capacity;
                    nNear += std::abs(error) <= 0.02 ? 1 : 0;
                    sum += error;
                    loads += 1 - path.available / path.capacity;
                }
                const double time = 8e9 * (frame->GetSize() + 4 + 20) / capacity;
                wire.frames.emplace_back(now, static_cast<double>(now) + time);
            };
            ConnectTrace(small.network.GetPort(node, port), "PhyTxBegin", note);
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(n, 20000, "packets");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nNear, 0.99 * n, "of " << n);
    // A frame of 1,466 bytes in 100 us is 0.3 % of 40 Gb/s.
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / n,
                              estimation.shortfall * loads / n,
                              0.003,
                              "on average, at a load of " << loads / n);
}

// max(nQD) behind the first hop is what a count of its own says of the queue disc. The queue of an
// uplink of 40 Gb/s: a byte takes 0.2 ns, a step is 128 ns, 640 bytes.
AIDC_TEST_CASE("max(nQD) is the depth of the egress queue, at the speed of the port")
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
        const auto queue =
            small.network.GetNode(leaf)->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
                device);
        int64_t& depth = depths[port];
        const auto count = [&depth](int sign) {
            return Callback<void, Ptr<const QueueDiscItem>>(
                [&depth, sign](Ptr<const QueueDiscItem> item) {
                    depth += sign * static_cast<int64_t>(item->GetSize());
                });
        };
        queue->TraceConnectWithoutContext("Enqueue", count(1));
        queue->TraceConnectWithoutContext("Dequeue", count(-1));
        ConnectTrace(device, "PhyTxBegin", [&](Ptr<const Packet> frame) {
            const auto tag = ReadFrameTag(GetBytes(frame));
            AIDC_ASSERT(tag.has_value(), "each frame has a tag");
            NS_TEST_EXPECT_MSG_EQ(tag->value, depth / 640, "the queue in steps of 640 bytes");
            values.insert(tag->value);
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(values.size(), 10, "the queue grows");
}

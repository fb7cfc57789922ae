// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "model/core/ethernet/mac-control.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"

// What delay a port reports, and what of a pause.
AIDC_TEST_SUITE("aidc-csig-hop-delay", UNIT);

/// Build two leaves with two hosts each and a spine, with CSIG. signal: what packets ask for.
/// uplinkRate: the rate of the leaves' uplinks in bit/s.
void
BuildLeafSpine(FabricHelper& network,
               CsigHelper& csig,
               const std::string& signal,
               uint64_t uplinkRate = LeafSpineSettings().leafSpineRate)
{
    LeafSpineSettings settings{2, 1, 2};
    settings.leafSpineRate = uplinkRate;
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.Build(MakeLeafSpine(settings));
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    network.AssignStreams(1);
    csig.SetPortAttribute("Trusted", BooleanValue(true));
    csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
    csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded"));
    csig.GetHostHelper().SetAttribute("Signals", StringValue(signal));
    csig.SetAgentAttribute("Interval", TimeValue(MicroSeconds(20)));
    csig.Install(network);
}

// What a port adds for its pipeline, in hardware and in software.
AIDC_TEST_CASE("5.4.1: PD has the latency of PHY, MAC and pipeline; packets do not wait for it")
{
    {
        CsigPortPair pair({}, {{"PipelineLatency", "700ns"}});
        pair.Forward(10000, 100, MakeTag(2, 0, 0, EXPANDED), 3000);
        pair.Forward(20000, 100, MakeTag(2, 0, 0, EXPANDED));
        const auto tags = pair.Run();
        NS_TEST_ASSERT_MSG_EQ(tags.size(), 2, "tags");
        NS_TEST_EXPECT_MSG_EQ(tags[0]->value, 3700 / 128, "3 us more");
        NS_TEST_EXPECT_MSG_EQ(tags[1]->value, 700 / 128, "no wait");
        NS_TEST_EXPECT_MSG_EQ(pair.a.traced[0].time, 10000, "sent at once");
    }
    CsigPortPair software({},
                          {{"PipelineLatency", "700ns"},
                           {"Software", "true"},
                           {"SoftwareInterval", "100us"},
                           {"SoftwareHopDelay", "true"}});
    software.Forward(10000, 100, std::nullopt, 3000);
    software.Forward(20000, 100, std::nullopt, 2000);
    software.Forward(110000, 100, MakeTag(2, 0, 0, EXPANDED), 50);
    const auto registers = software.Run();
    NS_TEST_ASSERT_MSG_EQ(registers.size(), 3, "frames");
    NS_TEST_EXPECT_MSG_EQ(registers[2]->value, 3700 / 128, "the longest of the interval");
}

// The port to a host is paused from 100 to 150 us, as priority flow control does. A packet for the
// host arrives meanwhile, and leaves when the pause is over. PD is what it has waited, by the
// traces of the ports. The bandwidth is what section 5.1.1 says, C less what was sent: of a port
// that has sent nothing in the last interval all of it, paused or not. All other ports are faster.
AIDC_TEST_CASES(std::string,
                signal,
                "5.1.1, 5.4: what a lossless port reports that was paused, " + signal,
                ({"max(PD)", "min(ABW)"}))
{
    FabricHelper network;
    CsigHelper csig;
    BuildLeafSpine(network, csig, signal);

    const auto& fabric = network.GetFabric();
    const auto& hosts = fabric.GetHosts();
    const NodeIndex to = hosts[2];
    const NodeIndex leaf = fabric.GetLeaf(to);
    Ptr<NetDevice> last;
    int64_t arrival = 0;
    int64_t departure = 0;
    const auto note = [](int64_t& time) {
        return Callback<void, Ptr<const Packet>>(
            [&time](Ptr<const Packet>) { time = Simulator::Now().GetNanoSeconds(); });
    };
    for (PortIndex port; port < fabric.GetPorts(leaf).GetEnd(); ++port)
    {
        const auto device = network.GetPort(leaf, port);
        if (fabric.GetPorts(leaf)[port].peer == to)
        {
            last = device;
            device->TraceConnectWithoutContext("PhyTxBegin", note(departure));
        }
        else if (fabric.IsSwitch(fabric.GetPorts(leaf)[port].peer))
        {
            device->TraceConnectWithoutContext("PhyRxEnd", note(arrival));
        }
    }
    const auto queueDisc =
        network.GetNode(leaf)->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(last);
    auto* classes = dynamic_cast<PausableClasses*>(PeekPointer(queueDisc));
    NS_TEST_ASSERT_MSG_NE(classes, nullptr, "a queue disc that can be paused");
    for (const auto& [time, isPaused] : {std::pair{100, true}, std::pair{150, false}})
    {
        Simulator::Schedule(MicroSeconds(time), [classes, isPaused = isPaused] {
            for (uint32_t i = 0; i < classes->GetNClasses(); ++i)
            {
                classes->SetPaused(i, isPaused);
            }
        });
    }
    std::vector<CsigFields> tags;
    ConnectTrace(network.GetNode(to)->GetObject<CsigHost>(),
                 "Tag",
                 [&](const FlowKey&, const CsigFields& fields) { tags.push_back(fields); });
    const auto sink = MakeSocket(network.GetNode(to), SINK_PORT);
    const auto socket = MakeSocket(network.GetNode(hosts[0]), SINK_PORT);
    Simulator::Schedule(MicroSeconds(110), [&] { SendUdp(socket, network.GetAddress(to)); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(departure, 150000, "as soon as the pause is over");
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 1, "one tag");
    const auto steps = signal == "max(PD)" ? static_cast<uint32_t>((departure - arrival) / 128)
                                           : 100000U / 8; // 100 Gb/s in steps of 8 Mb/s
    NS_TEST_EXPECT_MSG_EQ(tags[0].value, steps, "steps");
    NS_TEST_EXPECT_MSG_GT(departure - arrival, 35000, "nearly all of the wait is the pause");
    NS_TEST_EXPECT_MSG_EQ(
        tags[0].locator,
        DynamicCast<EthernetNetDevice>(last)->GetObject<CsigPort>()->GetAgent()->GetLocator(
            CsigFormat::EXPANDED),
        "the paused port");
    Simulator::Destroy();
}

/// The number of frames of a class.
constexpr std::size_t FRAMES = 20;

/// DSCP of the lower class and of the higher one, as TOS: CS0 and CS5.
constexpr uint8_t TOS[] = {0, 40 << 2};

/// What two classes have got.
struct Outcome
{
    std::array<std::vector<uint32_t>, 2> values; //!< of the tags, by class, in order
    std::array<std::vector<int64_t>, 2> waits;   //!< at the uplink in ns, by class, in order
};

/// Run the network. signal: what packets ask for. late: whether one more packet of each class
/// is sent, at 128 us.
Outcome
RunClasses(const std::string& signal, bool late)
{
    FabricHelper network;
    CsigHelper csig;
    csig.SetAgentAttribute("Phase", DoubleValue(0));
    BuildLeafSpine(network, csig, signal, LeafSpineSettings().hostRate);

    Outcome outcome;
    const auto& fabric = network.GetFabric();
    const auto& hosts = fabric.GetHosts();
    const NodeIndex leaf = fabric.GetLeaf(hosts[0]);
    std::map<uint64_t, std::pair<std::size_t, int64_t>> arrivals; // class and time, by packet
    for (PortIndex port; port < fabric.GetPorts(leaf).GetEnd(); ++port)
    {
        const auto device = network.GetPort(leaf, port);
        const NodeIndex peer = fabric.GetPorts(leaf)[port].peer;
        if (fabric.IsSwitch(peer))
        {
            ConnectTrace(device, "PhyTxBegin", [&](Ptr<const Packet> frame) {
                const auto& [index, time] = arrivals.at(frame->GetUid());
                outcome.waits[index].push_back(Simulator::Now().GetNanoSeconds() - time);
            });
            continue;
        }
        const std::size_t index = peer == hosts[0] ? 0 : 1;
        ConnectTrace(device, "PhyRxEnd", [&arrivals, index](Ptr<const Packet> frame) {
            arrivals[frame->GetUid()] = {index, Simulator::Now().GetNanoSeconds()};
        });
    }
    const NodeIndex to = hosts[2];
    const uint32_t higher = network.GetAddress(hosts[1]).Get();
    ConnectTrace(network.GetNode(to)->GetObject<CsigHost>(),
                 "Tag",
                 [&outcome, higher](const FlowKey& flow, const CsigFields& fields) {
                     // Local to remote
                     outcome.values[flow.destination == higher].push_back(fields.value);
                 });
    const auto sink = MakeSocket(network.GetNode(to), SINK_PORT);
    for (std::size_t i = 0; i < 2; ++i)
    {
        const auto socket = MakeSocket(network.GetNode(hosts[i]), SINK_PORT);
        socket->Connect(InetSocketAddress(network.GetAddress(to), SINK_PORT));
        socket->SetIpTos(TOS[i]); // after Connect(), which has its own up to ns-3.41
        const auto send = [socket](std::size_t n) {
            for (std::size_t k = 0; k < n; ++k)
            {
                socket->Send(Create<Packet>(1000));
            }
        };
        Simulator::Schedule(MicroSeconds(110), [send] { send(FRAMES); });
        if (late)
        {
            Simulator::Schedule(MicroSeconds(128), [send] { send(1); });
        }
    }
    Simulator::Run();
    Simulator::Destroy();
    return outcome;
}

// Two hosts of a leaf send at once to the other leaf, in two classes with strict priority. 20
// frames of 1,074 bytes on the wire each, from 110 us on, through one uplink that is as fast as a
// host: 85.92 ns a frame. Expected results, by strict priority: a frame of the higher class waits
// for the one that is being sent at most. Of the lower class one or two frames are sent before the
// higher class has come, and the others wait until all of it has been sent. max(PD) of each frame
// is what it has waited at the uplink, by the traces of the ports and to a nanosecond, in steps of
// 128 ns; the ports behind the uplink are as fast, so that no frame waits there. min(ABW): 40
// frames in the interval from 100 to 120 us are 42,960 bytes, 17.184 of 100 Gb/s. A frame of
// either class that leaves in the next interval has (100 - 17.184) / 0.008 = 10,352 steps of 8
// Mb/s.
AIDC_TEST_CASE("5.3.4, 5.4.2: classes with strict priority: the load is that of all, and the "
               "wait that of each packet")
{
    const auto delays = RunClasses("max(PD)", false);
    for (std::size_t i = 0; i < 2; ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(delays.waits[i].size(), FRAMES, "class " << i);
        NS_TEST_ASSERT_MSG_EQ(delays.values[i].size(), FRAMES, "class " << i);
        for (std::size_t k = 0; k < FRAMES; ++k)
        {
            NS_TEST_EXPECT_MSG_EQ(delays.values[i][k],
                                  static_cast<uint32_t>(delays.waits[i][k] / 128),
                                  "class " << i << ", frame " << k);
        }
    }
    // Frames take 85 or 86 ns.
    for (const int64_t wait : delays.waits[1])
    {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(wait, 86, "at most the frame that is being sent");
    }
    for (std::size_t k = 2; k < FRAMES; ++k)
    {
        // It came k frames after the first one, and FRAMES + k - 2 were sent before it at
        // least.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delays.waits[0][k],
                                    85 * static_cast<int64_t>(FRAMES - 3),
                                    "frame " << k);
    }

    const auto bandwidths = RunClasses("min(ABW)", true);
    for (const auto& values : bandwidths.values)
    {
        NS_TEST_ASSERT_MSG_EQ(values.size(), FRAMES + 1, "a tag a packet");
        NS_TEST_EXPECT_MSG_EQ(values.back(), 10352, "less the frames of both classes");
    }
}

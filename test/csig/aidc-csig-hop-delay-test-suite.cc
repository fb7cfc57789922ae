/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../helper/test-fabrics.h"
#include "csig-port-pair.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"
#include "ns3/fabric-helper.h"
#include "ns3/pausable-classes.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief What a port adds for its pipeline, in hardware and in software.
 */
class LatencyTestCase : public TestCase
{
  public:
    LatencyTestCase()
        : TestCase("5.4.1: PD has the latency of PHY, MAC and pipeline; packets do not wait for it")
    {
    }

  private:
    void DoRun() override
    {
        {
            CsigPortPair pair({}, {{"PipelineLatency", "700ns"}});
            pair.Forward(10000, 100, MakeTag(2, 0, 0, EXPANDED), 3000);
            pair.Forward(20000, 100, MakeTag(2, 0, 0, EXPANDED));
            const auto tags = pair.Run();
            NS_TEST_ASSERT_MSG_EQ(tags.size(), 2, "");
            NS_TEST_EXPECT_MSG_EQ(tags[0]->value, 3700 / 128, "");
            NS_TEST_EXPECT_MSG_EQ(tags[1]->value, 700 / 128, "");
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
        NS_TEST_ASSERT_MSG_EQ(registers.size(), 3, "");
        NS_TEST_EXPECT_MSG_EQ(registers[2]->value, 3700 / 128, "the longest of the interval");
    }
};

/**
 * @ingroup aidc-test
 * @brief The port to a host is paused from 100 to 150 us, as priority flow control does.
 *
 * A packet for the host arrives meanwhile, and leaves when the pause is over. PD is what it has
 * waited, by the traces of the ports. The bandwidth is what section 5.1.1 says, C less what was
 * sent: of a port that has sent nothing in the last interval all of it, paused or not. All other
 * ports are faster.
 */
class PausedTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param signal what the packet asks for
     */
    explicit PausedTestCase(const std::string& signal)
        : TestCase("5.1.1, 5.4: what a lossless port reports that was paused, " + signal),
          m_signal(signal)
    {
    }

  private:
    void DoRun() override
    {
        LeafSpineOptions options;
        options.leaves = 2;
        options.spines = 1;
        options.hostsPerLeaf = 2;
        FabricHelper network;
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.Build(MakeLeafSpine(options));
        SharedBufferSwitchHelper().Install(network.GetSwitches());
        network.AssignAddresses();
        network.AssignStreams(1);
        CsigHelper csig;
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
        csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded"));
        csig.GetHostHelper().SetAttribute("Signals", StringValue(m_signal));
        csig.SetAgentAttribute("Interval", TimeValue(MicroSeconds(20)));
        csig.Install(network);

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
        using Sink = Callback<void, const FlowKey&, const CsigFields&>;
        network.GetNode(to)->GetObject<CsigHost>()->TraceConnectWithoutContext(
            "Tag",
            Sink([&](const FlowKey&, const CsigFields& fields) { tags.push_back(fields); }));
        const auto sink = MakeSocket(network.GetNode(to), SINK_PORT);
        const auto socket = MakeSocket(network.GetNode(hosts[0]), SINK_PORT);
        Simulator::Schedule(MicroSeconds(110), [&] { SendUdp(socket, network.GetAddress(to)); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(departure, 150000, "as soon as the pause is over");
        NS_TEST_ASSERT_MSG_EQ(tags.size(), 1, "");
        const auto steps = m_signal == "max(PD)"
                               ? static_cast<uint32_t>((departure - arrival) / 128)
                               : 100000U / 8; // 100 Gb/s in steps of 8 Mb/s
        NS_TEST_EXPECT_MSG_EQ(tags[0].value, steps, "");
        NS_TEST_EXPECT_MSG_GT(departure - arrival, 35000, "nearly all of the wait is the pause");
        NS_TEST_EXPECT_MSG_EQ(
            tags[0].locator,
            DynamicCast<EthernetNetDevice>(last)->GetObject<CsigPort>()->GetAgent()->GetLocator(
                CsigFormat::EXPANDED),
            "the paused port");
        Simulator::Destroy();
    }

    std::string m_signal; //!< what the packet asks for
};

/**
 * @ingroup aidc-test
 * @brief What delay a port reports, and what of a pause.
 */
class AidcCsigHopDelayTestSuite : public TestSuite
{
  public:
    AidcCsigHopDelayTestSuite()
        : TestSuite("aidc-csig-hop-delay", TestSuite::Type::UNIT)
    {
        AddTestCase(new LatencyTestCase);
        AddTestCase(new PausedTestCase("max(PD)"));
        AddTestCase(new PausedTestCase("min(ABW)"));
    }
};

/// The instance that registers the suite
const AidcCsigHopDelayTestSuite g_aidcCsigHopDelayTestSuite;

} // namespace

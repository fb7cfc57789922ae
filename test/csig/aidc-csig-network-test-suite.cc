/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../death-test.h"
#include "../helper/test-fabrics.h"
#include "csig-port-pair.h"
#include "csig-small-fabric.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"
#include "ns3/test.h"

#include <algorithm>
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
        for (const NodeIndex host : fabric.GetHosts())
        {
            hosts.SetAttribute("Format", StringValue(host.value % 2 == 0 ? "Compact" : "Expanded"));
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
                    NS_TEST_EXPECT_MSG_EQ(
                        fabric.IsSwitch(fabric.GetPorts(leaf)[PortIndex(port)].peer),
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
                                  h.Exclude(NodeIndex(0));
                                  h.Install(network, {NodeIndex(0)});
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
                                  CsigHelper::GetDeviceNumber(network.GetFabric(), NodeIndex(0));
                              }).Says("no switch"),
                              true,
                              "a host");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief CSIG in whole networks: kinds of devices, datapaths, TCP, and how it fits a fabric.
 */
class AidcCsigNetworkTestSuite : public TestSuite
{
  public:
    AidcCsigNetworkTestSuite()
        : TestSuite("aidc-csig-network", TestSuite::Type::UNIT)
    {
        AddTestCase(new KindsTestCase);
        AddTestCase(new DatapathsTestCase);
        AddTestCase(new TcpTestCase);
        AddTestCase(new FitTestCase);
    }
};

/// The instance that registers the suite
const AidcCsigNetworkTestSuite g_aidcCsigNetworkTestSuite;

} // namespace

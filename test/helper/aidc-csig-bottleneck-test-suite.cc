// SPDX-License-Identifier: GPL-2.0-only

// The bottleneck of a flow's path, in a network where it is known. Three leaves with two hosts of
// 100 Gbit/s each share a spine by links of 40 Gbit/s. One flow of 4 Gbit/s from the first leaf and
// one of 18 Gbit/s from the second meet at the spine's port to the third leaf, so that it has the
// least bandwidth left of all ports on both paths.

#include "test-fabrics.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-udp-applications.h"
#include "ns3/names.h"

// The bottlenecks of flows.
AIDC_TEST_SUITE("aidc-csig-bottleneck", UNIT);

constexpr double GBPS = 1e9;       //!< bit/s
constexpr uint32_t PAYLOAD = 8000; //!< of a datagram, bytes

/// The network and its two flows.
class MeetingFlows
{
  public:
    explicit MeetingFlows(
        FabricHelper::DeviceKind kind,
        const std::string& format,
        const std::function<void(CsigHelper&, const FabricHelper&)>& install = nullptr)
    {
        LeafSpineSettings settings{3, 1, 2};
        settings.leafSpineRate = 40000000000;
        network.SetDeviceKind(kind);
        network.Build(MakeLeafSpine(settings));
        FinishNetwork(network);
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.GetHostHelper().SetAttribute("Format", StringValue(format));
        csig.GetHostHelper().SetAttribute("Signals", StringValue("min(ABW),max(PD)"));
        csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
        if (install)
        {
            install(csig, network);
        }
        else
        {
            csig.Install(network);
        }
        const auto& hosts = network.GetFabric().GetHosts();
        small = Send(hosts.at(0), hosts.at(4), "4Gbps");
        large = Send(hosts.at(2), hosts.at(5), "18Gbps");
        RunFor(MilliSeconds(1));
    }

    ~MeetingFlows()
    {
        Simulator::Destroy();
        Names::Clear();
    }

    MeetingFlows(const MeetingFlows&) = delete;
    MeetingFlows& operator=(const MeetingFlows&) = delete;

    FabricHelper network;     //!< the network
    CsigHelper csig;          //!< its CSIG
    Ptr<CsigUdpSource> small; //!< 4 Gbit/s
    Ptr<CsigUdpSource> large; //!< 18 Gbit/s

  private:
    /// Let a host send at a constant rate.
    Ptr<CsigUdpSource> Send(NodeIndex from, NodeIndex to, const std::string& rate)
    {
        auto sink = CreateObject<CsigUdpSink>();
        sink->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(to)));
        sink->SetAttribute("Port", UintegerValue(7));
        network.GetNode(to)->AddApplication(sink);
        auto source = CreateObject<CsigUdpSource>();
        source->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(from)));
        source->SetAttribute("Remote", Ipv4AddressValue(network.GetAddress(to)));
        source->SetAttribute("RemotePort", UintegerValue(7));
        source->SetAttribute("FirstPort", UintegerValue(20000));
        source->SetAttribute("Rate", StringValue(rate));
        source->SetAttribute("PacketSize", UintegerValue(PAYLOAD));
        network.GetNode(from)->AddApplication(source);
        return source;
    }
};

// On the wire, a datagram of 8000 bytes takes 28 more of UDP and IP, 38 of Ethernet and 8 of the
// tag, or 2 of PPP: 22 Gbit/s of payload are 22.08 to 22.21 Gbit/s, so that 17.79 to 17.92 Gbit/s
// are left. An interval of 100 us may have a datagram more or less of each flow, 2 * 0.65 Gbit/s.
constexpr double LEFT = 17.85 * GBPS;            //!< what is left
constexpr double TOLERANCE = 1.4 * GBPS;         //!< by how much it may differ
constexpr uint64_t BUCKET = 15000000000;         //!< where the default bucket of all these begins
constexpr uint64_t NEXT_BUCKET = BUCKET / 3 * 4; //!< and where the next one does

struct NamedPort
{
    FabricHelper::DeviceKind kind; //!< the devices
    std::string name;
};

// A locator that names ports.
AIDC_TEST_CASES(NamedPort,
                row,
                "Section 5.5: a flow's bottleneck is found by name, " + row.name,
                ({{FabricHelper::ETHERNET, "Ethernet"},
                  {FabricHelper::POINT_TO_POINT, "point-to-point"}}))
{
    MeetingFlows run(row.kind, "Expanded");
    const auto& plan = run.network.GetFabric();
    for (const auto& source : {run.small, run.large})
    {
        const auto found = run.csig.GetBottleneck(source->GetFlow());
        AIDC_ASSERT(found.has_value(), "signals have come back");
        AIDC_EXPECT(found->reading.signal == CsigSignal::ABW, "the default");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(found->reading.GetValue()),
                                  LEFT,
                                  TOLERANCE,
                                  "the value");
        NS_TEST_EXPECT_MSG_EQ(std::string(found->reading.GetUnit()), "bit/s", "its unit");
        NS_TEST_EXPECT_MSG_EQ(found->port.node, "spine-0", "the switch");
        NS_TEST_EXPECT_MSG_EQ(found->port.name, "spine-0:leaf-2", "the port");
        const NodeIndex spine = plan.GetSwitches().back();
        NS_TEST_EXPECT_MSG_EQ(found->port.device,
                              run.network.GetPort(spine, PortIndex(2)),
                              "the device");
        NS_TEST_EXPECT_MSG_GT(found->time, MicroSeconds(950), "the newest signal");
        AIDC_EXPECT(!run.csig.GetBottleneck(source->GetFlow(), CsigSignal::HOP_DELAY).has_value(),
                    "nothing waits, so that no switch has told of a delay");
        AIDC_EXPECT(!run.csig.GetBottleneck(source->GetFlow(), CsigSignal::ABW_RATIO).has_value(),
                    "nobody asks for shares");
    }
    FlowKey other = run.small->GetFlow();
    ++other.sourcePort;
    AIDC_EXPECT(!run.csig.GetBottleneck(other).has_value(), "no such flow");
    other.source = 1;
    AIDC_EXPECT(!run.csig.GetBottleneck(other).has_value(), "no such host");
}

// A locator that several ports share.
AIDC_TEST_CASE("Section 5.5: a locator without ports tells stage and orientation")
{
    MeetingFlows run(FabricHelper::ETHERNET, "Compact");
    const auto found = run.csig.GetBottleneck(run.small->GetFlow());
    AIDC_ASSERT(found.has_value(), "signals have come back");
    NS_TEST_EXPECT_MSG_EQ(found->reading.range.low, BUCKET, "the bucket");
    NS_TEST_EXPECT_MSG_EQ(found->reading.range.high, NEXT_BUCKET, "the bucket");
    const auto& locator = found->reading.locator;
    NS_TEST_EXPECT_MSG_EQ(locator.Get(CsigAttribute::STAGE), 2, "a spine");
    NS_TEST_EXPECT_MSG_EQ(locator.Get(CsigAttribute::ORIENTATION),
                          static_cast<uint32_t>(CsigOrientation::DOWN),
                          "a port down");
    NS_TEST_EXPECT_MSG_EQ(locator.Get(CsigAttribute::CAPACITY), 3, "40 Gbit/s");
    NS_TEST_EXPECT_MSG_EQ(found->port.name, "", "the spine has three such ports");
    NS_TEST_EXPECT_MSG_EQ(found->port.device, nullptr, "so none is named");
}

// Switches that are of no plan.
AIDC_TEST_CASE("Switches that are installed one by one have ns-3's names")
{
    MeetingFlows run(FabricHelper::ETHERNET,
                     "Expanded",
                     [](CsigHelper& csig, const FabricHelper& network) {
                         const auto& plan = network.GetFabric();
                         Names::Add("core", network.GetNode(plan.GetSwitches().back()));
                         for (const NodeIndex host : plan.GetHosts())
                         {
                             csig.InstallHosts(NodeContainer(network.GetNode(host)));
                         }
                         uint32_t number = 0;
                         for (const NodeIndex id : plan.GetSwitches())
                         {
                             csig.InstallSwitch(network.GetNode(id), ++number);
                         }
                     });
    const auto found = run.csig.GetBottleneck(run.large->GetFlow());
    AIDC_ASSERT(found.has_value(), "signals have come back");
    NS_TEST_EXPECT_MSG_EQ(found->port.node, "core", "the switch");
    NS_TEST_EXPECT_MSG_EQ(found->port.name, "core:2", "its port to the third leaf");
}

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "csig-small-fabric.h"
#include "test/test-case.h"

// CSIG in whole networks: kinds of devices, datapaths, TCP, and how it fits a fabric.
AIDC_TEST_SUITE("aidc-csig-network", UNIT);

/// min(ABW) of an idle leaf's uplink: the code of 40 Gb/s, and its place in the speeds, leaf, up.
const CsigFields LEAF_UP = MakeTag(0, 17, 3 << 4 | 1 << 2 | 1);

std::vector<SmallFabric::Arrival>
SimulateDatapaths(SwitchDatapath::Mode datapath)
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

// Both datapaths of switches give the same tags, of all signals, in both formats.
AIDC_TEST_CASE("6.3.2: compact and expanded together; the same tags by stack and fast path")
{
    const auto fast = SimulateDatapaths(SwitchDatapath::FAST);
    const auto stack = SimulateDatapaths(SwitchDatapath::STACK);
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

// Each kind of device and datapath says of an idle network that its uplinks are the least. 40 Gb/s
// have the code 17 in the compact format and 5,000 in the expanded one. The first of the two hops
// with 40 Gb/s stays: the leaf's, up.
AIDC_TEST_CASE("One call makes a CSIG domain of a fabric, of each kind of device")
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
            NS_TEST_ASSERT_MSG_EQ(small.tags.size(), 4, "four tags");
            const auto& fabric = small.network.GetFabric();
            for (const auto& [host, time, fields] : small.tags)
            {
                // The sender is at the other leaf.
                const auto leaf = fabric.GetLeaf(host) == fabric.GetLeaves()[0]
                                      ? fabric.GetLeaves()[1]
                                      : fabric.GetLeaves()[0];
                if (format == "Compact")
                {
                    NS_TEST_EXPECT_MSG_EQ(fields, LEAF_UP, "min(ABW) of the leaf's uplink");
                    continue;
                }
                NS_TEST_EXPECT_MSG_EQ(fields.value, 5000, "the value of an idle link");
                NS_TEST_EXPECT_MSG_EQ((fields.locator >> 6),
                                      CsigHelper::GetDeviceNumber(fabric, leaf),
                                      "the leaf");
                const uint32_t port = fields.locator & 63;
                NS_TEST_ASSERT_MSG_LT(port, fabric.GetPorts(leaf).size(), "a port");
                AIDC_EXPECT(fabric.IsSwitch(fabric.GetPorts(leaf)[PortIndex(port)].peer),
                            "an uplink");
            }
        }
    }
}

// A TCP sender gets what switches have written. Other traffic makes the signals differ from segment
// to segment. What must be reflected is noted at the receiver, when IPv4 sends an ACK: the tag that
// came last, if one came since the ACK before.
AIDC_TEST_CASE("4.2, 4.3: a TCP sender learns the latest tag before each ACK, and nothing else")
{
    SmallFabric small;
    small.csig.SetDomainAttribute("HopDelayQuantum", TimeValue(NanoSeconds(8)));
    auto& csigHosts = small.csig.GetHostHelper();
    csigHosts.SetAttribute("TagUdp", BooleanValue(false));
    csigHosts.SetAttribute("Signals", StringValue("max(PD)"));
    csigHosts.SetAttribute("Format", StringValue("Expanded"));
    small.csig.Install(small.network);
    const auto& hosts = small.network.GetFabric().GetHosts();
    const auto receiver = small.network.GetNode(hosts[2]);
    std::vector<CsigFields> learned;
    std::vector<CsigFields> expected;
    std::optional<CsigFields> newest;
    std::size_t nArrived = 0;
    ConnectTrace(small.network.GetNode(hosts[0])->GetObject<CsigHost>(),
                 "Signal",
                 [&](const FlowKey&, const CsigFields& fields) { learned.push_back(fields); });
    ConnectTrace(receiver->GetObject<CsigHost>(),
                 "Tag",
                 [&](const FlowKey&, const CsigFields& fields) {
                     newest = fields;
                     ++nArrived;
                 });
    ConnectTrace(receiver->GetObject<Ipv4L3Protocol>(),
                 "SendOutgoing",
                 [&](const Ipv4Header& header, Ptr<const Packet>, uint32_t) {
                     if (header.GetProtocol() == PROTOCOL_TCP && newest)
                     {
                         expected.push_back(*std::exchange(newest, std::nullopt));
                     }
                 });
    auto listener = Socket::CreateSocket(receiver, TypeId::LookupByName("ns3::TcpSocketFactory"));
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), SINK_PORT));
    listener->Listen();
    auto sender = Socket::CreateSocket(small.network.GetNode(hosts[0]),
                                       TypeId::LookupByName("ns3::TcpSocketFactory"));
    Simulator::Schedule(MicroSeconds(1), [&] {
        sender->Connect(InetSocketAddress(small.network.GetAddress(hosts[2]), SINK_PORT));
        sender->Send(Create<Packet>(100000));
    });
    small.Send(2000, 700); // 17 Gb/s a host
    RunFor(MilliSeconds(10));
    // 187 segments of 536 bytes, an ACK for each two.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nArrived, 187, "each segment has a tag");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(expected.size(), 93, "ACKs");
    std::set<uint32_t> values;
    for (const auto& fields : expected)
    {
        values.insert(fields.value);
    }
    NS_TEST_EXPECT_MSG_GT(values.size(), 10, "a wrong order would be seen");
    NS_TEST_ASSERT_MSG_EQ(learned.size(), expected.size(), "one signal an ACK");
    for (std::size_t i = 0; i < learned.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(learned[i], expected[i], "signal " << i);
    }
}

/// The frames of a run, each with its padding, in order.
struct Frames
{
    std::vector<Bytes> first; //!< on the first link
    std::vector<Bytes> last;  //!< on the last link
};

/// Bytes of UDP payload: 18 fill the smallest frame; 1,472 fill the MTU of 1,500.
constexpr std::array<uint32_t, 10> PAYLOADS{0, 1, 10, 13, 14, 15, 17, 18, 19, 1472};

/// format: the format of tags, or "" for a network without CSIG. datapath: how packets get
/// through the switches.
Frames
Simulate(const std::string& format, SwitchDatapath::Mode datapath)
{
    SmallFabric small(FabricHelper::ETHERNET, datapath);
    const auto& fabric = small.network.GetFabric();
    const auto& hosts = fabric.GetHosts();
    const NodeIndex from = hosts[0];
    const NodeIndex to = hosts[2];
    if (!format.empty())
    {
        small.csig.GetHostHelper().SetAttribute("Format", StringValue(format));
        small.csig.Exclude(to); // so that its leaf strips
        small.csig.Install(small.network);
    }
    Frames frames;
    const auto watch = [](Ptr<NetDevice> device, std::vector<Bytes>& list) {
        ConnectTrace(device, "PhyTxBegin", [&list](Ptr<const Packet> frame) {
            list.push_back(GetBytes(frame));
        });
    };
    watch(small.network.GetPort(from, PortIndex(0)), frames.first);
    const auto& [link, leaf] = fabric.GetPorts(to)[PortIndex(0)];
    for (PortIndex port; port < fabric.GetPorts(leaf).GetEnd(); ++port)
    {
        if (fabric.GetPorts(leaf)[port].peer == to)
        {
            watch(small.network.GetPort(leaf, port), frames.last);
        }
    }
    auto socket = MakeSocket(small.network.GetNode(from), SINK_PORT);
    const auto address = small.network.GetAddress(to);
    for (const uint32_t size : PAYLOADS)
    {
        Simulator::Schedule(MicroSeconds(1 + size), [socket, address, size] {
            Bytes bytes(size);
            for (uint32_t i = 0; i < size; ++i)
            {
                bytes[i] = static_cast<uint8_t>(i * 7 + size);
            }
            socket->SendTo(Create<Packet>(bytes.data(), size),
                           0,
                           InetSocketAddress(address, SINK_PORT));
        });
    }
    Simulator::Run();
    return frames;
}

// A frame that has lost its tag is, byte by byte, the frame that never had one. Payloads on both
// sides of the smallest frame: the four or eight bytes of a tag take the place of padding, which
// has to come back.
AIDC_TEST_CASE("6.1: frames before tagging and after stripping are the same, byte by byte")
{
    for (const auto datapath : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        const auto plain = Simulate("", datapath);
        NS_TEST_ASSERT_MSG_EQ(plain.first.size(), PAYLOADS.size(), "plain");
        for (const std::string format : {"Compact", "Expanded"})
        {
            const std::size_t size = format == "Compact" ? 4 : 8;
            const auto tagged = Simulate(format, datapath);
            NS_TEST_ASSERT_MSG_EQ(tagged.first.size(), PAYLOADS.size(), "first hop");
            NS_TEST_ASSERT_MSG_EQ(tagged.last.size(), PAYLOADS.size(), "last hop");
            for (std::size_t i = 0; i < PAYLOADS.size(); ++i)
            {
                const auto about = format + ", " + std::to_string(PAYLOADS[i]) + " bytes";
                Bytes frame = tagged.first[i];
                AIDC_ASSERT(ReadFrameTag(frame).has_value(), about);
                frame.erase(frame.begin() + 12,
                            frame.begin() + 12 + static_cast<std::ptrdiff_t>(size));
                // IP and UDP have 28 bytes; what is behind the payload is padding.
                const std::size_t used = 14 + 28 + PAYLOADS[i];
                NS_TEST_ASSERT_MSG_GT_OR_EQ(frame.size(), used, about);
                const auto& before = plain.first[i];
                AIDC_EXPECT(std::equal(frame.begin(), frame.begin() + used, before.begin()),
                            "tagged is the frame with the tag put in: " << about);
                AIDC_EXPECT(tagged.last[i] == plain.last[i], "stripped: " << about);
                NS_TEST_EXPECT_MSG_EQ(tagged.last[i].size(),
                                      std::max<std::size_t>(used, 60),
                                      "padded to the smallest frame: " << about);
            }
        }
    }
}

// The domain fits the fabric.
AIDC_TEST_CASE("5.5.1, 5.5.2: locators and speeds that fit the fabric; mistakes are refused")
{
    NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(1023, 64), "device:10,port:6", "default");
    NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(1024, 64), "orientation:2,device:14", "14 bits");
    NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(1024, 32), "device:11,port:5", "fewer ports");
    NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(10, 128), "device:9,port:7", "few devices");
    NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(16383, 64), "orientation:2,device:14", "at most");
    NS_TEST_EXPECT_MSG_EQ(CsigHelper::FitLocator(16384, 64), "device:16", "one too many");
    {
        SmallFabric small;
        small.csig.Install(small.network);
        const auto domain = small.csig.GetDomain();
        NS_TEST_EXPECT_MSG_EQ(domain->GetSpeeds().Encode(800000000000), 7, "the default");
    }
    FabricHelper network;
    LeafSpineSettings settings{2, 1, 1};
    settings.hostRate = 50000000000;
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.Build(MakeLeafSpine(settings));
    FinishNetwork(network);
    CsigHelper helper;
    helper.Install(network);
    NS_TEST_EXPECT_MSG_EQ(helper.GetDomain()->GetSpeeds().Encode(50000000000), 1, "its own");
    NS_TEST_EXPECT_MSG_EQ(helper.GetDomain()->GetSpeeds().Encode(400000000000), 2, "the next");

    const auto dies = [&](const std::function<void(CsigHelper&)>& call) {
        return RunInChild([&] {
            CsigHelper another;
            call(another);
        });
    };
    const std::string refusal = MessageOf<std::invalid_argument>(
        [&] { CsigHelper().SetPortAttribute("Nonsense", BooleanValue(true)); });
    NS_TEST_EXPECT_MSG_EQ(
        refusal.find("ns3::aidc::CsigPort has no attribute \"Nonsense\"; it has "),
        0,
        refusal);
    AIDC_EXPECT(dies([&](auto& h) {
                    h.Exclude(NodeIndex(0));
                    h.Install(network, {NodeIndex(0)});
                }).Says("host-0 is excluded"),
                "");
    AIDC_EXPECT(dies([&](auto& h) { h.Install(network); }).Says("already"), "a second time");
    AIDC_EXPECT(dies([&](auto&) {
                    helper.SetDomainAttribute("QueueDepth", BooleanValue(true));
                }).Says("made already"),
                "");
    AIDC_EXPECT(dies([&](auto&) {
                    helper.SetDomain(CreateObject<CsigDomain>());
                }).Says("another CsigDomain"),
                "");
    AIDC_EXPECT(dies([&](auto&) {
                    CsigHelper::GetDeviceNumber(network.GetFabric(), NodeIndex(0));
                }).Says("no switch"),
                "a host");
    Simulator::Destroy();
}

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-path-network.h"
#include "csig-port-pair.h"
#include "test/test-case.h"

#include "ns3/csig-tag.h"

// Networks in which switches offer different levels of support.
AIDC_TEST_SUITE("aidc-csig-brownfield", UNIT);

/// A packet is sent when the measured interval is over, and is there before the next one is.
constexpr int64_t PROBE = FigurePath::MEASURED_TO + 10;

/// Make a packet that asks for a tag by itself.
Ptr<Packet>
MakeTaggedPacket()
{
    auto packet = Create<Packet>(100);
    CsigTag tag(MakeTag(0, 5, 1));
    tag.SetRequest(true);
    packet->AddPacketTag(tag);
    return packet;
}

/// A switch whose ports have other attributes than the ports of the other switches.
struct Exception
{
    uint32_t node;    //!< the switch
    Attributes port;  //!< of its ports
    Attributes agent; //!< of their agents
};

/// What becomes of a packet and its tag.
struct Mixture
{
    std::string name;                  //!< what it shows
    std::vector<Exception> exceptions; //!< the switches that are not like the others
    bool arrives;                      //!< whether the packet does
    std::optional<CsigFields> tag;     //!< the tag that arrives, if one does
};

// Hop 5 has 20 Gb/s, code 14; hop 3 has 70, in [60, 75): code 19. LM as in GetCompactLm of
// the suite aidc-csig-path: 40 Gb/s is place 3, leaf, down; 100 is 4, super-spine, down.
const auto HOP_5 = MakeTag(0, 14, 3 << 4 | 1 << 2 | 2);
const auto HOP_3 = MakeTag(0, 19, 4 << 4 | 3 << 2 | 2);

// Asks for min(ABW), compact, on the path of figure 5, with switches of several kinds.
AIDC_TEST_CASES(
    Mixture,
    mixture,
    mixture.name,
    ({{"6.2.3: with complete support everywhere, the bottleneck is found", {}, true, HOP_5},
      {"6.2.2: what a pass-through device has is missed",
       {{5, {{"Support", "PassThrough"}}, {}}},
       true,
       HOP_3},
      {"6.3.2: an unsupported type passes unchanged", {{5, {}, {{"Abw", "false"}}}}, true, HOP_3},
      {"6.3.2: a device can strip what it does not support",
       {{3, {{"UnsupportedAction", "Strip"}}, {{"Abw", "false"}}}},
       true,
       std::nullopt},
      {"6.2.1: a Discard device drops tagged packets",
       {{4, {{"Support", "Discard"}}, {}}},
       false,
       std::nullopt},
      {"6.3.1: with stripping before the Discard device, packets arrive (MUST)",
       {{3, {{"StripEgress", "true"}}, {}}, {4, {{"Support", "Discard"}}, {}}},
       true,
       std::nullopt},
      // In 200 us the 20 of 40 Gb/s of the second 100 us are 10: [30, 40) Gb/s is left.
      {"6.4: software writes what it has read at its own pace",
       {{5, {}, {{"Software", "true"}, {"SoftwareInterval", "200us"}}}},
       true,
       MakeTag(0, 16, 3 << 4 | 1 << 2 | 2)}}))
{
    CsigHelper helper;
    FigurePath path(SwitchDatapath::FAST,
                    "min(ABW)",
                    "Compact",
                    helper,
                    [&](FabricHelper& network) {
                        std::vector<NodeIndex> others;
                        for (uint32_t node = 0; node < 7; ++node)
                        {
                            bool isOther = true;
                            for (const auto& exception : mixture.exceptions)
                            {
                                isOther = isOther && node != exception.node;
                            }
                            if (isOther)
                            {
                                others.emplace_back(node);
                            }
                        }
                        helper.Install(network, others);
                        for (const auto& exception : mixture.exceptions)
                        {
                            CsigHelper own;
                            own.SetDomain(helper.GetDomain());
                            own.SetAgentAttribute("Phase", DoubleValue(0));
                            own.SetPortAttribute("Trusted", BooleanValue(true));
                            for (const auto& [name, value] : exception.port)
                            {
                                own.SetPortAttribute(name, StringValue(value));
                            }
                            for (const auto& [name, value] : exception.agent)
                            {
                                own.SetAgentAttribute(name, StringValue(value));
                            }
                            own.Install(network, {NodeIndex(exception.node)});
                        }
                    });
    path.Load();
    path.Send(0, PROBE);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(path.GetReceived(6), mixture.arrives, "arrives");
    NS_TEST_ASSERT_MSG_EQ(path.tags[6].size(), mixture.tag.has_value(), "a tag");
    if (mixture.tag)
    {
        NS_TEST_EXPECT_MSG_EQ(path.tags[6][0], *mixture.tag, "the tag that host 6 gets");
    }
}

// A host outside the domain gets no tags, and its own get nowhere.
AIDC_TEST_CASE("6.3.2, 6.5, 9: ports at the boundary of the domain strip and do not trust")
{
    CsigHelper helper;
    helper.Exclude(NodeIndex(6));
    FigurePath path(SwitchDatapath::FAST, "min(ABW)", "Compact", helper);
    // Node 6 can send tags all the same.
    auto rogue = CreateObject<CsigPort>();
    rogue->SetAttribute("Role", EnumValue(CsigPort::HOST));
    rogue->SetAttribute("Domain", PointerValue(helper.GetDomain()));
    rogue->Install(path.GetDevice(6, 0));
    path.Send(0, PROBE);
    Simulator::Schedule(MicroSeconds(PROBE), [&] {
        const auto socket = MakeSocket(path.network.GetNode(NodeIndex(6)), 0);
        const auto packet = MakeTaggedPacket();
        socket->SendTo(packet,
                       0,
                       InetSocketAddress(path.network.GetAddress(NodeIndex(0)), SINK_PORT));
    });
    Simulator::Run();
    const auto& edge = path.GetHop(4)->GetObject<CsigPort>()->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(path.GetReceived(6), 1, "the packet arrives");
    NS_TEST_EXPECT_MSG_EQ(rogue->GetStatistics().taggedIn, 0, "without its tag");
    NS_TEST_EXPECT_MSG_EQ(edge.stripped, 1, "the edge strips one tag");
    NS_TEST_EXPECT_MSG_EQ(rogue->GetStatistics().taggedOut, 1, "its tag is on the wire");
    NS_TEST_EXPECT_MSG_EQ(edge.untrusted, 1, "and ends there");
    NS_TEST_EXPECT_MSG_EQ(path.GetReceived(0), 1, "its packet does not");
    NS_TEST_EXPECT_MSG_EQ(path.tags[0].size(), 0, "host 0 gets no tag");
    for (uint32_t node = 1; node < 5; ++node)
    {
        const auto& inside = path.GetDevice(node, 1)->GetObject<CsigPort>()->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(inside.untrusted + inside.stripped, 0, "node " << node);
        NS_TEST_EXPECT_MSG_EQ(inside.taggedOut, 1, "only the first packet's");
    }
}

// A switch that has never heard of CSIG, once reached by tags and once not.
AIDC_TEST_CASE("6.2.1, 6.3.1: a device without CSIG drops tagged packets, and counts them")
{
    for (const bool isKnown : {false, true})
    {
        CsigHelper helper;
        FigurePath path(SwitchDatapath::FAST,
                        "min(ABW)",
                        "Compact",
                        helper,
                        [&](FabricHelper& network) {
                            if (isKnown)
                            {
                                helper.Exclude(NodeIndex(4));
                            }
                            std::vector<NodeIndex> others;
                            for (const uint32_t node : {0, 1, 2, 3, 5, 6})
                            {
                                others.emplace_back(node);
                            }
                            helper.Install(network, others);
                        });
        path.Send(0, PROBE);
        Simulator::Run();
        const auto& statistics = path.GetDevice(4, 0)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(6), isKnown, "saved by stripping before it");
        NS_TEST_EXPECT_MSG_EQ(statistics.inUnknownProtocols, !isKnown, "unknown");
        NS_TEST_EXPECT_MSG_EQ(statistics.inUnicastFrames, 1, "one frame has come");
        NS_TEST_EXPECT_MSG_EQ(path.tags[6].size(), 0, "host 6 gets no tag");
    }
}

// A host whose switch has never heard of CSIG.
AIDC_TEST_CASE("6.3.1: a host sends no tags to a switch that drops them")
{
    CsigHelper helper;
    helper.Exclude(NodeIndex(1));
    FigurePath path(SwitchDatapath::FAST, "min(ABW)", "Compact", helper);
    path.Send(0, PROBE);
    path.Send(6, PROBE);
    // A network adapter has its own tags, which the port ends.
    const auto device = path.GetDevice(0, 0);
    Simulator::Schedule(MicroSeconds(PROBE), [&] {
        const auto packet = MakeTaggedPacket();
        device->Send(packet, path.GetDevice(1, 0)->GetAddress(), 0x0800);
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(path.GetReceived(6), 1, "the packet arrives");
    NS_TEST_EXPECT_MSG_EQ(path.GetReceived(0), 1, "so does that of the other host");
    NS_TEST_EXPECT_MSG_EQ(path.tags[6].size() + path.tags[0].size(), 0, "without tags");
    const auto host = path.network.GetNode(NodeIndex(0))->GetObject<CsigHost>();
    NS_TEST_EXPECT_MSG_EQ(host->GetStatistics().tagsSent, 0, "the host does not tag");
    const auto port = device->GetObject<CsigPort>();
    NS_TEST_EXPECT_MSG_EQ(port->GetStatistics().taggedOut, 0, "no tag is on the wire");
    NS_TEST_EXPECT_MSG_EQ(path.GetDevice(1, 0)->GetStatistics().inUnknownProtocols, 0, "none");
}

/// Who may send tags.
struct Choice
{
    std::string name;                //!< how it is said
    std::vector<CsigFlowRule> rules; //!< the authorized flows
    std::optional<bool> isTrusted;   //!< the attribute Trusted, if it is set
    std::array<bool, 2> areTagged;   //!< whether hosts 6 and 0 get tags
};

// Switches decide whose tags they take from hosts.
AIDC_TEST_CASE("9: by default no host's tags are taken, and then those of authorized flows")
{
    std::map<uint32_t, uint32_t> addresses;
    {
        CsigHelper any;
        const FigurePath path(SwitchDatapath::FAST, "min(ABW)", "Compact", any);
        for (const uint32_t host : {0, 6})
        {
            addresses[host] = path.network.GetAddress(NodeIndex(host)).Get();
        }
    }
    CsigFlowRule toSix;
    toSix.destination = addresses[6];
    toSix.prefixLength = 32;
    CsigFlowRule fromSix;
    fromSix.source = addresses[6];
    fromSix.sourcePrefixLength = 32;
    CsigFlowRule datagrams;
    datagrams.protocol = 17;
    CsigFlowRule segments;
    segments.protocol = 6;
    CsigFlowRule marked;
    marked.dscp = 46;
    CsigFlowRule port;
    port.port = SINK_PORT;
    const std::vector<Choice> choices{
        {"by default", {}, std::nullopt, {false, false}},
        {"Trusted", {}, true, {true, true}},
        {"not Trusted", {}, false, {false, false}},
        {"by destination", {toSix}, std::nullopt, {true, false}},
        {"by source", {fromSix}, std::nullopt, {false, true}},
        {"by two rules", {toSix, fromSix}, std::nullopt, {true, true}},
        {"by protocol", {datagrams}, std::nullopt, {true, true}},
        {"by another protocol", {segments}, std::nullopt, {false, false}},
        {"by another DSCP", {marked}, std::nullopt, {false, false}},
        {"by port", {port}, std::nullopt, {true, true}},
    };
    for (const auto& choice : choices)
    {
        CsigHelper unused;
        CsigHelper helper;
        FigurePath path(SwitchDatapath::FAST,
                        "min(ABW)",
                        "Compact",
                        unused,
                        [&](FabricHelper& network) {
                            helper.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
                            if (choice.isTrusted)
                            {
                                helper.SetPortAttribute("Trusted", BooleanValue(*choice.isTrusted));
                            }
                            for (const auto& rule : choice.rules)
                            {
                                helper.Authorize(rule);
                            }
                            helper.Install(network);
                        });
        path.Send(0, PROBE);
        path.Send(6, PROBE);
        Simulator::Run();
        const std::array<uint32_t, 2> receivers{6, 0};
        const auto first = path.GetDevice(1, 0)->GetObject<CsigPort>()->GetStatistics();
        const auto last = path.GetDevice(5, 1)->GetObject<CsigPort>()->GetStatistics();
        const std::array<uint64_t, 2> untrusted{first.untrusted, last.untrusted};
        for (std::size_t i = 0; i < receivers.size(); ++i)
        {
            const auto host = receivers[i];
            NS_TEST_EXPECT_MSG_EQ(path.GetReceived(host), 1, choice.name);
            NS_TEST_EXPECT_MSG_EQ(path.tags[host].size(), choice.areTagged[i], choice.name);
            NS_TEST_EXPECT_MSG_EQ(untrusted[i], !choice.areTagged[i], choice.name);
        }
    }
}

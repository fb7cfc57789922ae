// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: configuration, who is tagged, and what users get.

#include "csig-host-traffic.h"
#include "model/core/csig/csig-flow-rule.h"
#include "test/test-case.h"

#include "ns3/csig-domain.h"
#include "ns3/csig-helper.h"

AIDC_TEST_SUITE("aidc-csig-host", UNIT);

// Section 9: only authorized flows are tagged, and only by the host's CSIG.
AIDC_TEST_CASE("9: only authorized flows are tagged")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    hostA->SetAttribute("AuthorizeAll", BooleanValue(false));
    hostB->SetAttribute("AuthorizeAll", BooleanValue(false));
    CsigFlowRule rule;
    rule.port = 81;
    hostA->Authorize(rule);
    std::map<uint16_t, uint32_t> tagged;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        tagged[seen.header.bytes[3]] += seen.tag.has_value();
        return true;
    };
    TcpConnection other(network, 100000, 100000);                     // to port 80
    TcpConnection authorized(network, 100000, 100000, 1, 1000, 5001); // to port 81
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(other.GetReceived(1) + authorized.GetReceived(1), 200000, "data");
    NS_TEST_EXPECT_MSG_EQ(tagged[80], 0, "no tag where there is no rule");
    NS_TEST_EXPECT_MSG_GT(hostA->GetStatistics().foreignTags, 100, "not the application's either");
    NS_TEST_EXPECT_MSG_EQ(tagged[81], 100, "every segment where there is one");
    NS_TEST_EXPECT_MSG_EQ(hostB->GetStatistics().tagsSent, 0, "without rules nothing is tagged");
    NS_TEST_EXPECT_MSG_GT(hostB->GetStatistics().reflectionsSent, 50, "and all is reflected");
}

AIDC_TEST_CASE("8.1: users get the signals of their flow")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    network.InstallB();
    TcpConnection first(network, 100000, 0);
    TcpConnection second(network, 50000, 0, 1, 1000, 5001);
    uint32_t count = 0;
    hostA->SetSink(second.GetFlowOfA(),
                   CsigHost::SignalSink([&](const FlowKey& flow, const CsigFields&) {
                       AIDC_EXPECT(flow == second.GetFlowOfA(), "its flow");
                       if (++count == 20)
                       {
                           hostA->SetSink(flow, CsigHost::SignalSink());
                       }
                   }));
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(count, 20, "until it has enough");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetStatistics().reflectionsReceived, 150, "more have come");
}

// A connection that has no room in the table goes on without CSIG.
AIDC_TEST_CASE("A forgotten connection goes on without CSIG")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    network.InstallB();
    hostA->SetAttribute("MaxFlows", UintegerValue(1));
    TcpConnection first(network, 1000000, 0);
    std::unique_ptr<TcpConnection> second;
    uint64_t tags = 0; // of the first alone
    Simulator::Schedule(MilliSeconds(20), [&] {
        tags = hostA->GetStatistics().tagsSent;
        second = std::make_unique<TcpConnection>(network, 100000, 0, 1, 1000, 5001);
    });
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(first.GetReceived(1), 1000000, "the first one's data arrives");
    NS_TEST_EXPECT_MSG_EQ(second->GetReceived(1), 100000, "the second one's data arrives");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetNFlows(), 1, "the first one is forgotten");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetFlows().at(0).sourcePort, 5001, "the second one is there");
    NS_TEST_EXPECT_MSG_GT(tags, 20, "the first one was tagged");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetStatistics().tagsSent, tags + 100, "then only the second");
}

// Section 4.1.3: type codes are the domain's.
AIDC_TEST_CASE("4.1.3: other type codes")
{
    CsigHostNetwork network;
    auto domain = CreateObject<CsigDomain>();
    domain->SetAttribute("AbwType", UintegerValue(2));
    domain->SetAttribute("HopDelayType", UintegerValue(7));
    CsigHostHelper helper;
    helper.SetAttribute("Domain", PointerValue(domain));
    helper.SetAttribute("Signals", StringValue("max(PD),min(ABW)"));
    helper.SetAttribute("Mode", EnumValue(CsigHostSettings::SUMMARY));
    helper.Install(NodeContainer(network.nodes.Get(0), network.nodes.Get(2)));
    std::vector<CsigFields> asked;
    uint32_t value = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        CsigTag tag;
        if (packet->PeekPacketTag(tag))
        {
            auto fields = tag.GetFields();
            asked.push_back(fields);
            // Of four segments: a delay of 20, a bandwidth of 3, a delay of 10, a bandwidth of
            // 5
            constexpr uint32_t VALUES[]{20, 3, 10, 5};
            fields.value = VALUES[value++ % 4];
            ReplaceTag(packet, fields);
        }
        return true;
    };
    TcpConnection tcp(network, 4000, 0, 4);
    RunFor(Seconds(2));

    const std::vector<CsigFields> expected{{CsigFormat::COMPACT, 7, 0, 0, 0},
                                           {CsigFormat::COMPACT, 2, 0, 0, 31},
                                           {CsigFormat::COMPACT, 7, 0, 0, 0},
                                           {CsigFormat::COMPACT, 2, 0, 0, 31}};
    AIDC_EXPECT(asked == expected, "the domain's codes are asked for");
    auto host = network.nodes.Get(0)->GetObject<CsigHost>();
    NS_TEST_EXPECT_MSG_EQ(host->GetDomain(), domain, "users find the domain");
    const auto bandwidth = host->GetSignal(tcp.GetFlowOfA(), CsigSignal::ABW);
    AIDC_ASSERT(bandwidth.has_value(), "one ACK reflects the first type");
    NS_TEST_EXPECT_MSG_EQ(bandwidth->fields.value, 3, "the smallest bandwidth");
}

// Configuration that cannot be.
AIDC_TEST_CASE("Impossible configuration is refused")
{
    auto host = CreateObject<CsigHost>();
    for (const std::string names : {"", ",", "min(ABW),", "min(ABW),,max(PD)", "abw", "min"})
    {
        AIDC_EXPECT(!host->SetAttributeFailSafe("Signals", StringValue(names)),
                    "no signals: " << names);
    }
    StringValue signals;
    host->GetAttribute("Signals", signals);
    NS_TEST_EXPECT_MSG_EQ(signals.Get(), "min(ABW)", "nothing has changed");
    AIDC_EXPECT(host->SetAttributeFailSafe("Signals", StringValue("max(PD),min(ABW/C)")),
                "two signals");
    host->GetAttribute("Signals", signals);
    NS_TEST_EXPECT_MSG_EQ(signals.Get(), "max(PD),min(ABW/C)", "in the order of asking");
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, uint64_t>>{{"Period", 0},
                                                       {"Patience", 0},
                                                       {"MaxFlows", 0},
                                                       {"OptionKind", 252},
                                                       {"OptionKind", 255},
                                                       {"OptionExId", 65536}})
    {
        AIDC_EXPECT(!host->SetAttributeFailSafe(name, UintegerValue(value)), name << " " << value);
    }
    NodeContainer nodes(1);
    InternetStackHelper().Install(nodes);
    host->Install(nodes.Get(0));
    AIDC_EXPECT(!host->SetAttributeFailSafe("Signals", StringValue("max(nQD)")),
                "off in the domain, which is known now");
    AIDC_EXPECT(host->SetAttributeFailSafe("Signals", StringValue("max(PD)")), "on in the domain");
    const auto reason = RunInChild([&] { host->SetAttribute("Signals", StringValue("abw")); });
    AIDC_EXPECT(reason.Aborts("max(nQD), found \"abw\""), "the reason is told: " << reason.errors);
    const auto dies = [](const std::string& text, const std::function<void()>& call) {
        return RunInChild(call).Says(text);
    };
    AIDC_EXPECT(dies("InternetStackHelper", [] { CsigHostHelper().Install(NodeContainer(1)); }),
                "a node without IPv4");
    AIDC_EXPECT(dies("already",
                     [] {
                         NodeContainer node(1);
                         InternetStackHelper().Install(node);
                         CsigHostHelper().Install(node);
                         CsigHostHelper().Install(node);
                     }),
                "a second one on a node");
    const auto askForDepth = [](bool isOn) {
        NodeContainer node(1);
        InternetStackHelper().Install(node);
        CsigHostHelper helper;
        auto domain = CreateObject<CsigDomain>();
        domain->SetAttribute("QueueDepth", BooleanValue(isOn));
        helper.SetAttribute("Domain", PointerValue(domain));
        helper.SetAttribute("Signals", StringValue("max(nQD)"));
        helper.Install(node);
    };
    AIDC_EXPECT(dies("max(nQD)", [&] { askForDepth(false); }), "a signal that is off");
    AIDC_EXPECT(!RunInChild([&] { askForDepth(true); }).died, "and on");
    CsigFlowRule rule;
    rule.prefixLength = 33;
    AIDC_EXPECT(dies("32 bits", [&] { host->Authorize(rule); }), "a prefix");
    rule = CsigFlowRule();
    rule.dscp = 64;
    AIDC_EXPECT(dies("63", [&] { host->Authorize(rule); }), "a DSCP");
}

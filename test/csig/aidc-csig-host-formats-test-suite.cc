// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: the draft's own TCP option, its 16 types, and averages; sections 4.1.2, 4.2.1 and
// 5.3.2 of draft-ravi-ippm-csig-01.

#include "csig-host-traffic.h"
#include "test/test-case.h"

#include "ns3/csig-domain.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-signal.h"

AIDC_TEST_SUITE("aidc-csig-host-formats", UNIT);

struct DraftOption
{
    bool isExpanded; //!< whether tags are
    bool isAtBoth;   //!< whether both hosts have this option
};

// Section 4.2.1, figure 3: a kind of its own, the length, and the data fields.
AIDC_TEST_CASES(DraftOption,
                row,
                std::string("4.2.1: the draft's own option, ") +
                    (row.isExpanded ? "expanded" : "compact") +
                    (row.isAtBoth ? "" : ", at one host"),
                ({{false, true}, {true, true}, {false, false}}))
{
    CsigHostNetwork network;
    const auto hostA = network.InstallA();
    const auto hostB = network.InstallB();
    hostA->SetAttribute("Format",
                        EnumValue(row.isExpanded ? CsigFormat::EXPANDED : CsigFormat::COMPACT));
    hostA->SetAttribute("OptionLayout", EnumValue(CsigHostSettings::DRAFT));
    hostA->SetAttribute("DraftOptionKind", UintegerValue(200));
    if (row.isAtBoth)
    {
        hostB->SetAttribute("OptionLayout", EnumValue(CsigHostSettings::DRAFT));
        hostB->SetAttribute("DraftOptionKind", UintegerValue(200));
    }
    std::set<std::size_t> lengthsOfSyns;
    std::set<std::size_t> lengthsOfOthers;
    uint32_t nExperimental = 0;
    const auto watch = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        nExperimental += seen.hasOption;
        const auto place = FindTcpOption(seen.header, {200, 0, false});
        if (place && place->length > 0)
        {
            (seen.Has(TcpHeader::SYN) ? lengthsOfSyns : lengthsOfOthers).insert(place->length);
        }
        return true;
    };
    network.toA->edit = watch;
    network.toB->edit = watch;
    TcpConnection tcp(network, 100000, 0);
    RunFor(Seconds(2));
    const std::set<std::size_t> expected =
        row.isAtBoth ? std::set<std::size_t>{row.isExpanded ? 8U : 4U} : std::set<std::size_t>();
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
    AIDC_EXPECT(lengthsOfSyns == std::set<std::size_t>{2}, "kind, length");
    AIDC_EXPECT(lengthsOfOthers == expected, "and data fields");
    NS_TEST_EXPECT_MSG_EQ(nExperimental, 0, "no other option");
    NS_TEST_EXPECT_MSG_EQ(hostA->IsAgreed(tcp.GetFlowOfA()), row.isAtBoth, "agreement");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetStatistics().reflectionsReceived,
                          (row.isAtBoth ? 100 : 0),
                          "signals");
}

// Section 4.1.2: the types of expanded tags have four bits.
AIDC_TEST_CASE("4.1.2: type codes from 8 to 15, of expanded tags only")
{
    CsigHostNetwork network;
    auto domain = CreateObject<CsigDomain>();
    domain->SetAttribute("AbwType", UintegerValue(8));
    domain->SetAttribute("HopDelayType", UintegerValue(15));
    CsigHostHelper helper;
    helper.SetAttribute("Domain", PointerValue(domain));
    helper.SetAttribute("Signals", StringValue("min(ABW),max(PD)"));
    ExpectRefusal("expanded tags only",
                  [&] { helper.Install(NodeContainer(network.nodes.Get(1))); });
    helper.SetAttribute("Format", StringValue("Expanded"));
    helper.Install(NodeContainer(network.nodes.Get(0), network.nodes.Get(2)));
    const auto host = network.nodes.Get(0)->GetObject<CsigHost>();
    AIDC_EXPECT(!host->SetAttributeFailSafe("Format", EnumValue(CsigFormat::COMPACT)), "nor later");
    std::set<uint8_t> types;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto tag = Look(packet).tag;
        if (tag)
        {
            types.insert(tag->type);
            auto fields = *tag;
            fields.value = tag->type == 8 ? 1000 : 50;
            ReplaceTag(packet, fields);
        }
        return true;
    };
    TcpConnection tcp(network, 100000, 0);
    RunFor(Seconds(2));
    AIDC_EXPECT((types == std::set<uint8_t>{8, 15}), "on the wire");
    const auto flow = tcp.GetFlowOfA();
    for (const auto signal : {CsigSignal::ABW, CsigSignal::HOP_DELAY})
    {
        const auto found = host->GetSignal(flow, signal);
        AIDC_ASSERT(found.has_value(), GetCsigName(signal));
        const uint32_t value = signal == CsigSignal::ABW ? 1000 : 50;
        NS_TEST_EXPECT_MSG_EQ(found->fields.value, value, GetCsigName(signal));
    }
}

// Section 5.3.2: end hosts MAY use EWMA across packets of a flow.
AIDC_TEST_CASE("5.3.2: the average of a flow's signals")
{
    CsigHostNetwork network;
    const auto host = network.InstallA();
    network.InstallB();
    host->SetAttribute("Format", EnumValue(CsigFormat::EXPANDED));
    host->SetAttribute("AverageWeight", DoubleValue(0.25));
    AIDC_EXPECT(!host->SetAttributeFailSafe("AverageWeight", DoubleValue(0)),
                "such an average would never change");
    uint32_t count = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto tag = Look(packet).tag;
        if (tag)
        {
            // The fourth is as the host has sent it, and says nothing.
            constexpr uint32_t VALUES[]{1000, 2000, 400, 0xfffff, 0};
            auto fields = *tag;
            fields.value = VALUES[count++];
            ReplaceTag(packet, fields);
        }
        return true;
    };
    TcpConnection tcp(network, 5000, 0);
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(count, 5, "segments");
    const auto flow = tcp.GetFlowOfA();
    const auto average = host->GetAverage(flow, CsigSignal::ABW);
    AIDC_ASSERT(average.has_value(), "there is an average");
    // 1000 steps, 1000 + 0.25 * 1000 = 1250, 1250 - 0.25 * 850 = 1037.5, 0.75 * 1037.5; each is
    // the middle of 8 Mb/s.
    NS_TEST_EXPECT_MSG_EQ_TOL(*average, 778.125 * 8e6 + 4e6, 1.0, "bit/s");
    AIDC_EXPECT(!host->GetAverage(flow, CsigSignal::HOP_DELAY).has_value(), "not asked for");
    AIDC_EXPECT(!host->GetAverage(FlowKey(), CsigSignal::ABW).has_value(),
                "no average of an unknown flow");
}

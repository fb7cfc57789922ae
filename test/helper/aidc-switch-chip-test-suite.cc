// SPDX-License-Identifier: GPL-2.0-only

#include "test-switches.h"
#include "test/star-fabric.h"
#include "test/test-case.h"

#include "ns3/aidc-input-error.h"
#include "ns3/ingress-buffer.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-chip.h"

namespace
{

// Switch chips by name and by file.
AIDC_TEST_SUITE("aidc-switch-chip", UNIT);

/// Get what finding a chip says against it. @return the message; empty if it is found
std::string
GetError(const std::string& name)
{
    return MessageOf<std::exception>([&] { SwitchChip::Find(name); });
}

/// Whether a text has a part.
bool
Has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

AIDC_TEST_CASE("The module's own chips can be read")
{
    const auto names = SwitchChip::GetNames();
    NS_TEST_EXPECT_MSG_EQ(names.size(), 5, "their number");
    for (const auto& name : names)
    {
        const auto chip = SwitchChip::Find(name);
        NS_TEST_EXPECT_MSG_EQ(chip->GetName(), name, "is its file's");
        AIDC_EXPECT(!chip->GetMeasurements().empty(), name);
    }
    const auto chip = SwitchChip::Find("tomahawk-5:ft2-64-800000_5m");
    NS_TEST_EXPECT_MSG_EQ(chip->GetCellSize(), 254, "bytes");
    NS_TEST_EXPECT_MSG_EQ(chip->GetPartitions(), 2, "halves");
    NS_TEST_EXPECT_MSG_EQ(chip->GetProfile().shared, 284501 * 254, "cells");
    NS_TEST_EXPECT_MSG_EQ(chip->GetPortsPerPartition(), 32, "of 64 ports");
    // 400 Gb/s: 5, 30, 40, 60... m are published, of several products.
    NS_TEST_EXPECT_MSG_EQ(chip->FindHeadroom(DataRate("400Gbps"), 41), 475136, "60 m");
    NS_TEST_EXPECT_MSG_EQ(chip->FindHeadroom(DataRate("400Gbps"), 501), 0, "none so long");
}

AIDC_TEST_CASE("An unknown chip names those that there are")
{
    const auto chip = GetError("tomahawk-9");
    AIDC_EXPECT(Has(chip,
                    "expected a chip of tomahawk, tomahawk-2, tomahawk-5, trident-2, "
                    "trident-3, or the path of a file of one, found \"tomahawk-9\""),
                chip);
    const auto profile = GetError("trident-2:none");
    AIDC_EXPECT(Has(profile, "expected a configuration of trident-2 of any-40000_300m, "), profile);
}

/// A file that is not as it should be, and what is said of it.
struct BadFile
{
    std::string text;
    std::string error;
};

AIDC_TEST_CASE("A malformed file ends with a line that says where and what was expected")
{
    const std::string head = "{\"chip\": \"x\", \"title\": \"X\", \"cell_size\": 100, "
                             "\"partitions\": 1,\n";
    const std::string profile = "{\"name\": \"a\", \"source\": \"s\", \"shared\": 1000";
    const auto path = CreateTempDirFilename("chip.json");
    const std::vector<BadFile> rows{
        {"", "expected a value of JSON"},
        {"[]", "a chip in braces"},
        {"{\"chip\": \"x\"}", "the key \"title\""},
        {head + "\"profiles\": []}", "at least one configuration"},
        {head + "\"profiles\": [" + profile + "}], \"cells\": 3}", "one of the keys"},
        {head + "\"profiles\": [" + profile + ", \"lossy\": {\"alpha\": 0.3}}]}",
         "\"alpha\": a power of two"},
        {head + "\"profiles\": [" + profile +
             ", \"lossy\": {\"alpha\": 1, \"alpha_exponent\": 0}}]}",
         "found \"both\""},
        {head + "\"profiles\": [" + profile + ", \"lossy\": {\"alpha_exponent\": 0.5}}]}",
         "a whole number"},
        {head + "\"profiles\": [" + profile + ", \"weights\": [1,2,3,4,5,6,7,8,9]}]}",
         "at most 8 classes"},
        {head + "\"profiles\": [" + profile + "}], \"measured\": [{\"what\": \"speed\"}]}",
         "one of egress-drop, ingress-drop"},
        {head + "\"profiles\": [" + profile +
             "}], \"measured\": [{\"what\": \"resume\", \"profile\": \"b\"}]}",
         "the name of one of its configurations"},
        {head + "\"profiles\": [" + profile +
             "}], \"measured\": [{\"what\": \"resume\", \"profile\": \"a\", \"frames\": [1, 2]}]}",
         "one number"},
        {head + "\"profiles\": [" + profile + "}], \"headroom\": [{\"mbps\": 0}]}",
         "a whole number from 1"},
        {head + "\"profiles\": [" + profile + "}], \"response_time\": -1}", "seconds from 0 to 1"},
    };
    for (const auto& row : rows)
    {
        std::ofstream(path) << row.text;
        const auto error = GetError(path);
        AIDC_EXPECT(Has(error, row.error), row.text << ": " << error);
        AIDC_EXPECT(Has(error, path), "names the file: " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }
    std::ofstream(path) << head << "\"profiles\": [" << profile << "}]}";
    NS_TEST_EXPECT_MSG_EQ(GetError(path), "", "nothing is wrong");
}

// What the helper says itself wins, then the chip.
AIDC_TEST_CASE("A switch of a chip has its memory, its limits and its marking")
{
    const auto node = MakeNode({{"400Gbps", "25ns"}, {"400Gbps", "25ns"}});
    SharedBufferSwitchHelper helper;
    helper.SetChip("tomahawk-5");
    helper.SetClassAttribute(1, "Alpha", DoubleValue(8));
    helper.SetQueueDiscAttribute(2, "Kmax", StringValue("300000B"));
    const auto roots = helper.Install(node);
    Simulator::Run();
    const auto buffer = node->GetObject<SharedBuffer>();
    NS_TEST_EXPECT_MSG_EQ(buffer->GetCellSize(), 254, "cells");
    // 255,127 cells of shared memory in each of two parts
    NS_TEST_EXPECT_MSG_EQ(buffer->GetShared(), uint64_t{2} * 255127 * 254, "shared");
    const auto port = DynamicCast<SwitchPortQueueDisc>(roots.Get(0));
    const std::vector<uint32_t> weights{10, 10, 10, 20, 10, 10, 70, 0};
    for (uint32_t i = 0; i < 8; ++i)
    {
        const auto& limits = port->GetClass(i)->GetBufferQueue()->GetLimits();
        NS_TEST_EXPECT_MSG_EQ(limits.alpha, (i == 1 ? 8 : 1), i);
        NS_TEST_EXPECT_MSG_EQ(limits.reserved, 1778, i);
        NS_TEST_EXPECT_MSG_EQ(port->GetClass(i)->GetQuantum(), 1000 * weights[i], i);
        const auto queue = GetCoupled(port, i);
        NS_TEST_EXPECT_MSG_EQ(GetText(queue, "Kmin"), "131072B", i);
        NS_TEST_EXPECT_MSG_EQ(GetText(queue, "Kmax"), (i == 2 ? "300000B" : "262144B"), i);
        NS_TEST_EXPECT_MSG_EQ(GetText(queue, "MarkingPoint"), "DequeueWith", i);
        NS_TEST_EXPECT_MSG_EQ(GetText(queue, "Mode"), "Coupled", "remains");
    }
    NS_TEST_EXPECT_MSG_EQ(node->GetObject<SwitchChip>()->GetName(), "tomahawk-5", "is known there");
}

/// Get the limits of the account of the first port of a switch of a chip.
IngressLimits
GetLimits(const std::string& chip, uint64_t rate)
{
    FabricHelper network;
    network.SetMtu(9100);
    network.Build(MakeStar(2, rate, 25));
    SharedBufferSwitchHelper switches;
    switches.SetChip(chip);
    switches.Install(network.GetSwitches());
    PriorityFlowControlHelper pauses;
    pauses.InstallSwitches(network.GetSwitches());
    const auto buffer = network.GetSwitches().Get(0)->GetObject<SharedBuffer>();
    const auto port = network.GetSwitchPort(network.GetFabric().GetHosts()[0]);
    const auto limits = buffer->GetIngress(port->GetIfIndex(), 3)->GetLimits();
    Simulator::Destroy();
    return limits;
}

// Tomahawk 5, 400 Gb/s, 5 m, 2180 ns: 9162 + 84 + 2500 + 109,000 + 9162 octets, each term times 254
// / 84, rounded up: 27,705 + 254 + 7,560 + 329,596 + 27,705. Tomahawk's response time is not known:
// its headroom of 100 Gb/s and 5 m is the one published.
AIDC_TEST_CASE("Flow control has the accounts of the switch's chip")
{
    const auto five = GetLimits("tomahawk-5", 400000000000);
    NS_TEST_EXPECT_MSG_EQ(five.headroom, 392820, "derived");
    NS_TEST_EXPECT_MSG_EQ(five.reserved, 18796, "74 cells");
    NS_TEST_EXPECT_MSG_EQ(five.xonOffset, 3556, "14 cells");
    NS_TEST_EXPECT_MSG_EQ(five.xoffAlpha, 1, "2^0");
    const auto first = GetLimits("tomahawk", 100000000000);
    NS_TEST_EXPECT_MSG_EQ(first.headroom, 165568, "published");
    NS_TEST_EXPECT_MSG_EQ(first.xon, 2288, "11 cells");
    const auto two = GetLimits("trident-2", 40000000000);
    NS_TEST_EXPECT_MSG_EQ(two.xoffAlpha, 0.125, "2^-3");
}

} // namespace

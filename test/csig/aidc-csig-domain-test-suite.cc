// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/csig-domain.h"

// The parameters of a CSIG domain.
AIDC_TEST_SUITE("aidc-csig-domain", UNIT);

constexpr auto COMPACT = CsigFormat::COMPACT;
constexpr auto EXPANDED = CsigFormat::EXPANDED;
constexpr uint64_t GBPS = 1000000000; //!< bit/s

std::string
GetText(Ptr<const CsigDomain> domain, const std::string& name)
{
    StringValue value;
    domain->GetAttribute(name, value);
    return value.Get();
}

// Without any setting, a domain is what the core has by default.
AIDC_TEST_CASE("A CSIG domain has the defaults of the manual")
{
    const auto domain = CreateObject<CsigDomain>();
    domain->CheckSettings();
    NS_TEST_EXPECT_MSG_EQ(domain->GetTpids().compact, 0x88b5, "TPID");
    NS_TEST_EXPECT_MSG_EQ(domain->GetTpids().expanded, 0x88b6, "TPID");
    const auto& signals = domain->GetSignals();
    AIDC_EXPECT(signals.Find(0) == CsigSignal::ABW, "T 0");
    AIDC_EXPECT(signals.Find(1) == CsigSignal::ABW_RATIO, "T 1");
    AIDC_EXPECT(signals.Find(2) == CsigSignal::HOP_DELAY, "T 2");
    AIDC_EXPECT(!signals.Find(3).has_value(), "T 3 is off");
    AIDC_EXPECT(!signals.doNotUpdate, "do not update is off");
    const auto& quantizer = domain->GetQuantizer();
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::ABW), 8000000, "8 Mbit/s");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::ABW_RATIO), 1, "1 millionth");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::HOP_DELAY), 128, "128 ns");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::QUEUE_DEPTH), 128, "128 ns");
    NS_TEST_EXPECT_MSG_EQ(quantizer.Encode(COMPACT, CsigSignal::ABW, 40 * GBPS), 17, "40G");
    NS_TEST_EXPECT_MSG_EQ(quantizer.Encode(COMPACT, CsigSignal::ABW_RATIO, 980000), 31, "98 %");
    NS_TEST_EXPECT_MSG_EQ(quantizer.Encode(COMPACT, CsigSignal::HOP_DELAY, 500), 1, "0.5 us");
    NS_TEST_EXPECT_MSG_EQ(quantizer.Encode(COMPACT, CsigSignal::QUEUE_DEPTH, 499), 0, "less");
    NS_TEST_EXPECT_MSG_EQ(domain->GetLayout(COMPACT).Format(),
                          "capacity:3,stage:2,orientation:2",
                          "locator");
    NS_TEST_EXPECT_MSG_EQ(domain->GetLayout(EXPANDED).Format(), "device:10,port:6", "locator");
    NS_TEST_EXPECT_MSG_EQ(domain->GetSpeeds().Encode(800 * GBPS), 7, "speeds");
}

// Each attribute sets its own thing, and nothing else.
AIDC_TEST_CASE("Each attribute of a CSIG domain sets what it names")
{
    const auto domain = CreateObjectWithAttributes<CsigDomain>("CompactTpid",
                                                               UintegerValue(0x9901),
                                                               "ExpandedTpid",
                                                               UintegerValue(0x9902),
                                                               "AbwType",
                                                               UintegerValue(7),
                                                               "AbwRatioType",
                                                               UintegerValue(6),
                                                               "HopDelayType",
                                                               UintegerValue(5),
                                                               "QueueDepthType",
                                                               UintegerValue(4));
    domain->SetAttribute("QueueDepth", BooleanValue(true));
    domain->SetAttribute("DoNotUpdate", BooleanValue(true));
    domain->CheckSettings();
    NS_TEST_EXPECT_MSG_EQ(domain->GetTpids().compact, 0x9901, "TPID");
    NS_TEST_EXPECT_MSG_EQ(domain->GetTpids().expanded, 0x9902, "TPID");
    const auto& signals = domain->GetSignals();
    AIDC_EXPECT(signals.Find(7) == CsigSignal::ABW, "T 7");
    AIDC_EXPECT(signals.Find(6) == CsigSignal::ABW_RATIO, "T 6");
    AIDC_EXPECT(signals.Find(5) == CsigSignal::HOP_DELAY, "T 5");
    AIDC_EXPECT(signals.Find(4) == CsigSignal::QUEUE_DEPTH, "T 4");
    AIDC_EXPECT(!signals.Find(0).has_value(), "T 0 is free");
    AIDC_EXPECT(signals.doNotUpdate, "do not update");

    // One bucket more for each signal, so that they can be told
    domain->SetAttribute("AbwBuckets", StringValue("0,1Gbps"));
    domain->SetAttribute("AbwRatioBuckets", StringValue("0,1%,2%"));
    domain->SetAttribute("HopDelayBuckets", StringValue("0,1us,2us,3us"));
    domain->SetAttribute("QueueDepthBuckets", StringValue("0,1us,2us,3us,4us"));
    domain->SetAttribute("AbwQuantum", DataRateValue(DataRate("16Mbps")));
    domain->SetAttribute("AbwRatioQuantum", UintegerValue(10));
    domain->SetAttribute("HopDelayQuantum", TimeValue(NanoSeconds(64)));
    domain->SetAttribute("QueueDepthQuantum", TimeValue(NanoSeconds(32)));
    const auto& quantizer = domain->GetQuantizer();
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetBuckets(CsigSignal::ABW).GetNBuckets(), 2, "ABW");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetBuckets(CsigSignal::ABW_RATIO).GetNBuckets(), 3, "C");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetBuckets(CsigSignal::HOP_DELAY).GetNBuckets(), 4, "PD");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetBuckets(CsigSignal::QUEUE_DEPTH).GetNBuckets(), 5, "nQD");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::ABW), 16000000, "ABW");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::ABW_RATIO), 10, "ABW/C");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::HOP_DELAY), 64, "PD");
    NS_TEST_EXPECT_MSG_EQ(quantizer.GetQuantum(CsigSignal::QUEUE_DEPTH), 32, "nQD");

    domain->SetAttribute("CompactLocator", StringValue("custom:7"));
    domain->SetAttribute("ExpandedLocator", StringValue("port:8,ttl:8"));
    domain->SetAttribute("LinkSpeeds", StringValue("1Gbps,2.5Gbps"));
    NS_TEST_EXPECT_MSG_EQ(domain->GetLayout(COMPACT).Format(), "custom:7", "locator");
    NS_TEST_EXPECT_MSG_EQ(domain->GetLayout(EXPANDED).Format(), "port:8,ttl:8", "locator");
    NS_TEST_EXPECT_MSG_EQ(domain->GetSpeeds().Encode(2500000000), 2, "speeds");

    NS_TEST_EXPECT_MSG_EQ(GetText(domain, "AbwBuckets"), "0,1Gbps", "as text");
    NS_TEST_EXPECT_MSG_EQ(GetText(domain, "QueueDepthBuckets"), "0,1us,2us,3us,4us", "as text");
    NS_TEST_EXPECT_MSG_EQ(GetText(domain, "ExpandedLocator"), "port:8,ttl:8", "as text");
    NS_TEST_EXPECT_MSG_EQ(GetText(domain, "LinkSpeeds"), "1Gbps,2500Mbps", "as text");
}

/// An attribute and a text that is no value of it.
struct Wrong
{
    std::string attribute; //!< the attribute
    std::string value;     //!< the text
};

// A value that cannot be is refused, and the old one stays.
AIDC_TEST_CASE("A CSIG domain refuses wrong attributes and keeps the old ones")
{
    const std::vector<Wrong> all{
        {"CompactTpid", "1535"},
        {"CompactTpid", "2048"},   // IPv4
        {"CompactTpid", "34984"},  // service VLANs
        {"ExpandedTpid", "34824"}, // MAC control
        {"ExpandedTpid", "65536"},
        {"AbwType", "16"},
        {"AbwRatioType", "16"},
        {"HopDelayType", "16"},
        {"QueueDepthType", "16"},
        {"AbwCompactLocator", "port:8"},
        {"HopDelayExpandedLocator", "port"},
        {"AbwBuckets", "1Gbps,2Gbps"},
        {"AbwBuckets", "0,5Gbps,1Gbps"},
        {"AbwBuckets", "0,5us"},
        {"AbwBuckets", ""},
        {"AbwRatioBuckets", "0,5Gbps"},
        {"HopDelayBuckets", "0,5%"},
        {"QueueDepthBuckets", "0,5"},
        {"AbwQuantum", "0bps"},
        {"AbwQuantum", "2Tbps"},
        {"AbwRatioQuantum", "0"},
        {"AbwRatioQuantum", "1000001"},
        {"HopDelayQuantum", "0ns"},
        {"QueueDepthQuantum", "2s"},
        {"CompactLocator", "port:8"},
        {"CompactLocator", "ports:3"},
        {"ExpandedLocator", "port:16,stage:1"},
        {"LinkSpeeds", "1Gbps,1Gbps"},
        {"LinkSpeeds", "fast"},
    };
    const auto domain = CreateObject<CsigDomain>();
    for (const auto& wrong : all)
    {
        const auto before = GetText(domain, wrong.attribute);
        AIDC_EXPECT(!domain->SetAttributeFailSafe(wrong.attribute, StringValue(wrong.value)),
                    wrong.attribute << " " << wrong.value);
        NS_TEST_EXPECT_MSG_EQ(GetText(domain, wrong.attribute), before, wrong.attribute);
    }
}

// Attributes that contradict each other end the program.
AIDC_TEST_CASE("A CSIG domain ends the program if TPIDs or types are the same")
{
    const auto domain = CreateObject<CsigDomain>();
    domain->SetAttribute("ExpandedTpid", UintegerValue(0x88b5));
    ExpectRefusal("two different TPIDs", [&] { domain->CheckSettings(); });
    domain->SetAttribute("ExpandedTpid", UintegerValue(0x88b6));
    domain->SetAttribute("HopDelayType", UintegerValue(0));
    ExpectRefusal("min(ABW) and max(PD) both have 0", [&] { domain->CheckSettings(); });
}

// Tags are read as the attributes say.
AIDC_TEST_CASE("A CSIG domain reads a tag by its type codes, buckets and layouts")
{
    const auto domain = CreateObject<CsigDomain>();
    domain->SetAttribute("AbwType", UintegerValue(5));
    domain->SetAttribute("AbwBuckets", StringValue("0,1Gbps,5Gbps"));
    domain->SetAttribute("CompactLocator", StringValue("port:7"));
    domain->SetAttribute("ExpandedLocator", StringValue("device:16"));
    CsigFields fields;
    fields.format = COMPACT;
    fields.type = 5;
    fields.value = 1;
    fields.locator = 99;
    auto reading = domain->Read(fields);
    AIDC_ASSERT(reading.has_value(), "a signal");
    AIDC_EXPECT(reading->signal == CsigSignal::ABW, "the signal");
    NS_TEST_EXPECT_MSG_EQ(reading->GetValue(), 3 * GBPS, "the middle of its bucket");
    NS_TEST_EXPECT_MSG_EQ(reading->locator.Get(CsigAttribute::PORT), 99U, "the port");
    fields.format = EXPANDED;
    reading = domain->Read(fields);
    AIDC_ASSERT(reading.has_value(), "a signal");
    NS_TEST_EXPECT_MSG_EQ(reading->range.low, 8000000U, "8 Mbit/s");
    NS_TEST_EXPECT_MSG_EQ(reading->locator.Get(CsigAttribute::DEVICE), 99U, "the device");
    fields.type = 0;
    AIDC_EXPECT(!domain->Read(fields).has_value(), "no signal has this type");
    fields.type = 5;
    fields.format = COMPACT;
    fields.value = 3;
    AIDC_EXPECT(!domain->Read(fields).has_value(), "there are three buckets");
}

// SPDX-License-Identifier: GPL-2.0-only

#include "pre-ecn-bench.h"
#include "test/test-case.h"

#include "ns3/switch-port-queue-disc.h"

// Configuration and statistics of two-threshold marking.
AIDC_TEST_SUITE("aidc-pre-ecn-configuration", UNIT);

/// Set an attribute that may be refused, and catch why. Returns the reason, empty if it was taken.
std::string
TrySet(Ptr<Object> queueDisc, const std::string& name, const std::string& value)
{
    CapturedStream errors(std::cerr);
    const bool taken = queueDisc->SetAttributeFailSafe(name, StringValue(value));
    return taken ? "" : "refused: " + errors.GetText();
}

// Expected results: 400 Gbit/s are 50 bytes a ns: 10 us 500,000, 40 us 2,000,000 and 100 us
// 5,000,000 bytes. Thresholds without a delay are in bytes.
AIDC_TEST_CASE("thresholds by rate and delay")
{
    auto queueDisc = MakePreEcn({{"LinkRate", "400Gbps"},
                                 {"T1Delay", "10us"},
                                 {"T2Delay", "40us"},
                                 {"MaximumDelay", "100us"}});
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().t1, 500000, "T1");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().t2, 2000000, "T2");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().maximum, 5000000, "Maximum");
    queueDisc->SetAttribute("LinkRate", StringValue("100Gbps"));
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().t1, 125000, "of the new rate");
    queueDisc->SetAttribute("MaximumDelay", StringValue("0s"));
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().maximum, 700000, "in bytes again");
}

// Wrong configurations end the program at initialization, with the reason.
AIDC_TEST_CASE("wrong thresholds are refused at initialization")
{
    const auto expect = [this](const Attributes& attributes, const std::string& text) {
        ExpectRefusal(text, [&attributes] { MakePreEcn(attributes); });
    };
    expect({{"T1", "0B"}}, "0 < T1 < T2 < Maximum, found T1 0 bytes");
    expect({{"T1", "300kB"}}, "0 < T1 < T2 < Maximum");
    expect({{"T2", "700kB"}}, "0 < T1 < T2 < Maximum");
    expect({{"T1Delay", "10us"}}, "set LinkRate");
    expect({{"LinkRate", "8Gbps"}, {"T1Delay", "301us"}}, "found T1 301000 bytes");
    expect({{"Guard", "Refuse"}, {"T1", "2999B"}}, "T1 is 2999 bytes, less than 3000");
    const auto wrongUnit = RunInChild([] { MakePreEcn({{"T1", "10p"}}); });
    AIDC_EXPECT(wrongUnit.Aborts("in bytes"), wrongUnit.errors);
    const auto fine = RunInChild([] { MakePreEcn({{"Guard", "Refuse"}, {"T1", "3000B"}}); });
    AIDC_EXPECT(!fine.died, fine.errors);
}

// The guard against absurd thresholds: off, a warning, a refusal. Expected results: without a
// device two MTUs are 3000 bytes. 10 ms of 80 Mbit/s are 100,000 bytes. A queue with alpha 1 may
// have half of 12 MB alone, 6 MB, with a cap its cap, and a T2 of as much is not absurd.
AIDC_TEST_CASE("absurd thresholds are warned of or refused (section 5.1)")
{
    const auto expect =
        [this](const Attributes& attributes, const Attributes& limits, const std::string& text) {
            CapturedStream errors(std::cerr);
            MakePreEcn(attributes, limits);
            NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("aidc: warning: " + text),
                                  (text.empty() ? 0 : 1),
                                  errors.GetText());
            Attributes off = attributes;
            off.emplace_back("Guard", "Off");
            CapturedStream none(std::cerr);
            MakePreEcn(off, limits);
            NS_TEST_EXPECT_MSG_EQ(none.GetText(), "", "the guard is off");
        };
    expect({}, {}, "");
    expect({{"T1", "2999B"}}, {}, "T1 is 2999 bytes, less than 3000");
    expect({{"LeastT1", "100001B"}}, {}, "T1 is 100000 bytes, less than 100001");
    expect({{"LinkRate", "80Mbps"}}, {}, "");
    expect({{"LinkRate", "79Mbps"}}, {}, "T1 is 100000 bytes, more than 98750");
    expect({{"LinkRate", "79Mbps"}, {"GreatestT1Delay", "11ms"}}, {}, "");
    expect({{"T2", "6MB"}, {"Maximum", "7MB"}}, {}, "");
    expect({{"T2", "6000001B"}, {"Maximum", "7MB"}}, {}, "T2 is 6000001 bytes, more than the 6");
    expect({}, {{"Cap", "299999B"}}, "T2 is 300000 bytes, more than the 299999");
    expect({}, {{"Alpha", "0.02"}}, "T2 is 300000 bytes, more than the 235294");
}

// Thresholds change while the simulation runs, or are refused and change nothing.
AIDC_TEST_CASE("reconfiguration while running is checked, takes effect and is traced")
{
    auto queueDisc = MakePreEcn();
    std::vector<std::pair<std::string, std::string>> told;
    queueDisc->TraceConnectWithoutContext("Reconfiguration",
                                          MakeBoundCallback(&NoteReconfiguration, &told));
    for (const auto& [name, value] : Attributes{{"T1", "0B"},
                                                {"T1", "300kB"},
                                                {"T2", "100kB"},
                                                {"T2", "700kB"},
                                                {"Maximum", "300kB"},
                                                {"T1", "10p"},
                                                {"T1Delay", "1us"}})
    {
        NS_TEST_EXPECT_MSG_NE(TrySet(queueDisc, name, value), "", name << " = " << value);
    }
    for (const auto& [name, value] : Attributes{{"LightProbability", "1.1"},
                                                {"SevereProbability", "-0.1"},
                                                {"AverageWeight", "2"},
                                                {"T1Delay", "-1us"}})
    {
        NS_TEST_EXPECT_MSG_NE(TrySet(queueDisc, name, value), "", name << " = " << value);
    }
    NS_TEST_EXPECT_MSG_EQ(told.size(), 0, "nothing has changed");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().t1, 100000, "T1 as it was");

    NS_TEST_EXPECT_MSG_EQ(TrySet(queueDisc, "T1", "200kB"), "", "in order");
    NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "told");
    NS_TEST_EXPECT_MSG_EQ(told[0].first.find("T1 100000B, T2 300000B, Maximum 700000B"),
                          0,
                          told[0].first);
    NS_TEST_EXPECT_MSG_EQ(told[0].second.find("T1 200000B, T2 300000B, Maximum 700000B"),
                          0,
                          told[0].second);
    // 250 kB: half of the way from 200 to 300
    const auto fates = SendAtLevel(queueDisc, 250000, &MakeIpv4Item, ECT0, 40000);
    NS_TEST_EXPECT_MSG_EQ_TOL(fates.lightMarks / 40000.0, 0.5, 0.01, "by the new T1");

    // An absurd one is taken with a warning each time that it is another one, then refused.
    CapturedStream errors(std::cerr);
    queueDisc->SetAttribute("T1", StringValue("1kB"));
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("T1 is 1000 bytes"), 1, errors.GetText());
    queueDisc->SetAttribute("T1", StringValue("2kB"));
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("T1 is 2000 bytes"), 1, errors.GetText());
    NS_TEST_EXPECT_MSG_EQ(told.size(), 3, "told");
    NS_TEST_EXPECT_MSG_NE(TrySet(queueDisc, "Guard", "Refuse"), "", "with such a T1");
    queueDisc->SetAttribute("T1", StringValue("100kB"));
    NS_TEST_EXPECT_MSG_EQ(TrySet(queueDisc, "Guard", "Refuse"), "", "with a good one");
    NS_TEST_EXPECT_MSG_NE(TrySet(queueDisc, "T1", "2999B"), "", "absurd");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetSettings().t1, 100000, "T1 as it was");
}

// The average of a queue, through arrivals and idle time, and the time in each region. Expected
// results, w = 1/2, packets of 1000 bytes at 8 Mbit/s, one in 1 ms. T1 400, T2 1,100, Maximum 3000
// bytes. At 0 two packets: the average is 500, then 1250; the queue is empty at 2 ms. It falls to
// 1,100 after log2(1250 / 1100) = 0.184425 and to 400 after log2(1250 / 400) = 1.643856 packets,
// which are ms. So at 10 ms: severe 2 + 0.184425 ms, light 1.459432 ms, normal the rest. A packet
// at 10 ms finds 1250 / 2^8 = 4.8828 and makes 502.441: light until 11 ms, when it leaves, and then
// for log2(502.441 / 400) = 0.328955 ms.
AIDC_TEST_CASE("the average falls in idle time, and so do the times in the regions")
{
    auto queueDisc = MakePreEcn({{"T1", "400B"},
                                 {"T2", "1100B"},
                                 {"Maximum", "3kB"},
                                 {"AverageWeight", "0.5"},
                                 {"LinkRate", "8Mbps"},
                                 {"MeanPacketSize", "1000"},
                                 {"Guard", "Off"}});
    std::vector<std::pair<PreEcnRegion, PreEcnRegion>> regions;
    ConnectTrace(queueDisc, "Region", [&regions](PreEcnRegion from, PreEcnRegion to) {
        regions.emplace_back(from, to);
    });
    const auto enqueue = [queueDisc] { queueDisc->Enqueue(MakeIpv4Item(1000, ECT0)); };
    const auto expect = [this, queueDisc](int64_t normal, int64_t light, int64_t severe) {
        const auto time = queueDisc->GetQueue()->GetStatistics().time;
        NS_TEST_EXPECT_MSG_EQ(time[0], normal, Simulator::Now() << " normal");
        NS_TEST_EXPECT_MSG_EQ(time[1], light, Simulator::Now() << " light");
        NS_TEST_EXPECT_MSG_EQ(time[2], severe, Simulator::Now() << " severe");
    };
    enqueue();
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetAverage(), 500, "half of 1000");
    enqueue();
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetAverage(), 1250, "half of 500 and 2000");
    AIDC_EXPECT(queueDisc->GetQueue()->GetRegion() == PreEcnRegion::SEVERE, "above T2");
    Simulator::Schedule(MilliSeconds(1), [queueDisc] { queueDisc->Dequeue(); });
    Simulator::Schedule(MilliSeconds(2), [queueDisc, expect] {
        expect(0, 0, 2000000);
        queueDisc->Dequeue();
        expect(0, 0, 2000000);
    });
    Simulator::Schedule(MilliSeconds(3), [expect] { expect(0, 815575, 2184425); });
    Simulator::Schedule(MilliSeconds(10), [this, queueDisc, enqueue, expect] {
        expect(6356143, 1459432, 2184425);
        enqueue();
        NS_TEST_EXPECT_MSG_EQ_TOL(queueDisc->GetQueue()->GetAverage(),
                                  502.441,
                                  0.001,
                                  "after idle time");
        expect(6356143, 1459432, 2184425);
    });
    Simulator::Schedule(MilliSeconds(11), [queueDisc] { queueDisc->Dequeue(); });
    Simulator::Schedule(MilliSeconds(12), [expect] {
        expect(6356143 + 671045, 1459432 + 1000000 + 328955, 2184425);
    });
    Simulator::Run();
    Simulator::Destroy();
    using Region = PreEcnRegion;
    const std::vector<std::pair<Region, Region>> expected{{Region::NORMAL, Region::LIGHT},
                                                          {Region::LIGHT, Region::SEVERE},
                                                          {Region::SEVERE, Region::LIGHT}};
    AIDC_EXPECT(regions == expected, "seen at arrivals");
    const auto packets = queueDisc->GetQueue()->GetStatistics().packets;
    NS_TEST_EXPECT_MSG_EQ(packets[0], 0, "packets in the normal region");
    NS_TEST_EXPECT_MSG_EQ(packets[1], 2, "packets in the light region");
    NS_TEST_EXPECT_MSG_EQ(packets[2], 1, "packets in the severe region");
}

/// What the trace has told: the number of a packet, its codepoint, severity and average.
using Told = std::vector<std::tuple<uint64_t, uint8_t, CongestionSeverity, double>>;

/// Send packets and note their marks.
Told
RunTrace(Ptr<PreEcnQueueDisc> queueDisc)
{
    Told told;
    uint64_t number = 0;
    ConnectTrace(queueDisc,
                 "CongestionMark",
                 [&told, &number](Ptr<const QueueDiscItem> item, CongestionSeverity s, double a) {
                     told.emplace_back(number, GetEcn(item), s, a);
                 });
    for (; number < 600; ++number)
    {
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    }
    return told;
}

// Marks are traced with severity and average, and equal streams mark equal packets.
AIDC_TEST_CASE("marks are traced; the same stream marks the same packets")
{
    auto queueDisc = MakePreEcn();
    const auto told = RunTrace(queueDisc);
    for (const auto& [number, codepoint, severity, average] : told)
    {
        const bool isLight = severity == CongestionSeverity::LIGHT;
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(codepoint), (isLight ? ECT1 : CE), number);
        NS_TEST_EXPECT_MSG_EQ(average, (number + 1) * 1000.0, number);
        AIDC_EXPECT(average > (isLight ? 100000 : 300000), number);
    }
    const auto statistics = queueDisc->GetQueue()->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(told.size(), statistics.lightMarks + statistics.severeMarks, "all");
    AIDC_EXPECT(RunTrace(MakePreEcn()) == told, "the same stream");
    auto other = MakePreEcn();
    NS_TEST_EXPECT_MSG_EQ(other->AssignStreams(2), 1, "one stream");
    AIDC_EXPECT(!(RunTrace(other) == told), "another stream");

    // The helper finds them at roots and in classes.
    QueueDiscContainer roots;
    auto root = CreateObject<SwitchPortQueueDisc>();
    for (int i = 0; i < 2; ++i)
    {
        auto qdClass = CreateObject<SwitchPortClass>();
        qdClass->SetQueue(CreateObject<PreEcnQueueDisc>());
        root->AddClass(qdClass);
    }
    roots.Add(root);
    roots.Add(CreateObject<PreEcnQueueDisc>());
    NS_TEST_EXPECT_MSG_EQ(SharedBufferSwitchHelper::AssignStreams(roots, 1), 3, "a stream each");
}

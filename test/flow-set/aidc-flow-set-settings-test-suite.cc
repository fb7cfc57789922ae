// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

#include "ns3/log.h"

// Section 9.3 of draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft". A queue of
// n packets of 1,000 bytes in a FlowSetBench gives a CQI of n.

// Settings of congestion-aware flow-set switching.
AIDC_TEST_SUITE("aidc-flow-set-settings", UNIT);

AIDC_TEST_CASE("9.3: attributes out of their ranges are refused")
{
    auto selector = CreateObject<FlowSetSelector>();
    const Attributes good{{"AssessmentInterval", "1ns"},
                          {"AssessmentInterval", "5s"},
                          {"CongestionThreshold", "1"},
                          {"CongestionThreshold", "0.000001"},
                          {"CqiMax", "1"},
                          {"CqiMax", "255"},
                          {"DropsPerLevel", "1"},
                          {"Smoothing", "1"},
                          {"Smoothing", "0.001"},
                          {"FlowletGap", "0s"},
                          {"TableSize", "1"},
                          {"TableSize", "268435456"},
                          {"LowTraffic", "0"},
                          {"HighTraffic", "1"},
                          {"MaxMigrations", "0"},
                          {"AgingTime", "1ns"}};
    for (const auto& [name, value] : good)
    {
        AIDC_EXPECT(selector->SetAttributeFailSafe(name, StringValue(value)), name << " " << value);
    }
    const Attributes bad{{"AssessmentInterval", "0s"},
                         {"AssessmentInterval", "-1ms"},
                         {"MinInterval", "0s"},
                         {"MaxInterval", "-1ms"},
                         {"CongestionThreshold", "0"},
                         {"CongestionThreshold", "1.01"},
                         {"CongestionThreshold", "-0.1"},
                         {"CqiMax", "0"},
                         {"CqiMax", "256"},
                         {"DropsPerLevel", "0"},
                         {"Smoothing", "-0.1"},
                         {"Smoothing", "0"},
                         {"Smoothing", "1.1"},
                         {"FlowletGap", "-1ns"},
                         {"HoldDown", "-1ns"},
                         {"Hysteresis", "256"},
                         {"TableSize", "0"},
                         {"TableSize", "268435457"},
                         {"LowTraffic", "-0.1"},
                         {"LowTraffic", "1.1"},
                         {"HighTraffic", "1.1"},
                         {"QueueCapacity", "10p"},
                         {"QueueCapacity", "0p"},
                         {"MigrationPeriod", "0s"},
                         {"AgingTime", "0s"}};
    for (const auto& [name, value] : bad)
    {
        AIDC_EXPECT(!selector->SetAttributeFailSafe(name, StringValue(value)),
                    name << " " << value);
    }
}

AIDC_TEST_CASE("9.3: settings that do not fit each other end the program with a message")
{
    const auto expect = [this](const Attributes& attributes, const char* message) {
        const auto start = RunInChild([&attributes] { FlowSetBench bench(attributes); });
        AIDC_EXPECT(start.Says(message), message << ": " << start.errors);
        const auto later = RunInChild([&attributes] {
            FlowSetBench bench;
            SetAll(bench.selector, attributes);
            bench.RunTo(FIRST);
        });
        // What a setter refuses is a fatal error of ns-3.
        AIDC_EXPECT(later.Aborts(message), message << ": " << later.errors);
    };
    expect({{"MinInterval", "50ms"}, {"MaxInterval", "20ms"}},
           "FlowSetSelector: The bounds of the assessment interval");
    expect(Attributes{{"UseQueueDepth", "false"}},
           "FlowSetSelector: The congestion index needs at least one metric");
    expect({{"LowTraffic", "0.5"}, {"HighTraffic", "0.5"}},
           "FlowSetSelector: The loads that change the assessment interval");

    // The error says where, and who has set what, to the nanosecond.
    ExpectRefusal("not 12345001 and 12345000 (node 0; set on the object: "
                  "MinInterval 12345001ns, TableSize 65536; set by "
                  "Config::SetDefault or on the command line: MaxInterval "
                  "12345000ns)",
                  [] {
                      Config::SetDefault("ns3::aidc::FlowSetSelector::MaxInterval",
                                         TimeValue(MicroSeconds(12345)));
                      FlowSetBench bench(Attributes{{"MinInterval", "12345001ns"}});
                  });

    FlowSetBench bench;
    const auto refuses = [this, &bench](const std::string& name, const std::string& value) {
        StringValue before;
        StringValue after;
        bench.selector->GetAttribute(name, before);
        AIDC_EXPECT(!bench.selector->SetAttributeFailSafe(name, StringValue(value)),
                    name << " = " << value);
        bench.selector->GetAttribute(name, after);
        NS_TEST_EXPECT_MSG_EQ(after.Get(), before.Get(), name << " stays");
    };
    refuses("MinInterval", "101ms");
    refuses("UseQueueDepth", "false");
    refuses("HighTraffic", "0.1");
    bench.RunTo(FIRST);
}

// Changes while the simulation runs.
AIDC_TEST_CASE("9.3: a changed setting is applied at the next assessment, and logged")
{
    std::ostringstream log;
    auto* const buffer = std::clog.rdbuf(log.rdbuf());
    LogComponentEnable("AidcFlowSetSelector", LOG_LEVEL_INFO);
    const auto countLines = [&log] {
        const std::string text = log.str();
        return std::count(text.begin(), text.end(), '\n');
    };
    {
        FlowSetBench bench;
        bench.SetQueue(1, 8);
        bench.RunTo(FIRST);
        const auto nAtFirst = countLines();
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 8, "of the start");
        bench.selector->SetAttribute("CqiMax", UintegerValue(5));
        bench.selector->SetAttribute("AssessmentInterval", TimeValue(NanoSeconds(30000040)));
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 8, "not before the next assessment");
        bench.RunTo(SECOND);
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 5, "from then on");
        NS_TEST_EXPECT_MSG_EQ(bench.selector->GetCurrentInterval().GetNanoSeconds(),
                              30000040,
                              "too");
        // Applied although ns-3 prints both in the same way
        bench.selector->SetAttribute("AssessmentInterval", TimeValue(MilliSeconds(30)));
        const auto nThen = countLines();
        bench.RunTo(MilliSeconds(50));
        NS_TEST_EXPECT_MSG_EQ(bench.assessments.size(), 8, "at 10 and 20 ms");
        bench.RunTo(NanoSeconds(50000040));
        NS_TEST_EXPECT_MSG_EQ(bench.assessments.size(), 12, "at 50.00004 ms");
        NS_TEST_EXPECT_MSG_EQ(bench.selector->GetCurrentInterval(), MilliSeconds(30), "next");
#ifdef NS3_LOG_ENABLE
        NS_TEST_EXPECT_MSG_EQ(nAtFirst, 1, "the start is logged");
        NS_TEST_EXPECT_MSG_EQ(nThen, 4, "each change is logged");
        NS_TEST_EXPECT_MSG_EQ(countLines(), 4, "what stays is not");
        NS_TEST_EXPECT_MSG_NE(log.str().find("CqiMax 5"), std::string::npos, log.str());
#else
        NS_TEST_EXPECT_MSG_EQ(nAtFirst + nThen, 0, "a build without logs");
#endif
    }
    LogComponentDisable("AidcFlowSetSelector", LOG_LEVEL_INFO);
    std::clog.rdbuf(buffer);
}

/// Look for a setting in a text.
bool
Has(const std::string& text, const std::string& name, const std::string& value)
{
    return (", " + text + ",").find(", " + name + " " + value + ",") != std::string::npos;
}

// Expected results: whichever attribute is changed, the trace tells it once, at once, with the text
// before and after; what is set to the value that it has, or is refused, it does not tell.
AIDC_TEST_CASE("9.3: each setting is traced when it changes, in any build")
{
    // Of texts that ns-3 would print with six digits, the trace has all.
    const std::map<std::string, std::string> exact{{"AssessmentInterval", "20000000ns"},
                                                   {"MinInterval", "15000000ns"},
                                                   {"MaxInterval", "90000000ns"},
                                                   {"FlowletGap", "1000000ns"},
                                                   {"HoldDown", "3000000ns"},
                                                   {"MigrationPeriod", "9000000ns"},
                                                   {"AgingTime", "2000000000ns"}};
    const Attributes changes{{"AssessmentInterval", "20ms"},
                             {"AdaptiveInterval", "true"},
                             {"MinInterval", "15ms"},
                             {"MaxInterval", "90ms"},
                             {"LowTraffic", "0.2"},
                             {"HighTraffic", "0.6"},
                             {"UseQueueDepth", "false"},
                             {"UseBufferUtilization", "true"},
                             {"UseDrops", "true"},
                             {"CongestionThreshold", "0.2"},
                             {"DropsPerLevel", "2"},
                             {"CqiMax", "15"},
                             {"Smoothing", "0.5"},
                             {"QueueCapacity", "9999B"},
                             {"FlowletGap", "1ms"},
                             {"RoundRobin", "true"},
                             {"RankByBudget", "true"},
                             {"Strategy", "FullSwitch"},
                             {"Hysteresis", "2"},
                             {"HoldDown", "3ms"},
                             {"MaxMigrations", "7"},
                             {"MigrationPeriod", "9ms"},
                             {"TableSize", "128"},
                             {"AgingTime", "2s"}};
    FlowSetBench bench;
    bench.selector->SetAttribute("UseDrops", BooleanValue(true)); // so that one is left
    bench.selector->SetAttribute("UseBufferUtilization", BooleanValue(false));
    std::vector<std::pair<std::string, std::string>> told;
    ConnectTrace(bench.selector,
                 "Reconfiguration",
                 [&told](const std::string& before, const std::string& after) {
                     told.emplace_back(before, after);
                 });
    bench.selector->SetAttribute("UseDrops", BooleanValue(true));
    NS_TEST_EXPECT_MSG_EQ(told.size(), 0, "as it was");
    const TypeId tid = FlowSetSelector::GetTypeId();
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        const std::string name = tid.GetAttribute(i).name;
        const auto found = std::find_if(changes.begin(), changes.end(), [&name](const auto& c) {
            return c.first == name;
        });
        AIDC_ASSERT(found != changes.end(), "a value for " << name);
        StringValue before;
        StringValue after;
        bench.selector->GetAttribute(name, before);
        told.clear();
        const StringValue value(name == "UseDrops" ? "false" : found->second);
        bench.selector->SetAttribute(name, value);
        bench.selector->GetAttribute(name, after);
        NS_TEST_ASSERT_MSG_EQ(told.size(), 1, name);
        const auto text = exact.find(name);
        const bool isTime = text != exact.end();
        AIDC_EXPECT(Has(told[0].second, name, isTime ? text->second : after.Get()), told[0].second);
        AIDC_EXPECT(isTime || Has(told[0].first, name, before.Get()), told[0].first);
        NS_TEST_EXPECT_MSG_NE(told[0].first, told[0].second, name);
        bench.selector->SetAttribute(name, value);
        NS_TEST_EXPECT_MSG_EQ(told.size(), 1, "once: " << name);
    }
    // In the seventh digit and beyond
    const auto tells = [this, &bench, &told](const std::string& name,
                                             const std::string& former,
                                             const std::string& value) {
        bench.selector->SetAttribute(name, StringValue(former));
        told.clear();
        bench.selector->SetAttribute(name, StringValue(value));
        NS_TEST_ASSERT_MSG_EQ(told.size(), 1, name << " of " << former << " to " << value);
        AIDC_EXPECT(Has(told[0].first, name, former), told[0].first);
        AIDC_EXPECT(Has(told[0].second, name, value), told[0].second);
    };
    tells("AssessmentInterval", "12345600ns", "12345640ns");
    tells("AgingTime", "1000000000ns", "1000000001ns");
    tells("Smoothing", "0.123456", "0.1234561");
    tells("Smoothing", "0.1", "0.10000000000000002");
    told.clear();
    bench.selector->SetAttributeFailSafe("MinInterval", StringValue("91ms"));
    bench.selector->SetAttributeFailSafe("TableSize", StringValue("0"));
    bench.selector->SetAttributeFailSafe("QueueCapacity", StringValue("5p"));
    NS_TEST_EXPECT_MSG_EQ(told.size(), 0, "refused");
}

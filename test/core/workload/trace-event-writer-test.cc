// SPDX-License-Identifier: GPL-2.0-only

// Timelines in Chrome's trace event format: the form of each event.

#include "model/core/workload/json-value.h"
#include "model/core/workload/workload-timeline.h"
#include "test/core/core-test.h"

/// The scalar of a member of an object; "none" without the member.
std::string
GetText(const JsonValue& object, const std::string& key)
{
    const JsonValue* found = object.Find(key);
    return found ? found->text : "none";
}

JsonValue
GetLastEvent(const std::string& text)
{
    return ParseJsonText(text).Find("traceEvents")->items.back();
}

TEST(TraceEventWriter, AnEmptyTimelineIsAnObjectWithEvents)
{
    std::ostringstream os;
    TraceEventWriter writer(os);
    writer.End();
    EXPECT_EQ(os.str(), "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
}

TEST(TraceEventWriter, EachPhaseHasItsKeys)
{
    std::ostringstream os;
    {
        TraceEventWriter writer(os, TraceArguments().AddText("slowest_rank", "3"));
        writer.NameProcess(1, "rank 0");
        writer.NameThread({1, 2}, "sends");
        writer.AddSlice({1, 2}, "x", "send", 10500, 5250, TraceArguments().AddCount("bytes", 64));
        writer.AddFlow({1, 2}, true, 7, "message", 10500);
        writer.AddFlow({2, 2}, false, 7, "message", 12000);
        writer.AddInstant(1, "failed", 13000);
        writer.AddInstant(std::nullopt, "link down", 14001);
        writer.AddCounter(1, "wait", 3500, TraceArguments().AddMicros("pause", 1));
        writer.End();
    }
    // What the format's documentation wants of each, with times in us
    EXPECT_EQ(os.str(),
              R"({"displayTimeUnit":"ns","otherData":{"slowest_rank":"3"},
"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"rank 0"}},
{"ph":"M","name":"process_sort_index","pid":1,"tid":0,"args":{"sort_index":1}},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"sends"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
{"ph":"X","name":"x","pid":1,"tid":2,"cat":"send","ts":10.500,"dur":5.250,"args":{"bytes":64}},
{"ph":"s","name":"message","pid":1,"tid":2,"cat":"message","id":7,"ts":10.500},
{"ph":"f","name":"message","pid":2,"tid":2,"bp":"e","cat":"message","id":7,"ts":12.000},
{"ph":"i","name":"failed","pid":1,"tid":0,"s":"p","ts":13.000},
{"ph":"i","name":"link down","pid":1,"tid":0,"s":"g","ts":14.001},
{"ph":"C","name":"wait","pid":1,"ts":3.500,"args":{"pause":0.001}}
]}
)");
    EXPECT_EQ(ParseJsonText(os.str()).Find("traceEvents")->items.size(), 10U);
}

RC_GTEST_PROP(TraceEventWriter, TimesHaveThreeDecimalsAndLoseNothing, ())
{
    const auto begin = DrawInRange<int64_t>(0, INT64_MAX / 2);
    const auto duration = DrawAny<uint32_t>();
    std::ostringstream os;
    TraceEventWriter writer(os);
    writer.AddSlice({1, 1}, "x", "y", begin, duration);
    writer.End();
    const JsonValue event = GetLastEvent(os.str());
    const auto toNs = [](std::string text) {
        const auto point = text.find('.');
        RC_ASSERT(point == text.size() - 4);
        return std::stoll(text.erase(point, 1));
    };
    RC_ASSERT(toNs(GetText(event, "ts")) == begin);
    RC_ASSERT(toNs(GetText(event, "dur")) == duration);
}

TEST(TraceEventWriter, NamesAreEscaped)
{
    std::ostringstream os;
    TraceEventWriter writer(os);
    writer.AddSlice({1, 1},
                    "a \"quoted\" \\ name\n\x01",
                    "\xff is not UTF-8",
                    0,
                    0,
                    TraceArguments().AddText("k\"", "\xc3\xa9"));
    writer.End();
    const JsonValue event = GetLastEvent(os.str());
    EXPECT_EQ(GetText(event, "name"), "a \"quoted\" \\ name\n\x01");
    EXPECT_EQ(GetText(event, "cat"), "\xef\xbf\xbd is not UTF-8");
    EXPECT_EQ(GetText(*event.Find("args"), "k\""), "\xc3\xa9");
}

RC_GTEST_PROP(TraceEventWriter, AnyNameIsJson, (const std::string& name))
{
    std::ostringstream os;
    TraceEventWriter writer(os);
    writer.AddSlice({1, 1}, name, name, 0, 1, TraceArguments().AddText(name, name));
    writer.End();
    RC_ASSERT(GetLastEvent(os.str()).Find("name") != nullptr);
}

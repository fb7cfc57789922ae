// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "csig-small-fabric.h"
#include "test/test-case.h"

// The trace sources of ports with CSIG: load, available bandwidth, and what becomes of tags.
AIDC_TEST_SUITE("aidc-csig-port-traces", UNIT);

/// Bytes of payload that make a frame without a tag 1,000 bytes on the wire: 1 us at 8 Gb/s.
constexpr uint32_t KILOBYTE = 962;

/// The tags that a trace source has told of.
using TagList = std::vector<CsigFields>;

/// Note the tags that a trace source of a port tells of.
void
Record(Ptr<Object> port, const std::string& name, TagList& tags)
{
    ConnectTrace(port, name, [&tags](Ptr<const NetDevice>, const CsigFields& fields) {
        tags.push_back(fields);
    });
}

/// When the load changes in ns, and how many frames in 10 us it is from then on.
using Changes = std::vector<std::pair<int64_t, uint64_t>>;

struct LoadRow
{
    std::string phase; //!< how much earlier windows begin
    Changes changes;   //!< the changes
};

// The load of a port and what it has left, as they change. Frames of 1,000 bytes at 8 Gb/s; delta_t
// is 10 us. Each value is known when the next frame leaves.
AIDC_TEST_CASE_P(LoadTestCase,
                 LoadRow,
                 row,
                 "5.1.1: Load and AvailableBandwidth trace what a port measures, phase " +
                     row.phase)
{
    constexpr uint64_t TENTH = 800000000; // one frame in 10 us
    using Values = std::vector<std::tuple<int64_t, uint64_t, uint64_t>>;
    Values loads;
    Values available;
    CsigPortPair pair({}, {{"Interval", "10us"}, {"Phase", row.phase}});
    const auto agent = pair.csigA->GetAgent();
    const auto record = [](Values& values) {
        return Callback<void, uint64_t, uint64_t>([&values](uint64_t from, uint64_t to) {
            values.emplace_back(Simulator::Now().GetNanoSeconds(), from, to);
        });
    };
    agent->TraceConnectWithoutContext("Load", record(loads));
    agent->TraceConnectWithoutContext("AvailableBandwidth", record(available));
    for (const int64_t time : {0, 1000, 2000, 3000, 8000, 12000, 22000, 45000, 46000})
    {
        pair.Forward(time, KILOBYTE);
    }
    Simulator::Run();
    Values expectedLoads;
    Values expectedAvailable;
    uint64_t before = 0;
    for (const auto& [time, frames] : row.changes)
    {
        expectedLoads.emplace_back(time, before * TENTH, frames * TENTH);
        expectedAvailable.emplace_back(time, (10 - before) * TENTH, (10 - frames) * TENTH);
        before = frames;
    }
    AIDC_EXPECT(loads == expectedLoads, "each change, once");
    AIDC_EXPECT(available == expectedAvailable, "the rest of 8 Gb/s");
}

/// What a pair of ports does to tags, and what its trace sources tell of that.
struct TracedRule
{
    std::string name;          //!< what it shows
    Attributes portA;          //!< of the egress port
    Attributes agentA;         //!< of its agent
    Attributes portB;          //!< of the ingress port behind it
    bool isStrippedA{false};   //!< whether port a tells of stripped tags
    bool isUnsupported{false}; //!< whether port a tells of unsupported tags
    bool isStrippedB{false};   //!< whether port b tells of stripped tags
    bool isUntrusted{false};   //!< whether port b tells of untrusted tags
};

// Two tagged frames and one without meet a rule.
AIDC_TEST_CASE_P(TagTestCase, TracedRule, rule, rule.name)
{
    CsigPortPair pair(rule.portA, rule.agentA, rule.portB);
    TagList strippedA;
    TagList unsupported;
    TagList sent;
    TagList strippedB;
    TagList untrusted;
    Record(pair.csigA, "Strip", strippedA);
    Record(pair.csigA, "Unsupported", unsupported);
    Record(pair.csigA, "TagSent", sent);
    Record(pair.csigB, "Strip", strippedB);
    Record(pair.csigB, "Untrusted", untrusted);
    const TagList tags{TAG, MakeTag(2, 9, 17, EXPANDED)};
    pair.Forward(10000, 1000, tags[0]);
    pair.Forward(20000, 1000, tags[1]);
    pair.Forward(30000, 1000);
    const auto onWire = pair.Run();
    const auto check = [&](const TagList& found, bool isExpected, const std::string& name) {
        AIDC_EXPECT(found == (isExpected ? tags : TagList{}), name);
    };
    check(strippedA, rule.isStrippedA, "Strip at egress");
    check(unsupported, rule.isUnsupported, "Unsupported");
    check(sent, !rule.isStrippedA, "TagSent");
    check(strippedB, rule.isStrippedB, "Strip at ingress");
    check(untrusted, rule.isUntrusted, "Untrusted");
    TagList found;
    for (const auto& tag : onWire)
    {
        if (tag)
        {
            found.push_back(*tag);
        }
    }
    AIDC_EXPECT(sent == found, "what is sent is on the wire");
}

// TagSent has a tag as it leaves, not as it came.
AIDC_TEST_CASE("4.3.1: TagSent tells of the fields that are on the wire, behind an update")
{
    CsigPortPair pair;
    TagList sent;
    Record(pair.csigA, "TagSent", sent);
    // 3 us have the code 4 by the default buckets: 0, 0.5, 1, 2, 3 us.
    pair.Forward(10000, 100, MakeTag(2, 0), 3000);
    Simulator::Run();
    AIDC_EXPECT(sent == TagList{MakeTag(2, 4)}, "the tag that was sent");
}

// Hosts tell of each tag that they send, and their ports, too.
AIDC_TEST_CASE("4.4.1: TagSent of a host and of its port: each tag, by flow, as requested")
{
    SmallFabric small;
    small.csig.GetHostHelper().SetAttribute("Signals", StringValue("min(ABW),max(PD)"));
    small.csig.Install(small.network);
    small.Watch();
    const auto host = small.network.GetFabric().GetHosts()[0];
    std::map<FlowKey, TagList> sent;
    ConnectTrace(
        small.network.GetNode(host)->GetObject<CsigHost>(),
        "TagSent",
        [&](const FlowKey& flow, const CsigFields& fields) { sent[flow].push_back(fields); });
    TagList left;
    const auto port = small.network.GetPort(host, PortIndex(0))->GetObject<CsigPort>();
    Record(port, "TagSent", left);
    small.Send(10, 10000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(sent.size(), 1, "one flow");
    const auto& [flow, tags] = *sent.begin();
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(flow.source),
                          small.network.GetAddress(host),
                          "local to remote");
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 10, "all packets");
    for (std::size_t i = 0; i < tags.size(); ++i)
    {
        // min(ABW) begins with the largest code, max(PD) with the smallest.
        NS_TEST_EXPECT_MSG_EQ(tags[i], (i % 2 == 0 ? MakeTag(0, 31) : MakeTag(2, 0)), i);
    }
    AIDC_EXPECT(left == tags, "by the port");
}

AIDC_ADD_TEST_CASES()
{
    // Five frames in [0, 10) us, one each in [10, 20) and [20, 30) us, none in [30, 40) us.
    AddTestCase(new LoadTestCase({"0", {{12000, 5}, {22000, 1}, {45000, 0}}}));
    // Four frames in [-3, 7) us, two in [7, 17) us, one in [17, 27) us, none in [27, 37) us.
    AddTestCase(new LoadTestCase({"0.3", {{8000, 4}, {22000, 2}, {45000, 0}}}));
    const Attributes noDelay{{"HopDelay", "false"}};
    // clang-format off
    const std::vector<TracedRule> rules{
        {"4.3.1: TagSent alone where tags are kept", {}, {}, {}},
        {"6.1: Strip at an egress port", {{"StripEgress", "true"}}, {}, {}, true},
        {"6.5: Strip at the ingress port of a boundary", {}, {}, {{"StripIngress", "true"}}, false,
         false, true},
        {"9: Untrusted, tags taken off", {}, {}, {{"Trusted", "false"}}, false, false, false, true},
        {"9: Untrusted, frames dropped", {}, {},
         {{"Trusted", "false"}, {"UntrustedAction", "Drop"}}, false, false, false, true},
        {"6.3.2: Unsupported, tags kept", {}, noDelay, {}, false, true},
        {"6.3.2: Unsupported, tags taken off", {{"UnsupportedAction", "Strip"}}, noDelay, {}, true,
         true},
    };
    // clang-format on
    AddTestCases<TagTestCase>(rules);
}

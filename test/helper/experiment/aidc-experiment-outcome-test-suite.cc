// SPDX-License-Identifier: GPL-2.0-only

#include "test/helper/invalid-values.h"
#include "test/test-case.h"

#include "ns3/experiment-parameters.h"
#include "ns3/experiment-results.h"
#include "ns3/longest-wait.h"

// What a run tells Python, as text and as JSON.
AIDC_TEST_SUITE("aidc-experiment-outcome", UNIT);

// By RFC 8259, section 7: quotation mark, reverse solidus and control characters are escaped; the
// bytes of well-formed UTF-8 stay as they are, others give U+FFFD each.
AIDC_TEST_CASE("any text can stand in JSON")
{
    const std::vector<std::pair<std::string, std::string>> vectors{
        {"", R"("")"},
        {R"(C:\data\"new")", R"("C:\\data\\\"new\"")"},
        {"a/b", R"("a/b")"},
        {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
        {std::string("\0\x01\x1f\x7f", 4), R"("\u0000\u0001\u001f\u007f")"},
        // U+00E9, U+20AC, U+1F600
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        // Latin-1, a sequence cut short, an overlong solidus, a surrogate, over U+10FFFF
        {"\xe9t", R"("\ufffdt")"},
        {"\xe2\x82", R"("\ufffd\ufffd")"},
        {"\xc0\xaf", R"("\ufffd\ufffd")"},
        {"\xed\xa0\x80", R"("\ufffd\ufffd\ufffd")"},
        {"\xf4\x90\x80\x80", R"("\ufffd\ufffd\ufffd\ufffd")"},
    };
    for (const auto& [text, json] : vectors)
    {
        NS_TEST_EXPECT_MSG_EQ(ToJson(text), json, "escaped text");
    }
}

AIDC_TEST_CASE("numbers are written in the fewest digits that read back the same")
{
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<std::pair<double, std::string>> vectors{
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"}, // IEEE 754's best-known sum
        {1.0 / 3, "0.3333333333333333"},    // 16 digits are enough here
        {-2.5, "-2.5"},
        {1e-6, "1e-06"},
        {123456789012, "123456789012"},
        {9007199254740992.0, "9007199254740992"}, // 2^53
        {1e300, "1e+300"},
        {0, "0"},
        {-0.0, "0"},
        {NONE, "null"},
        {infinity, "null"},
        {-infinity, "null"},
    };
    for (const auto& [number, json] : vectors)
    {
        NS_TEST_EXPECT_MSG_EQ(ToJson(number), json, "number");
    }
}

AIDC_TEST_CASE("metrics are lines, and a line of JSON; names and units are those of the format")
{
    ExperimentOutcome outcome;
    outcome.Add("fct_p99", 0.25, "s");
    outcome.Add("loss", NONE, "1");
    std::ostringstream os;
    outcome.Print(os);
    NS_TEST_EXPECT_MSG_EQ(os.str(), "fct_p99 = 0.25 s\nloss = nan 1\n", "lines");
    const std::string metrics = R"({"metrics": [["fct_p99", 0.25, "s"], ["loss", null, "1"]], )";
    NS_TEST_EXPECT_MSG_EQ(outcome.PrintJson(), metrics + "\"waits\": null}", "JSON");
    outcome.longestWait = LongestWait{"x", "rate", 1e-3, 2e-3, 5e-4};
    NS_TEST_EXPECT_MSG_EQ(outcome.PrintJson(),
                          metrics +
                              R"("waits": {"queue_pair": "x", "since": 0.002, )"
                              R"("cause": "rate", "waited": 0.001, "sentence": )" +
                              ToJson(outcome.longestWait->Describe()) + "}}",
                          "JSON with the longest wait");
    for (const std::string name : {"", "Fct", "fct-p99", "9th", "fct_", "fct p99"})
    {
        AIDC_EXPECT(IsRefused([&] { outcome.Add(name, 1, "1"); }), name);
    }
    for (const std::string unit : {"", "ms", "B", "bytes", "Gbit/s", "S"})
    {
        AIDC_EXPECT(IsRefused([&] { outcome.Add("m", 1, unit); }), unit);
    }
}

AIDC_TEST_CASE("the longest wait in a sentence, by its cause")
{
    const std::vector<std::pair<std::string, std::string>> causes{
        {"pause", "x, was paused for 1 ms, 0.5 ms of that from 2 ms on."},
        {"rate", "x, waited 1 ms for its rate, 0.5 ms of that from 2 ms on."},
        {"window", "x, waited 1 ms for its window, 0.5 ms of that from 2 ms on."},
        {"timeout", "x, lost 1 ms to timeouts, 0.5 ms of that from 2 ms on."},
    };
    for (const auto& [cause, sentence] : causes)
    {
        NS_TEST_EXPECT_MSG_EQ((LongestWait{"x", cause, 1e-3, 2e-3, 5e-4}.Describe()),
                              sentence,
                              cause);
    }
}

AIDC_TEST_CASE("options choose the devices and the datapath of a network")
{
    const auto build = [](const std::string& devices, const std::string& datapath) {
        ExperimentOptions options;
        options.devices = devices;
        options.datapath = datapath;
        std::string found;
        {
            FabricHelper network;
            options.Configure(network);
            network.Build(MakeLeafSpine({2, 2, 1}));
            network.AssignAddresses(); // which connects the switches' ports
            const auto node = network.GetSwitches().Get(0);
            found = node->GetDevice(0)->GetInstanceTypeId().GetName();
            if (const auto path = node->GetObject<SwitchDatapath>())
            {
                StringValue mode;
                path->GetAttribute("Mode", mode);
                found += " " + mode.Get();
            }
        }
        Simulator::Destroy();
        return found;
    };
    NS_TEST_EXPECT_MSG_EQ(build("ethernet", "fast"),
                          "ns3::aidc::EthernetNetDevice Fast",
                          "the fast datapath");
    NS_TEST_EXPECT_MSG_EQ(build("ethernet", "stack"),
                          "ns3::aidc::EthernetNetDevice Stack",
                          "through the stack");
    NS_TEST_EXPECT_MSG_EQ(build("point-to-point", "fast").substr(0, 26),
                          "ns3::PointToPointNetDevice",
                          "ns-3's devices");
}

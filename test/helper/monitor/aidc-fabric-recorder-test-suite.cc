// SPDX-License-Identifier: GPL-2.0-only

#include "helper/monitor/fabric-recording.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/fabric-recorder.h"

// The recorder of a network.
AIDC_TEST_SUITE("aidc-fabric-recorder", UNIT);

// The file of a leaf with two hosts, one of which sends ten packets to the other one. A packet has
// 100 bytes, and 8 of UDP, 20 of IP: 128. Its frame has 18 bytes more, and takes 20 more on the
// wire: 166 bytes or 132.8 ns at 10 Gb/s, where 1 us is 1250 bytes.
//
//  - The host sends from 100 ns on, the frames begin at 100, 232.8, ..., 896.8 (the seventh) and
//    1029.6 ns: 1162 bytes or 929/1000 in the first us, when 3 packets or 384 bytes wait, and 498
//    bytes or 398/1000 in the second us.
//  - The last bit of the first frame arrives after 154 bytes with the preamble, 123.2 ns, and 1 us
//    of delay. So the leaf sends from 1223.2 ns on, and six frames begin before 2 us (the last at
//    1887.2 ns): 996 bytes or 796/1000. The seventh begins at 2020 ns: 166 of 625 bytes or
//    265/1000 until 2500 ns. The eighth would arrive at 2152.8 ns: it is lost with the others,
//    as the host's link has failed at 2100 ns.
AIDC_TEST_CASE("FabricRecorder: the file of ten packets and of a link that fails")
{
    FabricPlan plan("pair");
    const auto source = plan.AddNode(FabricTier::HOST, 0, 0);
    const auto destination = plan.AddNode(FabricTier::HOST, 0, 1);
    const auto leaf = plan.AddNode(FabricTier::LEAF, 0, 0);
    const auto link = plan.AddLink(leaf, source, 10'000'000'000, 1000);
    plan.AddLink(leaf, destination, 10'000'000'000, 1000);
    plan.Finish();
    FabricHelper network;
    network.Build(plan);
    FinishNetwork(network);
    FabricRecorder recorder(MicroSeconds(1));
    recorder.Add(network);
    recorder.AddCounter(network.GetNode(leaf), "clock", [] {
        return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    });
    recorder.Start();
    const auto sink = MakeSocket(network.GetNode(destination), SINK_PORT);
    const auto socket = MakeSocket(network.GetNode(source), 0);
    Simulator::ScheduleWithContext(source.value, NanoSeconds(100), [&] {
        for (int i = 0; i < 10; ++i)
        {
            SendUdp(socket, network.GetAddress(destination));
        }
    });
    Simulator::Schedule(NanoSeconds(1500), [&] {
        recorder.NotifyPort(network.GetPort(leaf, PortIndex(1)), "oddities");
        recorder.NotifyPort(network.GetPort(leaf, PortIndex(1)), "oddities");
    });
    network.ScheduleFailure(link, NanoSeconds(2100), NanoSeconds(2300));
    RunFor(NanoSeconds(2500));
    recorder.Stop();
    const std::string path = CreateTempDirFilename("network.json");
    recorder.Write(path);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(ReadFile(path),
                          "{\"format\":1,\n\"times_ns\":[0,1000,2000,2500],\n\"nodes\":[\n"
                          R"({"name":"host-0","tier":"host","site":null,"pod":0,"index":0},)"
                          "\n"
                          R"({"name":"host-1","tier":"host","site":null,"pod":0,"index":1},)"
                          "\n"
                          R"({"name":"leaf-0","tier":"leaf","site":null,"pod":0,"index":0}],)"
                          "\n\"links\":[\n"
                          R"({"a":2,"b":0,"rate_bps":10000000000,"delay_ns":1000},)"
                          "\n"
                          R"({"a":2,"b":1,"rate_bps":10000000000,"delay_ns":1000}],)"
                          "\n\"ports\":[\n"
                          R"({"link":0,"end":1,"load":[929,398,0],"queue_byte":[384,0,0]},)"
                          "\n"
                          R"({"link":1,"end":0,"load":[0,796,265],"oddities":[0,2,0]}],)"
                          "\n\"node_series\":[\n"
                          R"({"node":2,"clock":[1000,1000,500]}],)"
                          "\n\"events\":[\n"
                          R"({"time_ns":2100,"event":"link-down","link":0},)"
                          "\n"
                          R"({"time_ns":2300,"event":"link-up","link":0}]})"
                          "\n",
                          "the file");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { recorder.Write("/nowhere/network.json"); }),
                          "cannot write /nowhere/network.json: No such file or directory",
                          "no such folder");
}

// What is left of series when there are too many samples. Of one link, there are 200 intervals at
// most. At time i, the counter is i squared, the level is 7 at odd times and 3 at even ones, and
// the share's counter is 250 i of 1000 a second. After 200 intervals of 1 s, intervals of 2 s are
// left: the counter grows by (2k)^2 - (2k - 2)^2 = 8k - 4 in the k-th one, the level is 7, and the
// share 250/1000. A share cannot be more than 1000/1000; a port's share may seem to be more, as a
// frame counts when its transmission begins.
AIDC_TEST_CASE("FabricRecorder: every second sample is forgotten, but no growth and no peak")
{
    uint64_t now = 0;
    FabricRecording recording;
    recording.AddNode({"a", "host", {}, {}, 0});
    recording.AddNode({"b", "leaf", {}, {}, 0});
    recording.AddLink({0, 1, 1000, 0});
    recording.AddPortSeries(0, 0, "counter", {[&now] { return now * now; }});
    recording.AddPortSeries(0,
                            0,
                            "level",
                            {[&now] { return now % 2 == 1 ? 7U : 3U; }, FabricRecording::LEVEL});
    recording.AddPortSeries(0,
                            0,
                            "share",
                            {[&now] { return 250 * now; }, FabricRecording::SHARE, 1000});
    recording.AddPortSeries(0,
                            1,
                            "burst",
                            {[&now] { return 3000 * now; }, FabricRecording::SHARE, 1000});
    recording.AddPortSeries(0, 1, "nothing", {[] { return uint64_t{5}; }});
    for (; now <= 200; ++now)
    {
        const bool isHalved = recording.Sample(static_cast<int64_t>(now) * 1'000'000'000);
        NS_TEST_EXPECT_MSG_EQ(isHalved, (now == 200), "whether samples are forgotten at " << now);
    }
    std::string times = "0";
    std::string counter;
    std::string level;
    std::string share;
    std::string burst;
    for (int k = 1; k <= 100; ++k)
    {
        times += "," + std::to_string(2 * k) + "000000000";
        counter += (k > 1 ? "," : "") + std::to_string(8 * k - 4);
        level += k > 1 ? ",7" : "7";
        share += k > 1 ? ",250" : "250";
        burst += k > 1 ? ",1000" : "1000";
    }
    const std::string path = CreateTempDirFilename("recording.json");
    recording.Write(path);
    const std::string text = ReadFile(path);
    const auto has = [&text](const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    AIDC_EXPECT(has("\"times_ns\":[" + times + "],"), "the times");
    AIDC_EXPECT(has("\"counter\":[" + counter + "],"), "a counter");
    AIDC_EXPECT(has("\"level\":[" + level + "],"), "a level");
    AIDC_EXPECT(has("\"share\":[" + share + "]}"), "a share");
    AIDC_EXPECT(has("\"burst\":[" + burst + "]}"), "a share of too much");
    AIDC_EXPECT(!has("nothing"), "a series of zeros");
}

// Of too many events, the earliest are kept, in whatever order they come.
AIDC_TEST_CASE("FabricRecorder: the earliest events are kept, by time")
{
    FabricRecording recording;
    const auto most = static_cast<int64_t>(FabricRecording::MAX_EVENTS);
    for (int64_t time = 2 * most; time > 0; --time)
    {
        recording.AddEvent(time, "event", 0);
    }
    const std::string path = CreateTempDirFilename("recording.json");
    recording.Write(path);
    const std::string text = ReadFile(path);
    const std::string last =
        R"({"time_ns":)" + std::to_string(most) + R"(,"event":"event","link":0}]})";
    const auto first = text.find("\"events\":[\n{\"time_ns\":1,");
    NS_TEST_EXPECT_MSG_NE(first, std::string::npos, "the first event");
    NS_TEST_EXPECT_MSG_EQ(text.substr(text.size() - last.size() - 1), last + "\n", "the last");
}

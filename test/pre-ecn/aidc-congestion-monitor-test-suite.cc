// SPDX-License-Identifier: GPL-2.0-only

#include "notification-network.h"
#include "test/test-case.h"

#include "ns3/congestion-monitor.h"

// Notifications by a controller that watches routers.
AIDC_TEST_SUITE("aidc-congestion-monitor", UNIT);

/// Have a monitor at host 4 watch the congested router.
Ptr<CongestionMonitor>
Install(const NotificationNetwork& net, const Attributes& attributes)
{
    auto monitor = CreateObject<CongestionMonitor>();
    SetAll(monitor, attributes);
    net.GetNode(4)->AddApplication(monitor);
    monitor->Watch(net.GetNode(2));
    return monitor;
}

/// Let a congestion happen, and compare.
void
Watch()
{
    NotificationNetwork net;
    auto monitor = Install(net, {{"Interval", "100us"}, {"TelemetryDelay", "50us"}});
    std::vector<std::pair<int64_t, double>> readings;
    ConnectTrace(monitor,
                 "Reading",
                 [&](Ipv4Address device, uint16_t, uint8_t queue, double average) {
                     NS_TEST_EXPECT_MSG_EQ(device, net.GetAddress(2), "the router");
                     NS_TEST_EXPECT_MSG_EQ(static_cast<int>(queue), 0, "queue");
                     readings.emplace_back(Simulator::Now().GetNanoSeconds(), average);
                 });
    net.SendTunneled(1000);
    Simulator::Run();

    // By reading and flow: the first of the most severe marks
    std::map<std::pair<int64_t, FlowKey>, MarkSeen> expected;
    std::set<int64_t> times;
    for (const auto& mark : net.marks)
    {
        const int64_t reading = (mark.time / 100000 + 1) * 100000;
        const auto [found, isNew] = expected.emplace(std::pair(reading, mark.flow), mark);
        if (!isNew && mark.severity > found->second.severity)
        {
            found->second = mark;
        }
        times.insert(reading);
    }
    NS_TEST_ASSERT_MSG_EQ(readings.size(), times.size(), "a reading each");
    std::size_t i = 0;
    for (const int64_t time : times)
    {
        NS_TEST_EXPECT_MSG_EQ(readings[i].first, time + 50000, "after the delay");
        // Up to 1 ms the queue grows by a packet of 1000 bytes in the time of 1038, which it
        // has on the wire, but for the first 3 us.
        if (time <= 1000000)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(readings[i].second, (time - 3000) / 1.038, 2000, "queue");
        }
        ++i;
    }
    NS_TEST_ASSERT_MSG_EQ(net.notifications.size(), expected.size(), "one a flow and reading");
    AIDC_EXPECT(expected.size() >= 20, expected.size());
    uint64_t sequence = 0;
    for (const auto& received : net.notifications)
    {
        const auto& told = received.notification;
        const int64_t reading = (static_cast<int64_t>(told.time) / 100000 + 1) * 100000;
        const auto found = expected.find({reading, told.flow});
        AIDC_ASSERT(found != expected.end(), "of a mark");
        NS_TEST_EXPECT_MSG_EQ(told.time, static_cast<uint64_t>(found->second.time), "its time");
        AIDC_EXPECT(told.severity == found->second.severity, "its severity");
        NS_TEST_EXPECT_MSG_EQ(told.sequence, ++sequence, "numbered");
        NS_TEST_EXPECT_MSG_EQ(told.device, net.GetAddress(2).Get(), "of the router");
        NS_TEST_EXPECT_MSG_EQ(received.from, net.GetAddress(4), "from the monitor");
        AIDC_EXPECT(told.flow == net.GetFlow(received.host), "to its PE");
        const int64_t delay = received.time - reading - 50000;
        AIDC_EXPECT(delay > 3000 && delay < 5000, delay);
    }
    const auto& statistics = monitor->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.light + statistics.severe, expected.size(), "counted");
    NS_TEST_EXPECT_MSG_EQ(statistics.suppressed, net.marks.size() - expected.size(), "others");
}

// What a monitor reads, and whom it notifies when. Expected results: reports leave the router at
// multiples of 100 us and reach the monitor 50 us later. Each has for each flow the first mark
// among the most severe of the 100 us before. The notifications are sent one behind the other,
// over three links of 1 us each, in the name of the router: they arrive less than 5 us later.
AIDC_TEST_CASES(bool,
                isInWindows,
                std::string("a monitor reads queues at intervals and notifies, ") +
                    (isInWindows ? "in time windows" : "by the default simulator"),
                ({false, true}))
{
    isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    Watch();
    TimeWindowHelper::Disable();
}

// A monitor of routers without marks has no events, nor has one before it is started and after it
// is stopped. Expected results: without marks as many events as without a monitor, except for the
// events by which ns-3 initializes and starts an application. Between 300 us and 600 us, with
// reports at multiples of 100 us and a delay of 50 us: the reports of 400 and 500 us, which come at
// 450 and 550 us, of marks from 300 to 500 us.
AIDC_TEST_CASE("a monitor has no events where there is nothing to read, and between its times")
{
    const auto count = [](bool isWatched) {
        NotificationNetwork net;
        if (isWatched)
        {
            Install(net, {{"Interval", "1us"}});
        }
        net.SendTunneled(4); // below T1
        Simulator::Run();
        return Simulator::GetEventCount();
    };
    NS_TEST_EXPECT_MSG_EQ(count(true), count(false) + 2, "initialization and start");

    NotificationNetwork net;
    auto monitor = Install(net,
                           {{"Interval", "100us"},
                            {"TelemetryDelay", "50us"},
                            {"StartTime", "300us"},
                            {"StopTime", "600us"}});
    net.SendTunneled(1000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(net.notifications.size(), 4, "two flows, twice");
    for (const auto& received : net.notifications)
    {
        const auto time = received.notification.time;
        AIDC_EXPECT(time >= 300000 && time < 500000, time);
        AIDC_EXPECT(received.time > 450000 && received.time < 560000, "then");
    }
}

// What is not sampled is counted.
AIDC_TEST_CASE("a report has a most of flows, and only those with an ingress PE")
{
    NotificationNetwork net;
    auto monitor = Install(net, {{"MaxFlows", "1"}, {"Interval", "10ms"}});
    net.SendTunneled(300);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(net.notifications.size(), 1, "one");
    // All 600 packets are marked or not within the interval of 10 ms. The report has room for
    // the flow of the first mark; of its marks, all but the first only raise the severity.
    const uint32_t first = net.notifications[0].host;
    const auto& statistics = monitor->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.full, net.CountMarks(1 - first), "the other flow's marks");
    NS_TEST_EXPECT_MSG_EQ(statistics.suppressed + 1, net.CountMarks(first), "its own marks");
    NotificationNetwork plain;
    monitor = Install(plain, {});
    Simulator::Schedule(MicroSeconds(1), [&plain] { plain.Send(2, 300); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(monitor->GetStatistics().notTunneled, plain.marks.size(), "counted");
    AIDC_EXPECT(plain.notifications.empty(), "nobody is notified");
}

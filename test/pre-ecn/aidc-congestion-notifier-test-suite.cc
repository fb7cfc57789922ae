// SPDX-License-Identifier: GPL-2.0-only

#include "notification-network.h"
#include "test/core/pre-ecn/domain-message-comparison.h"
#include "test/test-case.h"

#include "ns3/congestion-notifier.h"
#include "ns3/notification-key.h"

// Notifications from a congested router to ingress PEs.
AIDC_TEST_SUITE("aidc-congestion-notifier", UNIT);

/// Have the congested router notify.
Ptr<CongestionNotifier>
Install(const NotificationNetwork& net,
        const Attributes& attributes = {},
        const Attributes& sender = {})
{
    auto notifier = CreateObject<CongestionNotifier>();
    SetAll(notifier, attributes);
    SetAll(notifier->GetSender(), sender);
    notifier->Install(net.GetNode(2));
    return notifier;
}

/// Get the notifications of each flow, in the order of time. interval: ns.
std::vector<MarkSeen>
Select(const std::vector<MarkSeen>& marks, int64_t interval)
{
    std::map<FlowKey, MarkSeen> last;
    std::vector<MarkSeen> selected;
    for (const auto& mark : marks)
    {
        const auto found = last.find(mark.flow);
        if (found == last.end() || mark.time - found->second.time >= interval ||
            mark.severity > found->second.severity)
        {
            last[mark.flow] = mark;
            selected.push_back(mark);
        }
    }
    return selected;
}

uint32_t
GetPort(const NotificationNetwork& net)
{
    return net.network.GetPort(NodeIndex(2), PortIndex(2))->GetIfIndex();
}

/// Let a congestion happen.
void
RunMode(SwitchDatapath::Mode datapath, std::vector<Received>& received)
{
    NotificationNetwork net(datapath);
    auto notifier = Install(net, {{"Interval", "200us"}});
    std::vector<CongestionNotification> sent;
    ConnectTrace(notifier->GetSender(),
                 "Sent",
                 [&](const CongestionNotification& notification, Ipv4Address ingress) {
                     sent.push_back(notification);
                     const uint32_t host = notification.flow == net.GetFlow(0) ? 0 : 1;
                     NS_TEST_EXPECT_MSG_EQ(ingress, net.GetAddress(host), "the PE of the flow");
                 });
    net.SendTunneled(1000);
    Simulator::Run();

    const auto expected = Select(net.marks, 200000);
    NS_TEST_ASSERT_MSG_EQ(net.notifications.size(), expected.size(), "all come");
    AIDC_EXPECT(expected.size() >= 12, expected.size());
    NS_TEST_EXPECT_MSG_EQ(sent.size(), expected.size(), "all are traced");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const auto& message = net.notifications[i];
        const auto& told = message.notification;
        AIDC_EXPECT(told.flow == expected[i].flow, i);
        AIDC_EXPECT(told.flow == net.GetFlow(message.host), "its own flow");
        AIDC_EXPECT(told.severity == expected[i].severity, i);
        NS_TEST_EXPECT_MSG_EQ(told.time, static_cast<uint64_t>(expected[i].time), i);
        NS_TEST_EXPECT_MSG_EQ(told.sequence, i + 1, "numbered");
        NS_TEST_EXPECT_MSG_EQ(told.device, net.GetAddress(2).Get(), "the router");
        NS_TEST_EXPECT_MSG_EQ(told.ingress, net.GetAddress(message.host).Get(), "for its PE");
        AIDC_EXPECT(!told.isFalling, "the queue grows");
        NS_TEST_EXPECT_MSG_EQ(message.from, net.GetAddress(2), "the router");
        NS_TEST_EXPECT_MSG_EQ(told.port, GetPort(net), "port");
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(told.queue), 0, "queue");
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(message.tos), 48 << 2, "network control");
        const int64_t delay = message.time - expected[i].time;
        AIDC_EXPECT(delay > 1000 && delay < 1200, delay);
        AIDC_EXPECT(told == sent[i], "as traced");
    }
    // The second notification of each flow is the first severe mark, within the interval.
    for (const uint32_t host : {0U, 1U})
    {
        std::vector<CongestionNotification> own;
        for (const auto& message : net.notifications)
        {
            if (message.host == host)
            {
                own.push_back(message.notification);
            }
        }
        AIDC_ASSERT(own.size() >= 2, own.size());
        AIDC_EXPECT(own[0].severity == CongestionSeverity::LIGHT, "light");
        AIDC_EXPECT(own[1].severity == CongestionSeverity::SEVERE, "severe");
        AIDC_EXPECT(own[1].time - own[0].time < 200000, "at once");
    }
    const auto& statistics = notifier->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.light + statistics.severe, expected.size(), "counted");
    NS_TEST_EXPECT_MSG_EQ(statistics.suppressed,
                          net.marks.size() - expected.size(),
                          "the other marks");
    received = net.notifications;
}

// The notifications of a congestion. Expected results: 1000 packets each, one us each, of two
// hosts: the queue grows by a packet a us from 2 us on, exceeds T1 after about 10 us and T2 after
// about 100 us. Each flow's first mark is told at once, as light; the first severe one at once
// too, within the interval of 200 us; then one in each interval. It takes 1 us of delay and the
// time of the frame, below 200 ns, to get to the PE. What is told is what a gate that remembers
// everything makes of all marks.
AIDC_TEST_CASE("the ingress PE is notified of its flow: at once, when it turns severe, and once "
               "in an interval (sections 3.2.2.1 and 3.2.2.2)")
{
    std::vector<Received> fast;
    std::vector<Received> stack;
    RunMode(SwitchDatapath::FAST, fast);
    RunMode(SwitchDatapath::STACK, stack);
    NS_TEST_ASSERT_MSG_EQ(fast.size(), stack.size(), "alike on both datapaths");
    for (std::size_t i = 0; i < fast.size(); ++i)
    {
        AIDC_EXPECT(fast[i].bytes == stack[i].bytes, "the same bytes");
        NS_TEST_EXPECT_MSG_EQ(fast[i].time, stack[i].time, "at the same times");
    }
}

// Expected results: two hosts send 300 packets each, one us each, so that 300 wait at 300 us. From
// 400 us on, one packet comes each 2 us: the queue falls by half a packet each us, and is above T1,
// 10 packets, until about 780 us.
AIDC_TEST_CASE("notifications tell that the queue is falling")
{
    NotificationNetwork net;
    auto notifier = Install(net, {{"Interval", "50us"}});
    net.SendTunneled(300);
    for (uint32_t i = 0; i < 300; ++i)
    {
        net.SendTunneled(
            0,
            1,
            [] { return NotificationNetwork::MakeInnerPacket(0, 1); },
            MicroSeconds(400 + 2 * i));
    }
    Simulator::Run();
    std::array<uint32_t, 2> n{};
    for (const auto& received : net.notifications)
    {
        const auto& told = received.notification;
        if (told.time < 300000 || told.time > 520000)
        {
            NS_TEST_EXPECT_MSG_EQ(told.isFalling, (told.time > 300000), told.time);
            ++n.at(told.isFalling ? 1 : 0);
        }
    }
    NS_TEST_EXPECT_MSG_GT(n[0], 8, "notifications of the queue that grows");
    NS_TEST_EXPECT_MSG_GT(n[1], 3, "notifications of the queue that falls");
}

// The innermost of any number of headers; at most 8 are looked through.
AIDC_TEST_CASE("the flow is found below any number of headers, which is bounded")
{
    for (uint32_t nHeaders = 1; nHeaders <= 9; ++nHeaders)
    {
        NotificationNetwork net;
        auto notifier = Install(net);
        net.SendTunneled(300, nHeaders);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.notifications.empty(), (nHeaders > 8), nHeaders);
        for (const auto& received : net.notifications)
        {
            AIDC_EXPECT(received.notification.flow == net.GetFlow(received.host), nHeaders);
        }
        NS_TEST_EXPECT_MSG_EQ(notifier->GetStatistics().malformed,
                              (nHeaders > 8 ? net.marks.size() : 0),
                              nHeaders);
    }
}

/// Expect that nobody was notified, and that all marks were counted for one reason.
void
Expect(const NotificationNetwork& net,
       const CongestionNotifier& notifier,
       uint64_t CongestionNotifierStatistics::* reason)
{
    AIDC_EXPECT(net.notifications.empty(), "nobody is notified");
    AIDC_EXPECT(!net.marks.empty(), "packets were marked");
    NS_TEST_EXPECT_MSG_EQ(notifier.GetStatistics().*reason, net.marks.size(), "counted");
}

// Marks that nobody is notified of, and why.
AIDC_TEST_CASE("packets that are not tunneled, malformed or of another domain are counted")
{
    {
        NotificationNetwork net;
        auto notifier = Install(net);
        Simulator::Schedule(MicroSeconds(1), [&net] { net.Send(2, 300); });
        Simulator::Run();
        Expect(net, *notifier, &CongestionNotifierStatistics::notTunneled);
    }
    for (const uint32_t size : {0U, 19U, 980U})
    {
        NotificationNetwork net;
        auto notifier = Install(net);
        for (const uint32_t host : {0U, 1U})
        {
            net.SendTunneled(host, 3000, [size] { return Create<Packet>(size); }); // zeros
        }
        Simulator::Run();
        Expect(net, *notifier, &CongestionNotifierStatistics::malformed);
    }
    {
        NotificationNetwork net;
        auto notifier = Install(net, {}, {{"Domain", "203.0.113.0/24"}});
        net.SendTunneled(300);
        Simulator::Run();
        Expect(net, *notifier, &CongestionNotifierStatistics::offDomain);
    }
    {
        std::ostringstream first; // the first host is of the domain, the other is not
        NotificationNetwork net;
        net.GetAddress(0).Print(first);
        auto notifier = Install(net, {}, {{"Domain", "203.0.113.0/24," + first.str() + "/32"}});
        net.SendTunneled(300);
        Simulator::Run();
        AIDC_EXPECT(!net.notifications.empty(), "the first is notified");
        for (const auto& received : net.notifications)
        {
            NS_TEST_EXPECT_MSG_EQ(received.host, 0, "the first only");
        }
        NS_TEST_EXPECT_MSG_EQ(notifier->GetStatistics().offDomain,
                              net.CountMarks(1),
                              "the other's marks");
    }
    {
        // As long as the first flow's interval lasts, there is no room for the other.
        NotificationNetwork net;
        auto notifier = Install(net, {{"MaxFlows", "1"}, {"Interval", "1s"}});
        net.SendTunneled(300);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(net.notifications.size(), 2, "light and severe");
        NS_TEST_EXPECT_MSG_EQ(net.notifications[0].host, net.notifications[1].host, "of one");
        // The interval of 1 s outlasts the 600 packets: every mark of the other flow finds no
        // room, and of the first flow's all but the first light and the first severe one are
        // suppressed.
        const uint32_t first = net.notifications[0].host;
        const auto& statistics = notifier->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.full, net.CountMarks(1 - first), "the other's marks");
        NS_TEST_EXPECT_MSG_EQ(statistics.suppressed + 2, net.CountMarks(first), "its own");
    }
}

// Notifications that are signed, and other attributes of who sends them.
AIDC_TEST_CASE("notifications are signed, and sent as configured")
{
    const std::string text(32, '7');
    if (NotificationKey::IsAvailable())
    {
        const auto key = NotificationKey::Parse(text);
        NotificationNetwork net;
        Install(net, {}, {{"Key", text}, {"Dscp", "0"}});
        net.SendTunneled(300);
        Simulator::Run();
        AIDC_EXPECT(!net.notifications.empty(), "they come");
        for (const auto& received : net.notifications)
        {
            const auto& bytes = received.bytes;
            AIDC_EXPECT(key.Verify(bytes.data(), bytes.size()), "authentic");
            AIDC_EXPECT(!NotificationKey().Verify(bytes.data(), bytes.size()), "signed");
            NS_TEST_EXPECT_MSG_EQ(static_cast<int>(received.tos), 0, "best effort");
        }
    }
    {
        NotificationNetwork net;
        Install(net, {}, {{"Port", "50514"}});
        net.SendTunneled(300);
        Simulator::Run();
        AIDC_EXPECT(net.notifications.empty(), "nobody listens at that port");
    }
    auto sender = CreateObject<NotificationSender>();
    for (const auto& [name, value] : Attributes{{"Key", "12"},
                                                {"Key", "x" + text},
                                                {"Domain", "10.0.0.1/8"},
                                                {"Domain", "10"},
                                                {"Port", "0"},
                                                {"Dscp", "64"}})
    {
        CapturedStream errors(std::cerr);
        AIDC_EXPECT(!sender->SetAttributeFailSafe(name, StringValue(value)),
                    name << " = " << value);
    }
    // A router that has no address
    ExpectRefusal("to have an address that is no loopback address", [] {
        auto node = CreateObject<Node>();
        auto notifier = CreateObject<CongestionNotifier>();
        notifier->Install(node);
        node->Initialize();
    });
}

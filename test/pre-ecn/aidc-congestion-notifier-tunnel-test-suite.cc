// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "test/tunnel/tunnel-network.h"

#include "ns3/congestion-notifier.h"
#include "ns3/domain-message.h"
#include "ns3/pre-ecn-queue-disc.h"

// Notifications of marks on real tunnels.
AIDC_TEST_SUITE("aidc-congestion-notifier-tunnel", UNIT);

struct Tunnel
{
    std::string name;
    SwitchDatapath::Mode mode;   //!< how packets get through routers
    CongestionSeverity severity; //!< the severity
    TunnelNetwork::Hop hop;      //!< the port that marks
    uint32_t nHeaders;           //!< the headers of a packet there
};

// A router marks packets of a real tunnel, and the ingress PE is notified. Expected results: ten
// datagrams of 100 bytes, 10 us apart, that are ECT(0). A queue that has one of them is above T1,
// 60 bytes, and below or above T2: each is marked as it leaves the router, in the outermost header
// only, whose checksum is right, as are all others. The ingress PE, 192.0.2.1, gets one
// notification for all ten within the interval of 1 ms: of the flow 10.1.0.2:5000 to 10.2.0.2:9,
// from the router's address. What the receiver gets is the egress PE's matter: by PipeForEct1
// ECT(0) as sent for a light mark (section 3.2.2.1), CE for a severe one (3.2.2.2).
AIDC_TEST_CASE_P(TunnelTestCase, Tunnel, row, row.name)
{
    TunnelNetwork::Settings settings;
    settings.mode = row.mode;
    settings.tunnel = {{"EgressMode", "PipeForEct1"}};
    if (row.nHeaders > 2)
    {
        settings.paths = {{Ipv4Address("192.0.2.12")}};
    }
    TunnelNetwork net(settings);
    const bool isLight = row.severity == CongestionSeverity::LIGHT;
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::aidc::PreEcnQueueDisc",
                            "T1",
                            StringValue("60B"),
                            "T2",
                            StringValue(isLight ? "100B" : "70B"),
                            "Maximum",
                            StringValue(isLight ? "1kB" : "80B"),
                            "SevereProbability",
                            StringValue("0"),
                            "AverageWeight",
                            StringValue("1"),
                            "Guard",
                            StringValue("Off"));
    const auto [router, peer] = row.hop;
    helper.Install(net.GetPort(router, peer));
    auto notifier = CreateObject<CongestionNotifier>();
    notifier->Install(net.nodes.Get(router));
    std::vector<CongestionNotification> notifications;
    std::vector<Ipv4Address> from;
    auto socket = MakeSocket(net.nodes.Get(TunnelNetwork::P1), CONGESTION_NOTIFICATION_PORT);
    socket->SetRecvCallback(ToCallback([&](Ptr<Socket> where) {
        Address address;
        while (const auto packet = where->RecvFrom(address))
        {
            DomainMessageBytes bytes;
            packet->CopyData(bytes.data(), bytes.size());
            AnyDomainMessage message;
            const auto result = DecodeDomainMessage(bytes.data(), packet->GetSize(), message);
            AIDC_EXPECT(result == DomainMessageResult::OK, "whole");
            notifications.push_back(std::get<CongestionNotification>(message));
            from.push_back(InetSocketAddress::ConvertFrom(address).GetIpv4());
        }
    }));
    DatagramSpec spec;
    spec.tos = 2; // ECT(0)
    for (int i = 0; i < 10; ++i)
    {
        net.SendAt(MicroSeconds(10 * i), MakeDatagram(spec));
    }
    Simulator::Run();

    const auto& marked = net.sent.at(row.hop);
    NS_TEST_ASSERT_MSG_EQ(marked.size(), 10, "all are sent");
    for (const auto& packet : marked)
    {
        NS_TEST_EXPECT_MSG_EQ(CountHeaders(packet.bytes), row.nHeaders, "checksums are right");
        for (uint32_t i = 0; i < row.nHeaders; ++i)
        {
            const int mark = isLight ? 1 : 3;
            NS_TEST_EXPECT_MSG_EQ((packet.bytes.at(20 * i + 1) & 3),
                                  (i == 0 ? mark : 2),
                                  "the outermost header, " << i);
        }
    }
    const auto& received = net.sent.at({TunnelNetwork::P2, TunnelNetwork::B});
    NS_TEST_ASSERT_MSG_EQ(received.size(), 10, "all arrive");
    for (const auto& packet : received)
    {
        NS_TEST_EXPECT_MSG_EQ(CountHeaders(packet.bytes), 1, "the checksum is right");
        NS_TEST_EXPECT_MSG_EQ((packet.bytes.at(1) & 3), (isLight ? 2 : 3), "the inner header");
    }
    NS_TEST_ASSERT_MSG_EQ(notifications.size(), 1, "one in the interval");
    if (notifications.empty())
    {
        return; // also where failures do not end a test
    }
    const auto& notification = notifications[0];
    AIDC_EXPECT((notification.flow == FlowKey{0x0a010002, 0x0a020002, 5000, 9, 17}),
                "the inner flow");
    AIDC_EXPECT(notification.severity == row.severity, "severity");
    const Ipv4Address device(router == TunnelNetwork::P1 ? "192.0.2.1" : "192.0.2.11");
    NS_TEST_EXPECT_MSG_EQ(from[0], device, "from the router");
    NS_TEST_EXPECT_MSG_EQ(notification.device, device.Get(), "of the router");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(notification.ingress),
                          Ipv4Address("192.0.2.1"),
                          "for the ingress PE");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(notification.egress),
                          Ipv4Address("192.0.2.2"),
                          "of the tunnel to the egress PE");
    NS_TEST_EXPECT_MSG_EQ(notification.port, net.GetPort(router, peer)->GetIfIndex(), "port");
    NS_TEST_EXPECT_MSG_EQ(notifier->GetStatistics().suppressed, 9, "the other marks");
}

AIDC_ADD_TEST_CASES()
{
    using Net = TunnelNetwork;
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        const std::string path = mode == SwitchDatapath::FAST ? "fast path" : "stack";
        for (const auto severity : {CongestionSeverity::LIGHT, CongestionSeverity::SEVERE})
        {
            const std::string what =
                (severity == CongestionSeverity::LIGHT ? "light, " : "severe, ") + path;
            AddTestCases<TunnelTestCase>(
                {{"at a core router: " + what, mode, severity, {Net::C1, Net::P2}, 2},
                 {"at the PE, below a waypoint's header: " + what,
                  mode,
                  severity,
                  {Net::P1, Net::C2},
                  3}});
        }
    }
}

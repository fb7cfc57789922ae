// SPDX-License-Identifier: GPL-2.0-only

// An ingress PE that slows a lossless data center down.

#include "test/helper/wan-network.h"
#include "test/test-case.h"

#include "ns3/domain-message.h"
#include "ns3/edge-shaper.h"
#include "ns3/ingress-buffer.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/shared-buffer.h"

// IngressEdgeController and priority flow control.
AIDC_TEST_SUITE("aidc-ingress-edge-lossless", UNIT);

/// Send what is for the other data center through a tunnel.
Ptr<IpTunnelNetDevice>
AddTunnel(const WanHelper& wan, uint32_t site)
{
    const auto& plan = wan.GetPlan();
    const auto edge = wan.GetRouter(plan.GetEdges(site)[0]);
    const auto tunnel = CreateObject<IpTunnelNetDevice>();
    tunnel->SetAttribute("Local", Ipv4AddressValue(WanHelper::GetAddress(plan.GetEdges(site)[0])));
    tunnel->SetAttribute("Remote",
                         Ipv4AddressValue(WanHelper::GetAddress(plan.GetEdges(1 - site)[0])));
    const uint32_t interface = tunnel->Install(edge);
    MultipathRoutingHelper::GetRouting(edge)->AddRoute(
        Ipv4Address(site == 0 ? "10.2.0.0" : "10.1.0.0"),
        Ipv4Mask("/16"),
        {interface});
    return tunnel;
}

/// Run the simulation and look at its results.
void
Check()
{
    WanNetwork network;
    network.routers.SetBufferAttribute("Size", QueueSizeValue(QueueSize("3MB")));
    network.Build();
    const auto tunnel = AddTunnel(network.wan, 0);
    AddTunnel(network.wan, 1);
    const auto edge = network.wan.GetEdges(0).Get(0);
    const auto controller = CreateObject<IngressEdgeController>();
    controller->SetAttribute("Granularity", StringValue("Tunnel"));
    controller->SetAttribute("LightStep", StringValue("0.9"));
    controller->SetAttribute("MeasureTime", StringValue("20us"));
    controller->SetAttribute("QuietTime", StringValue("1s"));
    controller->Install(edge);
    controller->AddTunnel(tunnel);

    const auto buffer = edge->GetObject<SharedBuffer>();
    const auto ports = network.wan.GetBorderPorts(network.wan.GetPlan().GetEdges(0)[0]);
    uint32_t nStops = 0;
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        ConnectTrace(buffer->GetIngress((*port)->GetIfIndex(), WanNetwork::PRIORITY),
                     "Xoff",
                     [&nStops](bool xoff) { nStops += xoff ? 1 : 0; });
    }
    network.Send(0, 0, 1, 0, 8000000, Time(0));
    Simulator::ScheduleWithContext(edge->GetId(), MicroSeconds(20), [&] {
        CongestionNotification notification;
        // Any flow from the one to the other
        notification.flow = {0x0a010001, 0x0a020001, 1, 4791, 17};
        notification.sequence = 1;
        notification.time = 19000;
        notification.ingress = tunnel->GetLocal().Get();
        notification.egress = tunnel->GetRemote().Get();
        const auto bytes = EncodeDomainMessage(notification);
        controller->GetReceiver().Receive(bytes.data(),
                                          bytes.size(),
                                          InetSocketAddress(Ipv4Address::GetAny(), 0));
    });
    RunFor(MilliSeconds(20));

    NS_TEST_EXPECT_MSG_EQ(controller->GetStatistics().rateReductions, 1, "slowed down");
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), 1, "the message has ended");
    AIDC_EXPECT(network.completions[0].status == RoceStatus::SUCCESS, "and well");
    NS_TEST_EXPECT_MSG_GT(network.completions[0].time.GetSeconds(), 0.0078, "at 10 Gbit/s");
    NS_TEST_EXPECT_MSG_LT(network.completions[0].time.GetSeconds(), 0.0086, "and no less");
    // Between two stops at least half of XonOffset leaves, 9 kB: the threshold rises meanwhile.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nStops, 1, "the data center was stopped");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(nStops, 1 + 8000000 / 9000, "each time for a while");
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "nothing is lost");
    const auto& statistics = controller->GetShaper()->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.droppedPackets, 0, "nor at the edge");
    NS_TEST_EXPECT_MSG_GT(statistics.heldBytes, 7000000, "where nearly all had to wait");
    NS_TEST_EXPECT_MSG_EQ(statistics.heldBytes, statistics.releasedBytes, "and has left");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all memory is given back");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(0, 0)->GetStatistics().retransmittedPackets,
                          0,
                          "nothing was sent again");
}

// What waits at the edge is charged to the ports that it came in by, so that priority flow control
// stops the data center, and nothing is lost. Expected results: a host sends 8 MB at 100 Gbit/s.
// From 20 us on, the tunnel is measured for 20 us, then slowed down by 90 %, to 10 Gbit/s. By then
// the PE has let at most 50 us of 12,500 bytes pass; the other 7.3 MB take 5.9 ms at least, and
// nothing like that fits the PE's memory of 3 MB.
AIDC_TEST_CASES(bool,
                isInWindows,
                std::string("a lossless data center is paused, and nothing is lost") +
                    (isInWindows ? ", in time windows" : ""),
                ({false, true}))
{
    isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    Check();
    TimeWindowHelper::Disable();
}

// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/bridge-net-device.h"
#include "ns3/ethernet-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/mac48-address.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"

// Priority flow control of ns-3's bridge.
AIDC_TEST_SUITE("aidc-pause-bridge", SYSTEM);

// What ns-3's bridge sends is stopped by the next node, as all that a port sends. Two hosts around
// a bridge, 8 Gb/s and 1 us. The second host stops priority 3 from 0 to 10 us; its frames arrive 8
// + 64 + 1,000 = 1,072 ns later. A packet of 1500 bytes arrives 8 + 1,518 + 1,000 = 2,526 ns after
// its begin, and the next one 1,538 ns after it. Expected results: the packets of class 3 that
// reach the bridge at 2,526 and 5,602 ns leave it at 11,072 ns and 1,538 ns later, and the one of
// class 0 between them at once, at 4,064 ns. Of two ports without flow control, all leave at once.
AIDC_TEST_CASES(bool,
                hasFlowControl,
                std::string("What a bridge sends, ") + (hasFlowControl ? "with" : "without") +
                    " flow control",
                ({false, true}))
{
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
    ethernet.SetDeviceAttribute("NeedsArp", StringValue("true"));
    ethernet.SetChannelAttribute("Delay", StringValue("1us"));
    NodeContainer nodes(3);
    const auto node = nodes.Get(0);
    const auto bridge = CreateObject<BridgeNetDevice>();
    Ptr<EthernetNetDevice> hosts[2];
    Ptr<EthernetNetDevice> ports[2];
    uint32_t received = 0; // from the first host
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto link = ethernet.Install(node, nodes.Get(i + 1));
        ports[i] = DynamicCast<EthernetNetDevice>(link.Get(0));
        hosts[i] = DynamicCast<EthernetNetDevice>(link.Get(1));
        hosts[i]->SetReceiveCallback(
            ToCallback([&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from) {
                received += from == hosts[0]->GetAddress() ? 1 : 0;
                return true;
            }));
    }
    InternetStackHelper().Install(node);
    if (hasFlowControl)
    {
        PriorityFlowControlHelper().InstallHosts(NodeContainer(node));
    }
    node->AddDevice(bridge);
    for (const auto& port : ports)
    {
        bridge->AddBridgePort(port);
    }
    const auto control = CreateObject<PriorityFlowControl>();
    control->Install(hosts[1]);
    for (const bool xoff : {true, false})
    {
        Simulator::Schedule(xoff ? Seconds(0) : MicroSeconds(10),
                            &PriorityFlowControl::SetXoff,
                            control,
                            3,
                            xoff);
    }
    std::string sent; // when which class
    ConnectTrace(ports[1], "PhyTxBegin", [&sent](Ptr<const Packet> frame) {
        uint8_t bytes[16];
        frame->CopyData(bytes, sizeof(bytes));
        sent += std::to_string(Simulator::Now().GetNanoSeconds()) + ':' +
                std::to_string(bytes[15] >> 5) + ' ';
    });
    Simulator::Schedule(Seconds(0), [&] {
        for (const uint32_t index : {3, 0, 3})
        {
            const auto packet = Create<Packet>(1480);
            Ipv4Header header;
            header.SetTos(static_cast<uint8_t>(index << 5));
            header.SetPayloadSize(1480);
            packet->AddHeader(header);
            hosts[0]->Send(packet, hosts[1]->GetAddress(), 0x0800);
        }
    });
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(sent,
                          (hasFlowControl ? "4064:0 11072:3 12610:3 " : "2526:3 4064:0 5602:3 "),
                          "when which class is sent");
    NS_TEST_EXPECT_MSG_EQ(received, 3, "all arrive, from whom they are");
}

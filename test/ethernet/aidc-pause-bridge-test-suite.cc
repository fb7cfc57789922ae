/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test/test-case.h"

#include "ns3/bridge-net-device.h"
#include "ns3/ethernet-helper.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/mac48-address.h"
#include "ns3/node-container.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"

using namespace aidctest;

// Priority flow control of ns-3's bridge.
AIDC_TEST_SUITE("aidc-pause-bridge", SYSTEM);

/// What ns-3's bridge sends is stopped by the next node, as all that a port sends. Two hosts around
/// a bridge, 8 Gb/s and 1 us. The second host stops priority 3 from 0 to 10 us; its frames arrive 8
/// + 64 + 1,000 = 1,072 ns later. A packet of 1500 bytes arrives 8 + 1,518 + 1,000 = 2,526 ns after
/// its begin, and the next one 1,538 ns after it. Expected results: the packets of class 3 that
/// reach the bridge at 2,526 and 5,602 ns leave it at 11,072 ns and 1,538 ns later, and the one of
/// class 0 between them at once, at 4,064 ns. Of two ports without flow control, all leave at once.
class PausedBridgeTestCase : public TestCase
{
  public:
    explicit PausedBridgeTestCase(bool hasFlowControl)
        : TestCase(std::string("What a bridge sends, ") + (hasFlowControl ? "with" : "without") +
                   " flow control"),
          m_hasFlowControl(hasFlowControl)
    {
    }

  private:
    void DoRun() override
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
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto link = ethernet.Install(node, nodes.Get(i + 1));
            ports[i] = DynamicCast<EthernetNetDevice>(link.Get(0));
            hosts[i] = DynamicCast<EthernetNetDevice>(link.Get(1));
            hosts[i]->SetReceiveCallback(MakeCallback(&PausedBridgeTestCase::NotifyReceived, this));
        }
        m_source = Mac48Address::ConvertFrom(hosts[0]->GetAddress());
        InternetStackHelper().Install(node);
        if (m_hasFlowControl)
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
        ports[1]->TraceConnectWithoutContext("PhyTxBegin",
                                             MakeCallback(&PausedBridgeTestCase::NotifySent, this));
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
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(
            m_sent,
            (m_hasFlowControl ? "4064:0 11072:3 12610:3 " : "2526:3 4064:0 5602:3 "),
            "when which class is sent");
        NS_TEST_EXPECT_MSG_EQ(m_received, 3, "all arrive, from whom they are");
        Simulator::Destroy();
    }

    /// Note a frame that the bridge sends.
    void NotifySent(Ptr<const Packet> frame)
    {
        uint8_t bytes[16];
        frame->CopyData(bytes, sizeof(bytes));
        m_sent += std::to_string(Simulator::Now().GetNanoSeconds()) + ':' +
                  std::to_string(bytes[15] >> 5) + ' ';
    }

    /// Count a packet that a host gets. Returns true.
    bool NotifyReceived(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from)
    {
        m_received += Mac48Address::ConvertFrom(from) == m_source ? 1 : 0;
        return true;
    }

    bool m_hasFlowControl;  //!< whether the bridge's ports have flow control
    std::string m_sent;     //!< when which class was sent
    Mac48Address m_source;  //!< the address of the first host
    uint32_t m_received{0}; //!< packets received
};

AIDC_ADD_TEST_CASES()
{
    AddTestCase(new PausedBridgeTestCase(false));
    AddTestCase(new PausedBridgeTestCase(true));
}

// SPDX-License-Identifier: GPL-2.0-only

#include "test-switches.h"
#include "test/test-case.h"

#include "ns3/csma-helper.h"
#include "ns3/queue.h"

// What the helper of shared-buffer switches derives from links, and what it does not.
AIDC_TEST_SUITE("aidc-switch-helper-derivation", UNIT);

/// Compare what is derived with what it is to be.
void
Expect(const std::vector<SwitchLink>& links,
       Time rtt,
       const std::vector<std::pair<uint64_t, uint64_t>>& expected)
{
    auto node = MakeNode(links);
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(2);
    helper.SetRtt(rtt);
    const auto roots = helper.Install(node);
    Simulator::Run();
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        for (uint32_t index = 0; index < 2; ++index)
        {
            const auto coupled = GetCoupled(roots.Get(i), index);
            NS_TEST_EXPECT_MSG_EQ(coupled->GetEffectiveOffset(), expected[i].first, links[i].rate);
            QueueSizeValue floor;
            coupled->GetAttribute("EcnFloor", floor);
            NS_TEST_EXPECT_MSG_EQ(floor.Get().GetValue(), expected[i].second, links[i].rate);
        }
    }
    Simulator::Destroy();
}

// Offset and EcnFloor derived from rate, RTT and MTU. Expected results. Offset = rate * RTT / 8 +
// MTU (section 6.2: to slightly exceed the product); EcnFloor = a seventh of the product (RFC
// 8257, section 3.1), within 30,000 and 100,000 (section 6.3), and at least the MTU.
//
// By the delays, links of 1 us and 2 us: RTT = 4 * 2 us = 8 us, for all ports.
//   10 Gbit/s, MTU 1500: 10,000 + 1500 = 11,500; a seventh 1428 -> 30,000
//  100 Gbit/s, MTU 9000: 100,000 + 9000 = 109,000; a seventh 14,285 -> 30,000
// Links without delay: RTT = 0.
//   10 Gbit/s, MTU 1500: 0 + 1500 = 1500; 0 -> 30,000
// By SetRtt(40 us):
//   10 Gbit/s, MTU 1500: 50,000 + 1500 = 51,500; a seventh 7142 -> 30,000
//  100 Gbit/s, MTU 9000: 500,000 + 9000 = 509,000; a seventh 71,428
//  400 Gbit/s, MTU 9000: 2,000,000 + 9000 = 2,009,000; a seventh 285,714 -> 100,000
//    1 Gbit/s, MTU 40,000: 5000 + 40,000 = 45,000; a seventh 714 -> 30,000 -> the MTU, 40,000
AIDC_TEST_CASE("Offset and EcnFloor are derived from rate, RTT and MTU of the port (sections 6.2 "
               "and 6.3)")
{
    Expect({{"10Gbps", "1us"}, {"100Gbps", "2us", 9000}},
           Seconds(0),
           {{11500, 30000}, {109000, 30000}});
    Expect({{"10Gbps", "0us"}}, Seconds(0), {{1500, 30000}});
    Expect({{"10Gbps", "1us"},
            {"100Gbps", "2us", 9000},
            {"400Gbps", "1us", 9000},
            {"1Gbps", "1us", 40000}},
           MicroSeconds(40),
           {{51500, 30000}, {509000, 71428}, {2009000, 100000}, {45000, 40000}});
}

// What is set explicitly is not derived.
//
// Expected results, 100 Gbit/s, 1 us (RTT 4 us): derived are 50,000 + 1500 = 51,500 and 30,000.
//  class 0: Offset 77,000 is set; EcnFloor is derived
//  class 1: EcnFloor 44,000 is set; Offset is derived
//  class 2: Rtt 8 us is set: 100,000 + 1500 (of the device, whose rate is used)
//  class 3: nothing is set
//  class 4: Offset 77,000 was set, but SetQueueDisc begins anew
AIDC_TEST_CASE("an Offset, Rtt or EcnFloor that is set is kept")
{
    auto node = MakeNode({{"100Gbps", "1us"}});
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(5);
    helper.SetQueueDiscAttribute(0, "Offset", StringValue("77000B"));
    helper.SetQueueDiscAttribute(1, "EcnFloor", StringValue("44000B"));
    helper.SetQueueDiscAttribute(2, "Rtt", StringValue("8us"));
    helper.SetQueueDiscAttribute(4, "Offset", StringValue("77000B"));
    helper.SetQueueDisc(4, "ns3::aidc::CoupledEcnQueueDisc");
    const auto root = helper.Install(node).Get(0);
    Simulator::Run();
    const std::vector<uint64_t> offsets{77000, 51500, 101500, 51500, 51500};
    const std::vector<std::string> floors{"30000B", "44000B", "30000B", "30000B", "30000B"};
    for (uint32_t i = 0; i < 5; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(GetCoupled(root, i)->GetEffectiveOffset(), offsets[i], i);
        NS_TEST_EXPECT_MSG_EQ(GetText(GetCoupled(root, i), "EcnFloor"), floors[i], i);
    }
}

/// Compare with the defaults of a user. The program sets an Offset of 77,000 for class 1.
/// offset: the Offset of class 0. floor: the EcnFloor of class 0.
void
Expect(const std::vector<std::pair<std::string, std::string>>& defaults,
       uint64_t offset,
       const std::string& floor)
{
    for (const auto& [name, text] : defaults)
    {
        Config::SetDefault("ns3::aidc::" + name, StringValue(text));
    }
    auto node = MakeNode({{"100Gbps", "1us"}});
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(2);
    helper.SetQueueDiscAttribute(1, "Offset", StringValue("77000B"));
    const auto root = helper.Install(node).Get(0);
    Simulator::Run();
    const auto& name = defaults.front().first;
    NS_TEST_EXPECT_MSG_EQ(GetCoupled(root, 0)->GetEffectiveOffset(), offset, name);
    NS_TEST_EXPECT_MSG_EQ(GetText(GetCoupled(root, 0), "EcnFloor"), floor, name);
    NS_TEST_EXPECT_MSG_EQ(GetCoupled(root, 1)->GetEffectiveOffset(), 77000, name);
    Simulator::Destroy();
    Config::Reset();
}

// A default that the user has set wins over what is derived, and goes into what is derived of it.
//
// Expected results, 100 Gbit/s, 1 us (RTT 4 us): derived are 50,000 + 1500 = 51,500 and 30,000.
//  Offset 10B, EcnFloor 40kB: as they are set, except in class 1, whose Offset the program sets
//  Rtt 40us: 500,000 + 1500 = 501,500; a seventh 71,428
//  LinkRate 10Gbps: 5000 + 1500 = 6500; 30,000
//  Mtu 40000: 50,000 + 40,000 = 90,000; 40,000
//  Offset as large as the original default, 1MB: 1,000,000
AIDC_TEST_CASE("a default that the user has set is not derived")
{
    Expect({{"CoupledEcnQueueDisc::Offset", "10B"}, {"CoupledEcnQueueDisc::EcnFloor", "40kB"}},
           10,
           "40000B");
    Expect({{"CoupledEcnQueueDisc::Rtt", "40us"}}, 501500, "71428B");
    Expect({{"SharedBufferQueueDisc::LinkRate", "10Gbps"}}, 6500, "30000B");
    Expect({{"CoupledEcnQueueDisc::Mtu", "40000"}}, 90000, "40000B");
    Expect({{"CoupledEcnQueueDisc::Offset", "1MB"}}, 1000000, "30000B");
}

/// Returns the error, empty if there is none.
std::string
Install(const SharedBufferSwitchHelper& helper)
{
    const std::string error = MessageOf([&] { helper.Install(MakeNode({{"100Gbps", "1us"}})); });
    Simulator::Destroy();
    return error;
}

// An Offset and the RTT that it is derived of are not set together.
AIDC_TEST_CASE("Offset beside Rtt is refused, from the user and from the program")
{
    const std::string refusal = "expected ns3::aidc::CoupledEcnQueueDisc::Offset or "
                                "ns3::aidc::CoupledEcnQueueDisc::Rtt, of which it is derived, "
                                "found both";
    SharedBufferSwitchHelper program;
    program.SetQueueDiscAttribute(0, "Rtt", StringValue("8us"));
    NS_TEST_EXPECT_MSG_EQ(Install(program), "", "an Rtt");
    program.SetQueueDiscAttribute(0, "Offset", StringValue("77000B"));
    NS_TEST_EXPECT_MSG_EQ(Install(program), refusal, "both from the program");
    Config::SetDefault("ns3::aidc::CoupledEcnQueueDisc::Offset", StringValue("10B"));
    NS_TEST_EXPECT_MSG_EQ(Install({}), "", "an Offset");
    Config::SetDefault("ns3::aidc::CoupledEcnQueueDisc::Rtt", StringValue("5us"));
    NS_TEST_EXPECT_MSG_EQ(Install({}), refusal, "both from the user");
}

// Expected results, 1 Gbit/s, 5 us: RTT 4 * 5 = 20 us, Offset 2500 + 1500 = 4000, EcnFloor 30,000,
// and one packet in the device's queue.
AIDC_TEST_CASE("CSMA devices are ports too, with the rate and the delay of their channel")
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    csma.SetChannelAttribute("Delay", StringValue("5us"));
    NodeContainer nodes(3);
    const auto device = csma.Install(nodes).Get(0);
    InternetStackHelper stack;
    stack.Install(nodes);
    const auto roots = SharedBufferSwitchHelper().Install(nodes.Get(0));
    NS_TEST_ASSERT_MSG_EQ(roots.GetN(), 1, "a port");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(GetCoupled(roots.Get(0), 0)->GetEffectiveOffset(), 4000, "Offset");
    NS_TEST_EXPECT_MSG_EQ(GetText(GetCoupled(roots.Get(0), 0), "EcnFloor"), "30000B", "floor");
    PointerValue queue;
    device->GetAttribute("TxQueue", queue);
    NS_TEST_EXPECT_MSG_EQ(queue.Get<QueueBase>()->GetMaxSize(), QueueSize("1p"), "queue");
}

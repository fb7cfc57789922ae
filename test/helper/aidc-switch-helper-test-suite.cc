// SPDX-License-Identifier: GPL-2.0-only

#include "test-switches.h"
#include "test/test-case.h"

#include "ns3/queue.h"
#include "ns3/shared-buffer.h"

// The helper that makes a node a shared-buffer switch.
AIDC_TEST_SUITE("aidc-switch-helper", UNIT);

constexpr uint32_t ALL = SharedBufferSwitchHelper::ALL_CLASSES;

// What a switch consists of. Expected results: a SharedBuffer of the size that was set, a
// SwitchPortQueueDisc of the classes that were set on every device but the loopback, and one packet
// in the devices' own queues. All queue discs draw on the buffer from initialization on: 2 ports of
// 3 classes.
AIDC_TEST_CASE("a switch has one shared buffer, a port queue disc a device, and device queues of "
               "one packet")
{
    auto node = MakeNode({{"10Gbps", "1us"}, {"10Gbps", "1us"}});
    SharedBufferSwitchHelper helper;
    helper.SetBufferAttribute("Size", StringValue("9MB"));
    helper.SetPortAttribute("DscpMap", StringValue("46:1"));
    helper.SetNClasses(3);
    const auto roots = helper.Install(node);
    auto buffer = node->GetObject<SharedBuffer>();
    NS_TEST_ASSERT_MSG_NE(buffer, nullptr, "aggregated");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetSize(), 9000000, "Size");
    NS_TEST_ASSERT_MSG_EQ(node->GetNDevices(), 3, "with the loopback device");
    NS_TEST_ASSERT_MSG_EQ(roots.GetN(), 2, "but on the loopback device");
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto device = node->GetDevice(i);
        NS_TEST_EXPECT_MSG_EQ(layer->GetRootQueueDiscOnDevice(device), roots.Get(i), "its root");
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<SwitchPortQueueDisc>(roots.Get(i))->GetNClasses(),
                              3,
                              "classes");
        NS_TEST_EXPECT_MSG_EQ(GetText(roots.Get(i), "DscpMap"), "46:1", "of the port");
        PointerValue queue;
        device->GetAttribute("TxQueue", queue);
        NS_TEST_EXPECT_MSG_EQ(queue.Get<QueueBase>()->GetMaxSize(), QueueSize("1p"), "queue");
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(buffer->GetNQueues(), 6, "a share a class");
    for (uint32_t i = 0; i < 6; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(GetCoupled(roots.Get(i / 3), i % 3)->GetSharedBuffer(),
                              buffer,
                              "the one");
    }
    Simulator::Destroy();

    auto defaults = MakeNode({{"10Gbps", "1us"}});
    const auto root = SharedBufferSwitchHelper().Install(defaults).Get(0);
    NS_TEST_EXPECT_MSG_EQ(DynamicCast<SwitchPortQueueDisc>(root)->GetNClasses(), 8, "by default");
    NS_TEST_EXPECT_MSG_EQ(defaults->GetObject<SharedBuffer>()->GetSize(), 12000000, "default");
    const auto three = SharedBufferSwitchHelper().Install(
        NodeContainer(MakeNode({{"1Gbps", "1us"}, {"1Gbps", "1us"}}),
                      MakeNode({{"1Gbps", "1us"}})));
    NS_TEST_EXPECT_MSG_EQ(three.GetN(), 3, "of two nodes");
}

// Expected results: what is set for all classes holds for each, unless it is set for one later.
AIDC_TEST_CASE("attributes of a class land in the class, its share of the buffer and its queue "
               "disc")
{
    auto node = MakeNode({{"10Gbps", "1us"}, {"10Gbps", "1us"}});
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(3);
    helper.SetClassAttribute(ALL, "Alpha", DoubleValue(0.5));
    helper.SetClassAttribute(1, "Alpha", DoubleValue(8));
    helper.SetClassAttribute(1, "Quantum", UintegerValue(3000));
    helper.SetClassAttribute(1, "Cap", StringValue("400kB"));
    helper.SetClassAttribute(2, "Reserved", StringValue("10kB"));
    helper.SetClassAttribute(2, "Headroom", StringValue("20kB"));
    helper.SetQueueDisc(2, "ns3::FifoQueueDisc");
    helper.SetQueueDiscAttribute(2, "MaxSize", StringValue("77p"));
    helper.SetQueueDiscAttribute(0, "DropNotEct", StringValue("true"));
    const auto roots = helper.Install(node);
    Simulator::Run();
    for (uint32_t port = 0; port < 2; ++port)
    {
        std::vector<Ptr<SwitchPortClass>> classes;
        for (uint32_t i = 0; i < 3; ++i)
        {
            classes.push_back(DynamicCast<SwitchPortQueueDisc>(roots.Get(port))->GetClass(i));
            NS_TEST_EXPECT_MSG_EQ(classes[i]->GetQuantum(), (i == 1 ? 3000 : 0), i);
            const auto& limits = classes[i]->GetBufferQueue()->GetLimits();
            NS_TEST_EXPECT_MSG_EQ(limits.alpha, (i == 1 ? 8 : 0.5), i);
            NS_TEST_EXPECT_MSG_EQ((limits.cap == 400000), (i == 1), i);
            NS_TEST_EXPECT_MSG_EQ(limits.reserved, (i == 2 ? 10000 : 0), i);
            NS_TEST_EXPECT_MSG_EQ(limits.headroom, (i == 2 ? 20000 : 0), i);
            NS_TEST_EXPECT_MSG_EQ(node->GetObject<SharedBuffer>()->GetQueue(3 * port + i),
                                  classes[i]->GetBufferQueue(),
                                  i);
        }
        NS_TEST_EXPECT_MSG_EQ(GetCoupled(roots.Get(port), 2), nullptr, "of another kind");
        NS_TEST_EXPECT_MSG_EQ(classes[2]->GetQueueDisc()->GetMaxSize(), QueueSize("77p"), "its");
        NS_TEST_EXPECT_MSG_EQ(GetText(GetCoupled(roots.Get(port), 0), "DropNotEct"), "true", "0");
        NS_TEST_EXPECT_MSG_EQ(GetText(GetCoupled(roots.Get(port), 1), "DropNotEct"), "false", "1");
    }
    // 12,000,000 less what class 2 of both ports sets aside.
    NS_TEST_EXPECT_MSG_EQ(node->GetObject<SharedBuffer>()->GetFree(), 11940000, "shared");
}

// The port's queue disc takes the place of one that is there, and addresses do not change it.
// Expected results: addresses first: ns-3 installs its default root, which the helper replaces. The
// helper first: assigning addresses leaves its root.
AIDC_TEST_CASE("the helper replaces a root queue disc that is there, and address assignment "
               "leaves its own")
{
    for (const bool addressesFirst : {true, false})
    {
        auto node = MakeNode({{"10Gbps", "1us"}});
        const auto device = node->GetDevice(0);
        const auto layer = node->GetObject<TrafficControlLayer>();
        const auto assign = [device] {
            Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(NetDeviceContainer(device));
        };
        if (addressesFirst)
        {
            assign();
            NS_TEST_ASSERT_MSG_NE(layer->GetRootQueueDiscOnDevice(device), nullptr, "ns-3's");
        }
        const auto root = SharedBufferSwitchHelper().Install(node).Get(0);
        if (!addressesFirst)
        {
            assign();
        }
        NS_TEST_EXPECT_MSG_EQ(layer->GetRootQueueDiscOnDevice(device), root, addressesFirst);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(node->GetObject<SharedBuffer>()->GetNQueues(), 8, "one port's");
        Simulator::Destroy();
    }
}

// Random streams are counted by the queue discs that have one. Expected results: 2 ports of 3
// classes, one class of which is a FIFO: 4 streams.
AIDC_TEST_CASE("AssignStreams gives one stream to each coupled queue disc")
{
    auto node = MakeNode({{"10Gbps", "1us"}, {"10Gbps", "1us"}});
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(3);
    helper.SetQueueDisc(1, "ns3::FifoQueueDisc");
    const auto roots = helper.Install(node);
    NS_TEST_EXPECT_MSG_EQ(SharedBufferSwitchHelper::AssignStreams(roots, 10), 4, "streams");
    NS_TEST_EXPECT_MSG_EQ(SharedBufferSwitchHelper::AssignStreams(QueueDiscContainer(), 10),
                          0,
                          "none");
}

AIDC_TEST_CASE("without classes the root is the queue disc of class 0, with its settings")
{
    auto node = MakeNode({{"10Gbps", "1us"}, {"10Gbps", "1us"}});
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(0);
    helper.SetClassAttribute(0, "Alpha", DoubleValue(3));
    helper.SetQueueDiscAttribute(0, "Offset", StringValue("77kB"));
    const auto roots = helper.Install(node);
    NS_TEST_ASSERT_MSG_EQ(roots.GetN(), 2, "one a port");
    const auto root = DynamicCast<CoupledEcnQueueDisc>(roots.Get(1));
    NS_TEST_ASSERT_MSG_NE(root, nullptr, "coupled ECN by default");
    QueueSizeValue offset;
    root->GetAttribute("Offset", offset);
    NS_TEST_EXPECT_MSG_EQ(offset.Get().GetValue(), 77000, "its attribute");
    NS_TEST_EXPECT_MSG_EQ(root->GetBufferQueue()->GetLimits().alpha, 3, "its share's");
    NS_TEST_EXPECT_MSG_EQ(SharedBufferSwitchHelper::AssignStreams(roots, 10), 2, "streams");
}

AIDC_TEST_CASE("mistakes in the use of the helper end the program with the reason")
{
    ExpectRefusal("install an Internet stack on node",
                  [] { SharedBufferSwitchHelper().Install(CreateObject<Node>()); });
    ExpectRefusal("is a switch already", [] {
        auto node = MakeNode({{"10Gbps", "1us"}});
        SharedBufferSwitchHelper().Install(node);
        SharedBufferSwitchHelper().Install(node);
    });
    ExpectRefusal("expected 0 to 8 classes, found 9",
                  [] { SharedBufferSwitchHelper().SetNClasses(9); });
    ExpectRefusal("must draw on the shared buffer by itself, unlike ns3::FifoQueueDisc", [] {
        SharedBufferSwitchHelper helper;
        helper.SetNClasses(0);
        helper.SetQueueDisc(0, "ns3::FifoQueueDisc");
        helper.Install(MakeNode({{"10Gbps", "1us"}}));
    });
    ExpectRefusal("Quantum", [] {
        SharedBufferSwitchHelper helper;
        helper.SetNClasses(0);
        helper.SetClassAttribute(0, "Quantum", UintegerValue(1));
        helper.Install(MakeNode({{"10Gbps", "1us"}}));
    });
    ExpectRefusal("there is no class 8", [] {
        SharedBufferSwitchHelper().SetClassAttribute(8, "Quantum", UintegerValue(1));
    });
    ExpectRefusal("there is no class 8",
                  [] { SharedBufferSwitchHelper().SetQueueDisc(8, "ns3::FifoQueueDisc"); });
    ExpectRefusal("Alhpa", [] {
        SharedBufferSwitchHelper helper;
        helper.SetClassAttribute(0, "Alhpa", DoubleValue(1));
        helper.Install(MakeNode({{"10Gbps", "1us"}}));
    });
    ExpectRefusal("Alpha", [] {
        SharedBufferSwitchHelper helper;
        helper.SetClassAttribute(0, "Alpha", DoubleValue(0));
        helper.Install(MakeNode({{"10Gbps", "1us"}}));
    });
    // A bad value of the class's own attribute is not looked for in its share of the buffer.
    ExpectRefusal("SwitchPortClass", [] {
        SharedBufferSwitchHelper helper;
        helper.SetClassAttribute(0, "Quantum", UintegerValue(1000001));
        helper.Install(MakeNode({{"10Gbps", "1us"}}));
    });
    // As configured by hand, the floor has to be at least the MTU (section 6.3).
    ExpectRefusal("EcnFloor is 8999 bytes", [] {
        SharedBufferSwitchHelper helper;
        helper.SetQueueDiscAttribute(ALL, "EcnFloor", StringValue("8999B"));
        helper.Install(MakeNode({{"10Gbps", "1us", 9000}}));
        Simulator::Run();
    });
}

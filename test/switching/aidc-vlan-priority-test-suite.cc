// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-network.h"
#include "test/test-case.h"

#include "ns3/ethernet-frame.h"
#include "ns3/switch-port-queue-disc.h"

// Classes and flow control by VLAN priority.
AIDC_TEST_SUITE("aidc-vlan-priority", UNIT);

Ptr<SwitchPortQueueDisc>
GetRoot(const LosslessNetwork& s, NodeIndex node, PortIndex port)
{
    const auto layer = s.network.GetNode(node)->GetObject<TrafficControlLayer>();
    return DynamicCast<SwitchPortQueueDisc>(
        layer->GetRootQueueDiscOnDevice(s.network.GetPort(node, port)));
}

void
SetPorts(const LosslessNetwork& s,
         const std::vector<NodeIndex>& nodes,
         const Attributes& attributes)
{
    for (const NodeIndex node : nodes)
    {
        for (uint32_t i = 0; i < s.network.GetFabric().GetPorts(node).size(); ++i)
        {
            SetAll(s.network.GetPort(node, PortIndex(i)), attributes);
        }
    }
}

std::string
GetPathName(SwitchDatapath::Mode datapath)
{
    return datapath == SwitchDatapath::FAST ? "fast path" : "stack";
}

struct Class
{
    std::string name;
    SwitchDatapath::Mode datapath; //!< how packets get through the switch
    Attributes attributes;         //!< of the switch's ports
    bool hasTags;                  //!< whether frames have VLAN tags
    std::vector<uint32_t> classes; //!< the expected classes
};

// A packet has the class of its priority code point, whatever its DSCP. A host sends eight packets,
// of priority code point i and class selector 7 - i. Expected results, class by class: with Trust
// Pcp, packet i is in class i, or where PcpMap says; without a VLAN tag, and with Trust Dscp, it is
// in class 7 - i.
AIDC_TEST_CASE_P(ClassTestCase,
                 Class,
                 row,
                 "802.1Q: classes by " + row.name + ", " + GetPathName(row.datapath))
{
    LosslessNetwork s;
    s.pfc.SetPriorities({}); // which would keep contexts, too
    for (const auto& [name, value] : row.attributes)
    {
        s.switches.SetPortAttribute(name, StringValue(value));
    }
    s.Build(MakeStar(2, RATE, 1000), row.datapath, 4000000);
    const NodeIndex leaf(0);
    const NodeIndex host(1);
    if (row.hasTags)
    {
        SetPorts(s, {leaf, host, NodeIndex(2)}, {{"VlanId", "5"}});
    }
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < 8; ++i)
    {
        const Time begin = MicroSeconds(20 * i);
        if (row.hasTags)
        {
            Simulator::Schedule(begin, [&s, host, i] {
                SetPorts(s, {host}, {{"VlanPriority", std::to_string(i)}});
            });
        }
        s.Send(host, NodeIndex(2), 1, 7 - i, begin);
        Simulator::Schedule(begin + MicroSeconds(19), [&s, &found, leaf] {
            uint32_t sent = 0;
            for (uint32_t index = 0; index < 8; ++index)
            {
                const auto n = GetRoot(s, leaf, PortIndex(1))->GetSent(index);
                sent += static_cast<uint32_t>(n) << (4 * index);
            }
            found.push_back(sent);
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(s.received, 8, "all arrive");
    NS_TEST_ASSERT_MSG_EQ(found.size(), 8, "eight packets");
    uint32_t expected = 0; // a digit of base 16 for each class
    for (uint32_t i = 0; i < 8; ++i)
    {
        expected += 1U << (4 * row.classes[i]);
        NS_TEST_EXPECT_MSG_EQ(found[i], expected, "packets by class after packet " << i);
    }
}

struct Lossless
{
    SwitchDatapath::Mode datapath; //!< how packets get through the switch
    bool isSwitch;                 //!< whether the switch goes by the code point
    bool areHosts;                 //!< whether the hosts do
};

// Flow control by VLAN priority: an incast of packets of priority code point 3, and DSCP 0. Eight
// hosts send 60 packets of 1500 bytes each to one, at once, over links of 100 Gb/s and 1 us: 720
// kB, of which 8/9 have to wait. The switch has 300 kB beside nine headrooms of 3 frames of 1562,
// 84, and 25,000 bytes for 2 us of cable. Expected results: with Trust Pcp at switch and hosts,
// pauses of priority 3 at every sender, and no loss. If hosts do not know the priority with which
// they send, they go on, and the headrooms overflow. With Trust Dscp, class 0 is lossy.
AIDC_TEST_CASE_P(LosslessTestCase,
                 Lossless,
                 row,
                 "802.1Qbb: the class that is stopped is the priority of VLAN tags, " +
                     GetPathName(row.datapath) + ", trusted by: " +
                     (row.isSwitch ? "switch " : "") + (row.areHosts ? "hosts" : ""))
{
    constexpr uint32_t SENDERS = 8;
    constexpr uint32_t PACKETS = 60;
    constexpr uint32_t HEADROOM = 3 * 1562 + 84 + 25000;
    LosslessNetwork s;
    s.switches.SetPortAttribute("Trust", StringValue(row.isSwitch ? "Pcp" : "Dscp"));
    s.pfc.SetHostPortAttribute("Trust", StringValue(row.areHosts ? "Pcp" : "Dscp"));
    s.Build(MakeStar(SENDERS + 1, RATE, 1000), row.datapath, 300000 + (SENDERS + 1) * HEADROOM);
    SetPorts(s, {NodeIndex(0)}, {{"VlanId", "5"}});
    for (uint32_t i = 1; i <= SENDERS + 1; ++i)
    {
        SetPorts(s, {NodeIndex(i)}, {{"VlanId", "5"}, {"VlanPriority", "3"}});
    }
    for (uint32_t i = 1; i <= SENDERS; ++i)
    {
        s.Send(NodeIndex(i), NodeIndex(SENDERS + 1), PACKETS, 0);
    }
    Simulator::Run();
    const bool isLossless = row.isSwitch && row.areHosts;
    NS_TEST_EXPECT_MSG_EQ((s.received == SENDERS * PACKETS),
                          isLossless,
                          s.received << " packets have arrived");
    for (uint32_t i = 0; i < SENDERS; ++i)
    {
        const auto& port = s.GetControl(NodeIndex(0), PortIndex(i))->GetStatistics();
        const auto& host = s.GetControl(NodeIndex(i + 1), PortIndex(0))->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ((port.priorities[PRIORITY].sentXoff > 0), row.isSwitch, "told");
        NS_TEST_EXPECT_MSG_EQ((host.priorities[PRIORITY].pauses > 0), row.isSwitch, "heard");
    }
    AIDC_EXPECT(!(s.GetHeadroomPeak() > HEADROOM), "no more than there is");
}

struct Keep
{
    SwitchDatapath::Mode datapath; //!< how packets get through the switches
    bool isKept;                   //!< whether priorities are kept
};

// A host with priority code point 3 behind two switches, whose ports have 6. Expected results: with
// KeepPriority the frames of all links have 3, and the second switch's class 3 has the packet;
// without, the frames behind the first switch have 6, and class 6 has it.
AIDC_TEST_CASE_P(KeepTestCase,
                 Keep,
                 row,
                 std::string("802.1Q, 6.9: frames leave with ") +
                     (row.isKept ? "their" : "the port's") + " priority, " +
                     GetPathName(row.datapath))
{
    const NodeIndex a(0);
    const NodeIndex b(1);
    const NodeIndex from(2);
    const NodeIndex to(3);
    LosslessNetwork s;
    s.switches.SetPortAttribute("Trust", StringValue("Pcp"));
    s.Build(MakeLine(2, 1, RATE, RATE), row.datapath, 4000000);
    SetPorts(
        s,
        {a, b},
        {{"VlanId", "5"}, {"VlanPriority", "6"}, {"KeepPriority", row.isKept ? "true" : "false"}});
    SetPorts(s, {from, to}, {{"VlanId", "5"}, {"VlanPriority", "3"}});
    std::vector<uint32_t> found;
    const auto note = Callback<void, Ptr<const Packet>>([&found](Ptr<const Packet> frame) {
        EthernetFrameHeader header;
        frame->PeekHeader(header);
        const auto& fields = header.GetFields();
        found.push_back(fields.nVlans == 1 ? fields.vlans[0].priority : 100 * fields.nVlans);
    });
    s.network.GetPort(a, PortIndex(1))->TraceConnectWithoutContext("PhyRxEnd", note);
    s.network.GetPort(b, PortIndex(0))->TraceConnectWithoutContext("PhyRxEnd", note);
    s.network.GetPort(to, PortIndex(0))->TraceConnectWithoutContext("PhyRxEnd", note);
    s.Send(from, to, 1, 0);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(s.received, 1, "it arrives");
    NS_TEST_ASSERT_MSG_EQ(found.size(), 3, "on three links");
    const uint32_t then = row.isKept ? 3 : 6;
    NS_TEST_EXPECT_MSG_EQ(found[0], 3, "the host's");
    NS_TEST_EXPECT_MSG_EQ(found[1], then, "behind the first switch");
    NS_TEST_EXPECT_MSG_EQ(found[2], then, "behind the second switch");
    NS_TEST_EXPECT_MSG_EQ(GetRoot(s, a, PortIndex(0))->GetSent(3), 1, "the first switch");
    NS_TEST_EXPECT_MSG_EQ(GetRoot(s, b, PortIndex(1))->GetSent(then), 1, "the second one");
}

// What cannot be done is refused.
AIDC_TEST_CASE("Code points that nothing tells, and classes that are not there, are refused")
{
    auto unknown = CreateObject<SwitchPortQueueDisc>();
    for (const char* map : {"8:0", "0:8", "0"})
    {
        AIDC_EXPECT(!unknown->SetAttributeFailSafe("PcpMap", StringValue(map)), map);
    }
    unknown->Initialize();
    AIDC_EXPECT(!unknown->SetAttributeFailSafe("Trust", StringValue("Pcp")), "while it runs");
    ExpectRefusal("nothing tells the priority code points", [] {
        auto root = CreateObject<SwitchPortQueueDisc>();
        root->SetAttribute("Trust", StringValue("Pcp"));
        root->Initialize();
    });
    ExpectRefusal("PcpMap names class 5, there are 4", [] {
        auto root = CreateObject<SwitchPortQueueDisc>();
        SetAll(root, {{"NClasses", "4"}, {"PcpMap", "7:5"}});
        root->Initialize();
    });
}

AIDC_ADD_TEST_CASES()
{
    const std::vector<uint32_t> byPcp{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<uint32_t> byDscp{7, 6, 5, 4, 3, 2, 1, 0};
    // The mapping that 802.1Q recommends for eight classes (clause 8.6.6).
    const std::vector<uint32_t> recommended{1, 0, 2, 3, 4, 5, 6, 7};
    for (const auto datapath : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        const Attributes pcp{{"Trust", "Pcp"}};
        AddTestCases<ClassTestCase>({{"PCP", datapath, pcp, true, byPcp},
                                     {"PCP, without tags", datapath, pcp, false, byDscp},
                                     {"DSCP", datapath, {}, true, byDscp},
                                     {"PCP and a map",
                                      datapath,
                                      {{"Trust", "Pcp"}, {"PcpMap", "1:0,0:1"}},
                                      true,
                                      recommended}});
        AddTestCases<LosslessTestCase>(
            {{datapath, true, true}, {datapath, true, false}, {datapath, false, true}});
        AddTestCases<KeepTestCase>({{datapath, true}, {datapath, false}});
    }
}

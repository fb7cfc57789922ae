// SPDX-License-Identifier: GPL-2.0-only

#include "small-fabrics.h"
#include "test-fabrics.h"
#include "test/test-case.h"

// Packets through the networks of FabricHelper.
AIDC_TEST_SUITE("aidc-fabric-forwarding", UNIT);

/// The TTL of packets as hosts send them.
constexpr uint32_t INITIAL_TTL = 64;

/// Make a fabric of five stages. Returns 2 pods of 2 leaves of 2 hosts, 2 planes of 3 super-spines.
FabricPlan
MakeSmallClos()
{
    ClosSettings settings;
    settings.pods = 2;
    settings.superSpinesPerPlane = 3;
    return MakeClos5(settings);
}

struct Reach
{
    std::string name;
    FabricPlan fabric;                  //!< the fabric
    std::map<uint32_t, uint32_t> pairs; //!< pairs of hosts by switches between them
};

// All hosts reach all others. Expected results: each ordered pair of hosts has its packet delivered
// once, with a TTL of 64 less the number of switches on the shortest path, and switches forward as
// many packets as that makes: none is doubled by a second protocol handler, and none is dropped.
AIDC_TEST_CASE_P(ReachTestCase,
                 Reach,
                 row,
                 "every host reaches every other one, once and over the fewest switches: " +
                     row.name)
{
    FabricHelper network;
    network.Build(row.fabric);
    FinishNetwork(network);
    PacketCounter counter(network);
    std::map<uint32_t, NodeIndex> hostOfAddress;
    std::vector<Ptr<Socket>> sockets;
    for (const NodeIndex from : row.fabric.GetHosts())
    {
        hostOfAddress[row.fabric.GetAddress(from)] = from;
        sockets.push_back(MakeSocket(network.GetNode(from), 0));
        for (const NodeIndex to : row.fabric.GetHosts())
        {
            if (to != from)
            {
                Simulator::Schedule(MicroSeconds(1),
                                    &SendUdp,
                                    sockets.back(),
                                    network.GetAddress(to));
            }
        }
    }
    Simulator::Run();

    std::set<std::pair<NodeIndex, NodeIndex>> reached;
    std::map<uint32_t, uint32_t> pairs;
    for (const auto& delivery : counter.deliveries)
    {
        const NodeIndex from = hostOfAddress.at(delivery.header.GetSource().Get());
        AIDC_EXPECT(reached.emplace(from, delivery.host).second, "once");
        ++pairs[INITIAL_TTL - delivery.header.GetTtl()];
    }
    const std::size_t nHosts = row.fabric.GetHosts().size();
    NS_TEST_EXPECT_MSG_EQ(reached.size(), nHosts * (nHosts - 1), "all");
    AIDC_EXPECT(pairs == row.pairs, "switches between hosts");
    uint64_t forwards = 0;
    for (const auto& [switches, n] : row.pairs)
    {
        forwards += uint64_t{switches} * n;
    }
    NS_TEST_EXPECT_MSG_EQ(counter.forwards, forwards, "a switch forwards a packet once");
    NS_TEST_EXPECT_MSG_EQ(counter.drops.size(), 0, "no drop");
}

/// Returns the switch, the number of nodes if there is none.
NodeIndex
FindSwitch(const FabricPlan& fabric, Ipv4Address address)
{
    for (const NodeIndex id : fabric.GetSwitches())
    {
        if (fabric.GetAddress(id) == address.Get())
        {
            return id;
        }
    }
    return NodeIndex(fabric.GetNNodes());
}

/// Tell whether there is a link between two nodes.
bool
IsJoined(const FabricPlan& fabric, NodeIndex a, NodeIndex b)
{
    bool isJoined = false;
    for (const auto& port : fabric.GetPorts(a))
    {
        isJoined = isJoined || port.peer == b;
    }
    return isJoined;
}

// What traceroute does. Expected results, fat-tree of k = 4, from the first to the last host, which
// are in different pods: packets with the TTLs 1 to 5 end at leaf, spine, super-spine, spine and
// leaf, which are joined by links and answer with ICMP (RFC 792) from their own addresses; 6
// arrives.
AIDC_TEST_CASE("a packet whose TTL expires is answered from the switch's own address")
{
    const FabricPlan fabric = MakeFatTree(4, 10000000000, 1000);
    FabricHelper network;
    network.Build(fabric);
    FinishNetwork(network);
    PacketCounter counter(network);
    const NodeIndex from = fabric.GetHosts().front();
    const NodeIndex to = fabric.GetHosts().back();
    const auto socket = MakeSocket(network.GetNode(from), 5000);
    const std::vector<FabricTier> tiers{FabricTier::LEAF,
                                        FabricTier::SPINE,
                                        FabricTier::SUPER_SPINE,
                                        FabricTier::SPINE,
                                        FabricTier::LEAF};
    NodeIndex before = from;
    for (uint8_t ttl = 1; ttl <= 5; ++ttl)
    {
        counter.Clear();
        socket->SetIpTtl(ttl);
        Simulator::ScheduleNow(&SendUdp, socket, network.GetAddress(to));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(counter.deliveries.size(), 1, "the answer");
        const auto& answer = counter.deliveries[0];
        NS_TEST_EXPECT_MSG_EQ(answer.host, from, "to the sender");
        NS_TEST_EXPECT_MSG_EQ(+answer.header.GetProtocol(), +ICMP_PROTOCOL, "by ICMP");
        const NodeIndex id = FindSwitch(fabric, answer.header.GetSource());
        NS_TEST_ASSERT_MSG_LT(id.value, fabric.GetNNodes(), "from a switch");
        AIDC_EXPECT(fabric.GetNode(id).tier == tiers[ttl - 1], "on the way");
        AIDC_EXPECT(IsJoined(fabric, before, id), "to the one before");
        NS_TEST_EXPECT_MSG_EQ(answer.header.GetSource().CombineMask("255.240.0.0"),
                              (tiers[ttl - 1] == FabricTier::LEAF ? Ipv4Address("10.0.0.0")
                                                                  : Ipv4Address("172.16.0.0")),
                              "leaves have addresses of their prefix");
        before = id;
    }
    NS_TEST_EXPECT_MSG_EQ(before, fabric.GetLeaf(to), "the last one");
    counter.Clear();
    socket->SetIpTtl(6);
    Simulator::ScheduleNow(&SendUdp, socket, network.GetAddress(to));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(counter.deliveries.size(), 1, "the packet");
    NS_TEST_EXPECT_MSG_EQ(counter.deliveries[0].host, to, "itself");
}

// Packets to addresses that nobody has. Expected results, fat-tree of k = 4 with the addresses
// 10.pod.leaf.host: whatever part of the address does not exist, the packet is dropped once, after
// the most switches that a path has, 5, at most.
AIDC_TEST_CASE("a packet to a host that does not exist is dropped and does not loop")
{
    const FabricPlan fabric = MakeFatTree(4, 10000000000, 1000);
    FabricHelper network;
    network.Build(fabric);
    FinishNetwork(network);
    PacketCounter counter(network);
    const auto socket = MakeSocket(network.GetNode(fabric.GetHosts().front()), 0);
    const uint32_t own = fabric.GetAddress(fabric.GetLeaf(fabric.GetHosts().front()));
    const uint32_t far = fabric.GetAddress(fabric.GetLeaf(fabric.GetHosts().back()));
    for (const auto& address : {Ipv4Address(own + 77),        // at the own leaf
                                Ipv4Address(own + 77 * 256),  // at no leaf of the own pod
                                Ipv4Address(far + 77),        // at a leaf of another pod
                                Ipv4Address(far + 77 * 256),  // at no leaf of that pod
                                Ipv4Address("10.77.0.2"),     // in no pod
                                Ipv4Address("172.16.77.1"),   // no spine
                                Ipv4Address("192.0.2.1"),     // not of this network
                                Ipv4Address("10.255.255.7")}) // in no pod, the last address
    {
        counter.Clear();
        Simulator::ScheduleNow(&SendUdp, socket, address);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(counter.drops.size(), 1, "dropped once: " << address);
        NS_TEST_EXPECT_MSG_LT(counter.forwards, 6, "no loop: " << address);
        for (const auto& delivery : counter.deliveries)
        {
            NS_TEST_EXPECT_MSG_EQ(+delivery.header.GetProtocol(),
                                  +ICMP_PROTOCOL,
                                  "but for an answer to the sender: " << address);
        }
    }
}

struct Spread
{
    std::string name;  //!< in words
    FabricPlan fabric; //!< the fabric
    uint32_t nPorts;   //!< ports that packets use
};

// All links of equal cost are used. Expected results: of 1024 flows from the first host to the
// last one, some take each uplink of the leaf, of its spines, and so each link that leads on. With
// 4 uplinks of a leaf, or 2 by 2 ways, the probability that one is left out is 4 * (3/4)^1024,
// below 10^-127.
AIDC_TEST_CASE_P(SpreadTestCase, Spread, row, "all links of equal cost are used: " + row.name)
{
    FabricHelper network;
    network.Build(row.fabric);
    FinishNetwork(network);
    PacketCounter counter(network);
    std::set<std::pair<NodeIndex, PortIndex>> used;
    for (const NodeIndex id : row.fabric.GetSwitches())
    {
        for (PortIndex port; port < row.fabric.GetPorts(id).GetEnd(); ++port)
        {
            ConnectTrace(network.GetPort(id, port), "MacTx", [&used, id, port](Ptr<const Packet>) {
                used.insert({id, port});
            });
        }
    }
    std::vector<Ptr<Socket>> sockets;
    for (uint32_t i = 0; i < 1024; ++i)
    {
        sockets.push_back(MakeSocket(network.GetNode(row.fabric.GetHosts().front()), 10000 + i));
        Simulator::Schedule(NanoSeconds(i * 100),
                            &SendUdp,
                            sockets.back(),
                            network.GetAddress(row.fabric.GetHosts().back()));
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(used.size(), row.nPorts, "ports");
    NS_TEST_EXPECT_MSG_EQ(counter.deliveries.size(), 1024, "packets");
}

// Hosts 2, 0 and 1 of a leaf, in this order of events, send a packet to host 3 at 1 us, and once
// more 1 ns later. All links are alike: 3 packets arrive at the leaf at once, and 3 more 1 ns after
// that, while the first ones wait. Expected results: host 3 receives them in the order of the
// leaf's ports 0, 1, 2, and once more.
AIDC_TEST_CASE("packets that arrive at once are served in the order of the ports")
{
    LeafSpineSettings settings{1, 1, 4};
    settings.hostRate = 1000000000000; // 125 bytes in 1 ns
    FabricHelper network;
    network.SetOrderedArrivals(true);
    network.Build(MakeLeafSpine(settings));
    FinishNetwork(network);
    PacketCounter counter(network);
    for (const int64_t time : {1000, 1001})
    {
        for (const uint32_t host : {2, 0, 1})
        {
            Simulator::Schedule(NanoSeconds(time),
                                &SendUdp,
                                MakeSocket(network.GetNode(NodeIndex(host)), 0),
                                network.GetAddress(NodeIndex(3)));
        }
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(counter.deliveries.size(), 6, "packets");
    for (uint32_t i = 0; i < 6; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(counter.deliveries[i].header.GetSource(),
                              network.GetAddress(NodeIndex(i % 3)),
                              "packet " << i);
    }
}

// Packets that arrive at a host with two links at once. Host 1, at the leaf of the second link, and
// then host 0, at the leaf of the first link, send a packet to host 2 at the same time. All links
// are alike. Expected results: host 2 receives them in the order of its ports, host 0's first.
AIDC_TEST_CASE("packets that arrive at a host at once are served in the order of its ports")
{
    FabricHelper network;
    network.Build(MakeOfText("5 2 5\n"
                             "3 4\n"
                             "0 3 10Gbps 1us 0\n"
                             "1 4 10Gbps 1us 0\n"
                             "2 3 10Gbps 1us 0\n"
                             "2 4 10Gbps 1us 0\n"
                             "3 4 10Gbps 1us 0\n"));
    FinishNetwork(network);
    PacketCounter counter(network);
    for (const NodeIndex host : {NodeIndex(1), NodeIndex(0)})
    {
        Simulator::Schedule(MicroSeconds(1),
                            &SendUdp,
                            MakeSocket(network.GetNode(host), 0),
                            network.GetAddress(NodeIndex(2)));
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(counter.deliveries.size(), 2, "packets");
    NS_TEST_EXPECT_MSG_EQ(counter.deliveries[0].time, counter.deliveries[1].time, "at once");
    for (uint32_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(counter.deliveries[i].header.GetSource(),
                              network.GetAddress(NodeIndex(i)),
                              "port " << i);
    }
}

AIDC_ADD_TEST_CASES()
{
    const FabricPlan fatTree = MakeFatTree(4, 10000000000, 1000);
    // Hosts at the same leaf have 1 switch between them, in the same pod 3, elsewhere 5.
    // 16 hosts with 1, 2 and 12 others each
    AddTestCase(new ReachTestCase({"fat-tree", fatTree, {{1, 16}, {3, 32}, {5, 192}}}));
    // 6 hosts with 1 and 4 others each
    AddTestCase(new ReachTestCase({"leaf-spine", MakeParallelLeafSpine(), {{1, 6}, {3, 24}}}));
    // 8 hosts with 1, 2 and 4 others each
    AddTestCase(new ReachTestCase({"five stages", MakeSmallClos(), {{1, 8}, {3, 16}, {5, 32}}}));
    // 4 hosts with 1 and 2 others each
    AddTestCases<ReachTestCase>({{"file of two tiers", MakeTwoTiers(), {{1, 4}, {3, 8}}},
                                 {"dumbbell", MakeDumbbell(), {{1, 4}, {2, 8}}}});
    // 4 hosts with 1 and 2 others each; 6 hosts with 2 and 3 others; 3 hosts with 2 others
    AddTestCases<ReachTestCase>({{"dual-homed", MakeDualHomed(), {{1, 4}, {3, 8}}},
                                 {"rails", MakeRails(), {{1, 12}, {3, 18}}},
                                 {"rails without spines", MakeRailsOnly(), {{1, 6}}}});
    // 2 uplinks of the leaf, 2 of each of 2 spines; 1 of each of 4 super-spines; 1 of each of 2
    // spines; the host's: 2 + 4 + 4 + 2 + 1
    AddTestCase(new SpreadTestCase({"fat-tree", fatTree, 13}));
    // 4 uplinks of the leaf, 2 downlinks of each of 2 spines, the host's: 4 + 4 + 1
    AddTestCase(new SpreadTestCase({"parallel links", MakeParallelLeafSpine(), 9}));
    // 2 uplinks of 2 leaves, 2 downlinks of 2 spines, the host's: 4 + 4 + 2
    AddTestCase(new SpreadTestCase({"dual-homed", MakeDualHomed(), 10}));
    // 2 uplinks of 4 leaves, 4 downlinks of 2 spines, the host's: 8 + 8 + 4
    AddTestCase(new SpreadTestCase({"rails", MakeRails(), 20}));
}

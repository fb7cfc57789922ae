// SPDX-License-Identifier: GPL-2.0-only

#include "model/aidc-compat.h"
#include "roce-network.h"
#include "test/test-case.h"

// A RoceNic on an idle network.
AIDC_TEST_SUITE("aidc-roce-nic", UNIT);

// A message over one store-and-forward switch takes
//
//     T = 8 (sum of wire bytes + largest packet) / C + 2 p
//
// with 82 bytes of headers, check sequence and gap a packet, and 16 more in the first one, which is
// the largest; less the gaps of 12 bytes, 0.96 ns, that follow the last packet on both links. 1 MiB
// in packets of 4096 bytes, 100 Gb/s, 1 us: 87,899.68 ns, twice 1.28 ns for the 16 bytes, and twice
// 0.96 ns less; the simulator adds 1 ns where switches serve arrivals in order, and rounds each
// transmission that begins on an idle wire down to a whole ns.
AIDC_TEST_CASE("A message takes its time on the wire and in the switch")
{
    RoceNetwork network(2);
    network.Start();
    network.Write(0, 1, 1 << 20);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 1U, "delivered once");
    NS_TEST_ASSERT_MSG_EQ(network.deliveries[0].delivery.nBytes, 1U << 20, "as a whole");
    const double expected = 87899.68 + 2 * (1.28 - 0.96) + 1;
    constexpr double ROUNDING = 2; // of both wires
    NS_TEST_ASSERT_MSG_EQ_TOL(network.deliveries[0].time.ToDouble(Time::NS),
                              expected - ROUNDING / 2,
                              ROUNDING / 2,
                              "the time of the last byte");
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), 1U, "completed once");
    AIDC_ASSERT(network.completions[0].completion.status == RoceStatus::SUCCESS, "completed");
    // The acknowledgment: 74 bytes with preamble, through two links, and the switch.
    NS_TEST_ASSERT_MSG_EQ_TOL(network.completions[0].time.ToDouble(Time::NS),
                              expected + 2 * (8 * 74 / 100.0 + 1000) + 1 - ROUNDING,
                              ROUNDING,
                              "the time of the acknowledgment");
}

// One queue pair reaches the line rate less headers: of each packet's 4096 + 82 bytes on the wire,
// 4096 are payload.
AIDC_TEST_CASES(uint64_t, gbps, "Line rate at " + std::to_string(gbps) + " Gbps", ({100, 400}))
{
    RoceNetwork network(2, gbps * 1000000000);
    network.Start();
    constexpr uint64_t BYTES = 64000000;
    network.Write(0, 1, BYTES);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 1U, "delivered");
    const double seconds = network.deliveries[0].time.GetSeconds();
    const double rate = 8 * static_cast<double>(BYTES) / seconds;
    const double goal = static_cast<double>(gbps) * 1e9 * 4096 / (4096 + 82);
    NS_TEST_ASSERT_MSG_EQ_TOL(rate, goal, 0.005 * goal, "payload rate");
}

// Sends and reads, both ways and at the same time, are all delivered once and in order.
AIDC_TEST_CASE("Sends, writes and reads overlap")
{
    RoceNetwork network(2);
    network.Start();
    uint64_t id = 0;
    std::vector<RoceOperation> posted;
    for (int round = 0; round < 4; ++round)
    {
        for (const auto operation :
             {RoceOperation::READ, RoceOperation::SEND, RoceOperation::WRITE})
        {
            RoceWork work;
            work.id = id++;
            work.operation = operation;
            work.nBytes = 10000 * id;
            network.Post(0, 1, work);
            network.Post(1, 0, work);
            posted.push_back(operation);
        }
    }
    Simulator::Run();
    for (uint32_t host : {0U, 1U})
    {
        std::vector<uint64_t> ids;
        for (const auto& ended : network.completions)
        {
            if (ended.host == host)
            {
                ids.push_back(ended.completion.id);
                AIDC_ASSERT(ended.completion.status == RoceStatus::SUCCESS, "it has ended well");
            }
        }
        NS_TEST_ASSERT_MSG_EQ(ids.size(), posted.size(), "all have ended");
        for (std::size_t i = 0; i < ids.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(ids[i], i, "in the order of posting");
        }
    }
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 16U, "two thirds are messages");
    NS_TEST_ASSERT_MSG_EQ(network.GetNic(0)->GetStatistics().retransmittedPackets,
                          0U,
                          "nothing is lost");
    NS_TEST_ASSERT_MSG_EQ(network.GetNic(0)->GetStatistics().GetDropped(), 0U, "or ignored");
}

// Many queue pairs of a host share its port fairly.
AIDC_TEST_CASE("Thousands of queue pairs take turns")
{
    RoceNetwork network(3);
    network.Start();
    constexpr uint32_t PAIRS = 4000;
    constexpr uint64_t BYTES = 8 * 4096;
    std::vector<Time> done;
    for (uint32_t i = 0; i < PAIRS; ++i)
    {
        const auto [first, second] =
            RoceHelper::Connect(network.GetNic(0), network.GetNic(1 + i % 2));
        network.Watch(0, first);
        RoceWork work;
        work.id = i;
        work.nBytes = BYTES;
        network.GetNic(0)->Post(first, work);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), PAIRS, "all are done");
    // They send their last packets in one round: within an eighth of the whole time.
    const Time firstEnd = network.completions.front().time;
    const Time lastEnd = network.completions.back().time;
    NS_TEST_ASSERT_MSG_GT(firstEnd.GetSeconds(), 0.86 * lastEnd.GetSeconds(), "none is ahead");
}

// Hosts with two links each use both, at both ends, and twice the rate.
AIDC_TEST_CASE("Queue pairs are spread over ports")
{
    RoceNetwork network(MakeLeafSpine({2, 2, 2, 2}));
    network.Start();
    constexpr uint64_t BYTES = 10000000;
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto [first, second] = RoceHelper::Connect(network.GetNic(0), network.GetNic(1));
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetPortOf(first), i, "in turn");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(1)->GetPortOf(second), i, "at the other end too");
        network.Watch(1, second);
        RoceWork work;
        work.nBytes = BYTES;
        network.GetNic(0)->Post(first, work);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 2U, "both arrive");
    const double alone = 8e-11 * BYTES * (4096 + 82) / 4096;
    for (const auto& arrived : network.deliveries)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(arrived.time.GetSeconds(),
                                  alone + 3e-6,
                                  0.01 * alone,
                                  "as if it had its link alone");
    }
}

AIDC_TEST_CASE("Both ends of connections take turns at their ports")
{
    RoceNetwork network(MakeLeafSpine({2, 2, 12, 2}));
    network.Start();
    const auto connect = [&network](uint32_t a, uint32_t b) {
        const auto hosts = network.network.GetHosts();
        const auto [first, second] = RoceHelper::Connect(hosts.Get(a), hosts.Get(b));
        NS_ABORT_UNLESS(network.GetNic(a)->GetPortOf(first) ==
                        network.GetNic(b)->GetPortOf(second));
        return network.GetNic(a)->GetPortOf(first);
    };
    // A ring of four, the lower number first: each host has one at each port
    for (const auto& [a, b] : {std::pair{0, 1}, {0, 3}, {1, 2}, {2, 3}})
    {
        connect(a, b);
    }
    for (uint32_t host = 0; host < 4; ++host)
    {
        for (const uint32_t load : network.GetNic(host)->GetPortLoads())
        {
            NS_TEST_EXPECT_MSG_EQ(load, 1, "of host " << host);
        }
    }
    // Many to one: each has no other, and they come to both ports of host 4
    std::vector<uint32_t> ports;
    for (uint32_t from = 6; from < 10; ++from)
    {
        ports.push_back(connect(from, 4));
    }
    AIDC_EXPECT((ports == std::vector<uint32_t>{0, 1, 0, 1}), "in turn");
    // One at each port of both
    const auto hosts = network.network.GetHosts();
    const auto pairs = RoceHelper::ConnectPorts(hosts.Get(10), hosts.Get(11));
    NS_TEST_ASSERT_MSG_EQ(pairs.size(), 2, "ports");
    for (uint32_t port = 0; port < 2; ++port)
    {
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(10)->GetPortOf(pairs[port].first), port, "in turns");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(11)->GetPortOf(pairs[port].second), port, "in turns");
    }
    NS_TEST_EXPECT_MSG_EQ(RoceHelper::GetNPorts(hosts.Get(10)), 2, "ports");
}

// Connections of two hosts have different source ports, so that they take different paths, also if
// their queue pairs are numbered alike at both hosts.
AIDC_TEST_CASE("connections of two hosts take different paths")
{
    RoceNetwork network(MakeLeafSpine({2, 4, 1}));
    network.Start();
    for (uint32_t i = 0; i < 32; ++i)
    {
        const auto [first, second] = RoceHelper::Connect(network.GetNic(0), network.GetNic(1));
        NS_TEST_EXPECT_MSG_EQ(first, second, "numbered alike");
        RoceWork work;
        work.nBytes = 10000;
        network.GetNic(0)->Post(first, work);
    }
    Simulator::Run();
    // Of 32 connections, one of four spines is left out once in 2500 times by chance
    const auto switches = network.network.GetSwitches();
    for (auto node = switches.Begin(); node != switches.End(); ++node)
    {
        uint64_t nSent = 0;
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            if (const auto device = DynamicCast<EthernetNetDevice>((*node)->GetDevice(i)))
            {
                nSent += device->GetStatistics().outUnicastFrames;
            }
        }
        NS_TEST_EXPECT_MSG_GT(nSent, 0U, "switch " << (*node)->GetId() << " is on a path");
    }
}

// InfiniBand has five path MTUs (volume 1, section 7.7.5), and others are refused.
AIDC_TEST_CASE("The path MTU is one of InfiniBand's")
{
    const auto nic = CreateObject<RoceNic>();
    for (const uint32_t bytes : {256, 512, 1024, 2048, 4096})
    {
        AIDC_EXPECT(nic->SetAttributeFailSafe("PathMtu", UintegerValue(bytes)), bytes);
    }
    const CapturedStream err(std::cerr);
    for (const uint32_t bytes : {0, 64, 128, 255, 1000, 1001, 1500, 4095, 4097, 8192})
    {
        AIDC_EXPECT(!nic->SetAttributeFailSafe("PathMtu", UintegerValue(bytes)), bytes);
    }
    NS_TEST_EXPECT_MSG_NE(err.GetText().find("aidc: RoceNic: expected a PathMtu of 256, 512, 1024, "
                                             "2048 or 4096 bytes, found 1001\n"),
                          std::string::npos,
                          "it says what is wrong");
}

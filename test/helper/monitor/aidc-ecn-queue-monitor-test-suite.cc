// SPDX-License-Identifier: GPL-2.0-only

#include "test/buffer/test-buffers.h"
#include "test/coupled-ecn/coupled-ecn-bench.h"
#include "test/test-case.h"

#include "ns3/ecn-queue-monitor.h"

// What EcnQueueMonitor counts by region.
AIDC_TEST_SUITE("aidc-ecn-queue-monitor", UNIT);

// Time in each region: while a queue holds packets, by its own arrivals and departures. Expected
// results, B = 1,000,000, alpha 1, Offset 300,000, EcnFloor 200,000, as in aidc-coupled-ecn: a
// packet at 1 us with 400,000 in another queue sees region A, one at 3 us with 500,000 B, one at 6
// us with 800,000 C. The other queue is empty from 7 us on, which a departure at 10 us sees as A.
// The queue is empty from 15 us to 20 us, and again from 22 us on. So A is 1 to 3, 10 to 15 and 20
// to 22 us, 9 in all, B 3 to 6 and C 6 to 10 us. A packet at 30 us counts while it is there: at 33
// us A is 12.
AIDC_TEST_CASE("the time in each region is that of queues that hold packets")
{
    auto buffer = MakeBuffer(1000000);
    auto queueDisc = MakeQueueDisc(buffer, {{"Offset", "300000B"}, {"EcnFloor", "200000B"}});
    auto other = AddOther(buffer);
    EcnQueueMonitor monitor(MicroSeconds(1));
    monitor.Add(queueDisc->GetQueue());
    const auto arrive = [&](int64_t us, uint32_t more) {
        Simulator::Schedule(MicroSeconds(us), [=] {
            other->Admit(more);
            queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        });
    };
    const auto leave = [&](int64_t us) {
        Simulator::Schedule(MicroSeconds(us), [=] { queueDisc->Dequeue(); });
    };
    const auto expect = [&](int64_t us, int64_t a, int64_t b, int64_t c) {
        Simulator::Schedule(MicroSeconds(us), [this, &monitor, us, a, b, c] {
            const auto time = [&monitor](EcnRegion region) {
                return monitor.GetTimeInRegion(region).GetMicroSeconds();
            };
            NS_TEST_EXPECT_MSG_EQ(time(EcnRegion::A), a, "A at " << us);
            NS_TEST_EXPECT_MSG_EQ(time(EcnRegion::B), b, "B at " << us);
            NS_TEST_EXPECT_MSG_EQ(time(EcnRegion::C), c, "C at " << us);
        });
    };
    arrive(1, 400000);
    arrive(3, 100000);
    expect(4, 2, 1, 0);
    arrive(6, 300000);
    Simulator::Schedule(MicroSeconds(7), [other] { other->Release(800000); });
    leave(10);
    leave(11);
    leave(15);
    expect(18, 7, 3, 4);
    arrive(20, 0);
    leave(22);
    expect(29, 9, 3, 4);
    arrive(30, 0);
    expect(33, 12, 3, 4);
    Simulator::Run();
    Simulator::Destroy();
}

// Expected results, Offset 150,000, EcnFloor 50,000, packets of 1000 until one is dropped:
//  Buf_Thrd 250,000: from 100,000 on (A), 151 marks, and 150,000 of headroom at the first one.
//  Buf_Thrd 100,000: from 50,000 on (B), 51 marks and 50,000.
//  Buf_Thrd 40,000: at 40,000 (C), a mark and nothing.
//  StaticStep, 50,000 of 250,000: 201 marks, in no region, and 200,000. A threshold of 1 MB: none.
// The mean of the headroom is 100,000, and NaN as long as nothing has been marked.
AIDC_TEST_CASE("marks are counted by region, and the headroom at the first one is noted")
{
    EcnQueueMonitor monitor(MicroSeconds(1));
    const auto flood = [&monitor](const Attributes& attributes, const std::string& cap) {
        auto queueDisc = MakeQueueDisc(MakeBuffer(12000000), attributes, {{"Cap", cap}});
        monitor.Add(queueDisc->GetQueue());
        Flood(queueDisc, Ipv4With(ECT0));
    };
    const Attributes coupled{{"Offset", "150000B"}, {"EcnFloor", "50000B"}};
    flood({{"Mode", "StaticStep"}, {"Threshold", "1MB"}}, "250000B");
    AIDC_EXPECT(std::isnan(monitor.GetHeadroomAtFirstMark()), "no mark");
    const CapturedStream errors(std::cerr); // Offsets beyond the caps are warned of
    flood(coupled, "250000B");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetHeadroomAtFirstMark(), 150000, "A");
    flood(coupled, "100000B");
    flood(coupled, "40000B");
    flood({{"Mode", "StaticStep"}, {"Threshold", "50000B"}}, "250000B");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMarkedPackets(EcnRegion::A), 151, "A");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMarkedPackets(EcnRegion::B), 51, "B");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMarkedPackets(EcnRegion::C), 1, "C");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMarkedPackets(), 404, "all");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetHeadroomAtFirstMark(), 100000, "mean");
    Simulator::Destroy();
}

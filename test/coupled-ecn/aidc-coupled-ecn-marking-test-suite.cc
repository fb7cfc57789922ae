// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

// Which packets are marked: codepoints, static thresholds, the averaged occupancy.
AIDC_TEST_SUITE("aidc-coupled-ecn-marking", UNIT);

// In region C a packet that fills the queue to the byte is marked, the next is dropped. Expected
// results, Buf_Thrd = 99999 < EcnFloor = 100000, hence ECN_Thrd = 99999: 99 packets of 1000 bytes
// make 99000, one of 999 makes 99999: marked. No byte more is admitted.
AIDC_TEST_CASE("in region C packets are marked exactly at the tail drop boundary (section 5.2)")
{
    auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                   {{"Offset", "0B"}, {"EcnFloor", "100000B"}},
                                   {{"Cap", "99999B"}});
    for (int i = 0; i < 99; ++i)
    {
        AIDC_EXPECT(queueDisc->Enqueue(MakeIpv4Item(1000, ECT0)), i);
    }
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets, 0, "99000 < 99999");
    AIDC_EXPECT(queueDisc->Enqueue(MakeIpv4Item(999, ECT0)), "99999");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets, 1, "99999 >= 99999");
    AIDC_EXPECT(!queueDisc->Enqueue(MakeIpv4Item(20, ECT0)), "100019 > 99999");
}

// Expected results, Buf_Thrd 250,000, ECN_Thrd 100,000, packets of 1000: by default 250 are
// admitted, none is marked, the 251st is dropped by the cap. With DropNotEct the 100th would have
// to be marked and is dropped; the 99 before it stay, so that an ECN-capable packet then is the
// 100th and is marked. That holds for IPv6 and for packets that are not IP.
AIDC_TEST_CASE("packets that are not ECN-capable are admitted up to Buf_Thrd, or dropped where "
               "others are marked with DropNotEct")
{
    const std::vector<Maker> makers{Ipv4With(NOT_ECT),
                                    [](uint32_t size) { return MakeIpv6Item(size, NOT_ECT); },
                                    &MakeNonIpItem};
    for (const auto& maker : makers)
    {
        for (const std::string dropNotEct : {"false", "true"})
        {
            auto buffer = MakeBuffer(12000000);
            auto queueDisc = MakeQueueDisc(
                buffer,
                {{"Offset", "150000B"}, {"EcnFloor", "100000B"}, {"DropNotEct", dropNotEct}},
                {{"Cap", "250000B"}});
            const auto flooded = Flood(queueDisc, maker);
            const bool drops = dropNotEct == "true";
            NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, (drops ? 99 : 250), "admitted");
            NS_TEST_EXPECT_MSG_EQ(flooded.marked, 0, "cannot be marked");
            NS_TEST_EXPECT_MSG_EQ(
                queueDisc->GetStats().GetNDroppedPackets(drops ? CoupledEcnQueue::NOT_ECT_DROP
                                                               : SharedBufferQueue::CAP_DROP),
                1,
                "reason of the drop");
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(),
                                  (drops ? 99000 : 250000),
                                  "what was dropped takes no memory");
            if (drops)
            {
                queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
                NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets, 1, "the 100th");
            }
            Drain(queueDisc);
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
        }
    }
}

// ECT(0), ECT(1) and CE, IPv4 and IPv6, are treated alike, and the DSCP is left alone. Expected
// results, Buf_Thrd 250,000, ECN_Thrd 100,000, packets of 1000: 100 to 250 are marked, whatever the
// codepoint, that is 151. What was ECT leaves as ECT 99 times and as CE 151 times; what was CE
// stays CE 250 times. The DSCP, here 46, is the same as on arrival.
AIDC_TEST_CASE("ECT(0), ECT(1) and CE are alike, for IPv4 and IPv6, and the DSCP is not touched "
               "(section 3)")
{
    constexpr uint8_t dscp = 46;
    for (const auto make : {&MakeIpv4Item, &MakeIpv6Item})
    {
        for (const uint8_t ecn : {ECT0, ECT1, CE})
        {
            auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                           {{"Offset", "150000B"}, {"EcnFloor", "100000B"}},
                                           {{"Cap", "250000B"}});
            const auto flooded = Flood(queueDisc, [make, ecn](uint32_t size) {
                return make(size, static_cast<uint8_t>(dscp << 2 | ecn));
            });
            NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 100, "codepoint " << +ecn);
            NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 250, "codepoint " << +ecn);
            NS_TEST_EXPECT_MSG_EQ(flooded.marked, 151, "codepoint " << +ecn);
            for (uint32_t n = 1; n <= 250; ++n)
            {
                const auto item = queueDisc->Dequeue();
                NS_TEST_ASSERT_MSG_EQ(+GetEcn(item), (n < 100 ? +ecn : +CE), "packet " << n);
                NS_TEST_ASSERT_MSG_EQ((GetTos(item) >> 2), dscp, "packet " << n);
            }
        }
    }
}

// A static threshold marks from its value on, wherever Buf_Thrd is. Expected results, Threshold
// 50,000, packets of 1000: the 50th is the first marked. With a Buf_Thrd of 40,000 the 41st is
// dropped before any was marked: the failure of section 4.
AIDC_TEST_CASE("a static threshold does not follow Buf_Thrd: it may be beyond it (section 4)")
{
    const Attributes step{{"Mode", "StaticStep"}, {"Threshold", "50000B"}};
    auto roomy = MakeQueueDisc(MakeBuffer(12000000), step, {{"Cap", "250000B"}});
    NS_TEST_EXPECT_MSG_EQ(roomy->GetQueue()->GetEcnThreshold(), 50000, "Threshold");
    const auto flooded = Flood(roomy, Ipv4With(ECT0));
    NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 50, "first marked");
    NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 250, "last admitted");

    auto tight = MakeQueueDisc(MakeBuffer(12000000), step, {{"Cap", "40000B"}});
    const auto silent = Flood(tight, Ipv4With(ECT0));
    NS_TEST_EXPECT_MSG_EQ(silent.marked, 0, "never marked");
    NS_TEST_EXPECT_MSG_EQ(silent.lastAdmitted, 40, "last admitted");
}

/// Let packets arrive at a constant occupancy. packets: the occupancy in packets of 1000 bytes,
/// the arriving one included. Returns for each of 10,000 arrivals, whether it was marked.
std::vector<bool>
Mark(const Attributes& attributes, uint32_t packets, int64_t stream)
{
    auto queueDisc = MakeQueueDisc(MakeBuffer(12000000), attributes);
    NS_TEST_EXPECT_MSG_EQ(queueDisc->AssignStreams(stream), 1, "one stream");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 100000, "Kmin");
    for (uint32_t i = 1; i < packets; ++i)
    {
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    }
    std::vector<bool> marks;
    for (int i = 0; i < 10000; ++i)
    {
        const auto item = MakeIpv4Item(1000, ECT0);
        queueDisc->Enqueue(item);
        queueDisc->Dequeue();
        marks.push_back(GetEcn(item) == CE);
    }
    return marks;
}

uint32_t
Count(const std::vector<bool>& marks)
{
    uint32_t n = 0;
    for (const bool mark : marks)
    {
        n += mark ? 1 : 0;
    }
    return n;
}

// The probability of the static RED band.
//
// Expected results, Kmin 100,000, Kmax 300,000, Pmax 0.2, packets of 1000, 10,000 arrivals at a
// constant occupancy q: p = 0.2 (q - 100000) / 200000 within the band, 0 up to Kmin, 1 above Kmax.
// q = 100,000: 0 marks                q = 301,000: 10,000 marks
// q = 200,000: p = 0.1, binomial, mean 1000, deviation sqrt(10000 * 0.1 * 0.9) = 30
// q = 300,000: p = 0.2, mean 2000, deviation sqrt(10000 * 0.2 * 0.8) = 40
// The counts are to be within five deviations (probability of a failure 6e-7; the stream is
// fixed). One random variable is used; the same stream gives the same marks, another stream
// others. With Kmin = Kmax = 100,000 the band is a step: nothing up to it, all above.
AIDC_TEST_CASE("static RED marks with the probability of its band, reproducibly by its stream")
{
    const Attributes red{{"Mode", "StaticRed"},
                         {"Kmin", "100000B"},
                         {"Kmax", "300000B"},
                         {"Pmax", "0.2"}};
    NS_TEST_EXPECT_MSG_EQ(Count(Mark(red, 100, 1)), 0, "p = 0");
    NS_TEST_EXPECT_MSG_EQ(Count(Mark(red, 301, 1)), 10000, "p = 1");
    const auto marks = Mark(red, 200, 1);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(marks)), 1000.0, 150.0, "p = 0.1");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(Mark(red, 300, 1))),
                              2000.0,
                              200.0,
                              "p = 0.2");
    AIDC_EXPECT(Mark(red, 200, 1) == marks, "the same stream");
    AIDC_EXPECT(!(Mark(red, 200, 2) == marks), "another stream");

    const Attributes step{{"Mode", "StaticRed"}, {"Kmin", "100000B"}, {"Kmax", "100000B"}};
    NS_TEST_EXPECT_MSG_EQ(Count(Mark(step, 100, 1)), 0, "at the step");
    NS_TEST_EXPECT_MSG_EQ(Count(Mark(step, 101, 1)), 10000, "above the step");
}

/// Let packets of 50,000 bytes arrive at an empty queue until one is marked. Returns the number of
/// packets.
uint32_t
CountToMark(const std::string& threshold)
{
    auto queueDisc =
        MakeQueueDisc(MakeBuffer(12000000),
                      {{"Mode", "StaticStep"}, {"Threshold", threshold}, {"UseAverage", "true"}});
    for (uint32_t n = 1; n < 2000; ++n)
    {
        queueDisc->Enqueue(MakeIpv4Item(50000, ECT0));
        if (GetEcn(queueDisc->Dequeue()) == CE)
        {
            return n;
        }
    }
    return 0;
}

// The averaged occupancy, without idle periods.
//
// Expected results (RED: avg = (1 - w) avg + w q, from 0):
//  w = 0.5, packets of 1000: q = 1000, 2000, 3000, 4000 gives avg = 500, 1250, 2125, 3062.5. With a
//   threshold of 2000 the 3rd is the first marked; the instantaneous occupancy would mark the 2nd.
//  w = 0.002, q = 50,000 on every arrival: avg = 50000 (1 - 0.998^n). 0.998^99 = 0.820208, n = 99
//   gives 8989.6; 0.998^100 = 0.818567, n = 100 gives 9071.6: a threshold of 9071 marks the 100th
//   first. 0.998^999 = 0.135334, n = 999 gives 43233.3; 0.998^1000 = 0.135064, n = 1000 gives
//   43246.8: a threshold of 43246 marks the 1000th first. Without a device and a LinkRate the rate
//   is not known, and the average does not decay while the queue is empty in between.
AIDC_TEST_CASE("the averaged occupancy is RED's moving average (section 2: instantaneous or "
               "averaged)")
{
    Attributes attributes{{"Mode", "StaticStep"},
                          {"Threshold", "2000B"},
                          {"UseAverage", "true"},
                          {"AverageWeight", "0.5"}};
    const Attributes cap{{"Cap", "10000B"}};
    NS_TEST_EXPECT_MSG_EQ(
        Flood(MakeQueueDisc(MakeBuffer(12000000), attributes, cap), Ipv4With(ECT0)).firstMarked,
        3,
        "averaged");
    attributes[2].second = "false";
    NS_TEST_EXPECT_MSG_EQ(
        Flood(MakeQueueDisc(MakeBuffer(12000000), attributes, cap), Ipv4With(ECT0)).firstMarked,
        2,
        "instantaneous");
    NS_TEST_EXPECT_MSG_EQ(CountToMark("9071B"), 100, "n = 100");
    NS_TEST_EXPECT_MSG_EQ(CountToMark("43246B"), 1000, "n = 1000");
}

/// Make a queue disc whose average is 3062.5 and that has just become empty.
Ptr<CoupledEcnQueueDisc>
MakeAveraging(const std::string& threshold, const std::string& rate)
{
    auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                   {{"Mode", "StaticStep"},
                                    {"Threshold", threshold},
                                    {"UseAverage", "true"},
                                    {"AverageWeight", "0.5"},
                                    {"DropNotEct", "true"},
                                    {"LinkRate", rate},
                                    {"Mtu", "1500"}});
    for (int i = 0; i < 4; ++i)
    {
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    }
    Drain(queueDisc);
    return queueDisc;
}

/// Let a packet arrive at a queue that has been empty for 3000 us.
uint8_t
EcnAfterIdle(const std::string& threshold, const std::string& rate)
{
    const auto queueDisc = MakeAveraging(threshold, rate);
    const auto item = MakeIpv4Item(1000, ECT0);
    Simulator::Schedule(MicroSeconds(3000), [queueDisc, item] { queueDisc->Enqueue(item); });
    Simulator::Run();
    Simulator::Destroy();
    return GetEcn(item);
}

// The average decays for the packets that could have been sent while the queue was empty. Expected
// results (RED: avg = (1 - w)^m avg, m = idle time * rate / packet), w = 0.5, LinkRate 8 Mbit/s = 1
// byte/us, Mtu 1500: four packets of 1000 bring avg to 3062.5 (see above), then the queue is empty
// for 3000 us, m = 2: 765.625; the next packet of 1000: 0.5 * 765.625 + 500 = 882.8125. It is
// marked with a threshold of 882, not with 883. Without a LinkRate: 0.5 * 3062.5 + 500 = 2031.25,
// marked with 2031, not with 2032. An idle period counts once: if that packet is dropped (not
// ECN-capable, threshold 800), the queue stays empty, and a packet that arrives at the same time
// finds m = 0: 0.5 * 882.8125 + 500 = 941.4, marked. Counted twice it would be 0.5 * 220.7 + 500 =
// 610.4.
AIDC_TEST_CASE("the averaged occupancy decays while the queue is empty, by LinkRate, once an "
               "idle period")
{
    NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("882B", "8Mbps"), +CE, "882.8 >= 882");
    NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("883B", "8Mbps"), +ECT0, "882.8 < 883");
    NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("2031B", "0bps"), +CE, "2031.25 >= 2031");
    NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("2032B", "0bps"), +ECT0, "2031.25 < 2032");

    const auto queueDisc = MakeAveraging("800B", "8Mbps");
    Simulator::Schedule(MicroSeconds(3000), [this, queueDisc] {
        AIDC_EXPECT(!queueDisc->Enqueue(MakeIpv4Item(1000, NOT_ECT)), "dropped");
        const auto item = MakeIpv4Item(1000, ECT0);
        queueDisc->Enqueue(item);
        NS_TEST_EXPECT_MSG_EQ(+GetEcn(item), +CE, "941.4 >= 800");
    });
    Simulator::Run();
}

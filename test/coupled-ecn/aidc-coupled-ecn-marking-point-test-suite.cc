// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

// Where packets are marked: as they arrive or as they leave.
AIDC_TEST_SUITE("aidc-coupled-ecn-marking-point", UNIT);

/// Queue packets of 1000 bytes and take them out again. Returns a letter
/// a packet in the order of departure: M if it is marked CE, else a dash.
std::string
Pass(Ptr<QueueDisc> queueDisc, uint32_t n, const Maker& maker = Ipv4With(ECT0))
{
    for (uint32_t i = 0; i < n; ++i)
    {
        queueDisc->Enqueue(maker(1000));
    }
    std::string marks;
    while (const auto item = queueDisc->Dequeue())
    {
        marks += GetEcn(item) == CE ? 'M' : '-';
    }
    return marks;
}

/// Write marks. first: how many of the first packets are alike.
std::string
Letters(uint32_t first, char letter, uint32_t others)
{
    return std::string(first, letter) + std::string(others, letter == 'M' ? '-' : 'M');
}

/// Compare marks with what they are to be.
void
Expect(Attributes attributes,
       const std::string& cap,
       uint32_t n,
       uint32_t atDequeue,
       uint32_t atEnqueue)
{
    const auto pass = [&](const std::string& point) {
        auto all = attributes;
        all.emplace_back("MarkingPoint", point);
        auto buffer = MakeBuffer(1000000);
        auto queueDisc = MakeQueueDisc(buffer, all, {{"Cap", cap}});
        const auto marks = Pass(queueDisc, n);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
        return marks;
    };
    NS_TEST_EXPECT_MSG_EQ(pass("Dequeue"), Letters(atDequeue, 'M', n - atDequeue), "Dequeue");
    NS_TEST_EXPECT_MSG_EQ(pass("Enqueue"), Letters(n - atEnqueue, '-', atEnqueue), "Enqueue");
}

// Marked as it leaves, a packet sees what it leaves behind, in all modes.
//
// Expected results, packets of 1000 bytes, of which packet i of n leaves 1000 (n - i) behind:
//  Coupled, Buf_Thrd 250,000 by cap, Offset 150,000, EcnFloor 100,000: ECN_Thrd 100,000. Of 250,
//  the packets that leave 100 or more are marked: the first 150. As they arrive: the last 151.
//  Coupled, alpha 1, B = 1,000,000, Offset 300,000: a packet that leaves q behind sees Buf_Thrd =
//  1,000,000 - q, ECN_Thrd = 700,000 - q <= q from q = 350,000 on: of 500 the first 150. By
//  occupancies before the departure 151 would be. As they arrive: the last 151.
//  StaticStep, 50,000: of 250 the first 200, or the last 201.
//  StaticRed, Kmin = Kmax = 50,000, a step above it: the first 199, or the last 200.
//  Proportional, alpha 1, B = 1,000,000, Share 0.5: ECN_Thrd = 500,000 - q / 2 <= q from
//  q = 333,333.3 on, so that packets of 1000 are marked from 334 on: of 500 the first 166, or the
//  last 167.
AIDC_TEST_CASE("a packet is marked by the occupancy that it leaves behind, or that it makes "
               "(section 2)")
{
    Expect({{"Offset", "150000B"}, {"EcnFloor", "100000B"}}, "250000B", 250, 150, 151);
    Expect({{"Mode", "StaticStep"}, {"Threshold", "50000B"}}, "250000B", 250, 200, 201);
    Expect({{"Mode", "StaticRed"}, {"Kmin", "50000B"}, {"Kmax", "50000B"}},
           "250000B",
           250,
           199,
           200);
    Expect({{"Offset", "300000B"}, {"EcnFloor", "100000B"}}, "0B", 500, 150, 151);
    Expect({{"Mode", "Proportional"}, {"Share", "0.5"}}, "0B", 500, 166, 167);
}

/// Compare marks with what they are to be.
void
Expect(const Maker& maker, const std::string& marks, uint32_t counted)
{
    auto queueDisc = MakeQueueDisc(
        MakeBuffer(12000000),
        {{"Mode", "StaticStep"}, {"Threshold", "50000B"}, {"MarkingPoint", "Dequeue"}});
    NS_TEST_EXPECT_MSG_EQ(Pass(queueDisc, 100, maker), marks, "codepoints");
    const auto& stats = queueDisc->GetStats();
    NS_TEST_EXPECT_MSG_EQ(stats.GetNMarkedPackets(CoupledEcnQueue::THRESHOLD_MARK),
                          counted,
                          "reason");
    NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedPackets, 0, "dropped");
}

// Marked as they leave, packets keep their codepoints otherwise. Expected results, threshold
// 50,000, 100 packets of 1000: packets that leave 50 or more behind, the first 50, are marked if
// they are ECN-capable, by IPv4 and IPv6, and counted with the reason; others pass unmarked. None
// is dropped.
AIDC_TEST_CASE("ECN-capable packets alone are marked as they leave, for IPv4 and IPv6")
{
    const Maker ipv6Ect1 = [](uint32_t size) { return MakeIpv6Item(size, ECT1); };
    const Maker ipv6NotEct = [](uint32_t size) { return MakeIpv6Item(size, NOT_ECT); };
    Expect(Ipv4With(ECT0), Letters(50, 'M', 50), 50);
    Expect(Ipv4With(ECT1), Letters(50, 'M', 50), 50);
    Expect(ipv6Ect1, Letters(50, 'M', 50), 50);
    Expect(Ipv4With(CE), std::string(100, 'M'), 50);
    Expect(Ipv4With(NOT_ECT), std::string(100, '-'), 0);
    Expect(ipv6NotEct, std::string(100, '-'), 0);
    Expect(&MakeNonIpItem, std::string(100, '-'), 0);
}

// The average is one over arrivals, wherever packets are marked. Expected results, w = 0.5, four
// packets of 1000: the average after them is 3062.5 (see aidc-coupled-ecn-marking), and departures
// do not change it. With a threshold of 3062 all four are marked as they leave, with 3063 none.
// Instantaneously, with 2000, the packets that leave 3000 and 2000 behind are marked.
AIDC_TEST_CASE("the average is updated by arrivals, also if packets are marked as they leave")
{
    const auto pass = [](const std::string& threshold, const std::string& useAverage) {
        return Pass(MakeQueueDisc(MakeBuffer(12000000),
                                  {{"Mode", "StaticStep"},
                                   {"Threshold", threshold},
                                   {"UseAverage", useAverage},
                                   {"AverageWeight", "0.5"},
                                   {"MarkingPoint", "Dequeue"}}),
                    4);
    };
    NS_TEST_EXPECT_MSG_EQ(pass("3062B", "true"), "MMMM", "3062.5 >= 3062");
    NS_TEST_EXPECT_MSG_EQ(pass("3063B", "true"), "----", "3062.5 < 3063");
    NS_TEST_EXPECT_MSG_EQ(pass("2000B", "false"), "MM--", "instantaneous");
}

// Expected results: either is refused with the other one set, at initialization by ending the
// program, later by leaving all as it was; in static modes as well.
AIDC_TEST_CASE("DropNotEct is refused with marking as packets leave")
{
    for (const std::string mode : {"Coupled", "StaticStep", "StaticRed"})
    {
        ExpectRefusal("CoupledEcnQueue: DropNotEct drops packets as "
                      "they arrive",
                      [mode] {
                          MakeQueueDisc(MakeBuffer(12000000),
                                        {{"Mode", mode},
                                         {"DropNotEct", "true"},
                                         {"MarkingPoint", "Dequeue"}});
                      });
    }
    auto queueDisc = MakeQueueDisc(MakeBuffer(12000000), {{"DropNotEct", "true"}});
    const CapturedStream errors(std::cerr);
    const auto set = [&queueDisc](const std::string& name, const std::string& value) {
        return queueDisc->SetAttributeFailSafe(name, StringValue(value));
    };
    AIDC_EXPECT(!set("MarkingPoint", "Dequeue"), "DropNotEct is set");
    AIDC_EXPECT(set("DropNotEct", "false"), "fine");
    AIDC_EXPECT(set("MarkingPoint", "Dequeue"), "fine");
    AIDC_EXPECT(!set("DropNotEct", "true"), "MarkingPoint is Dequeue");
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("set one of them only"), 2, errors.GetText());
}

// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

// The coupled ECN threshold: its regions, and how it follows the buffer threshold.
AIDC_TEST_SUITE("aidc-coupled-ecn", UNIT);

void
NoteRegion(std::string* text, EcnRegion before, EcnRegion after)
{
    *text += {ToChar(before), ToChar(after), ' '};
}

/// Count what the trace of broken invariants tells.
void
CountViolation(uint32_t* count, EcnViolation, uint64_t, uint64_t)
{
    ++*count;
}

/// A row of section 5.2, with Buf_Thrd set by a static cap and packets of 1000 bytes.
struct RegionRow
{
    std::string name;      //!< what it is about
    uint32_t bufThrd;      //!< Cap in bytes
    uint32_t offset;       //!< Offset in bytes
    uint32_t floor;        //!< EcnFloor in bytes
    EcnRegion region;      //!< the expected region
    uint64_t ecnThrd;      //!< the expected ECN_Thrd in bytes
    uint32_t firstMarked;  //!< the expected first packet that is marked, 0 for none
    uint32_t lastAdmitted; //!< the expected last packet that is admitted
};

// The reference algorithm at work: where marking begins, and where packets are dropped. Expected
// results: as in the rows below. With packets of 1000 bytes, n of them occupy 1000 n: the first
// marked is the first n with 1000 n >= ECN_Thrd, the last admitted the last n with 1000 n <=
// Buf_Thrd. All from the first marked on are marked, up to the drop by the cap.
AIDC_TEST_CASES(
    RegionRow,
    row,
    "ECN_Thrd by Buf_Thrd, Offset and ECN_Floor (section 5.2): " + row.name,
    ({{"region A, far from the floor", 3000000, 1000000, 100000, EcnRegion::A, 2000000, 2000, 3000},
      {"region A, a byte above the floor", 250001, 150000, 100000, EcnRegion::A, 100001, 101, 250},
      {"region B, Buf_Thrd - Offset at the floor",
       250000,
       150000,
       100000,
       EcnRegion::B,
       100000,
       100,
       250},
      {"region B, Offset equal to Buf_Thrd",
       250000,
       250000,
       100000,
       EcnRegion::B,
       100000,
       100,
       250},
      {"region B, Offset beyond Buf_Thrd",
       250000,
       4000000000,
       100000,
       EcnRegion::B,
       100000,
       100,
       250},
      {"region B, a byte above the floor", 100001, 50000, 100000, EcnRegion::B, 100000, 100, 100},
      {"region C, Buf_Thrd at the floor", 100000, 50000, 100000, EcnRegion::C, 100000, 100, 100},
      {"region C, a byte below the floor", 99999, 0, 100000, EcnRegion::C, 99999, 0, 99},
      {"no Offset marks at the boundary", 250000, 0, 1500, EcnRegion::A, 250000, 250, 250}}))
{
    const CapturedStream errors(std::cerr); // an Offset that is too large is warned of
    auto buffer = MakeBuffer(12000000);
    auto queueDisc = MakeQueueDisc(buffer,
                                   {{"Offset", std::to_string(row.offset) + "B"},
                                    {"EcnFloor", std::to_string(row.floor) + "B"}},
                                   {{"Cap", std::to_string(row.bufThrd) + "B"}});
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetBufferQueue()->GetThreshold(), row.bufThrd, "the cap");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), row.ecnThrd, "ECN_Thrd");
    NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetQueue()->GetRegion()), ToChar(row.region), "region");
    const auto flooded = Flood(queueDisc, Ipv4With(ECT0));
    NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, row.firstMarked, "first marked");
    NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, row.lastAdmitted, "last admitted");
    const uint32_t marked = row.firstMarked == 0 ? 0 : row.lastAdmitted - row.firstMarked + 1;
    NS_TEST_EXPECT_MSG_EQ(flooded.marked, marked, "marked");
    const auto& stats = queueDisc->GetStats();
    NS_TEST_EXPECT_MSG_EQ(stats.GetNMarkedPackets(CoupledEcnQueue::THRESHOLD_MARK),
                          marked,
                          "reason of the marks");
    NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(SharedBufferQueue::CAP_DROP),
                          1,
                          "reason of the drop");
    NS_TEST_EXPECT_MSG_EQ(Drain(queueDisc), marked, "the marked packets are CE");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}

// With a dynamic Buf_Thrd marking begins where the shrinking ECN_Thrd meets the occupancy. Expected
// results, B = 1,000,000, alpha 0.5, Offset 100,000, EcnFloor 50,000, packets of 1000: after n
// packets Buf_Thrd = 0.5 (1000000 - 1000 n) = 500000 - 500 n, ECN_Thrd = 400000 - 500 n (region A
// up to n = 699). Marked when 1000 n >= 400000 - 500 n, n >= 266.7: the 267th, for which ECN_Thrd =
// 266500. Packet n is admitted when 1000 n <= 500000 - 500 (n - 1), n <= 333.7: the last is the
// 333rd. It is the threshold that drops the next, as 667000 bytes are free.
AIDC_TEST_CASE("ECN_Thrd follows a Buf_Thrd that is alpha times the free memory (section 5.2)")
{
    auto buffer = MakeBuffer(1000000);
    auto queueDisc =
        MakeQueueDisc(buffer, {{"Offset", "100000B"}, {"EcnFloor", "50000B"}}, {{"Alpha", "0.5"}});
    const auto flooded = Flood(queueDisc, Ipv4With(ECT0));
    NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 267, "first marked");
    NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 333, "last admitted");
    NS_TEST_EXPECT_MSG_EQ(flooded.marked, 67, "267 to 333");
    NS_TEST_EXPECT_MSG_EQ(
        queueDisc->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
        1,
        "reason of the drop");
    while (queueDisc->GetNPackets() > 267)
    {
        queueDisc->Dequeue();
    }
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 266500, "400000 - 500 * 267");
}

// Region C with a dynamic threshold: the packet after which none is admitted is marked.
//
// Expected results, alpha 1, Offset 10,000, EcnFloor 150,000, packets of 1000: after n packets
// Buf_Thrd = B - 1000 n; packet n is admitted when 1000 n <= B - 1000 (n - 1), and marked in region
// C when 1000 n >= B - 1000 n.
//  B = 200,000: admitted up to n = 100 (200.5 / 2 + ...: 2 n <= 201); regions: A while
//   190 - n > 150, to n = 39; B while 200 - n > 150, to n = 49, with ECN_Thrd = 150,000 out of
//   reach; C from n = 50 on; marked from 2 n >= 200: n = 100, the last.
//  B = 201,000: admitted up to n = 101 (2 n <= 202), marked from 2 n >= 201: n = 101, the last.
AIDC_TEST_CASE("in region C the packet that meets a dynamic Buf_Thrd is marked (section 5.2)")
{
    for (const uint32_t size : {200000, 201000})
    {
        const uint32_t last = size == 200000 ? 100 : 101;
        auto queueDisc =
            MakeQueueDisc(MakeBuffer(size), {{"Offset", "10000B"}, {"EcnFloor", "150000B"}});
        std::string regions;
        queueDisc->TraceConnectWithoutContext("Region", MakeBoundCallback(&NoteRegion, &regions));
        const auto flooded = Flood(queueDisc, Ipv4With(ECT0));
        NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, last, "first marked");
        NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, last, "last admitted");
        NS_TEST_EXPECT_MSG_EQ(regions, "AB BC ", "regions");
        NS_TEST_EXPECT_MSG_EQ(
            queueDisc->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
            1,
            "reason of the drop");
    }
}

/// Compare the threshold with what it is to be. ecnThrd: ECN_Thrd in bytes.
void
Expect(Ptr<CoupledEcnQueueDisc> queueDisc, char region, uint64_t ecnThrd)
{
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), ecnThrd, "ECN_Thrd");
    NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetQueue()->GetRegion()),
                          region,
                          "region at " << ecnThrd);
}

// ECN_Thrd moves with Buf_Thrd when only other queues have traffic.
//
// Expected results, B = 1,000,000, alpha 1, Offset 300,000, EcnFloor 200,000; Buf_Thrd = B - all
// use. Before a packet of this queue (above) and after it (below), packets of 1000: other 400,000:
// 600,000 -> A 300,000     + own 1000: 599,000 -> A 299,000 other 500,000: 499,000 -> B 200,000 +
// own 2000: 498,000 -> B 200,000 other 800,000: 198,000 -> C 198,000     + own 3000: 197,000 -> C
// 197,000 other 0:       997,000 -> A 697,000     - own 2000: 998,000 -> A 698,000 The traces tell
// the values after the packets, from the empty buffer's 1,000,000 and 700,000 on.
AIDC_TEST_CASE("ECN_Thrd is recomputed with any transition of Buf_Thrd, also by other queues' "
               "traffic alone (section 6.1)")
{
    auto buffer = MakeBuffer(1000000);
    auto queueDisc = MakeQueueDisc(buffer, {{"Offset", "300000B"}, {"EcnFloor", "200000B"}});
    auto other = AddOther(buffer);
    std::string regions;
    Changes bufThrd;
    Changes ecnThrd;
    queueDisc->TraceConnectWithoutContext("Region", MakeBoundCallback(&NoteRegion, &regions));
    queueDisc->TraceConnectWithoutContext("BufThrd", MakeBoundCallback(&Note, &bufThrd));
    queueDisc->TraceConnectWithoutContext("EcnThrd", MakeBoundCallback(&Note, &ecnThrd));

    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 700000, "empty buffer");
    other->Admit(400000);
    Expect(queueDisc, 'A', 300000);
    queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    Expect(queueDisc, 'A', 299000);
    other->Admit(100000);
    Expect(queueDisc, 'B', 200000);
    queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    Expect(queueDisc, 'B', 200000);
    other->Admit(300000);
    Expect(queueDisc, 'C', 198000);
    queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    Expect(queueDisc, 'C', 197000);
    other->Release(800000);
    Expect(queueDisc, 'A', 697000);
    queueDisc->Dequeue();
    Expect(queueDisc, 'A', 698000);

    NS_TEST_EXPECT_MSG_EQ(regions, "AB BC CA ", "Region");
    const Changes expectedBufThrd{{1000000, 599000},
                                  {599000, 498000},
                                  {498000, 197000},
                                  {197000, 998000}};
    const Changes expectedEcnThrd{{700000, 299000},
                                  {299000, 200000},
                                  {200000, 197000},
                                  {197000, 698000}};
    AIDC_EXPECT(bufThrd == expectedBufThrd, "BufThrd");
    AIDC_EXPECT(ecnThrd == expectedEcnThrd, "EcnThrd");
}

// The invariants hold for every queue at every arrival and departure of any. Expected results:
// ECN_Thrd <= Buf_Thrd, and ECN_Thrd >= EcnFloor unless Buf_Thrd < EcnFloor, for four queues with
// different parameters, under a random load that drives them through all regions; and the trace of
// violations is silent.
AIDC_TEST_CASE("ECN_Thrd never exceeds Buf_Thrd, and is below ECN_Floor only where Buf_Thrd is "
               "(section 5.3)")
{
    auto buffer = MakeBuffer(400000);
    const std::vector<Attributes> attributes{
        {{"Offset", "50000B"}, {"EcnFloor", "10000B"}},
        {{"Offset", "100000B"}, {"EcnFloor", "30000B"}},
        {{"Offset", "20000B"}, {"EcnFloor", "50000B"}},
        {{"Offset", "200000B"}, {"EcnFloor", "60000B"}},
    };
    const std::vector<Attributes> limits{{{"Alpha", "0.5"}, {"Reserved", "5000B"}},
                                         {{"Alpha", "1"}, {"Cap", "120000B"}},
                                         {{"Alpha", "8"}},
                                         {{"Alpha", "2"}, {"Headroom", "10000B"}}};
    std::vector<Ptr<CoupledEcnQueueDisc>> queueDiscs;
    uint32_t violations = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i)
    {
        queueDiscs.push_back(MakeQueueDisc(buffer, attributes[i], limits[i]));
        queueDiscs.back()->TraceConnectWithoutContext(
            "InvariantViolation",
            MakeBoundCallback(&CountViolation, &violations));
    }
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(2);
    std::vector<uint32_t> seen(3, 0);
    for (uint32_t step = 0; step < 20000; ++step)
    {
        const auto& queueDisc = queueDiscs[random->GetInteger(0, 3)];
        // Filling and emptying in turn.
        const double arrivals = (step / 2500) % 2 == 0 ? 0.75 : 0.3;
        if (random->GetValue(0, 1) < arrivals)
        {
            const auto tos = static_cast<uint8_t>(random->GetInteger(0, 3));
            queueDisc->Enqueue(MakeIpv4Item(random->GetInteger(64, 1500), tos));
        }
        else
        {
            queueDisc->Dequeue();
        }
        for (const auto& q : queueDiscs)
        {
            const uint64_t bufThrd = q->GetBufferQueue()->GetThreshold();
            const uint64_t ecnThrd = q->GetQueue()->GetEcnThreshold();
            QueueSizeValue floor;
            q->GetAttribute("EcnFloor", floor);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(ecnThrd, bufThrd, "invariant 1, step " << step);
            AIDC_ASSERT(ecnThrd >= floor.Get().GetValue() || bufThrd < floor.Get().GetValue(),
                        "invariant 2, step " << step);
            ++seen[static_cast<int>(q->GetQueue()->GetRegion())];
        }
    }
    for (const auto n : seen)
    {
        NS_TEST_EXPECT_MSG_GT(n, 100, "the load reaches every region");
    }
    NS_TEST_EXPECT_MSG_EQ(violations, 0, "InvariantViolation");
    for (const auto& q : queueDiscs)
    {
        Drain(q);
    }
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-path-network.h"
#include "csig-port-pair.h"
#include "test/test-case.h"

// CSIG along the path of the draft's figure 5.
AIDC_TEST_SUITE("aidc-csig-path", UNIT);

constexpr auto COMPACT = CsigFormat::COMPACT;

/// A packet is sent when the measured interval is over, and is there before the next one is.
constexpr int64_t PROBE = FigurePath::MEASURED_TO + 10;

/// LM in the compact format: the speed's place in 10, 25, 40, 100, 200, 400, 800; 1 for leaves, 2
/// for spines, 3 for super-spines; 1 for up, 2 for down.
constexpr uint16_t
GetCompactLm(int speed, int stage, int orientation)
{
    return static_cast<uint16_t>(speed << 4 | stage << 2 | orientation);
}

/// LM of hops 1 to 5, compact.
constexpr std::array<uint16_t, 5> COMPACT_LMS{GetCompactLm(7, 1, 1),
                                              GetCompactLm(4, 2, 1),
                                              GetCompactLm(4, 3, 2),
                                              GetCompactLm(4, 2, 2),
                                              GetCompactLm(3, 1, 2)};

/// What a host asks for, and what it must get.
struct Question
{
    std::string signal; //!< the name of the signal
    CsigFormat format;  //!< the format
    bool isTable2;      //!< whether the buckets are from appendix A
    CsigFields answer;  //!< what it must get
};

struct FigureRow
{
    Question question;             //!< what a host asks for
    SwitchDatapath::Mode datapath; //!< how packets get through the switches
};

// Figure 5: min(ABW) 20 Gb/s at hop 5, min(ABW/C) 12.5 % at hop 1, max(PD) 18 us at hop 3.
AIDC_TEST_CASE_P(FigureTestCase,
                 FigureRow,
                 row,
                 "4.3, figure 5: type " + std::to_string(row.question.answer.type) +
                     (row.question.format == COMPACT ? ", compact" : ", expanded") +
                     (row.question.isTable2 ? ", buckets of appendix A" : "") +
                     (row.datapath == SwitchDatapath::FAST ? ", fast" : ", through the stack"))
{
    CsigHelper helper;
    if (row.question.isTable2)
    {
        helper.SetDomainAttribute("AbwBuckets",
                                  StringValue("0,1Gbps,5Gbps,10Gbps,20Gbps,50Gbps,75Gbps,90Gbps"));
        helper.SetDomainAttribute("AbwRatioBuckets", StringValue("0,1%,5%,10%,20%,50%,75%,90%"));
        helper.SetDomainAttribute("HopDelayBuckets",
                                  StringValue("0,10us,50us,100us,200us,400us,800us,2000us"));
    }
    FigurePath path(row.datapath,
                    row.question.signal,
                    row.question.format == COMPACT ? "Compact" : "Expanded",
                    helper);
    path.Load();
    path.Delay();
    path.Send(0, PROBE);
    // The time between the arrival and the departure of the packet at each hop, by the traces.
    std::array<int64_t, 5> delays{};
    using Sink = Callback<void, Ptr<const Packet>>;
    for (uint32_t i = 0; i < 5; ++i)
    {
        const auto note = [&delays, i](int64_t sign) {
            return Sink([&delays, i, sign](Ptr<const Packet> frame) {
                delays[i] += frame->GetSize() > 1000 ? 0 : sign * Simulator::Now().GetNanoSeconds();
            });
        };
        path.GetDevice(i + 1, 0)->TraceConnectWithoutContext("PhyRxEnd", note(-1));
        path.GetHop(i)->TraceConnectWithoutContext("PhyTxBegin", note(1));
    }
    Simulator::Run();
    for (uint32_t i = 0; i < 5; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(delays[i], 1000 * FIGURE_HOPS[i].delay, "D of hop " << i + 1);
    }
    NS_TEST_ASSERT_MSG_EQ(path.tags[6].size(), 1, "one tag at host 6");
    NS_TEST_EXPECT_MSG_EQ(path.tags[6][0], row.question.answer, "the answer of the path");
    NS_TEST_EXPECT_MSG_EQ(path.tags[0].size(), 0, "none at host 0");
}

// The load of one direction is not seen in the other. Back, the ports are idle: 100, 100, 100, 800
// and 800 Gb/s.
AIDC_TEST_CASE("4.4.4, 5.1: each direction has the signals of its own egress ports")
{
    CsigHelper helper;
    FigurePath path(SwitchDatapath::FAST, "min(ABW)", "Expanded", helper);
    path.Load();
    path.Send(0, PROBE);
    path.Send(6, PROBE);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(path.tags[6].size(), 1, "one tag at host 6");
    NS_TEST_ASSERT_MSG_EQ(path.tags[0].size(), 1, "one tag at host 0");
    // Switch 5 has the device number 5, and its ports 0 and 1 lead up and down.
    NS_TEST_EXPECT_MSG_EQ(path.tags[6][0], MakeTag(0, 2500, 5 << 6 | 1, EXPANDED), "forth");
    NS_TEST_EXPECT_MSG_EQ(path.tags[0][0], MakeTag(0, 12500, 5 << 6 | 0, EXPANDED), "back");
}

AIDC_ADD_TEST_CASES()
{
    const std::vector<Question> questions{
        // By the default buckets 20 Gb/s have the code 14, 12.5 % 9, 18 us 11.
        {"min(ABW)", COMPACT, false, MakeTag(0, 14, COMPACT_LMS[4])},
        {"min(ABW/C)", COMPACT, false, MakeTag(1, 9, COMPACT_LMS[0])},
        {"max(PD)", COMPACT, false, MakeTag(2, 11, COMPACT_LMS[2])},
        {"min(ABW)", COMPACT, true, MakeTag(0, 4, COMPACT_LMS[4])},
        {"min(ABW/C)", COMPACT, true, MakeTag(1, 3, COMPACT_LMS[0])},
        // The 10 us of hop 1 are in the same bucket as the 18 us of hop 3: the first stays.
        {"max(PD)", COMPACT, true, MakeTag(2, 1, COMPACT_LMS[0])},
        // Switch i has the device number i and its port 1. In steps: 20 Gb/s / 8 Mb/s, 12.5 %
        // in millionths, 18,000 / 128 ns.
        {"min(ABW)", EXPANDED, false, MakeTag(0, 2500, 5 << 6 | 1, EXPANDED)},
        {"min(ABW/C)", EXPANDED, false, MakeTag(1, 125000, 1 << 6 | 1, EXPANDED)},
        {"max(PD)", EXPANDED, false, MakeTag(2, 140, 3 << 6 | 1, EXPANDED)},
    };
    for (const auto& question : questions)
    {
        AddTestCases<FigureTestCase>(
            {{question, SwitchDatapath::FAST}, {question, SwitchDatapath::STACK}});
    }
}

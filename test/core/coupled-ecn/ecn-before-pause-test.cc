// SPDX-License-Identifier: GPL-2.0-only

// ECN_Thrd against XOFF: which comes first in the queue of a lossless class. The draft's sections
// 1 and 7: marking is to come before the buffer's own limit, which for RoCEv2 is the pause.

#include "model/core/buffer/buffer-pool.h"
#include "model/core/buffer/ingress-pool.h"
#include "model/core/coupled-ecn/ecn-before-pause.h"
#include "model/core/coupled-ecn/ecn-threshold.h"
#include "test/core/core-test.h"

/// ECN_Thrd of the draft's section 5.2.
std::function<uint64_t(uint64_t)>
CoupledBy(uint64_t offset, uint64_t floor)
{
    return [offset, floor](uint64_t bufThrd) {
        return ComputeEcnThreshold(bufThrd, offset, floor).bytes;
    };
}

/// An ECN_Thrd that follows nothing.
std::function<uint64_t(uint64_t)>
FixedAt(uint64_t bytes)
{
    return [bytes](uint64_t) { return bytes; };
}

struct PauseRow
{
    const char* name;
    double alpha;
    double xoffAlpha;
    uint64_t offset;
    uint32_t paused; //!< by hand, see below
};

class EcnBeforePause : public testing::TestWithParam<PauseRow>
{
};

/*
 * 12 MB shared by nobody else, region A, n ports that fill the queue evenly. With q in the queue,
 * free = B - q. It marks from q = alpha free - Offset on, q = (alpha B - Offset) / (1 + alpha), or,
 * where the physical bound B is less than alpha free, from q = B - Offset on. It pauses from q =
 * n xoffAlpha free on, q = n xoffAlpha B / (1 + n xoffAlpha). So pauses come first for
 *     n < (alpha B - Offset) / (xoffAlpha (B + Offset))
 */
TEST_P(EcnBeforePause, IsTheClosedForm)
{
    const auto& row = GetParam();
    FillingQueue queue;
    queue.shared = 12000000;
    queue.alpha = row.alpha;
    queue.xoffAlpha = row.xoffAlpha;
    queue.ecnThrd = CoupledBy(row.offset, 30000);
    EXPECT_EQ(CountPortsPausedFirst(queue, 64), row.paused);
    EXPECT_EQ(FindEcnBeforePauseError(queue, 64).empty(), row.paused == 0);
}

INSTANTIATE_TEST_SUITE_P(Rows,
                         EcnBeforePause,
                         testing::Values(
                             // n < 1 / 0.125: the chapter on priority flow control, and no Offset
                             PauseRow{"ChapterOfPfc", 1, 0.125, 0, 7},
                             // n < 8
                             PauseRow{"DefaultsWithoutOffset", 8, 1, 0, 7},
                             // n < (96 - 0.159) / 12.159 = 7.88
                             PauseRow{"DefaultsOf100GbpsAnd12us", 8, 1, 159000, 7},
                             // n < (96 - 1) / 13 = 7.31
                             PauseRow{"OffsetOf1MB", 8, 1, 1000000, 7},
                             // The physical bound: it marks from 10 MB on, n < 10 / 2 = 5
                             PauseRow{"OffsetOf2MB", 8, 1, 2000000, 4},
                             // n < 1: equal thresholds
                             PauseRow{"EqualFactors", 1, 1, 0, 0},
                             PauseRow{"EqualFactorsAndOffset", 1, 1, 159000, 0},
                             // n < 0.5
                             PauseRow{"LowerAlpha", 0.5, 1, 0, 0},
                             // n < 2 * (12 / 12.159) - 0.026 = 1.95
                             PauseRow{"TwiceXoff", 2, 1, 159000, 1},
                             // n < (96 - 0.159) / (0.125 * 12.159) = 63.06
                             PauseRow{"LowXoff", 8, 0.125, 159000, 63},
                             PauseRow{"MoreThanAllPorts", 16, 0.125, 0, 64}),
                         [](const auto& row) { return row.param.name; });

TEST(EcnBeforePause, LengthsAreThoseOfTheClosedForm)
{
    FillingQueue queue;
    queue.shared = 12000000;
    queue.alpha = 8;
    queue.ecnThrd = CoupledBy(150000, 30000);
    // (96,000,000 - 150,000) / 9 = 10,650,000, at any number of ports.
    EXPECT_EQ(ComputeFirstMark(queue, 1), 10650000U);
    EXPECT_EQ(ComputeFirstMark(queue, 48), 10650000U);
    // n / (1 + n) of 12 MB.
    EXPECT_EQ(ComputeFirstPause(queue, 1), 6000000U);
    EXPECT_EQ(ComputeFirstPause(queue, 3), 9000000U);
    EXPECT_EQ(ComputeFirstPause(queue, 7), 10500000U);
    // With a cap of 1 MB: 850,000 (A). With 100,000 and a floor of 30,000: 30,000 (B).
    queue.cap = 1000000;
    EXPECT_EQ(ComputeFirstMark(queue, 1), 850000U);
    queue.cap = 100000;
    EXPECT_EQ(ComputeFirstMark(queue, 1), 30000U);
    EXPECT_EQ(CountPortsPausedFirst(queue, 64), 0U);
    EXPECT_EQ(CountPortsPausedFirst(queue, 0), 0U);
}

TEST(EcnBeforePause, SaysBothFactorsAndFromHowManyPortsOnMarkingComesFirst)
{
    FillingQueue queue;
    queue.shared = 12000000;
    queue.alpha = 8;
    queue.ecnThrd = CoupledBy(0, 0);
    const auto text = FindEcnBeforePauseError(queue, 48);
    EXPECT_NE(text.find("Alpha 8 and XoffAlpha 1 "), std::string::npos) << text;
    EXPECT_NE(text.find("up to 7 ingress ports"), std::string::npos) << text;
    EXPECT_NE(text.find("from 8 ports on"), std::string::npos) << text;
    EXPECT_NE(FindEcnBeforePauseError(queue, 5).find("whichever of the 5"), std::string::npos);
}

// 12 MB, XOFF with a factor of 1: n ports are paused at n / (1 + n) of 12 MB: 6, 8, 9 MB... A fixed
// threshold up to 6 MB comes first with any number of ports. 8 MB and a byte: 3 ports fill 9 MB.
TEST(EcnBeforePause, FixedThresholdsAreComparedWithXoff)
{
    FillingQueue queue;
    queue.shared = 12000000;
    queue.fixedBy = "Threshold";
    queue.ecnThrd = FixedAt(6000000);
    EXPECT_EQ(ComputeFirstMark(queue, 1), 6000000U);
    EXPECT_EQ(CountPortsPausedFirst(queue, 48), 0U);
    queue.ecnThrd = FixedAt(6000001);
    EXPECT_EQ(CountPortsPausedFirst(queue, 48), 1U);
    queue.ecnThrd = FixedAt(8000001);
    EXPECT_EQ(CountPortsPausedFirst(queue, 48), 2U);
    const auto text = FindEcnBeforePauseError(queue, 48);
    EXPECT_NE(text.find("With Threshold 8000001B and XoffAlpha 1 "), std::string::npos) << text;
    EXPECT_NE(text.find("a Threshold of at most 6000000B"), std::string::npos) << text;
    queue.ecnThrd = FixedAt(13000000);
    EXPECT_EQ(CountPortsPausedFirst(queue, 48), 48U) << "more than the memory";
}

// 12 MB, alpha 8, three quarters of Buf_Thrd. Up to 10.5 MB in the queue Buf_Thrd is all there is,
// 12 MB, of which three quarters are 9 MB. n ports are paused at n / (1 + n) of 12 MB: 1 at 6 MB, 2
// at 8 MB, 3 at 9 MB.
TEST(EcnBeforePause, SharesOfBufThrdAreComparedWithXoff)
{
    FillingQueue queue;
    queue.shared = 12000000;
    queue.alpha = 8;
    queue.ecnThrd = [](uint64_t bufThrd) { return bufThrd / 4 * 3; };
    EXPECT_EQ(ComputeFirstMark(queue, 1), 9000000U);
    EXPECT_EQ(CountPortsPausedFirst(queue, 48), 2U);
    const auto text = FindEcnBeforePauseError(queue, 48);
    EXPECT_NE(text.find("With Alpha 8 and XoffAlpha 1 "), std::string::npos) << text;
}

/// A lossy queue of a switch of 12 MB, alpha 1: a single busy queue may occupy 6 MB.
ConfiguredMarking
MakeCoupled(uint64_t offset, uint64_t floor)
{
    ConfiguredMarking marking;
    marking.bufferSize = 12000000;
    marking.isCoupled = true;
    marking.offset = offset;
    marking.floor = floor;
    marking.queue.shared = 12000000;
    marking.queue.ecnThrd = CoupledBy(offset, floor);
    return marking;
}

/// A lossless queue of such a switch with 48 ingress ports and a fixed threshold.
ConfiguredMarking
MakeFixed(uint64_t threshold)
{
    ConfiguredMarking marking;
    marking.bufferSize = 12000000;
    marking.queue.shared = 12000000;
    marking.queue.fixedBy = "Threshold";
    marking.queue.ecnThrd = FixedAt(threshold);
    marking.pausedPorts = 48;
    return marking;
}

/// Exactly these warnings are given, of each of which a part is known.
void
ExpectWarnings(const ConfiguredMarking& marking, const std::vector<std::string>& parts)
{
    const auto warnings = FindEcnWarnings(marking);
    EXPECT_EQ(warnings.size(), parts.size());
    for (const auto& part : parts)
    {
        EXPECT_EQ(std::count_if(warnings.begin(),
                                warnings.end(),
                                [&part](const std::string& warning) {
                                    return warning.find(part) != std::string::npos;
                                }),
                  1)
            << part;
    }
}

// Section 9: an Offset above the typical allocation. With q in the queue, Buf_Thrd is 12 MB - q:
// with an Offset of 6,000,001 ECN_Thrd is at or below q from 2 q >= 5,999,999 on.
TEST(EcnWarnings, OffsetAboveTheTypicalAllocation)
{
    ExpectWarnings(MakeCoupled(6000000, 30000), {});
    ExpectWarnings(MakeCoupled(6000001, 30000),
                   {"Offset is 6000001 bytes, more than the 6000000 bytes that a single busy queue "
                    "may occupy; such a queue is marked from 3000000 bytes on"});
    // A static threshold has no Offset.
    auto marking = MakeCoupled(6000001, 30000);
    marking.isCoupled = false;
    ExpectWarnings(marking, {});
}

// 2 MB of its own and half of the other 10 MB: 7 MB. Above its own, Buf_Thrd is 2 MB + 12 MB - q:
// 2 q >= 14,000,000 - 7,000,001. A cap of 1 MB is less than the Offset: region B from the start.
TEST(EcnWarnings, TheTypicalAllocationHasReservedBytesAndACap)
{
    auto marking = MakeCoupled(7000000, 30000);
    marking.queue.reserved = 2000000;
    ExpectWarnings(marking, {});
    marking = MakeCoupled(7000001, 30000);
    marking.queue.reserved = 2000000;
    ExpectWarnings(marking,
                   {"the 7000000 bytes that a single busy queue may occupy; such a queue "
                    "is marked from 3500000 bytes on"});
    marking = MakeCoupled(1000001, 30000);
    marking.queue.cap = 1000000;
    ExpectWarnings(marking,
                   {"the 1000000 bytes that a single busy queue may occupy; such a queue "
                    "is marked from 30000 bytes on"});
}

// Other queues and ports that have bytes set aside change nothing: these come queue by queue.
TEST(EcnWarnings, TheTypicalAllocationIsThatOfAnEmptySwitch)
{
    auto marking = MakeCoupled(6000001, 30000);
    marking.queue.shared = 4000000;
    marking.queue.ingressReserved = 100000;
    ExpectWarnings(marking,
                   {"the 6000000 bytes that a single busy queue may occupy; such a queue "
                    "is marked from 3000000 bytes on"});
}

// Section 9, and region C of section 5.2.
TEST(EcnWarnings, FloorAtTheTypicalAllocation)
{
    ExpectWarnings(MakeCoupled(150000, 5999999), {});
    ExpectWarnings(MakeCoupled(150000, 6000000), {"EcnFloor is 6000000 bytes, not below the"});
    ExpectWarnings(MakeCoupled(6000001, 6000000), {"Offset is 6000001", "EcnFloor is 6000000"});
}

// Sections 1 and 7. XOFF with a factor of 1: one port is paused at 6 MB, 48 at 48 / 49 of 12 MB.
TEST(EcnWarnings, PausesBeforeMarks)
{
    ExpectWarnings(MakeFixed(6000000), {});
    ExpectWarnings(MakeFixed(6000001),
                   {"With Threshold 6000001B and XoffAlpha 1 a lossless queue"});
    ExpectWarnings(MakeFixed(12000000), {"whichever of the 48 ingress ports fill it"});
    ExpectWarnings(MakeFixed(12000001), {}); // above all memory: marks are switched off
    auto lossy = MakeFixed(12000000);
    lossy.pausedPorts = 0;
    ExpectWarnings(lossy, {});
}

// Alpha 16: a single busy queue may occupy 16 / 17 of 12 MB, 11,294,117. Ten ports are paused at 10
// / 11 of 12 MB, 10,909,090, where Buf_Thrd, 16 times 1,090,910 or all memory, is 12 MB.
TEST(EcnWarnings, ACoupledThresholdOfALosslessQueueHasAllOfThem)
{
    auto marking = MakeCoupled(0, 11294117);
    marking.queue.alpha = 16;
    marking.pausedPorts = 10;
    ExpectWarnings(marking,
                   {"EcnFloor is 11294117 bytes",
                    "With Alpha 16 and XoffAlpha 1 a lossless queue pauses before it marks "
                    "whichever of the 10 ingress ports fill it"});
    // With equal factors marking comes first, as the chapter on the threshold says.
    marking = MakeCoupled(150000, 30000);
    marking.pausedPorts = 10;
    ExpectWarnings(marking, {});
}

/// What came first, and when.
struct First
{
    uint64_t mark{0};  //!< bytes in the queue at the first mark, 0 for none
    uint64_t pause{0}; //!< bytes in the queue at the first XOFF, 0 for none
};

/// Fill a queue of a switch, a byte from each port in turn, until it has marked and paused.
First
Fill(const FillingQueue& queue, uint32_t ports)
{
    BufferPool pool(queue.shared + queue.reserved + ports * queue.ingressReserved);
    IngressPool ingress(pool);
    const auto egress = pool.AddQueue();
    BufferLimits limits;
    limits.alpha = queue.alpha;
    limits.reserved = queue.reserved;
    limits.cap = queue.cap;
    limits.chargedElsewhere = true;
    EXPECT_TRUE(pool.SetLimits(egress, limits));
    IngressLimits account;
    account.xoffAlpha = queue.xoffAlpha;
    account.reserved = queue.ingressReserved;
    for (uint32_t port = 0; port < ports; ++port)
    {
        EXPECT_TRUE(ingress.SetLimits(ingress.AddAccount(), account));
    }
    First first;
    for (uint64_t n = 0; first.mark == 0 || first.pause == 0; ++n)
    {
        if (n > pool.GetSize())
        {
            break;
        }
        const auto outcome = ingress.Admit(static_cast<uint32_t>(n % ports), 1);
        pool.Force(egress, 1);
        const uint64_t ecnThrd = queue.ecnThrd(pool.GetThreshold(egress));
        if (first.mark == 0 && pool.GetOccupancy(egress) >= ecnThrd)
        {
            first.mark = n + 1;
        }
        if (first.pause == 0 && outcome.signal == PauseSignal::XOFF)
        {
            first.pause = n + 1;
        }
    }
    return first;
}

/// The computed lengths agree with a switch that is filled, to a byte a port.
RC_GTEST_PROP(EcnBeforePause, AgreesWithASwitchThatIsFilled, ())
{
    FillingQueue queue;
    queue.shared = DrawInRange<uint64_t>(500, 5000);
    queue.alpha = DrawElement({0.125, 0.5, 1.0, 2.0, 8.0, 64.0});
    queue.xoffAlpha = DrawElement({0.0625, 0.125, 0.5, 1.0, 4.0});
    switch (DrawInRange(0, 3))
    {
    case 0:
        queue.ecnThrd = CoupledBy(DrawInRange<uint64_t>(0, 400), DrawInRange<uint64_t>(1, 200));
        break;
    case 1:
        queue.ecnThrd = FixedAt(DrawInRange<uint64_t>(1, 5000));
        break;
    default:
        queue.ecnThrd = [percent = DrawInRange<uint64_t>(1, 101)](uint64_t bufThrd) {
            return bufThrd * percent / 100;
        };
    }
    queue.reserved = DrawElement<uint64_t>({0, 0, 50});
    queue.ingressReserved = DrawElement<uint64_t>({0, 0, 20});
    if (DrawAny<bool>())
    {
        queue.cap = DrawInRange<uint64_t>(100, 3000);
    }
    const auto ports = DrawInRange<uint32_t>(1, 20);
    const auto first = Fill(queue, ports);
    RC_ASSERT(first.pause > 0U);
    const uint64_t pause = ComputeFirstPause(queue, ports);
    RC_ASSERT(std::max(pause, first.pause) - std::min(pause, first.pause) <= ports);
    const uint64_t mark = ComputeFirstMark(queue, ports);
    // Once an account is full, no more is taken from the memory.
    if (first.mark > 0 && first.mark <= first.pause)
    {
        RC_ASSERT(std::max(mark, first.mark) - std::min(mark, first.mark) <= 1U + ports);
    }
    // Who is first, unless they come within a turn of all ports.
    const uint32_t paused = CountPortsPausedFirst(queue, 20);
    const bool isPausedFirst = first.mark == 0 || first.pause < first.mark;
    if (std::max(mark, pause) - std::min(mark, pause) > 2 * ports)
    {
        RC_ASSERT(isPausedFirst == (ports <= paused));
    }
}

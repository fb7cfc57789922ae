// SPDX-License-Identifier: GPL-2.0-only

// What a sender asks for: sections 4.1.3, 4.3.3, 4.4.1 and 6.3.3 of draft-ravi-ippm-csig-01.

#include "model/core/csig/csig-requester.h"
#include "test/core/core-test.h"

using Requests = std::vector<std::optional<uint8_t>>;

constexpr auto NONE = std::nullopt;

/// What the next packets request, each a byte long, all at one time.
Requests
Send(CsigRequester& requester, const CsigRequestPlan& plan, int count, int64_t now = 0)
{
    Requests requests;
    for (int i = 0; i < count; ++i)
    {
        requests.push_back(requester.NextPacket(plan, now, static_cast<uint32_t>(i + 1)));
    }
    return requests;
}

CsigFields
Fields(uint8_t type, uint32_t value)
{
    return {CsigFormat::COMPACT, type, 0, 0, value};
}

/// A flow whose path has just been found not capable.
CsigRequester
MakeStripped(const CsigRequestPlan& plan, int64_t now)
{
    CsigRequester requester;
    for (uint32_t i = 0; i < plan.patience; ++i)
    {
        requester.NextPacket(plan, now, i);
        requester.NoteEmpty(plan, now, i);
    }
    return requester;
}

TEST(CsigRequester, Section433TypesAreRequestedInTurn)
{
    CsigRequestPlan plan;
    plan.types = {2, 0, 1};
    CsigRequester requester;
    EXPECT_EQ(Send(requester, plan, 7), (Requests{2, 0, 1, 2, 0, 1, 2}));
}

TEST(CsigRequester, Section433EveryNthPacketIsTagged)
{
    CsigRequestPlan plan;
    plan.types = {0, 2};
    plan.period = 3;
    CsigRequester requester;
    EXPECT_EQ(Send(requester, plan, 8), (Requests{0, NONE, NONE, 2, NONE, NONE, 0, NONE}));
}

TEST(CsigRequester, Section433NewestSignalOfEachTypeIsKept)
{
    CsigRequester requester;
    EXPECT_EQ(requester.GetSignal(0), nullptr);
    requester.NoteSignal(Fields(0, 5), 10);
    requester.NoteSignal(Fields(2, 6), 20);
    requester.NoteSignal(Fields(0, 7), 30);
    ASSERT_NE(requester.GetSignal(0), nullptr);
    EXPECT_EQ(requester.GetSignal(0)->fields, Fields(0, 7));
    EXPECT_EQ(requester.GetSignal(0)->time, 30);
    ASSERT_NE(requester.GetSignal(2), nullptr);
    EXPECT_EQ(requester.GetSignal(2)->fields, Fields(2, 6));
    EXPECT_EQ(requester.GetSignal(2)->time, 20);
    EXPECT_EQ(requester.GetSignal(1), nullptr);
    EXPECT_EQ(requester.GetSignal(255), nullptr);
}

TEST(CsigRequester, Section633ValidReflectionSaysThatThePathIsCapable)
{
    CsigRequester requester;
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
    requester.NoteSignal(Fields(0, 5), 10);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::CAPABLE);
}

TEST(CsigRequester, Section633EmptyReflectionsSayThatThePathIsNotCapable)
{
    const CsigRequestPlan plan; // patience 3
    CsigRequester requester;
    for (uint32_t i = 1; i <= 3; ++i)
    {
        EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN) << i;
        EXPECT_EQ(requester.NextPacket(plan, 0, i), 0);
        requester.NoteEmpty(plan, 0, i);
    }
    EXPECT_EQ(requester.GetCapability(), CsigCapability::NOT_CAPABLE);
    EXPECT_EQ(requester.NextPacket(plan, 0, 4), NONE);
}

TEST(CsigRequester, Section633EmptyReflectionsOfUntaggedPacketsDoNotCount)
{
    CsigRequestPlan plan;
    plan.period = 10;
    CsigRequester requester;
    EXPECT_EQ(requester.NextPacket(plan, 0, 1000), 0);
    // Of what was sent before, and wrapped around
    for (const uint32_t acknowledged : {0U, 1U, 999U, 0xFFFFFF00U})
    {
        for (int i = 0; i < 10; ++i)
        {
            requester.NoteEmpty(plan, 0, acknowledged);
        }
    }
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
    // One strike for one tagged packet, however many acknowledgements follow
    for (uint32_t acknowledged = 1000; acknowledged < 1010; ++acknowledged)
    {
        requester.NoteEmpty(plan, 0, acknowledged);
    }
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
}

TEST(CsigRequester, Section633PositionsWrapAround)
{
    CsigRequestPlan plan;
    plan.patience = 1;
    CsigRequester requester;
    requester.NextPacket(plan, 0, 0xFFFFFFF0U);
    requester.NoteEmpty(plan, 0, 0x10); // 32 bytes further
    EXPECT_EQ(requester.GetCapability(), CsigCapability::NOT_CAPABLE);
}

TEST(CsigRequester, Section633ValidReflectionClearsStrikes)
{
    const CsigRequestPlan plan; // patience 3
    CsigRequester requester;
    for (uint32_t i = 0; i < 30; ++i)
    {
        requester.NextPacket(plan, 0, i);
        if (i % 3 == 2)
        {
            requester.NoteSignal(Fields(0, 1), 0);
        }
        else
        {
            requester.NoteEmpty(plan, 0, i);
        }
    }
    EXPECT_EQ(requester.GetCapability(), CsigCapability::CAPABLE);
}

TEST(CsigRequester, Section633CapablePathCanBecomeNotCapable)
{
    const CsigRequestPlan plan;
    CsigRequester requester;
    requester.NoteSignal(Fields(0, 1), 0);
    for (uint32_t i = 0; i < 3; ++i)
    {
        requester.NextPacket(plan, 0, i);
        requester.NoteEmpty(plan, 0, i);
    }
    EXPECT_EQ(requester.GetCapability(), CsigCapability::NOT_CAPABLE);
}

TEST(CsigRequester, Section633WithoutPositionsTheAnswerHasToBeLateEnough)
{
    CsigRequestPlan plan;
    plan.patience = 1;
    plan.reflectionDelay = 100;
    CsigRequester requester;
    requester.NextPacket(plan, 1000, 0);
    requester.NextPacket(plan, 1050, 0);
    requester.NoteEmpty(plan, 1099, std::nullopt);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
    requester.NoteEmpty(plan, 1100, std::nullopt);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::NOT_CAPABLE);
}

TEST(CsigRequester, Section633PathIsTriedAgainAfterAnInterval)
{
    CsigRequestPlan plan;
    plan.retryInterval = 500;
    auto requester = MakeStripped(plan, 1000);
    EXPECT_EQ(Send(requester, plan, 3, 1499), (Requests{NONE, NONE, NONE}));
    EXPECT_EQ(requester.NextPacket(plan, 1500, 100), 0);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
    // One strike is enough now, and the interval begins anew.
    requester.NoteEmpty(plan, 1600, 100);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::NOT_CAPABLE);
    EXPECT_EQ(requester.NextPacket(plan, 2099, 101), NONE);
    EXPECT_EQ(requester.NextPacket(plan, 2100, 102), 0);
    // This time it works, and the patience is back.
    requester.NoteSignal(Fields(0, 1), 2200);
    requester.NextPacket(plan, 2300, 103);
    requester.NoteEmpty(plan, 2300, 103);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::CAPABLE);
}

TEST(CsigRequester, Section633TheFirstPacketTriesThePathAgain)
{
    CsigRequestPlan plan;
    plan.period = 10;
    plan.patience = 1;
    CsigRequester requester;
    requester.NextPacket(plan, 0, 1);
    requester.NoteEmpty(plan, 0, 1);
    EXPECT_EQ(requester.NextPacket(plan, plan.retryInterval, 2), 0);
    EXPECT_EQ(requester.NextPacket(plan, plan.retryInterval, 3), NONE);
}

TEST(CsigRequester, Section633APacketWhoseTagHasComeBackIsNotWatched)
{
    CsigRequestPlan plan;
    plan.patience = 1;
    CsigRequester requester;
    requester.NextPacket(plan, 0, 1);
    requester.NoteSignal(Fields(0, 1), 0);
    requester.NoteEmpty(plan, 0, 1); // of an untagged packet that came later
    EXPECT_EQ(requester.GetCapability(), CsigCapability::CAPABLE);
}

TEST(CsigRequester, Section633LateSignalProvesThePath)
{
    const CsigRequestPlan plan;
    auto requester = MakeStripped(plan, 0);
    requester.NoteSignal(Fields(0, 1), 1);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::CAPABLE);
    EXPECT_EQ(requester.NextPacket(plan, 1, 1), 0);
}

TEST(CsigRequester, Section632CapabilityIsThatOfASignal)
{
    CsigRequestPlan plan; // patience 3
    plan.types = {0, 2};
    CsigRequester requester;
    for (uint32_t i = 1; i < 10; ++i)
    {
        const auto type = requester.NextPacket(plan, 0, i);
        ASSERT_TRUE(type) << i;
        if (*type == 0)
        {
            requester.NoteSignal(Fields(0, 1), 0);
            requester.NoteOther(plan, 0, 0, i);
        }
        else
        {
            requester.NoteEmpty(plan, 0, i); // devices strip tags of type 2
        }
    }
    EXPECT_EQ(requester.GetCapability(0), CsigCapability::CAPABLE);
    EXPECT_EQ(requester.GetCapability(2), CsigCapability::NOT_CAPABLE);
    EXPECT_EQ(requester.GetCapability(1), CsigCapability::UNKNOWN);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::CAPABLE);
    EXPECT_EQ(Send(requester, plan, 3), (Requests{0, 0, 0}));
    // After the interval, both are asked for again.
    EXPECT_EQ(Send(requester, plan, 2, plan.retryInterval), (Requests{2, 0}));
}

TEST(CsigRequester, Section632ReflectionsOfOtherSignalsTellOfASignalThatIsStripped)
{
    CsigRequestPlan plan;
    plan.types = {0, 2};
    plan.patience = 1;
    CsigRequester requester;
    EXPECT_EQ(Send(requester, plan, 2), (Requests{0, 2})); // end at 1 and 2
    requester.NoteSignal(Fields(0, 1), 0);
    requester.NoteOther(plan, 0, 0, 1);
    EXPECT_EQ(requester.GetCapability(2), CsigCapability::UNKNOWN) << "not acknowledged";
    requester.NoteOther(plan, 0, 0, 2);
    EXPECT_EQ(requester.GetCapability(2), CsigCapability::UNKNOWN) << "its turn may be the next";
    requester.NoteOther(plan, 0, 0, 2);
    EXPECT_EQ(requester.GetCapability(2), CsigCapability::NOT_CAPABLE);
    EXPECT_EQ(requester.GetCapability(0), CsigCapability::CAPABLE);
}

TEST(CsigRequester, Section631PacketsThatVanishAreStrikes)
{
    const CsigRequestPlan plan; // patience 3
    CsigRequester requester;
    EXPECT_EQ(Send(requester, plan, 5), (Requests{0, 0, 0, 0, 0})); // the first is watched
    requester.NoteRepeat(plan, 0, 1, 2);
    EXPECT_EQ(requester.NextPacket(plan, 0, 6), 0) << "the second one says nothing";
    requester.NoteRepeat(plan, 0, 1, 1);
    EXPECT_EQ(Send(requester, plan, 3, 10), (Requests{0, NONE, NONE})) << "one at a time";
    requester.NoteRepeat(plan, 20, 100, 50); // covers position 1
    EXPECT_EQ(Send(requester, plan, 3, 30), (Requests{0, NONE, NONE}));
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
    requester.NoteRepeat(plan, 40, 1, 1);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::NOT_CAPABLE);
    EXPECT_EQ(Send(requester, plan, 3, 50), (Requests{NONE, NONE, NONE}));
}

TEST(CsigRequester, Section631ASignalEndsTheSuspicion)
{
    const CsigRequestPlan plan;
    CsigRequester requester;
    Send(requester, plan, 1);
    requester.NoteRepeat(plan, 0, 1, 1);
    EXPECT_EQ(Send(requester, plan, 2), (Requests{0, NONE}));
    requester.NoteSignal(Fields(0, 1), 0);
    EXPECT_EQ(Send(requester, plan, 3), (Requests{0, 0, 0}));
}

TEST(CsigRequester, Section631TrialsThatVanishAreMadeEverMoreRarely)
{
    CsigRequestPlan plan;
    plan.patience = 1;
    plan.retryInterval = 100;
    CsigRequester requester;
    requester.NextPacket(plan, 0, 1);
    requester.NoteRepeat(plan, 0, 1, 1);
    int64_t stop = 0;
    // 100 ns, 200, ..., 102400 and no more
    for (const int64_t wait :
         {100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 102400, 102400})
    {
        EXPECT_EQ(requester.NextPacket(plan, stop + wait - 1, 1), NONE) << wait;
        EXPECT_EQ(requester.NextPacket(plan, stop + wait, 1), 0) << wait;
        stop += wait;
        requester.NoteRepeat(plan, stop, 1, 1);
    }
    // Where tags are stripped and packets arrive, nothing is lost by a trial.
    EXPECT_EQ(requester.NextPacket(plan, stop + 102400, 1), 0);
    stop += 102400;
    requester.NoteEmpty(plan, stop, 1);
    EXPECT_EQ(requester.NextPacket(plan, stop + 100, 1), 0);
}

TEST(CsigRequester, Section631ANewConnectionIsNotWatchedAtPositionsOfAnOldOne)
{
    CsigRequestPlan plan;
    plan.patience = 1;
    CsigRequester requester;
    requester.NextPacket(plan, 0, 1);
    requester.Restart();
    requester.NoteEmpty(plan, 0, 1);
    EXPECT_EQ(requester.GetCapability(), CsigCapability::UNKNOWN);
}

// The types of which the path is capable take turns, whatever comes back: between two requests of
// one, each of the others is requested, or the path has just been found not capable of it.
RC_GTEST_PROP(CsigRequester, Section433EveryTypeIsRequestedEquallyOften, ())
{
    CsigRequestPlan plan;
    plan.types.clear();
    const auto count = DrawInRange(1, 5);
    for (int i = 0; i < count; ++i)
    {
        plan.types.push_back(static_cast<uint8_t>(i));
    }
    plan.period = DrawInRange(1U, 4U);
    plan.patience = DrawInRange(1U, 4U);
    plan.retryInterval = 5;
    const bool isLossy = DrawAny<bool>();
    CsigRequester requester;
    int last = count - 1;
    for (int64_t now = 0; now < 200; ++now)
    {
        std::vector<bool> isStopped;
        for (const auto type : plan.types)
        {
            isStopped.push_back(requester.GetCapability(type) == CsigCapability::NOT_CAPABLE);
        }
        const auto request = requester.NextPacket(plan, now, static_cast<uint32_t>(now));
        if (request)
        {
            for (int next = (last + 1) % count; next != *request; next = (next + 1) % count)
            {
                RC_ASSERT(isStopped[static_cast<std::size_t>(next)]);
            }
            last = *request;
        }
        switch (DrawInRange(0, 3))
        {
        case 0:
            if (isLossy)
            {
                requester.NoteEmpty(plan, now, static_cast<uint32_t>(now));
            }
            break;
        case 1:
            requester.NoteSignal(Fields(static_cast<uint8_t>(DrawInRange(0, count)), 1), now);
            break;
        default:
            break;
        }
    }
}

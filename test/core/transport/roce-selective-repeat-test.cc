// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/transport/roce-requester.h"
#include "test/core/core-test.h"

using Range = RoceSelectiveRepeat::Range;

class RoceSelectiveRepeatTest : public ::testing::Test
{
  protected:
    static RoceSettings MakeSettings()
    {
        RoceSettings settings;
        settings.maxPackets = 16;
        return settings;
    }

    /// Takes all packets that are to be repeated.
    std::vector<uint64_t> TakeAll(const Range& range)
    {
        std::vector<uint64_t> taken;
        for (uint64_t next = repeat.GetNext(range); next < range.end; next = repeat.GetNext(range))
        {
            taken.push_back(next);
            repeat.NotifyRepeated(next, next + 1);
        }
        return taken;
    }

    RoceSelectiveRepeat repeat{MakeSettings()};
};

TEST_F(RoceSelectiveRepeatTest, WhatIsMissingBelowAnArrivalIsRepeatedOnce)
{
    const Range range{10, 20};
    EXPECT_FALSE(repeat.IsRecovering());
    EXPECT_EQ(repeat.GetNext(range), range.end);
    const auto arrival = repeat.NotifyArrival(13, range);
    EXPECT_TRUE(arrival.isNew);
    EXPECT_TRUE(arrival.isLoss);
    EXPECT_EQ(TakeAll(range), (std::vector<uint64_t>{10, 11, 12}));
    const auto again = repeat.NotifyArrival(13, range);
    EXPECT_FALSE(again.isNew);
    EXPECT_FALSE(again.isLoss);
    repeat.NotifyArrival(15, range); // 14 is missing, too
    EXPECT_EQ(TakeAll(range), (std::vector<uint64_t>{14}));
}

TEST_F(RoceSelectiveRepeatTest, ItIsOverWhenAllThatWasInFlightIsAcknowledged)
{
    repeat.NotifyArrival(13, {10, 20});
    repeat.NotifyAcknowledged(10, 19);
    EXPECT_TRUE(repeat.IsRecovering());
    repeat.NotifyAcknowledged(19, 20);
    EXPECT_FALSE(repeat.IsRecovering());
}

TEST_F(RoceSelectiveRepeatTest, LossesOfPacketsThatWereSentMeanwhileProlongIt)
{
    repeat.NotifyArrival(13, {10, 20});
    EXPECT_TRUE(repeat.NotifyArrival(22, {10, 25}).isLoss);
    repeat.NotifyAcknowledged(10, 21);
    EXPECT_TRUE(repeat.IsRecovering());
    repeat.NotifyAcknowledged(21, 25);
    EXPECT_FALSE(repeat.IsRecovering());
}

// RFC 8985, section 7.3: the probe is the packet with the highest number. Its arrival out of order
// tells what is missing before it; its acknowledgment ends the matter.
TEST_F(RoceSelectiveRepeatTest, Rfc8985AProbeIsTheNewestPacketOnce)
{
    const Range range{10, 20};
    repeat.Probe(range);
    EXPECT_FALSE(repeat.IsRecovering());
    EXPECT_EQ(TakeAll(range), (std::vector<uint64_t>{19}));
    EXPECT_TRUE(repeat.NotifyArrival(19, range).isLoss);
    EXPECT_EQ(TakeAll(range), (std::vector<uint64_t>{10, 11, 12, 13, 14, 15, 16, 17, 18}));
    repeat.NotifyAcknowledged(10, 20);
    EXPECT_FALSE(repeat.IsRecovering());
}

TEST_F(RoceSelectiveRepeatTest, AProbeThatIsNotNeededAnyMoreIsNotSent)
{
    repeat.Probe({10, 20});
    repeat.NotifyAcknowledged(10, 20);
    EXPECT_EQ(TakeAll({20, 25}), (std::vector<uint64_t>{}));
    repeat.NotifyArrival(23, {20, 25}); // while packets are repeated, there is none
    repeat.Probe({20, 25});
    EXPECT_EQ(TakeAll({20, 25}), (std::vector<uint64_t>{20, 21, 22}));
}

TEST_F(RoceSelectiveRepeatTest, AProbeAfterATimeoutOfTheSamePacketsIsSentOnce)
{
    const Range range{10, 12};
    repeat.HandleTimeout(range);
    EXPECT_EQ(TakeAll(range), (std::vector<uint64_t>{10, 11}));
    repeat.NotifyAcknowledged(10, 12);
    repeat.Probe({12, 14});
    EXPECT_EQ(TakeAll({12, 14}), (std::vector<uint64_t>{13}));
    EXPECT_EQ(TakeAll({12, 14}), (std::vector<uint64_t>{}));
}

TEST_F(RoceSelectiveRepeatTest, ATimeoutRepeatsAllThatIsNotKnownToHaveArrived)
{
    const Range range{10, 16};
    repeat.NotifyArrival(12, range);
    repeat.NotifyArrival(14, range);
    repeat.HandleTimeout(range); // something has arrived since the loss was seen
    repeat.HandleTimeout(range);
    EXPECT_EQ(TakeAll(range), (std::vector<uint64_t>{10, 11, 13, 15}));
    repeat.Forget();
    EXPECT_FALSE(repeat.IsRecovering());
    repeat.HandleTimeout(range);
    EXPECT_EQ(TakeAll(range).size(), 6U);
}

/// The timer of a repeat that was lost expires while packets are under way.
TEST_F(RoceSelectiveRepeatTest, ATimeoutDoesNotRepeatWhatMayBeUnderWay)
{
    repeat.NotifyArrival(12, {10, 16});
    EXPECT_EQ(TakeAll({10, 16}), (std::vector<uint64_t>{10, 11}));
    repeat.NotifyArrival(13, {10, 22});
    repeat.NotifyArrival(15, {10, 24});
    EXPECT_EQ(TakeAll({10, 24}), (std::vector<uint64_t>{14}));
    repeat.HandleTimeout({10, 24});
    EXPECT_EQ(TakeAll({10, 24}), (std::vector<uint64_t>{10, 11, 14, 23}))
        << "16 to 22 may be on the way; 23 is the probe";
    // The oldest one arrives, and starts the timer again; then nothing more comes.
    repeat.NotifyAcknowledged(10, 11);
    repeat.HandleTimeout({11, 24});
    EXPECT_EQ(TakeAll({11, 24}), (std::vector<uint64_t>{11, 14, 16, 17, 18, 19, 20, 21, 22, 23}));
}

/// The end of a message is lost, and so is the repeat of an older packet.
TEST_F(RoceSelectiveRepeatTest, AProbeTellsWhatIsMissingOfTheEnd)
{
    repeat.NotifyArrival(12, {10, 16});
    EXPECT_EQ(TakeAll({10, 16}), (std::vector<uint64_t>{10, 11}));
    repeat.NotifyArrival(13, {10, 20});
    repeat.HandleTimeout({10, 20});
    EXPECT_EQ(TakeAll({10, 20}), (std::vector<uint64_t>{10, 11, 19}));
    repeat.NotifyAcknowledged(10, 14);
    repeat.NotifyArrival(19, {14, 20});
    EXPECT_EQ(TakeAll({14, 20}), (std::vector<uint64_t>{14, 15, 16, 17, 18}));
}

TEST_F(RoceSelectiveRepeatTest, NumbersThatCannotHaveArrivedAreIgnored)
{
    for (const uint64_t sequence : {5, 10, 20, 26})
    {
        const auto arrival = repeat.NotifyArrival(sequence, {10, sequence == 26 ? 30U : 20U});
        EXPECT_FALSE(arrival.isNew || arrival.isLoss) << sequence;
    }
}

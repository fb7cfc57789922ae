// SPDX-License-Identifier: GPL-2.0-only

// The timers of a session: RFC 5880, sections 6.8.2 to 6.8.4 and 6.8.7, poll sequences of
// section 6.5. Random sessions over a link that loses packets come up again, and detect its failure
// in time.

#include "bfd-session-bench.h"
#include "test/core/core-test.h"

using State = BfdState;

/// A session that is Up, after a neighbor's packet of some multiplier and intervals.
BfdSession
MakeUp(const BfdSessionSettings& settings, uint8_t multiplier, uint32_t tx, uint32_t rx)
{
    BfdSession session(settings, 1);
    BfdActions actions;
    session.Start(actions);
    BfdPacket packet = MakeBfdPacket(State::INIT, 1);
    packet.detectMultiplier = multiplier;
    packet.desiredMinTx = tx;
    packet.requiredMinRx = rx;
    session.Receive(packet, actions);
    packet.state = State::UP;
    packet.isFinal = true;
    session.Receive(packet, actions);
    EXPECT_EQ(session.GetState(), State::UP);
    EXPECT_FALSE(session.IsPolling());
    return session;
}

TEST(BfdTimers, Section682IntervalsOfBothSidesAreNegotiated)
{
    const BfdSession equal = MakeUp({50000, 50000, 3}, 3, 50000, 50000);
    EXPECT_EQ(equal.GetTransmissionInterval(), 50000U);
    EXPECT_EQ(equal.GetDetectionTime(), 150000U);
    const BfdSession unequal = MakeUp({300000, 200000, 3}, 4, 100000, 400000);
    EXPECT_EQ(unequal.GetTransmissionInterval(), 400000U);
    EXPECT_EQ(unequal.GetDetectionTime(), 800000U);
    const BfdSession largest = MakeUp({~0U, ~0U, 255}, 255, ~0U, ~0U);
    EXPECT_EQ(largest.GetTransmissionInterval(), 4294967295U);
    EXPECT_EQ(largest.GetDetectionTime(), 1095216660225U);
}

TEST(BfdTimers, Section683WhatIsNotUpSendsAtMostOnceASecond)
{
    BfdSession session({50000, 50000, 3}, 1);
    BfdActions actions;
    session.Start(actions);
    ASSERT_EQ(GetSent(actions).size(), 1U);
    EXPECT_EQ(GetSent(actions)[0].desiredMinTx, 1000000U);
    EXPECT_EQ(GetSent(actions)[0].requiredMinRx, 50000U);
    EXPECT_EQ(session.GetTransmissionInterval(), 1000000U);
    session.Receive(MakeBfdPacket(State::DOWN, 0), actions);
    EXPECT_EQ(session.GetState(), State::INIT);
    EXPECT_EQ(session.GetTransmissionInterval(), 1000000U);
    EXPECT_EQ(session.GetDetectionTime(), 3000000U) << "of a neighbor that is Down, too";
    BfdSession slow({2000000, 50000, 3}, 1);
    slow.Start(actions);
    EXPECT_EQ(slow.GetTransmissionInterval(), 2000000U);
}

TEST(BfdTimers, Section683ASessionThatComesUpPollsAtOnce)
{
    BfdSession session({50000, 50000, 3}, 1);
    BfdActions actions;
    session.Start(actions);
    actions.clear();
    session.Receive(MakeBfdPacket(State::INIT, 1), actions);
    const auto sent = GetSent(actions);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_TRUE(sent[0].isPoll);
    EXPECT_EQ(sent[0].desiredMinTx, 50000U);
    actions.clear();
    session.ExpireTransmission(actions);
    EXPECT_TRUE(GetSent(actions)[0].isPoll) << "until the answer comes";
    session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
    actions.clear();
    session.ExpireTransmission(actions);
    EXPECT_FALSE(GetSent(actions)[0].isPoll);
}

TEST(BfdTimers, Section683LongerTransmissionIntervalWaitsForTheFinal)
{
    BfdSession session = MakeUp({50000, 50000, 3}, 3, 50000, 50000);
    BfdActions actions;
    session.SetSettings({200000, 50000, 3}, actions);
    EXPECT_TRUE(session.IsPolling());
    EXPECT_TRUE(GetSent(actions).empty()) << "section 6.5: no additional packets";
    EXPECT_EQ(session.GetTransmissionInterval(), 50000U);
    session.ExpireTransmission(actions);
    EXPECT_TRUE(GetSent(actions).back().isPoll);
    EXPECT_EQ(GetSent(actions).back().desiredMinTx, 200000U) << "it is told before it is used";
    session.Receive(MakeBfdPacket(State::UP, 1), actions);
    EXPECT_EQ(session.GetTransmissionInterval(), 50000U) << "any other packet is no answer";
    session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
    EXPECT_EQ(session.GetTransmissionInterval(), 200000U);
    EXPECT_FALSE(session.IsPolling());
}

TEST(BfdTimers, Section683ShorterDetectionTimeWaitsForTheFinal)
{
    BfdSession session = MakeUp({50000, 200000, 3}, 3, 50000, 50000);
    BfdActions actions;
    EXPECT_EQ(session.GetDetectionTime(), 600000U);
    session.SetSettings({50000, 50000, 3}, actions);
    EXPECT_TRUE(session.IsPolling());
    EXPECT_EQ(session.GetDetectionTime(), 600000U);
    session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
    EXPECT_EQ(session.GetDetectionTime(), 150000U);
}

TEST(BfdTimers, Section683OtherChangesTakeEffectAtOnce)
{
    BfdSession session = MakeUp({100000, 50000, 3}, 3, 50000, 50000);
    BfdActions actions;
    session.SetSettings({60000, 200000, 3}, actions);
    EXPECT_TRUE(session.IsPolling());
    EXPECT_EQ(session.GetTransmissionInterval(), 60000U);
    EXPECT_EQ(session.GetDetectionTime(), 600000U);
    session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
    EXPECT_EQ(session.GetTransmissionInterval(), 60000U);
    session.SetSettings({60000, 200000, 5}, actions);
    EXPECT_FALSE(session.IsPolling()) << "the multiplier needs no poll sequence";
}

TEST(BfdTimers, Section65AChangeDuringAPollSequenceNeedsAnother)
{
    BfdSession session = MakeUp({50000, 50000, 3}, 3, 50000, 50000);
    BfdActions actions;
    session.SetSettings({200000, 50000, 3}, actions);
    session.SetSettings({400000, 50000, 3}, actions);
    session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
    EXPECT_TRUE(session.IsPolling());
    EXPECT_EQ(session.GetTransmissionInterval(), 50000U) << "the answer may be to the first one";
    session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
    EXPECT_FALSE(session.IsPolling());
    EXPECT_EQ(session.GetTransmissionInterval(), 400000U);
}

TEST(BfdTimers, Section687ANeighborThatTakesNothingGetsNothing)
{
    BfdSession session = MakeUp({50000, 50000, 3}, 3, 50000, 50000);
    BfdActions actions;
    BfdPacket packet = MakeBfdPacket(State::UP, 1);
    packet.requiredMinRx = 0;
    session.Receive(packet, actions);
    EXPECT_EQ(session.GetTransmissionInterval(), 0U);
    actions.clear();
    session.ExpireTransmission(actions);
    EXPECT_TRUE(GetSent(actions).empty());
    packet.isPoll = true;
    session.Receive(packet, actions);
    EXPECT_EQ(GetSent(actions).size(), 1U) << "but polls are answered";
    session.Receive(MakeBfdPacket(State::UP, 1), actions);
    EXPECT_EQ(session.GetTransmissionInterval(), 50000U);
}

TEST(BfdTimers, Section687ANeighborInDemandModeGetsNothingWhileBothAreUp)
{
    BfdSession session = MakeUp({50000, 50000, 3}, 3, 50000, 50000);
    BfdActions actions;
    BfdPacket packet = MakeBfdPacket(State::UP, 1);
    packet.isDemand = true;
    session.Receive(packet, actions);
    EXPECT_EQ(session.GetTransmissionInterval(), 0U);
    session.SetSettings({60000, 50000, 3}, actions);
    EXPECT_GT(session.GetTransmissionInterval(), 0U) << "except in a poll sequence";
    packet.state = State::DOWN;
    session.Receive(packet, actions);
    EXPECT_GT(session.GetTransmissionInterval(), 0U) << "nor is it Down a demand";
}

TEST(BfdTimers, Section687IntervalsHaveJitter)
{
    EXPECT_EQ(GetBfdMaxJitter(1), 0.9);
    EXPECT_EQ(GetBfdMaxJitter(2), 1);
    EXPECT_EQ(GetBfdMaxJitter(255), 1);
    for (const uint8_t multiplier : {uint8_t{1}, uint8_t{3}})
    {
        std::mt19937 engine(7);
        std::uniform_real_distribution<double> uniform(0, 1);
        const BfdSessionSettings settings{50000, 50000, multiplier};
        BfdPair pair(settings, settings, [&] { return uniform(engine); });
        pair.RunUntil(2000000);
        pair.ends[0].sent.clear();
        pair.RunUntil(202000000);
        std::vector<int64_t> gaps;
        for (std::size_t i = 1; i < pair.ends[0].sent.size(); ++i)
        {
            gaps.push_back(pair.ends[0].sent[i].time - pair.ends[0].sent[i - 1].time);
        }
        const double mean =
            std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size());
        EXPECT_GE(*std::min_element(gaps.begin(), gaps.end()), 37499);
        EXPECT_LE(*std::max_element(gaps.begin(), gaps.end()), multiplier == 1 ? 45000 : 50000);
        EXPECT_NEAR(mean, multiplier == 1 ? 41250 : 43750, 200) << +multiplier;
    }
}

TEST(BfdTimers, Section684SilenceIsDetectedAfterTheDetectionTimeAndNeverBefore)
{
    const BfdSessionSettings settings{50000, 50000, 3};
    BfdPair pair(settings, settings);
    pair.RunUntil(1000000);
    ASSERT_EQ(pair.ends[0].session.GetState(), State::UP);
    ASSERT_EQ(pair.ends[1].session.GetState(), State::UP);
    pair.loses[0] = true;
    const int64_t last = pair.ends[1].lastReceived;
    pair.RunUntil(last + 149999);
    EXPECT_EQ(pair.ends[1].session.GetState(), State::UP);
    pair.RunUntil(last + 150000);
    EXPECT_EQ(pair.ends[1].session.GetState(), State::DOWN);
    EXPECT_EQ(pair.ends[1].session.GetDiagnostic(), BfdDiagnostic::DETECTION_TIME_EXPIRED);
    pair.RunUntil(last + 150010);
    EXPECT_EQ(pair.ends[0].session.GetState(), State::DOWN) << "it is told by the other direction";
    EXPECT_EQ(pair.ends[0].session.GetDiagnostic(), BfdDiagnostic::NEIGHBOR_SIGNALED_DOWN);
    pair.loses[0] = false;
    pair.RunUntil(last + 3000000);
    EXPECT_EQ(pair.ends[0].session.GetState(), State::UP);
    EXPECT_EQ(pair.ends[1].session.GetState(), State::UP);
}

RC_GTEST_PROP(BfdTimers, RandomSessionsComeUpAndDetectFailuresInTime, ())
{
    Draw draw;
    const auto make = [&draw] {
        BfdSessionSettings settings;
        settings.desiredMinTx = draw(1000, 3000000);
        settings.requiredMinRx = draw(1000, 3000000);
        settings.detectMultiplier = static_cast<uint8_t>(draw(1, 6));
        return settings;
    };
    BfdPair pair(make(), make(), [&draw] { return draw(0, 1001) / 1000.0; });
    pair.delay = draw(1, 400);
    // A link that loses packets in bursts, with changes of settings and administrative states
    const auto steps = draw(1, 20);
    for (uint32_t step = 0; step < steps; ++step)
    {
        const std::size_t end = draw(0, 2);
        switch (draw(0, 4))
        {
        case 0:
            pair.loses[end] = !pair.loses[end];
            break;
        case 1: {
            const auto settings = make();
            pair.Do(end, [&](BfdActions& actions) {
                pair.ends[end].session.SetSettings(settings, actions);
            });
            break;
        }
        case 2:
            pair.Do(end, [&](BfdActions& actions) {
                pair.ends[end].session.SetAdminDown(draw(0, 2) == 0, actions);
            });
            break;
        default:
            break;
        }
        pair.RunUntil(pair.now + draw(1, 5000000));
        for (const auto& one : pair.ends)
        {
            for (const auto& sent : one.sent)
            {
                RC_ASSERT(!(sent.packet.isPoll && sent.packet.isFinal));
                RC_ASSERT(sent.packet.state == State::UP || sent.packet.desiredMinTx >= 1000000);
            }
        }
    }
    // A link that works brings both up, whatever has happened.
    for (std::size_t end = 0; end < 2; ++end)
    {
        pair.loses[end] = false;
        pair.Do(end,
                [&](BfdActions& actions) { pair.ends[end].session.SetAdminDown(false, actions); });
    }
    pair.RunUntil(pair.now + 60000000);
    for (auto& end : pair.ends)
    {
        RC_ASSERT(end.session.GetState() == State::UP);
        RC_ASSERT(!end.session.IsPolling());
        RC_ASSERT(!end.session.HasFailed());
        end.changes.clear();
    }
    pair.RunUntil(pair.now + 100000000);
    for (const auto& end : pair.ends)
    {
        RC_ASSERT(end.changes.empty()); // and they stay up
    }
    // What one end sends is lost: the other one notices after its detection time.
    const std::size_t silent = draw(0, 2);
    pair.loses[silent] = true;
    auto& other = pair.ends[1 - silent];
    pair.RunUntil(pair.now + pair.delay); // what was under way
    if (other.session.GetState() == State::UP)
    {
        const int64_t due =
            other.lastReceived + static_cast<int64_t>(other.session.GetDetectionTime());
        pair.RunUntil(due);
        RC_ASSERT(!other.changes.empty());
        RC_ASSERT(other.changes[0].state == State::DOWN);
        RC_ASSERT(other.changes[0].time == due);
    }
}

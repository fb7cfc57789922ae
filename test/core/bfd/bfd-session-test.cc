// SPDX-License-Identifier: GPL-2.0-only

// The state machine of a session: RFC 5880, section 6.8.6, state by state; poll sequences, section
// 6.5; administrative state, section 6.8.16. The handshake is from a capture between bfdd of FRR
// 8.4.4 and BIRD 2.0.12.

#include "bfd-session-bench.h"
#include "test/core/core-test.h"
#include "test/core/hex-bytes.h"

using State = BfdState;
using Diagnostic = BfdDiagnostic;

/// A session that was brought into a state by packets.
BfdSession
MakeSession(State state, const BfdSessionSettings& settings = {})
{
    BfdSession session(settings, 1);
    BfdActions actions;
    session.Start(actions);
    switch (state)
    {
    case State::ADMIN_DOWN:
        session.SetAdminDown(true, actions);
        break;
    case State::DOWN:
        break;
    case State::INIT:
        session.Receive(MakeBfdPacket(State::DOWN, 0), actions);
        break;
    case State::UP:
        session.Receive(MakeBfdPacket(State::INIT, 1), actions);
        session.Receive(MakeBfdPacket(State::UP, 1, FINAL), actions);
        break;
    }
    EXPECT_EQ(session.GetState(), state);
    return session;
}

/// What follows from an event in a state.
struct Row
{
    State before;
    State received;
    State after;
    Diagnostic diagnostic;
};

TEST(BfdSession, Section686StatesFollowTheNeighborsState)
{
    const Row rows[] = {
        {State::DOWN, State::ADMIN_DOWN, State::DOWN, Diagnostic::NONE},
        {State::DOWN, State::DOWN, State::INIT, Diagnostic::NONE},
        {State::DOWN, State::INIT, State::UP, Diagnostic::NONE},
        {State::DOWN, State::UP, State::DOWN, Diagnostic::NONE},
        {State::INIT, State::ADMIN_DOWN, State::DOWN, Diagnostic::NEIGHBOR_SIGNALED_DOWN},
        {State::INIT, State::DOWN, State::INIT, Diagnostic::NONE},
        {State::INIT, State::INIT, State::UP, Diagnostic::NONE},
        {State::INIT, State::UP, State::UP, Diagnostic::NONE},
        {State::UP, State::ADMIN_DOWN, State::DOWN, Diagnostic::NEIGHBOR_SIGNALED_DOWN},
        {State::UP, State::DOWN, State::DOWN, Diagnostic::NEIGHBOR_SIGNALED_DOWN},
        {State::UP, State::INIT, State::UP, Diagnostic::NONE},
        {State::UP, State::UP, State::UP, Diagnostic::NONE},
    };
    for (const Row& row : rows)
    {
        BfdSession session = MakeSession(row.before);
        BfdActions actions;
        EXPECT_EQ(session.Receive(MakeBfdPacket(row.received, 1), actions), BfdDiscard::NONE);
        const std::string what =
            std::string(GetBfdStateName(row.before)) + " gets " + GetBfdStateName(row.received);
        EXPECT_EQ(session.GetState(), row.after) << what;
        EXPECT_EQ(session.GetDiagnostic(), row.diagnostic) << what;
        const auto sent = GetSent(actions);
        if (row.before == row.after)
        {
            EXPECT_TRUE(sent.empty()) << what << ": nothing outside of the timer";
        }
        else
        {
            ASSERT_EQ(sent.size(), 1U) << what << ": told at once (section 6.8.7)";
            EXPECT_EQ(sent[0].state, row.after) << what;
            EXPECT_EQ(sent[0].diagnostic, static_cast<uint8_t>(row.diagnostic)) << what;
        }
    }
}

TEST(BfdSession, Section684DetectionTimeExpires)
{
    for (const State before : {State::DOWN, State::INIT, State::UP})
    {
        BfdSession session = MakeSession(before);
        BfdActions actions;
        if (before == State::DOWN)
        {
            session.Receive(MakeBfdPacket(State::UP, 1), actions); // which changes nothing
            actions.clear();
        }
        EXPECT_EQ(session.GetRemoteDiscriminator(), REMOTE);
        session.ExpireDetection(actions);
        EXPECT_EQ(session.GetState(), State::DOWN);
        EXPECT_EQ(session.GetRemoteDiscriminator(), 0U) << "section 6.8.1, in any state";
        EXPECT_EQ(session.GetDiagnostic(),
                  before == State::DOWN ? Diagnostic::NONE : Diagnostic::DETECTION_TIME_EXPIRED);
        EXPECT_EQ(GetSent(actions).size(), before == State::DOWN ? 0U : 1U);
    }
}

TEST(BfdSession, DiagnosticStaysUntilTheNextWayDown)
{
    BfdSession session = MakeSession(State::UP);
    BfdActions actions;
    session.ExpireDetection(actions);
    session.Receive(MakeBfdPacket(State::DOWN, 0), actions);
    session.Receive(MakeBfdPacket(State::UP, 1), actions);
    EXPECT_EQ(session.GetState(), State::UP);
    EXPECT_EQ(session.GetDiagnostic(), Diagnostic::DETECTION_TIME_EXPIRED);
    EXPECT_EQ(GetSent(actions).back().diagnostic, 1);
    session.Receive(MakeBfdPacket(State::DOWN, 1), actions);
    EXPECT_EQ(GetSent(actions).back().diagnostic, 3);
}

TEST(BfdSession, Section686AuthenticatedPacketsChangeNothing)
{
    BfdSession session = MakeSession(State::UP);
    BfdActions actions;
    BfdPacket packet = MakeBfdPacket(State::DOWN, 1, POLL);
    packet.isAuthenticated = true;
    packet.myDiscriminator = 77;
    EXPECT_EQ(session.Receive(packet, actions), BfdDiscard::AUTHENTICATED);
    EXPECT_TRUE(actions.empty());
    EXPECT_EQ(session.GetState(), State::UP);
    EXPECT_EQ(session.GetRemoteState(), State::UP);
    EXPECT_EQ(session.GetRemoteDiscriminator(), REMOTE);
}

TEST(BfdSession, Section686PollIsAnsweredAtOnceWithFinal)
{
    for (const State state : {State::DOWN, State::INIT, State::UP})
    {
        BfdSession session = MakeSession(state);
        BfdActions actions;
        session.Receive(MakeBfdPacket(State::UP, 1, POLL), actions);
        const BfdPacket answer = GetSent(actions).back();
        EXPECT_TRUE(answer.isFinal && !answer.isPoll);
        EXPECT_EQ(answer.state, session.GetState()) << "after the state machine";
        for (const BfdAction& action : actions)
        {
            EXPECT_FALSE(action.type == BfdActionType::SEND && action.packet.isFinal &&
                         action.isPeriodic)
                << "outside of the timer";
        }
    }
    BfdSession session = MakeSession(State::ADMIN_DOWN);
    BfdActions actions;
    EXPECT_EQ(session.Receive(MakeBfdPacket(State::UP, 1, POLL), actions), BfdDiscard::ADMIN_DOWN);
    EXPECT_TRUE(GetSent(actions).empty()) << "nor in AdminDown";
}

TEST(BfdSession, PollAndFinalTogetherAreBothTaken)
{
    BfdSession session = MakeSession(State::DOWN);
    BfdActions actions;
    session.Receive(MakeBfdPacket(State::INIT, 1), actions);
    EXPECT_TRUE(session.IsPolling());
    actions.clear();
    session.Receive(MakeBfdPacket(State::UP, 1, POLL | FINAL), actions);
    EXPECT_FALSE(session.IsPolling());
    ASSERT_EQ(GetSent(actions).size(), 1U);
    EXPECT_TRUE(GetSent(actions)[0].isFinal);
    EXPECT_FALSE(GetSent(actions)[0].isPoll);
}

TEST(BfdSession, HandshakeIsThatOfBird)
{
    BfdSession bird({50000, 50000, 3}, 0xa3e2b48c);
    BfdActions actions;
    const auto receive = [&bird, &actions](const std::string& octets) {
        const Bytes bytes = ParseHex(octets);
        BfdPacket packet;
        ASSERT_EQ(DecodeBfdPacket(bytes.data(), bytes.size(), packet), BfdDiscard::NONE);
        ASSERT_EQ(bird.Receive(packet, actions), BfdDiscard::NONE);
    };
    bird.Start(actions);
    receive("2080031825963f52a3e2b48c000f4240000f42400000c350");
    receive("20e0031825963f52a3e2b48c0000c3500000c3500000c350");
    receive("20d0031825963f52a3e2b48c0000c3500000c3500000c350");
    bird.ExpireTransmission(actions);
    receive("20c0031825963f52a3e2b48c0000c3500000c3500000c350");
    bird.ExpireDetection(actions);
    const std::vector<std::string> expected{"20400318a3e2b48c00000000000f42400000c35000000000",
                                            "20e00318a3e2b48c25963f520000c3500000c35000000000",
                                            "20d00318a3e2b48c25963f520000c3500000c35000000000",
                                            "20c00318a3e2b48c25963f520000c3500000c35000000000",
                                            "21400318a3e2b48c00000000000f42400000c35000000000"};
    const auto sent = GetSent(actions);
    ASSERT_EQ(sent.size(), expected.size());
    for (std::size_t i = 0; i < sent.size(); ++i)
    {
        const auto bytes = EncodeBfdPacket(sent[i]);
        EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), ParseHex(expected[i])) << i;
    }
}

TEST(BfdSession, Section61PassiveSessionSpeaksWhenSpokenTo)
{
    BfdSessionSettings settings;
    settings.isPassive = true;
    BfdSession session(settings, 1);
    BfdActions actions;
    session.Start(actions);
    session.ExpireTransmission(actions);
    EXPECT_TRUE(actions.empty());
    session.Receive(MakeBfdPacket(State::DOWN, 0), actions);
    EXPECT_EQ(GetSent(actions).size(), 1U);
    EXPECT_EQ(session.GetTransmissionInterval(), 1000000U);
    actions.clear();
    session.ExpireDetection(actions);
    EXPECT_TRUE(GetSent(actions).empty()) << "section 6.8.7: nothing without a discriminator";
    EXPECT_EQ(session.GetTransmissionInterval(), 0U);
}

TEST(BfdSession, Section6816AdminDownIsToldAndPacketsAreDiscarded)
{
    BfdSession session = MakeSession(State::UP);
    BfdActions actions;
    session.SetAdminDown(true, actions);
    const auto told = GetSent(actions);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].state, State::ADMIN_DOWN);
    EXPECT_EQ(told[0].diagnostic, 7);
    EXPECT_GT(session.GetTransmissionInterval(), 0U) << "and goes on being told";
    EXPECT_EQ(session.GetDetectionTime(), 0U);
    for (const State state : {State::ADMIN_DOWN, State::DOWN, State::INIT, State::UP})
    {
        actions.clear();
        EXPECT_EQ(session.Receive(MakeBfdPacket(state, 1), actions), BfdDiscard::ADMIN_DOWN);
        EXPECT_EQ(session.GetState(), State::ADMIN_DOWN);
        EXPECT_TRUE(GetSent(actions).empty());
    }
    actions.clear();
    session.SetAdminDown(false, actions);
    EXPECT_EQ(session.GetState(), State::DOWN);
    ASSERT_EQ(GetSent(actions).size(), 1U);
    EXPECT_EQ(GetSent(actions)[0].yourDiscriminator, 0U) << "nobody has watched the neighbor";
    session.Receive(MakeBfdPacket(State::DOWN, 0), actions);
    EXPECT_EQ(session.GetState(), State::INIT);
}

TEST(BfdSession, Rfc5882Section32OnlyALostSessionIsAFailure)
{
    BfdActions actions;
    BfdSession never = MakeSession(State::INIT);
    never.ExpireDetection(actions);
    EXPECT_FALSE(never.HasFailed()) << "it has never been Up";

    BfdSession session = MakeSession(State::UP);
    EXPECT_FALSE(session.HasFailed());
    session.ExpireDetection(actions);
    EXPECT_TRUE(session.HasFailed());
    session.Receive(MakeBfdPacket(State::DOWN, 0), actions);
    EXPECT_TRUE(session.HasFailed()) << "Init is not enough";
    session.Receive(MakeBfdPacket(State::INIT, 1), actions);
    EXPECT_FALSE(session.HasFailed());
    session.Receive(MakeBfdPacket(State::DOWN, 1), actions);
    EXPECT_TRUE(session.HasFailed()) << "the neighbor has lost it";
    session.Receive(MakeBfdPacket(State::ADMIN_DOWN, 1), actions);
    EXPECT_FALSE(session.HasFailed()) << "and is now administratively down";

    BfdSession told = MakeSession(State::UP);
    told.Receive(MakeBfdPacket(State::ADMIN_DOWN, 1), actions);
    EXPECT_EQ(told.GetState(), State::DOWN);
    EXPECT_FALSE(told.HasFailed());
    BfdSession own = MakeSession(State::UP);
    own.SetAdminDown(true, actions);
    EXPECT_FALSE(own.HasFailed());
}

TEST(BfdSession, WrongSettingsAreRefused)
{
    EXPECT_THROW(BfdSession({0, 50000, 3}, 1), std::invalid_argument);
    EXPECT_THROW(BfdSession({50000, 50000, 0}, 1), std::invalid_argument);
    EXPECT_THROW(BfdSession({50000, 50000, 3}, 0), std::invalid_argument);
    EXPECT_NO_THROW(BfdSession({50000, 0, 3}, 1));
}

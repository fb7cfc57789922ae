// SPDX-License-Identifier: GPL-2.0-only

// Which marks of a router become notifications: draft-hu-rtgwg-pre-ecn-wan-01, sections 3.2.2.1 and
// 3.2.2.2.

#include "model/core/pre-ecn/notification-gate.h"
#include "test/core/core-test.h"

using Result = NotificationVerdict;
constexpr auto LIGHT = CongestionSeverity::LIGHT;
constexpr auto SEVERE = CongestionSeverity::SEVERE;

FlowKey
MakeFlow(uint16_t port)
{
    return {1, 2, port, 4791, 17};
}

TEST(NotificationGate, OnePassesInAnIntervalForEachFlow)
{
    NotificationGate gate;
    const auto pass = [&gate](uint16_t port, int64_t now) {
        return gate.Pass(MakeFlow(port), LIGHT, now, 1000, 100);
    };
    EXPECT_EQ(pass(1, 0), Result::SEND);
    EXPECT_EQ(pass(1, 0), Result::SUPPRESSED);
    EXPECT_EQ(pass(2, 1), Result::SEND);
    EXPECT_EQ(pass(1, 999), Result::SUPPRESSED);
    EXPECT_EQ(pass(1, 1000), Result::SEND);
    EXPECT_EQ(pass(2, 1000), Result::SUPPRESSED);
    EXPECT_EQ(pass(2, 1001), Result::SEND);
    EXPECT_EQ(pass(1, 1999), Result::SUPPRESSED) << "the interval begins with the last one";
    EXPECT_EQ(pass(1, 100000), Result::SEND);
}

TEST(NotificationGate, Section3222LightThatTurnsSevereIsToldAtOnce)
{
    NotificationGate gate;
    const auto pass = [&gate](CongestionSeverity severity, int64_t now) {
        return gate.Pass(MakeFlow(1), severity, now, 1000, 100);
    };
    EXPECT_EQ(pass(LIGHT, 0), Result::SEND);
    EXPECT_EQ(pass(SEVERE, 1), Result::SEND);
    EXPECT_EQ(pass(SEVERE, 2), Result::SUPPRESSED);
    EXPECT_EQ(pass(LIGHT, 500), Result::SUPPRESSED);
    EXPECT_EQ(pass(LIGHT, 1000), Result::SUPPRESSED) << "the severe one was later";
    EXPECT_EQ(pass(LIGHT, 1001), Result::SEND);
    EXPECT_EQ(pass(SEVERE, 1002), Result::SEND);
    EXPECT_EQ(gate.Pass(MakeFlow(2), LIGHT, 1003, 1000, 2), Result::SEND) << "one of two flows";
}

TEST(NotificationGate, FlowsAreForgottenAndMemoryIsBounded)
{
    NotificationGate gate;
    for (uint16_t port = 1; port <= 10; ++port)
    {
        EXPECT_EQ(gate.Pass(MakeFlow(port), LIGHT, port, 1000, 10), Result::SEND);
    }
    EXPECT_EQ(gate.Pass(MakeFlow(11), SEVERE, 11, 1000, 10), Result::FULL);
    EXPECT_EQ(gate.Pass(MakeFlow(10), SEVERE, 11, 1000, 10), Result::SEND) << "it has its room";
    EXPECT_EQ(gate.Pass(MakeFlow(11), LIGHT, 1000, 1000, 10), Result::FULL);
    EXPECT_EQ(gate.Pass(MakeFlow(11), LIGHT, 1001, 1000, 10), Result::SEND) << "the first is over";
    EXPECT_EQ(gate.Pass(MakeFlow(12), LIGHT, 1001, 1000, 10), Result::FULL);
    EXPECT_EQ(gate.Pass(MakeFlow(12), LIGHT, 5000, 1000, 1), Result::SEND) << "all are over";
    EXPECT_EQ(gate.Pass(MakeFlow(13), LIGHT, 5000, 1000, 1), Result::FULL);
}

// Against a gate that remembers everything and looks at all of it
RC_GTEST_PROP(NotificationGate, PassesWhatARememberingOnePasses, ())
{
    struct Mark
    {
        uint16_t port;
        bool isSevere;
        int64_t wait;
    };

    NotificationGate gate;
    std::map<uint16_t, std::pair<int64_t, CongestionSeverity>> last;
    const auto interval = DrawInRange<int64_t>(1, 50);
    int64_t now = 0;
    const auto count = DrawInRange(1, 200);
    for (int i = 0; i < count; ++i)
    {
        const Mark mark{DrawInRange<uint16_t>(1, 6),
                        DrawInRange(0, 3) == 0,
                        DrawInRange<int64_t>(0, 20)};
        now += mark.wait;
        const auto severity = mark.isSevere ? SEVERE : LIGHT;
        const auto found = last.find(mark.port);
        const bool expected = found == last.end() || now - found->second.first >= interval ||
                              severity > found->second.second;
        const auto result = gate.Pass(MakeFlow(mark.port), severity, now, interval, 5);
        RC_ASSERT((result == Result::SEND) == expected);
        if (expected)
        {
            last[mark.port] = {now, severity};
        }
    }
}

// SPDX-License-Identifier: GPL-2.0-only

// What is done about congestion, and how soon again:
// draft-li-rtgwg-congestion-aware-flowset-switching-00, sections 1, 3.2, 3.3 and 5.2.3.

#include "flow-set-switch.h"
#include "test/core/core-test.h"

// --- 1 and 3.2: what the draft argues against ---

TEST(FlowSetSwitching, Section32FullSwitchMovesAllFlowSetsOfAPort)
{
    FlowSetSwitchingSettings settings;
    settings.strategy = FlowSetSwitchingSettings::FULL_SWITCH;
    Switch s(3, settings);
    for (uint32_t hash = 0; hash < 40; ++hash)
    {
        s.Learn(hash, 0);
    }
    s.switching.GetPorts().Advertise(0, 2, 0);
    s.switching.GetPorts().Advertise(1, 1, 0);
    for (uint32_t hash = 0; hash < 40; ++hash)
    {
        ExpectDecision(s.Send(hash), FlowSetAction::MIGRATE, 2, 0); // all to the smallest CQI
    }
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 40U); // beyond the bound of section 5.2.3
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi, 0U);
}

TEST(FlowSetSwitching, Section32FullSwitchKeepsRule3)
{
    FlowSetSwitchingSettings settings;
    settings.strategy = FlowSetSwitchingSettings::FULL_SWITCH;
    Switch s(2, settings);
    s.Learn(1, 0);
    ExpectDecision(s.Send(1), FlowSetAction::KEEP, 0, 0);
}

// A flow set that is used stays for ever; one that ages out is learned again, by rule 1.
TEST(FlowSetSwitching, Section1NoSwitchKeepsThePortUntilTheEntryAgesOut)
{
    FlowSetSwitchingSettings settings;
    settings.strategy = FlowSetSwitchingSettings::NO_SWITCH;
    Switch s(2, settings);
    s.Learn(1, 0);
    for (int i = 0; i < 10; ++i)
    {
        s.switching.GetPorts().Advertise(0, 16, 0);
        s.now += AGEING;
        ExpectDecision(s.Send(1), FlowSetAction::STAY_OFF, 0, 0);
    }
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 0U);
    s.now += AGEING + 1;
    ExpectDecision(s.Send(1), FlowSetAction::LEARN, 1, NONE);
}

TEST(FlowSetSwitching, Section1NoSwitchStillLeavesAFailedPort)
{
    FlowSetSwitchingSettings settings;
    settings.strategy = FlowSetSwitchingSettings::NO_SWITCH;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.switching.GetPorts().SetUp(0, false);
    ExpectDecision(s.Send(1), FlowSetAction::REROUTE, 1, 0);
}

// --- 3.3: "avoid congestion transfer and resource fluctuation" ---

/// One flow set on two ports. In each of 12 intervals of 10 ns, the port that it is on has the
/// larger CQI, as the congestion goes with it.
std::vector<FlowSetAction>
FollowCongestion(const FlowSetSwitchingSettings& settings, uint32_t smaller, uint32_t larger)
{
    Switch s(2, settings);
    s.Learn(1, 0);
    std::vector<FlowSetAction> actions;
    uint32_t port = 0;
    for (int i = 0; i < 12; ++i)
    {
        s.now += 10;
        s.switching.GetPorts().Advertise(port, larger, 0);
        s.switching.GetPorts().Advertise(1 - port, smaller, 0);
        const auto decision = s.Send(1);
        actions.push_back(decision.action);
        port = decision.port;
    }
    return actions;
}

constexpr auto MOVE = FlowSetAction::MIGRATE;       //!< to the other port
constexpr auto STAY = FlowSetAction::STAY_SMALLEST; //!< because the other one is hardly better
constexpr auto HELD = FlowSetAction::STAY_HELD;     //!< because of the hold-down

TEST(FlowSetSwitching, Section33WithoutADampingAFlowSetFlaps)
{
    EXPECT_EQ(FollowCongestion({}, 1, 2), std::vector<FlowSetAction>(12, MOVE));
}

TEST(FlowSetSwitching, Section33HysteresisIgnoresSmallDifferences)
{
    FlowSetSwitchingSettings settings;
    settings.hysteresis = 2;
    EXPECT_EQ(FollowCongestion(settings, 1, 2), std::vector<FlowSetAction>(12, STAY));
    EXPECT_EQ(FollowCongestion(settings, 1, 3), std::vector<FlowSetAction>(12, STAY));
    EXPECT_EQ(FollowCongestion(settings, 1, 4), std::vector<FlowSetAction>(12, MOVE));
}

// Moves at 10, 50 and 90 ns: 40 ns after the last one it may go again, 30 ns after it may not.
TEST(FlowSetSwitching, Section33HoldDownKeepsAFlowSetWhereItHasGone)
{
    FlowSetSwitchingSettings settings;
    settings.holdDown = 40;
    EXPECT_EQ(FollowCongestion(settings, 1, 2),
              (std::vector<FlowSetAction>{MOVE,
                                          HELD,
                                          HELD,
                                          HELD,
                                          MOVE,
                                          HELD,
                                          HELD,
                                          HELD,
                                          MOVE,
                                          HELD,
                                          HELD,
                                          HELD}));
}

TEST(FlowSetSwitching, Section33HoldDownIsOfTheFlowSetThatHasMoved)
{
    FlowSetSwitchingSettings settings;
    settings.holdDown = 40;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.Learn(2, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    EXPECT_EQ(s.Send(1).action, MOVE);
    s.switching.GetPorts().Advertise(0, 1, 0);
    EXPECT_EQ(s.Send(2).action, MOVE);
}

TEST(FlowSetSwitching, Section33HoldDownDoesNotHoldBackTheRoutingAroundFailures)
{
    FlowSetSwitchingSettings settings;
    settings.holdDown = 40;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    EXPECT_EQ(s.Send(1).action, MOVE);
    s.switching.GetPorts().SetUp(1, false);
    ExpectDecision(s.Send(1), FlowSetAction::REROUTE, 0, 1);
}

TEST(FlowSetSwitching, Section33HoldDownEndsWithTheEntry)
{
    FlowSetSwitchingSettings settings;
    settings.holdDown = 4 * AGEING;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    EXPECT_EQ(s.Send(1).action, MOVE);
    s.now += AGEING + 1;
    s.depths = {0, 10};
    s.switching.GetPorts().Advertise(0, 0, 0);
    ExpectDecision(s.Send(1), FlowSetAction::LEARN, 0, NONE); // another flow, perhaps
    s.switching.GetPorts().Advertise(0, 1, 0);
    EXPECT_EQ(s.Send(1).action, MOVE);
}

TEST(FlowSetSwitching, Section33MovesAreNotedWhereThereIsAHoldDown)
{
    Switch without(2);
    FlowSetSwitchingSettings settings;
    settings.holdDown = 40;
    Switch with(2, settings);
    for (Switch* s : {&without, &with})
    {
        s->Learn(1, 0);
        s->switching.GetPorts().Advertise(0, 1, 0);
        EXPECT_EQ(s->Send(1).action, MOVE);
    }
    EXPECT_EQ(without.table.GetLastMove(without.table.Get(1, 0)), FlowSetTable::LONG_AGO);
    EXPECT_EQ(with.table.GetLastMove(with.table.Get(1, 0)), 0);
}

TEST(FlowSetSwitching, Section93RefusesAnImpossibleDamping)
{
    FlowSetSwitchingSettings settings;
    settings.holdDown = -1;
    EXPECT_THROW(CheckSettings(settings), std::invalid_argument);
    settings.holdDown = 0;
    settings.hysteresis = 256;
    EXPECT_THROW(CheckSettings(settings), std::invalid_argument);
    settings.hysteresis = 255;
    EXPECT_NO_THROW(CheckSettings(settings));
}

// SPDX-License-Identifier: GPL-2.0-only

// What ports are ranked by: draft-li-rtgwg-congestion-aware-flowset-switching-00, sections 5.2.1
// and 5.2.2.

#include "flow-set-switch.h"
#include "test/core/core-test.h"

/// Make the choices of a literal reader.
FlowSetSwitchingSettings
MakeLiteral()
{
    FlowSetSwitchingSettings settings;
    settings.ranksByBudget = true;
    return settings;
}

/// Three ports: 0 with a CQI of 2 and flows 0 and 1, which leave; 1 with flow 2; 2 beside them.
void
SpendBudget(Switch& s, uint32_t cqi1, uint32_t cqi2)
{
    s.Learn(0, 0);
    s.Learn(1, 0);
    s.Learn(2, 1);
    s.switching.GetPorts().Advertise(0, 2, 0);
    s.switching.GetPorts().Advertise(1, 0, 0);
    s.switching.GetPorts().Advertise(2, 0, 0);
    ASSERT_EQ(s.Send(0).action, FlowSetAction::MIGRATE);
    ASSERT_EQ(s.Send(1).action, FlowSetAction::MIGRATE);
    ASSERT_EQ(s.switching.GetPorts().Get(0).cqi, 0U);
    s.switching.GetPorts().Advertise(1, cqi1, 0);
    s.switching.GetPorts().Advertise(2, cqi2, 0);
}

// Port 0 was assessed at 2 and has nothing left to give; port 2 was assessed at 1.
TEST(FlowSetSwitching, Section521Rule1DoesNotTakeASpentPortForAnEmptyOne)
{
    Switch s(3);
    SpendBudget(s, 1, 1);
    s.depths = {0, 9, 5}; // of equal CQIs the shorter queue counts
    ExpectDecision(s.Send(3), FlowSetAction::LEARN, 2, NONE);
}

TEST(FlowSetSwitching, Section521Rule1TakesASpentPortForAnEmptyOneToTheLetter)
{
    Switch s(3, MakeLiteral());
    SpendBudget(s, 1, 1);
    s.depths = {100, 9, 5};
    ExpectDecision(s.Send(3), FlowSetAction::LEARN, 0, NONE);
}

TEST(FlowSetSwitching, Section521Rule2DoesNotTakeASpentPortForAnEmptyOne)
{
    Switch s(3);
    SpendBudget(s, 3, 1);
    s.switching.GetPorts().SetUp(1, false);
    ExpectDecision(s.Send(2), FlowSetAction::REROUTE, 2, 1);

    Switch literal(3, MakeLiteral());
    SpendBudget(literal, 3, 1);
    literal.switching.GetPorts().SetUp(1, false);
    ExpectDecision(literal.Send(2), FlowSetAction::REROUTE, 0, 1);
}

TEST(FlowSetSwitching, Section522Step1DoesNotTakeASpentPortForAnEmptyOne)
{
    Switch s(3);
    SpendBudget(s, 3, 1);
    ExpectDecision(s.Send(2), FlowSetAction::MIGRATE, 2, 1);

    Switch literal(3, MakeLiteral());
    SpendBudget(literal, 3, 1);
    ExpectDecision(literal.Send(2), FlowSetAction::MIGRATE, 0, 1);
}

// Both ports at 3: neither has a smaller CQI, however often packets come.
TEST(FlowSetSwitching, Section522EquallyCongestedPortsExchangeNothing)
{
    Switch s(2);
    s.Learn(0, 0);
    s.Learn(1, 1);
    s.switching.GetPorts().Advertise(0, 3, 0);
    s.switching.GetPorts().Advertise(1, 3, 0);
    for (uint32_t packet = 0; packet < 10; ++packet)
    {
        EXPECT_EQ(s.Send(packet % 2).action, FlowSetAction::STAY_SMALLEST);
    }
}

/// Send a packet of each of five flows of port 0, whose CQI is 5 beside a port of CQI 3.
std::vector<FlowSetAction>
LeaveFiveForThree(const FlowSetSwitchingSettings& settings)
{
    Switch s(2, settings);
    for (uint32_t hash = 0; hash < 6; ++hash)
    {
        s.Learn(hash, 0);
    }
    s.switching.GetPorts().Advertise(0, 5, 0);
    s.switching.GetPorts().Advertise(1, 3, 0);
    std::vector<FlowSetAction> actions;
    for (uint32_t hash = 0; hash < 6; ++hash)
    {
        actions.push_back(s.Send(hash).action);
    }
    return actions;
}

// As assessed, 3 is smaller than 5 for the whole interval: 5 flow sets go, as section 5.2.3 allows.
TEST(FlowSetSwitching, Section522MigratesUpToTheBudget)
{
    std::vector<FlowSetAction> expected(5, FlowSetAction::MIGRATE);
    expected.push_back(FlowSetAction::STAY_BUDGET);
    EXPECT_EQ(LeaveFiveForThree({}), expected);
}

// To the letter, both are at 3 after two migrations.
TEST(FlowSetSwitching, Section522StopsWhereTheCqisMeetToTheLetter)
{
    std::vector<FlowSetAction> expected(2, FlowSetAction::MIGRATE);
    expected.resize(6, FlowSetAction::STAY_SMALLEST);
    EXPECT_EQ(LeaveFiveForThree(MakeLiteral()), expected);
}

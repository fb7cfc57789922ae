// SPDX-License-Identifier: GPL-2.0-only

// Adaptive flow table migration: draft-li-rtgwg-congestion-aware-flowset-switching-00, sections
// 5.1.3, 5.2, 6.2, 7.1, 7.2, 8 and 9.

#include "flow-set-switch.h"
#include "test/core/core-test.h"

#include <type_traits>

// --- 5.1.3, 6.2, 7.1: the port status table ---

TEST(FlowSetSwitching, Section62PortStatusHasTheFieldsOfTheDraft)
{
    Switch s(3);
    s.switching.GetPorts().Advertise(2, 7, 12345);
    s.switching.GetPorts().SetUp(1, false);
    EXPECT_EQ(s.switching.GetPorts().Get(2).port, 2U);
    EXPECT_TRUE(s.switching.GetPorts().Get(2).isUp);
    EXPECT_EQ(s.switching.GetPorts().Get(2).cqi, 7U);
    EXPECT_EQ(s.switching.GetPorts().Get(2).queueDepth, 12345U);
    EXPECT_EQ(s.switching.GetPorts().Get(1).port, 1U);
    EXPECT_FALSE(s.switching.GetPorts().Get(1).isUp);
}

TEST(FlowSetSwitching, Section71CqiOfAllPortsIs0AtStartUp)
{
    Switch s(3);
    for (const auto port : s.ports)
    {
        EXPECT_EQ(s.switching.GetPorts().Get(port).cqi, 0U);
        s.switching.GetPorts().Advertise(port, 5, 100);
    }
    s.switching.GetPorts().SetUp(1, false);
    s.switching.Initialize();
    for (const auto port : s.ports)
    {
        EXPECT_EQ(s.switching.GetPorts().Get(port).cqi, 0U);
        EXPECT_EQ(s.switching.GetPorts().Get(port).initialCqi, 0U);
        EXPECT_EQ(s.switching.GetPorts().Get(port).queueDepth, 0U);
        EXPECT_EQ(s.switching.GetPorts().GetMigrations(port), 0U);
    }
    EXPECT_FALSE(s.switching.GetPorts().Get(1).isUp); // what fails does not come back by it
}

TEST(FlowSetSwitching, Section513AdvertisementGivesAFreshBudget)
{
    Switch s(2);
    s.Learn(1, 0);
    s.Learn(2, 0);
    s.switching.GetPorts().Advertise(0, 1, 100);
    EXPECT_EQ(s.Send(1).action, FlowSetAction::MIGRATE);
    EXPECT_EQ(s.Send(2).action, FlowSetAction::STAY_BUDGET);
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 1U);
    s.switching.GetPorts().Advertise(0, 1, 100);
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 0U);
    EXPECT_EQ(s.Send(2).action, FlowSetAction::MIGRATE);
}

TEST(FlowSetSwitching, Section92PortStatusIsReadOnly)
{
    using Row = decltype(std::declval<const FlowSetSwitching&>().GetPorts().Get(0));
    EXPECT_TRUE(std::is_const_v<std::remove_reference_t<Row>>);
}

TEST(FlowSetSwitching, Section93RefusesPortsThatAreNotThere)
{
    Switch s(2);
    EXPECT_TRUE(s.switching.GetPorts().Has(1));
    EXPECT_FALSE(s.switching.GetPorts().Has(2));
    EXPECT_THROW(s.switching.GetPorts().Get(2), std::invalid_argument);
    EXPECT_THROW(s.switching.GetPorts().GetMigrations(2), std::invalid_argument);
    EXPECT_THROW(s.switching.GetPorts().SetUp(2, true), std::invalid_argument);
    EXPECT_THROW(s.switching.GetPorts().Advertise(2, 1, 0), std::invalid_argument);
    EXPECT_THROW(s.switching.GetPorts().Add(1), std::invalid_argument);
    EXPECT_THROW(s.switching.GetPorts().Add(65536), std::invalid_argument);
    s.switching.GetPorts().Add(65535);
    EXPECT_TRUE(s.switching.GetPorts().Has(65535));
    EXPECT_FALSE(s.switching.GetPorts().Has(65534)); // a place in the table is no port
    EXPECT_THROW(s.switching.GetPorts().Get(65534), std::invalid_argument);
}

TEST(FlowSetSwitching, Section93RefusesImpossibleConfigurations)
{
    EXPECT_NO_THROW(CheckSettings(FlowSetSwitchingSettings{}));
    FlowSetSwitchingSettings settings;
    settings.flowletGap = -1;
    EXPECT_THROW(CheckSettings(settings), std::invalid_argument);
    EXPECT_THROW(FlowSetSwitching{settings}, std::invalid_argument);
    settings = {};
    settings.migrationPeriod = 0;
    EXPECT_THROW(CheckSettings(settings), std::invalid_argument);
}

TEST(FlowSetSwitching, Section93ConfigurationChangesBetweenPackets)
{
    Switch s(2);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 5, 0);
    FlowSetSwitchingSettings settings;
    settings.flowletGap = 10;
    s.switching.SetSettings(settings);
    ExpectDecision(s.Send(1), FlowSetAction::STAY_FLOWLET, 0, 0);
    settings.flowletGap = -1;
    EXPECT_THROW(s.switching.SetSettings(settings), std::invalid_argument);
    ExpectDecision(s.Send(1), FlowSetAction::STAY_FLOWLET, 0, 0);
    s.switching.SetSettings({});
    ExpectDecision(s.Send(1), FlowSetAction::MIGRATE, 1, 0);
    EXPECT_EQ(s.switching.GetPorts().Get(0).initialCqi, 5U);
}

// --- 5.2.1, rule 1 ---

TEST(FlowSetSwitching, Section521Rule1LearnsTheLightestPort)
{
    // The CQI counts first, then the queue now.
    Switch s(4);
    s.switching.GetPorts().Advertise(0, 2, 0);
    s.switching.GetPorts().Advertise(1, 1, 0);
    s.switching.GetPorts().Advertise(2, 1, 0);
    s.switching.GetPorts().Advertise(3, 1, 0);
    s.depths = {0, 500, 300, 400};
    ExpectDecision(s.Send(1), FlowSetAction::LEARN, 2, NONE);
    EXPECT_TRUE(s.draws.empty());
    s.depths = {0, 100, 300, 400};
    ExpectDecision(s.Send(2), FlowSetAction::LEARN, 1, NONE);
    s.switching.GetPorts().Advertise(0, 0, 0);
    s.depths = {900, 100, 300, 400};
    ExpectDecision(s.Send(3), FlowSetAction::LEARN, 0, NONE);
}

TEST(FlowSetSwitching, Section521Rule1LearnsAPortThatIsUp)
{
    Switch s(3);
    s.depths = {0, 20, 10};
    s.switching.GetPorts().SetUp(0, false);
    ExpectDecision(s.Send(1), FlowSetAction::LEARN, 2, NONE);
}

TEST(FlowSetSwitching, Section521Rule1DrawsAmongTheLightest)
{
    // Ports 1, 3 and 4 are the lightest: of three, the second is 3.
    Switch s(5);
    s.depths = {9, 5, 9, 5, 5};
    s.draw = 1;
    EXPECT_EQ(s.Send(1).port, 3U);
    s.draw = 0;
    EXPECT_EQ(s.Send(2).port, 1U);
    s.draw = 2;
    EXPECT_EQ(s.Send(3).port, 4U);
    EXPECT_EQ(s.draws, (std::vector<uint32_t>{3, 3, 3}));
}

TEST(FlowSetSwitching, Section521Rule1LearnsAnewWhatIsTooOld)
{
    Switch s(2);
    s.Learn(1, 0);
    s.depths = {10, 0};
    s.now = AGEING;
    EXPECT_EQ(s.Send(1).action, FlowSetAction::KEEP); // and is used again
    s.now = 2 * AGEING + 1;
    ExpectDecision(s.Send(1), FlowSetAction::LEARN, 1, NONE);
}

TEST(FlowSetSwitching, Section72EntryHasWhatWasLearned)
{
    Switch s(2);
    s.depths = {10, 0};
    s.now = 7;
    s.Send(1025);
    const auto& entry = s.table.Get(1, s.now); // 1025 = 1 modulo 1024
    EXPECT_TRUE(entry.isValid);
    EXPECT_EQ(entry.flow, 1025U);
    EXPECT_EQ(entry.port, 1U);
    EXPECT_EQ(entry.lastUsed, 7);
}

TEST(FlowSetSwitching, FlowsOfAFlowSetFollowItsEntry)
{
    Switch s(2);
    s.depths = {0, 10};
    ExpectDecision(s.Send(1), FlowSetAction::LEARN, 0, NONE);
    s.depths = {10, 0};
    ExpectDecision(s.Send(1025), FlowSetAction::KEEP, 0, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    ExpectDecision(s.Send(1025), FlowSetAction::MIGRATE, 1, 0);
    ExpectDecision(s.Send(1), FlowSetAction::KEEP, 1, 1);
}

// --- 5.2.1, rule 2 ---

TEST(FlowSetSwitching, Section521Rule2SelectsAnotherPortIfOneFails)
{
    Switch s(3);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(1, 2, 0);
    s.switching.GetPorts().Advertise(2, 1, 0);
    s.depths = {0, 0, 1000}; // queues do not count
    s.switching.GetPorts().SetUp(0, false);
    ExpectDecision(s.Send(1), FlowSetAction::REROUTE, 2, 0);
    s.switching.GetPorts().SetUp(0, true);
    s.switching.GetPorts().Advertise(2, 0, 0);
    ExpectDecision(s.Send(1), FlowSetAction::KEEP, 2, 2); // it stays there
}

TEST(FlowSetSwitching, Section521Rule2SelectsAnotherPortIfOneIsNoCandidateAnyMore)
{
    Switch s(3);
    s.Learn(1, 0);
    s.ports = {2};
    ExpectDecision(s.Send(1), FlowSetAction::REROUTE, 2, 0);
}

TEST(FlowSetSwitching, CandidatesMayChangeTheirOrder)
{
    Switch s(3);
    s.Learn(1, 1);
    s.ports = {2, 0, 1};
    ExpectDecision(s.Send(1), FlowSetAction::KEEP, 1, 1);
    s.ports = {1};
    ExpectDecision(s.Send(1), FlowSetAction::KEEP, 1, 1);
}

TEST(FlowSetSwitching, Section521Rule2CostsNoBudget)
{
    Switch s(3);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    s.switching.GetPorts().SetUp(0, false);
    EXPECT_EQ(s.Send(1).action, FlowSetAction::REROUTE);
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi, 1U);
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 0U);
}

TEST(FlowSetSwitching, Section521Rule2TiesAreDrawnAsInStep1)
{
    Switch s(4);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(2, 1, 0);
    s.switching.GetPorts().SetUp(0, false);
    s.draw = 1;
    ExpectDecision(s.Send(1), FlowSetAction::REROUTE, 3, 0); // the second of 1 and 3
    EXPECT_EQ(s.draws, (std::vector<uint32_t>{2}));
}

TEST(FlowSetSwitching, WithoutAnAvailablePortNothingChanges)
{
    Switch s(2);
    s.Learn(1, 0);
    s.now = 10;
    s.switching.GetPorts().SetUp(0, false);
    s.switching.GetPorts().SetUp(1, false);
    ExpectDecision(s.Send(1), FlowSetAction::NO_PORT, NONE, 0);
    ExpectDecision(s.Send(2), FlowSetAction::NO_PORT, NONE, NONE);
    EXPECT_EQ(s.table.GetOccupancy(10), 1U);
    EXPECT_EQ(s.table.Get(1, 10).lastUsed, 0); // no packet has used it
    s.ports.clear();
    ExpectDecision(s.Send(2), FlowSetAction::NO_PORT, NONE, NONE);
    s.ports = {77}; // was not added
    ExpectDecision(s.Send(2), FlowSetAction::NO_PORT, NONE, NONE);
}

// --- 5.2.1, rule 3 ---

TEST(FlowSetSwitching, Section521Rule3NeverMigratesAtCqi0)
{
    Switch s(2);
    s.Learn(1, 0);
    s.depths = {1000000, 0}; // congested now, but assessed at 0
    for (int i = 0; i < 100; ++i)
    {
        s.switching.GetPorts().Advertise(0, 0, 0);
        ExpectDecision(s.Send(1), FlowSetAction::KEEP, 0, 0);
    }
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 0U);
}

TEST(FlowSetSwitching, Section72TimestampIsThatOfTheLastPacket)
{
    Switch s(2);
    s.Learn(1, 0);
    s.now = 5;
    s.Send(1);
    EXPECT_EQ(s.table.Get(1, 5).lastUsed, 5);
    s.switching.GetPorts().Advertise(0, 1, 0);
    s.now = 6;
    EXPECT_EQ(s.Send(1).action, FlowSetAction::MIGRATE);
    EXPECT_EQ(s.table.Get(1, 6).lastUsed, 6);
    s.switching.GetPorts().Advertise(0, 1, 0);
    s.switching.GetPorts().Advertise(1, 1, 0);
    s.now = 7;
    EXPECT_EQ(s.Send(1).action, FlowSetAction::STAY_SMALLEST);
    EXPECT_EQ(s.table.Get(1, 7).lastUsed, 7);
}

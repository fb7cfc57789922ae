// SPDX-License-Identifier: GPL-2.0-only

// Adaptive flow table migration: draft-li-rtgwg-congestion-aware-flowset-switching-00, sections
// 5.1.3, 5.2, 6.2, 7.1, 7.2, 8 and 9.

#include "flow-set-switch.h"
#include "test/core/core-test.h"

// --- 5.2.1, rule 4, and 5.2.2 ---

TEST(FlowSetSwitching, Section521Rule4MigratesFromACongestedPort)
{
    Switch s(2);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    ExpectDecision(s.Send(1), FlowSetAction::MIGRATE, 1, 0);
}

TEST(FlowSetSwitching, Section522Step1SelectsTheSmallestCqi)
{
    Switch s(4);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 9, 0);
    s.switching.GetPorts().Advertise(1, 3, 0);
    s.switching.GetPorts().Advertise(2, 1, 0);
    s.switching.GetPorts().Advertise(3, 2, 0);
    s.depths = {0, 0, 1000000, 0}; // queues do not count
    ExpectDecision(s.Send(1), FlowSetAction::MIGRATE, 2, 0);
    EXPECT_TRUE(s.draws.empty());
}

TEST(FlowSetSwitching, Section522Step1SelectsFromAvailablePorts)
{
    Switch s(3);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 9, 0);
    s.switching.GetPorts().Advertise(2, 5, 0);
    s.switching.GetPorts().SetUp(1, false);
    ExpectDecision(s.Send(1), FlowSetAction::MIGRATE, 2, 0);
}

TEST(FlowSetSwitching, Section522Step1DrawsAmongEqualPorts)
{
    Switch s(4);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 9, 0);
    s.switching.GetPorts().Advertise(2, 1, 0);
    s.draw = 1;
    ExpectDecision(s.Send(1), FlowSetAction::MIGRATE, 3, 0); // the second of 1 and 3
    EXPECT_EQ(s.draws, (std::vector<uint32_t>{2}));
}

TEST(FlowSetSwitching, Section522Step1TakesEqualPortsInTurn)
{
    FlowSetSwitchingSettings settings;
    settings.useRoundRobin = true;
    Switch s(4, settings);
    for (uint32_t hash = 0; hash < 6; ++hash)
    {
        s.Learn(hash, 0);
    }
    s.switching.GetPorts().Advertise(0, 9, 0);
    std::vector<uint32_t> targets;
    for (uint32_t hash = 0; hash < 6; ++hash)
    {
        targets.push_back(s.Send(hash).port);
    }
    EXPECT_EQ(targets, (std::vector<uint32_t>{1, 2, 3, 1, 2, 3}));
    EXPECT_TRUE(s.draws.empty());
}

TEST(FlowSetSwitching, Section522Step2UpdatesTheEntry)
{
    Switch s(2);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 1, 0);
    s.Send(1);
    EXPECT_EQ(s.table.Get(1, 0).port, 1U);
    EXPECT_EQ(s.table.Get(1, 0).flow, 1U);
    ExpectDecision(s.Send(1), FlowSetAction::KEEP, 1, 1);
}

TEST(FlowSetSwitching, Section522Step3DecrementsTheCqiOfTheOriginalPort)
{
    Switch s(2);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 5, 0);
    s.switching.GetPorts().Advertise(1, 2, 0);
    s.Send(1);
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi, 4U);
    EXPECT_EQ(s.switching.GetPorts().Get(0).initialCqi, 5U);
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 1U);
    EXPECT_EQ(s.switching.GetPorts().Get(1).cqi, 2U);
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(1), 0U);
}

TEST(FlowSetSwitching, Section522StaysIfNoPortHasASmallerCqi)
{
    Switch s(3);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 3, 0);
    s.switching.GetPorts().Advertise(1, 3, 0);
    s.switching.GetPorts().Advertise(2, 4, 0);
    ExpectDecision(s.Send(1), FlowSetAction::STAY_SMALLEST, 0, 0);
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi, 3U); // no budget
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 0U);
    EXPECT_TRUE(s.draws.empty());
}

// --- 5.2.3 and 5.2.4 ---

TEST(FlowSetSwitching, Section523AtMostTheInitialCqiOfMigrations)
{
    Switch s(2);
    for (uint32_t hash = 0; hash < 100; ++hash)
    {
        s.Learn(hash, 0);
    }
    s.switching.GetPorts().Advertise(0, 16, 0);
    uint32_t migrations = 0;
    for (uint32_t hash = 0; hash < 100; ++hash)
    {
        migrations += s.Send(hash).action == FlowSetAction::MIGRATE ? 1 : 0;
    }
    EXPECT_EQ(migrations, 16U);
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0), 16U);
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi, 0U);
}

/// A fixed CQI k and one uncongested target: of n flows, min(k, n) move.
RC_GTEST_PROP(FlowSetSwitching, Section523QuantityIsProportionalToTheCqi, ())
{
    const auto cqi = DrawInRange<uint32_t>(0, 20);
    const auto nFlows = DrawInRange<uint32_t>(0, 40);
    Switch s(2);
    for (uint32_t hash = 0; hash < nFlows; ++hash)
    {
        s.Learn(hash, 0);
    }
    s.switching.GetPorts().Advertise(0, cqi, 0);
    for (uint32_t packet = 0; packet < 3 * nFlows; ++packet)
    {
        s.Send(packet % nFlows);
    }
    uint32_t moved = 0;
    for (uint32_t hash = 0; hash < nFlows; ++hash)
    {
        moved += s.table.Get(hash, 0).port == 1 ? 1 : 0;
    }
    RC_ASSERT(moved == std::min(cqi, nFlows));
    RC_ASSERT(s.switching.GetPorts().GetMigrations(0) == moved);
}

// Intervals with CQI 3, 2, 0: 3, 2 and no flows of 10 leave.
TEST(FlowSetSwitching, Section524MigrationContinuesWhileCongestionPersists)
{
    Switch s(2);
    for (uint32_t hash = 0; hash < 10; ++hash)
    {
        s.Learn(hash, 0);
    }
    std::vector<uint32_t> migrations;
    for (const uint32_t cqi : {3U, 2U, 0U})
    {
        s.switching.GetPorts().Advertise(0, cqi, 0);
        for (uint32_t hash = 0; hash < 10; ++hash)
        {
            s.Send(hash);
        }
        migrations.push_back(s.switching.GetPorts().GetMigrations(0));
    }
    EXPECT_EQ(migrations, (std::vector<uint32_t>{3, 2, 0}));
}

// --- 8 and 9 ---

TEST(FlowSetSwitching, Section81OverlaysAnyNumberOfCandidates)
{
    // Any from 1 to 512, all equal: the draw decides.
    for (const uint32_t nPorts : {1U, 2U, 48U, 512U})
    {
        Switch s(nPorts);
        s.draw = nPorts - 1;
        ExpectDecision(s.Send(1), FlowSetAction::LEARN, nPorts - 1, NONE);
        ExpectDecision(s.Send(1), FlowSetAction::KEEP, nPorts - 1, nPorts - 1);
    }
}

TEST(FlowSetSwitching, Section82MigratesInAFlowletGapOnly)
{
    FlowSetSwitchingSettings settings;
    settings.flowletGap = 50;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.switching.GetPorts().Advertise(0, 5, 0);
    s.now = 49;
    ExpectDecision(s.Send(1), FlowSetAction::STAY_FLOWLET, 0, 0);
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi, 5U);
    s.now = 98; // 49 after the last packet
    ExpectDecision(s.Send(1), FlowSetAction::STAY_FLOWLET, 0, 0);
    s.now = 148;
    ExpectDecision(s.Send(1), FlowSetAction::MIGRATE, 1, 0);
}

TEST(FlowSetSwitching, Section82PortFailureDoesNotWaitForAGap)
{
    FlowSetSwitchingSettings settings;
    settings.flowletGap = 50;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.switching.GetPorts().SetUp(0, false);
    ExpectDecision(s.Send(1), FlowSetAction::REROUTE, 1, 0);
}

TEST(FlowSetSwitching, Section91CapsTheMigrationsAUnitOfTime)
{
    FlowSetSwitchingSettings settings;
    settings.maxMigrations = 3;
    settings.migrationPeriod = 100;
    Switch s(3, settings);
    for (uint32_t hash = 0; hash < 10; ++hash)
    {
        s.Learn(hash, hash % 2);
    }
    s.switching.GetPorts().Advertise(0, 16, 0);
    s.switching.GetPorts().Advertise(1, 16, 0);
    std::vector<uint32_t> moved;
    for (const int64_t now : {0, 99, 100, 199, 200})
    {
        s.now = now;
        uint32_t migrations = 0;
        for (uint32_t hash = 0; hash < 10; ++hash)
        {
            const auto decision = s.Send(hash);
            migrations += decision.action == FlowSetAction::MIGRATE ? 1 : 0;
            if (decision.action == FlowSetAction::STAY_LIMIT)
            {
                EXPECT_EQ(decision.port, decision.from);
            }
        }
        moved.push_back(migrations);
    }
    // Of both ports together, in each period of 100.
    EXPECT_EQ(moved, (std::vector<uint32_t>{3, 0, 3, 0, 3}));
    EXPECT_EQ(s.switching.GetPorts().GetMigrations(0) + s.switching.GetPorts().GetMigrations(1),
              9U);
    EXPECT_EQ(s.switching.GetPorts().Get(0).cqi + s.switching.GetPorts().Get(1).cqi, 32U - 9U);
}

TEST(FlowSetSwitching, Section91CapBeginsAnewAtStartUp)
{
    FlowSetSwitchingSettings settings;
    settings.maxMigrations = 1;
    Switch s(2, settings);
    s.Learn(1, 0);
    s.Learn(2, 0);
    s.switching.GetPorts().Advertise(0, 2, 0);
    EXPECT_EQ(s.Send(1).action, FlowSetAction::MIGRATE);
    EXPECT_EQ(s.Send(2).action, FlowSetAction::STAY_LIMIT);
    s.switching.Initialize();
    s.switching.GetPorts().Advertise(0, 2, 0);
    EXPECT_EQ(s.Send(2).action, FlowSetAction::MIGRATE);
}

TEST(FlowSetSwitching, Section91CapDoesNotHoldBackTheRoutingAroundFailures)
{
    FlowSetSwitchingSettings settings;
    settings.maxMigrations = 1;
    Switch s(3, settings);
    s.Learn(1, 0);
    s.Learn(2, 0);
    s.switching.GetPorts().Advertise(0, 2, 0);
    EXPECT_EQ(s.Send(1).action, FlowSetAction::MIGRATE);
    EXPECT_EQ(s.Send(2).action, FlowSetAction::STAY_LIMIT);
    s.switching.GetPorts().SetUp(0, false);
    EXPECT_EQ(s.Send(2).action, FlowSetAction::REROUTE);
}

// --- Any course of events ---

/// Packets, assessments and failures in any order, against what the draft says in words. The test
/// keeps the mapping and the counts itself.
RC_GTEST_PROP(FlowSetSwitching, Section52HoldsForAnyCourseOfEvents, ())
{
    FlowSetSwitchingSettings settings;
    settings.useRoundRobin = DrawAny<bool>();
    settings.ranksByBudget = DrawAny<bool>();
    settings.hysteresis = DrawElement<uint32_t>({0, 0, 2});
    settings.holdDown = DrawElement<int64_t>({0, 0, 20});
    settings.flowletGap = DrawElement<int64_t>({0, 5});
    settings.maxMigrations = DrawElement<uint32_t>({0, 4});
    settings.migrationPeriod = 50;
    const auto nPorts = DrawInRange<uint32_t>(1, 6);
    Switch s(nPorts, settings);
    s.table = FlowSetTable(8, 100);

    struct Mapping
    {
        uint32_t port;
        int64_t lastUsed;
        int64_t lastMove;
    };

    std::map<uint32_t, Mapping> mappings; // by flow set
    std::vector<bool> isUp(nPorts, true);
    std::vector<uint32_t> initial(nPorts, 0);
    std::vector<uint32_t> migrations(nPorts, 0);
    const auto budget = [&](uint32_t port) { return initial[port] - migrations[port]; };
    const auto cqi = [&](uint32_t port) { // by which ports are ranked
        return settings.ranksByBudget ? budget(port) : initial[port];
    };

    const auto steps = DrawInRange(0, 300);
    for (int i = 0; i < steps; ++i)
    {
        s.now += DrawElement({0, 1, 7, 60});
        const auto port = DrawInRange<uint32_t>(0, nPorts);
        const auto event = DrawInRange(0, 12);
        if (event == 0)
        {
            isUp[port] = !isUp[port];
            s.switching.GetPorts().SetUp(port, isUp[port]);
            continue;
        }
        if (event == 1)
        {
            initial[port] = DrawInRange<uint32_t>(0, 5);
            migrations[port] = 0;
            s.switching.GetPorts().Advertise(port, initial[port], 0);
            continue;
        }
        s.depths[port] = DrawInRange<uint64_t>(0, 3);
        s.draw = DrawAny<uint32_t>();
        const auto hash = DrawInRange<uint32_t>(0, 32);
        const auto flowSet = hash % 8;
        const auto decision = s.Send(hash);

        std::vector<uint32_t> up;
        for (const auto candidate : s.ports)
        {
            if (isUp[candidate])
            {
                up.push_back(candidate);
            }
        }
        if (up.empty())
        {
            RC_ASSERT(decision.action == FlowSetAction::NO_PORT);
            continue;
        }
        RC_ASSERT(decision.port < nPorts);
        RC_ASSERT(isUp[decision.port]); // never a port that is down while another is up
        uint32_t smallest = cqi(up.front());
        for (const auto candidate : up)
        {
            smallest = std::min(smallest, cqi(candidate));
        }
        int64_t lastMove = -1000; // long ago
        const auto found = mappings.find(flowSet);
        const bool isKnown = found != mappings.end() && s.now - found->second.lastUsed <= 100;
        if (!isKnown) // rule 1
        {
            RC_ASSERT(decision.action == FlowSetAction::LEARN);
            RC_ASSERT(decision.from == NONE);
            RC_ASSERT(cqi(decision.port) == smallest);
            for (const auto candidate : up)
            {
                RC_ASSERT(cqi(candidate) > smallest ||
                          s.depths[candidate] >= s.depths[decision.port]);
            }
        }
        else
        {
            const auto from = found->second.port;
            lastMove = found->second.lastMove;
            RC_ASSERT(decision.from == from);
            if (!isUp[from]) // rule 2
            {
                RC_ASSERT(decision.action == FlowSetAction::REROUTE);
                RC_ASSERT(cqi(decision.port) == smallest);
            }
            else if (budget(from) == 0) // rule 3, or the bound of section 5.2.3
            {
                RC_ASSERT(decision.action ==
                          (initial[from] == 0 ? FlowSetAction::KEEP : FlowSetAction::STAY_BUDGET));
                RC_ASSERT(decision.port == from);
            }
            else if (decision.action == FlowSetAction::MIGRATE) // rule 4
            {
                RC_ASSERT(decision.port != from);
                RC_ASSERT(cqi(decision.port) == smallest);
                RC_ASSERT(smallest + settings.hysteresis < cqi(from));
                RC_ASSERT(s.now - found->second.lastUsed >= settings.flowletGap);
                RC_ASSERT(s.now - lastMove >= settings.holdDown);
                lastMove = s.now;
                ++migrations[from];
                RC_ASSERT(migrations[from] <= initial[from]);
            }
            else
            {
                RC_ASSERT(decision.port == from);
                RC_ASSERT(decision.action == FlowSetAction::STAY_FLOWLET ||
                          decision.action == FlowSetAction::STAY_LIMIT ||
                          decision.action == FlowSetAction::STAY_HELD ||
                          decision.action == FlowSetAction::STAY_SMALLEST);
                RC_ASSERT(decision.action != FlowSetAction::STAY_HELD ||
                          s.now - lastMove < settings.holdDown);
                RC_ASSERT(decision.action != FlowSetAction::STAY_FLOWLET ||
                          s.now - found->second.lastUsed < settings.flowletGap);
                RC_ASSERT(decision.action != FlowSetAction::STAY_LIMIT ||
                          settings.maxMigrations > 0);
                RC_ASSERT(decision.action != FlowSetAction::STAY_SMALLEST ||
                          smallest + settings.hysteresis >= cqi(from));
            }
        }
        mappings[flowSet] = {decision.port, s.now, lastMove};
        for (const auto candidate : s.ports)
        {
            RC_ASSERT(s.switching.GetPorts().Get(candidate).cqi == budget(candidate));
            RC_ASSERT(s.switching.GetPorts().Get(candidate).initialCqi == initial[candidate]);
            RC_ASSERT(s.switching.GetPorts().GetMigrations(candidate) == migrations[candidate]);
        }
    }
}

/// One seed, one result: the same calls give the same decisions.
TEST(FlowSetSwitching, SameCallsGiveTheSameDecisions)
{
    std::vector<uint32_t> runs[2];
    for (auto& run : runs)
    {
        Switch s(5);
        for (uint32_t i = 0; i < 500; ++i)
        {
            s.draw = i * 7919;
            s.switching.GetPorts().Advertise(i % 5, i * 31 % 7, 0);
            run.push_back(s.Send(i * 127 % 64).port);
        }
    }
    EXPECT_EQ(runs[0], runs[1]);
}

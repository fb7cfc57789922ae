// SPDX-License-Identifier: GPL-2.0-only

// Bottlenecks of many paths: sections 8.2.1 and 8.3 of draft-ravi-ippm-csig-01.

#include "test/core/core-test.h"

#include "ns3/csig-bottlenecks.h"

constexpr uint64_t GBPS = 1000000000;

TEST(CsigBottlenecks, CountsWhoNamesAPort)
{
    CsigBottlenecks bottlenecks(CsigAggregation::MIN, 100 * GBPS);
    bottlenecks.Add(7, 0x0042, 30 * GBPS);
    bottlenecks.Add(7, 0x0042, 10 * GBPS);
    bottlenecks.Add(8, 0x0042, 20 * GBPS);
    const auto ranking = bottlenecks.GetRanking();
    ASSERT_EQ(ranking.size(), 1U);
    EXPECT_EQ(ranking[0].locator, 0x0042);
    EXPECT_EQ(ranking[0].nReports, 3U);
    EXPECT_EQ(ranking[0].nPairs, 2U);
    EXPECT_EQ(ranking[0].worst, 10 * GBPS);
    EXPECT_EQ(ranking[0].best, 30 * GBPS);
    EXPECT_DOUBLE_EQ(ranking[0].mean, 20e9);
    EXPECT_DOUBLE_EQ(ranking[0].score, 3 * 0.7);
}

TEST(CsigBottlenecks, PutsALinkBadForAllBeforeOneBadForAMoment)
{
    CsigBottlenecks bottlenecks(CsigAggregation::MIN, 100 * GBPS);
    for (uint32_t pair = 0; pair < 10; ++pair)
    {
        bottlenecks.Add(pair, 1, 25 * GBPS);
        bottlenecks.Add(pair, 2, 0);
        bottlenecks.Add(pair, 2, 0);
    }
    bottlenecks.Add(0, 2, 90 * GBPS);
    const auto ranking = bottlenecks.GetRanking();
    ASSERT_EQ(ranking.size(), 2U);
    EXPECT_EQ(ranking[0].locator, 1U);
    EXPECT_EQ(ranking[1].locator, 2U);
    EXPECT_EQ(ranking[1].worst, 0U);
}

TEST(CsigBottlenecks, TakesLargeValuesOfAMaximumAsWorse)
{
    CsigBottlenecks bottlenecks(CsigAggregation::MAX, 10000);
    bottlenecks.Add(0, 1, 5000);
    bottlenecks.Add(0, 2, 40000);
    bottlenecks.Add(0, 2, 20000);
    EXPECT_EQ(bottlenecks.GetRanking()[0].locator, 2U);
    EXPECT_EQ(bottlenecks.GetRanking()[0].worst, 40000U);
    EXPECT_EQ(bottlenecks.GetRanking()[0].best, 20000U);
    EXPECT_DOUBLE_EQ(bottlenecks.GetRanking()[0].score, 2 * 2);
}

TEST(CsigBottlenecks, MoreThanTheReferenceIsNotSevere)
{
    CsigBottlenecks bottlenecks(CsigAggregation::MIN, 100 * GBPS);
    bottlenecks.Add(0, 1, 400 * GBPS);
    EXPECT_EQ(bottlenecks.GetRanking()[0].score, 0);
}

RC_GTEST_PROP(CsigBottlenecks, PartsOfSeveralAreThoseOfOne, ())
{
    // As processes have them: each pair belongs to one of them.
    const bool isMin = DrawAny<bool>();
    const auto aggregation = isMin ? CsigAggregation::MIN : CsigAggregation::MAX;
    const auto nProcesses = DrawInRange<uint32_t>(1, 5);
    const auto n = DrawInRange(0, 40);
    CsigBottlenecks one(aggregation, 1000);
    std::vector<CsigBottlenecks> processes(nProcesses, one);
    for (int i = 0; i < n; ++i)
    {
        const auto pair = DrawInRange<uint32_t>(0, 6);
        const auto locator = DrawInRange<uint16_t>(0, 4);
        const auto value = DrawInRange<uint64_t>(0, 3000);
        one.Add(pair, locator, value);
        processes[pair % nProcesses].Add(pair, locator, value);
    }
    CsigBottlenecks joined(aggregation, one.GetReference());
    for (const auto& process : processes)
    {
        for (const auto& part : process.GetParts())
        {
            joined.Add(part);
        }
    }
    const auto expected = one.GetRanking();
    const auto ranking = joined.GetRanking();
    RC_ASSERT(ranking.size() == expected.size());
    for (std::size_t i = 0; i < ranking.size(); ++i)
    {
        RC_ASSERT(ranking[i].locator == expected[i].locator);
        RC_ASSERT(ranking[i].nReports == expected[i].nReports);
        RC_ASSERT(ranking[i].nPairs == expected[i].nPairs);
        RC_ASSERT(ranking[i].worst == expected[i].worst);
        RC_ASSERT(ranking[i].best == expected[i].best);
        RC_ASSERT(ranking[i].mean == expected[i].mean);
        RC_ASSERT(ranking[i].score == expected[i].score);
    }
}

TEST(CsigBottlenecks, RefusesAReferenceOfZero)
{
    EXPECT_THROW(CsigBottlenecks(CsigAggregation::MIN, 0), std::invalid_argument);
}

RC_GTEST_PROP(CsigBottlenecks, ProcessesInAnyOrderOfArrival, ())
{
    struct Report
    {
        uint32_t pair;
        uint16_t locator;
        uint64_t value;
    };

    const auto values = *rc::gen::container<std::vector<uint32_t>>(rc::gen::arbitrary<uint32_t>());
    std::vector<Report> reports;
    for (const uint32_t value : values)
    {
        // Multiples of an eighth of the reference, so that sums are exact in any order.
        reports.push_back({value % 5, static_cast<uint16_t>(value / 5 % 7), value % 9 * 8});
    }
    CsigBottlenecks forward(CsigAggregation::MIN, 64);
    CsigBottlenecks backward(CsigAggregation::MIN, 64);
    for (std::size_t i = 0; i < reports.size(); ++i)
    {
        const auto& first = reports[i];
        const auto& last = reports[reports.size() - 1 - i];
        forward.Add(first.pair, first.locator, first.value);
        backward.Add(last.pair, last.locator, last.value);
    }
    const auto ranking = forward.GetRanking();
    const auto other = backward.GetRanking();
    RC_ASSERT(ranking.size() == other.size());
    uint64_t nReports = 0;
    for (std::size_t i = 0; i < ranking.size(); ++i)
    {
        RC_ASSERT(ranking[i].locator == other[i].locator);
        RC_ASSERT(ranking[i].nPairs == other[i].nPairs);
        if (i > 0) // not by ||, of which RC_ASSERT evaluates both sides
        {
            RC_ASSERT(ranking[i - 1].score >= ranking[i].score);
        }
        nReports += ranking[i].nReports;
    }
    RC_ASSERT(nReports == reports.size());
}

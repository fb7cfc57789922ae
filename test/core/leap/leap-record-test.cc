// SPDX-License-Identifier: GPL-2.0-only

// What durations say of the durations to come.

#include "model/core/leap/leap-record.h"
#include "test/core/core-test.h"

using namespace ns3::aidc;

namespace
{

using Series = std::vector<double>;

constexpr double ERROR = 0.01;

/// Milliseconds in ns.
Series
MakeMillis(const Series& millis)
{
    Series series;
    for (const double value : millis)
    {
        series.push_back(1e6 * value);
    }
    return series;
}

Series
GetFirst(const Series& series, std::size_t n)
{
    return {series.begin(), series.begin() + static_cast<std::ptrdiff_t>(n)};
}

// Successive rings of 32 shuffled ranks on a fat-tree of k = 8, with RED and priority flow control
const Series DCQCN_32MB =
    {12.2, 12.1, 12.0, 13.1, 13.5, 13.8, 13.9, 13.8, 13.6, 13.4, 13.4, 13.6, 13.6, 13.6};
const Series DCQCN_64MB = {24.5, 25.6, 28.8, 32.1, 33.7, 33.7};
const Series SWIFT_32MB = {14.8, 18.0, 18.1, 17.7, 18.1, 16.9};

TEST(SettledSeries, RingsThatShareLinksMislead)
{
    // The first three agree within 2 %, and the following ones take 12 % longer
    const auto dcqcn = MakeMillis(DCQCN_32MB);
    for (const double error : {0.01, 0.02, 0.05})
    {
        EXPECT_EQ(FindSettled(GetFirst(dcqcn, 3), error).nUsed, 0U) << error;
    }
    for (const auto& millis : {DCQCN_32MB, DCQCN_64MB, SWIFT_32MB})
    {
        const auto series = MakeMillis(millis);
        // The last three of the first one are the same as they were written down
        for (std::size_t n = 0; n + 1 < series.size(); ++n)
        {
            EXPECT_EQ(FindSettled(GetFirst(series, n), ERROR).nUsed, 0U) << n << millis[0];
        }
    }
}

TEST(SettledSeries, RepetitionsToTheNanosecondAllowThousands)
{
    const auto ring = FindSettled({3101000, 3099912, 3099912}, ERROR, true);
    EXPECT_EQ(ring.nUsed, 2U);
    EXPECT_EQ(ring.mean, 3099912);
    EXPECT_GT(ring.nAhead, 10000U);
    EXPECT_LT(ring.GetError(400), 1e-4);
    // A nanosecond more each time would be 1 % of 100 us after 2000
    const auto inServer = FindSettled({100000, 100000}, ERROR, true);
    EXPECT_NEAR(static_cast<double>(inServer.nAhead), 1998, 1);
    EXPECT_EQ(FindSettled({100000, 100000}, ERROR).nUsed, 0U); // which may be by chance
    EXPECT_GT(FindSettled({100000, 100000, 100000}, ERROR).nAhead, 100U);
    EXPECT_EQ(FindSettled({100000, 100002}, ERROR, true).nUsed, 0U);
    EXPECT_EQ(FindSettled({100000}, ERROR, true).nUsed, 0U);
    EXPECT_EQ(FindSettled({}, ERROR).nUsed, 0U);
    EXPECT_EQ(FindSettled({0, 0, 0}, ERROR).nUsed, 0U);
}

TEST(SettledSeries, SlowDriftFails)
{
    // All-to-alls that share links: 1.5 to 1.8 % over twelve repetitions
    for (const double drift : {0.015, 0.018})
    {
        Series series;
        for (int i = 0; i < 12; ++i)
        {
            series.push_back(1e6 * (1 + drift * i / 11));
        }
        const auto found = FindSettled(series, ERROR);
        EXPECT_LE(found.nAhead, 12U) << drift; // 2 * 1 % / 0.136 % - 2, and less
        EXPECT_EQ(FindSettled(series, 0.001).nUsed, 0U) << drift;
    }
}

RC_GTEST_PROP(SettledSeries, DriftThatGoesOnStaysWithinTheError, ())
{
    const auto n = DrawInRange<std::size_t>(2, 70);
    const double drift = 1e-6 * DrawInRange(-20000, 20000);
    const double error = 1e-4 + std::abs(drift) * DrawInRange(1, 200);
    Series series;
    for (std::size_t i = 0; i < n; ++i)
    {
        series.push_back(1e7 * (1 + drift * static_cast<double>(i)));
        RC_PRE(series.back() > 1e6);
    }
    const auto found = FindSettled(series, error, true);
    RC_TAG(found.nUsed > 0 ? "settled" : "drifts");
    if (found.nUsed == 0)
    {
        return;
    }
    // The mean of the durations ahead
    const auto ahead = static_cast<double>(found.nAhead);
    const double next = 1e7 * (1 + drift * (static_cast<double>(n) + (ahead - 1) / 2));
    RC_ASSERT(std::abs(next / found.mean - 1) <= error * 1.000001);
    RC_ASSERT(found.GetError(found.nAhead) <= error * 1.000001);
}

/// How often the mean of the durations that are allowed ahead is within the error.
double
GetShareWithin(double deviation, double correlation, double drift, std::size_t n)
{
    std::mt19937 engine(7);
    std::normal_distribution<double> normal;
    int nFound = 0;
    int nWithin = 0;
    for (int round = 0; round < 2000; ++round)
    {
        double noise = deviation * normal(engine);
        const auto next = [&](std::size_t i) {
            const double before = correlation * noise;
            noise = before + std::sqrt(1 - correlation * correlation) * deviation * normal(engine);
            return 1e7 * (1 + noise + drift * static_cast<double>(i));
        };
        Series series;
        for (std::size_t i = 0; i < n; ++i)
        {
            series.push_back(next(i));
        }
        const auto found = FindSettled(series, 0.02);
        if (found.nUsed == 0)
        {
            continue;
        }
        ++nFound;
        double sum = 0;
        for (std::size_t i = 0; i < found.nAhead; ++i)
        {
            sum += next(n + i) / static_cast<double>(found.nAhead);
        }
        // What is ahead varies as well
        const double own = 2 * deviation / std::sqrt(static_cast<double>(found.nAhead)) *
                           std::sqrt((1 + correlation) / (1 - correlation));
        nWithin += std::abs(sum / found.mean - 1) <= 0.02 + own ? 1 : 0;
    }
    return nFound == 0 ? 1 : static_cast<double>(nWithin) / nFound;
}

TEST(SettledSeries, NoiseIsWithinTheErrorAsOftenAsItsIntervalsSay)
{
    for (const std::size_t n : {8U, 16U, 40U})
    {
        EXPECT_GT(GetShareWithin(0.005, 0, 0, n), 0.95) << n;
        EXPECT_GT(GetShareWithin(0.01, 0, 0, n), 0.95) << n;
        EXPECT_GT(GetShareWithin(0.01, 0.5, 0, n), 0.9) << n;
        EXPECT_GT(GetShareWithin(0.005, 0, 0.001, n), 0.9) << n;
        EXPECT_GT(GetShareWithin(0.01, 0, -0.002, n), 0.9) << n;
    }
}

TEST(LeapRecord, EachMembersEndsMustHaveSettled)
{
    LeapRecord even;
    LeapRecord inTurn;
    for (int64_t i = 0; i < 20; ++i)
    {
        auto sample = std::make_shared<LeapSample>();
        sample->duration = 100000;
        sample->ends = {100000, 90000};
        even.Add(sample);
        auto other = std::make_shared<LeapSample>(*sample);
        if (i % 2 == 1)
        {
            std::swap(other->ends[0], other->ends[1]);
        }
        inTurn.Add(other);
    }
    const auto known = even.Estimate(0.01, {});
    EXPECT_GT(known.series.nUsed, 0U);
    EXPECT_EQ(known.series.mean, 100000);
    EXPECT_EQ(known.ends, (std::vector<int64_t>{100000, 90000}));
    // Both the duration and the mean over the members are always the same
    EXPECT_EQ(inTurn.Estimate(0.01, {}).series.nUsed, 0U);
    EXPECT_GT(inTurn.Estimate(0.2, {}).series.nUsed, 0U);
}

TEST(LeapRecord, MembersThatDriftApartAllowFew)
{
    LeapRecord record;
    for (int64_t i = 0; i < 20; ++i)
    {
        auto sample = std::make_shared<LeapSample>();
        sample->duration = 100000;
        sample->ends = {100000, 50000 + 40 * i, 50000 - 40 * i};
        record.Add(sample);
    }
    // 0.04 % of the duration each time: 1 % after 25, from the middle of the samples that were used
    EXPECT_LT(record.Estimate(0.01, {}).series.nAhead, 50U);
}

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// Two-threshold marking: draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.1; RED: Floyd and Jacobson,
// IEEE/ACM Transactions on Networking 1(4), 1993. Expected values were computed by hand.

#include "model/core/pre-ecn/pre-ecn-marker.h"
#include "test/core/core-test.h"

constexpr auto NOT_ECT = EcnCodepoint::NOT_ECT;
constexpr auto ECT_0 = EcnCodepoint::ECT_0;
constexpr auto ECT_1 = EcnCodepoint::ECT_1;
constexpr auto CE = EcnCodepoint::CE;

/// T1 100 kB, T2 300 kB, maximum 700 kB; the average is the last occupancy.
PreEcnThresholds
MakeSettings()
{
    PreEcnThresholds settings;
    settings.t1 = 100000;
    settings.t2 = 300000;
    settings.maximum = 700000;
    settings.lightProbability = 1;
    settings.severeProbability = 0.2;
    settings.weight = 1;
    return settings;
}

PreEcnMarker
MakeMarker(const PreEcnThresholds& settings, uint64_t average)
{
    PreEcnMarker marker;
    marker.Configure(settings);
    marker.Update(average);
    return marker;
}

/// How many of 100 packets of a codepoint meet an action, when chance gives 0.005, 0.015...0.995.
int
CountActions(PreEcnMarker marker, EcnCodepoint codepoint, PreEcnAction action)
{
    int count = 0;
    for (int i = 0; i < 100; ++i)
    {
        count += marker.Decide(codepoint, [i]() { return (i + 0.5) / 100; }) == action ? 1 : 0;
    }
    return count;
}

struct Row
{
    uint64_t average;
    PreEcnRegion region;
    double light;
    double severe;
};

TEST(PreEcnMarker, Section321ProbabilitiesAreLinearInTheAverage)
{
    // Light (avg - 100) / 200; severe 0.2 * (avg - 300) / 400, in kB.
    const std::vector<Row> rows{{0, PreEcnRegion::NORMAL, 0, 0},
                                {99999, PreEcnRegion::NORMAL, 0, 0},
                                {100000, PreEcnRegion::NORMAL, 0, 0},
                                {100001, PreEcnRegion::LIGHT, 0.000005, 0},
                                {110000, PreEcnRegion::LIGHT, 0.05, 0},
                                {200000, PreEcnRegion::LIGHT, 0.5, 0},
                                {250000, PreEcnRegion::LIGHT, 0.75, 0},
                                {300000, PreEcnRegion::LIGHT, 1, 0},
                                {300001, PreEcnRegion::SEVERE, 1, 0.0000005},
                                {400000, PreEcnRegion::SEVERE, 1, 0.05},
                                {500000, PreEcnRegion::SEVERE, 1, 0.1},
                                {700000, PreEcnRegion::SEVERE, 1, 0.2},
                                {700001, PreEcnRegion::SEVERE, 1, 1},
                                {7000000, PreEcnRegion::SEVERE, 1, 1}};
    for (const auto& row : rows)
    {
        const auto marker = MakeMarker(MakeSettings(), row.average);
        EXPECT_EQ(marker.GetRegion(), row.region) << row.average;
        EXPECT_NEAR(marker.GetLightProbability(), row.light, 1e-12) << row.average;
        EXPECT_NEAR(marker.GetSevereProbability(), row.severe, 1e-12) << row.average;
    }
    auto settings = MakeSettings();
    settings.lightProbability = 0.4;
    EXPECT_NEAR(MakeMarker(settings, 250000).GetLightProbability(), 0.3, 1e-12);
    EXPECT_NEAR(MakeMarker(settings, 650000).GetLightProbability(), 0.4, 1e-12);
}

TEST(PreEcnMarker, Section321BelowT1NothingHappens)
{
    const auto marker = MakeMarker(MakeSettings(), 100000);
    for (const auto codepoint : {NOT_ECT, ECT_0, ECT_1, CE})
    {
        EXPECT_EQ(CountActions(marker, codepoint, PreEcnAction::NONE), 100);
    }
}

TEST(PreEcnMarker, Section321BetweenTheThresholdsEctBecomesEct1)
{
    const auto marker = MakeMarker(MakeSettings(), 250000); // 0.75
    EXPECT_EQ(CountActions(marker, ECT_0, PreEcnAction::LIGHT_MARK), 75);
    EXPECT_EQ(CountActions(marker, ECT_0, PreEcnAction::NONE), 25);
    EXPECT_EQ(CountActions(marker, ECT_1, PreEcnAction::LIGHT_MARK), 75);
    EXPECT_EQ(CountActions(marker, ECT_1, PreEcnAction::NONE), 25);
    // Severe marks stay, and Not-ECT stays Not-ECT.
    EXPECT_EQ(CountActions(marker, CE, PreEcnAction::NONE), 100);
    EXPECT_EQ(CountActions(marker, NOT_ECT, PreEcnAction::NONE), 100);
}

TEST(PreEcnMarker, Section321AboveT2CeAsByRedAndEct1Beside)
{
    auto settings = MakeSettings();
    const auto marker = MakeMarker(settings, 500000); // 0.1
    for (const auto codepoint : {ECT_0, ECT_1})
    {
        EXPECT_EQ(CountActions(marker, codepoint, PreEcnAction::SEVERE_MARK), 10);
        EXPECT_EQ(CountActions(marker, codepoint, PreEcnAction::LIGHT_MARK), 90);
    }
    EXPECT_EQ(CountActions(marker, CE, PreEcnAction::SEVERE_MARK), 10);
    EXPECT_EQ(CountActions(marker, CE, PreEcnAction::NONE), 90);
    EXPECT_EQ(CountActions(marker, NOT_ECT, PreEcnAction::DROP_NOT_ECT), 10);
    EXPECT_EQ(CountActions(marker, NOT_ECT, PreEcnAction::NONE), 90);
    // Each chance is drawn for itself: here both have the same numbers, 10 below 0.1 for CE, and of
    // the others 30 below 0.4.
    settings.lightProbability = 0.4;
    EXPECT_EQ(CountActions(MakeMarker(settings, 500000), ECT_0, PreEcnAction::LIGHT_MARK), 30);
}

TEST(PreEcnMarker, AboveTheMaximumEverythingIsMarkedOrDropped)
{
    const auto marker = MakeMarker(MakeSettings(), 700001);
    for (const auto codepoint : {ECT_0, ECT_1, CE})
    {
        EXPECT_EQ(CountActions(marker, codepoint, PreEcnAction::SEVERE_MARK), 100);
    }
    EXPECT_EQ(CountActions(marker, NOT_ECT, PreEcnAction::DROP_NOT_ECT), 100);
}

TEST(PreEcnMarker, ChanceIsAskedOnlyWhereItDecides)
{
    const auto countDraws = [](uint64_t average, EcnCodepoint codepoint) {
        auto marker = MakeMarker(MakeSettings(), average);
        int draws = 0;
        marker.Decide(codepoint, [&draws]() {
            ++draws;
            return 0.9999;
        });
        return draws;
    };
    EXPECT_EQ(countDraws(100000, ECT_0), 0);
    EXPECT_EQ(countDraws(200000, ECT_0), 1);
    EXPECT_EQ(countDraws(200000, CE), 0);
    EXPECT_EQ(countDraws(200000, NOT_ECT), 0);
    EXPECT_EQ(countDraws(300000, ECT_0), 0) << "the probability is 1";
    EXPECT_EQ(countDraws(500000, ECT_0), 1) << "and for the light mark again";
    EXPECT_EQ(countDraws(700001, ECT_0), 0);
}

TEST(PreEcnMarker, RedAverageIsExponentiallyWeighted)
{
    // From 0 with w = 0.002 and q = 100: 100 * (1 - 0.998^n).
    auto settings = MakeSettings();
    settings.weight = 0.002;
    PreEcnMarker marker;
    marker.Configure(settings);
    for (int n = 1; n <= 1000; ++n)
    {
        marker.Update(100);
        if (n == 100)
        {
            EXPECT_NEAR(marker.GetAverage(), 18.143, 0.001);
        }
    }
    EXPECT_NEAR(marker.GetAverage(), 86.494, 0.001);
    // Idle for as long as 500 packets take: times 0.998^500 = 0.36751.
    marker.Decay(500);
    EXPECT_NEAR(marker.GetAverage(), 31.787, 0.001);
}

TEST(PreEcnMarker, RedCountSpreadsMarks)
{
    // pb = 0.02 * (500 - 300) / 400 = 0.01; with 50 packets since the last mark pa = 0.02.
    auto settings = MakeSettings();
    settings.severeProbability = 0.02;
    settings.isSpread = true;
    const auto after = [&settings](int unmarked) {
        auto marker = MakeMarker(settings, 500000);
        for (int i = 0; i < unmarked; ++i)
        {
            marker.Decide(ECT_0, []() { return 0.999999; });
        }
        return marker;
    };
    const auto marks = [](PreEcnMarker marker, double chance) {
        return marker.Decide(ECT_0, [chance]() { return chance; }) == PreEcnAction::SEVERE_MARK;
    };
    EXPECT_TRUE(marks(after(0), 0.00999));
    EXPECT_FALSE(marks(after(0), 0.01001));
    EXPECT_TRUE(marks(after(50), 0.01999));
    EXPECT_FALSE(marks(after(50), 0.02001));
    EXPECT_TRUE(marks(after(98), 0.49999));
    EXPECT_FALSE(marks(after(98), 0.50001));
    EXPECT_TRUE(marks(after(99), 0.99999)) << "the 100th is marked for certain";
    // A mark begins anew, and so does an average at T2 or below.
    auto marker = after(50);
    ASSERT_TRUE(marks(marker, 0));
    marker.Decide(ECT_0, []() { return 0; });
    EXPECT_FALSE(marks(marker, 0.01012)); // count 1: 0.010101
    EXPECT_TRUE(marks(marker, 0.0101));
    for (const uint64_t low : {50000, 300000})
    {
        marker = after(50);
        marker.Update(low);
        marker.Decide(ECT_0, []() { return 0.999999; });
        marker.Update(500000);
        EXPECT_TRUE(marks(marker, 0.00999));
        EXPECT_FALSE(marks(marker, 0.01001));
    }
    // Without spreading the probability stays.
    settings.isSpread = false;
    EXPECT_FALSE(marks(after(99), 0.01001));
}

TEST(PreEcnMarker, IdleTimeIsSplitByRegion)
{
    // With w = 1/2 an average of 1.2 MB is at 300 kB after 2 packets, at 100 kB after log2(12) =
    // 3.584963.
    auto settings = MakeSettings();
    settings.weight = 0.5;
    PreEcnMarker marker;
    marker.Configure(settings);
    marker.Update(2400000);
    ASSERT_EQ(marker.GetAverage(), 1200000);
    const auto expect = [&marker](double packets, double normal, double light, double severe) {
        const auto parts = marker.SplitIdle(packets);
        EXPECT_NEAR(parts[0], normal, 1e-6) << packets;
        EXPECT_NEAR(parts[1], light, 1e-6) << packets;
        EXPECT_NEAR(parts[2], severe, 1e-6) << packets;
    };
    expect(0, 0, 0, 0);
    expect(1, 0, 0, 1);
    expect(3, 0, 1, 2);
    expect(10, 6.415037, 1.584963, 2);
    marker.Decay(3); // 150 kB
    expect(10, 9.415037, 0.584963, 0);
    marker.Decay(10);
    expect(10, 10, 0, 0);
    // Extremes of the weight: at once, and never
    settings.weight = 1;
    marker.Configure(settings);
    marker.Update(1200000);
    expect(10, 10, 0, 0);
    settings.weight = 0;
    marker.Configure(settings);
    expect(10, 0, 0, 10);
}

TEST(PreEcnMarker, WrongSettingsAreToldByName)
{
    EXPECT_EQ(FindTwoThresholdsError(MakeSettings()), "");
    const auto check = [](auto change, const std::string& text) {
        auto settings = MakeSettings();
        change(settings);
        const auto error = FindTwoThresholdsError(settings);
        EXPECT_NE(error.find(text), std::string::npos) << error;
        EXPECT_NE(error, "") << text;
    };
    check([](auto& s) { s.t1 = 0; }, "0 < T1 < T2 < Maximum");
    check([](auto& s) { s.t1 = 300000; }, "T1 300000 bytes");
    check([](auto& s) { s.t2 = 700000; }, "T2 700000 bytes");
    check([](auto& s) { s.maximum = 1; }, "Maximum 1 bytes");
    check([](auto& s) { s.lightProbability = 1.1; }, "LightProbability");
    check([](auto& s) { s.severeProbability = -0.1; }, "SevereProbability");
    check([](auto& s) { s.weight = std::nan(""); }, "AverageWeight");
}

TEST(PreEcnMarker, Section51AbsurdThresholdsAreTold)
{
    const auto find = [](uint64_t leastT1, uint64_t greatestT1, uint64_t greatestT2) {
        return FindAbsurdThreshold(MakeSettings(), {leastT1, greatestT1, greatestT2});
    };
    EXPECT_EQ(find(0, 0, 0), "");
    EXPECT_EQ(find(100000, 100000, 300000), "");
    EXPECT_NE(find(100001, 0, 0).find("T1 is 100000 bytes, less than 100001"), std::string::npos);
    EXPECT_NE(find(0, 99999, 0).find("T1 is 100000 bytes, more than 99999"), std::string::npos);
    EXPECT_NE(find(0, 0, 299999).find("T2 is 300000 bytes, more than"), std::string::npos);
}

RC_GTEST_PROP(PreEcnMarker, MarksFollowTheAverageAndNeverWeaken, ())
{
    PreEcnThresholds settings;
    settings.t1 = DrawInRange<uint64_t>(1, 1000);
    settings.t2 = settings.t1 + DrawInRange<uint64_t>(1, 1000);
    settings.maximum = settings.t2 + DrawInRange<uint64_t>(1, 1000);
    settings.lightProbability = DrawInRange(0, 101) / 100.0;
    settings.severeProbability = DrawInRange(0, 101) / 100.0;
    settings.weight = DrawInRange(0, 101) / 100.0;
    settings.isSpread = DrawAny<bool>();
    RC_ASSERT(FindTwoThresholdsError(settings).empty());
    PreEcnMarker marker;
    marker.Configure(settings);
    double least = 0;
    double most = 0;
    for (const auto occupancy :
         *rc::gen::container<std::vector<uint64_t>>(50, rc::gen::inRange<uint64_t>(0, 4000)))
    {
        marker.Update(occupancy);
        most = std::max(most, static_cast<double>(occupancy));
        RC_ASSERT(marker.GetAverage() >= least && marker.GetAverage() <= most + 1e-9);
        const auto codepoint = DrawElement({NOT_ECT, ECT_0, ECT_1, CE});
        const double chance = DrawInRange(0, 1000) / 1000.0;
        const auto action = marker.Decide(codepoint, [chance]() { return chance; });
        const auto region = marker.GetRegion();
        RC_ASSERT(action == PreEcnAction::NONE || region != PreEcnRegion::NORMAL);
        RC_ASSERT((action != PreEcnAction::SEVERE_MARK && action != PreEcnAction::DROP_NOT_ECT) ||
                  region == PreEcnRegion::SEVERE);
        RC_ASSERT((action == PreEcnAction::DROP_NOT_ECT) <= (codepoint == NOT_ECT));
        RC_ASSERT(codepoint != NOT_ECT || action == PreEcnAction::NONE ||
                  action == PreEcnAction::DROP_NOT_ECT);
        RC_ASSERT(codepoint != CE || action != PreEcnAction::LIGHT_MARK);
        RC_ASSERT(marker.GetAverage() <= static_cast<double>(settings.maximum) ||
                  action == PreEcnAction::SEVERE_MARK || codepoint == NOT_ECT);
        const double packets = DrawInRange(0, 100) / 10.0;
        const auto parts = marker.SplitIdle(packets);
        RC_ASSERT(std::abs(parts[0] + parts[1] + parts[2] - packets) < 1e-9);
        RC_ASSERT(parts[0] >= 0 && parts[1] >= 0 && parts[2] >= 0);
    }
}

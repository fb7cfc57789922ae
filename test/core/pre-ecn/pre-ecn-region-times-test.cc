// SPDX-License-Identifier: GPL-2.0-only

// How long the average queue of two-threshold marking is in each region
// (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.1).

#include "model/core/pre-ecn/pre-ecn-marker.h"
#include "test/core/core-test.h"

constexpr auto NORMAL = static_cast<std::size_t>(PreEcnRegion::NORMAL);
constexpr auto LIGHT = static_cast<std::size_t>(PreEcnRegion::LIGHT);
constexpr auto SEVERE = static_cast<std::size_t>(PreEcnRegion::SEVERE);

/// A marker with an average of 4,000 bytes above T2, of which each packet of an idle queue halves
/// the rest.
PreEcnMarker
MakeMarker()
{
    PreEcnThresholds settings;
    settings.t1 = 1000;
    settings.t2 = 2000;
    settings.maximum = 8000;
    settings.weight = 0.5;
    PreEcnMarker marker;
    marker.Configure(settings);
    for (uint32_t i = 0; i < 60; ++i)
    {
        marker.Update(4000);
    }
    return marker;
}

TEST(PreEcnRegionTimes, ABusyQueueStaysInItsRegion)
{
    const auto marker = MakeMarker();
    PreEcnRegionTimes times;
    times.since = 100;
    times.Count(150, 0, marker);
    times.region = PreEcnRegion::LIGHT;
    times.Count(180, 0, marker);
    times.region = PreEcnRegion::SEVERE;
    times.Count(250, 0, marker);
    EXPECT_EQ(times.times, (PreEcnRegionTimes::Times{50, 30, 70}));
    EXPECT_EQ(times.since, 250);
}

/// The average is 4000 / 2^n after n packets: 2000 after 1, and 1000 after 2.
TEST(PreEcnRegionTimes, AnIdleQueueFallsThroughTheRegions)
{
    const auto marker = MakeMarker();
    PreEcnRegionTimes times;
    times.region = PreEcnRegion::SEVERE;
    times.Count(1000, 10, marker); // 100 ns a packet
    EXPECT_NEAR(static_cast<double>(times.times[SEVERE]), 100, 1);
    EXPECT_NEAR(static_cast<double>(times.times[LIGHT]), 100, 1);
    EXPECT_NEAR(static_cast<double>(times.times[NORMAL]), 800, 2);
    EXPECT_EQ(std::accumulate(times.times.begin(), times.times.end(), int64_t{0}), 1000);
}

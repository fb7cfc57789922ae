/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-settings.h"

#include "ns3/assessment-interval.h"

namespace ns3::aidc
{

bool
operator==(const FlowSetSettings& a, const FlowSetSettings& b)
{
    const auto tie = [](const FlowSetSettings& s) {
        return std::tie(s.interval,
                        s.isAdaptive,
                        s.index.useQueueDepth,
                        s.index.useBufferUtilization,
                        s.index.useDrops,
                        s.index.thresholdPpm,
                        s.index.dropsPerLevel,
                        s.index.maximum,
                        s.index.smoothing,
                        s.switching.useRoundRobin,
                        s.switching.flowletGap,
                        s.switching.maxMigrations,
                        s.switching.migrationPeriod);
    };
    return tie(a) == tie(b) && a.GetAdaptation() == b.GetAdaptation();
}

void
CheckConfig(const FlowSetSettings& settings)
{
    CheckConfig(settings.index);
    CheckConfig(settings.switching);
    // Its constructor checks.
    AssessmentInterval(settings.minInterval,
                       settings.maxInterval,
                       settings.lowTraffic,
                       settings.highTraffic);
}

} // namespace ns3::aidc

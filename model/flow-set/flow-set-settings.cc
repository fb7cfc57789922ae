/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-settings.h"

#include "../core/flow-set/assessment-interval.h"

namespace ns3::aidc
{

void
CheckSettings(const FlowSetSettings& settings)
{
    CheckSettings(settings.index);
    CheckSettings(settings.switching);
    // Its constructor checks.
    AssessmentInterval(settings.minInterval,
                       settings.maxInterval,
                       settings.lowTraffic,
                       settings.highTraffic);
}

} // namespace ns3::aidc

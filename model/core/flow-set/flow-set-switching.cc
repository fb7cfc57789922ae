/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-switching.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

void
CheckSettings(const FlowSetSwitchingSettings& settings)
{
    if (settings.flowletGap < 0)
    {
        throw std::invalid_argument("The flowlet gap must be at least 0 ns, not " +
                                    std::to_string(settings.flowletGap));
    }
    if (settings.holdDown < 0)
    {
        throw std::invalid_argument("The hold-down of a migrated flow set must be at least 0 ns, "
                                    "not " +
                                    std::to_string(settings.holdDown));
    }
    if (settings.hysteresis > 255)
    {
        throw std::invalid_argument("The hysteresis of migrations must be at most 255, not " +
                                    std::to_string(settings.hysteresis));
    }
    if (settings.migrationPeriod <= 0)
    {
        throw std::invalid_argument("The period of the cap of migrations must be above 0 ns, not " +
                                    std::to_string(settings.migrationPeriod));
    }
}

FlowSetSwitching::FlowSetSwitching(const FlowSetSwitchingSettings& settings)
{
    SetSettings(settings);
}

void
FlowSetSwitching::SetSettings(const FlowSetSwitchingSettings& settings)
{
    CheckSettings(settings);
    m_settings = settings;
    m_ports.RankByBudget(settings.ranksByBudget);
}

void
FlowSetSwitching::Initialize()
{
    m_ports.Reset();
    m_turn = 0;
    m_periodStart = 0;
    m_periodMigrations = 0;
}

} // namespace ns3::aidc

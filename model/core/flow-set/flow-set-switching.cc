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
CheckConfig(const FlowSetSwitchingConfig& config)
{
    if (config.flowletGap < 0)
    {
        throw std::invalid_argument("The flowlet gap must be at least 0 ns, not " +
                                    std::to_string(config.flowletGap));
    }
    if (config.holdDown < 0)
    {
        throw std::invalid_argument("The hold-down of a migrated flow set must be at least 0 ns, "
                                    "not " +
                                    std::to_string(config.holdDown));
    }
    if (config.hysteresis > 255)
    {
        throw std::invalid_argument("The hysteresis of migrations must be at most 255, not " +
                                    std::to_string(config.hysteresis));
    }
    if (config.migrationPeriod <= 0)
    {
        throw std::invalid_argument("The period of the cap of migrations must be above 0 ns, not " +
                                    std::to_string(config.migrationPeriod));
    }
}

FlowSetSwitching::FlowSetSwitching(const FlowSetSwitchingConfig& config)
{
    SetConfig(config);
}

void
FlowSetSwitching::SetConfig(const FlowSetSwitchingConfig& config)
{
    CheckConfig(config);
    m_config = config;
    m_ports.RankByBudget(config.ranksByBudget);
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

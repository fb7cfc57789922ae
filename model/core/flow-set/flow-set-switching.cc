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
    : m_config(config)
{
    CheckConfig(config);
}

void
FlowSetSwitching::SetConfig(const FlowSetSwitchingConfig& config)
{
    CheckConfig(config);
    m_config = config;
}

void
FlowSetSwitching::Initialize()
{
    for (auto& port : m_ports)
    {
        port.status.cqi = 0;
        port.status.initialCqi = 0;
        port.status.queueDepth = 0;
        port.migrations = 0;
    }
    m_turn = 0;
    m_periodStart = 0;
    m_periodMigrations = 0;
}

void
FlowSetSwitching::AddPort(uint32_t port)
{
    if (port > MAX_PORT)
    {
        throw std::invalid_argument("A port's identifier must be at most " +
                                    std::to_string(MAX_PORT) + ", not " + std::to_string(port));
    }
    if (HasPort(port))
    {
        throw std::invalid_argument("A port must be added once, but there is already port " +
                                    std::to_string(port));
    }
    if (port >= m_ports.size())
    {
        m_ports.resize(port + 1);
    }
    m_ports[port].isAdded = true;
    m_ports[port].status.port = port;
    m_ports[port].status.isUp = true;
}

bool
FlowSetSwitching::HasPort(uint32_t port) const
{
    return port < m_ports.size() && m_ports[port].isAdded;
}

void
FlowSetSwitching::SetPortUp(uint32_t port, bool isUp)
{
    m_ports[Require(port)].status.isUp = isUp;
}

void
FlowSetSwitching::Advertise(uint32_t port, uint32_t cqi, uint64_t queueDepth)
{
    auto& found = m_ports[Require(port)];
    found.status.cqi = cqi;
    found.status.initialCqi = cqi;
    found.status.queueDepth = queueDepth;
    found.migrations = 0;
}

const PortStatus&
FlowSetSwitching::GetPort(uint32_t port) const
{
    return m_ports[Require(port)].status;
}

uint32_t
FlowSetSwitching::GetMigrations(uint32_t port) const
{
    return m_ports[Require(port)].migrations;
}

uint32_t
FlowSetSwitching::Require(uint32_t port) const
{
    if (!HasPort(port))
    {
        throw std::invalid_argument("Expected a port that was added, found port " +
                                    std::to_string(port));
    }
    return port;
}

} // namespace ns3::aidc

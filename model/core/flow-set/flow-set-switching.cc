// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-switching.h"

#include "../require-argument.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

FlowSetTable::FlowSetTable(uint32_t size, int64_t agingTime)
    : m_mask(size - 1),
      m_agingTime(agingTime)
{
    AIDC_REQUIRE(size > 0 && size <= MAX_SIZE && (size & m_mask) == 0,
                 "The size of a flow-set table must be a power of two of at most " +
                     std::to_string(MAX_SIZE) + ", not " + std::to_string(size));
    AIDC_REQUIRE(agingTime > 0,
                 "The aging time of a flow-set table must be above 0 ns, not " +
                     std::to_string(agingTime));
}

void
FlowSetTable::Clear()
{
    std::vector<FlowSetEntry>().swap(m_entries);
    std::vector<int64_t>().swap(m_moves);
}

void
FlowSetTable::NoteMove(const FlowSetEntry& entry, int64_t now)
{
    if (m_moves.empty())
    {
        m_moves.resize(GetSize(), LONG_AGO);
    }
    m_moves[&entry - m_entries.data()] = now;
}

uint32_t
FlowSetTable::GetOccupancy(int64_t now) const
{
    return static_cast<uint32_t>(
        std::count_if(m_entries.begin(), m_entries.end(), [&](const FlowSetEntry& entry) {
            return IsLive(entry, now);
        }));
}

void
FlowSetPortTable::Reset()
{
    for (auto& port : m_ports)
    {
        port.status.cqi = 0;
        port.status.initialCqi = 0;
        port.status.queueDepth = 0;
        port.migrations = 0;
    }
}

void
FlowSetPortTable::Add(uint32_t port)
{
    AIDC_REQUIRE(port <= MAX_PORT,
                 "A port's identifier must be at most " + std::to_string(MAX_PORT) + ", not " +
                     std::to_string(port));
    AIDC_REQUIRE(!Has(port),
                 "A port must be added once, but there is already port " + std::to_string(port));
    if (port >= m_ports.size())
    {
        m_ports.resize(port + 1);
    }
    m_ports[port].isAdded = true;
    m_ports[port].status.port = port;
    m_ports[port].status.isUp = true;
}

bool
FlowSetPortTable::Has(uint32_t port) const
{
    return port < m_ports.size() && m_ports[port].isAdded;
}

void
FlowSetPortTable::Advertise(uint32_t port, uint32_t cqi, uint64_t queueDepth)
{
    auto& found = m_ports[Require(port)];
    found.status.cqi = cqi;
    found.status.initialCqi = cqi;
    found.status.queueDepth = queueDepth;
    found.migrations = 0;
}

uint32_t
FlowSetPortTable::Require(uint32_t port) const
{
    if (!Has(port))
    {
        throw std::invalid_argument("Expected a port that was added, found port " +
                                    std::to_string(port));
    }
    return port;
}

void
CheckSettings(const FlowSetSwitchingSettings& settings)
{
    AIDC_REQUIRE(settings.flowletGap >= 0,
                 "The flowlet gap must be at least 0 ns, not " +
                     std::to_string(settings.flowletGap));
    AIDC_REQUIRE(settings.holdDown >= 0,
                 "The hold-down of a migrated flow set must be at least 0 ns, not " +
                     std::to_string(settings.holdDown));
    AIDC_REQUIRE(settings.hysteresis <= 255,
                 "The hysteresis of migrations must be at most 255, not " +
                     std::to_string(settings.hysteresis));
    AIDC_REQUIRE(settings.migrationPeriod > 0,
                 "The period of the cap of migrations must be above 0 ns, not " +
                     std::to_string(settings.migrationPeriod));
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

// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-monitor.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{
void
FlowSetMonitor::Add(Ptr<FlowSetSelector> selector, const std::vector<std::string>& names)
{
    Ports* ports = &m_switches.emplace_back();
    selector->TraceConnectWithoutContext(
        "Assessment",
        Callback<void, uint32_t, uint32_t, uint64_t>(
            [this, ports, names](uint32_t interface, uint32_t cqi, uint64_t queueBytes) {
                GetPort(*ports, interface) = {cqi, 0};
                if (Simulator::Now() >= m_seriesBegin && interface < names.size() &&
                    !names[interface].empty())
                {
                    std::ostringstream row;
                    row << Simulator::Now().GetSeconds() << ',' << names[interface] << ',' << cqi
                        << ',' << queueBytes;
                    m_rows.Add(names[interface], row.str());
                }
            }));
    selector->TraceConnectWithoutContext(
        "Migration",
        Callback<void, const FlowSetMigration&>(
            [this, ports](const FlowSetMigration& migration) { Migrate(*ports, migration); }));
}

FlowSetMonitor::Port&
FlowSetMonitor::GetPort(Ports& ports, uint32_t interface)
{
    if (interface >= ports.size())
    {
        ports.resize(interface + 1);
    }
    return ports[interface];
}

void
FlowSetMonitor::Migrate(Ports& ports, const FlowSetMigration& migration)
{
    if (migration.reason != FlowSetAction::MIGRATE)
    {
        ++m_reroutes;
        return;
    }
    Port& port = GetPort(ports, migration.from);
    if (port.migrations == 0)
    {
        ++m_intervals;
        m_allowed += port.cqi;
    }
    ++port.migrations;
    m_migrations.push_back(Simulator::Now());
    if (port.migrations > port.cqi)
    {
        ++m_violations;
    }
}

uint64_t
FlowSetMonitor::GetMigrations(Time begin, Time end) const
{
    const auto isWithin = [&](Time time) { return begin <= time && time < end; };
    const auto n = std::count_if(m_migrations.begin(), m_migrations.end(), isWithin);
    return SumOverProcesses(static_cast<uint64_t>(n));
}

} // namespace ns3::aidc

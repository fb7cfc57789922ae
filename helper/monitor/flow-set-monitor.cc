/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-monitor.h"

#include "ns3/process-gather.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{

void
FlowSetMonitor::WriteSeries(const std::string& path) const
{
    m_rows.Write(path, "time_s,port,cqi,queue_byte");
}

void
FlowSetMonitor::SetSeriesBegin(Time begin)
{
    m_seriesBegin = begin;
}

void
FlowSetMonitor::Add(Ptr<FlowSetSelector> selector, const std::vector<std::string>& ports)
{
    m_switches.push_back(std::make_unique<Switch>());
    Switch* added = m_switches.back().get();
    added->monitor = this;
    added->names = ports;
    selector->TraceConnectWithoutContext("Assessment",
                                         MakeBoundCallback(&FlowSetMonitor::Assess, added));
    selector->TraceConnectWithoutContext("Migration",
                                         MakeBoundCallback(&FlowSetMonitor::Migrate, added));
}

FlowSetMonitor::Port&
FlowSetMonitor::GetPort(std::vector<Port>& ports, uint32_t interface)
{
    if (interface >= ports.size())
    {
        ports.resize(interface + 1);
    }
    return ports[interface];
}

void
FlowSetMonitor::Assess(Switch* from, uint32_t interface, uint32_t cqi, uint64_t queueBytes)
{
    GetPort(from->ports, interface) = {cqi, 0};
    if (Simulator::Now() >= from->monitor->m_seriesBegin && interface < from->names.size() &&
        !from->names[interface].empty())
    {
        const std::string& name = from->names[interface];
        std::ostringstream row;
        row << Simulator::Now().GetSeconds() << ',' << name << ',' << cqi << ',' << queueBytes;
        from->monitor->m_rows.Add(name, row.str());
    }
}

void
FlowSetMonitor::Migrate(Switch* from, const FlowSetMigration& migration)
{
    FlowSetMonitor& monitor = *from->monitor;
    if (migration.reason != FlowSetAction::MIGRATE)
    {
        ++monitor.m_reroutes;
        return;
    }
    Port& port = GetPort(from->ports, migration.from);
    if (port.migrations == 0)
    {
        ++monitor.m_intervals;
        monitor.m_allowed += port.cqi;
    }
    ++port.migrations;
    monitor.m_migrations.push_back(Simulator::Now());
    if (port.migrations > port.cqi)
    {
        ++monitor.m_violations;
    }
}

uint64_t
FlowSetMonitor::GetMigrations() const
{
    return SumOverProcesses(m_migrations.size());
}

uint64_t
FlowSetMonitor::GetMigrations(Time begin, Time end) const
{
    const auto isWithin = [&](Time time) { return begin <= time && time < end; };
    const auto n = std::count_if(m_migrations.begin(), m_migrations.end(), isWithin);
    return SumOverProcesses(static_cast<uint64_t>(n));
}

uint64_t
FlowSetMonitor::GetReroutes() const
{
    return SumOverProcesses(m_reroutes);
}

uint64_t
FlowSetMonitor::GetBoundViolations() const
{
    return SumOverProcesses(m_violations);
}

uint64_t
FlowSetMonitor::GetIntervals() const
{
    return SumOverProcesses(m_intervals);
}

uint64_t
FlowSetMonitor::GetAllowedMigrations() const
{
    return SumOverProcesses(m_allowed);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowset-ecmp-monitor.h"

#include "ns3/experiment-uplinks.h"
#include "ns3/fabric-interface.h"
#include "ns3/flow-set-selector.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

FlowSetEcmpMonitor::FlowSetEcmpMonitor(const FabricHelper& network, bool hasFlowSets)
    : m_network(network),
      m_hasFlowSets(hasFlowSets),
      m_load(MicroSeconds(100))
{
    m_reordering.Add(network.GetHosts());
    const FabricPlan& fabric = network.GetFabric();
    for (const NodeIndex id : fabric.GetSwitches())
    {
        if (!network.IsLocal(id))
        {
            continue;
        }
        std::vector<Ptr<NetDevice>> uplinks;
        std::vector<std::string> names(GetInterfaceOfPort(fabric.GetPorts(id).GetEnd()));
        for (const PortIndex port : GetUplinks(fabric, id))
        {
            uplinks.push_back(network.GetPort(id, port));
            names[GetInterfaceOfPort(port)] = fabric.GetPortName(id, port);
        }
        if (!uplinks.empty())
        {
            m_load.AddGroup(uplinks);
        }
        if (hasFlowSets)
        {
            const auto routing = MultipathRoutingHelper::GetRouting(network.GetNode(id));
            const bool isLeaf = fabric.GetNode(id).tier == FabricTier::LEAF;
            m_flowSets.Add(DynamicCast<FlowSetSelector>(routing->GetSelector()),
                           isLeaf ? names : std::vector<std::string>());
        }
    }
}

void
FlowSetEcmpMonitor::Start(Time seriesBegin)
{
    m_flowSets.SetSeriesBegin(seriesBegin);
    m_load.Start();
}

void
FlowSetEcmpMonitor::Stop()
{
    m_load.Stop();
}

void
FlowSetEcmpMonitor::WriteSeries(const std::string& path)
{
    if (m_hasFlowSets)
    {
        m_flowSets.WriteSeries(path);
    }
}

double
FlowSetEcmpMonitor::GetSteadyMigrations(const std::vector<FlowRecord>& records) const
{
    Time begin;
    Time end = Time::Max();
    for (const auto& record : records)
    {
        begin = std::max(begin, record.spec.start);
        end = std::min(end, record.isDone ? record.finish : Simulator::Now());
    }
    const auto found = static_cast<double>(m_flowSets.GetMigrations((begin + end) / 2, end));
    return begin < end ? found : std::nan("");
}

void
FlowSetEcmpMonitor::AddTo(ExperimentOutcome& outcome, bool seesOrder) const
{
    const auto add = [&outcome](const std::string& name, uint64_t value, const char* unit) {
        outcome.Add(name, static_cast<double>(value), unit);
    };
    const auto counts = m_network.GetPacketCounts();
    add("dropped_packets", counts.dropped, "packet");
    add("marked_packets", counts.marked, "packet");
    add("packet_hops", counts.sent, "packet");
    outcome.Add("reordered_packets",
                seesOrder ? static_cast<double>(m_reordering.GetReorderedPackets()) : std::nan(""),
                "packet");
    add("lost_packets", m_network.GetLostPackets(), "packet");
    const double spread = m_load.GetSpread();
    outcome.Add("load_imbalance", spread / m_load.GetMean(), "1");
    add("migrations", m_flowSets.GetMigrations(), "1");
    outcome.Add("steady_migrations", GetSteadyMigrations(outcome.records), "1");
    add("migrations_allowed", m_flowSets.GetAllowedMigrations(), "1");
    add("migration_intervals", m_flowSets.GetIntervals(), "1");
    add("bound_violations", m_flowSets.GetBoundViolations(), "1");
    add("reroutes", m_flowSets.GetReroutes(), "1");
}

} // namespace ns3::aidc

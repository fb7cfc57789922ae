/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOWSET_ECMP_MONITOR_H
#define AIDC_FLOWSET_ECMP_MONITOR_H

#include "ns3/experiment-base.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-records.h"
#include "ns3/flow-set-monitor.h"
#include "ns3/link-load-monitor.h"
#include "ns3/nstime.h"
#include "ns3/reorder-monitor.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::FlowSetEcmpMonitor declaration.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Watches the network of a run of FlowSetEcmpExperiment: the order of packets, the loads of
///        uplinks, and the flow sets of the switches.
class FlowSetEcmpMonitor
{
  public:
    /// Constructor.
    /// @param network the network, which outlives this
    /// @param hasFlowSets whether the switches have flow sets
    FlowSetEcmpMonitor(const FabricHelper& network, bool hasFlowSets);

    /// Start to watch the loads.
    /// @param seriesBegin when the series of flow sets begins
    void Start(Time seriesBegin);

    /// Stop to watch the loads.
    void Stop();

    /// Write the series of flow sets, if there are any.
    /// @param path the file
    void WriteSeries(const std::string& path);

    /// Add what packets and flow sets have done to the results of the run, whose flows are there.
    /// @param [in,out] outcome the results
    /// @param seesOrder whether packets pass ns-3's stack, where their order is watched
    void AddTo(ExperimentOutcome& outcome, bool seesOrder) const;

  private:
    /// Get the migrations of the steady state: of the latter half of the time in which all flows
    /// are under way. @return the migrations; NaN if the flows are never under way all at once
    double GetSteadyMigrations(const std::vector<FlowRecord>& records) const;

    const FabricHelper& m_network; //!< the network
    bool m_hasFlowSets;            //!< whether the switches have flow sets
    ReorderMonitor m_reordering;   //!< the order in which packets arrive
    LinkLoadMonitor m_load;        //!< the loads of each switch's uplinks
    FlowSetMonitor m_flowSets;     //!< flow sets, and the uplinks of leaves
};

} // namespace ns3::aidc

#endif // AIDC_FLOWSET_ECMP_MONITOR_H

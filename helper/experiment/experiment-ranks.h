/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_RANKS_H
#define AIDC_EXPERIMENT_RANKS_H

#include "../fabric-network.h"
#include "experiment-results.h"
#include "experiment-run.h"

#include "ns3/busiest-port.h"
#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rank-application-helper.h"
#include "ns3/rank-timeline.h"
#include "ns3/workload-plan.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The ranks of a run: it simulates until they are done, watches them and the network, and
 *        sums up.
 *
 * The order of calls is: Install(), Simulate(), GetMetrics(), before the simulator is destroyed.
 * Simulate() writes network-SCENARIO-SCHEME.json and timeline-SCENARIO-SCHEME.json in the first run
 * of a scheme.
 */
class ExperimentRanks
{
  public:
    /// @param run the run, which outlives this object
    /// @param plan the programs of all ranks
    /// @throws std::invalid_argument if they do not fit together (WorkloadPlan::Check())
    ExperimentRanks(const ExperimentRun& run, WorkloadPlan plan);

    /// @return the programs of all ranks
    const WorkloadPlan& GetPlan() const
    {
        return m_ranks.GetPlan();
    }

    /// Give each rank its host, before the simulation begins.
    /// @param nodes the host of each rank
    /// @param endpoints the message endpoint of each rank, at its host
    void Install(const NodeContainer& nodes, const std::vector<Ptr<MessageEndpoint>>& endpoints);

    /// Simulate until all ranks are done, or for 20 times as long as they take alone, but a second
    /// at least.
    /// @param network the network
    /// @param alone how long the ranks take alone (GetIdealSeconds())
    /// @throws std::runtime_error if they are not done by then, or a file cannot be written
    void Simulate(const FabricNetwork& network, const Time& alone);

    /// Get `completion_time`, the time until the last rank is done; `bus_bandwidth`, the mean of
    /// the collectives' (NaN without any); those of GetTimelineMetrics(); and `busiest_link_load`.
    /// @return the metrics
    std::vector<ResultMetric> GetMetrics() const;

  private:
    const ExperimentRun& m_run;    //!< the run
    RankApplicationHelper m_ranks; //!< the programs
    RankTimeline m_timeline;       //!< what they have done
    NodeContainer m_nodes;         //!< the host of each rank
    std::string m_stuck;           //!< why they will not be done; or empty
    BusiestPort m_busiest;         //!< the port that has sent most
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RANKS_H

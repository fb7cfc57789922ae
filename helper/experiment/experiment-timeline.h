/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_TIMELINE_H
#define AIDC_EXPERIMENT_TIMELINE_H

#include "experiment-results.h"

#include "ns3/rank-timeline.h"
#include "ns3/workload-plan.h"

#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Summarize what ranks have done, and for how long, as means over the ranks.
///
/// The metrics are `computation_time`, `exposed_communication`, a time for each kind of collective
/// in the plan, such as `all_reduce_time`, and, if the plan has messages outside of collectives,
/// `send_time` and `receive_time`. The last ones are sums over operations, which may overlap.
/// @param plan the programs of all ranks
/// @param sums what RankTimeline::GetSums() tells of them
/// @return the metrics
std::vector<ResultMetric> GetTimelineMetrics(const WorkloadPlan& plan,
                                             const std::vector<RankTimeSums>& sums);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_TIMELINE_H

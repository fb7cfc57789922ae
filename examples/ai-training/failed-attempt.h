/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FAILED_ATTEMPT_H
#define AIDC_FAILED_ATTEMPT_H

#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/rank-application-helper.h"
#include "ns3/rank-timeline.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What fails in an attempt to do a step, and when all of it begins again.
 */
struct FailedAttemptSettings
{
    uint32_t rank{0}; //!< the rank whose host loses its link
    Time failure;     //!< when it does
    Time end;         //!< when the programs are stopped
};

/**
 * @ingroup aidc
 * @brief An attempt to do a step that a failure ends: the host of a rank loses its link.
 *
 * What has to be known of it is known before the simulation begins, so that all simulators and
 * processes (MpiRanks) do the same: when the link fails, and when a scheduler of jobs, which a
 * watchdog has called, stops the programs to start them elsewhere. Ranks whose messages cannot be
 * sent stop before; the others wait for them. The end of a program is that of its queue pairs.
 */
class FailedAttempt
{
  public:
    /// @param plan the programs of all ranks
    /// @param settings what fails
    FailedAttempt(WorkloadPlan plan, const FailedAttemptSettings& settings);

    /// Start the step at the beginning of the simulation, and schedule the failure.
    /// @param network the network, which outlives the simulation
    /// @param hosts the host of each rank, which has one link
    /// @param path the delays of the longest path between them
    /// @param [in,out] timeline where instants go: of the failure, of messages that could not be
    ///        sent, and of the end; it outlives the simulation
    void Install(FabricHelper& network,
                 const std::vector<NodeIndex>& hosts,
                 const RocePath& path,
                 RankTimeline& timeline);

    /// Get the time from the failure until a message of another rank could not be sent, so that
    /// there is an error to report. Of several processes, each one asks at the same point.
    /// @return seconds; NaN if there was none before the end
    double GetDetectionSeconds() const;

  private:
    RankApplicationHelper m_ranks;    //!< the programs
    FailedAttemptSettings m_settings; //!< what fails
};

} // namespace ns3::aidc

#endif // AIDC_FAILED_ATTEMPT_H

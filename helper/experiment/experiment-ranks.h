// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_RANKS_H
#define AIDC_EXPERIMENT_RANKS_H

#include "../fabric-network.h"
#include "experiment-results.h"
#include "experiment-run.h"

#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rank-application-helper.h"
#include "ns3/rank-timeline.h"
#include "ns3/workload-leap.h"
#include "ns3/workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The ranks of a run: it simulates until they are done, watches them and the network, and
/// sums up.
///
/// The order of calls is: SetStart() and WaitFor(), if wanted; Install(), Simulate(), GetMetrics(),
/// before the simulator is destroyed.
/// Simulate() writes network-SCENARIO-SCHEME.json and timeline-SCENARIO-SCHEME.json in the first
/// run of a scheme.
class ExperimentRanks
{
  public:
    /// @param run the run, which outlives this object
    /// @param plan the programs of all ranks
    /// @param other the programs of another job, whose ranks follow, if there is one
    /// @throws std::invalid_argument if they do not fit together (WorkloadPlan::Check())
    ExperimentRanks(const ExperimentRun& run,
                    WorkloadPlan plan,
                    const std::optional<WorkloadPlan>& other = std::nullopt);

    /// @return the programs of all ranks, of both jobs
    const WorkloadPlan& GetPlan() const
    {
        return m_ranks.GetPlan();
    }

    /// @return the timeline, which links and instants may be added to
    RankTimeline& GetTimeline()
    {
        return m_timeline;
    }

    /// @param start when the ranks start; 0 by default
    void SetStart(const Time& start)
    {
        m_start = start;
        m_ranks.SetStart(start);
    }

    /// Simulate until something else is done, too.
    /// @param what what it is, for the error if it does not end
    /// @param isDone tells whether it is; with several processes (MpiProcesses), each one asks at
    ///        the same point and gets the same answer
    void WaitFor(const std::string& what, std::function<bool()> isDone);

    /// Let ranks leap over what repeats, before Install(). Then GetMetrics() has also `leapt_time`,
    /// the part of the workload's time that the network has not simulated; `leapt_operations`, the
    /// part of collectives and messages that was not executed; `leap_error`, a bound on the
    /// relative error of their times; `leap_mistakes`, how many of them had other neighbors than
    /// expected; `counter_factor`, by which Extrapolate() multiplies (1 with other traffic, or with
    /// SetStart(), before which others may have sent); and, if it is checked,
    /// `leap_checks`, `leap_check_mean` and `leap_check_worst`.
    /// @param settings how
    /// @param places where messages of ranks are
    /// @param isBusy tells whether there is, or will be, other traffic; null if there is none
    void Leap(const LeapSettings& settings,
              FabricPlaces places,
              std::function<bool()> isBusy = nullptr);

    /// Extrapolate counters of packets and times of the network to what was leapt, by the bytes
    /// that ranks send over the fabric. Without leaps there is nothing to do.
    /// @param [in,out] metrics the metrics; packets, pauses, CNPs and waits change
    void Extrapolate(std::vector<ResultMetric>& metrics) const;

    /// Give each rank its host, before the simulation begins.
    /// @param nodes the host of each rank
    /// @param endpoints the message endpoint of each rank, at its host
    void Install(const NodeContainer& nodes, const std::vector<Ptr<MessageEndpoint>>& endpoints);

    /// Simulate until all ranks are done, or from their start for 20 times as long as they take
    /// alone, but a second at least.
    /// @param network the network
    /// @param alone how long the ranks take alone (GetIdealSeconds())
    /// @throws std::runtime_error if not all is done by then, or a file cannot be written
    void Simulate(const FabricNetwork& network, const Time& alone);

    /// Get `completion_time`, the time until the last rank is done; `bus_bandwidth`, the mean of
    /// the collectives' (NaN without any); the metrics of GetTimelineMetrics(); and
    /// `busiest_link_load`. If there is another job, they are metrics of the first one, and
    /// `completion_time_other` is the completion time of the other one.
    /// @return the metrics
    std::vector<ResultMetric> GetMetrics() const;

  private:
    /// @return whether all is done for which the simulation waits
    bool IsDone() const
    {
        return m_ranks.IsDone() && (!m_isOtherDone || m_isOtherDone());
    }

    /// Add what was leapt.
    void AddLeapMetrics(std::vector<ResultMetric>& metrics) const;

    /// Tell the user, and the timeline, what was leapt.
    void TellLeap();

    /// @return sent over executed bytes; 1 with other traffic, as counters do not tell it apart
    double GetCounterFactor() const;

    /// @return what is not done, and why, for the error
    std::string DescribeUnfinished() const
    {
        const std::string why = m_stuck.empty() ? m_ranks.DescribeUnfinished() : m_stuck;
        return why.empty() ? m_other : why;
    }

    const ExperimentRun& m_run;          //!< the run
    uint32_t m_nRanks;                   //!< the ranks of the first job
    std::size_t m_nCollectives;          //!< the collectives of the first job
    RankApplicationHelper m_ranks;       //!< the programs
    RankTimeline m_timeline;             //!< what they have done
    Ptr<WorkloadLeap> m_leap;            //!< leaps; or null
    NodeContainer m_nodes;               //!< the host of each rank
    Time m_start;                        //!< SetStart()
    std::string m_other;                 //!< WaitFor(); or empty
    std::function<bool()> m_isOtherDone; //!< WaitFor(); or null
    std::function<bool()> m_isBusy;      //!< Leap(); or null
    bool m_hasOthers{false};             //!< whether there is other traffic
    std::string m_stuck;                 //!< why they will not be done; or empty
    BusiestPort m_busiest;               //!< the port that has sent most
};

/// Summarize what ranks have done, and for how long, as means over the ranks.
///
/// The metrics are `computation_time`, `exposed_communication`, a time for each kind of collective
/// in the plan, such as `all_reduce_time`, and, if the plan has messages outside of collectives,
/// `send_time` and `receive_time`. The last ones are sums over operations, which may overlap.
/// @param plan the programs of all ranks
/// @param sums their sums by RankTimeline::GetSums()
/// @return the metrics
std::vector<ResultMetric> GetTimelineMetrics(const WorkloadPlan& plan,
                                             const std::vector<RankTimeSums>& sums);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RANKS_H

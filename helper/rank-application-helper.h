// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANK_APPLICATION_HELPER_H
#define AIDC_RANK_APPLICATION_HELPER_H

#include "ns3/application-container.h"
#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rank-application.h"
#include "ns3/workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The record of a collective.
struct CollectiveRecord
{
    std::string name;                                         //!< its name in the plan
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};          //!< what was done
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; //!< the algorithm
    uint32_t nMembers{0};                                     //!< the number of members
    uint64_t bytes{0};                                        //!< the size
    bool isDone{false};                                       //!< whether it ended at all members
    bool isLeapt{false};           //!< whether it was not executed (see WorkloadLeap)
    Time start;                    //!< when the first one started
    Time finish;                   //!< when it ended at the last one
    CollectiveBandwidth bandwidth; //!< over that time; 0 if it is not done or took no time
};

/// Has hosts execute the programs of a plan, and records the results.
///
/// Read the records after the simulation, or in events without a node: in events of nodes, the
/// times of nodes may differ. With several processes (MpiProcesses), each one installs all
/// programs, and calls the functions that read records at the same points.
class RankApplicationHelper
{
  public:
    /// @param plan the programs of all ranks
    /// @throws std::invalid_argument if they do not fit together (WorkloadPlan::Check())
    explicit RankApplicationHelper(WorkloadPlan plan);

    /// @param start the time at which programs that are installed later start, 0 by default
    void SetStart(const Time& start);

    /// Give each rank its host. It is called once, before the simulation begins.
    /// @param nodes the host of each rank, as many as ranks
    /// @param endpoints the message endpoint of each rank, at its host
    /// @return the applications, by rank
    ApplicationContainer Install(const NodeContainer& nodes,
                                 const std::vector<Ptr<MessageEndpoint>>& endpoints);

    /// Called with the reason why programs will not be done.
    using StuckCallback = std::function<void(const std::string&)>;

    /// Have the simulation stop when all programs are done, or one cannot go on, because a message
    /// could not be sent or nothing is scheduled any more.
    ///
    /// It stops at the next multiple of 10 us of simulated time from now, so that the counters are
    /// the same in each simulator.
    /// @param stuck called with the text of DescribeUnfinished() if not all programs are done; null
    ///        to print it on the standard error stream
    /// @param isOtherDone tells whether all else is done that the simulation has to wait for; with
    ///        several processes, each one asks at the same point and gets the same answer; null if
    ///        there is nothing else
    void StopWhenDone(StuckCallback stuck = nullptr, std::function<bool()> isOtherDone = nullptr);

    /// Tell whether all programs are done. @return whether they are
    bool IsDone() const;

    /// @return whether a message could not be sent, so that not all programs will be done
    bool HasFailed() const;

    /// @return the records of ranks, by rank
    std::vector<RankRecord> GetRankRecords() const;

    /// @return the records of ranks with the times of their operations, by rank
    std::vector<RankState> GetRankStates() const;

    /// @return the records of collectives, in the order of the plan's items
    std::vector<CollectiveRecord> GetCollectiveRecords() const;

    /// Get the operations that are under way, to find out why a step does not end.
    /// @param max the most operations
    /// @return operations that have started but not ended, by rank, as texts of
    ///         WorkloadPlan::Describe()
    std::vector<std::string> GetUnfinished(std::size_t max = 10) const;

    /// @return the failures, and operations that are under way; empty if all are done
    std::string DescribeUnfinished() const;

    /// Get how much has been done.
    /// @return the operations of this process that have ended, as a share of all operations
    double GetShareDone() const;

    /// @return the plan
    const WorkloadPlan& GetPlan() const
    {
        return *m_plan;
    }

  private:
    /// The applications, kept for events that outlive the helper.
    struct Applications;

    /// @return whether the host of a rank is simulated by this process
    bool IsLocal(std::size_t rank) const;

    /// Stop the simulation if all is done or nothing is under way, or check again later.
    void Look() const;

    std::shared_ptr<const WorkloadPlan> m_plan;   //!< the programs of all ranks
    std::shared_ptr<Applications> m_applications; //!< the applications, by rank
    Time m_start;                                 //!< when they start
};

} // namespace ns3::aidc

#endif // AIDC_RANK_APPLICATION_HELPER_H

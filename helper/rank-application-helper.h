/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_APPLICATION_HELPER_H
#define AIDC_RANK_APPLICATION_HELPER_H

#include "../model/core/workload/collective-bandwidth.h"

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

/**
 * @ingroup aidc
 * @brief What became of a collective.
 */
struct CollectiveRecord
{
    std::string name;                                         //!< its name in the plan
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};          //!< what was done
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; //!< in which steps
    uint32_t nMembers{0};                                     //!< the number of members
    uint64_t bytes{0};                                        //!< the size
    bool isDone{false};                                       //!< whether it ended at all members
    Time start;                                               //!< when the first one started
    Time finish;                                              //!< when it ended at the last one
    CollectiveBandwidth bandwidth; //!< over that time; 0 if it is not done or took no time
};

/**
 * @ingroup aidc
 * @brief What became of a rank's program.
 */
struct RankRecord
{
    bool isDone{false}; //!< whether all of its operations have ended
    Time finish;        //!< when the last one ended; 0 if not

    /// Why it cannot end: rank, peer, time and cause of a message that could not be sent; or empty.
    std::string failure;
};

/**
 * @ingroup aidc
 * @brief Has hosts execute the programs of a plan, and tells what became of them.
 *
 * The records are read after the simulation, or in events without a node: while nodes have events,
 * each may be at another time.
 */
class RankApplicationHelper
{
  public:
    /// @param plan the programs of all ranks
    /// @throws std::invalid_argument if they do not fit together (WorkloadPlan::Check())
    explicit RankApplicationHelper(WorkloadPlan plan);

    /// @param start the time at which programs that are installed later start, 0 by default
    void SetStart(const Time& start);

    /// Give each rank its host. It is called once, before the simulation begins.
    /// @param nodes the host of each rank
    /// @param endpoints what sends and takes the messages of each rank, at its host
    /// @return the applications, by rank
    /// @throws std::invalid_argument if there are not as many hosts and endpoints as ranks
    ApplicationContainer Install(const NodeContainer& nodes,
                                 const std::vector<Ptr<MessageEndpoint>>& endpoints);

    /// Told why programs will not be done.
    using StuckCallback = std::function<void(const std::string&)>;

    /// Have the simulation stop when all programs are done, or one cannot go on, because a message
    /// could not be sent or nothing is scheduled any more.
    ///
    /// It stops at the next multiple of 10 us of simulated time from now, so that what is counted
    /// then is the same in each simulator.
    /// @param stuck told what DescribeUnfinished() tells if not all programs are done; null to
    ///        print it on the standard error stream
    void StopWhenDone(StuckCallback stuck = nullptr);

    /// Tell whether all programs are done. @return whether they are
    bool IsDone() const;

    /// @return whether a message could not be sent, so that not all programs will be done
    bool HasFailed() const;

    /// Get what became of the ranks. @return the records, by rank
    std::vector<RankRecord> GetRankRecords() const;

    /// Get what became of the collectives. @return the records, in the order of the plan's items
    std::vector<CollectiveRecord> GetCollectiveRecords() const;

    /// Get what is under way, for who wants to know why a step does not end.
    /// @param max how many operations at most
    /// @return operations that have started but not ended, by rank, as WorkloadPlan::Describe()
    ///         tells them
    std::vector<std::string> GetUnfinished(std::size_t max = 10) const;

    /// @return the failures, and operations that are under way; empty if all are done
    std::string DescribeUnfinished() const;

    /// Get how much has been done. @return the share of all operations that have ended, from 0 to 1
    double GetShareDone() const;

    /// @return the plan
    const WorkloadPlan& GetPlan() const;

  private:
    /// The applications, which events outlive the helper with.
    struct Applications;

    /// Stop the simulation if all is done or nothing goes on, or look again later.
    /// @param applications the applications
    static void Look(std::shared_ptr<Applications> applications);

    std::shared_ptr<const WorkloadPlan> m_plan;   //!< the programs of all ranks
    std::shared_ptr<Applications> m_applications; //!< the applications, by rank
    Time m_start;                                 //!< when they start
};

} // namespace ns3::aidc

#endif // AIDC_RANK_APPLICATION_HELPER_H

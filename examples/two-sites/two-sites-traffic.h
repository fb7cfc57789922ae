/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_TRAFFIC_H
#define AIDC_TWO_SITES_TRAFFIC_H

#include "two-sites-network.h"
#include "two-sites-settings.h"

#include "ns3/collective-schedule.h"
#include "ns3/flow-records.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/workload-plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The traffic of TwoSitesExperiment.
 *
 * Every second host is a rank, and all ranks have a training step (MakeTwoSitesStep()).
 *
 * The other hosts are storage. At random times several of them send to one rank's host at once
 * (incasts). A half of them sends elephants to each other, one each; the other half sends bursts to
 * the other data center, in turns.
 */
class TwoSitesTraffic
{
  public:
    /// Constructor; takes the random variable streams 1 and 2.
    /// @param settings what the user has set, which outlives this
    explicit TwoSitesTraffic(const TwoSitesSettings& settings);

    TwoSitesTraffic(const TwoSitesTraffic&) = delete;
    TwoSitesTraffic& operator=(const TwoSitesTraffic&) = delete;

    /// Connect hosts, before the simulation begins. The simulation stops when all is done, or
    /// something could not be sent.
    /// @param network the network
    void Install(const TwoSitesNetwork& network);

    /// @return how many flows there are, besides those of the training step
    std::size_t GetNFlows() const;

    /// @return when the traffic begins: routes are there
    static Time GetStart();

    /// @return when the simulation ends at the latest
    static Time GetLimit();

    /// @return how much has been done in this process: the share of flows' bytes or, if that is
    ///         less, of the operations of the training step
    double GetShareDone() const;

    /// Find out what has been done. Of several processes (MpiProcesses), each one calls it after
    /// the simulation, and calls the functions below, too.
    void Gather();

    /// @return whether all is done
    bool IsDone() const;

    /// @return what is not done, and why, in one line; empty if all is done
    std::string DescribeUnfinished() const;

    /// @return how long the training step has taken, if it is done
    Time GetStepTime() const;

    /// @return how much longer the training step has taken, if it is done, than the propagation
    ///         over the WAN of what its layers exchange one after the other
    Time GetTimeAboveFloor() const;

    /// @param kind a kind of collectives, which is all-reduce over the WAN, and reduce-scatter and
    ///        all-gather in the data centers
    /// @return the mean of their times, from the first member's start to the last one's end, in s
    double GetCollectiveTime(CollectiveKind kind) const;

    /// @param site a data center
    /// @return its elephants
    const std::vector<FlowRecord>& GetElephants(uint32_t site) const
    {
        return m_elephants.at(site).GetRecords();
    }

    /// @param site a data center
    /// @return the flows of its incasts
    const std::vector<FlowRecord>& GetStorage(uint32_t site) const
    {
        return m_storage.at(site).GetRecords();
    }

    /// @return the flows of bursts over the WAN, of both data centers
    const std::vector<FlowRecord>& GetBursts() const
    {
        return m_bursts->Get();
    }

    /// @return the queue pairs of the first data center that send bursts, by adapter of this
    ///         process
    const std::map<Ptr<RoceNic>, std::set<uint32_t>>& GetBurstSenders() const
    {
        return m_burstSenders;
    }

  private:
    static std::vector<NodeIndex> GetHosts(const FabricPlan& plan, bool isRank);

    /// Shuffle some hosts. @param[in,out] hosts the hosts
    void Shuffle(std::vector<NodeIndex>& hosts) const;

    /// Connect the ranks. @param network the network
    void InstallStep(const TwoSitesNetwork& network);

    /// Draw the flows of a data center, and install them.
    void InstallFlows(const TwoSitesNetwork& network, uint32_t site);

    void InstallBursts(const TwoSitesNetwork& network);

    /// Install the bursts of a queue pair.
    void InstallBursts(const TwoSitesNetwork& network,
                       const std::array<NodeIndex, WAN_SITES>& hosts);

    /// @return whether all is done, before Gather()
    bool AreAllDone() const;

    /// Stop the simulation if all is done, or look again later.
    void LookWhetherDone();

    const TwoSitesSettings& m_settings;                        //!< what the user has set
    Ptr<UniformRandomVariable> m_uniform;                      //!< draws hosts
    Ptr<ExponentialRandomVariable> m_gap;                      //!< draws times between incasts
    RankApplicationHelper m_step;                              //!< the training step
    std::array<RoceFlowHelper, WAN_SITES> m_elephants;         //!< by data center
    std::array<RoceFlowHelper, WAN_SITES> m_storage;           //!< by data center
    Time m_floor;                                              //!< of the step: propagation alone
    Ptr<FlowRecords> m_bursts;                                 //!< over the WAN
    std::map<Ptr<RoceNic>, std::set<uint32_t>> m_burstSenders; //!< GetBurstSenders()
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_TRAFFIC_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_TRAFFIC_H
#define AIDC_PRE_ECN_TRAFFIC_H

#include "pre-ecn-settings.h"

#include "ns3/fabric-helper.h"
#include "ns3/flow-records.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/wan-helper.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The traffic of PreEcnExperiment: all-reduces between pairs of ranks, one in each of two
 *        data centers, and bursts from other hosts of a data center to the other one, in turns: the
 *        first burst from the first data center, the second one from the second.
 *
 * A pair's all-reduce is what of a hierarchical all-reduce crosses the WAN: within the data
 * centers, the ranks have reduced among themselves before.
 *
 * A burst comes 0.5 ms after the beginning, and again each time that the path's delay has passed:
 * then the second half of the all-reduce is sent. Its senders begin within 50 us, at random. If
 * both data centers send at a time, each burst comes from both.
 *
 * Long flows come in place of all that: all of these hosts send for round trips, from the
 * beginning. Of more than two data centers, each host sends to one of each other data center, one
 * way from the data center with the lower number.
 *
 * Within each data center but, one way, the last one, four hosts send messages of 5 MB, each to the
 * next one, one each 2 ms, eight of them or more. They have nothing to do with the WAN.
 */
class PreEcnTraffic
{
  public:
    /// Constructor; takes the random variable stream 1.
    /// @param settings what the user has set, which outlives this
    /// @param scenario the scenario
    PreEcnTraffic(const PreEcnSettings& settings, const PreEcnScenario& scenario);

    /// Get the number of flows: those of bursts, or the long ones. @return the number
    std::size_t GetNFlows() const
    {
        return m_flows.size();
    }

    /// Get how long a run may take: at least 5 s, and many times as long as it takes alone.
    /// @return the time
    Time GetLimit() const;

    /// Get how much has been done in this process.
    /// @return the share of the bytes of flows, or of the operations of the all-reduces if that is
    ///        less, from 0 to 1
    double GetShareDone() const;

    /// Connect hosts, before the simulation begins. The simulation stops when all is done, or a
    /// message could not be sent.
    /// @param network the network, with RoceNics at its hosts
    /// @param detour how much longer packets may take, one way, than by the shortest path
    void Install(const WanHelper& network, Time detour);

    /// Get the hosts of the first data center that send, those of ranks first. @return the hosts
    NodeContainer GetSenders() const
    {
        return m_senders;
    }

    /// Find out what has been done. Of several processes (MpiProcesses), each one calls it after
    /// the simulation, and calls the functions below, too.
    void Gather();

    /// Tell whether all is done. @return whether it is
    bool IsDone() const;

    /// Tell what is not done, and why. @return the text, in one line; empty if all is done
    std::string DescribeUnfinished() const;

    /// Get when the all-reduces have ended, or the long flows, if all is done. @return the time
    Time GetCompletionTime() const;

    /// Get when the last traffic of the WAN has ended, bursts too, if all is done. @return the time
    Time GetFinish() const;

    /// @return the longest time of a message within a data center
    Time GetLongestVictimTime() const;

    /// Get the bytes that have crossed the WAN as payload, of what has ended. @return the bytes
    uint64_t GetBytes() const;

    /// Get what became of the flows. @return the records
    const std::vector<FlowRecord>& GetRecords() const;

  private:
    /// A flow of a burst, or a long one.
    struct Flow
    {
        FlowSpec spec;    //!< the flow
        uint32_t from{0}; //!< the data center that sends
        uint32_t to{1};   //!< the one that receives
        uint32_t host{0}; //!< which of the hosts there that have a peer
    };

    /// Connect two hosts, and have them send their flows.
    void InstallFlows(const WanHelper& network,
                      uint32_t a,
                      uint32_t b,
                      uint32_t host,
                      const RocePath& path);

    /// Get a host of a job. The offset is 0 for ranks, 1 for bursts.
    static NodeIndex GetHost(const WanHelper& network,
                             uint32_t site,
                             uint32_t i,
                             uint32_t n,
                             uint32_t offset);

    /// @return whether all is done, before Gather()
    bool AreAllDone() const;

    /// Stop the simulation if all is done, or look again later.
    void LookWhetherDone();

    const PreEcnSettings& m_settings; //!< what the user has set
    const PreEcnScenario m_scenario;  //!< the scenario
    RankApplicationHelper m_ranks;    //!< the ranks
    std::vector<Flow> m_flows;        //!< the flows
    Ptr<FlowRecords> m_records;       //!< what became of them
    NodeContainer m_senders;          //!< hosts of the first data center
    /// What became of the messages within data centers, by data center
    std::vector<Ptr<FlowRecords>> m_victims;
    /// By data center, the hosts that have a peer: ranks, then those of bursts
    std::vector<std::vector<NodeIndex>> m_hosts;
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_TRAFFIC_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CROSS_AIDC_TRAFFIC_H
#define AIDC_CROSS_AIDC_TRAFFIC_H

#include "cross-aidc-settings.h"

#include "ns3/flow-records.h"
#include "ns3/nstime.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/wan-helper.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CrossAidcTraffic declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The traffic of CrossAidcExperiment: all-reduces between pairs of ranks, one in each data
 *        center, and bursts from other hosts of a data center to the other one, in turns: the first
 *        burst from the first data center, the second one from the second.
 *
 * A pair's all-reduce is what of a hierarchical all-reduce crosses the WAN: within the data
 * centers, the ranks have reduced among themselves before.
 *
 * A burst comes 0.5 ms after the beginning, and again each time that the path's delay has passed:
 * then the second half of the all-reduce is sent. Its senders begin within 50 us, at random.
 */
class CrossAidcTraffic
{
  public:
    /**
     * @brief Constructor; takes the random variable stream 1.
     * @param settings what the user has set, which outlives this
     * @param delay the one-way delay of the path
     */
    CrossAidcTraffic(const CrossAidcSettings& settings, Time delay);

    /**
     * @brief Get the number of flows of bursts.
     * @return the number
     */
    std::size_t GetNFlows() const;

    /**
     * @brief Connect hosts, before the simulation begins. The simulation stops when all is done.
     * @param network the network, with RoceNics at its hosts
     */
    void Install(const WanHelper& network);

    /**
     * @brief Get the hosts of the first data center that send, those of ranks first.
     * @return the hosts
     */
    NodeContainer GetSenders() const;

    /**
     * @brief Tell whether all is done.
     * @return whether it is
     */
    bool IsDone() const;

    /**
     * @brief Get when the all-reduces have ended.
     * @return the time in s, NaN if they have not
     */
    double GetCompletionTime() const;

    /**
     * @brief Get the bytes that have crossed the WAN as payload, of what has ended.
     * @return the bytes
     */
    uint64_t GetBytes() const;

    /**
     * @brief Get what became of the bursts' flows.
     * @return the records
     */
    const std::vector<FlowRecord>& GetRecords() const;

  private:
    /**
     * @brief Connect the senders of bursts.
     * @param network the network
     * @param path what timeouts are derived from
     */
    void InstallBursts(const WanHelper& network, const RocePath& path);

    /**
     * @brief Get a host of a job.
     * @param network the network
     * @param site the data center
     * @param i the number of the host in the job
     * @param n the hosts of the job there
     * @param offset 0 for ranks, 1 for bursts
     * @return the host
     */
    static NodeIndex GetHost(const WanHelper& network,
                             uint32_t site,
                             uint32_t i,
                             uint32_t n,
                             uint32_t offset);

    /// Stop the simulation if all is done, or look again later.
    void LookWhetherDone();

    const CrossAidcSettings& m_settings; //!< what the user has set
    RankApplicationHelper m_ranks;       //!< the ranks
    std::vector<FlowSpec> m_flows;       //!< the bursts
    Ptr<FlowRecords> m_records;          //!< what became of them
    NodeContainer m_senders;             //!< hosts of the first data center
};

} // namespace ns3::aidc

#endif // AIDC_CROSS_AIDC_TRAFFIC_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_ECMP_EXPERIMENT_H
#define AIDC_FLOW_SET_ECMP_EXPERIMENT_H

#include "experiment-base.h"
#include "experiment-switch-options.h"
#include "experiment-transport.h"
#include "flow-set-ecmp-scenario.h"

#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"

#include <string>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::FlowSetEcmpExperiment declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment flowset-ecmp: congestion-aware flow-set switching, against hashing,
 * flowlets and spraying.
 *
 * The draft "Congestion-Aware Adaptive Flow Table Switching for ECMP" (Li et al., February 2026) as
 * an experiment, on a leaf-spine fabric of 128 hosts and 100 Gb/s links with DCTCP hosts:
 *
 *     spine 0   spine 1   ...   spine 7        8 uplinks a leaf
 *        |  \  /   |              |
 *     leaf 0     leaf 1   ...   leaf 7         2:1 over-subscribed
 *      ||||       ||||           ||||
 *    16 hosts   16 hosts       16 hosts
 *
 * Schemes: hash-ecmp hashes the five-tuple; flowlet chooses anew at random after a pause of a flow;
 * spray chooses for each packet at random; flow-set is the draft; flow-set-flowlet is the draft
 * with migrations in pauses only (its section 8.2). On demand: flow-set-literal, the draft with
 * ports ranked by what is left of their CQI.
 *
 * Scenarios:
 *  - load-30, load-50, load-80: flows between any two hosts, arriving at random, of sizes drawn
 * from a file, that load the leaves' uplinks (or, where these are faster, the hosts' links) to that
 *    share on average
 *  - elephants: as many hosts of each leaf as it has uplinks send to hosts of the next leaf: there
 *    is a link for each, and nothing but colliding hashes is in the way
 *  - failure: load-30, while the first uplink of the first leaf fails and comes back
 *  - surge: load-30, and all hosts of the first leaf send to the second leaf at once
 *  - fat-tree: load-30 on a fat-tree of the same size (k = 8)
 *  - file: the flows of --flows
 *
 * and, on demand:
 *  - saturated: all hosts of each leaf send to hosts of the next leaf, so that every uplink is full
 *    however flows are spread
 *  - asymmetric: elephants, while the links of the first spine have a quarter of their rate
 *
 * With RoCEv2 (--transport) the hosts send again what a move has taken out of order.
 *
 * Beside the files of ExperimentRunner there is cqi-SCENARIO-SCHEME.csv, the uplinks of the leaves
 * (see FlowSetMonitor).
 */
class FlowSetEcmpExperiment : public ExperimentBase
{
  public:
    FlowSetEcmpExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run, const MpiRanks& ranks) override;

    /**
     * @brief Make the routing of a scheme.
     * @param scheme the scheme
     * @return what makes the switches' routing
     */
    MultipathRoutingHelper MakeRouting(const std::string& scheme) const;

    /**
     * @brief Add the differences from the scheme that others are compared with.
     * @param[in,out] summary all runs
     */
    void AddDifferences(ExperimentSummary& summary);

    FlowSetEcmpTraffic m_traffic;           //!< what the scenarios are made from
    ExperimentSwitchOptions m_switch;       //!< the switches
    ExperimentTransportOptions m_transport; //!< what carries the flows
    Time m_interval{MicroSeconds(100)};     //!< assessment interval
    Time m_gap{MicroSeconds(20)};           //!< flowlet gap
    uint32_t m_threshold{0};                //!< congestion threshold in bytes, 0 for the default
    Time m_holdDown;                        //!< hold-down of migrated flow sets
    double m_hysteresis{0};                 //!< of CQIs
    std::string m_against;                  //!< the scheme that others are compared with
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_ECMP_EXPERIMENT_H

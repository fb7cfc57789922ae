/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_MONITOR_H
#define AIDC_TWO_SITES_MONITOR_H

#include "two-sites-network.h"
#include "two-sites-settings.h"
#include "two-sites-traffic.h"

#include "ns3/csig-truth-monitor.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/experiment-base.h"
#include "ns3/flow-records.h"
#include "ns3/flow-set-monitor.h"
#include "ns3/link-load-monitor.h"
#include "ns3/pause-monitor.h"
#include "ns3/ptr.h"
#include "ns3/wan-reaction-monitor.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Watches a run of TwoSitesExperiment: for each mechanism, what that is for.
class TwoSitesMonitor
{
  public:
    /// Constructor.
    /// @param settings what the user has set
    /// @param network the network
    /// @param traffic its traffic, installed; all outlive this
    /// @param mechanisms what the scheme has
    TwoSitesMonitor(const TwoSitesSettings& settings,
                    const TwoSitesNetwork& network,
                    const TwoSitesTraffic& traffic,
                    const TwoSitesMechanisms& mechanisms);

    TwoSitesMonitor(const TwoSitesMonitor&) = delete;
    TwoSitesMonitor& operator=(const TwoSitesMonitor&) = delete;

    /// Stop to watch loads.
    void Stop();

    /**
     * @brief Add what was seen.
     *
     * The metrics are
     * - of coupled ECN: `pauses` of all ports, `paused_time` (their sum), `xoffs` of switches, and
     *   `unmarked_xoffs`, those that came before any mark;
     * - of flow sets: `migrations`, the load_imbalance of uplinks (LinkLoadMonitor), and the
     *   elephants' mean and longest completion times;
     * - of FARE: `degraded_share`, the share of the first leaf's traffic to and from spines that
     *   the degraded link carries, `degraded_misfit`, by how much it differs from the link's share
     *   of the capacity, and `leaf_slowdown`, the mean over the flows that use these links;
     * - of pre-ECN: `edge_reaction_time`, `sender_reaction_time`, and `reaction_time`, the first of
     *   both; `wan_drops` of core routers, and `burst_fct`;
     * - of CSIG: `waiting_port_named`, the share of the tags of max(PD) that name the port where
     *   the packet has waited longest, and `full_port_named`, that of min(ABW) and the port with
     *   the least bandwidth left, in the first data center. Without tags, both are the share that
     *   a guess among the ports on the way hits.
     *
     * @param outcome where the metrics go
     */
    void AddTo(ExperimentOutcome& outcome) const;

  private:
    /// Watch the uplinks and the flow sets of a data center. @param site the data center
    void AddSwitches(uint32_t site);

    /// Watch the WAN.
    void AddWan();

    /// @param outcome where the metrics of the first leaf's links go
    void AddDegraded(ExperimentOutcome& outcome) const;

    /// @param outcome where the metrics of the WAN go
    void AddWanTo(ExperimentOutcome& outcome) const;

    /// @param outcome where the metrics of CSIG go
    void AddNamed(ExperimentOutcome& outcome) const;

    /// @return the share of bottlenecks that a guess among the ports on the way hits
    double GetGuess() const;

    const TwoSitesNetwork& m_network;          //!< the network
    const TwoSitesTraffic& m_traffic;          //!< its traffic
    const double m_degradedCapacity;           //!< the degraded link's share of its leaf's capacity
    const bool m_hasFlowSets;                  //!< whether switches have flow sets
    PauseMonitor m_pauses;                     //!< pauses and XOFFs
    LinkLoadMonitor m_load;                    //!< the loads of uplinks
    FlowSetMonitor m_flowSets;                 //!< migrations
    WanReactionMonitor m_reactions;            //!< who reacts to congestion in the WAN
    std::unique_ptr<CsigTruthMonitor> m_truth; //!< of the first data center; null without CSIG
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_MONITOR_H

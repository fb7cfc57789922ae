/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_MONITOR_H
#define AIDC_PRE_ECN_MONITOR_H

#include "pre-ecn-bottleneck.h"
#include "pre-ecn-network.h"
#include "pre-ecn-settings.h"

#include "ns3/experiment-base.h"
#include "ns3/monitor-series-rows.h"
#include "ns3/node-container.h"
#include "ns3/path-share-wan-helper.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-packet.h"
#include "ns3/wan-reaction-monitor.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Watches PreEcnExperiment: the queues at the bottlenecks, and who reacts when.
 *
 * Reactions are those to congestion of a queue of the first data center's traffic, on any path,
 * that is longer than T1 (WanReactionMonitor).
 */
class PreEcnMonitor
{
  public:
    /// Constructor.
    /// @param settings what the user has set, which outlives this
    /// @param network the network
    /// @param senders the hosts whose reaction is watched
    /// @param delay one-way delay of the primary path between PEs
    PreEcnMonitor(const PreEcnSettings& settings,
                  const PreEcnNetwork& network,
                  const NodeContainer& senders,
                  Time delay);

    PreEcnMonitor(const PreEcnMonitor&) = delete;
    PreEcnMonitor& operator=(const PreEcnMonitor&) = delete;

    /// Find out what was sampled. Of several processes (MpiProcesses), each one calls it after the
    /// simulation, and calls the functions below, too.
    void Gather();

    /// Get what was seen.
    /// @param outcome where the metrics go
    /// @param end when the traffic of the WAN has ended: queues are looked at until then
    void AddTo(ExperimentOutcome& outcome, Time end) const;

    /// Get the part of the time that the link of the primary path from the first to the second
    /// data center was busy, from its first packet on.
    /// @param end until when
    /// @return from 0 to 1
    double GetUtilization(Time end) const;

    /// Get the packets that were lost because a link was down: on it, or at a router that had no
    /// other way yet.
    /// @return the packets
    uint64_t GetLostPackets(const PreEcnNetwork& network) const;

    /// Get the longest that a queue at a bottleneck has been. @return bytes
    uint64_t GetLongestQueue() const;

    /**
     * @brief Write the series queue and events.
     *
     * queue has a row every 10 us: `time_s`, `occupancy_byte` of the first bottleneck, and since
     * the last row its `light_marks` and `ce_marks`. events has a row each time that something
     * happens: `time_s`, `event`, `node`, `value`. Events are `cnp` (a sender of the first data
     * center is told to slow down; its queue pair), `sender-rate` (bit/s of a sender's first queue
     * pair, when it sends), `notification` (a PE accepts one; 1 for light, 2 for severe),
     * `edge-rate` (what a PE allows the flows of the first rank, bit/s), `edge-path` (the path that
     * it chooses for a flow).
     *
     * @param run the run
     */
    void Write(const ExperimentRun& run) const;

  private:
    /// What has come for a queue pair, by numbers that do not wrap around.
    struct Arrivals
    {
        int64_t newest{0};             //!< the highest number
        std::map<int64_t, Time> holes; //!< when numbers from this one on had been passed over
    };

    /// What is known of a host.
    struct Host
    {
        uint32_t number{0};                    //!< its number among all
        bool isSender{false};                  //!< whether its reaction is watched
        std::map<uint32_t, Arrivals> arrivals; //!< by queue pair
        uint64_t nReordered{0};                //!< packets that others have overtaken
    };

    /// Count a packet with data that others have overtaken.
    void CountReordered(Host& host, uint32_t qp, uint32_t psn) const;

    /// Take note of a packet that has arrived.
    void Receive(Host& host, uint32_t qp, const RocePacket& packet);

    /// Add a row for an event at a node.
    void AddRow(const std::string& event, uint32_t node, uint64_t value);

    /// Watch a host, if this process simulates it.
    void AddHost(Ptr<Node> node, uint32_t number, const NodeContainer& senders);

    /// Watch the PEs. @param network the network @param senders the hosts whose reaction is watched
    void AddEdges(const PreEcnNetwork& network, const NodeContainer& senders);

    /// Add how the queues were. @param outcome where the metrics go @param end until when
    void AddQueues(ExperimentOutcome& outcome, Time end) const;

    /// Add who has reacted when. @param outcome where the metrics go
    void AddReactions(ExperimentOutcome& outcome) const;

    /// Take a sample of the queue now, and again later.
    void Sample();

    const PreEcnSettings& m_settings; //!< what the user has set
    const Time m_roundTrip;           //!< of the primary path between PEs
    std::vector<std::unique_ptr<PreEcnBottleneck>> m_bottlenecks; //!< the bottlenecks
    WanReactionMonitor m_reactions;                               //!< who reacts when
    std::deque<Host> m_hosts;                                     //!< the hosts
    std::vector<Ptr<RoceNic>> m_nics;                             //!< the hosts' adapters
    PreEcnWanHelper m_preEcn;                                     //!< what notifies and reacts
    PathShareWanHelper m_shares;                                  //!< what steers by share
    MonitorSeriesRows m_rows;                                     //!< what has happened
    uint64_t m_nDropped{0}; //!< packets that stacks of routers have dropped
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_MONITOR_H

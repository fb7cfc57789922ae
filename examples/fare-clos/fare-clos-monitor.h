/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_MONITOR_H
#define AIDC_FARE_CLOS_MONITOR_H

#include "fare-clos-scenario.h"

#include "ns3/bgp-fabric-helper.h"
#include "ns3/bgp-message.h"
#include "ns3/bgp-rib.h"
#include "ns3/bgp-speaker.h"
#include "ns3/experiment-base.h"
#include "ns3/fabric-helper.h"
#include "ns3/monitor-series-rows.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Watches BGP in FareClosExperiment: when routes change, what is sent for that, and the
 *        weights of some routes.
 *
 * In time windows nodes are not at the same time, so that each one's times are kept, and compared
 * in the end. Of several processes (MpiProcesses), each one watches its own switches, and calls
 * GetMetrics() and the functions that write after the simulation.
 */
class FareClosMonitor
{
  public:
    /// Constructor.
    /// @param scenario the scenario, which outlives this
    /// @param network the network, which outlives this
    /// @param bgp its speakers, which outlive this
    FareClosMonitor(const FareClosScenario& scenario,
                    const FabricHelper& network,
                    const BgpFabricHelper& bgp);

    FareClosMonitor(const FareClosMonitor&) = delete;
    FareClosMonitor& operator=(const FareClosMonitor&) = delete;

    /// Keep the packets of a session: of the first leaf and its first spine.
    void KeepSession();

    /// Write the packets that KeepSession() has kept, after the simulation.
    /// @param path the file, of the format pcap
    void WriteSession(const std::string& path) const;

    /**
     * @brief Tell how long routes have changed after something, and what was sent.
     *
     * The metrics are NAME_convergence_time, until the last change of a route; NAME_messages and
     * NAME_bytes of all speakers.
     *
     * @param name what it is after
     * @param from when that was
     * @param to when something else was; not after from if it has not been
     * @return the metrics; NaN if it has not been, and no time if no route has changed
     */
    std::vector<ResultMetric> GetMetrics(const std::string& name, Time from, Time to) const;

    /**
     * @brief Write the series weights: `time_s`, `switch`, `prefix`, `port`, `weight_byteps`.
     *
     * Of the route to the first leaf at the leaf that sends to it, and of the route of what the
     * first leaf sends, there is a row for each port to a spine when a weight changes: 0 if
     * the port is not used; 1 for those that are, if the route has no weights.
     *
     * @param path the file
     * @throws std::runtime_error if the file cannot be written
     */
    void WriteWeights(const std::string& path) const;

  private:
    /// A message that was sent.
    struct Message
    {
        Time time;          //!< when
        std::size_t nBytes; //!< its bytes
    };

    /// A switch.
    struct Switch
    {
        std::vector<Time> changes;             //!< when routes have changed
        std::vector<Message> messages;         //!< what was sent
        std::string name;                      //!< its name
        BgpPrefix prefix;                      //!< the route that is watched, if there are ports
        std::map<uint32_t, std::string> ports; //!< by peer, the ports that the route may take
    };

    /// Take note of a change of a route.
    void ChangeRoute(Switch& node, const BgpPrefix& prefix, const std::vector<BgpRibPath>& paths);

    /// Keep a packet that TCP has made. @param packet a frame
    void KeepFrame(Ptr<const Packet> packet);

    /// Watch the weights of a route.
    void WatchWeights(NodeIndex from, NodeIndex to);

    const FabricHelper& m_network;          //!< the network
    const BgpFabricHelper& m_bgp;           //!< its speakers
    std::map<NodeIndex, Switch> m_switches; //!< by node; callbacks point at them
    MonitorSeriesRows m_rows;               //!< weights

    /// The frames of the session, each with its time and size before it.
    std::string m_frames;
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_MONITOR_H

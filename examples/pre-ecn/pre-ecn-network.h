/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_NETWORK_H
#define AIDC_PRE_ECN_NETWORK_H

#include "pre-ecn-settings.h"

#include "ns3/experiment-options.h"
#include "ns3/marking-queue.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/path-share-wan-helper.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/ptr.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-plan.h"
#include "ns3/wan-tunnel-helper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The network of PreEcnExperiment: fat-trees, and a WAN of two paths between each two of
 *        them, of which the second one takes 20 % longer.
 *
 * RoCEv2's class is lossless in the data centers, and not in the WAN. The links between core
 * routers are slower than all hosts together, so that the first core router is where queues grow.
 */
class PreEcnNetwork
{
  public:
    /// Constructor; builds the network.
    /// @param settings what the user has set
    /// @param options the options of all experiments
    /// @param scenario the scenario
    /// @param scheme the scheme
    PreEcnNetwork(const PreEcnSettings& settings,
                  const ExperimentOptions& options,
                  const PreEcnScenario& scenario,
                  const std::string& scheme);

    /// Get the network. @return the network
    const WanHelper& GetWan() const
    {
        return m_wan;
    }

    /// Get how much longer packets may take, one way, because PEs steer flows or a link is down.
    /// @return the time; 0 if all packets take the primary path
    Time GetDetour() const
    {
        return m_detour;
    }

    /// Get the queue of RoCEv2's class at a port. @param device the port @return the queue disc
    static Ptr<MarkingQueue> GetQueue(Ptr<NetDevice> device);

    /// Get the queues where all meets that goes from a data center to another one.
    /// @return by data center, the queue discs of the first core router of each path: both paths to
    ///         the first one of the others, then both to the next one; null where a router is of
    ///         another process
    std::vector<std::vector<Ptr<MarkingQueue>>> GetBottlenecks() const;

    /// Get what notifies of congestion and reacts to it.
    /// @return that; without notifiers and controllers in schemes that have none
    const PreEcnWanHelper& GetPreEcn() const
    {
        return m_preEcn;
    }

    /// Get what spreads traffic over paths by their load.
    /// @return that; without controllers in schemes that do not steer by share
    const PathShareWanHelper& GetPathShares() const
    {
        return m_shares;
    }

  private:
    /// Install the queue discs of routers.
    void InstallRouters(const PreEcnSettings& settings, const std::string& scheme);

    /// Install tunnels, and what notifies of congestion and reacts to it.
    void InstallTunnels(const PreEcnSettings& settings, const std::string& scheme);

    /// Lose packets on the way back to the PEs of the first data center.
    void LosePackets(const PreEcnSettings& settings);

    /// Install the hosts' adapters.
    void InstallHosts(const PreEcnSettings& settings);

    /// Have the link of the primary path between the first and the second data center go down and
    /// come back.
    void ScheduleOutage(const PreEcnOutage& outage, bool isDrained);

    /// Get the name of a core router.
    std::string GetCore(uint32_t path, uint32_t site) const;

    /// Get what the paths of the WAN are made of.
    static WanPlan MakePaths(const PreEcnSettings& settings, Time delay);

    const uint32_t m_sites;      //!< the number of data centers
    WanHelper m_wan;             //!< the network
    WanTunnelHelper m_tunnels;   //!< its tunnels
    PreEcnWanHelper m_preEcn;    //!< notifies and reacts
    PathShareWanHelper m_shares; //!< steers by share
    Time m_detour;               //!< GetDetour()
    int64_t m_stream{1000};      //!< the next random variable stream
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_NETWORK_H

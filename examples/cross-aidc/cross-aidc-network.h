/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CROSS_AIDC_NETWORK_H
#define AIDC_CROSS_AIDC_NETWORK_H

#include "cross-aidc-settings.h"

#include "ns3/experiment-options.h"
#include "ns3/marking-queue.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/path-share-wan-helper.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/ptr.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-tunnel-helper.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CrossAidcNetwork declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The network of CrossAidcExperiment: two fat-trees, and a WAN of two paths, of which the
 *        second one takes 20 % longer.
 *
 * RoCEv2's class is lossless in the data centers, and not in the WAN. The links between core
 * routers are slower than all hosts together, so that the first core router is where queues grow.
 */
class CrossAidcNetwork
{
  public:
    /// Constructor; builds the network.
    /// @param settings what the user has set
    /// @param options the options of all experiments
    /// @param delay the one-way delay of the primary path
    /// @param scheme the scheme
    CrossAidcNetwork(const CrossAidcSettings& settings,
                     const ExperimentOptions& options,
                     Time delay,
                     const std::string& scheme);

    /// Get the network. @return the network
    const WanHelper& GetWan() const
    {
        return m_wan;
    }

    /// Get how much longer packets may take, one way, because PEs steer flows.
    /// @return the time; 0 if the scheme steers none
    Time GetDetour() const
    {
        return m_detour;
    }

    /// Get the queue of RoCEv2's class at a port. @param device the port @return the queue disc
    static Ptr<MarkingQueue> GetQueue(Ptr<NetDevice> device);

    /// Get the queues where all that goes to the other data center meets.
    /// @return by data center, the queue discs of the first core router of each path
    std::array<std::vector<Ptr<MarkingQueue>>, WAN_SITES> GetBottlenecks() const;

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
    /// @param settings what the user has set
    /// @param scheme the scheme
    void InstallRouters(const CrossAidcSettings& settings, const std::string& scheme);

    /// Install tunnels, and what notifies of congestion and reacts to it.
    /// @param settings what the user has set
    /// @param scheme the scheme
    void InstallTunnels(const CrossAidcSettings& settings, const std::string& scheme);

    /// Lose packets on the way back to the PEs of the first data center.
    /// @param settings what the user has set
    void LosePackets(const CrossAidcSettings& settings);

    /// Install the hosts' adapters.
    /// @param settings what the user has set
    void InstallHosts(const CrossAidcSettings& settings);

    WanHelper m_wan;             //!< the network
    WanTunnelHelper m_tunnels;   //!< its tunnels
    PreEcnWanHelper m_preEcn;    //!< notifies and reacts
    PathShareWanHelper m_shares; //!< steers by share
    Time m_detour;               //!< GetDetour()
    int64_t m_stream{1000};      //!< the next random variable stream
};

} // namespace ns3::aidc

#endif // AIDC_CROSS_AIDC_NETWORK_H

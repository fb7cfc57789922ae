/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_NETWORK_H
#define AIDC_TWO_SITES_NETWORK_H

#include "two-sites-settings.h"

#include "ns3/bgp-wan-helper.h"
#include "ns3/csig-helper.h"
#include "ns3/experiment-options.h"
#include "ns3/fabric-plan.h"
#include "ns3/marking-queue.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/ptr.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-tunnel-helper.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The network of TwoSitesExperiment: two fat-trees and a WAN of two paths, of which the
 * second one takes 20 % longer; switches and provider edge routers (PEs) speak BGP.
 *
 * The link between the first leaf of the first data center and its first spine has lost a part of
 * its rate. RoCEv2's class is lossless in the data centers, and not in the WAN.
 */
class TwoSitesNetwork
{
  public:
    /// Constructor; builds the network.
    /// @param settings what the user has set
    /// @param options the options of all experiments
    /// @param mechanisms what the scheme has
    TwoSitesNetwork(const TwoSitesSettings& settings,
                    const ExperimentOptions& options,
                    const TwoSitesMechanisms& mechanisms);

    TwoSitesNetwork(const TwoSitesNetwork&) = delete;
    TwoSitesNetwork& operator=(const TwoSitesNetwork&) = delete;

    /// Get the network. @return the network
    const WanHelper& GetWan() const
    {
        return m_wan;
    }

    /// Get what notifies of congestion in the WAN and reacts to it.
    /// @return that; without notifiers and controllers in schemes that have none
    const PreEcnWanHelper& GetPreEcn() const
    {
        return m_preEcn;
    }

    /// Get the CSIG domain of a data center.
    /// @param site the data center
    /// @return the domain; null in schemes that have none
    Ptr<CsigDomain> GetDomain(uint32_t site) const
    {
        return m_csig.at(site).GetDomain();
    }

    /// Get the queues where all that the first data center sends to the other one meets.
    /// @return the queues of RoCEv2's class at the first core router of each path, if this process
    ///         simulates it
    std::vector<Ptr<MarkingQueue>> GetBottlenecks() const;

    /// Get the length above which a bottleneck counts as congested. @return T1 in bytes
    uint32_t GetT1() const
    {
        return m_t1;
    }

    /// Have the queue pairs of a host that are created from now on end in the other data center, or
    /// in this one.
    ///
    /// Swift follows CSIG, whose domain is a data center, so that queue pairs over the WAN have
    /// DCQCN in all schemes.
    /// @param host the host
    /// @param isFar whether they end in the other data center
    void SelectControl(Ptr<Node> host, bool isFar) const;

  private:
    /// Draw the seeds of all switches' and routers' hashes: each run has other ones.
    void DrawHashes() const;

    /// Install the switches of a data center. @param site the data center
    void InstallSwitches(uint32_t site);

    /// Install the queue discs of routers.
    void InstallRouters();

    /// Install tunnels, and what notifies of congestion and reacts to it.
    void InstallTunnels();

    /// Install the hosts' adapters.
    void InstallHosts() const;

    /// Install CSIG in a data center. @param site the data center
    void InstallCsig(uint32_t site);

    const TwoSitesSettings& m_settings;       //!< what the user has set
    const TwoSitesMechanisms m_mechanisms;    //!< what the scheme has
    uint32_t m_t1;                            //!< GetT1()
    WanHelper m_wan;                          //!< the network
    BgpWanHelper m_bgp;                       //!< the speakers of switches and PEs
    std::array<CsigHelper, WAN_SITES> m_csig; //!< CSIG in the data centers
    WanTunnelHelper m_tunnels;                //!< its tunnels
    PreEcnWanHelper m_preEcn;                 //!< notifies and reacts
    int64_t m_stream{1000};                   //!< the next random variable stream
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_NETWORK_H

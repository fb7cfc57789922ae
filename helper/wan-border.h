/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_BORDER_H
#define AIDC_WAN_BORDER_H

#include "fabric-helper.h"
#include "fabric-link-failures.h"
#include "network-path.h"
#include "wan-route-installer.h"

#include "ns3/fabric-plan.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/wan-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// The links between a data center and its provider edge routers (PEs): each PE has a link to each
/// border switch.
class WanBorder
{
  public:
    WanBorder();

    WanBorder(const WanBorder&) = delete;
    WanBorder& operator=(const WanBorder&) = delete;

    /// Make the links.
    /// @param aidc the data center, which is built; outlives this
    /// @param wan the plan of the WAN
    /// @param site the data center's number there
    /// @param routers the routers of the WAN
    /// @param rate the rate of a link in bit/s
    /// @param delay its one-way propagation delay
    void Build(const FabricHelper& aidc,
               const WanPlan& wan,
               uint32_t site,
               const NodeContainer& routers,
               uint64_t rate,
               Time delay);

    /// @param edge a router
    /// @return its ports to the data center, in the order of the border switches; of another
    ///         process (MpiProcesses), those to this one
    NetDeviceContainer GetPorts(NodeIndex edge) const;

    /// @return the links, once both ends have their IPv4 interfaces
    std::vector<WanBorderLink> GetLinks() const;

    /// Set how long it takes to notice that a link has failed or was restored.
    /// @param delay the time until both ends take the interface down or up; 0 by default
    void SetDetectionDelay(Time delay)
    {
        m_failures.SetDetectionDelay(delay);
    }

    /// Fail a link: from now on its packets are lost, and after the detection delay its ends are
    /// down. The routes of a BgpWanHelper follow; otherwise, only those of both ends do.
    /// @param edge the PE, in the WanPlan
    /// @param border the border switch, in its FabricPlan
    /// @throws AidcInputError if there is no such link
    void FailLink(NodeIndex edge, NodeIndex border)
    {
        m_failures.SetFailed(FindLink(edge, border), true);
    }

    /// Restore a link, which is used again after the same delay.
    /// @param edge the PE, in the WanPlan
    /// @param border the border switch, in its FabricPlan
    /// @throws AidcInputError if there is no such link
    void RestoreLink(NodeIndex edge, NodeIndex border)
    {
        m_failures.SetFailed(FindLink(edge, border), false);
    }

    /// Schedule that a link fails and is restored.
    /// @param edge the PE, in the WanPlan
    /// @param border the border switch, in its FabricPlan
    /// @param failure how long from now it fails
    /// @param restoration how long from now it is restored, after it has failed
    /// @throws AidcInputError if there is no such link, or the times are not in this order
    void ScheduleFailure(NodeIndex edge, NodeIndex border, Time failure, Time restoration);

    /// @return the packets that were lost because of failed links; of several processes, each one
    ///         asks at the same point
    uint64_t GetLostPackets() const
    {
        return m_failures.GetLostPackets();
    }

    /// @param host a host of the data center
    /// @return a shortest path to the first PE
    NetworkPath GetPathToEdge(NodeIndex host) const;

    /// @param host a host of the data center
    /// @return the same path in the other direction
    NetworkPath GetPathFromEdge(NodeIndex host) const;

  private:
    /// A link.
    struct Link
    {
        NodeIndex edge;      //!< the PE
        NodeIndex border;    //!< the border switch
        Ptr<NetDevice> port; //!< the port of the PE, null if neither end is of this process
    };

    /// Find a link that is to fail or to be restored. @throws AidcInputError if there is none
    LinkIndex FindLink(NodeIndex edge, NodeIndex border);

    const FabricHelper* m_aidc{nullptr};   //!< the data center
    FabricLink m_link;                     //!< the rate and the delay of each link
    std::vector<Link> m_links;             //!< the links, by PE and switch
    FabricLinks m_plan;                    //!< the links, whose ends are those of m_ends
    NodeContainer m_ends;                  //!< two a link: the PE and the switch
    std::vector<Ptr<NetDevice>> m_devices; //!< two a link; null of other processes
    FabricLinkFailures m_failures;         //!< fails and restores links
};

} // namespace ns3::aidc

#endif // AIDC_WAN_BORDER_H

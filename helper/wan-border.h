// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_BORDER_H
#define AIDC_WAN_BORDER_H

#include "../model/core/fabric/wan-routes.h"
#include "fabric-helper.h"
#include "fabric-link-failures.h"
#include "network-path.h"

#include "ns3/fabric-plan.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/wan-plan.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// A link between a provider edge router (PE) and a border switch of its data center.
struct WanBorderLink
{
    NodeIndex edge;      //!< the PE, in the WanPlan
    NodeIndex border;    //!< the switch, in its FabricPlan
    Ptr<NetDevice> port; //!< the port of the PE, null if neither end is of this process

    /// @return the IPv4 interface of the PE; 0 of another process
    uint32_t GetEdgeInterface() const;
    /// @return the IPv4 interface of the switch; 0 of another process
    uint32_t GetBorderInterface() const;
};

/// Get the device at the other end of a link. @param device the device at this end, null if neither
/// end is of this process @return the other one, or null
Ptr<NetDevice> GetOtherEnd(const Ptr<NetDevice>& device);

/// Writes the routes between data centers to forwarding tables.
///
/// A switch of a data center has a route to each other data center: to all neighbors that are fewer
/// links from a PE. Its paths have no valleys: in a Clos network with PEs at the top tier, these
/// neighbors are above the switch. A router has a route to the address of each other router and, if
/// it is to know the data centers, one to each data center: to the closest of its PEs, or to all
/// that are equally close. With several processes (MpiProcesses), each one sets the routes of its
/// own nodes. A PE has no route to a core router by a drained link: only paths of tunnels by way of
/// this router would take it.
class WanRouteInstaller
{
  public:
    /// Constructor. routers: its routers; both outlive this; coreKnowsAidcs: whether routers have
    /// routes to the data center behind other routers.
    WanRouteInstaller(const WanPlan& plan, const NodeContainer& routers, bool coreKnowsAidcs);

    /// Get the distances of switches from PEs.
    /// @param fabric the plan of a data center
    /// @param links the links between its border switches and PEs
    /// @return by node, the number of links to the closest PE; the largest number for hosts
    static IndexedVector<NodeIndex, uint32_t> GetDistances(const FabricPlan& fabric,
                                                           const std::vector<WanBorderLink>& links);

    /// Set the routes of a data center's switches to the others, and its PEs' routes to it. nodes:
    /// gives the node of each switch; links: the links between its border switches and PEs.
    void InstallAidc(uint32_t site,
                     const FabricPlan& fabric,
                     const NodeContainer& nodes,
                     const std::vector<WanBorderLink>& links);

    /// Set the number of addresses of a PE, to which routers have routes from Update() on.
    /// @param n the number, 1 by default
    void SetNEdgeAddresses(uint32_t n)
    {
        m_nEdgeAddresses = n;
    }

    /// @return the number of addresses of a PE
    uint32_t GetNEdgeAddresses() const
    {
        return m_nEdgeAddresses;
    }

    /// Set the routes of all routers. Routes that stay the same are not touched.
    void Update(const WanRoutes& routes);

  private:
    /// A prefix, by network and length.
    using Prefix = std::pair<uint32_t, uint8_t>;

    std::map<Prefix, std::vector<PortIndex>> GetRoutesOf(const WanRoutes& routes,
                                                         NodeIndex router) const;

    /// @return the ports of a router to the closest PEs of a data center; none if there is no path
    std::vector<PortIndex> GetPortsToAidc(const WanRoutes& routes,
                                          NodeIndex router,
                                          uint32_t site) const;

    const WanPlan& m_plan;          //!< the plan
    const NodeContainer& m_routers; //!< its routers
    bool m_coreKnowsAidcs;          //!< whether routers know all data centers
    uint32_t m_nEdgeAddresses{1};   //!< SetNEdgeAddresses()
    /// The routes installed, by router and prefix.
    std::vector<std::map<Prefix, std::vector<PortIndex>>> m_installed;
};

/// Make a link of a WAN, if one of its ends is of this process. devices: takes both ends, null if
/// neither is; nodes: the ends; indices: of the devices there, by which another process finds them;
/// link: its rate and delay; kind: of its MAC addresses (MakeLinkAddress()).
void AddWanLink(std::vector<Ptr<NetDevice>>& devices,
                const std::array<Ptr<Node>, 2>& nodes,
                const std::array<uint32_t, 2>& indices,
                uint32_t mtu,
                const FabricLink& link,
                uint8_t kind);

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
    /// @return its ports to the data center, in the order of the border switches; if it is of
    ///         another process (MpiProcesses), only the ports to this one
    NetDeviceContainer GetPorts(NodeIndex edge) const;

    /// @return the links
    const std::vector<WanBorderLink>& GetLinks() const
    {
        return m_links;
    }

    /// Set how long it takes to notice that a link has failed or was restored.
    /// @param delay the time until both ends take the interface down or up; 0 by default
    void SetDetectionDelay(Time delay)
    {
        m_failures.SetDetectionDelay(delay);
    }

    /// Fail a link: from now on its packets are lost, and after the detection delay its ends are
    /// down. The routes of a BgpWanHelper follow; otherwise, only the routes of both ends do.
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

    /// @return the packets that were lost because of failed links; with several processes, each one
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
    /// Find a link that is to fail or to be restored. @throws AidcInputError if there is none
    LinkIndex FindLink(NodeIndex edge, NodeIndex border);

    const FabricHelper* m_aidc{nullptr};   //!< the data center
    FabricLink m_link;                     //!< the rate and the delay of each link
    std::vector<WanBorderLink> m_links;    //!< the links, by PE and switch
    FabricLinks m_plan;                    //!< the links, whose ends are in m_ends
    NodeContainer m_ends;                  //!< two a link: the PE and the switch
    std::vector<Ptr<NetDevice>> m_devices; //!< two a link; null of other processes
    FabricLinkFailures m_failures;         //!< fails and restores links
};

} // namespace ns3::aidc

#endif // AIDC_WAN_BORDER_H

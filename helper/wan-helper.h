// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_HELPER_H
#define AIDC_WAN_HELPER_H

#include "../model/core/fabric/wan-routes.h"
#include "fabric-helper.h"
#include "fabric-link-failures.h"
#include "multipath-routing-helper.h"
#include "network-path.h"
#include "priority-flow-control-helper.h"
#include "wan-border.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/fabric-plan.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/switch-datapath.h"
#include "ns3/wan-plan.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Builds data centers and the WAN between them.
///
/// FabricHelpers build the data centers; GetAidc() returns them, to be configured. The WAN has the
/// routers and links of a WanPlan. Each provider edge router (PE) has a link to each border switch
/// of its data center: each switch of the top tier. It takes three steps, as with a FabricHelper:
///
/// 1. Build() makes nodes, Ethernet devices and protocol stacks;
/// 2. the user installs queue discs on the switches of all data centers, the PEs and the core
///    routers, and makes a class lossless in the data centers (InstallLossless());
/// 3. AssignAddresses() gives all nodes addresses and routes.
///
/// Data centers have the networks of WanPlan::GetNetworks(). A router has one address, at its
/// loopback interface, and ports without addresses; port i of the plan is its device i and its IPv4
/// interface i + 1, and the ports of a PE to its data center come after these. A switch sends
/// packets for other data centers to the closest PEs, unless the switches have OWN_HOSTS as their
/// routes: then a BgpWanHelper sets these routes and the PEs' routes to their data center. Between
/// the routers, packets follow the routes of WanRoutes. Core routers may or may not have routes to
/// the data centers (SetCoreKnowsAidcs()); they need none if PEs have tunnels.
///
/// With several processes (MpiProcesses), each one builds its share of the data centers and routers
/// (WanProcesses). The others' nodes are empty. Functions that return nodes return the nodes of
/// this process; each process calls the functions that count packets at the same point.
class WanHelper
{
  public:
    WanHelper();
    WanHelper(const WanHelper&) = delete;
    WanHelper& operator=(const WanHelper&) = delete;

    /// Get the helper that builds a data center, to configure it before Build().
    /// @param site the data center, below MAX_WAN_SITES
    /// @return the helper; do not call its Build() and AssignAddresses()
    FabricHelper& GetAidc(uint32_t site)
    {
        return GetSite(site).aidc;
    }

    /// @param site the data center
    /// @return the helper that has built it
    const FabricHelper& GetAidc(uint32_t site) const
    {
        return GetSite(site).aidc;
    }

    /// Set the MTU of the links between routers.
    /// @param mtu the MTU in bytes, from 68 to 65535, 9600 by default
    /// @throws std::runtime_error for another one
    void SetMtu(uint32_t mtu);

    /// @return the MTU of the links between routers in bytes
    uint16_t GetMtu() const;

    /// Set the links between PEs and border switches. Their MTU is the data center's.
    /// @param rate bit/s, 400 Gbit/s by default
    /// @param delay one-way propagation delay, 1 us by default
    void SetBorderLink(uint64_t rate, Time delay);

    /// @param site a data center
    /// @return its links to the PEs, which can fail
    WanBorder& GetBorder(uint32_t site)
    {
        return GetSite(site).border;
    }

    /// @param routing makes the routers' routing, a MultipathRouting with a HashSelector by default
    void SetRouterRouting(const MultipathRoutingHelper& routing)
    {
        m_routing = routing;
    }

    /// Set whether core routers have routes to the data centers.
    /// @param isKnown whether they have; true by default
    void SetCoreKnowsAidcs(bool isKnown)
    {
        m_coreKnowsAidcs = isKnown;
    }

    /// Set the datapath of routers.
    /// @param mode the mode, SwitchDatapath::FAST by default
    void SetDatapath(SwitchDatapath::Mode mode)
    {
        m_datapath.mode = mode;
    }

    /// Set whether routers serve packets that arrive at once in the order of their ports.
    /// @param isOrdered whether they do; true by default
    void SetOrderedArrivals(bool isOrdered)
    {
        m_datapath.isOrdered = isOrdered;
    }

    /// Set how long it takes to notice that a link of a router has failed or was restored.
    /// @param delay the time until both ends take the interface down or up; 0 by default
    void SetDetectionDelay(Time delay);

    /// Set how long it takes, after detection, until all routers have new routes.
    /// @param delay the time; 0 by default
    void SetConvergenceDelay(Time delay)
    {
        m_failures.SetConvergenceDelay(delay);
    }

    /// Make nodes, links and protocol stacks.
    /// @param aidcs the plan of each data center, finished; at least two
    /// @param wan the plan of the WAN, with a PE for each data center at least
    void Build(const std::vector<FabricPlan>& aidcs, const WanPlan& wan);

    /// Make priorities lossless in all data centers, up to the PEs' ports towards them.
    ///
    /// The headroom is added to the shared buffers' size. Call it after queue discs were installed,
    /// and before AssignAddresses().
    /// @param pfc the priorities and their settings
    void InstallLossless(const PriorityFlowControlHelper& pfc) const;

    /// Assign addresses and set routes.
    void AssignAddresses();

    /// Add addresses of PEs, and routes to them, for several tunnels between two PEs. A
    /// WanTunnelHelper does that.
    /// @param n the number of addresses of a PE, from 1 to WanPlan::MAX_ADDRESSES
    void SetNEdgeAddresses(uint32_t n);

    /// Assign fixed random variable streams.
    /// @param stream the first stream to use
    /// @return the number of streams used: the streams of the FabricHelpers, and one for each
    ///         router
    int64_t AssignStreams(int64_t stream);

    /// Add the names of nodes and ports to ns-3's Names: names in the data centers begin with "a-",
    /// "b-" and so on.
    void RegisterNames() const;

    /// Fail a link of the WAN: from now on its packets are lost; after the detection delay its ends
    /// are down, and after the convergence delay the routes avoid it.
    /// @param link the index of the link in the WanPlan
    /// @throws AidcInputError if there is no such link
    void FailLink(LinkIndex link);

    /// Drain a link of the WAN: after the convergence delay, routes avoid it where there is another
    /// way, and PEs have none over it to core routers, so that paths of tunnels by way of these are
    /// down. The link still carries packets.
    /// @param link the index of the link in the WanPlan
    /// @throws AidcInputError if there is no such link
    void DrainLink(LinkIndex link);

    /// Restore a link of the WAN that has failed or was drained. It is used again after the same
    /// delays.
    /// @param link the index of the link in the WanPlan
    /// @throws AidcInputError if there is no such link
    void RestoreLink(LinkIndex link);

    /// Schedule that a link of the WAN fails and is restored.
    /// @param link the index of the link in the WanPlan
    /// @param failure how long from now it fails
    /// @param restoration how long from now it is restored
    /// @throws AidcInputError if there is no such link
    void ScheduleFailure(LinkIndex link, Time failure, Time restoration);

    /// Schedule a maintenance of a link of the WAN: it is drained, down, and restored.
    /// @param link the index of the link in the WanPlan
    /// @param drain how long from now it is drained
    /// @param failure how long from now it is taken down; no packet is lost if, in between, routes
    ///                converge, and packets that wait for the link or are on it arrive
    /// @param restoration how long from now it is restored
    /// @throws AidcInputError if there is no such link, or the times are not in this order
    void ScheduleMaintenance(LinkIndex link, Time drain, Time failure, Time restoration);

    /// @return the packets that were lost because of failed links of routers
    uint64_t GetLostPackets() const;

    /// Count the packets of queues so far, in the data centers and the WAN.
    /// @return the counts of all ports that have a root queue disc
    FabricPacketCounts GetPacketCounts() const;

    /// @return the routes among the routers, once addresses are assigned
    const WanRoutes& GetRoutes() const;

    /// @return the plan of the WAN that was built
    const WanPlan& GetPlan() const
    {
        return m_plan;
    }

    /// @param router the number of a router in the plan
    /// @return its node
    Ptr<Node> GetRouter(NodeIndex router) const;

    /// @param router the number of a router in the plan
    /// @return whether this process simulates it
    bool IsLocal(NodeIndex router) const;

    /// Get a router.
    /// @param name its name, such as pe-a-0 or core-0-1
    /// @return its node
    /// @throws std::invalid_argument if there is none
    Ptr<Node> GetRouter(const std::string& name) const;

    /// @param site a data center
    /// @return its provider edge routers (PEs) of this process, in the order of the plan
    NodeContainer GetEdges(uint32_t site) const;

    /// @return the PEs of all data centers of this process, the first data center's first
    NodeContainer GetEdges() const;

    /// @return the core routers of this process, in the order of the plan
    NodeContainer GetCores() const;

    /// @param router the number of a router in the plan
    /// @param i the number of its address: a PE has one for each tunnel to another PE
    /// @return the address
    static Ipv4Address GetAddress(NodeIndex router, uint32_t i = 0);

    /// Get a port to another router.
    /// @param router the number of the router in the plan
    /// @param port the port
    /// @return its device, null if neither end of the link is of this process
    Ptr<EthernetNetDevice> GetPort(NodeIndex router, PortIndex port) const;

    /// Get a port to another router.
    /// @param router the name of the router
    /// @param peer the name of the other one
    /// @return its device
    /// @throws std::invalid_argument if there is none
    Ptr<EthernetNetDevice> GetPort(const std::string& router, const std::string& peer) const;

    /// @return the hosts of all data centers, the first data center's first
    NodeContainer GetHosts() const;

    /// @return the switches of all data centers, the first data center's first
    NodeContainer GetSwitches() const;

    /// @param edge the number of a PE in the plan
    /// @return its devices to its data center, in the order of the border switches
    NetDeviceContainer GetBorderPorts(NodeIndex edge) const;

    /// Get a shortest path between hosts of two data centers.
    /// @param a the host of the first one
    /// @param b the host of the second one
    /// @param siteA the first data center
    /// @param siteB the second one
    /// @return the path, from a to b, by the first PE of either side
    NetworkPath GetPath(NodeIndex a, NodeIndex b, uint32_t siteA = 0, uint32_t siteB = 1) const;

    /// Get the longest pause of a data center's switches that comes from the WAN: the longest wait
    /// on its paths to others (NetworkPath::GetWait()). A pause is of a whole class, so messages of
    /// this class that stay in the data center wait as long; see RocePath::pause. Install the
    /// models of PEs first. With several processes (MpiProcesses), each one calls it at the same
    /// point.
    /// @param site the data center
    /// @return the pause
    Time GetLongestPause(uint32_t site) const;

  private:
    /// A data center.
    struct Site
    {
        FabricHelper aidc; //!< builds it
        WanBorder border;  //!< its links to PEs
    };

    /// Get a data center, which is made if it is not there before Build().
    Site& GetSite(uint32_t site);

    /// @return the data center
    const Site& GetSite(uint32_t site) const;

    /// Make the routers, each of a process, their links and their protocol stacks.
    void BuildRouters(const WanProcesses& processes);

    /// @return the routers of this process
    NodeContainer GetLocalRouters() const;

    /// Give a router its interfaces and address. @param router its number
    void AssignAddress(NodeIndex router);

    /// Have routes avoid a link, or use it again, after the convergence delay.
    void ScheduleDrain(LinkIndex link, bool isDrained);

    WanPlan m_plan;                        //!< the plan of the WAN
    NodeContainer m_routers;               //!< the routers
    std::vector<Ptr<NetDevice>> m_devices; //!< two a link of the plan; null of other processes
    std::deque<Site> m_sites;              //!< the data centers
    bool m_isBuilt{false};                 //!< whether Build() was called
    std::optional<uint16_t> m_mtu;         //!< SetMtu()
    uint64_t m_borderRate{400000000000};   //!< SetBorderLink()
    Time m_borderDelay;                    //!< SetBorderLink()
    std::optional<Time> m_detectionDelay;  //!< SetDetectionDelay()
    bool m_coreKnowsAidcs{true};           //!< SetCoreKnowsAidcs()
    SwitchDatapathHelper m_datapath;       //!< SetDatapath(), SetOrderedArrivals()
    MultipathRoutingHelper m_routing;      //!< SetRouterRouting()
    std::unique_ptr<WanRoutes> m_routes;   //!< the routes
    std::unique_ptr<WanRouteInstaller> m_routeInstaller; //!< sets the routes
    FabricLinkFailures m_failures;                       //!< fails and restores links
    std::set<LinkIndex> m_drained;                       //!< the links that routes are to avoid
};

} // namespace ns3::aidc

#endif // AIDC_WAN_HELPER_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_HELPER_H
#define AIDC_FABRIC_HELPER_H

#include "fabric-link-failures.h"
#include "fabric-network.h"
#include "fabric-path-bandwidths.h"
#include "multipath-routing-helper.h"
#include "network-path.h"

#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"
#include "ns3/next-hop-selector.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/switch-datapath.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// @file
/// Builds the network of a plan, and fails its links.

namespace ns3::aidc
{

/// Installs the SwitchDatapath of nodes that pass packets on.
struct SwitchDatapathHelper
{
    std::optional<SwitchDatapath::Mode> mode; //!< if it is not what the attribute says

    /// Whether packets that arrive at once are served in the order of the ports; by default the
    /// user's setting, or else true.
    std::optional<bool> isOrdered;

    /// Install the datapath of a node, which has its protocol stack and all of its ports.
    void Install(Ptr<Node> node) const;
};

/// Builds the network of a FabricPlan: nodes, links, IPv4, routes.
///
/// It takes three steps, because the user chooses the queue discs of switches:
///
/// 1. Build() makes nodes, devices and protocol stacks;
/// 2. the user installs queue discs on the devices of GetSwitches(), with a
/// SharedBufferSwitchHelper
///    or ns3::TrafficControlHelper. A device without one has only its device queue;
/// 3. AssignAddresses() gives hosts their queue discs, unless they have some already, and all nodes
///    addresses and routes.
///
/// Nodes are numbered as in the plan, which also has their names, addresses and ports: port i of a
/// node is its device i and its IPv4 interface i + 1. A host with one link has its address at this
/// link's interface, and a default route to its leaf. Hosts with several links, and switches, have
/// one address at the loopback interface, and ports without addresses. They have the routes of
/// FabricRoutes, in a MultipathRouting, so that a host spreads its flows over its links. There is
/// no IPv6 stack. Hosts queue in a FifoQueueDisc of a size that makes drops at a host improbable.
/// An error rate becomes a RateErrorModel with the unit packet at both ends of a link.
///
/// The caller may add ports to a switch between the first step and the third, such as ports to
/// another network. Their interfaces come after the interfaces of the plan's ports, and the caller
/// sets their routes.
///
/// The user may choose other routes of switches: the routes of BGP with path bandwidth, or only
/// routes to a leaf's own hosts, for a BgpFabricHelper.
///
/// Links are Ethernet, or ns3::PointToPointNetDevice. A switch has a SwitchDatapath, and so has a
/// host with several links if arrivals are ordered: packets may arrive there at once, too.
///
/// In a parallel simulation (see MpiProcesses) each process builds its own nodes. The nodes of
/// other processes are empty, except for the ends of the links between the processes.
///
/// TCP's settings are read when a stack is made: ConfigureDctcp() comes before Build().
class FabricHelper : public FabricNetwork
{
  public:
    FabricHelper();
    ~FabricHelper();

    FabricHelper(const FabricHelper&) = delete;
    FabricHelper& operator=(const FabricHelper&) = delete;

    /// The kinds of routes of switches.
    enum SwitchRoutes
    {
        SHORTEST_PATHS,  //!< all shortest paths, with equal weights
        PATH_BANDWIDTHS, //!< the routes that BGP would have, weighted by path bandwidth
        OWN_HOSTS        //!< routes to a leaf's own hosts: a routing protocol sets the others
    };

    /// Set the datapath of switches.
    /// @param mode the mode, SwitchDatapath::FAST by default; with devices other than Ethernet, it
    ///        is through ns-3's stack
    void SetDatapath(SwitchDatapath::Mode mode)
    {
        m_datapath.mode = mode;
    }

    /// @param size the size of a host's queue disc, 100000 packets by default
    void SetHostQueueSize(const QueueSize& size)
    {
        m_hostQueueSize = size;
    }

    /// @param routing makes the routing of the switches; a MultipathRouting with a HashSelector by
    ///                default
    void SetSwitchRouting(const MultipathRoutingHelper& routing)
    {
        m_switchRouting = routing;
    }

    /// Set the routes of the switches.
    ///
    /// Path bandwidths need a routing that shares traffic by weights: a PathBandwidthRouting. They
    /// follow draft-xu-idr-fare, but are computed from the topology without messages (see
    /// FabricPathBandwidths). Routes are aggregated where weights allow.
    /// @param routes the routes, SHORTEST_PATHS by default; set before AssignAddresses()
    void SetSwitchRoutes(SwitchRoutes routes);

    /// @return the kind of routes of the switches
    SwitchRoutes GetSwitchRoutes() const
    {
        return m_switchRoutes;
    }

    /// Set the routes of hosts with several links, which need a routing that shares by weights, as
    /// switches do (see SetHostRouting()).
    /// @param routes SHORTEST_PATHS, the default, or the kind of the switches: PATH_BANDWIDTHS; or
    ///               OWN_HOSTS, with which a BgpFabricHelper lets hosts speak BGP. Set before
    ///               AssignAddresses()
    void SetHostRoutes(SwitchRoutes routes);

    /// @return the kind of routes of hosts with several links
    SwitchRoutes GetHostRoutes() const
    {
        return m_hostRoutes;
    }

    /// Set whether PATH_BANDWIDTHS are BGP's routes with the attribute ShareUplinks of BgpSpeaker.
    /// @param shares whether they are, set before AssignAddresses(); false by default
    void SetSharesUplinks(bool shares);

    /// Set the callback for a link that has failed or was restored, once the routes have changed.
    /// @param converged gets the link and whether it is up; null for none
    void SetConvergedCallback(FabricLinkFailures::ConvergeCallback converged)
    {
        m_converged = std::move(converged);
    }

    /// @param id the id of a switch, whose routes a routing protocol may have replaced; it gets
    ///           them again
    void RewriteRoutes(NodeIndex id);

    /// Set the routing of hosts, which chooses among the links of a host.
    /// @param routing makes it; a MultipathRouting with a HashSelector by default
    void SetHostRouting(const MultipathRoutingHelper& routing)
    {
        m_hostRouting = routing;
    }

    /// Set whether switches, and hosts with several links, serve packets that arrive at once
    /// in the order of their ports.
    ///
    /// Otherwise they are served in the order in which their events were scheduled. This order
    /// depends on the number of processes, and so do results: single flows and drops of an
    /// overloaded queue differ. Set it for whole runs. Ordered arrivals cost 1 ns a switch (see
    /// SwitchDatapath).
    /// @param isOrdered whether they do, set before AssignAddresses(); true by default
    void SetOrderedArrivals(bool isOrdered)
    {
        m_datapath.isOrdered = isOrdered;
    }

    /// Set how long it takes to notice that a link has failed or was restored.
    ///
    /// Shorter changes are not noticed.
    /// @param delay the time until both ends take the interface down or up; 0 by default
    void SetDetectionDelay(Time delay)
    {
        m_failures.SetDetectionDelay(delay);
    }

    /// Set how long it takes, after detection, until all other switches have new routes.
    /// @param delay the time; 0 by default
    void SetConvergenceDelay(Time delay)
    {
        m_failures.SetConvergenceDelay(delay);
    }

    /// Make nodes, links and protocol stacks. @param fabric the plan, finished
    void Build(const FabricPlan& fabric);

    /// Install the hosts' queue discs, assign addresses and set routes.
    void AssignAddresses();

    /// Assign fixed random variable streams to error models and to the routing.
    /// @param stream the first stream to use
    /// @return the number of streams used: one for each end of a link with an error rate, one for
    ///         each switch and one for each host with several links
    int64_t AssignStreams(int64_t stream);

    /// Fail a link: from now on its packets are lost. After the detection delay its ends are down,
    /// and after the convergence delay the routes avoid it.
    /// @param link the index of the link in the plan
    /// @throws AidcInputError if there is no such link
    void FailLink(LinkIndex link)
    {
        SetFailed(link, true);
    }

    /// Restore a link, which is used again after the same delays.
    /// @param link the index of the link in the plan
    /// @throws AidcInputError if there is no such link
    void RestoreLink(LinkIndex link)
    {
        SetFailed(link, false);
    }

    /// Schedule that a link fails and is restored.
    /// @param link the index of the link in the plan
    /// @param failure how long from now it fails
    /// @param restoration how long from now it is restored, after it has failed
    /// @throws AidcInputError if there is no such link, or the times are not in this order
    void ScheduleFailure(LinkIndex link, Time failure, Time restoration);

    /// Get the packets that were lost because of failed links.
    /// @return the packets lost on the way to this process's ends of links, and the packets that
    ///         these ends discarded at detection
    uint64_t GetLostPackets() const
    {
        return m_failures.GetLostPackets();
    }

    /// @return the routes, once addresses are assigned
    const FabricRoutes& GetRoutes() const;

    /// Get a shortest path between hosts by FabricRoutes::GetPath(), with its devices.
    /// @param source the id of the source in the plan
    /// @param destination the id of the destination
    /// @return the path; devices are null if neither end of their link is of this process
    NetworkPath GetPath(NodeIndex source, NodeIndex destination) const;

    /// Set how to find the longest pause that comes from links outside of this network. WanHelper
    /// does so for its data centers.
    /// @param getPause computes it
    void SetOutsidePause(std::function<Time()> getPause)
    {
        m_getOutsidePause = std::move(getPause);
    }

    /// Get the longest pause that comes from links outside of this network, for which messages
    /// within it wait, too; see RocePath::pause. With several processes (MpiProcesses), each one
    /// calls it at the same point.
    /// @return the pause; 0 for a network alone
    Time GetOutsidePause() const
    {
        return m_getOutsidePause ? m_getOutsidePause() : Time();
    }

  private:
    /// Fail or restore a link, and schedule detection and convergence.
    void SetFailed(LinkIndex link, bool isFailed);

    /// @param id the id of a node of another process; if it is a host, its RemoteHost is made
    void SetRemoteHost(NodeIndex id);

    /// @param id the id of a node, which gets its interfaces and address
    void AssignAddress(NodeIndex id);

    /// Compute all routes, with all links up.
    void ComputeRoutes();

    /// @param id the id of a node of this process, which gets the routes that it should have
    void InstallRoutes(NodeIndex id);

    /// Set the routes of a node, and change only routes that differ; if weights do, then in place.
    void UpdateRoutes(NodeIndex id, const FabricTable& table);

    std::vector<NextHop> GetNextHops(NodeIndex id, const FabricTable& table, uint32_t group) const;

    /// Compute the routes again after a change of a link, and install them.
    void Converge(LinkIndex link, bool isUp);

    SwitchDatapathHelper m_datapath;                    //!< SetDatapath(), SetOrderedArrivals()
    std::optional<QueueSize> m_hostQueueSize;           //!< SetHostQueueSize()
    MultipathRoutingHelper m_switchRouting;             //!< makes the switches' routing
    MultipathRoutingHelper m_hostRouting;               //!< makes the hosts' routing
    SwitchRoutes m_switchRoutes{SHORTEST_PATHS};        //!< SetSwitchRoutes()
    SwitchRoutes m_hostRoutes{SHORTEST_PATHS};          //!< SetHostRoutes()
    bool m_sharesUplinks{false};                        //!< SetSharesUplinks()
    FabricLinkFailures::ConvergeCallback m_converged;   //!< SetConvergedCallback()
    std::unique_ptr<FabricRoutes> m_routes;             //!< the routes
    std::unique_ptr<FabricPathBandwidths> m_bandwidths; //!< if they are in use
    std::map<NodeIndex, FabricTable> m_tables;          //!< the routes installed, by node
    FabricLinkFailures m_failures;                      //!< fails and restores links
    std::function<Time()> m_getOutsidePause;            //!< SetOutsidePause()
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_HELPER_H

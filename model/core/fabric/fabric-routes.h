// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_ROUTES_H
#define AIDC_FABRIC_ROUTES_H

#include "fabric-distances.h"
#include "fabric-plan.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// The next hops of a switch or host to all destinations, with weights, from a routing protocol.
///
/// A next hop has to be one step closer to the destination, so that there are no loops.
struct FabricNextHops
{
    /// The distance of an unreachable destination.
    static constexpr uint8_t UNREACHABLE = 0xff;

    /// Next hops that are used together.
    struct Group
    {
        std::vector<PortIndex> ports; //!< ascending
        std::vector<double> weights;  //!< by port; none: all are equal

        /// @return whether both have the same ports and weights
        friend bool operator==(const Group& a, const Group& b)
        {
            return a.ports == b.ports && a.weights == b.weights;
        }

        /// @return whether a comes first
        friend bool operator<(const Group& a, const Group& b)
        {
            return a.ports != b.ports ? a.ports < b.ports : a.weights < b.weights;
        }
    };

    /// The route to a destination.
    struct Way
    {
        uint8_t distance{UNREACHABLE}; //!< in links; 0: it is at this switch
        uint32_t group{0};             //!< index of the group, for other distances

        /// @return whether both are the same
        friend bool operator==(const Way& a, const Way& b)
        {
            return a.distance == b.distance && a.group == b.group;
        }
    };

    std::vector<Group> groups;    //!< in the order of their first use
    std::vector<Way> attachments; //!< the route to each FabricAttachment
    /// The route to each host that has lost some of its leaves. If the host cannot be reached,
    /// packets take the route to its attachment.
    std::map<NodeIndex, Way> hosts;

    /// @return whether two switches have the same next hops
    friend bool operator==(const FabricNextHops& a, const FabricNextHops& b)
    {
        return a.groups == b.groups && a.attachments == b.attachments && a.hosts == b.hosts;
    }
};

/// A route of a FabricTable.
struct FabricRoute
{
    uint32_t network{0}; //!< the network, in host byte order
    uint8_t length{0};   //!< the length of the prefix in bits
    uint32_t group{0};   //!< the index of the group of next hops, or FabricTable::DISCARD
};

/// The forwarding table of a switch or host, for a longest prefix match.
///
/// Packets that match no route are dropped.
struct FabricTable
{
    /// The group of routes whose packets are dropped.
    static constexpr uint32_t DISCARD = 0xffffffff;

    std::vector<FabricRoute> routes;            //!< by ascending network, then length
    std::vector<std::vector<PortIndex>> groups; //!< of each group the ports, ascending
    /// Of each group the weights of its ports, none where all are equal; empty: of all groups
    std::vector<std::vector<double>> weights;
};

/// The forwarding tables of a FabricPlan's switches and of its hosts with several links:
/// shortest paths, aggregated.
///
/// FabricDistances gives the distance of each switch from each attachment of hosts, which is a leaf
/// or a set of leaves. The next hops of a switch towards an attachment are all ports whose peer is
/// one link closer. A port whose link is down remains a next hop while its peer is closer: it is
/// masked at forwarding, so that a group and its state survive a failure. Packets to leaves that
/// cannot be reached, or only over more than 254 links, are discarded. A host's next hops are its
/// closest leaves.
///
/// Routes are aggregated to prefixes of pods and to 0.0.0.0/0. The rules for a leaf hold for a
/// set of leaves, too, because it has a prefix like a leaf:
///
/// - A leaf has a /32 route to each of its hosts, and discards all other addresses of their
///   prefixes.
/// - A pod is one route if all of its leaves have the same group. Otherwise the pod's prefix gets
///   the group that most of its leaves have, if at least two have it, and the other leaves have
///   their own routes. If no two leaves have the same group, the pod's prefix is discarded: this is
///   the case in a spine for its own pod.
/// - In a leaf, a spine of a pod or a host, 0.0.0.0/0 gets the group that most pods have, if at
///   least two have it, and the routes of these pods are left out. The top tier has no such route.
/// - A host that has lost some of its leaves is detached: it has its own /32 route wherever the
///   group to its remaining leaves differs from the group of its prefix.
///
/// A prefix also covers unused addresses. A packet to an unused address follows the group of the
/// prefix, which may differ from the groups of some leaves (pods) in the prefix, and could loop
/// after failures. So separate routes discard the numbers beyond the last leaf of the pod, or
/// beyond the last pod. The remaining packets never loop: each switch outside takes such a packet
/// closer to all leaves of the pod (all pods), and each of the pod's own leaves takes it closer to
/// all others. Only two neighboring leaves can undo this; that case is discarded, too. Hosts do not
/// forward.
///
/// Cost: FabricDistances, and a search for each detached host. GetTable() reads a byte for
/// each port and leaf.
class FabricRoutes
{
  public:
    /// Constructor; all links are up.
    /// @param fabric a finished fabric, which must live as long as this object
    /// @throws std::invalid_argument if a switch is more than 254 links from a leaf of its plane
    explicit FabricRoutes(const FabricPlan& fabric)
        : m_fabric(fabric),
          m_distances(fabric)
    {
    }

    /// No constructor from a fabric that will not live as long.
    explicit FabricRoutes(FabricPlan&&) = delete;

    /// @return the forwarding table of the switch or host
    FabricTable GetTable(NodeIndex node) const;

    /// Get the forwarding table of a switch or host whose next hops are given.
    ///
    /// It is aggregated in the same way; groups differ where weights do.
    /// @param node the switch or host
    /// @param nextHops its next hops, including the ones to all hosts of GetDetachedHosts()
    /// @return the table
    FabricTable GetTable(NodeIndex node, const FabricNextHops& nextHops) const;

    /// @param node the switch or host
    /// @return the part of a switch's table for its own hosts; a routing protocol has the other
    ///         routes. A host's part is empty
    FabricTable GetOwnTable(NodeIndex node) const;

    /// Get the hosts that have lost some of their leaves, but not all. @return the hosts, ascending
    std::vector<NodeIndex> GetDetachedHosts() const;

    /// @return the leaves to which the host has live links
    std::vector<NodeIndex> GetLiveLeaves(NodeIndex host) const;

    /// Take a link down. The only link of a host changes no table: its port is masked.
    /// @return the switches, and hosts with several links, whose tables may have changed; ascending
    std::vector<NodeIndex> FailLink(LinkIndex link);

    /// Bring a link back.
    /// @return the switches, and hosts with several links, whose tables may have changed; ascending
    std::vector<NodeIndex> RestoreLink(LinkIndex link);

    /// Get the links of a shortest path between two hosts.
    /// @param source the host that sends
    /// @param destination another host
    /// @return the links from the source on: at each node the fastest link that is closer to the
    ///         destination, of equal links the one with the lowest port; empty if there is no path
    std::vector<FabricLink> GetPath(NodeIndex source, NodeIndex destination) const;

    /// @return whether the link is up
    bool IsLinkUp(LinkIndex link) const
    {
        return m_distances.IsLinkUp(link);
    }

    /// Get the number of searches so far.
    /// @return one for each attachment by the constructor, and the searches because of failures and
    ///        repairs
    uint64_t GetNSearches() const
    {
        return m_distances.GetNSearches();
    }

  private:
    /// Update the detached hosts. isChanged: rows whose distances have changed; more may be set.
    void UpdateDetached(LinkIndex link, std::vector<bool>& isChanged);

    /// Get the nodes that need another table. @return the nodes, ascending
    std::vector<NodeIndex> GetTouched(LinkIndex link, const std::vector<bool>& isChanged) const;

    const FabricPlan& m_fabric;  //!< the plan
    FabricDistances m_distances; //!< the distances
    /// Hosts with links to some of their leaves only, and each switch's distance from them, by row.
    std::map<NodeIndex, std::vector<uint8_t>> m_detached;
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROUTES_H

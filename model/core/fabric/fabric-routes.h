/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ROUTES_H
#define AIDC_FABRIC_ROUTES_H

#include "fabric-distances.h"
#include "fabric-next-hops.h"
#include "fabric-plan.h"
#include "fabric-table-builder.h"
#include "fabric-table.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The forwarding tables of a FabricPlan's switches and of its hosts with several links:
 *        shortest paths, aggregated.
 *
 * FabricDistances tells how far each switch is from where hosts are attached, which is a leaf, or a
 * set of leaves. The next hops of a switch towards it are all ports whose peer is one link closer.
 * A port whose link is down stays one of them while that holds: it is masked where packets are
 * forwarded, so that a group and its state survive a failure. Packets to leaves that cannot be
 * reached, or only over more than 254 links, are discarded. A host's next hops are its leaves that
 * are closest.
 *
 * Routes are aggregated to prefixes of pods and to 0.0.0.0/0. The rules for a leaf hold for a
 * set of leaves, too, which has a prefix as a leaf has:
 *
 * - A leaf has a /32 route to each of its hosts, and discards all other addresses of their
 *   prefixes.
 * - A pod whose leaves have one group is one route. Else the group that most of them have takes the
 *   pod's prefix, if at least two have it, and the others have their own routes. If none has two,
 *   the pod's prefix is discarded: so does a spine with its own pod.
 * - In a leaf, a spine of a pod or a host, the group that most pods have takes 0.0.0.0/0, if at
 *   least two have it, and their routes are left out. The top tier has no such route.
 * - A host that has lost some of its leaves is detached: it has a /32 route of its own where the
 *   group to its remaining leaves differs from the group of its prefix.
 *
 * A prefix also covers addresses that nobody has. A packet to one of them follows the group of the
 * prefix, which is not the group of all leaves (pods) in it, and could loop after failures. So
 * routes of their own discard the numbers beyond the last leaf of the pod, or beyond the last pod.
 * The remaining packets never loop: each switch outside takes such a packet closer to all leaves of
 * the pod (all pods), and each of the pod's own leaves takes it closer to all others. Only two
 * neighboring leaves can undo this; that case is discarded too. Hosts pass nothing on.
 *
 * Cost: FabricDistances, and a search for each detached host. GetTable() reads a byte for
 * each port and leaf.
 */
class FabricRoutes
{
  public:
    /// Constructor; all links are up.
    /// @param fabric a finished fabric, which must live as long as this object
    /// @throws std::invalid_argument if a switch is more than 254 links from a leaf of its plane
    explicit FabricRoutes(const FabricPlan& fabric);

    /// No constructor from a fabric that will not live as long.
    explicit FabricRoutes(FabricPlan&&) = delete;

    /// @param node the node
    /// @return the forwarding table of the switch or host
    FabricTable GetTable(NodeIndex node) const;

    /**
     * @brief Get the forwarding table of a switch that has its next hops from elsewhere.
     *
     * It is aggregated in the same way; groups differ where weights do.
     *
     * @param node the switch
     * @param nextHops its next hops, with those to all hosts of GetDetachedHosts()
     * @return the table
     */
    FabricTable GetTable(NodeIndex node, const FabricNextHops& nextHops) const;

    /// @param node the switch
    /// @return the part of the switch's table that is about the hosts at it: the others are left to
    ///         a routing protocol
    FabricTable GetOwnTable(NodeIndex node) const;

    /// Get the hosts that have lost some of their leaves, but not all. @return the hosts, ascending
    std::vector<NodeIndex> GetDetachedHosts() const;

    /// @param host the host
    /// @return the leaves that the host has live links to
    std::vector<NodeIndex> GetLiveLeaves(NodeIndex host) const;

    /// Take a link down. The only link of a host changes no table: its port is masked.
    /// @param link the link
    /// @return the switches, and hosts with several links, whose tables may have changed; ascending
    std::vector<NodeIndex> FailLink(LinkIndex link);

    /// Bring a link back.
    /// @param link the link
    /// @return the switches, and hosts with several links, whose tables may have changed; ascending
    std::vector<NodeIndex> RestoreLink(LinkIndex link);

    /// Get the links of a shortest path between two hosts.
    /// @param source the host that sends
    /// @param destination another host
    /// @return the links from the source on; at each node the fastest of those that lead on, of
    ///         several the one with the lowest port; empty if there is no path
    std::vector<FabricLink> GetPath(NodeIndex source, NodeIndex destination) const;

    /// @param link the link
    /// @return whether the link is up
    bool IsLinkUp(LinkIndex link) const
    {
        return m_distances.IsLinkUp(link);
    }

    /// Get the number of searches so far.
    /// @return one an attachment for the constructor, and those that failures and repairs needed
    uint64_t GetNSearches() const
    {
        return m_distances.GetNSearches();
    }

  private:
    /// Search anew for detached hosts.
    /// @param link the link that has changed
    /// @param isChanged of each row, whether a distance has changed; more may be set
    void UpdateDetached(LinkIndex link, std::vector<bool>& isChanged);

    /// Get who needs another table.
    /// @param link the link that has changed
    /// @param isChanged of each row, whether a distance has changed
    /// @return the nodes, ascending
    std::vector<NodeIndex> GetTouched(LinkIndex link, const std::vector<bool>& isChanged) const;

    const FabricPlan& m_fabric;  //!< the plan
    FabricDistances m_distances; //!< the distances
    DetachedHosts m_detached;    //!< the detached hosts
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROUTES_H

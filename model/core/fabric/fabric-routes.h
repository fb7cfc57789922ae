/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ROUTES_H
#define AIDC_FABRIC_ROUTES_H

#include "fabric-plan.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A route of a FabricTable.
 */
struct FabricRoute
{
    uint32_t network{0}; ///< the network, in host byte order
    uint8_t length{0};   ///< the length of the prefix in bits
    uint32_t group{0};   ///< the index of the group of next hops, or FabricTable::DISCARD
};

/**
 * @ingroup aidc
 * @brief The forwarding table of a switch, for a longest prefix match.
 *
 * What matches no route is dropped.
 */
struct FabricTable
{
    /// The group of routes whose packets are dropped.
    static constexpr uint32_t DISCARD = 0xffffffff;

    std::vector<FabricRoute> routes;            ///< by ascending network, then length
    std::vector<std::vector<PortIndex>> groups; ///< of each group the ports, ascending
};

/**
 * @ingroup aidc
 * @brief The forwarding tables of all switches of a FabricPlan: shortest paths, aggregated.
 *
 * A breadth-first search from each leaf over the links that are up gives the distance, in links, of
 * every switch from it. The next hops of a switch towards a leaf are all ports whose peer is one
 * link closer. A port whose link is down stays one of them while that holds: it is masked where
 * packets are forwarded, so that a group and its state survive a failure. A leaf that cannot be
 * reached, or only over more than 254 links, is discarded.
 *
 * Routes are aggregated to prefixes of pods and to 0.0.0.0/0:
 *
 * - A leaf has a /32 route to each of its hosts, and discards what else is in its prefix.
 * - A pod whose leaves have one group is one route. Else the group that most of them have takes the
 *   pod's prefix, if at least two have it, and the others have their own routes. If none has two,
 *   the pod's prefix is discarded: so does a spine with its own pod.
 * - In a leaf, or a spine of a pod, the group that most pods have takes 0.0.0.0/0, if at least two
 *   have it, and their routes are left out. The top tier has no such route.
 *
 * Addresses that nobody has would then follow a group which is not that of all that the prefix
 * covers, and could loop after failures. Where that is so, the numbers beyond the last leaf of the
 * pod, or the last pod, are discarded by routes of their own. What is left never loops: each switch
 * outside takes such a packet closer to all leaves of the pod (all pods), and one of the pod's own
 * leaves closer to all others, which two leaves can undo only if they are neighbours; that case is
 * discarded too.
 *
 * Cost: one search is linear in switches and links, a distance is kept as a byte for each switch
 * and leaf. A link that fails or comes back costs two reads for each leaf, and a search for those
 * whose distances change. GetTable() reads a byte for each port and leaf.
 */
class FabricRoutes
{
  public:
    /**
     * @brief Constructor; all links are up.
     * @param fabric a finished fabric, which must live as long as this object
     * @throws std::invalid_argument if a switch is more than 254 links from a leaf
     */
    explicit FabricRoutes(const FabricPlan& fabric);

    /// No constructor from a fabric that will not live as long.
    explicit FabricRoutes(FabricPlan&&) = delete;

    /**
     * @brief Get the forwarding table of a switch.
     * @param node the node of the switch
     * @return the table
     */
    FabricTable GetTable(NodeIndex node) const;

    /**
     * @brief Take a link down. The link of a host changes no table: its port is masked.
     * @param link the link
     * @return the switches whose tables may have changed, ascending
     */
    std::vector<NodeIndex> FailLink(LinkIndex link);

    /**
     * @brief Bring a link back.
     * @param link the link
     * @return the switches whose tables may have changed, ascending
     */
    std::vector<NodeIndex> RestoreLink(LinkIndex link);

    /**
     * @brief Get the links of a shortest path between two hosts.
     * @param source the host that sends
     * @param destination another host
     * @return the links from the source on; at each switch the fastest of those that lead on, of
     *         several the one with the lowest port; empty if there is no path
     */
    std::vector<FabricLink> GetPath(NodeIndex source, NodeIndex destination) const;

    /**
     * @brief Tell whether a link is up.
     * @param link the link
     * @return whether it is up
     */
    bool IsLinkUp(LinkIndex link) const;

    /**
     * @brief Get the number of searches so far.
     * @return one a leaf for the constructor, and those that failures and repairs needed
     */
    uint64_t GetNSearches() const;

  private:
    /// A distance that stands for any above 254, or for no path.
    static constexpr uint8_t UNREACHABLE = 0xff;

    /// A port that leads from a switch to another one.
    struct Edge
    {
        uint32_t peer{0}; ///< the other switch, by its row
        LinkIndex link;   ///< the link
        PortIndex port;   ///< the port
    };

    /// The groups of a table, and which of them each leaf has.
    struct LeafGroups
    {
        std::vector<std::vector<PortIndex>> groups; ///< the ports of each group
        std::vector<uint32_t> ofLeaf;               ///< the group of each leaf, or DISCARD
    };

    /// What is decided on a pod's prefix or 0.0.0.0/0.
    struct Choice
    {
        uint32_t group{FabricTable::DISCARD}; ///< the group of the prefix
        bool isUniform{false};                ///< whether all leaves have it, but own ones
    };

    /**
     * @brief Get the distances of a switch.
     * @param row the row of the switch
     * @return its distance from each leaf
     */
    const uint8_t* GetRow(uint32_t row) const
    {
        return &m_distances[std::size_t{row} * m_nLeaves];
    }

    /**
     * @brief Get the ends of a link.
     * @param link the link
     * @return the rows of the switches at its ends; of a host's link, twice that of the leaf
     */
    std::pair<uint32_t, uint32_t> GetRowsOf(LinkIndex link) const;

    /**
     * @brief Search the distances of all switches from a leaf, into m_found.
     * @param leaf the leaf, by its column
     */
    void Search(uint32_t leaf);

    /**
     * @brief Tell whether a switch has a live port to a switch of a certain distance.
     * @param row the row of the switch
     * @param leaf the leaf
     * @param distance the distance of the other switch from the leaf
     * @return whether it has one
     */
    bool HasLivePeerAt(uint32_t row, uint32_t leaf, uint8_t distance) const;

    /**
     * @brief Search anew for some leaves.
     * @param leaves the leaves
     * @return the switches whose tables may have changed, ascending
     */
    std::vector<NodeIndex> Update(const std::vector<uint32_t>& leaves);

    /**
     * @brief Get the next hops of a switch to each leaf.
     * @param row the row of the switch
     * @return its groups
     */
    LeafGroups GetLeafGroups(uint32_t row) const;

    /**
     * @brief Choose the group of a pod's prefix.
     * @param row the row of the switch
     * @param pod the pod
     * @param groups the group of each leaf
     * @return the choice
     */
    Choice ChoosePod(uint32_t row, uint32_t pod, const std::vector<uint32_t>& groups) const;

    /**
     * @brief Choose the group of 0.0.0.0/0.
     * @param pod the pod of the switch, or NO_POD
     * @param pods the choices for all pods
     * @return the choice, DISCARD where there is no such route
     */
    static Choice ChooseDefault(uint32_t pod, const std::vector<Choice>& pods);

    /**
     * @brief Add the routes of a leaf to its hosts.
     * @param node the node of the leaf
     * @param table the table
     */
    void AddHosts(NodeIndex node, FabricTable& table) const;

    const FabricPlan& m_fabric;                   ///< the plan
    uint32_t m_nLeaves;                           ///< the number of leaves
    IndexedVector<NodeIndex, uint32_t> m_rows;    ///< the row of each node; of hosts, nothing
    IndexedVector<NodeIndex, uint32_t> m_columns; ///< the column of each node that is a leaf
    std::vector<uint32_t> m_podBegin;  ///< the column of each pod's first leaf, then their number
    std::vector<uint32_t> m_edgeBegin; ///< the first edge of each row, then their number
    std::vector<Edge> m_edges;         ///< the edges of all rows, each row's by port
    IndexedVector<LinkIndex, uint8_t> m_isUp; ///< of each link, whether it is up
    std::vector<uint8_t> m_distances; ///< a row for each switch, in it a distance for each leaf
    std::vector<uint8_t> m_found;     ///< of a search: the distance of each row
    std::vector<uint32_t> m_queue;    ///< of a search: the rows found
    uint64_t m_nSearches{0};          ///< the number of searches
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROUTES_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_TABLE_BUILDER_H
#define AIDC_FABRIC_TABLE_BUILDER_H

#include "fabric-addressing.h"
#include "fabric-distances.h"
#include "fabric-index.h"
#include "fabric-next-hops.h"
#include "fabric-plan.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// A route of a FabricTable.
struct FabricRoute
{
    uint32_t network{0}; //!< the network, in host byte order
    uint8_t length{0};   //!< the length of the prefix in bits
    uint32_t group{0};   //!< the index of the group of next hops, or FabricTable::DISCARD
};

/**
 * @brief The forwarding table of a switch or host, for a longest prefix match.
 *
 * Packets that match no route are dropped.
 */
struct FabricTable
{
    /// The group of routes whose packets are dropped.
    static constexpr uint32_t DISCARD = 0xffffffff;

    std::vector<FabricRoute> routes;            //!< by ascending network, then length
    std::vector<std::vector<PortIndex>> groups; //!< of each group the ports, ascending
    /// Of each group the weights of its ports, none where all are equal; empty: of all groups
    std::vector<std::vector<double>> weights;

    /// Discard the numbers of a prefix beyond the last one in use.
    /// @param prefix the prefix in which pods or leaves are numbered
    /// @param itemLength the length of the prefix of a pod or leaf
    /// @param used how many numbers are in use, at least 1
    void DiscardBeyond(const FabricPrefix& prefix, uint8_t itemLength, uint32_t used)
    {
        // The largest aligned blocks: 5 to 15 of 16 are 5, 6 and 7, 8 to 15.
        const uint32_t end = 1U << (itemLength - prefix.length);
        while (used < end)
        {
            uint32_t block = 1;
            uint8_t length = itemLength;
            for (; used % (2 * block) == 0; block *= 2)
            {
                --length;
            }
            routes.push_back({prefix.network | used << (32U - itemLength), length, DISCARD});
            used += block;
        }
    }
};

/// Hosts with links to some of their leaves only, and the distance of each switch from them, by
/// row.
using DetachedHosts = std::map<NodeIndex, std::vector<uint8_t>>;

/// Makes the forwarding table of a switch or host from distances (see FabricRoutes).
class FabricTableBuilder
{
  public:
    /// Constructor. distances: the distances of its switches; node: the switch or host; nextHops:
    /// the next hops of the node; null for those of the distances.
    FabricTableBuilder(const FabricPlan& fabric,
                       const FabricDistances& distances,
                       const DetachedHosts& detached,
                       NodeIndex node,
                       const FabricNextHops* nextHops = nullptr);

    FabricTableBuilder(const FabricTableBuilder&) = delete;
    FabricTableBuilder& operator=(const FabricTableBuilder&) = delete;

    /// Make the table. @return the table
    FabricTable GetTable() const;

    /// Make the part of the table for the hosts of this leaf. @return the table
    FabricTable GetOwnTable() const;

  private:
    /// A port that leads to a switch.
    using Edge = FabricDistances::Edge;
    /// The distance if there is no path.
    static constexpr uint8_t UNREACHABLE = FabricDistances::UNREACHABLE;

    /// The choice for a pod's prefix or 0.0.0.0/0.
    struct Choice
    {
        uint32_t group{FabricTable::DISCARD}; //!< the group of the prefix
        bool isUniform{false};                //!< whether all leaves have it, except own ones
        bool isOwn{false};                    //!< whether all leaves are own ones
    };

    /// Get the distance of this switch or host from a destination. @return the distance, over ports
    /// that are up if this is a host
    template <typename GetRow>
    uint8_t GetDistance(GetRow getRow) const;

    /// Choose the group of a pod's prefix.
    Choice ChoosePod(uint32_t pod, const std::vector<uint32_t>& groups) const;

    /// Choose the group of 0.0.0.0/0. @return the choice, DISCARD where there is no such route
    static Choice ChooseDefault(uint32_t pod, const std::vector<Choice>& pods);

    /// Add the routes to hosts of a prefix that are at this leaf.
    void AddOwnHosts(uint32_t column, FabricTable& table) const;

    /// Add the routes to detached hosts of a prefix.
    void AddDetachedHosts(uint32_t column, uint32_t group, FabricTable& table) const;

    /// @return whether the host is detached, and this is none of the leaves that it has left
    bool IsElsewhere(NodeIndex host) const;

    /// Add a route to a host. group: the next hops, none to discard.
    void AddHost(NodeIndex host, const FabricNextHops::Group& group, FabricTable& table) const;

    /// Get the next hops to a detached host. @param host the host; if next hops were given, it can
    /// be reached @return the next hops, none if it cannot be reached
    FabricNextHops::Group GetGroupTo(NodeIndex host) const;

    const FabricPlan& m_fabric;          //!< the plan
    const FabricDistances& m_switches;   //!< the distances of switches
    const DetachedHosts& m_detached;     //!< the detached hosts
    const NodeIndex m_node;              //!< the switch or host of the table
    const bool m_isHost;                 //!< whether it is a host's
    std::vector<uint32_t> m_podBegin;    //!< the column of each pod's first leaf, then their number
    FabricDistances::Edges m_edges;      //!< the ports to switches
    const uint8_t* m_distances{nullptr}; //!< the distance from each attachment
    std::vector<Edge> m_hostEdges;       //!< keeps the edges of a host
    std::vector<uint8_t> m_ownDistances; //!< keeps distances that are not those of m_switches
    const FabricNextHops* m_nextHops;    //!< the next hops that were given, if any
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_TABLE_BUILDER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NEXT_HOP_GROUPS_H
#define AIDC_NEXT_HOP_GROUPS_H

#include "next-hop-group.h"
#include "next-hop-selector.h"

#include "ns3/ipv4.h"
#include "ns3/next-hop-weights.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The groups of next hops of a node: one for all routes that have the same ones.
 *
 * With NextHopTableSettings, weights are numbers of entries of a table, and there is room for so
 * many tables. Groups with the same next hops and weights share a table, and a single next hop
 * needs none. A group for which there is no room is held: it sends everything to one of its next
 * hops, held groups to each in turn, until there is. This is what SONiC does
 * (RouteOrch::addTempRoute() of sonic-swss), which draws the next hop at random.
 */
class NextHopGroups
{
  public:
    /// Set the protocol stack. @param ipv4 the stack
    void SetIpv4(Ptr<Ipv4> ipv4)
    {
        m_ipv4 = ipv4;
    }

    /// Set the limits of the hardware's table. @param table the limits, of groups from now on
    void SetTable(const NextHopTableSettings& table)
    {
        m_table = table;
    }

    /// Set what chooses among next hops: groups forget what another selector knew of them.
    /// @param selector the selector, may be null
    void SetSelector(Ptr<NextHopSelector> selector);

    /// Find or make the group of next hops.
    NextHopGroup* Get(const std::vector<NextHop>& nextHops);

    /// Compare what a group leads to with next hops. withWeights: whether the weights have to be
    /// the same, too, as the node has them. @return whether they are the same, in the same order
    bool IsSame(const NextHopGroup& group,
                const std::vector<NextHop>& nextHops,
                bool withWeights) const;

    /// Set the weights of a group. weights: a weight for each next hop, finite and not negative.
    void SetWeights(NextHopGroup& group, const std::vector<double>& weights);

    /// Count a route that uses a group. @param group the group, may be null
    void Hold(NextHopGroup* group);

    /// Release a group, which ends with its last route. @param group the group, may be null
    void Release(NextHopGroup* group);

    /// Update the groups with a member at an interface. @param interface the index of the interface
    void UpdateInterface(uint32_t interface);

    /// Block the next hops over an interface, or use them again from UpdateInterface() on.
    /// @param interface the index of the interface
    /// @param isBlocked whether they are not used
    /// @return whether this has changed
    bool SetBlocked(uint32_t interface, bool isBlocked);

    /// @param interface the index of an interface @return whether it is up and not blocked
    bool IsUsable(uint32_t interface) const
    {
        return m_ipv4->IsUp(interface) && m_blocked.count(interface) == 0;
    }

    /// @return the number of groups
    std::size_t GetN() const
    {
        return m_groups.size();
    }

    /// @return the number of groups that are held
    std::size_t GetNHeld() const;

    /// Forget all groups, the stack and the selector.
    void Clear();

  private:
    /// Get weights as the node has them. @return the weights that are used
    std::vector<double> Quantize(const std::vector<double>& weights) const;

    /// Get next hops as the node has them, if it does not keep weights.
    std::vector<NextHop> Quantize(const std::vector<NextHop>& nextHops) const;

    /// Find or make the group of next hops as the node has them.
    NextHopGroup* FindOrMake(const std::vector<NextHop>& nextHops);

    /// Find out which members of a group can be used, and tell the selector. @param group the group
    void Update(NextHopGroup& group);

    /// Give tables to groups: to those that have one, and to others as long as there is room.
    void ShareTables();

    Ptr<Ipv4> m_ipv4;                                    //!< the protocol stack
    std::set<uint32_t> m_blocked;                        //!< interfaces that are not used
    Ptr<NextHopSelector> m_selector;                     //!< chooses among next hops
    std::vector<std::unique_ptr<NextHopGroup>> m_groups; //!< the groups
    NextHopTableSettings m_table;                        //!< what the node can hold
    uint32_t m_turn{0};                                  //!< whose turn it is in held groups
};

} // namespace ns3::aidc

#endif // AIDC_NEXT_HOP_GROUPS_H

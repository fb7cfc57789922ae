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
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The groups of next hops of a node: one for all routes that have the same ones.
class NextHopGroups
{
  public:
    /// Set the protocol stack. @param ipv4 the stack
    void SetIpv4(Ptr<Ipv4> ipv4)
    {
        m_ipv4 = ipv4;
    }

    /// Set what chooses among next hops: groups forget what another selector knew of them.
    /// @param selector the selector, may be null
    void SetSelector(Ptr<NextHopSelector> selector);

    /// Find or make the group of next hops.
    /// @param nextHops the next hops
    /// @return the group
    NextHopGroup* Get(const std::vector<NextHop>& nextHops);

    /// Count a route that uses a group. @param group the group, may be null
    void Hold(NextHopGroup* group);

    /// Release a group, which ends with its last route. @param group the group, may be null
    void Release(NextHopGroup* group);

    /// Find out which members of a group can be used, and tell the selector. @param group the group
    void Update(NextHopGroup& group);

    /// Update the groups with a member at an interface. @param interface the index of the interface
    void UpdateInterface(uint32_t interface);

    /// @return the number of groups
    std::size_t GetN() const
    {
        return m_groups.size();
    }

    /// Forget all groups, the stack and the selector.
    void Clear();

  private:
    Ptr<Ipv4> m_ipv4;                                    //!< the protocol stack
    Ptr<NextHopSelector> m_selector;                     //!< chooses among next hops
    std::vector<std::unique_ptr<NextHopGroup>> m_groups; //!< the groups
};

} // namespace ns3::aidc

#endif // AIDC_NEXT_HOP_GROUPS_H

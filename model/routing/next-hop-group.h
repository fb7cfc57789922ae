/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NEXT_HOP_GROUP_H
#define AIDC_NEXT_HOP_GROUP_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The next hops of a route, shared by all routes with the same next hops.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief A next hop as a user gives it.
struct NextHop
{
    /// Constructor
    /// @param toInterface the index of the outgoing interface
    /// @param toGateway the next router, or Ipv4Address::GetAny() if the destination is on the link
    /// @param toWeight the share of the traffic relative to the group's other members; finite and
    ///        not negative, 0 for none
    NextHop(uint32_t toInterface = 0,
            Ipv4Address toGateway = Ipv4Address::GetAny(),
            double toWeight = 1)
        : interface(toInterface),
          gateway(toGateway),
          weight(toWeight)
    {
    }

    uint32_t interface;  //!< the index of the outgoing interface
    Ipv4Address gateway; //!< the next router, or GetAny() if the destination is on the link
    double weight;       //!< the share of the traffic, relative to the other members
};

/// @ingroup aidc
/// @brief The state of a NextHopSelector for a group: its tables.
class NextHopGroupState
{
  public:
    virtual ~NextHopGroupState() = default;
};

/**
 * @ingroup aidc
 * @brief Next hops of equal cost.
 *
 * A member whose interface goes down stays a member, so that the state of selectors survives a
 * failure: the member is only no longer usable.
 */
struct NextHopGroup
{
    /// A member.
    struct Member
    {
        NextHop nextHop;      //!< where it leads
        bool isUp{false};     //!< whether its interface is up and not blocked
        bool isHeld{false};   //!< the group is held, and does without it
        Ptr<Ipv4Route> route; //!< the route that is handed to ns-3's stack

        /// Tell whether packets may go there.
        /// @return whether the interface is up, and the next hop has a weight and is not held
        bool IsUsable() const
        {
            return isUp && !isHeld && nextHop.weight > 0;
        }
    };

    uint32_t nRoutes{0};                      //!< the number of routes that use the group
    bool isHeld{false};                       //!< waits for a table, with one next hop
    uint32_t turn{0};                         //!< which of the next hops is used while it is held
    std::vector<Member> members;              //!< all members
    std::vector<uint32_t> usable;             //!< the members that are up and have a weight
    std::unique_ptr<NextHopGroupState> state; //!< what the selector knows of the group
};

} // namespace ns3::aidc

#endif // AIDC_NEXT_HOP_GROUP_H

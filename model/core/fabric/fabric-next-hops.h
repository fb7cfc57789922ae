/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_NEXT_HOPS_H
#define AIDC_FABRIC_NEXT_HOPS_H

#include "fabric-index.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The next hops of a switch or host to all destinations, with weights, from a routing
 * protocol.
 *
 * A next hop has to be one step closer to the destination, so that there are no loops.
 */
struct FabricNextHops
{
    /// The distance of an unreachable destination.
    static constexpr uint8_t UNREACHABLE = 0xff;

    /// Next hops that are used together.
    struct Group
    {
        std::vector<PortIndex> ports; //!< ascending
        std::vector<double> weights;  //!< by port; none: all are equal

        /// Tell whether two groups are the same.
        /// @param a one
        /// @param b the other one
        /// @return whether they are
        friend bool operator==(const Group& a, const Group& b)
        {
            return a.ports == b.ports && a.weights == b.weights;
        }

        /// Give groups an order.
        /// @param a one
        /// @param b the other one
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

        /// Tell whether two ways are the same.
        /// @param a one
        /// @param b the other one
        /// @return whether they are
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

    /// Tell whether two switches have the same next hops.
    /// @param a one
    /// @param b the other one
    /// @return whether they have
    friend bool operator==(const FabricNextHops& a, const FabricNextHops& b)
    {
        return a.groups == b.groups && a.attachments == b.attachments && a.hosts == b.hosts;
    }
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_NEXT_HOPS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NETWORK_LOOKAHEAD_H
#define AIDC_NETWORK_LOOKAHEAD_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Declaration of struct ns3::aidc::NetworkLookahead.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief How far nodes may be simulated without knowing of each other: the shortest delay of a link
 *        between two nodes.
 *
 * A channel of two ends with an attribute "Delay" is such a link: EthernetChannel,
 * ns3::PointToPointChannel, and whatever derives from them. Through ns3::CsmaChannel, through
 * channels of more ends and through those without that attribute (wireless ones), nodes touch each
 * other at once. A channel within a node, and ns3::BridgeChannel, which stands for others, do not
 * count.
 */
struct NetworkLookahead
{
    Time delay;         //!< the lookahead; 0 if there is none
    std::string reason; //!< why there is none, in words; empty where no nodes are linked
    /// Whether each link leads from one side of the network to the other, as in all fabrics of
    /// hosts, leaves and spines.
    bool hasSides{false};
    std::vector<uint8_t> sides; //!< the side of each node, 0 or 1, by its id; if hasSides

    /// Find the lookahead of the channels that there are. @return the lookahead
    static NetworkLookahead Find();
};

} // namespace ns3::aidc

#endif // AIDC_NETWORK_LOOKAHEAD_H

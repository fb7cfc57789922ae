/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ELEMENTS_H
#define AIDC_FABRIC_ELEMENTS_H

#include "fabric-index.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * The elements of a FabricPlan.
 */

namespace ns3::aidc
{

/// The tier of a node in a fabric.
enum class FabricTier : uint8_t
{
    HOST,        //!< an end system
    LEAF,        //!< a switch that hosts are attached to
    SPINE,       //!< a switch above the leaves
    SUPER_SPINE, //!< a switch above the spines
};

/// The pod of the switches of the top tier, which belong to none.
inline constexpr uint32_t NO_POD = 0xffffffff;

/// The server of a host that is one by itself, and of switches.
inline constexpr uint32_t NO_SERVER = 0xffffffff;

/// A host or switch of a FabricPlan.
struct FabricNode
{
    FabricTier tier{FabricTier::HOST}; //!< its tier
    uint32_t pod{NO_POD};              //!< its pod, from 0, or NO_POD
    /// Its number in the tier, from 0; that of leaves and spines below super-spines in their pod.
    uint32_t index{0};
    uint32_t server{NO_SERVER}; //!< of a host that is a GPU: the server that it is in, or NO_SERVER
};

/// A link of a FabricPlan. Each node counts its ports from 0 in the order of its links.
struct FabricLink
{
    NodeIndex a;         //!< the node at one end
    NodeIndex b;         //!< the node at the other end
    PortIndex aPort;     //!< the port of a
    PortIndex bPort;     //!< the port of b
    uint64_t rate{0};    //!< bit/s in each direction, above 0
    int64_t delay{0};    //!< one-way propagation delay in ns, at least 0
    double errorRate{0}; //!< share of packets lost in each direction, 0 to 1
    uint32_t line{0};    //!< the line of the file that it was read from, 0 if none
};

/// The link and the peer of a port of a node in a FabricPlan.
struct FabricPort
{
    LinkIndex link; //!< the link
    NodeIndex peer; //!< the node at its other end
};

/**
 * @brief An attachment of hosts: a leaf, or a set of leaves to which each of the hosts has links.
 *
 * All hosts with the same set of leaves have addresses of one prefix, like the hosts of a leaf.
 */
struct FabricAttachment
{
    std::vector<NodeIndex> leaves; //!< the leaves, in the order of FabricPlan::GetLeaves()
    uint32_t pod{0};               //!< the number of the pod in its addresses
    uint32_t number{0};            //!< its number in that pod, as a leaf's
};

/// The nodes of a plan.
using FabricNodes = IndexedVector<NodeIndex, FabricNode>;
/// The links of a plan.
using FabricLinks = IndexedVector<LinkIndex, FabricLink>;
/// The ports of a node.
using FabricNodePorts = IndexedVector<PortIndex, FabricPort>;
/// The ports of all nodes.
using FabricPorts = IndexedVector<NodeIndex, FabricNodePorts>;

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ELEMENTS_H

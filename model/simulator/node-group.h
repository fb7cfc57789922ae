/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NODE_GROUP_H
#define AIDC_NODE_GROUP_H

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The group of a node: nodes that time windows run together, in the order of time.
 *
 * Events of a node may schedule events of other nodes of the group with any delay, as in ns-3's
 * default simulator: the GPUs of a server reach each other in some 10 ns, much sooner than over
 * the links of a network. So delays within groups do not make windows shorter.
 */
class NodeGroup : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Put two nodes, and the groups that they are in, into one group, before the simulation
    /// begins. The program ends if they are of two processes (MpiProcesses). b: another one.
    static void Join(Ptr<Node> a, Ptr<Node> b);

    /// @return the least id of each node's group, by the id of the node; empty if there are no
    ///         groups
    static std::vector<uint32_t> FindAll();

  private:
    /// @return the least id of its group
    static uint32_t FindFirst(uint32_t node);

    /// Have a node follow another one. other: the id of another one, at most the same.
    static void SetNext(uint32_t node, uint32_t other);

    uint32_t m_next{0}; //!< a node of the group with a lower id, or the node itself
};

} // namespace ns3::aidc

#endif // AIDC_NODE_GROUP_H

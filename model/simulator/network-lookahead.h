// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NETWORK_LOOKAHEAD_H
#define AIDC_NETWORK_LOOKAHEAD_H

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The group of a node: nodes that time windows run together, in the order of time.
///
/// Events of a node may schedule events of other nodes of the group with any delay, as in ns-3's
/// default simulator: the GPUs of a server reach each other in some 10 ns, much sooner than over
/// the links of a network. So delays within groups do not make windows shorter.
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
    static uint32_t FindFirst(uint32_t node);

    /// Have a node follow another one. other: the id of another one, at most the same.
    static void SetNext(uint32_t node, uint32_t other);

    uint32_t m_next{0}; //!< a node of the group with a lower id, or the node itself
};

/// The time by which one node can be simulated ahead of others without being affected by
/// them: the shortest delay of a link between two nodes.
///
/// A link is a channel of two ends with an attribute "Delay": EthernetChannel,
/// ns3::PointToPointChannel, and classes derived from them. Through ns3::CsmaChannel, channels of
/// more ends, and channels without this attribute (wireless ones), nodes affect each other at once.
/// Channels within a node or a group (NodeGroup) do not count, nor does ns3::BridgeChannel, which
/// represents others.
struct NetworkLookahead
{
    Time delay;         //!< the lookahead; 0 if there is none
    std::string reason; //!< why there is none; empty if no nodes are linked
    /// Whether the network has two sides, so that each link leads from one to the other, as in all
    /// fabrics of hosts, leaves and spines. Groups are on one side.
    bool hasSides{false};
    std::vector<uint8_t> sides;   //!< the side of each node, 0 or 1, by its id; if hasSides
    std::vector<uint32_t> groups; //!< the first node of each node's group; empty without groups

    /// Find the lookahead of all channels. With several processes (MpiProcesses), each one calls it
    /// at the same point, and the result covers the channels of all processes.
    static NetworkLookahead Find();
};

} // namespace ns3::aidc

#endif // AIDC_NETWORK_LOOKAHEAD_H

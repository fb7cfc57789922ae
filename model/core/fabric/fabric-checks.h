/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_CHECKS_H
#define AIDC_FABRIC_CHECKS_H

#include "fabric-elements.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Checks whether nodes and links make a fabric.
class FabricChecks
{
  public:
    /// Constructor.
    FabricChecks(const FabricNodes& nodes, const FabricLinks& links, const FabricPorts& ports);

    /// Check a link that is to be added. added: the link, without ports.
    /// @throws std::invalid_argument if a value is out of range
    static void CheckLink(LinkIndex link, const FabricLink& added, std::size_t nNodes);

    /// Check the links of a host. @return the leaf of its first link @throws std::invalid_argument
    /// if the host has no link, or one that does not lead to a leaf
    NodeIndex CheckHost(NodeIndex host) const;

    /// Check pods and indices, and count the pods.
    /// @param leaves the leaves, by pod and index
    /// @param hasSuperSpines whether the fabric has super-spines
    /// @return the number of pods
    /// @throws std::invalid_argument if pods or leaves have gaps or two nodes are the same
    uint32_t CountPods(const std::vector<NodeIndex>& leaves, bool hasSuperSpines) const;

    /// Check that pods are connected by super-spines only.
    /// @throws std::invalid_argument naming a link for which this does not hold
    void CheckPods() const;

    /**
     * @brief Find the planes: sets of switches that are connected by links between switches.
     *
     * There may be several planes if any two hosts have links to the same plane.
     *
     * @param leaves the leaves
     * @param switches all switches
     * @param hosts the hosts
     * @return the plane of each switch, from 0, that of the first leaf
     * @throws std::invalid_argument naming a switch that is not connected
     */
    IndexedVector<NodeIndex, uint32_t> FindPlanes(const std::vector<NodeIndex>& leaves,
                                                  const std::vector<NodeIndex>& switches,
                                                  const std::vector<NodeIndex>& hosts) const;

  private:
    /// Name a link in an error. line: its line in a file, 0 if none.
    static std::string DescribeLink(LinkIndex link, uint32_t line);

    /// Tell whether any two hosts have links to the same plane.
    bool SharePlanes(const IndexedVector<NodeIndex, uint32_t>& planes,
                     const std::vector<NodeIndex>& hosts) const;

    /// Check that leaves and pods are counted without gaps. @throws std::invalid_argument if there
    /// is a gap
    uint32_t CheckLeaves(const std::vector<NodeIndex>& leaves, bool hasSuperSpines) const;

    const FabricNodes& m_nodes; //!< the nodes
    const FabricLinks& m_links; //!< the links
    const FabricPorts& m_ports; //!< the ports of each node
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_CHECKS_H
